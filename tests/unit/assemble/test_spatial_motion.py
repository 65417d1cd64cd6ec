"""Motions of space with answers known otherwise: tops, momentum, turns, loads, redundant rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.space.spatial import Vector, rotation_matrix

LN = gd.LankaraniNikravesh(stiffness=1e7, restitution=0.8)


def rotations(run: gd.Run, body: str) -> np.ndarray:
    p = np.array([run[f"{body}.e{k}"] for k in range(4)]).T
    return np.array([[tuple(row) for row in (r.x, r.y, r.z)] for r in (rotation_matrix(q) for q in p.tolist())])


def momentum(run: gd.Run, bodies: dict[str, tuple[float, tuple[float, ...]]]) -> tuple[np.ndarray, np.ndarray]:
    """Linear and angular momentum about the origin at every row."""
    linear, angular = 0.0, 0.0
    for name, (mass, inertia) in bodies.items():
        r, v, w = (np.array([run[f"{name}.{x}"] for x in axes]).T
                   for axes in (("x", "y", "z"), ("vx", "vy", "vz"), ("wx", "wy", "wz")))  # fmt: skip
        own = np.einsum("tij,tj->ti", rotations(run, name), w * np.array(inertia))
        linear, angular = linear + mass * v, angular + mass * np.cross(r, v) + own
    return linear, angular


def test_a_free_top_keeps_its_momentum_and_its_length():
    """No joint, no row: the Euler parameters are kept at length 1 all the same."""
    m = gd.Mechanism("top", planar=False)
    inertia = (1.0, 2.0, 2.5)
    m.body("top", mass=1, inertia=inertia, at=(0, 0, 0), spin=(0.1, 3.0, 0.2), orientation=(0.3, -0.2, 0.5))
    run = gd.simulate(m, duration=50, output=0.5)
    assert sum(run[f"top.e{k}"] ** 2 for k in range(4)) == pytest.approx(1.0, abs=1e-8)
    _, angular = momentum(run, {"top": (1.0, inertia)})
    assert angular == pytest.approx(np.tile(angular[0], (len(run.t), 1)), abs=1e-7)
    assert run["energy.kinetic"] == pytest.approx(run["energy.kinetic"][0], abs=1e-7)
    # about the middle axis no motion lasts
    assert run["top.wy"].min() < -2.0


def test_a_tensor_off_its_axes_moves_like_its_principal_axes():
    inertia = (0.02, 0.03, 0.035)
    turn = rotation_matrix((0.9, 0.3, -0.1, math.sqrt(1 - 0.91)))
    a = np.array([tuple(row) for row in (turn.x, turn.y, turn.z)])
    tensor = a @ np.diag(inertia) @ a.T
    six = (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2])
    points = []
    for given, attitude, arm in (
        (inertia, (0.9, 0.3, -0.1, math.sqrt(1 - 0.91)), tuple(turn.back(Vector(0.1, 0.0, 0.2)))),
        (six, (1.0, 0.0, 0.0, 0.0), (0.1, 0.0, 0.2)),
    ):
        m = gd.Mechanism("pendulum", planar=False, gravity=(0, 0, -9.81))
        m.body("bob", mass=2, inertia=given, at=(0, 0, 0), orientation=attitude)
        m.spherical("hang", journal="bob", bearing=m.ground, journal_point=arm, bearing_point=(0.1, 0.0, 0.2))
        run = gd.simulate(m, duration=1, output=0.1)
        points.append(np.array([run["bob.x"], run["bob.y"], run["bob.z"]]))
    assert points[1] == pytest.approx(points[0], abs=1e-8)


@pytest.mark.parametrize("kind", ["ball", "sleeve", "bushing", "spring"])
def test_free_pairs_keep_their_momentum(kind):
    """Through contact, friction, liners and springs: nothing outside pushes."""
    m = gd.Mechanism("pair", planar=False, start="given")
    bodies = {"a": (1.0, (1e-3, 2e-3, 2.5e-3)), "b": (2.0, (3e-3, 2e-3, 4e-3))}
    m.body("a", mass=1, inertia=bodies["a"][1], at=(0.05, 0, 0), velocity=(0.2, 0.1, -0.1), spin=(1, 2, 3))
    m.body("b", mass=2, inertia=bodies["b"][1], at=(-0.05, 0.01, 0), velocity=(-0.1, 0.3, 0.1), spin=(0, -2, 1))
    fit = gd.Clearance("0.2 mm", wall=LN, friction=gd.ModifiedCoulomb(0.2))
    liner = gd.LinearLiner(stiffness=1e5, damping=20.0)
    if kind == "ball":
        m.spherical("joint", journal="a", bearing="b", at=(0, 0, 0), radius=0.01, fit=fit)
    elif kind == "sleeve":
        m.revolute("joint", journal="a", bearing="b", at=(0, 0, 0), axis=(1, 1, 0), radius=0.01, length=0.03, strips=4,
                   fit=fit)  # fmt: skip
    elif kind == "bushing":
        tilt = gd.LinearLiner(stiffness=30.0, damping=0.02)
        m.revolute("joint", journal="a", bearing="b", at=(0, 0, 0), axis=(1, 1, 0),
                   fit={"sleeve": gd.Bushing(liner, conical=tilt), "shoulder": gd.Bushing(liner)})  # fmt: skip
    else:
        m.spherical("joint", journal="a", bearing="b", at=(0, 0, 0))
        m.spring("pull", "a", "b", stiffness=500, damping=1, at_i=(0.1, 0, 0), at_j=(-0.1, 0.05, 0))
        m.torque("a", (0.01, 0.02, lambda t: 0.1 * gd.sin(20 * t)), reaction="b")
    run = gd.simulate(m, duration=0.05, rtol=1e-11)
    linear, angular = momentum(run, bodies)
    assert kind in ("bushing", "spring") or len(run.contacts) > 3
    assert linear == pytest.approx(np.tile(linear[0], (len(run.t), 1)), abs=1e-12)
    assert angular == pytest.approx(np.tile(angular[0], (len(run.t), 1)), abs=1e-11)
    assert run.evidence.balance < 1e-8 * max(1.0, abs(run["energy.kinetic"][0]))
    if kind in ("ball", "sleeve"):
        assert run["energy.friction"][-1] > 1e-6


def test_turns_are_counted_and_stopped_beyond_half_a_turn():
    m = gd.Mechanism("wheel", planar=False)
    m.body("wheel", mass=1, inertia=(0.02, 0.01, 0.01), at=(0, 0, 0), spin=(10, 0, 0))
    m.revolute("axle", journal="wheel", bearing=m.ground, at=(0, 0, 0), axis=(1, 0, 0))
    m.stop("axle", lower="-20 deg", upper="800 deg", wall=gd.LankaraniNikravesh(stiffness=1e4, restitution=0.9))
    run = gd.simulate(m, duration=4)
    first, second = run.contacts[0], run.contacts[1]
    assert first.contact == "axle.stop.upper" and first.t_on == pytest.approx(math.radians(800) / 10, abs=1e-9)
    assert second.contact == "axle.stop.lower"
    way = second.t_on - first.t_off
    assert way == pytest.approx(math.radians(820) / -first.speed_off, rel=1e-3)
    assert run["axle.travel"].max() > math.radians(800)


STOP_FITS = {
    "perfect": None,
    "loose": {"sleeve": gd.Clearance("0.1 mm", wall=gd.Hertz(stiffness=1e9)),
              "shoulder": gd.Clearance("0.1 mm", wall=gd.Hertz(stiffness=1e9))},
    "without play": {"sleeve": gd.Clearance(0, wall=gd.Hertz(stiffness=1e9))},
    "bushing": {"sleeve": gd.Bushing(gd.LinearLiner(1e6, 10.0), conical=gd.LinearLiner(100.0, 0.1))},
}  # fmt: skip


@pytest.mark.parametrize("fit", STOP_FITS)
@pytest.mark.parametrize("soft", [False, True], ids=["hard", "soft"])
def test_stops_beyond_a_turn_to_either_side(fit, soft):
    """500 degrees one way and 30 the other, on perfect and imperfect joints, as a wall or as a soft spring."""
    restitution, inertia, speed = 0.7, 0.02, 10.0
    wall = gd.KelvinVoigt(4.0, 0.0) if soft else gd.ExactRestitution(stiffness=1e5, restitution=restitution)
    m = gd.Mechanism("flywheel", planar=False)
    m.body("wheel", mass=1, inertia=(0.011, 0.011, inertia), at=(0, 0, 0), spin=(0, 0, speed))
    m.revolute("axle", journal="wheel", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1), radius=0.01, length=0.04,
               **({} if STOP_FITS[fit] is None else {"fit": STOP_FITS[fit]}))  # fmt: skip
    m.stop("axle", lower="-30 deg", upper="500 deg", wall=wall)
    run = gd.simulate(m, duration=2.6, output=1e-3, rtol=1e-9)
    hits = [c for c in run.contacts if ".stop." in c.contact]
    first, second = hits[:2]
    assert (first.contact, second.contact) == ("axle.stop.upper", "axle.stop.lower")
    assert first.t_on == pytest.approx(math.radians(500) / speed, rel=1e-8)
    assert first.speed_on == pytest.approx(speed, rel=1e-8)
    back = speed if soft else restitution * speed
    assert second.speed_on == pytest.approx(back, rel=1e-3)
    assert second.t_on - first.t_off == pytest.approx(math.radians(530) / back, rel=1e-3)
    # a spring of 4 N m/rad is pressed in by sqrt(J / k) w, a wall hardly
    deep = speed * math.sqrt(inertia / 4.0)
    assert first.max_depth == pytest.approx(deep, rel=1e-5) if soft else first.max_depth < 0.02
    assert run["axle.travel"].max() > math.radians(500) > 2 * math.pi
    assert run.evidence.balance < 1e-6


def test_drives_turn_and_slide():
    m = gd.Mechanism("screw", planar=False)
    m.body("nut", mass=1, inertia=(0.01, 0.01, 0.01), at=(0, 0, 0))
    m.cylindrical("axle", journal="nut", bearing=m.ground, at=(0, 0, 0), axis=(0, 1, 0))
    m.drive("axle", speed="2 rad/s")
    m.force("nut", (0, "3 N", 0))
    run = gd.simulate(m, duration=10, output=0.1)
    assert run["axle.turn"] == pytest.approx(2.0 * run.t, abs=1e-8)
    assert run["axle.travel"] == pytest.approx(1.5 * run.t**2, abs=1e-6)
    assert gd.simulate(m, revolutions=1).t[-1] == pytest.approx(math.pi)
    m = gd.Mechanism("lift", planar=False, gravity=(0, 0, -9.81))
    m.body("cage", mass=2, inertia=(0.01, 0.01, 0.01), at=(0, 0, 0))
    m.translational("rail", journal="cage", bearing=m.ground, at=(0, 0, 0), axis=(0, 0, 1))
    m.drive("rail", motion=lambda t: 0.1 * t * t)
    run = gd.simulate(m, duration=1, output=0.1)
    assert run["cage.z"] == pytest.approx(0.1 * run.t**2, abs=1e-9)
    assert run["rail.drive_force"] == pytest.approx(2 * (9.81 + 0.2), abs=1e-9)


def test_impacts_as_instants_in_a_socket():
    """A ball in a wide socket, released off its centre: restitution and energy of every impact."""
    m = gd.Mechanism("ball", planar=False, gravity=(0, 0, -9.81), start="given")
    m.body("ball", mass=0.1, inertia=(1e-6, 1e-6, 1e-6), at=(0.002, 0.001, 0))
    wall = gd.LankaraniNikravesh(stiffness=1e8, restitution=0.5)
    m.spherical("socket", journal="ball", bearing=m.ground, journal_point=(0, 0, 0), bearing_point=(0, 0, 0),
                radius=0.02, fit=gd.Clearance("5 mm", wall=wall))  # fmt: skip
    run = gd.simulate(m, duration=0.06, method="impact")
    first = run.impacts[0]
    drop = math.sqrt(0.005**2 - 0.002**2 - 0.001**2)
    speed = math.sqrt(2 * 9.81 * drop)
    assert first.t == pytest.approx(math.sqrt(2 * drop / 9.81), abs=1e-10)
    # only the part along the normal is returned
    assert first.speed == pytest.approx(speed * drop / 0.005, rel=1e-9)
    assert first.rebound == pytest.approx(0.5 * first.speed, rel=1e-9)
    assert first.mass == pytest.approx(0.1)
    assert len(run.impacts) > 2 and run["socket.offset"].max() < 0.005 + 1e-9
    assert run.evidence.balance < 1e-9


def test_all_strips_of_a_sleeve_strike_at_once():
    """A shaft falls straight through its play: the impulses of its strips together are those of one blow."""
    m = gd.Mechanism("m", planar=False, gravity=(0, 0, -9.81), start="given")
    m.body("a", mass=2, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0))
    fit = {"sleeve": gd.Clearance("0.1 mm", wall=LN)}
    m.cylindrical("j", journal="a", bearing=m.ground, at=(0, 0, 0), axis=(1, 0, 0), radius=0.01, length=0.05, strips=4,
                  fit=fit)  # fmt: skip
    run = gd.simulate(m, duration=0.01, method="impact")
    speed, first = math.sqrt(2 * 9.81 * 1e-4), run.impacts[0]
    assert first.t == pytest.approx(speed / 9.81, rel=1e-9)
    assert first.speed == pytest.approx(speed, rel=1e-9) and first.rebound == pytest.approx(0.8 * speed, rel=1e-9)
    blows = [hit.impulse for hit in run.impacts if abs(hit.t - first.t) < 1e-9]
    assert sum(blows) == pytest.approx(2 * 1.8 * speed, rel=1e-9)
    assert run["j.tilt"].max() < 1e-9 and run.evidence.balance < 1e-9


def test_a_torsion_spring_swings_a_wheel():
    m = gd.Mechanism("wheel", planar=False)
    m.body("wheel", mass=1, inertia=(0.02, 0.01, 0.01), at=(0, 0, 0), spin=(1, 0, 0))
    m.revolute("axle", journal="wheel", bearing=m.ground, at=(0, 0, 0), axis=(1, 0, 0))
    m.torsion_spring("hair", "axle", stiffness=2.0)
    run = gd.simulate(m, duration=1, output=0.05)
    assert run["axle.travel"] == pytest.approx(0.1 * np.sin(10 * run.t), abs=1e-8)
