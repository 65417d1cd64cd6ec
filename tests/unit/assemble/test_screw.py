"""A screw: a journal that moves along its axis as it turns, turns counted."""

import math

import numpy as np
import pytest

import gudgeon as gd

PITCH = 5e-3
LEAD = PITCH / (2 * math.pi)
INERTIA = (2e-3, 3e-3, 2.5e-3)


def nut(pitch=PITCH, fit=None, gravity=(0, 0, -9.81), **body):
    m = gd.Mechanism("nut", planar=False, gravity=gravity)
    m.body("nut", mass=1.0, inertia=INERTIA, at=body.pop("at", (0, 0, 0)), **body)
    m.screw("lead", journal="nut", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), pitch=pitch, radius=0.01,
            length=0.05, **({} if fit is None else {"fit": fit}))  # fmt: skip
    return m


@pytest.mark.parametrize("pitch", [PITCH, -PITCH])
def test_a_nut_falls_by_turning(pitch):
    """a = -m g lead / (J + m lead²), over six turns; a left-handed one turns the other way."""
    run = gd.simulate(nut(pitch), duration=5, output=0.01)
    lead = pitch / (2 * math.pi)
    angle = -9.81 * lead / (INERTIA[2] + lead**2) * 0.5 * run.t**2
    assert abs(run["lead.travel"][-1]) > 6 * 2 * math.pi
    assert run["lead.travel"] == pytest.approx(angle, rel=1e-8, abs=1e-8)
    assert run["lead.axial"] == pytest.approx(lead * angle, rel=1e-8, abs=1e-11)
    assert run["nut.z"] == pytest.approx(run["lead.axial"], abs=1e-13)
    assert run.evidence.dof == 1 and run.evidence.balance < 1e-9


def test_without_pitch_it_is_a_revolute_joint():
    screw = nut(0.0, at=(0.03, 0, 0.02), gravity=(0, -9.81, 0))
    hinge = gd.Mechanism("hinge", planar=False, gravity=(0, -9.81, 0))
    hinge.body("nut", mass=1.0, inertia=INERTIA, at=(0.03, 0, 0.02))
    hinge.revolute("lead", journal="nut", bearing=hinge.ground, at=(0, 0, 0), axis=(0, 0, 1))
    one, other = (gd.simulate(m, duration=2, output=0.05, rtol=1e-10) for m in (screw, hinge))
    for name in ("nut.x", "nut.y", "nut.z", "lead.travel", "lead.fx", "lead.fz", "lead.mx", "lead.my"):
        assert one[name] == pytest.approx(other[name], abs=1e-7)
    assert np.ptp(one["lead.travel"]) > 1.0


def test_two_free_bodies_on_a_screw_keep_momentum_and_energy():
    m = gd.Mechanism("pair", planar=False)
    m.body("bolt", mass=0.5, inertia=(1e-4, 1e-4, 5e-5), at=(0, 0, 0), spin=(0, 0, 40))
    m.body("nut", mass=0.3, inertia=(4e-5, 4e-5, 6e-5), at=(0, 0, 0.02))
    m.screw("thread", journal="bolt", bearing="nut", at=(0, 0, 0.02), axis=(0, 0, 1), pitch="20 mm")
    run = gd.simulate(m, duration=1, output=0.01, rtol=1e-10)
    turns = run["thread.travel"] / (2 * math.pi)
    assert turns[-1] > 2.0
    apart = (run["bolt.z"] - run["nut.z"]) - (run["bolt.z"][0] - run["nut.z"][0])
    assert apart == pytest.approx(0.02 * turns, abs=1e-11)
    # the start is the nearest motion that the thread allows; from there on both momenta stay
    assert np.ptp(0.5 * run["bolt.vz"] + 0.3 * run["nut.vz"]) < 1e-13
    assert np.ptp(5e-5 * run["bolt.wz"] + 6e-5 * run["nut.wz"]) < 1e-14
    assert np.ptp(run["energy.kinetic"]) < 1e-12


def test_a_driven_screw_lifts_by_its_torque():
    m = nut()
    m.drive("lead", speed="10 rad/s")
    run = gd.simulate(m, duration=3, output=0.1)
    assert run["nut.z"][-1] == pytest.approx(LEAD * 30.0, rel=1e-9)
    assert run["lead.torque"] == pytest.approx(np.full(len(run.t), 9.81 * LEAD), rel=1e-9)
    assert run["energy.drive"][-1] == pytest.approx(9.81 * run["nut.z"][-1], rel=1e-9)


def test_a_loose_thread_falls_through_its_play():
    play = 1e-4
    wall = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.5)
    run = gd.simulate(nut(fit={"thread": gd.Clearance(play, wall=wall)}), duration=0.02, output=1e-4)
    first = run.contacts[0]
    assert first.contact == "lead.rear"
    assert first.t_on == pytest.approx(math.sqrt(2 * play / 9.81), rel=1e-7)
    assert run["lead.travel"][-1] < 0.0  # and then turns
    assert run.evidence.balance < 1e-9


def test_an_elastic_thread_gives_way():
    liner = gd.LinearLiner(stiffness=1e6, damping=2e3)
    m = nut(fit={"thread": gd.Bushing(liner)})
    m.drive("lead", speed="1 rad/s")
    run = gd.simulate(m, duration=0.2, output=1e-3)
    assert run["nut.z"][-1] - LEAD * run["lead.travel"][-1] == pytest.approx(-9.81 / 1e6, rel=1e-4)


def test_stops_count_its_turns():
    wall = gd.LankaraniNikravesh(stiffness=50.0, exponent=1.5, restitution=0.8)
    m = nut()
    m.stop("lead", lower="-720 deg", upper="90 deg", wall=wall)
    run = gd.simulate(m, duration=4, output=0.01)
    assert run.contacts[0].contact == "lead.stop.lower"
    fall = 9.81 * LEAD / (INERTIA[2] + LEAD**2)
    assert run.contacts[0].t_on == pytest.approx(math.sqrt(2 * 4 * math.pi / fall), rel=1e-8)
    assert run["lead.travel"].min() > -4 * math.pi - 0.3


def test_what_a_screw_needs():
    with pytest.raises(gd.GudgeonError, match=r'pitch is missing; a screw joint needs it'):
        m = gd.Mechanism("m", planar=False)
        m.body("a", mass=1, inertia=(1, 1, 1), at=(0, 0, 0))
        m.joint("screw", "s", journal="a", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1))
    with pytest.raises(gd.GudgeonError, match=r"pitch 0.002: a revolute joint has none; it takes"):
        m.revolute("s", journal="a", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), pitch="2 mm")
    with pytest.raises(gd.GudgeonError, match="friction: the flanks of a thread do not rub"):
        wall = gd.Hertz(stiffness=1e8)
        nut(fit={"thread": gd.Clearance("0.1 mm", wall=wall, friction=gd.ModifiedCoulomb(0.1))})
