"""Two descriptions of one thing give one motion."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import schwab2002

HARD = gd.Hertz(stiffness=2e9)
LN = gd.LankaraniNikravesh(stiffness=1e9, restitution=0.8)


def same(a: gd.Run, b: gd.Run, names, tolerance: float) -> None:
    for name in names:
        one, other = (name, name) if isinstance(name, str) else name
        scale = np.abs(a[one]).max()
        assert scale > 0.0, one
        assert len(a[one]) == len(b[other])
        assert np.abs(a[one] - b[other]).max() <= tolerance * scale, name


def test_prismatic_is_translational():
    def slide(kind: str) -> gd.Run:
        m = gd.Mechanism("slide", gravity=(3.0, -9.81))
        m.body("block", mass=2.0, inertia=0.01, at=(0.0, 0.0))
        place = {"journal": "block", "bearing": m.ground, "at": (0.0, 0.0), "axis": (2.0, 1.0)}
        if kind == "method":
            m.prismatic("guide", **place)
        else:
            m.joint(kind, "guide", **place)
        return gd.simulate(m, duration=0.1)

    one = slide("translational")
    for kind in ("prismatic", "method"):
        same(one, slide(kind), ["block.x", "block.vy", "guide.force", "guide.travel"], 0.0)


def test_a_stop_on_a_revolute_joint_is_a_loose_key():
    """A flap between stops at +-0.1 rad, and a flap held by a key with 0.1 rad of play."""

    def flap(loose_key: bool) -> gd.Run:
        m = gd.Mechanism("flap", gravity=(0.0, -9.81))
        m.body("flap", mass=0.5, inertia=2e-3, at=(0.2, 0.0))
        wall = gd.LankaraniNikravesh(stiffness=1e5, restitution=0.7)
        if loose_key:
            play = gd.Clearance(angular_clearance=0.1, wall=wall)
            m.rigid("hinge", journal="flap", bearing=m.ground, at=(0.0, 0.0), fit={"pin": gd.Ideal(), "key": play})
        else:
            m.revolute("hinge", journal="flap", bearing=m.ground, at=(0.0, 0.0))
            m.stop("hinge", lower=-0.1, upper=0.1, wall=wall)
        return gd.simulate(m, duration=0.3, output=1e-3)

    stop, key = flap(False), flap(True)
    assert len(stop.contacts) == len(key.contacts) >= 3
    for a, b in zip(stop.contacts, key.contacts, strict=True):
        assert b.t_on == pytest.approx(a.t_on, rel=1e-10)
        assert b.peak_force == pytest.approx(a.peak_force, rel=1e-8)
    same(stop, key, ["flap.angle", "flap.spin", "hinge.fy"], 1e-8)


def test_stops_on_a_guide_are_a_pin_with_play_on_a_line():
    """A block slides between walls 0.5 mm to each side; or its pin plays in a bore while a guide keeps it on a line."""

    def rattle(bore: bool) -> gd.Run:
        m = gd.Mechanism("rattle", start="given")
        m.body("block", mass=0.145, inertia=1e-3, at=(0.0, 0.0), velocity=(2.0, 0.0))
        m.translational("line", journal="block", bearing=m.ground, at=(0.0, 0.0), axis=(1.0, 0.0))
        if bore:
            fit = gd.Clearance("0.5 mm", wall=LN)
            m.revolute("pin", journal="block", bearing=m.ground, at=(0.0, 0.0), radius="10 mm", fit=fit)
        else:
            m.stop("line", lower="-0.5 mm", upper="0.5 mm", wall=LN)
        return gd.simulate(m, duration=4e-3, output=1e-5, rtol=1e-11)

    stops, bore = rattle(False), rattle(True)
    assert len(stops.contacts) == len(bore.contacts) >= 3
    for a, b in zip(stops.contacts, bore.contacts, strict=True):
        assert (b.t_on, b.speed_on, b.peak_force) == pytest.approx((a.t_on, a.speed_on, a.peak_force), rel=1e-8)
    same(stops, bore, ["block.x", "block.vx", "block.ax"], 1e-7)


def test_layers_in_sum_are_two_laws_side_by_side():
    """A liner of 0.1 mm behind a gap of 0.4 mm with a wall behind it; or two loose joints at one place, one with the
    liner's law as its wall and the other wider by the thickness."""
    gap, thickness, stiffness, damping = 4e-4, 1e-4, 3e7, 500.0
    layered = schwab2002.ideal().refit(
        pin=gd.Clearance(gap, wall=HARD, liner=gd.LinearLiner(stiffness, damping), liner_thickness=thickness)
    )
    lining = gd.KelvinVoigt(stiffness, damping, clip=False)
    two = schwab2002.ideal().refit(pin=gd.Clearance(gap, wall=lining))
    at = (schwab2002.CRANK + schwab2002.ROD, 0.0)
    two.revolute("wall", journal="rod", bearing="slider", at=at, fit=gd.Clearance(gap + thickness, wall=HARD))
    one, other = (gd.simulate(m, duration=1e-3, output=1e-5, rtol=1e-11) for m in (layered, two))
    # rod and slider have met the liner and, behind it, the wall
    assert {r.contact for r in one.contacts} == {"pin", "pin.liner"}
    assert len(one.contacts) == len(other.contacts)
    same(one, other, ["slider.x", "slider.vx", "main.torque"], 1e-8)
    same(one, other, [("pin.liner.normal", "pin.normal"), ("pin.normal", "wall.normal")], 1e-7)


@pytest.mark.parametrize("cut", [1e-4, 2.5e-4, 6e-4], ids=["free flight", "in contact", "later"])
def test_a_resumed_run_is_the_uninterrupted_one(cut):
    """To the tolerance, not to the bit: the first step after the cut is a new first step."""
    m, end = schwab2002.hertz(), 1e-3
    whole = gd.simulate(m, duration=end, rtol=1e-11)
    first = gd.simulate(m, duration=cut, rtol=1e-11)
    second = gd.simulate(m, duration=end - cut, rtol=1e-11, resume=first)
    assert second.t[0] == first.end.t == cut
    assert second.end.t == pytest.approx(end, rel=1e-14)
    scale = np.maximum(np.abs(whole.end.y), 1e-3)
    assert np.abs((second.end.y - whole.end.y) / scale).max() < 1e-7
    # finished contacts of the first part, then those of the second, are those of the whole
    records = [r for r in first.contacts if r.ended] + list(second.contacts)
    assert len(records) == len(whole.contacts)
    for a, b in zip(records, whole.contacts, strict=True):
        assert (a.t_on, a.speed_on, a.peak_force) == pytest.approx((b.t_on, b.speed_on, b.peak_force), rel=1e-7)
        assert a.energy_lost == pytest.approx(b.energy_lost, rel=1e-6)
        assert a.kind == b.kind
    # and the modes know of a contact that began before the cut
    inside = first.contacts and not first.contacts[-1].ended
    assert bool(inside) == (cut == 2.5e-4)
    assert (second["pin.mode"][1] > 0) == bool(inside)
