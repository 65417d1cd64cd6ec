"""Extremes of many trajectories at once are those of the motion, not of the ends of steps."""

import math
import re

import device_mechanisms
import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.batch.batch import Batch
from gudgeon.batch.inputs import described
from gudgeon.batch.kinds import Trajectories
from gudgeon.batch.machine import Host
from gudgeon.batch.program import Wanted
from gudgeon.compile.python import target
from gudgeon.methods.explicit.dopri5 import Dopri5

STIFFNESS, MASS, DISPLACED = 800.0, 2.0, 0.1
OMEGA = math.sqrt(STIFFNESS / MASS)


def oscillator() -> gd.Mechanism:
    """A mass on a spring without damping: it moves as cos(omega t)."""
    m = gd.Mechanism("oscillator", gravity=(0.0, 0.0))
    mass = m.body("mass", mass=MASS, inertia=0.01, at=(0.5 + DISPLACED, 0.0))
    m.translational("guide", journal=mass, bearing=m.ground, at=(0.0, 0.0))
    m.spring("spring", m.ground, mass, stiffness=STIFFNESS, at_i=(0.0, 0.0), at_j=(0.5 + DISPLACED, 0.0),
             free_length=0.5)  # fmt: skip
    return m


def extremes(mechanism, channels, span, turns=1, rtol=1e-9, steps=20):
    """Largest and smallest value of each channel in each turn (turn, channel, side)."""
    system = assemble(mechanism, coordinates="auto")
    inputs, state = described(system, rtol=rtol, period=span, longest=span / steps)
    batch = Batch(Host(), Trajectories, system, inputs, (), Wanted(extremes=tuple(channels)))
    out = batch.run({}, {"state": state[:, None]}, turns)
    assert out.results["status"][0] == 0
    return out["extremes"][:, :, 0].reshape(turns, len(channels), 2)


def test_extremes_inside_long_steps_have_their_closed_form():
    """Turns of 0.3 periods: some have an extreme inside, in others it lies at the boundary, which is inside no step."""
    turns, share = 6, 0.3
    period = 2.0 * math.pi / OMEGA
    found = extremes(oscillator(), ["mass.vx", "mass.ax"], share * period, turns, rtol=1e-8, steps=3)
    for turn in range(turns):
        phase = 2.0 * math.pi * share * np.array([turn, turn + 1])
        inside = [k * math.pi / 2.0 for k in range(12) if phase[0] < k * math.pi / 2.0 < phase[1]]
        places = np.array([*phase, *inside])
        for column, values in enumerate((-DISPLACED * OMEGA * np.sin(places), -DISPLACED * OMEGA**2 * np.cos(places))):
            size = 2e-7 * DISPLACED * OMEGA ** (1 + column)
            assert found[turn, column, 0] == pytest.approx(values.max(), abs=size)
            assert found[turn, column, 1] == pytest.approx(values.min(), abs=size)


def test_the_force_behind_a_jump_counts():
    """The torque of a damped stop is largest at the very onset, where it jumps from zero."""
    damping = 20.0
    wall = gd.KelvinVoigt(stiffness=500.0, damping=damping)
    found = extremes(device_mechanisms.stop(wall), ["pivot.stop.lower.normal"], 0.3)
    speed = math.sqrt(2.0 * 2.0 * 9.81 * 0.2 / (0.01 + 2.0 * 0.2**2))
    assert found[0, 0, 0] == pytest.approx(damping * speed, rel=1e-8)


@pytest.mark.parametrize("rtol, within", [(1e-7, 1e-5), (1e-9, 1e-6)])
def test_extremes_of_contacts_are_those_of_the_same_motion(rtol, within):
    """Against the march of one run, whose extremes are integrated again; the motion can be predicted so far."""
    make, span = device_mechanisms.MECHANISMS["clearance"]
    channels = ["pin.force", "slider.ax", "main.torque"]
    found = extremes(make(), channels, span, rtol=rtol, steps=50)[0]
    run = gd.simulate(make(), duration=span, rtol=rtol, step=span / 50, channels=channels, progress=False)
    for column, name in enumerate(channels):
        size = within * max(abs(run.maximum(name)), abs(run.minimum(name)))
        assert found[column, 0] == pytest.approx(run.maximum(name), abs=size), name
        assert found[column, 1] == pytest.approx(run.minimum(name), abs=size), name


def test_ptx_with_extremes_needs_nothing_from_outside():
    make, span = device_mechanisms.MECHANISMS["clearance"]
    system = assemble(make(), coordinates="auto")
    inputs, _ = described(system, rtol=1e-8, period=span, longest=span / 50)
    wanted = Wanted(extremes=("pin.force", "slider.ax"), squares=("pin.force",), strobe=("slider.vx",))
    text = target.ptx(Trajectories(system, inputs, (0,), wanted, Dopri5()).code(gpu=True), (7, 0))
    assert ".visible .entry trajectories(" in text
    assert ".extern" not in text
    assert not re.findall(r"\bcall\b", text)
