"""Methods that take the equations unsolved keep the promises of the contract, too."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.assemble import System, assemble
from gudgeon.methods import METHODS as FILES
from gudgeon.methods import work as W
from gudgeon.methods.contract import CONTROL_SIZE, CONTROLLED, Method
from gudgeon.methods.runner import run
from gudgeon.methods.scales import absolute_tolerance

for _module in FILES:
    importlib.import_module(f"gudgeon.methods.{_module}")

METHODS = sorted((m for m in Method.registry.values() if m.unsolved), key=lambda m: m.__name__)
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.__name__)


def pendulum() -> gd.Mechanism:
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    return m


@pytest.fixture(scope="module")
def system() -> System:
    return assemble(pendulum(), unsolved="steps")


@pytest.fixture(scope="module")
def swing() -> gd.Run:
    return gd.simulate(pendulum(), duration=1.0, rtol=1e-12, output=0.1)


class Hand:
    """Steps taken one by one through the functions of the contract."""

    def __init__(self, system: System, method: Method) -> None:
        n = system.states
        self.rhs, self.p, self.m = system.addresses["rhs"], system.p, np.zeros(system.memory)
        self.y, self.new, self.out = system.y0.copy(), np.zeros(n), np.zeros(n)
        self.work, self.control = np.zeros((method.work_rows(n), n)), np.zeros(CONTROL_SIZE)
        self.control[CONTROLLED] = system.controlled
        self.kept = method.connect(system, self.control)
        self.atol, self.rtol = absolute_tolerance(system, method, self.y), method.rtol
        self.restart, self.attempt, self.interpolate, self.commit = method.functions()
        self.t = 0.0
        self.call(self.restart, 0.0)

    def call(self, function, h: float, x: float = 0.0) -> float:
        arrays = self.y, self.new, self.out, self.p, self.m, self.work, self.control, self.atol
        return function(self.rhs, self.t, h, *arrays, self.rtol, x)

    def step(self, h: float) -> None:
        assert self.call(self.attempt, h) < 1e9
        self.call(self.commit, h, 0.1)
        self.t += h
        self.y[:] = self.new


@every_method
def test_every_method_has_a_card(method):
    assert method.title and method.reference and method.__doc__ and method.works
    assert len(method().functions()) == 4


@every_method
def test_error_falls_with_the_step_as_the_order_says(method, swing):
    errors = []
    for step in (5e-3, 2.5e-3):
        found = gd.simulate(pendulum(), duration=1.0, method=method(rtol=1e-2, step=step), output=0.1)
        errors.append(max(np.abs(found[c] - swing[c]).max() for c in ("bob.x", "bob.y", "bob.vx", "bob.vy")))
    assert method.order - 0.3 < math.log2(errors[0] / errors[1]) < method.order + 1.2


@every_method
def test_the_error_follows_the_tolerance(method, swing):
    worst = []
    for rtol in (1e-5, 1e-8):
        found = gd.simulate(pendulum(), duration=1.0, method=method(rtol=rtol), output=0.1)
        worst.append(max(np.abs(found[c] - swing[c]).max() for c in ("bob.x", "bob.y", "pivot.force")))
        assert found.evidence.drift < 0.01 * rtol
    assert worst[1] < 0.05 * worst[0]


@every_method
def test_attempt_can_be_repeated(method, system):
    hand = Hand(system, method(rtol=1e-4))
    for _ in range(5):
        hand.step(2e-3)
    hand.call(hand.attempt, 2e-3)
    first, slope = hand.new.copy(), hand.work[-1].copy()
    hand.call(hand.attempt, 1e-3)
    hand.call(hand.attempt, 2e-3)
    close = 1e-9 * (1.0 + np.abs(slope).max())
    assert np.abs(hand.new - first).max() < close and np.abs(hand.work[-1] - slope).max() < close


@every_method
def test_interpolant_meets_both_ends(method, system):
    hand = Hand(system, method(rtol=1e-4))
    hand.step(2e-3)
    hand.call(hand.attempt, 3e-3)
    for x, state in ((0.0, hand.y), (1.0, hand.new)):
        hand.call(hand.interpolate, 3e-3, x)
        assert np.abs(hand.out - state).max() < 1e-13 * (1.0 + np.abs(state).max())


@every_method
def test_commit_starts_the_next_step_with_the_last_slope(method, system):
    hand = Hand(system, method(rtol=1e-4))
    hand.step(2e-3)
    last = hand.work[-1].copy()
    assert np.array_equal(hand.work[0], last)
    hand.call(hand.restart, 0.0)
    assert np.allclose(hand.work[0], last, rtol=1e-4, atol=1e-3)  # accelerations are solved for anew


@every_method
def test_contacts_are_those_of_other_methods(method):
    """Two impacts of a slider-crank with a loose pin and a law with hysteresis."""
    m = gd.Mechanism("slider-crank")
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(0.025, 0.0))
    rod = m.body("rod", mass=0.145, inertia=0.145 * 0.12**2 / 12, at=(0.110, 0.0))
    slider = m.body("slider", mass=0.145, inertia=1.0e-4, at=(0.170, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(0.05, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(0.17, 0.0), radius="10 mm", length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(0.17, 0.0), axis=(1.0, 0.0))
    m.drive("main", speed=523.6)
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=0.95)
    m = m.refit(pin=gd.Clearance("0.5 mm", wall=wall))
    exact = run(assemble(m), gd.Dopri5(rtol=1e-12), 0.0, 7e-4, on_rows=len)
    found = run(assemble(m, unsolved="steps"), method(rtol=1e-8), 0.0, 7e-4, on_rows=len)
    assert found.events[:, W.E_KIND].tolist() == exact.events[:, W.E_KIND].tolist() == [1.0, 0.0, 1.0, 0.0]
    assert np.abs(found.events[:, W.E_TIME] - exact.events[:, W.E_TIME]).max() < 1e-6
    assert np.abs(found.events[1::2, W.E_FORCE] / exact.events[1::2, W.E_FORCE] - 1.0).max() < 5e-3
