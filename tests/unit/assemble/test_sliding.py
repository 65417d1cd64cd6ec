"""Joints that slide along bodies and along beams that bend."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import equilibrium
from gudgeon.assemble.solve.ordering import plan
from gudgeon.model import Section
from gudgeon.papers.bauchau2002.quick_return import quick_return
from gudgeon.quantity import GudgeonError

SLENDER = Section(EA=1e6, GA=1e6, EI=1.0, mass=1.0, inertia=1e-6)
STIFF = Section(EA=1e9, GA=1e9, EI=1e7, mass=1.0, inertia=1e-3)


def whirling(flexible: bool, kind: str = "sliding") -> gd.Mechanism:
    """A bar driven about one end at 3 rad/s, with a bead that starts at 0.2 m without speed along it."""
    m = gd.Mechanism("whirling bar")
    if flexible:
        bar = m.beam("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=STIFF, elements=5, velocity=(0.0, 1.5), spin=3.0)
    else:
        bar = m.body("bar", mass=1.0, inertia=1 / 12, at=(0.5, 0.0), velocity=(0.0, 1.5), spin=3.0)
    bead = m.body("bead", mass=0.1, inertia=1e-4, at=(0.2, 0.0), velocity=(0.0, 0.6), spin=3.0)
    m.revolute("hub", journal=bar, bearing=m.ground, at=(0.0, 0.0))
    m.joint(kind, "eye", journal=bead, bearing=bar, at=(0.2, 0.0), axis=(1.0, 0.0))
    m.drive("hub", speed=3.0)
    return m


@pytest.mark.parametrize("kind", ["sliding", "collar"])
def test_a_bead_in_the_groove_of_a_body_is_thrown_out(kind):
    run = gd.simulate(whirling(False, kind), duration=0.5, rtol=1e-10)
    assert run["eye.travel"] == pytest.approx(0.2 * np.cosh(3.0 * run.t) - 0.2, abs=1e-8)
    # across it feels the acceleration of Coriolis, 2 w s'
    assert run["eye.force"] == pytest.approx(0.1 * 2.0 * 3.0 * 0.6 * np.sinh(3.0 * run.t), abs=1e-7)
    assert run["bead.angle"][-1] == pytest.approx(1.5, abs=1e-8)


@pytest.mark.parametrize("kind", ["sliding", "collar"])
def test_a_bead_on_a_stiff_beam_moves_alike_through_its_elements(kind):
    run = gd.simulate(whirling(True, kind), duration=0.5, method="alpha", rtol=1e-8, output=1e-2)
    assert run["eye.travel"][-1] > 0.25  # two borders of elements lie behind it
    assert run["eye.travel"] == pytest.approx(0.2 * np.cosh(3.0 * run.t) - 0.2, abs=5e-6)
    assert run["eye.force"] == pytest.approx(0.1 * 2.0 * 3.0 * 0.6 * np.sinh(3.0 * run.t), abs=2e-3)


def test_a_free_beam_and_its_bead_keep_their_energy():
    """The bead runs over a beam that bends by a tenth of its length, through all but the outer elements."""
    m = gd.Mechanism("beam and bead")
    soft = Section(EA=1e5, GA=1e5, EI=0.05, mass=1.0, inertia=1e-6)
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=soft, elements=8, spin=2.0)
    bead = m.body("bead", mass=0.3, inertia=1e-4, at=(0.15, 0.0), velocity=(1.5, -0.7))
    m.sliding("eye", journal=bead, bearing=beam, at=(0.15, 0.0))
    run = gd.simulate(m, duration=0.5, method="alpha", rtol=1e-7, output=2e-3)
    assert run["eye.travel"].max() > 0.5
    straight = math.hypot(run["beam.100.x"][-1] - run["beam.0.x"][-1], run["beam.100.y"][-1] - run["beam.0.y"][-1])
    assert straight < 0.99
    assert np.ptp(run["energy.balance"]) < 1e-5 * run["energy.kinetic"][0]


def moving_load(speed: float, force: float, t: np.ndarray) -> np.ndarray:
    """Deflection of the middle of a supported beam of unit length, mass and stiffness under a force that crosses it
    (Euler and Bernoulli's beam, by its modes)."""
    found = np.zeros_like(t)
    for n in range(1, 40):
        own, passing = (n * math.pi) ** 2, n * math.pi * speed
        shape = math.sin(0.5 * n * math.pi) / (own**2 - passing**2)
        found += 2.0 * force * shape * (np.sin(passing * t) - passing / own * np.sin(own * t))
    return found


def test_a_load_that_crosses_a_supported_beam():
    speed, force = 0.8, -1e-3
    m = gd.Mechanism("crossing load")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SLENDER, elements=6)
    bead = m.body("bead", mass=1e-9, inertia=1e-9, at=(0.0, 0.0), velocity=(speed, 0.0))
    end = m.body("end", mass=1e-9, inertia=1e-9, at=(1.0, 0.0))
    m.revolute("left", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("right", journal=beam, bearing=end, at=(1.0, 0.0))
    m.translational("roller", journal=end, bearing=m.ground, at=(1.0, 0.0))
    m.sliding("eye", journal=bead, bearing=beam, at=(0.0, 0.0))
    m.force(bead, (0.0, force))
    m.drive("eye", speed=speed)
    run = gd.simulate(m, duration=1.0 / speed, method="alpha", rtol=1e-7, output=0.01, channels=["beam.50.y"])
    expected = moving_load(speed, force, run.t)
    assert np.abs(run["beam.50.y"] - expected).max() < 4e-3 * np.abs(expected).max()


def test_an_overhanging_beam_on_an_eye():
    """A fixed eye that a beam can slide through supports it; small loads give the beam theory's deflection."""
    load, span, over = 1e-3, 0.6, 0.4
    m = gd.Mechanism("overhang")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SLENDER, elements=5)
    m.revolute("left", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.sliding("eye", journal=m.ground, bearing=beam, at=(span, 0.0))
    m.force(beam, (0.0, -load), at=(1.0, 0.0))
    found = equilibrium(m)
    assert found["beam.100.y"] == pytest.approx(-load * over**2 / 3.0, rel=2e-5)
    assert found["eye.fy"] == pytest.approx(-load / span, rel=1e-5)  # on the ground, down


def test_the_eye_pushes_square_to_the_bent_beam():
    m = gd.Mechanism("overhang, far bent")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SLENDER, elements=10, stations=(0.0, 0.6, 1.0))
    m.revolute("left", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.sliding("eye", journal=m.ground, bearing=beam, at=(0.57, 0.0))
    m.force(beam, (0.0, -2.0), at=(1.0, 0.0))
    found = equilibrium(m)
    assert found["eye.travel"] > 1e-3  # the arc between left support and eye is longer than the chord
    # statics of the whole: no other force has a horizontal part
    assert found["left.fx"] == pytest.approx(found["eye.fx"], rel=1e-6)
    assert abs(found["eye.fx"]) > 0.1
    moment = 0.57 * -found["eye.fy"] - 2.0 * found["beam.100.x"]
    assert moment == pytest.approx(0.0, abs=1e-6)


def test_a_collar_turns_with_the_section_where_it_is():
    m = gd.Mechanism("collar on a cantilever", gravity=(0.0, -9.81))
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SLENDER, elements=4, damping=0.01)
    collar = m.body("collar", mass=0.2, inertia=1e-4, at=(0.5, 0.0))
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.collar("eye", journal=collar, bearing=beam, at=(0.5, 0.0))
    m.drive("eye", motion=lambda t: 0.0 * t)
    run = gd.simulate(m, duration=0.3, method="alpha", rtol=1e-6, output=0.01)
    assert run["beam.50.angle"].min() < -0.3
    assert run["collar.angle"] == pytest.approx(run["beam.50.angle"], abs=1e-9)
    assert run["collar.y"] == pytest.approx(run["beam.50.y"], abs=1e-9)


def test_the_stiff_quick_return_moves_like_the_one_of_rigid_bodies():
    m = quick_return(arm_bending=5e8, elements=4, others=1, damping=1e-3)
    span = {"duration": 0.2, "output": 1e-3, "channels": ["shuttle.x", "slide.travel", "motor.torque"]}
    bent = gd.simulate(m, method="alpha", rtol=1e-7, **span)
    rigid = gd.simulate(m.stiffened(), rtol=1e-9, **span)
    assert np.ptp(rigid["slide.travel"]) > 0.39
    assert bent["slide.travel"] == pytest.approx(rigid["slide.travel"], abs=2e-4)
    # 15 us later, in which the crank twists, at 16 m/s
    assert bent["shuttle.x"] == pytest.approx(rigid["shuttle.x"], abs=5e-4)


def test_a_velocity_without_inertia_is_eliminated_after_its_rows():
    """Two bodies, a massless coordinate 2 and a row 3 that joins them all."""
    entries = [(0, 0), (1, 1), (0, 3), (3, 0), (1, 3), (3, 1), (2, 3), (3, 2)]
    order = np.argsort(plan(4, entries, range(3, 4), range(2, 3)).position)
    assert list(order[2:]) == [3, 2]


def pair(**options):
    m = gd.Mechanism("pair")
    beam = m.beam("beam", a=(0.0, 0.0), b=(0.0, 2.0), section=SLENDER)
    bead = m.body("bead", mass=1.0, inertia=1.0, at=(0.0, 1.0))
    m.sliding("eye", journal=bead, bearing=beam, **{"at": (0.0, 1.0), **options})
    return m


@pytest.mark.parametrize(
    "options, told",
    [
        ({"at": (0.1, 1.0)}, "0.1 m beside the axis of beam"),
        ({"at": (0.0, 2.5)}, "0.5 m beyond the end of beam"),
        ({"axis": (1.0, 1.0)}, "its own direction"),
    ],
)
def test_a_place_off_the_beam_is_refused(options, told):
    with pytest.raises(GudgeonError, match=told):
        pair(**options)


def test_play_in_a_groove_needs_its_width():
    with pytest.raises(GudgeonError, match="width"):
        whirling(False).refit(eye=gd.Clearance(1e-4, wall=gd.Hertz(stiffness=1e9)))


def test_a_loose_bead_leans_on_one_wall_of_its_groove():
    m = whirling(False)
    loose = gd.Mechanism("loose")
    bar = loose.body("bar", mass=1.0, inertia=1 / 12, at=(0.5, 0.0), velocity=(0.0, 1.5), spin=3.0)
    bead = loose.body("bead", mass=0.1, inertia=1e-4, at=(0.2, 0.0), velocity=(0.0, 0.6), spin=3.0)
    loose.revolute("hub", journal=bar, bearing=loose.ground, at=(0.0, 0.0))
    wall = gd.KelvinVoigt(stiffness=1e7, damping=1e3)
    loose.sliding("eye", journal=bead, bearing=bar, at=(0.2, 0.0), width=0.02, fit=gd.Clearance(1e-6, wall=wall))
    loose.drive("hub", speed=3.0)
    run, ideal = gd.simulate(loose, duration=0.5, output=0.01), gd.simulate(m, duration=0.5, output=0.01)
    assert run["eye.travel"][-1] == pytest.approx(ideal["eye.travel"][-1], rel=1e-4)
    # the bar pushes the bead ahead: it leans on the wall behind it
    assert run["eye.right.normal"][-1] == pytest.approx(ideal["eye.force"][-1], rel=1e-2)
    assert run["eye.left.normal"][-1] == 0.0
