"""Energy and decay with films, motors, controllers, liners and bristles: energy changes by their work alone."""

from __future__ import annotations

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.laws import PinkusSternlicht
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy

WALL = gd.HuntCrossley(stiffness=5e9, restitution=0.8)
FITS = {
    "film": gd.Lubricated(2e-4, film=PinkusSternlicht(0.1)),
    "film and wall": gd.Lubricated(2e-4, film=PinkusSternlicht(0.04), wall=WALL, minimum_film=2e-6),
    "bristles": gd.Clearance(2e-4, wall=WALL, friction=gd.LuGre(0.1, static_coefficient=0.15, stiffness=1e5)),
    "liner": gd.Bushing(gd.LinearLiner(stiffness=1e7, damping=100.0)),
}


def slider(drive: str = "speed", fit: object = None) -> gd.Mechanism:
    """A slider-crank with `fit` between rod and slider."""
    m = gd.Mechanism("slider-crank", gravity=(0.0, -9.81))
    crank = m.body("crank", mass=0.3, inertia=1e-4, at=(0.025, 0.0))
    rod = m.body("rod", mass=0.21, inertia=2.5e-4, at=(0.11, 0.0))
    block = m.body("slider", mass=0.14, inertia=1e-4, at=(0.17, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal=crank, bearing=rod, at=(0.05, 0.0))
    m.revolute("pin", journal=rod, bearing=block, at=(0.17, 0.0), radius=0.01, length=0.02)
    m.translational("guide", journal=block, bearing=m.ground, at=(0.17, 0.0), axis=(1.0, 0.0))
    if drive == "speed":
        m.drive("main", speed=60.0)
    elif drive == "ramp":
        m.drive("main", speed=lambda t: 60.0 * gd.tanh(20.0 * t))
    elif drive == "controller":
        m.controller("main", speed=60.0, gain=0.5, integral=20.0)
    elif drive == "motor":
        m.motor("main", voltage=24.0, resistance=0.5, back_emf=0.2, torque_constant=0.25, inductance=5e-3,
                rotor_inertia=1e-4, gear=2.0)  # fmt: skip
    return m if fit is None else m.refit(pin=fit)


def scale(run: gd.Run) -> float:
    return float(np.ptp(run["energy.kinetic"]))


MECHANISMS = {name: slider(fit=fit) for name, fit in FITS.items()}
MECHANISMS |= {drive: slider(drive) for drive in ("speed", "ramp", "controller", "motor")}


@pytest.mark.parametrize("name", MECHANISMS)
def test_energy_changes_by_the_work_of_what_acts(name):
    """In steps of 1 ms, a hundredth of a revolution, which no film or liner follows; bristles need shorter ones."""
    method = Energy(rtol=1e-6) if name == "bristles" else Energy(rtol=1e-3, step=1e-3)
    run = gd.simulate(MECHANISMS[name], duration=0.2, method=method)
    balance = run["energy.balance"]
    assert scale(run) > 0.1
    assert np.abs(np.diff(balance)).max() < 1e-10 * scale(run)
    assert abs(balance[-1] - balance[0]) < 1e-9 * scale(run)


def test_what_passes_between_winding_and_shaft_has_one_value():
    """Supply, heat, winding and shaft of a motor, also with torque and voltage constants that differ."""
    run = gd.simulate(slider("motor"), duration=0.2, method=Energy(rtol=1e-3, step=1e-3))
    lines = ("kinetic", "potential", "magnetic", "copper", "conversion")
    kept = sum(run[f"energy.{name}"] for name in lines) - run["energy.electrical"]
    assert run["energy.electrical"][-1] > 3.0 and abs(run["energy.conversion"][-1]) > 0.1
    assert np.ptp(kept) < 1e-10 * run["energy.electrical"][-1]


@pytest.mark.parametrize("name", ["controller", "motor"])
def test_decay_loses_energy_beside_what_acts_but_adds_none(name):
    run = gd.simulate(MECHANISMS[name], duration=0.2, method=Decay(rtol=1e-3, step=1e-3))
    balance = run["energy.balance"]
    assert np.diff(balance).max() < 1e-13 * scale(run)
    assert -0.05 * scale(run) < balance[-1] - balance[0] < 0.0


def test_a_film_only_takes_energy_with_decay():
    """A journal that swings in oil on no drive: what is left falls, whatever the step."""
    m = gd.Mechanism("pendulum in oil", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0), radius=0.01, length=0.02)
    m = m.refit(pivot=gd.Lubricated(2e-4, film=PinkusSternlicht(0.1)))
    for step in (1e-3, 1e-2):
        run = gd.simulate(m, duration=1.0, method=Decay(rtol=1e-2, step=step))
        total = run["energy.kinetic"] + run["energy.potential"]
        assert np.diff(total).max() < 1e-12 * scale(run)


@pytest.mark.parametrize("method", [Energy, Decay])
@pytest.mark.parametrize("name", ["film", "liner", "ramp", "controller", "motor"])
def test_motion_and_torque_are_those_of_alpha(name, method):
    m = MECHANISMS[name]
    exact = gd.simulate(m, duration=0.1, method=Alpha(rtol=1e-8), output=2e-3)
    run = gd.simulate(m, duration=0.1, method=method(rtol=1e-8), output=2e-3)
    inside = run.t > 0.02  # what a liner rings with at the start is too fast for either
    for channel, near in (("main.torque", 0.02), ("slider.x", 1e-4), ("slider.vx", 1e-3)):
        apart = np.abs(run[channel] - exact[channel])[inside].max()
        assert apart < near * np.abs(exact[channel]).max(), channel


@pytest.mark.parametrize("method", [Energy, Decay])
def test_a_turn_that_nothing_changes_is_not_late(method):
    """The step of an angle is less than the mean of its velocities says, which the estimate of the error must see."""
    m = gd.Mechanism("free wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.02, at=(0.0, 0.0), spin=40.0)
    m.revolute("shaft", journal=wheel, bearing=m.ground, at=(0.0, 0.0))
    run = gd.simulate(m, duration=1.0, method=method(rtol=1e-6), output=0.1)
    assert run["wheel.angle"][-1] == pytest.approx(40.0, rel=1e-3)


@pytest.mark.parametrize("method", [Energy, Decay])
def test_both_are_of_order_two_where_a_stiff_part_hangs_on_a_curved_path(method):
    """A liner at the elbow is carried round by the crank: both its sides must jump alike at the start of a step."""
    m = slider().refit(elbow=FITS["liner"])
    exact = gd.simulate(m, duration=0.05, method="radau", rtol=1e-9, output=5e-3)
    errors = []
    for step in (2e-4, 1e-4):
        run = gd.simulate(m, duration=0.05, method=method(rtol=1e-2, step=step), output=5e-3)
        errors.append(np.abs(run["slider.x"] - exact["slider.x"])[run.t > 0.02].max())  # behind what rings at the start
    assert errors[0] < 1e-6 and errors[1] < 0.35 * errors[0]
