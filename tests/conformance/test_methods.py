"""Every registered method keeps the promises of the contract; a new method file is found and tested here."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hand import Hand

from gudgeon.assemble import Needs, System, assemble
from gudgeon.methods import methods
from gudgeon.methods.contract import Method
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import run
from gudgeon.model import Mechanism
from gudgeon.papers import schwab2002


def needs(method: type[Method]) -> Needs:
    return method(step=1e-3).needs()


# methods that take the residual form have other states: tests/unit/methods/test_alpha.py
METHODS = sorted((m for m in methods().values() if needs(m).form == "acceleration"), key=lambda m: m.__name__)
ADAPTIVE = [m for m in METHODS if m.adaptive]
# by which power of h the interpolant misses within a step, and steps at which that shows above the rounding
DENSE_ORDER = {"RK4": 4, "Dopri5": 5, "Dop853": 8, "Radau": 4, "Impact": 8, "Moreau": 3}
FIXED_STEPS = {"RK4": 0.02, "Dopri5": 0.02, "Dop853": 0.08, "Radau": 0.02, "Impact": 0.08}
# methods that iterate do so up to a tolerance, which must not hide the error of a step
FIXED_RTOL = {"Radau": 1e-12}
# of the energy of a pendulum over 3 s, with steps of 1 ms where there is no error control
ENERGY_DRIFT = {"RK4": 1e-7, "Moreau": 1e-4}

MASS, INERTIA, ARM, GRAVITY = 1.2, 0.02, 0.3, 9.81

every_method = pytest.mark.parametrize("method", METHODS, ids=lambda m: m.__name__)
every_adaptive = pytest.mark.parametrize("method", ADAPTIVE, ids=lambda m: m.__name__)
COMPLIANT = [m for m in METHODS if not needs(m).hard_walls]
every_compliant = pytest.mark.parametrize("method", COMPLIANT, ids=lambda m: m.__name__)


@pytest.fixture(scope="module")
def pendulum() -> System:
    """Released from the horizontal; conservative and smooth."""
    m = Mechanism("pendulum", gravity=(0.0, -GRAVITY))
    bob = m.body("bob", mass=MASS, inertia=INERTIA, at=(ARM, 0.0))
    m.revolute("pivot", journal=bob, bearing=m.ground, at=(0.0, 0.0))
    return assemble(m, Needs(jacobian=True))


@pytest.fixture(scope="module")
def bouncing() -> System:
    """Slider-crank whose pin has clearance: flight, onset, release, flight and so on within a millisecond."""
    return assemble(schwab2002.hertz(), Needs(jacobian=True))


def make(method: type[Method], rtol: float = 1e-2, step: float | None = None) -> Method:
    return method(rtol=rtol, step=step if method.adaptive else step or 1e-3)


def exact(system: System, t: float, y: np.ndarray | None = None) -> np.ndarray:
    """The state after t [s] by small steps of order 8."""
    hand = Hand(system, make(Method.registry["dop853"]))
    if y is not None:
        hand.y[:] = y
        hand.restart()
    steps = math.ceil(t / 0.01)
    return hand.advance(t / steps, steps).copy()


def rows_of(system: System, method: Method, t: float, **options) -> tuple[np.ndarray, object]:
    rows: list[np.ndarray] = []
    tape = run(system, method, 0.0, t, on_rows=rows.append, **options)
    assert tape.complete
    return np.concatenate(rows), tape


def patience(visits: int = 20):
    """Ends a run that does not get on."""
    left = iter(range(visits))

    def on_progress(t: float) -> None:
        assert next(left, None) is not None, f"stuck at {t:g} s"

    return on_progress


def energy(y: np.ndarray) -> np.ndarray:
    _, height, _, vx, vy, spin = y.T[:6]
    return 0.5 * MASS * (vx**2 + vy**2) + 0.5 * INERTIA * spin**2 + MASS * GRAVITY * height


@every_method
def test_every_method_has_a_card(method):
    assert method.title and method.reference and method.__doc__
    assert method.order >= 1 and method.rows >= 2
    assert len(make(method).functions()) == 4


@every_method
def test_error_falls_with_the_step_as_the_order_says(method, pendulum):
    h, span = FIXED_STEPS.get(method.__name__, 0.02), 0.48
    reference = exact(pendulum, span)
    errors = []
    for halvings in range(3):
        hand = Hand(pendulum, make(method, FIXED_RTOL.get(method.__name__, 1e-2)))
        steps = round(span / h) << halvings
        errors.append(np.abs(hand.advance(span / steps, steps) - reference).max())
    assert method.order - 0.4 < 0.5 * math.log2(errors[0] / errors[2]) < method.order + 1.2


@every_method
def test_interpolant_has_its_order(method, pendulum):
    h, order = 2.0 * FIXED_STEPS.get(method.__name__, 0.02), DENSE_ORDER.get(method.__name__, min(4, method.order + 1))
    errors = []
    for length in (h, 0.5 * h):
        hand = Hand(pendulum, make(method, FIXED_RTOL.get(method.__name__, 1e-2)))
        hand.advance(0.02, 5)
        hand.attempt(length)
        misses = [hand.within(length, x) - exact(pendulum, x * length, hand.y) for x in (0.3, 0.5, 0.8)]
        errors.append(np.abs(misses).max())
    assert order - 0.6 < math.log2(errors[0] / errors[1]) < order + 1.6


@every_method
def test_interpolant_meets_both_ends(method, pendulum):
    hand = Hand(pendulum, make(method, 1e-8))
    h = 1e-4
    for _ in range(12):
        h = hand.step(h)
    h *= 0.5
    assert hand.attempt(h) <= 1.0
    hand.new[:] += 1e-9  # as the projection does
    assert np.abs(hand.within(h, 0.0) - hand.y).max() < 1e-14
    assert np.abs(hand.within(h, 1.0) - hand.new).max() < 1e-14


@every_adaptive
def test_global_error_and_interpolant_follow_the_tolerance(method, pendulum):
    span, worst = 1.0, []
    reference, _ = rows_of(pendulum, make(Method.registry["dop853"], 1e-13), span, output=0.01)
    for rtol in (1e-7, 1e-9, 1e-11):
        rows, _ = rows_of(pendulum, make(method, rtol), span, output=0.01)
        worst.append(np.abs(rows - reference)[:, 1:7].max())
        assert worst[-1] < 100.0 * rtol * 10.0  # 10: the largest speed
    assert worst[2] < 1e-2 * worst[0]


@every_method
def test_energy_of_a_pendulum_is_kept(method, pendulum):
    chosen = make(method, 1e-10, 1e-3)
    rows, tape = rows_of(pendulum, chosen, 3.0)
    drift = np.abs(energy(rows[:, 1:]) - energy(pendulum.y0[None, :])).max() / (MASS * GRAVITY * ARM)
    assert drift < ENERGY_DRIFT.get(method.__name__, 1e-8)
    assert tape.drift < (1e-10 if method.order > 1 else 1e-7)


@every_method
def test_attempt_can_be_repeated(method, pendulum):
    hand = Hand(pendulum, make(method, 1e-6))
    h = 1e-4
    for _ in range(15):
        h = hand.step(h)
    h *= 0.7
    assert hand.attempt(h) <= 1.0
    first, slope = hand.new.copy(), hand.work[-1].copy()
    hand.attempt(h / 3)
    assert np.abs(hand.new - exact(pendulum, h / 3, hand.y)).max() < (1e-5 if method.order > 2 else 1e-4)
    assert hand.attempt(h) <= 1.0
    assert np.array_equal(hand.new, first)
    assert np.array_equal(hand.work[-1], slope)


@every_method
def test_commit_starts_the_next_step_with_the_last_slope(method, pendulum):
    hand = Hand(pendulum, make(method, 1e-6))
    hand.step(1e-3)
    last = hand.work[-1].copy()
    assert np.array_equal(hand.work[0], last)
    hand.restart()
    assert np.allclose(hand.work[0], last, rtol=0.0, atol=1e-12)


@every_compliant
def test_contacts_happen_at_the_same_time(method, bouncing):
    reference = run(bouncing, make(Method.registry["dopri5"], 1e-13), 0.0, 7e-4, on_rows=len)
    tape = run(bouncing, make(method, 1e-11, 2e-7), 0.0, 7e-4, on_rows=len, on_progress=patience())
    assert tape.complete
    assert len(reference.events) == 4
    assert tape.events[:, columns.KIND].tolist() == [columns.ONSET, columns.RELEASE, columns.ONSET, columns.RELEASE]
    assert np.abs(tape.events[:, columns.TIME] - reference.events[:, columns.TIME]).max() < 1e-9
    assert np.abs(tape.events[1::2, columns.FORCE] / reference.events[1::2, columns.FORCE] - 1.0).max() < 1e-5


def test_dop853_pays_for_the_dense_output_only_when_asked(pendulum):
    hand = Hand(pendulum, make(Method.registry["dop853"], 1e-8))
    hand.attempt(0.01)
    assert hand.w.evaluations == 1 + 12
    hand.within(0.01, 0.5)
    hand.within(0.01, 0.7)
    assert hand.w.evaluations == 1 + 12 + 3


def test_radau_keeps_jacobian_and_factors(pendulum):
    tape = rows_of(pendulum, make(Method.registry["radau"], 1e-9), 1.0)[1]
    assert 0 < tape.jacobians < tape.factorisations < tape.steps


def test_radau_gets_over_a_step_it_cannot_solve(pendulum):
    hand, calm = (Hand(pendulum, make(Method.registry["radau"], 1e-9)) for _ in range(2))
    assert hand.attempt(50.0) > 1e3
    assert hand.attempt(1e-3) <= 1.0 and calm.attempt(1e-3) <= 1.0
    assert np.array_equal(hand.new, calm.new)
