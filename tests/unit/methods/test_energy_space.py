"""Energy and decay in space: what they keep of bodies that tumble, loops and contacts, their order, and the plane."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.laws import PinkusSternlicht
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.papers import ambrosio2018, flores2006
from gudgeon.space.spatial import Vector, rotation_matrix

MOMENTS = (0.1, 0.2, 0.3)


def tumbling() -> gd.Mechanism:
    """A free body that spins about its middle axis, almost: it turns over again and again (Dzhanibekov)."""
    m = gd.Mechanism("tumbling body", planar=False)
    m.body("top", mass=1.0, inertia=MOMENTS, at=(0.0, 0.0, 0.0), spin=(0.01, 5.0, 0.02))
    return m


def momentum(run: gd.Run) -> np.ndarray:
    """Angular momentum in the world, by rows of the run."""
    spin = Vector(*(moment * run[f"top.w{axis}"] for moment, axis in zip(MOMENTS, "xyz", strict=True)))
    return np.array(tuple(rotation_matrix([run[f"top.e{k}"] for k in range(4)]) @ spin)).T


def double() -> gd.Mechanism:
    """A body on a tilted hinge and a second one in a ball on it, with a spring between them."""
    m = gd.Mechanism("double pendulum", planar=False, gravity=(0.0, 0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=(0.02, 0.025, 0.01), at=(0.3, 0.0, 0.0))
    second = m.body("second", mass=0.5, inertia=(0.003, 0.002, 0.005), at=(0.5, 0.1, 0.0))
    m.revolute("hinge", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.1, 1.0, 0.2))
    m.spherical("ball", journal=second, bearing=bob, at=(0.4, 0.0, 0.0))
    m.spring("spring", bob, second, at_i=(0.2, 0.1, 0.0), at_j=(0.5, 0.2, 0.1), stiffness=200.0, preload=1.0)
    return m


def swing(run: gd.Run) -> float:
    return float(np.ptp(run["energy.kinetic"]))


def test_a_tumbling_body_keeps_energy_and_momentum_over_ten_thousand_steps():
    run = gd.simulate(tumbling(), duration=100.0, method=Energy(rtol=1e-2, step=0.01))
    kinetic, turning = run["energy.kinetic"], momentum(run)
    assert run.evidence.steps > 10_000
    assert np.ptp(run["top.wy"]) > 9.9  # it turns over
    assert np.abs(np.diff(kinetic)).max() < 1e-13 * kinetic[0]
    assert np.abs(kinetic - kinetic[0]).max() < 1e-11 * kinetic[0]
    assert np.abs(turning - turning[0]).max() < 1e-11 * np.linalg.norm(turning[0])


def test_decay_never_adds_energy_to_a_tumbling_body():
    """Steps of a tenth of a turn: gyroscopic moments do no work however long the step is."""
    for step in (0.01, 0.1):
        kinetic = gd.simulate(tumbling(), duration=20.0, method=Decay(rtol=1e-2, step=step))["energy.kinetic"]
        assert np.diff(kinetic).max() < 1e-13 * kinetic[0]
    assert 0.6 < kinetic[-1] / kinetic[0] < 0.999


@pytest.mark.parametrize("method", [Energy, Decay])
def test_error_falls_with_the_square_of_the_step(method):
    exact = gd.simulate(double(), duration=1.0, rtol=1e-12, output=0.1)
    names = ("bob.z", "second.x", "second.y", "second.wx", "second.e1", "ball.fx")
    errors = []
    for step in (2e-3, 1e-3):
        run = gd.simulate(double(), duration=1.0, method=method(rtol=1e-2, step=step), output=0.1)
        errors.append(max(np.abs(run[c] - exact[c])[1:].max() / max(1.0, np.ptp(exact[c])) for c in names[:-1]))
        assert sum(run[f"second.e{k}"] ** 2 for k in range(4)) == pytest.approx(1.0, abs=1e-13)
        assert run.evidence.drift < 1e-13
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    assert errors[1] < 2e-4


MECHANISMS = {
    "double pendulum": (double, 1.0),
    "four-bar": (lambda: flores2006.four_bar(None), 0.3),
    "slider-crank": (ambrosio2018.slider_crank, 0.5),
    "triple pendulum with stops": (ambrosio2018.triple_pendulum, 1.5),
    "loose four-bar": (flores2006.four_bar, 0.3),
}


def slow(*names: str) -> list[object]:
    return [pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.mark.parametrize("name", ["double pendulum", "four-bar", "loose four-bar",
                                  *slow("slider-crank", "triple pendulum with stops")])  # fmt: skip
def test_energy_changes_by_what_contacts_take_and_nothing_else(name):
    make, duration = MECHANISMS[name]
    run = gd.simulate(make(), duration=duration, method=Energy(rtol=1e-5))
    assert (len(run.contacts) > 3) == ("stops" in name or "loose" in name)
    assert np.abs(np.diff(run["energy.balance"])).max() < 1e-12 * swing(run)
    assert np.ptp(run["energy.balance"]) < 1e-10 * swing(run)


@pytest.mark.parametrize("name", ["four-bar", "loose four-bar"])
def test_decay_never_adds_energy(name):
    make, duration = MECHANISMS[name]
    run = gd.simulate(make(), duration=duration, method=Decay(rtol=1e-2, step=1e-3))
    assert np.diff(run["energy.balance"]).max() < 1e-11 * swing(run)


def test_loops_move_as_by_other_methods():
    exact = gd.simulate(flores2006.four_bar(None), duration=0.3, rtol=1e-10, output=0.01)
    for method in (Energy(rtol=1e-8), Decay(rtol=1e-8)):
        run = gd.simulate(flores2006.four_bar(None), duration=0.3, method=method, output=0.01)
        for channel, near in (("coupler.x", 1e-5), ("crank.wx", 1e-4), ("ball.fz", 1e-3)):
            assert np.abs(run[channel] - exact[channel])[1:].max() < near * np.abs(exact[channel]).max(), channel


STIFFNESS = 1e9  # of an elastic ball [N/m^1.5]


def elastic() -> gd.Mechanism:
    wall = gd.Hertz(stiffness=STIFFNESS)
    return flores2006.four_bar().refit(ball=gd.Clearance("0.5 mm", wall=wall))


def stored(run: gd.Run) -> np.ndarray:
    """Kinetic energy, that of weight, and that of the contact in closed form."""
    depth = np.maximum(run["ball.depth"], 0.0)
    return run["energy.kinetic"] + run["energy.potential"] + 0.4 * STIFFNESS * depth**2.5


def test_a_ball_that_rattles_without_loss_keeps_its_energy():
    run = gd.simulate(elastic(), duration=0.3, method=Energy(rtol=1e-2, step=2e-4))
    total = stored(run)
    assert len(run.contacts) > 20
    assert np.abs(np.diff(total)).max() < 1e-11 * swing(run)
    assert np.ptp(total) < 1e-10 * swing(run)


def test_decay_takes_energy_from_a_ball_that_rattles_without_loss():
    total = stored(gd.simulate(elastic(), duration=0.3, method=Decay(rtol=1e-2, step=2e-4)))
    assert np.diff(total).max() < 1e-11 * np.ptp(total)


def flying() -> gd.Mechanism:
    """Two free bodies with a spring between them, and a ball of one that rattles in a socket of the other."""
    m = gd.Mechanism("flying", planar=False, start="given")
    one = m.body("one", mass=1.0, inertia=(0.01, 0.02, 0.025), at=(0.0, 0.0, 0.0), spin=(3.0, -5.0, 8.0))
    two = m.body("two", mass=2.0, inertia=(0.02, 0.03, 0.015), at=(0.5, 0.1, 0.2), velocity=(0.2, 0.4, -0.1))
    m.spring("spring", one, two, at_i=(0.1, 0.2, 0.0), at_j=(0.4, -0.1, 0.1), stiffness=300.0, preload=4.0)
    m.spherical("ball", journal=one, bearing=two, at=(0.25, 0.0, 0.1), radius=0.02)
    return m.refit(ball=gd.Clearance(1e-3, wall=gd.Hertz(stiffness=1e7)))


def test_momenta_of_bodies_in_contact_are_kept():
    run = gd.simulate(flying(), duration=2.0, method=Energy(rtol=1e-2, step=2e-3))
    push, turning = np.zeros((3, len(run.t))), np.zeros((3, len(run.t)))
    for name, mass, moments in (("one", 1.0, (0.01, 0.02, 0.025)), ("two", 2.0, (0.02, 0.03, 0.015))):
        velocity, place = (Vector(*(run[f"{name}.{part}{a}"] for a in "xyz")) for part in ("v", ""))
        spin = Vector(*(moment * run[f"{name}.w{a}"] for moment, a in zip(moments, "xyz", strict=True)))
        push += np.array(tuple(velocity * mass))
        whole = rotation_matrix([run[f"{name}.e{k}"] for k in range(4)]) @ spin + place.cross(velocity * mass)
        turning += np.array(tuple(whole))
    assert len(run.contacts) > 50
    assert np.abs(push - push[:, :1]).max() < 1e-11 * np.linalg.norm(push[:, 0])
    assert np.abs(turning - turning[:, :1]).max() < 1e-11 * np.linalg.norm(turning[:, 0])
    depth = np.maximum(run["ball.depth"], 0.0)
    total = run["energy.kinetic"] + run["energy.potential"] + 0.4e7 * depth**2.5
    assert np.abs(np.diff(total)).max() < 1e-11 * total[0]


WALL = gd.HuntCrossley(stiffness=1e8, restitution=0.8)
RUBBING = gd.Clearance(2e-4, wall=WALL, friction=gd.SmoothCoulomb(0.1))
LUGRE = gd.LuGre(0.1, static_coefficient=0.15, stiffness=1e5)
BEARINGS = {
    "ball with bristles": ("spherical", gd.Clearance(2e-4, wall=WALL, friction=LUGRE), {}),
    "sleeve": ("revolute", {"sleeve": RUBBING, "shoulder": RUBBING}, {"length": 0.05, "strips": 2}),
    "disk in a bore": ("revolute", {"sleeve": gd.Clearance(2e-4, wall=WALL)},
                       {"length": 0.01, "strips": 1, "short": True}),
    "flat": ("flat", gd.Clearance(2e-4, wall=WALL), {"strips": 3}),
    "film": ("revolute", {"sleeve": gd.Lubricated(2e-4, film=PinkusSternlicht(0.1))}, {"length": 0.05, "strips": 2}),
    "screw": ("screw", None, {"pitch": 0.02}),
    "motor": ("revolute", None, {}),
}  # fmt: skip


def hung(name: str) -> gd.Mechanism:
    """A pendulum about a tilted axis, with a damped spring."""
    kind, fit, sizes = BEARINGS[name]
    m = gd.Mechanism(name, planar=False, gravity=(0.0, 0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=(0.02, 0.025, 0.01), at=(0.3, 0.0, 0.05))
    about = {} if kind == "spherical" else {"axis": (0.1, 1.0, 0.2)}
    getattr(m, kind)("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), radius=0.02, **about, **sizes)
    m.spring("spring", bob, m.ground, at_i=(0.3, 0.1, 0.0), at_j=(0.5, 0.2, 0.1), stiffness=200.0, damping=0.5)
    if name == "motor":
        m.motor("pivot", voltage=24.0, resistance=0.5, back_emf=0.2, torque_constant=0.25, inductance=5e-3,
                rotor_inertia=1e-4, gear=2.0)  # fmt: skip
    return m if fit is None else m.refit(pivot=fit)


QUICK = ("motor", "disk in a bore")


@pytest.mark.parametrize("name", [*QUICK, *slow(*sorted(set(BEARINGS) - set(QUICK)))])
def test_the_ledger_closes_with_losses(name):
    run = gd.simulate(hung(name), duration=0.3, method=Energy(rtol=1e-5))
    assert (len(run.contacts) > 3) == (name in ("ball with bristles", "sleeve", "disk in a bore", "flat"))
    assert np.abs(np.diff(run["energy.balance"])).max() < 2e-12 * swing(run)
    assert np.ptp(run["energy.balance"]) < 2e-11 * swing(run)


@pytest.mark.slow
@pytest.mark.parametrize("method", [Energy, Decay])
@pytest.mark.parametrize("name", ["film", "screw", "motor"])
def test_motion_is_that_of_alpha(name, method):
    exact = gd.simulate(hung(name), duration=0.3, method=Alpha(rtol=1e-9), output=0.01)
    run = gd.simulate(hung(name), duration=0.3, method=method(rtol=1e-8), output=0.01)
    for channel, near in (("bob.x", 1e-5), ("bob.vz", 1e-4)):
        assert np.abs(run[channel] - exact[channel]).max() < near * np.ptp(exact[channel]), channel
    # at the end of a step: a tilted film tells every place between steps that is not its own
    assert run["pivot.fx"][-1] == pytest.approx(exact["pivot.fx"][-1], rel=0.02)


def shaken() -> gd.Mechanism:
    """A bob on a hinge, with a small body in a stiff bushing on it, a thousand times as fast, that rings at first."""
    m = gd.Mechanism("a fast part on a slow one", planar=False, gravity=(0.0, 0.0, -9.81), start="given")
    bob = m.body("bob", mass=1.0, inertia=(0.02, 0.02, 0.02), at=(0.3, 0.0, 0.0))
    part = m.body("part", mass=1e-3, inertia=(1e-5, 1e-5, 1e-5), at=(0.4, 0.0, 0.0), velocity=(2.0, 0.0, 0.0))
    m.revolute("hinge", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    m.spherical("mount", journal=part, bearing=bob, at=(0.4, 0.0, 0.0), radius=0.02)
    return m.refit(mount=gd.Bushing(gd.LinearLiner(stiffness=4e4)))


@pytest.mark.parametrize("method", [Energy, Decay])
def test_what_is_too_fast_for_the_step_dies_out_with_decay_alone(method):
    """The step is ten periods of the bushing, which has 2 mJ at the start."""
    run = gd.simulate(shaken(), duration=0.3, method=method(rtol=1e-2, step=1e-2))
    slow = gd.simulate(shaken(), duration=0.3, method="dopri5", rtol=1e-8, output=0.1)
    radius = run["mount.liner.depth"]
    total = run["energy.kinetic"] + run["energy.potential"] + 0.5 * 4e4 * radius**2
    taken = (total[0] - total[run.t > 0.1][0]) / 2e-3
    if method is Energy:
        assert abs(taken) < 1e-6
    else:
        assert 0.98 < taken < 1.1
        assert np.diff(total).max() < 1e-12 * total[0]
    assert abs(run["bob.z"][-1] - slow["bob.z"][-1]) < 2e-3


def crank(planar: bool) -> gd.Mechanism:
    """A slider-crank with a loose pin that rubs, in the plane or in the same plane of space."""
    m = gd.Mechanism("slider-crank", planar=planar, gravity=(0.0, -9.81) if planar else (0.0, -9.81, 0.0))
    place = (lambda x: (x, 0.0)) if planar else (lambda x: (x, 0.0, 0.0))
    turning = (lambda j: j) if planar else (lambda j: (j, j, j))
    about, along = ({}, {}) if planar else ({"axis": (0.0, 0.0, 1.0)}, {"axis": (1.0, 0.0, 0.0)})
    arm = m.body("crank", mass=0.3, inertia=turning(1e-4), at=place(0.025))
    rod = m.body("rod", mass=0.21, inertia=turning(2.5e-4), at=place(0.11))
    block = m.body("slider", mass=0.14, inertia=turning(1e-4), at=place(0.17))
    m.revolute("main", journal=arm, bearing=m.ground, at=place(0.0), **about)
    m.revolute("elbow", journal=arm, bearing=rod, at=place(0.05), **about)
    m.translational("guide", journal=block, bearing=m.ground, at=place(0.17), **along)
    m.drive("main", speed=60.0)
    fit = gd.Bushing(gd.LinearLiner(stiffness=1e5, damping=20.0))
    if planar:
        m.revolute("pin", journal=rod, bearing=block, at=place(0.17), radius=0.01)
        return m.refit(pin=fit)
    m.spherical("pin", journal=rod, bearing=block, at=place(0.17), radius=0.01)
    return m.refit(pin=fit)


@pytest.mark.parametrize("method", [Energy, Decay])
def test_a_mechanism_in_the_plane_moves_as_in_the_plane(method):
    """Step by step: the same scheme, not only the same limit."""
    runs = [gd.simulate(crank(planar), duration=0.1, method=method(rtol=1e-2, step=1e-3)) for planar in (True, False)]
    flat, space = runs
    assert np.array_equal(flat.t, space.t)
    for channel in ("slider.x", "slider.vx", "rod.y", "main.torque", "energy.kinetic"):
        assert np.abs(space[channel] - flat[channel]).max() < 1e-7 * np.ptp(flat[channel]), channel
    assert np.abs(space["rod.z"]).max() < 1e-12


@pytest.mark.parametrize("method", [Energy, *(pytest.param(m, marks=pytest.mark.slow) for m in (Decay, Alpha))])
def test_hard_walls_bounce_as_instants_do(method):
    m = gd.Mechanism("pendulum on a stop", planar=False, gravity=(0.0, 0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=(0.02, 0.02, 0.02), at=(0.3, 0.0, 0.0))
    wall = gd.ExactRestitution(stiffness=1e7, restitution=0.9)
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, -1.0, 0.0),
               stop=gd.Stop(lower=-1.0, wall=wall))  # fmt: skip
    exact = gd.simulate(m, duration=2.0, method="impact", rtol=1e-9, output=0.05)
    run = gd.simulate(m, duration=2.0, method=method(rtol=1e-6, hard=True), output=0.05)
    assert len(run.contacts) == len(exact.contacts) == 4
    assert np.abs(run["bob.z"] - exact["bob.z"]).max() < 2e-4
    assert run["energy.contact"][-1] == pytest.approx(exact["energy.contact"][-1], rel=1e-3)
