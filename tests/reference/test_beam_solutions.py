"""Beams against closed solutions: statics far beyond small displacements, natural frequencies, convergence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import ellipe, ellipf, ellipk, findroot

import gudgeon as gd
from gudgeon.analysis import equilibrium, modes
from gudgeon.model import Section

SLENDER = Section(EA=1e8, GA=1e8, EI=1.0, mass=1.0, inertia=1e-6)
STEEL = {"E": 190e9, "nu": 0.33, "rho": 7850.0}


def cantilever(section=SLENDER, length=1.0, **options):
    m = gd.Mechanism("cantilever")
    beam = m.beam("beam", a=(0.0, 0.0), b=(length, 0.0), section=section, **options)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    return m, beam


@pytest.mark.parametrize("order, elements", [(1, 20), (2, 8), (3, 4)])
def test_an_end_moment_rolls_a_cantilever_into_a_circle(order, elements):
    """Nothing is stretched or sheared, so EA and GA do not matter; with 1e8 N the rounding of positions alone, 1e-16 m,
    would be forces of 1e-8 N."""
    m, beam = cantilever(Section(EA=1e4, GA=1e4, EI=1.0, mass=1.0, inertia=1e-6), order=order, elements=elements)
    m.torque(beam, 2.0 * math.pi, at=(1.0, 0.0))
    found = equilibrium(m)
    assert math.hypot(found["beam.100.x"], found["beam.100.y"]) < 1e-12
    assert found["beam.100.angle"] == pytest.approx(2.0 * math.pi, rel=1e-12)
    assert found["beam.50.moment"] == pytest.approx(2.0 * math.pi, rel=1e-10)
    assert found["root.moment"] == pytest.approx(-2.0 * math.pi, rel=1e-10)


def elastica(load: float) -> tuple[float, float]:
    """Tip (x, y) of a cantilever of length 1 without stretch and shear under an end force load EI/L^2 across."""
    root = math.sqrt(load)

    def length(angle):
        k = (1 + math.sin(angle)) / 2
        return ellipk(k) - ellipf(math.asin(1 / math.sqrt(2 * k)), k) - root

    angle = float(findroot(lambda x: length(float(x)), (0.3, 1.3), solver="anderson"))
    k = (1 + math.sin(angle)) / 2
    rest = ellipe(k) - ellipe(math.asin(1 / math.sqrt(2 * k)), k)
    return math.sqrt(2 * math.sin(angle) / load), float(1 - 2 * rest / root)


@pytest.mark.parametrize("load", [1.0, 4.0, 10.0])
def test_a_bent_cantilever_is_the_elastica(load):
    m, beam = cantilever(elements=8)
    m.force(beam, (0.0, load), at=(1.0, 0.0))
    found, (x, y) = equilibrium(m), elastica(load)
    assert found["beam.100.x"] == pytest.approx(x, abs=2e-6)
    assert found["beam.100.y"] == pytest.approx(y, abs=2e-6)
    assert found["root.moment"] == pytest.approx(-load * x, rel=1e-5)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_displacements_converge_with_twice_the_order(order):
    section = Section(EA=1e4, GA=5e3, EI=1.0, mass=1.0, inertia=1e-6)

    def tip(elements, degree):
        m, beam = cantilever(section, elements=elements, order=degree)
        m.force(beam, (1.0, 3.0), at=(1.0, 0.0))
        found = equilibrium(m)
        return np.array([found["beam.100.x"], found["beam.100.y"], found["beam.100.angle"]])

    exact = tip(40, 3)
    coarse, fine = {1: (8, 16), 2: (4, 8), 3: (2, 4)}[order]
    errors = [np.abs(tip(n, order) - exact).max() for n in (coarse, fine)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2 * order, abs=0.5)


def timoshenko(section, length, number):
    """Angular frequency of a simply supported beam with shear and rotary inertia: the lower root of
    mI w^4 - (EI m k^2 + GA (m + I k^2)) w^2 + EI GA k^4 = 0."""
    k = number * math.pi / length
    a = section.mass * section.inertia
    b = section.EI * section.mass * k**2 + section.GA * (section.mass + section.inertia * k**2)
    return math.sqrt((b - math.sqrt(b * b - 4 * a * section.EI * section.GA * k**4)) / (2 * a))


def supported(section, length, **options):
    m = gd.Mechanism("supported")
    beam = m.beam("beam", a=(0.0, 0.0), b=(length, 0.0), section=section, **options)
    shoe = m.body("shoe", mass=1e-6, inertia=1.0, at=(length, 0.0))
    m.revolute("left", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("right", journal=beam, bearing=shoe, at=(length, 0.0))
    m.translational("guide", journal=shoe, bearing=m.ground, at=(length, 0.0))
    return m


def test_frequencies_are_those_of_timoshenko():
    section = Section.rectangle(0.010, 0.030, **STEEL)
    found = 2.0 * math.pi * modes(supported(section, 0.75, elements=8), at="start").frequencies
    for number, printed in ((1, 745.5), (2, 2957.7), (3, 6565.8)):
        exact = timoshenko(section, 0.75, number)
        assert exact == pytest.approx(printed, rel=5e-4)
        assert found[number - 1] == pytest.approx(exact, rel=5e-4)


@pytest.mark.parametrize("length, height, expected", [
    (0.75, 0.030, 266.0), (0.25, 0.030, 2369.0), (0.75, 0.010, 88.8), (0.25, 0.010, 798.0),
])  # fmt: skip
def test_frequencies_of_cantilevers(length, height, expected):
    section = Section.rectangle(0.3e-3 / height, height, **STEEL)
    m, _ = cantilever(section, length)
    assert 2.0 * math.pi * modes(m, at="start").frequencies[0] == pytest.approx(expected, rel=1e-3)


def test_damping_of_strain_rates_damps_fast_modes_more():
    section = Section.rectangle(0.010, 0.030, **STEEL)
    m, _ = cantilever(section, 0.75, damping=1e-4)
    for mode in modes(m, at="start").modes[:3]:
        assert mode.damping == pytest.approx(math.pi * 1e-4 * mode.frequency, rel=1e-8)


def test_weight_bends_a_cantilever():
    section = Section(EA=1e8, GA=1e7, EI=1e4, mass=2.0, inertia=1e-3)
    m = gd.Mechanism("sagging", gravity=(0.0, -9.81))
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=section)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    found, load = equilibrium(m), 2.0 * 9.81
    assert found["beam.100.y"] == pytest.approx(-load / (8 * 1e4) - load / (2 * 1e7), rel=1e-5)
    assert found["root.fy"] == pytest.approx(load, rel=1e-9)
    assert found["beam.50.shear_force"] == pytest.approx(-load / 2, rel=1e-3)
    assert found["beam.50.moment"] == pytest.approx(-load / 8, rel=1e-2)


def test_a_beam_is_held_along_its_span():
    """A spring and a joint between nodes: the reactions are those of the beam as a lever."""
    section = Section(EA=1e9, GA=1e9, EI=1e6, mass=1.0, inertia=1e-3)
    m = gd.Mechanism("lever")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=section, elements=3)
    m.revolute("pivot", journal=beam, bearing=m.ground, at=(0.4321, 0.02))
    m.spring("spring", beam, m.ground, stiffness=1e4, at_i=(0.917, 0.0), at_j=(0.917, 1.0))
    m.force(beam, (0.0, 10.0), at=(0.05, 0.0))
    found = equilibrium(m)
    pull = 10.0 * (0.4321 - 0.05) / (0.917 - 0.4321)
    assert found["pivot.fy"] == pytest.approx(-10.0 - pull, rel=2e-3)
    assert found["pivot.fx"] == pytest.approx(0.0, abs=0.05)


def test_nothing_rests_where_something_is_free():
    m = gd.Mechanism("free")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SLENDER)
    m.force(beam, (0.0, 1.0), at=(0.3, 0.0))
    with pytest.raises(gd.GudgeonError, match="finds no rest"):
        equilibrium(m)


def test_a_slender_cantilever_vibrates_at_known_frequencies():
    """The first of a beam so slender is soft beside what rounding leaves of 1e14 rad^2/s^2."""
    m, _ = cantilever()
    frequencies = 2.0 * math.pi * modes(m).frequencies[:3]
    assert frequencies[0] == pytest.approx(3.516, rel=2e-3)
    assert frequencies[1:] == pytest.approx([22.034, 61.697], rel=1e-3)
