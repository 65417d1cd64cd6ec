"""Play, liners, friction and stops of joints that slide along a beam, beside the same joint in the groove of a body."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis import equilibrium
from gudgeon.model import Section

STIFF = Section(EA=1e9, GA=1e9, EI=1e7, mass=1.0, inertia=1e-3)
WALL = gd.HuntCrossley(stiffness=1e8, restitution=0.5, exponent=1.5)
RUB = gd.ModifiedCoulomb(0.2, v0=1e-4, v1=1e-3)


def ramp(flexible: bool, kind: str = "sliding", fit=None, stop=None, speed: float = 0.0) -> gd.Mechanism:
    """A bead on a bar that slopes by 0.5 rad, held at both ends; it starts a quarter from its upper end."""
    c, s = np.cos(-0.5), np.sin(-0.5)
    m = gd.Mechanism("ramp", gravity=(0.0, -9.81))
    if flexible:
        bar = m.beam("bar", a=(0.0, 0.0), b=(c, s), section=STIFF, elements=5, damping=1e-5)
    else:
        bar = m.body("bar", mass=1.0, inertia=1 / 12, at=(0.5 * c, 0.5 * s), angle=-0.5)
    bead = m.body("bead", mass=0.4, inertia=1e-4, at=(0.25 * c, 0.25 * s), angle=-0.5, velocity=(speed * c, speed * s))
    m.rigid("upper", journal=bar, bearing=m.ground, at=(0.0, 0.0))
    m.joint(
        kind, "eye", journal=bead, bearing=bar, at=(0.25 * c, 0.25 * s), axis=(c, s), width=0.02, fit=fit, stop=stop
    )
    return m


FITS = {
    "play": gd.Clearance(2e-4, wall=WALL),
    "play and friction": gd.Clearance(2e-4, wall=WALL, friction=RUB),
    "friction without play": gd.Clearance(0.0, wall=gd.KelvinVoigt(stiffness=1e7, damping=200.0), friction=RUB),
    "lugre": gd.Clearance(2e-4, wall=WALL, friction=gd.LuGre(0.2, static_coefficient=0.25)),
    "liner": gd.Bushing(gd.LinearLiner(stiffness=1e6, damping=200.0)),
    "liner behind play": gd.Clearance(1e-4, wall=WALL, liner=gd.LinearLiner(stiffness=1e6, damping=200.0),
                                      liner_thickness=1e-3),
}  # fmt: skip


QUICK = ("play and friction", "liner behind play")


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in FITS])
def test_every_fit_along_a_stiff_beam_is_that_of_a_groove(name):
    """The bead falls onto one wall, rebounds, and slides over the borders of elements."""
    beam, body = (gd.simulate(ramp(flexible, fit=FITS[name]), duration=0.3, method="alpha", rtol=1e-8, output=1e-3)
                  for flexible in (True, False))  # fmt: skip
    assert body["eye.travel"][-1] > 0.05
    assert beam["eye.travel"] == pytest.approx(body["eye.travel"], abs=5e-4 * body["eye.travel"][-1])
    # friction turns it about its centre
    assert beam["bead.angle"] == pytest.approx(body["bead.angle"], abs=2e-3 * np.ptp(body["bead.angle"]) + 1e-9)
    assert np.ptp(beam["energy.balance"]) < 2e-5 * np.ptp(body["energy.kinetic"])
    assert len(beam.contacts) == len(body.contacts)
    for one, other in zip(beam.contacts, body.contacts, strict=True):
        assert one.contact == other.contact and one.t_on == pytest.approx(other.t_on, abs=1e-4)
        assert one.peak_force == pytest.approx(other.peak_force, rel=1e-2)


@pytest.mark.parametrize("flexible", [True, False])
def test_friction_slows_a_bead_by_its_law(flexible):
    """Down a slope at rest across: a = g (sin - mu cos), whatever carries it."""
    m = ramp(flexible, fit=FITS["friction without play"], speed=0.5)
    run = gd.simulate(m, duration=0.3, method="alpha", rtol=1e-7, output=1e-2)
    late = run.t > 0.1
    expected = 9.81 * (np.sin(0.5) - 0.2 * np.cos(0.5))
    speed = np.gradient(run["eye.travel"][late], run.t[late])
    assert np.polyfit(run.t[late][1:-1], speed[1:-1], 1)[0] == pytest.approx(expected, rel=2e-3)
    assert run["eye.force"][-1] == pytest.approx(0.4 * 9.81 * np.cos(0.5) * np.hypot(1.0, 0.2), rel=1e-2)


@pytest.mark.parametrize("flexible", [True, False])
def test_a_collar_has_backlash_and_play(flexible):
    fits = {"groove": FITS["play"],
            "key": gd.Clearance(angular_clearance=2e-3, wall=gd.KelvinVoigt(stiffness=2e3, damping=0.5))}  # fmt: skip
    m = ramp(flexible, "collar", fit=fits)
    m.torque("bead", 0.5)
    run = gd.simulate(m, duration=0.2, method="alpha", rtol=1e-8, output=1e-3)
    # the torque turns it by the play and by what the wall gives way
    assert run["bead.angle"][-1] + 0.5 == pytest.approx(2e-3 + 0.5 / 2e3, rel=1e-3)
    assert run["eye.right.depth"].max() > 0.0 > run["eye.left.depth"].max()


@pytest.mark.parametrize("fit", [None, FITS["play"]], ids=["ideal", "play"])
def test_a_stop_along_a_beam_is_that_of_a_groove(fit):
    stop = gd.Stop(upper=0.1, wall=gd.HuntCrossley(stiffness=1e6, restitution=0.5, exponent=1.5))
    beam, body = (gd.simulate(ramp(flexible, fit=fit, stop=stop), duration=0.4, method="alpha", rtol=1e-8, output=1e-3)
                  for flexible in (True, False))  # fmt: skip
    hits = [[c for c in run.contacts if "stop" in c.contact] for run in (beam, body)]
    assert len(hits[0]) == len(hits[1]) >= 1
    assert hits[0][0].peak_force == pytest.approx(hits[1][0].peak_force, rel=5e-3)
    assert beam["eye.travel"] == pytest.approx(body["eye.travel"], abs=5e-4)
    assert np.ptp(beam["energy.balance"]) < 1e-3 * np.ptp(body["energy.kinetic"])


def bent(fit) -> gd.Mechanism:
    """A fixed eye through which a slender beam bends far and shears."""
    m = gd.Mechanism("overhang, far bent")
    section = Section(EA=1e4, GA=200.0, EI=1.0, mass=1.0, inertia=1e-6)
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=section, elements=4)
    m.revolute("left", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    m.sliding("eye", journal=m.ground, bearing=beam, at=(0.57, 0.0), width=0.02, fit=fit)
    m.force(beam, (0.0, -2.0), at=(1.0, 0.0))
    return m


def test_a_liner_pushes_square_to_the_bent_line_as_an_ideal_joint_does():
    """Far bent and sheared by 2 %, a liner nears the ideal joint as it gets stiffer."""
    ideal = equilibrium(bent(None))
    loose = [equilibrium(bent(gd.Bushing(gd.LinearLiner(stiffness=k, damping=0.0)))) for k in (1e4, 1e5)]
    assert abs(ideal["eye.fx"]) > 0.1
    for channel in ("eye.fx", "eye.fy", "eye.travel", "beam.100.y"):
        errors = [abs(found[channel] / ideal[channel] - 1.0) for found in loose]
        assert errors[1] < 1e-2 and errors[1] == pytest.approx(0.1 * errors[0], rel=0.1), channel


def flying(fit=None) -> gd.Mechanism:
    """A soft beam that turns freely, and a bead that runs along it and bends it."""
    m = gd.Mechanism("beam and bead")
    soft = Section(EA=1e5, GA=1e5, EI=0.05, mass=1.0, inertia=1e-6)
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=soft, elements=4, spin=2.0)
    bead = m.body("bead", mass=0.3, inertia=1e-4, at=(0.15, 0.0), velocity=(1.5, -0.7))
    m.sliding("eye", journal=bead, bearing=beam, at=(0.15, 0.0), width=0.02, fit=fit)
    return m


def test_play_that_vanishes_is_no_play():
    wall = gd.KelvinVoigt(stiffness=1e6, damping=50.0)
    span = {"duration": 0.3, "method": "alpha", "rtol": 1e-6, "output": 1e-2, "channels": ["eye.travel", "beam.100.y"]}
    ideal = gd.simulate(flying(), **span)
    errors = []
    for gap in (1e-3, 1e-4, 1e-5):
        run = gd.simulate(flying(gd.Clearance(gap, wall=wall)), **span)
        errors.append(np.abs(run["beam.100.y"] - ideal["beam.100.y"]).max())
    assert errors[0] < 0.05 and errors[1] < 0.2 * errors[0] and errors[2] < 0.2 * errors[1]


def test_a_bead_with_play_on_a_bending_beam_closes_its_ledger():
    """It knocks on both walls of a beam that bends by a tenth of its length; friction takes what is missing."""
    wall = gd.HuntCrossley(stiffness=1e6, restitution=0.7, exponent=1.5)
    m = flying(gd.Clearance(1e-3, wall=wall, friction=gd.ModifiedCoulomb(0.1, v0=1e-3, v1=1e-2)))
    run = gd.simulate(m, duration=0.3, method="alpha", rtol=1e-7, output=1e-3)
    assert run["eye.travel"].max() > 0.25 and run.contacts
    start = run["energy.kinetic"][0]
    assert np.ptp(run["energy.balance"]) < 1e-4 * start
    assert run["energy.friction"][-1] > 0.01 * start


def test_two_points_with_play_hold_a_slider_as_a_guide_does():
    """A slider that runs on a beam by two points is the slider of that length in a straight guide, without corners."""
    runs = []
    for flexible in (True, False):
        m = gd.Mechanism("two points", gravity=(0.0, -9.81))
        if flexible:
            bar = m.beam("bar", a=(0.0, 0.0), b=(1.0, 0.0), section=STIFF, elements=4, damping=1e-5)
        else:
            bar = m.body("bar", mass=1.0, inertia=1 / 12, at=(0.5, 0.0))
        block = m.body("block", mass=0.4, inertia=1e-3, at=(0.3, 0.0), velocity=(0.8, 0.0))
        m.rigid("root", journal=bar, bearing=m.ground, at=(0.0, 0.0))
        for name, x in (("rear", 0.25), ("front", 0.35)):
            m.sliding(name, journal=block, bearing=bar, at=(x, 0.0), axis=(1.0, 0.0), width=0.02, fit=FITS["play"])
        m.torque(block, 3.0)
        runs.append(gd.simulate(m, duration=0.1, method="alpha", rtol=1e-8, output=1e-3))
    beam, body = runs
    assert {c.contact for c in body.contacts} == {"rear.right", "front.left"}
    assert [c.contact for c in beam.contacts] == [c.contact for c in body.contacts]
    assert np.ptp(body["block.angle"]) > 2e-3
    assert beam["block.angle"] == pytest.approx(body["block.angle"], abs=0.02 * np.ptp(body["block.angle"]))
