"""Mechanisms in space against their twins: the same in the plane, the same turned, the same with hardly any play."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.papers import ambrosio2018, flores2007
from gudgeon.space.spatial import Rotation, Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about, parameters_of
from gudgeon.space.spatial.geometry.triad import direction

Z = (0.0, 0.0, 1.0)


def in_space(flat: gd.Mechanism, loose: str | None) -> gd.Mechanism:
    """A planar mechanism with pins and slots, in the plane z = 0 of space; `loose` names the pin with play."""
    m = gd.Mechanism(flat.name, planar=False, gravity=(*flat.gravity, 0.0))
    for b in flat.bodies.values():
        m.body(b.name, mass=b.mass, inertia=(b.inertia, b.inertia, b.inertia), at=(*b.at, 0.0),
               orientation=(0.0, 0.0, b.angle), velocity=(*b.velocity, 0.0), spin=(0.0, 0.0, b.spin))  # fmt: skip
    for j in flat.joints.values():
        points = {"journal_point": (*j.journal_point, 0.0), "bearing_point": (*j.bearing_point, 0.0)}
        sides = {"journal": j.journal, "bearing": j.bearing}
        if j.kind.name == "translational":
            m.translational(j.name, **sides, **points, axis=(*j.axis, 0.0))
        elif j.name == loose:
            m.revolute(j.name, **sides, **points, axis=Z, radius=j.radius, strips=1,
                       fit={"sleeve": j.fit["pin"], "shoulder": gd.Ideal()})  # fmt: skip
        else:
            m.revolute(j.name, **sides, **points, axis=Z)
    for name, drive in flat.drives.items():
        m.drive(name, speed=drive.speed)
    return m


def turned(m: gd.Mechanism, turn: Rotation) -> gd.Mechanism:
    """The same mechanism, described in other axes of the world."""

    def world(v) -> tuple[float, ...]:
        return tuple(turn @ Vector(*v))

    other = gd.Mechanism(m.name, planar=False, gravity=world(m.gravity))
    for b in m.bodies.values():
        other.body(b.name, mass=b.mass, inertia=b.inertia, at=world(b.at), velocity=world(b.velocity),
                   orientation=parameters_of(turn.after(b.rotation)), spin=world(b.spin))  # fmt: skip
    for j in m.joints.values():
        points = {
            f"{side}_point": world(p) if getattr(j, side) == "ground" else p
            for side, p in (("journal", j.journal_point), ("bearing", j.bearing_point))
        }
        h, t, _ = j.triads[0]
        # the arm too: what counts as the turn of a tilted journal depends on it
        axes = {} if j.axis is None else {"axis": world(j.axis), "arm": world(h)}
        if j.kind.name == "universal":
            axes = {"journal_axis": world(h), "bearing_axis": world(t)}
        other.joint(j.kind.name, j.name, journal=j.journal, bearing=j.bearing, radius=j.radius, length=j.length,
                    fit=j.fit, stop=j.stop, strips=j.strips, **points, **axes)  # fmt: skip
    return other


@pytest.mark.parametrize("friction", [None, 0.05], ids=["dry", "friction"])
def test_a_planar_slider_crank_in_space_moves_the_same(friction):
    """Until the third contact, some 40 degrees; the motion itself is chaotic."""
    flat = flores2007.slider_crank("0.5 mm", friction=friction, gravity=True)
    options = {"revolutions": 0.1, "output": 2e-5, "rtol": 1e-12, "method": "dop853"}
    plane, space = gd.simulate(flat, **options), gd.simulate(in_space(flat, "pin"), **options)
    assert len(plane.contacts) == len(space.contacts) > 0
    for name, scale in (("slider.x", 1.0), ("rod.y", 1.0), ("pin.offset", 1.0), ("main.travel", 1.0),
                        ("main.torque", 1e5), ("pin.force", 1e6), ("energy.friction", 1.0)):  # fmt: skip
        assert space[name] == pytest.approx(plane[name], abs=1e-9 * scale), name
    for name in ("rod.z", "slider.z", "rod.e1", "rod.e2"):
        assert np.abs(space[name]).max() < 1e-12


def test_a_planar_four_bar_of_revolute_joints_of_space_has_three_rows_too_many():
    flat = flores2007.four_bar(None, gravity=True)
    plane, space = (gd.simulate(m, revolutions=1, output=1e-3, rtol=1e-11) for m in (flat, in_space(flat, None)))
    assert len(space.evidence.redundant) == 3 and space.evidence.dof == plane.evidence.dof == 0
    for name in ("follower.angle",):
        assert np.abs(np.unwrap(2.0 * np.arctan2(space["follower.e3"], space["follower.e0"])) - plane[name]) == (
            pytest.approx(np.zeros(len(plane.t)), abs=1e-9)
        )
    assert space["main.torque"] == pytest.approx(plane["main.torque"], abs=1e-6)


@pytest.mark.parametrize(
    "case",
    [{"model": "G"}, {"ball": "1 mm"}, {"bearing": "1 mm"}],
    ids=["ideal", "ball", "sleeve"],
)
def test_turning_the_world_changes_nothing(case):
    m = ambrosio2018.slider_crank(**case)
    turn = rotation_matrix(about(direction((1, -2, 0.5)), 1.1))
    span = 0.05
    options = {"duration": span, "output": span / 20, "rtol": 1e-12, "method": "dop853"}
    here, there = gd.simulate(m, **options), gd.simulate(turned(m, turn), **options)
    names = ["main.travel", "guide.travel", "ball.offset", "energy.kinetic"]
    for name in names:
        assert there[name] == pytest.approx(here[name], abs=1e-10), name
    # the wall turns 1e-11 m into 1e-6 N
    assert there["ball.force"] == pytest.approx(here["ball.force"], abs=1e-6)
    assert len(there.contacts) == len(here.contacts)


def test_little_play_and_hard_walls_approach_the_ideal_joint():
    options = {"duration": 0.1, "output": 0.01}
    ideal = gd.simulate(ambrosio2018.slider_crank(), **options)
    errors = []
    for gap, stiffness in ((1e-5, 5e7), (1e-6, 5e9)):
        fit = gd.Clearance(gap, wall=ambrosio2018.wall(stiffness))
        real = gd.simulate(ambrosio2018.slider_crank().refit(ball=fit), **options)
        errors.append(float(np.abs(real["slider.x"] - ideal["slider.x"]).max()))
    assert errors[1] < 0.2 * errors[0] < 2e-5
    assert math.isfinite(errors[0])
