"""Prescribed motions with their torques, loads that change in time, springs, dampers and torques between bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from at_start import at_start

import gudgeon as gd
from gudgeon.simulation import Numerics, prepare

G = 9.81
MASS, INERTIA, ARM = 1.5, 0.03, 0.2


def crank(**drive) -> gd.Mechanism:
    """A bar that turns about the origin, its centre at ARM, starting horizontally."""
    m = gd.Mechanism("crank", gravity=(0.0, -G))
    m.body("bar", mass=MASS, inertia=INERTIA, at=(ARM, 0.0))
    m.revolute("main", journal="bar", bearing=m.ground, at=(0.0, 0.0))
    m.drive("main", **drive)
    return m


def torque(angle, alpha):
    """Moment about the pivot: (I + m l^2) alpha + m g l cos(angle)."""
    return (INERTIA + MASS * ARM**2) * alpha + MASS * G * ARM * np.cos(angle)


def test_constant_speed_needs_the_moment_of_the_weight():
    run = gd.simulate(crank(speed=20.0), duration=0.5)
    assert np.abs(run["main.torque"] - torque(20.0 * run.t, 0.0)).max() < 1e-10
    assert np.abs(run["bar.angle"] - 20.0 * run.t).max() < 1e-12
    # centripetal: the pivot pulls the bar inwards with m l omega^2, plus the weight
    pull = MASS * ARM * 400.0
    assert np.abs(run["main.fx"] + pull * np.cos(20.0 * run.t)).max() < 1e-9 * pull
    assert np.abs(run["main.fy"] - MASS * G + pull * np.sin(20.0 * run.t)).max() < 1e-9 * pull


def test_motion_by_a_formula_is_differentiated_twice():
    """angle = 0.4 (1 - cos 9t): speed 3.6 sin 9t, acceleration 32.4 cos 9t."""
    run = gd.simulate(crank(motion=lambda t: 0.4 * (1.0 - gd.cos(9.0 * t))), duration=0.4)
    t = run.t
    assert np.abs(run["bar.angle"] - 0.4 * (1.0 - np.cos(9.0 * t))).max() < 1e-12
    assert np.abs(run["bar.spin"] - 3.6 * np.sin(9.0 * t)).max() < 1e-11
    assert np.abs(run["bar.alpha"] - 32.4 * np.cos(9.0 * t)).max() < 1e-10
    expected = torque(0.4 * (1.0 - np.cos(9.0 * t)), 32.4 * np.cos(9.0 * t))
    assert np.abs(run["main.torque"] - expected).max() < 1e-10
    # work of the drive is what the bar has
    assert run.evidence.balance < 1e-9


def test_speed_by_a_formula_is_integrated_and_differentiated_once():
    """speed = 5 tanh(8t): angle 5/8 ln cosh 8t, acceleration 40 / cosh^2 8t."""
    run = gd.simulate(crank(speed=lambda t: 5.0 * gd.tanh(8.0 * t)), duration=0.4, rtol=1e-11)
    t = run.t
    assert np.abs(run["bar.spin"] - 5.0 * np.tanh(8.0 * t)).max() < 1e-11
    assert np.abs(run["bar.alpha"] - 40.0 / np.cosh(8.0 * t) ** 2).max() < 1e-10
    angle = 5.0 / 8.0 * np.log(np.cosh(8.0 * t))
    assert np.abs(run["bar.angle"] - angle).max() < 1e-10
    assert np.abs(run["main.torque"] - torque(angle, 40.0 / np.cosh(8.0 * t) ** 2)).max() < 1e-9
    assert run.evidence.balance < 1e-9


def test_formulas_may_be_written_with_numpy():
    run = gd.simulate(crank(motion=lambda t: np.sin(3.0 * t)), duration=0.1)
    assert run["bar.angle"][-1] == pytest.approx(math.sin(0.3), abs=1e-12)


def test_a_drive_that_branches_is_refused_with_the_line():
    with pytest.raises(gd.GudgeonError, match=r"motion of \"main\" must be a formula of t.*test_drives_and_loads"):
        gd.simulate(crank(motion=lambda t: t if t < 1.0 else 1.0), duration=0.1)


def test_a_driven_slider_reports_its_force():
    """x = 0.05 sin 10t along an incline of 30 degrees: force = m (a + g/2)."""
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    m = gd.Mechanism("pusher", gravity=(0.0, -G))
    m.body("slider", mass=2.0, inertia=0.01, at=(0.0, 0.0))
    m.translational("guide", journal="slider", bearing=m.ground, at=(0.0, 0.0), axis=(c, s))
    m.drive("guide", motion=lambda t: 0.05 * gd.sin(10.0 * t))
    run = gd.simulate(m, duration=0.3)
    expected = 2.0 * (-5.0 * np.sin(10.0 * run.t) + G * s)
    assert np.abs(run["guide.drive_force"] - expected).max() < 1e-11
    assert np.abs(run["guide.travel"] - 0.05 * np.sin(10.0 * run.t)).max() < 1e-14
    assert run.channel("guide.drive_force").unit == "N"


def block(**options) -> gd.Mechanism:
    m = gd.Mechanism("block", start="given", **options)
    m.body("block", mass=2.0, inertia=0.05, at=(0.3, 0.1), angle=0.5)
    return m


def test_a_force_that_swings():
    """F = 6 cos 4t on 2 kg: v = 0.75 sin 4t, work = m v^2 / 2."""
    m = block()
    m.force("block", (lambda t: 6.0 * gd.cos(4.0 * t), 0.0))
    run = gd.simulate(m, duration=1.0, rtol=1e-11)
    assert np.abs(run["block.vx"] - 0.75 * np.sin(4.0 * run.t)).max() < 1e-11
    assert np.abs(run["energy.applied"] - run["block.vx"] ** 2).max() < 1e-10


def ramp(t: float) -> float:
    if t < 0.2:
        return 50.0 * t
    return 10.0


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_a_force_with_branches_is_compiled(backend):
    """50 t up to 0.2 s, then 10 N: v(0.5) = (1 + 3) / 2 m/s. The kink is hit by steps of 0.1 s."""
    m = block()
    m.force("block", (0.0, ramp))
    run = prepare(m, duration=0.5, method=gd.RK4(step=0.1), numerics=Numerics(backend=backend)).run()
    assert run["block.vy"][-1] == pytest.approx(2.0, rel=1e-12)
    assert run["block.ay"][0] == 0.0
    assert run["block.ay"][-1] == 5.0


def test_a_force_beside_the_centre_turns_and_one_in_body_axes_follows():
    """World force (0, 8) N at 0.1 m in front of the centre: moment 0.8 Nm. The same in body axes turns by 0.5 rad."""
    m = block()
    m.force("block", (0.0, 8.0), at=(0.4, 0.1))
    start = at_start(m)
    assert start["block.alpha"] == pytest.approx(0.8 / 0.05)
    assert start["block.ay"] == pytest.approx(4.0)
    m = block()
    m.force("block", (0.0, 8.0), point=(0.1, 0.0), frame="body")
    start = at_start(m)
    assert start["block.alpha"] == pytest.approx(0.8 / 0.05)
    assert (start["block.ax"], start["block.ay"]) == pytest.approx((-4.0 * math.sin(0.5), 4.0 * math.cos(0.5)))


def test_a_torque_and_its_reaction():
    m = block()
    m.body("other", mass=1.0, inertia=0.2, at=(0.0, 0.0))
    m.torque("block", 3.0, reaction="other")
    start = at_start(m)
    assert (start["block.alpha"], start["other.alpha"]) == pytest.approx((60.0, -15.0))
    m = block()
    m.body("other", mass=1.0, inertia=0.2, at=(0.0, 0.0))
    m.torque("block", lambda t: 3.0 * gd.exp(-t))
    start = at_start(m, t=1.0)
    assert (start["block.alpha"], start["other.alpha"]) == pytest.approx((60.0 / math.e, 0.0))


def test_a_damped_oscillator_dies_away_and_its_damper_takes_the_energy():
    """m x'' + c x' + k x = 0 with zeta = 0.1, omega0 = 20: the textbook solution from rest at 0.02 m."""
    mass, k, zeta, omega0, start = 0.5, 200.0, 0.1, 20.0, 0.02
    m = gd.Mechanism("damped", start="given")
    m.body("mass", mass=mass, inertia=1e-3, at=(0.3 + start, 0.0))
    m.translational("guide", journal="mass", bearing=m.ground, at=(0.32, 0.0))
    m.spring("spring", "mass", m.ground, stiffness=k, at_i=(0.32, 0.0), at_j=(0.0, 0.0), free_length=0.3)
    m.damper("damper", m.ground, "mass", damping=2 * zeta * mass * omega0, at_i=(-1.0, 0.0), at_j=(0.32, 0.0))
    run = gd.simulate(m, duration=0.5, rtol=1e-11)
    omega = omega0 * math.sqrt(1 - zeta**2)
    decay = np.exp(-zeta * omega0 * run.t)
    x = start * decay * (np.cos(omega * run.t) + zeta * omega0 / omega * np.sin(omega * run.t))
    assert np.abs(run["mass.x"] - 0.3 - x).max() < 1e-11
    stored = 0.5 * k * start**2
    assert run["energy.potential"][0] == pytest.approx(stored)
    assert run["energy.damper"][-1] == pytest.approx(stored - run["energy.kinetic"][-1] - run["energy.potential"][-1])
    assert run.evidence.balance < 1e-11 * stored / 1e-2


def test_a_preloaded_spring_pulls_at_its_free_length():
    """Preload 12 N at the free length, described there: a = -12/0.5; free_length left out means as described."""
    m = gd.Mechanism("preloaded", start="given")
    m.body("mass", mass=0.5, inertia=1e-3, at=(0.3, 0.0))
    m.spring("spring", "mass", m.ground, stiffness=200.0, at_i=(0.3, 0.0), at_j=(0.0, 0.0), preload=12.0)
    start = at_start(m)
    assert start["mass.ax"] == pytest.approx(-24.0)
    assert start["energy.potential"] == pytest.approx(0.0, abs=1e-15)


def test_a_torsion_spring_swings_a_wheel():
    """J angle'' = -k (angle - free) : from rest at 0, angle = free (1 - cos omega t), omega = sqrt(8/0.02) = 20."""
    m = gd.Mechanism("balance wheel")
    m.body("wheel", mass=1.0, inertia=0.02, at=(0.0, 0.0))
    m.revolute("staff", journal="wheel", bearing=m.ground, at=(0.0, 0.0))
    m.torsion_spring("hairspring", "staff", stiffness=8.0, free_angle=0.3)
    run = gd.simulate(m, duration=0.3, rtol=1e-11)
    assert np.abs(run["wheel.angle"] - 0.3 * (1.0 - np.cos(20.0 * run.t))).max() < 1e-11
    assert run.evidence.balance < 1e-11


@pytest.mark.parametrize("kind", ["translational", "cylindrical"])
def test_a_motion_along_an_axis_of_space(kind):
    """0.2 (1 - cos 5t) along a slanted axis: the drive's force is that of acceleration and weight."""
    m = gd.Mechanism("ram", planar=False, gravity=(0.0, 0.0, -G))
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    ram = m.body("ram", mass=3.0, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0))
    m.joint(kind, "guide", journal=ram, bearing=m.ground, at=(0, 0, 0), axis=tuple(axis))
    m.drive("guide", motion=lambda t: 0.2 * (1.0 - gd.cos(5.0 * t)), direction="translation")
    run = gd.simulate(m, duration=1.0, rtol=1e-10)
    travel = 0.2 * (1.0 - np.cos(5.0 * run.t))
    for k, name in enumerate("xyz"):
        assert run[f"ram.{name}"] == pytest.approx(axis[k] * travel, abs=1e-10)
    expected = 3.0 * (5.0 * np.cos(5.0 * run.t) + G * axis[2])
    assert run["guide.drive_force"] == pytest.approx(expected, abs=1e-8)
    assert run.evidence.balance < 1e-9
