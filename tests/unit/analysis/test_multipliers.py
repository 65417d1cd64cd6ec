"""Floquet multipliers, where they are known: oscillators, Mathieu's equation, bounces, a beam at rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from known_systems import bouncing_ball, doubling, oscillator
from scipy.special import mathieu_a, mathieu_b

import gudgeon as gd
from gudgeon.analysis import modes, multipliers
from gudgeon.analysis.motions.flow import Flow
from gudgeon.analysis.motions.lyapunov import exponent
from gudgeon.model import SpatialSection
from gudgeon.papers import flores2007, schwab2002

TURN = 2.0 * math.pi


def on_a_shaking_pivot(a: float, q: float) -> gd.Mechanism:
    """A pendulum with x'' + (a - 2 q cos 2 t) x = 0 for small angles x, upright where a < 0; its pivot moves in pi s.

    With the pivot at A (1 - cos w t) it is x'' + (g + A w² cos w t) x / L = 0, hanging down; so a = 4 g / (L w²) and
    q = 2 A / L, with the other sign, which is half a period later. L is (J + m l²)/(m l).
    """
    length, mass, inertia, omega = 0.5, 2.0, 0.1, 2.0
    reduced = (inertia + mass * length**2) / (mass * length)
    amplitude, gravity = 0.5 * q * reduced, 0.25 * abs(a) * reduced * omega**2
    m = gd.Mechanism("pendulum", gravity=(0.0, -gravity))
    m.body("pivot", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    m.body("bob", mass=mass, inertia=inertia, at=(0.0, math.copysign(length, -a)))
    m.translational("shaker", journal="pivot", bearing=m.ground, axis=(0.0, 1.0), at=(0.0, 0.0))
    m.revolute("pin", journal="bob", bearing="pivot", at=(0.0, 0.0))
    m.drive("shaker", motion=lambda t: amplitude * (1.0 - gd.cos(omega * t)))
    return m


def of_mathieu(a: float, q: float):
    return multipliers(on_a_shaking_pivot(a, q), period=math.pi, transient=0.0, rtol=1e-10)


def test_an_oscillator_has_the_powers_of_its_roots():
    """x'' + 0.4 x' + 9 x, forced: exp(s T) with s = -0.2 +- i sqrt(8.96)."""
    found = multipliers(oscillator(3.0, 0.4, (1.0, 2.0)), period=math.pi, transient=20.0)
    expected = np.exp(complex(-0.2, math.sqrt(8.96)) * math.pi)
    assert found.stable and found.error < 1e-7
    for value in found.values:
        assert abs(complex(value.real, abs(value.imag)) - complex(expected.real, abs(expected.imag))) < 1e-8
    assert found.exponents == pytest.approx([-0.2, -0.2], abs=1e-8)
    assert "small differences decay" in str(found) and f"modulus {abs(expected):.6f}" in str(found)


@pytest.mark.parametrize("q", [0.3, 1.0])
@pytest.mark.parametrize("edge, at", [(mathieu_b, -1.0), (mathieu_a, -1.0)])
def test_a_hanging_pendulum_is_shaken_up_between_the_characteristic_numbers(edge, at, q):
    """The first band of growth lies between b1(q) and a1(q); beside each a multiplier passes -1."""
    number, inward = float(edge(1, q)), 1.0 if edge is mathieu_b else -1.0
    inside, outside = (of_mathieu(number + inward * side, q) for side in (0.01, -0.01))
    assert inside.stable is False and inside.values[0].real < at
    assert outside.radius == pytest.approx(1.0, abs=1e-6)
    # nothing is lost: the product is 1
    for found in (inside, outside):
        assert np.prod(found.values) == pytest.approx(1.0, abs=1e-6)
    # (1 - x/at)(1 - y/at) is smooth in a, and zero at the edge
    margins = [(2.0 - sum(f.values) / at).real for f in (inside, outside)]
    assert margins[0] < 0.0 < margins[1]
    assert margins[0] + margins[1] == pytest.approx(0.0, abs=0.1 * margins[1])


@pytest.mark.parametrize("q", [0.4, 0.8])
def test_an_upright_pendulum_stands_above_the_first_characteristic_number(q):
    """Shaken fast enough it stands (Stephenson 1908, Kapitza): a > a0(q), about -q²/2."""
    number = float(mathieu_a(0, q))
    assert number < 0.0
    stands, falls = of_mathieu(0.98 * number, q), of_mathieu(1.02 * number, q)
    assert stands.radius == pytest.approx(1.0, abs=1e-6) and stands.stable is not False
    assert falls.stable is False and falls.values[0].real > 1.0


@pytest.mark.parametrize("share", [0.9, 0.998, 1.02])
@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_hard_bounces_have_the_multipliers_of_the_closed_form(restitution, share):
    """Roots of x² - trace x + e²; beyond the doubling one is below -1."""
    e, gamma = restitution, share * doubling(restitution)
    sine = math.sqrt(1.0 - (math.pi * (1 - e) / (1 + e) / gamma) ** 2)
    expected = np.roots([1.0, -(1 + e * e - (1 + e) ** 2 * gamma * sine), e * e])
    found = multipliers(bouncing_ball(gamma, e), method="impact", rtol=1e-11, period=TURN / 200.0, transient=0.0)
    assert found.stable is (share < 1.0)
    assert sorted(found.values, key=lambda x: (x.real, x.imag)) == pytest.approx(
        sorted(expected, key=lambda x: (x.real, x.imag)), abs=1e-4
    )


def cantilever() -> gd.Mechanism:
    m = gd.Mechanism("cantilever", planar=False)
    steel = gd.Material("steel", 190e9, 0.33, 7850.0)
    section = SpatialSection.rectangle(0.01, 0.03, steel)
    beam = m.beam("beam", a=(0.0, 0.0, 0.0), b=(0.5, 0.0, 0.0), section=section, up=(0.0, 1.0, 0.0), elements=1,
                  order=3, damping=1e-4)  # fmt: skip
    m.rigid("wall", journal=beam, bearing=m.ground, at=(0.0, 0.0, 0.0))
    return m


def test_a_beam_at_rest_has_those_of_its_modes():
    """Over any time T they are exp(s T) of the roots s; pushed across, only those of modes across."""
    m, time = cantilever(), 0.02
    found = modes(m, at="start")
    for kick, chosen in ((None, found), ((0.0, 0.0, 1.0), [x for x in found if abs(x.shape["beam.vz"]) > 0.1])):
        expected = [y for x in chosen for y in (np.exp(x.root * time), np.exp(x.root.conjugate() * time))]
        expected.sort(key=lambda y: (-abs(y), y.imag))
        ours = multipliers(m, kick=kick, period=time, transient=0.0, count=4, rtol=1e-9)
        assert ours.stable
        for mine, known in zip(sorted(ours.values, key=lambda y: (-round(abs(y), 6), y.imag)), expected, strict=False):
            assert abs(mine - known) < 1e-3


def test_a_cycle_in_contact_has_the_largest_exponent_of_twins():
    """c = 0.01 mm: the pin slides round without leaving the wall; the exponent is found in another way."""
    flow = Flow.of(flores2007.slider_crank("0.01 mm"), rtol=1e-10)
    twins, _ = exponent(flow, flow.march(flow.start, 20)[1], 40)
    found = multipliers(flores2007.slider_crank("0.01 mm"), transient=20.0, rtol=1e-11)
    assert found.stable
    assert math.log(found.radius) == pytest.approx(twins.mean.value, abs=0.03)


def test_a_film_forgets_within_a_turn():
    """Twins lie within the clearance of a film, too; the journal of 002 is back on its orbit after a turn."""
    found = multipliers(schwab2002.film(), transient=3.0, method="radau", rtol=1e-7)
    assert found.stable and found.radius < 1e-3
    assert found.length == pytest.approx(schwab2002.film().joints["pin"].fit["pin"].radial_clearance)


def test_a_run_is_gone_on_with():
    m = oscillator(3.0, 0.4, (1.0, 2.0))
    run = gd.simulate(m, duration=20.0 * math.pi, channels=[], output=1.0)
    assert multipliers(run, period=math.pi).radius == pytest.approx(math.exp(-0.2 * math.pi), abs=1e-8)


def test_what_cannot_be_asked_is_said():
    m = oscillator(3.0, 0.4, (1.0, 2.0))
    with pytest.raises(gd.GudgeonError, match=r"does not repeat after 1 periods.*longer transient="):
        multipliers(m, period=math.pi, transient=0.0)
    with pytest.raises(gd.GudgeonError, match="count=0 and returns=1 must be 1 or more"):
        multipliers(m, period=math.pi, count=0)
    with pytest.raises(gd.GudgeonError, match=r"transient=-1\.0 must not be negative"):
        multipliers(m, period=math.pi, transient=-1.0)
    with pytest.raises(gd.GudgeonError, match=r"kick \(0\.0, 0\.0, 1\.0\) must be a direction of 2 numbers"):
        multipliers(m, period=math.pi, kick=(0.0, 0.0, 1.0))
    with pytest.raises(gd.GudgeonError, match=r"kick \(0\.0, 0\.6, 1\.0\) is not perpendicular to a plane of symmetry"):
        multipliers(cantilever(), period=0.02, transient=0.0, kick=(0.0, 0.6, 1.0), rtol=1e-8)
    driven = on_a_shaking_pivot(1.0, 0.1)
    driven.drive("pin", motion=lambda t: 0.0 * t)
    with pytest.raises(gd.GudgeonError, match="there is no degree of freedom"):
        multipliers(driven, period=math.pi, transient=0.0)
