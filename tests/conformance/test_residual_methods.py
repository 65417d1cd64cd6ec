"""Methods that take the equations in residual form keep the promises of the contract, too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hand import Hand

import gudgeon as gd
from gudgeon.assemble import Needs, System, assemble
from gudgeon.methods import methods
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import run
from gudgeon.papers import schwab2002

RESIDUAL = [m for m in methods().values() if m(step=1e-3).needs().form != "acceleration"]
METHODS = sorted(RESIDUAL, key=lambda m: m.__name__)
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.__name__)


def pendulum() -> gd.Mechanism:
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    bob = m.body("bob", mass=1.2, inertia=0.02, at=(0.3, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    return m


@pytest.fixture(scope="module")
def system() -> System:
    return assemble(pendulum(), Needs(form="step"))


@pytest.fixture(scope="module")
def swing() -> gd.Run:
    return gd.simulate(pendulum(), duration=1.0, rtol=1e-12, output=0.1)


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
        hand.advance(2e-3)
    hand.attempt(2e-3)
    first, slope = hand.new.copy(), hand.work[-1].copy()
    hand.attempt(1e-3)
    hand.attempt(2e-3)
    close = 1e-9 * (1.0 + np.abs(slope).max())
    assert np.abs(hand.new - first).max() < close and np.abs(hand.work[-1] - slope).max() < close


@every_method
def test_interpolant_meets_both_ends(method, system):
    hand = Hand(system, method(rtol=1e-4))
    hand.advance(2e-3)
    hand.attempt(3e-3)
    for x, state in ((0.0, hand.y), (1.0, hand.new)):
        assert np.abs(hand.within(3e-3, x) - state).max() < 1e-13 * (1.0 + np.abs(state).max())


@every_method
def test_commit_starts_the_next_step_with_the_last_slope(method, system):
    hand = Hand(system, method(rtol=1e-4))
    hand.advance(2e-3)
    last = hand.work[-1].copy()
    assert np.array_equal(hand.work[0], last)
    hand.restart()
    assert np.allclose(hand.work[0], last, rtol=1e-4, atol=1e-3)  # accelerations are solved for anew


@every_method
def test_contacts_are_those_of_other_methods(method):
    """Two impacts of a slider-crank with a loose pin and a law with hysteresis."""
    m = schwab2002.hertz()
    exact = run(assemble(m), gd.Dopri5(rtol=1e-12), 0.0, 7e-4, on_rows=len)
    found = run(assemble(m, Needs(form="step")), method(rtol=1e-8), 0.0, 7e-4, on_rows=len)
    assert found.events[:, columns.KIND].tolist() == exact.events[:, columns.KIND].tolist() == [1.0, 0.0, 1.0, 0.0]
    assert np.abs(found.events[:, columns.TIME] - exact.events[:, columns.TIME]).max() < 1e-6
    assert np.abs(found.events[1::2, columns.FORCE] / exact.events[1::2, columns.FORCE] - 1.0).max() < 5e-3
