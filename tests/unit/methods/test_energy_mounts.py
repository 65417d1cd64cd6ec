"""Energy and decay with elastic mounts: what a block of space stores and takes over steps of any length."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.methods.implicit.alpha import Alpha
from gudgeon.methods.implicit.energy.method import Decay, Energy
from gudgeon.space.spatial import Vector, rotation_matrix

STIFFNESS = np.diag([4e3, 5e3, 9e3, 30.0, 20.0, 40.0])
STIFFNESS[2, 5] = STIFFNESS[5, 2] = 300.0
STIFFNESS[0, 4] = STIFFNESS[4, 0] = -120.0
DAMPING = 2e-3 * STIFFNESS
MASSES = {"one": (1.0, (0.01, 0.02, 0.025)), "two": (2.0, (0.02, 0.03, 0.015))}


def flying(damping: np.ndarray, gap: float = 5e-3) -> gd.Mechanism:
    """Two free bodies in a tilted block, and a ball of one that rattles in a socket of the other."""
    m = gd.Mechanism("two bodies in a block", planar=False, start="given")
    one = m.body("one", mass=1.0, inertia=MASSES["one"][1], at=(0.0, 0.0, 0.0), spin=(3.0, -5.0, 8.0))
    two = m.body("two", mass=2.0, inertia=MASSES["two"][1], at=(0.5, 0.1, 0.2), velocity=(0.2, 1.4, -0.6))
    m.mount("block", journal=one, bearing=two, at=(0.2, 0.0, 0.1), axis=(1.0, 2.0, 2.0),
            fit=gd.Elastic(STIFFNESS, damping))  # fmt: skip
    m.spherical("ball", journal=one, bearing=two, at=(0.25, 0.0, 0.1), radius=0.05)
    return m.refit(ball=gd.Clearance(gap, wall=gd.Hertz(stiffness=1e6)))


def energy(run: gd.Run) -> np.ndarray:
    """Kinetic energy, that of the block, and that of the contact in closed form."""
    depth = np.maximum(run["ball.depth"], 0.0)
    return run["energy.kinetic"] + run["energy.potential"] + 0.4e6 * depth**2.5


@pytest.mark.parametrize("step", [pytest.param(2e-3, marks=pytest.mark.slow), 1e-2])
def test_energy_and_momenta_are_kept_by_a_block(step):
    """However far its bodies turn in a step."""
    run = gd.simulate(flying(0.0 * DAMPING), duration=500 * step, method=Energy(rtol=1e-2, step=step))
    push, turning = np.zeros((3, len(run.t))), np.zeros((3, len(run.t)))
    for name, (mass, moments) in MASSES.items():
        velocity, place = (Vector(*(run[f"{name}.{part}{a}"] for a in "xyz")) for part in ("v", ""))
        spin = Vector(*(moment * run[f"{name}.w{a}"] for moment, a in zip(moments, "xyz", strict=True)))
        push += np.array(tuple(velocity * mass))
        whole = rotation_matrix([run[f"{name}.e{k}"] for k in range(4)]) @ spin + place.cross(velocity * mass)
        turning += np.array(tuple(whole))
    total = energy(run)
    assert len(run.contacts) > 5
    assert np.ptp(run["block.rx"]) > 0.2
    assert np.abs(np.diff(total)).max() < 1e-12 * total[0]
    assert np.ptp(total) < 1e-11 * total[0]
    assert np.abs(push - push[:, :1]).max() < 1e-11 * np.linalg.norm(push[:, 0])
    assert np.abs(turning - turning[:, :1]).max() < 1e-11 * np.linalg.norm(turning[:, 0])


def test_the_ledger_closes_with_damping():
    run = gd.simulate(flying(DAMPING), duration=0.5, method=Energy(rtol=1e-5))
    swing = np.ptp(run["energy.kinetic"])
    assert run["energy.damper"][-1] > 0.1 * swing
    assert np.abs(np.diff(run["energy.balance"])).max() < 1e-12 * swing


@pytest.mark.parametrize(("share", "step"), [
    (0.0, 1e-2), (1.0, 2e-3),
    pytest.param(0.0, 2e-3, marks=pytest.mark.slow), pytest.param(1.0, 1e-2, marks=pytest.mark.slow),
])  # fmt: skip
def test_decay_never_adds(share, step):
    total = energy(gd.simulate(flying(share * DAMPING), duration=0.5, method=Decay(rtol=1e-2, step=step)))
    assert np.diff(total).max() < 1e-12 * total[0]


@cache
def exact() -> gd.Run:
    return gd.simulate(flying(DAMPING, gap=4e-2), duration=0.3, method=Alpha(rtol=1e-10), output=0.02)


@pytest.mark.parametrize("method", [Energy, Decay])
def test_motion_is_that_of_alpha_and_of_order_two(method):
    errors = []
    for step in (1e-3, 5e-4):
        run = gd.simulate(flying(DAMPING, gap=4e-2), duration=0.3, method=method(rtol=1e-2, step=step), output=0.02)
        other = exact()
        errors.append(max(np.abs(run[c] - other[c]).max() / np.ptp(other[c]) for c in ("one.x", "two.e1", "block.rz")))
    assert errors[1] < 1e-3
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)
