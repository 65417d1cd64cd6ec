"""Forces in joints that balance known loads."""

from __future__ import annotations

import math

import pytest
from at_start import at_start

import gudgeon as gd

G = 9.81


def test_a_clamped_block_hands_its_load_to_the_ground():
    """2 kg and a force (30, -5) N one decimetre right of and above the clamp; the block's centre is 0.2 m right of it.

    force = -(load + weight); moment = -(0.2 x (-19.62) + (0.1 x (-5) - 0.1 x 30))
    """
    m = gd.Mechanism("clamp", gravity=(0.0, -G))
    m.body("block", mass=2.0, inertia=0.01, at=(0.2, 0.0))
    m.rigid("clamp", journal="block", bearing=m.ground, at=(0.0, 0.0))
    m.force("block", (30.0, -5.0), at=(0.1, 0.1))
    start = at_start(m)
    assert (start["clamp.fx"], start["clamp.fy"]) == pytest.approx((-30.0, 5.0 + 2.0 * G), rel=1e-12)
    assert start["clamp.moment"] == pytest.approx(0.2 * 2.0 * G + 0.5 + 3.0, rel=1e-12)
    assert (start["block.ax"], start["block.ay"], start["block.alpha"]) == pytest.approx((0, 0, 0), abs=1e-11)


def truss(load: float) -> gd.Mechanism:
    """Two bars under 45 degrees that meet in a pin one metre below their supports."""
    m = gd.Mechanism("truss")
    m.body("left", mass=1.0, inertia=0.1, at=(-0.5, -0.5))
    m.body("right", mass=1.0, inertia=0.1, at=(0.5, -0.5))
    m.revolute("support_left", journal="left", bearing=m.ground, at=(-1.0, 0.0))
    m.revolute("support_right", journal=m.ground, bearing="right", at=(1.0, 0.0))
    m.revolute("knot", journal="left", bearing="right", at=(0.0, -1.0))
    m.force("right", (0.0, -load), at=(0.0, -1.0))
    return m


def test_bars_of_a_truss_pull_along_themselves():
    """Each bar carries load / (2 sin 45): half of the load up and half of it outwards at each support.

    The load hangs on the right bar, so the knot hands one half to the left bar. The right support is described the
    other way round, its journal being the ground, so it reports the force on the ground."""
    start = at_start(truss(100.0))
    assert (start["support_left.fx"], start["support_left.fy"]) == pytest.approx((-50.0, 50.0), rel=1e-12)
    assert (start["support_right.fx"], start["support_right.fy"]) == pytest.approx((-50.0, -50.0), rel=1e-12)
    assert (start["knot.fx"], start["knot.fy"]) == pytest.approx((50.0, -50.0), rel=1e-12)
    assert start["support_left.force"] == pytest.approx(100.0 / (2 * math.sin(math.pi / 4)), rel=1e-12)


@pytest.mark.parametrize("angle", [0.0, 0.5, 2.0])
def test_a_guide_holds_what_its_axis_does_not(angle):
    """A slider on an incline: it slides with g sin and the guide carries m g cos across, with no force along."""
    c, s = math.cos(angle), math.sin(angle)
    m = gd.Mechanism("incline", gravity=(0.0, -G))
    m.body("slider", mass=3.0, inertia=0.01, at=(0.0, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.0, 0.0), axis=(c, s))
    start = at_start(m)
    assert (start["slider.ax"], start["slider.ay"]) == pytest.approx((-G * s * c, -G * s * s), abs=1e-12)
    across = 3.0 * G * c
    assert (start["guide.fx"], start["guide.fy"]) == pytest.approx((-across * s, across * c), abs=1e-12)
    assert start["guide.moment"] == pytest.approx(0.0, abs=1e-12)


def test_a_guide_carries_the_moment_of_a_load_beside_it():
    """100 N along the guide, 0.05 m above the centre, turns the slider by -5 Nm; the guide gives +5 Nm."""
    m = gd.Mechanism("lever arm")
    m.body("slider", mass=2.0, inertia=0.01, at=(0.0, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0))
    m.force("slider", (100.0, 0.0), at=(0.0, 0.05))
    start = at_start(m)
    assert start["slider.ax"] == pytest.approx(50.0)
    assert start["guide.moment"] == pytest.approx(5.0)


def arm(swapped: bool) -> gd.Mechanism:
    m = gd.Mechanism("arm", gravity=(1.0, -G))
    m.body("arm", mass=2.0, inertia=0.03, at=(0.3, 0.1))
    m.body("tip", mass=0.5, inertia=0.01, at=(0.8, 0.1))
    sides = [("arm", m.ground), ("tip", "arm")]
    for name, at, (journal, bearing) in zip(("root", "joint"), ((0.0, 0.0), (0.6, 0.2)), sides, strict=True):
        journal, bearing = (bearing, journal) if swapped else (journal, bearing)
        m.revolute(name, journal=journal, bearing=bearing, at=at)
    m.force("tip", (5.0, -7.0), at=(0.9, 0.0))
    return m


def test_journal_and_bearing_swapped_report_opposite_forces():
    one, other = at_start(arm(False)), at_start(arm(True))
    for name in ("root.fx", "root.fy", "joint.fx", "joint.fy", "root.travel"):
        assert other[name] == pytest.approx(-one[name], rel=1e-12, abs=1e-13), name
    for name in ("root.force", "joint.force", "arm.alpha", "tip.alpha"):
        assert other[name] == pytest.approx(one[name], rel=1e-12), name


def test_a_guide_swapped_reports_opposite_force_moment_and_travel():
    def slide(swapped: bool) -> dict[str, float]:
        m = gd.Mechanism("slide", gravity=(0.0, -G))
        m.body("slider", mass=2.0, inertia=0.01, at=(0.2, 0.0), velocity=(0.5, 0.0))
        sides = (m.ground, "slider") if swapped else ("slider", m.ground)
        m.translational("guide", journal=sides[0], bearing=sides[1], journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0))
        m.force("slider", (100.0, 0.0), at=(0.2, 0.05))
        return at_start(m)

    one, other = slide(False), slide(True)
    for name in ("guide.fy", "guide.moment"):
        assert abs(one[name]) > 1.0
        assert other[name] == pytest.approx(-one[name], rel=1e-12), name
    assert one["slider.ax"] == pytest.approx(other["slider.ax"])


@pytest.mark.parametrize("swapped", [False, True])
def test_contact_and_bushing_forces_are_those_of_the_ideal_joint_at_rest(swapped):
    """A weight hangs in a bushing: it sags by m g / K, and the joint force is the weight however it is enforced."""
    m = gd.Mechanism("hanging", gravity=(0.0, -G), start="given")
    m.body("weight", mass=4.0, inertia=0.01, at=(0.0, -4.0 * G / 1e5))
    sides = (m.ground, "weight") if swapped else ("weight", m.ground)
    points = {"journal_point": (0.0, 0.0), "bearing_point": (0.0, 0.0)}
    m.revolute("eye", journal=sides[0], bearing=sides[1], **points, fit=gd.Bushing(gd.LinearLiner(1e5, 10.0)))
    start = at_start(m)
    sign = -1.0 if swapped else 1.0
    assert start["eye.fy"] == pytest.approx(sign * 4.0 * G, rel=1e-12)
    assert start["weight.ay"] == pytest.approx(0.0, abs=1e-12)
    assert start["eye.offset"] == pytest.approx(4.0 * G / 1e5, rel=1e-12)
