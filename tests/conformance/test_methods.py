"""Every registered method keeps the promises of the contract; a new method file is found and tested here."""

from __future__ import annotations

import importlib
import math
import pkgutil

import numpy as np
import pytest
from hand import Hand

import gudgeon.methods
from gudgeon.assemble import Needs, System, assemble
from gudgeon.methods.contract import EVALUATIONS, ORDER, Method
from gudgeon.methods.march import memory as W
from gudgeon.methods.march.driver import run
from gudgeon.model import Mechanism
from gudgeon.papers import schwab2002

for _module in pkgutil.walk_packages(gudgeon.methods.__path__, "gudgeon.methods."):
    importlib.import_module(_module.name)



def needs(method: type[Method]) -> Needs:
    return method(step=1e-3).needs()


# methods that take the residual form have other states: tests/unit/methods/test_alpha.py
METHODS = sorted((m for m in Method.registry.values() if needs(m).form == "acceleration"), key=lambda m: m.__name__)
ADAPTIVE = [m for m in METHODS if m.adaptive]
VARIABLE_ORDER = [Method.registry["adams"]]
ONE_STEP = [m for m in METHODS if m not in VARIABLE_ORDER]
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
every_one_step = pytest.mark.parametrize("method", ONE_STEP, ids=lambda m: m.__name__)


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
        hand.call(hand.restart, 0.0)
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


@every_one_step
def test_error_falls_with_the_step_as_the_order_says(method, pendulum):
    h, span = FIXED_STEPS.get(method.__name__, 0.02), 0.48
    reference = exact(pendulum, span)
    errors = []
    for halvings in range(3):
        hand = Hand(pendulum, make(method, FIXED_RTOL.get(method.__name__, 1e-2)))
        steps = round(span / h) << halvings
        errors.append(np.abs(hand.advance(span / steps, steps) - reference).max())
    assert method.order - 0.4 < 0.5 * math.log2(errors[0] / errors[2]) < method.order + 1.2


@every_one_step
def test_interpolant_has_its_order(method, pendulum):
    h, order = 2.0 * FIXED_STEPS.get(method.__name__, 0.02), DENSE_ORDER.get(method.__name__, 4)
    errors = []
    for length in (h, 0.5 * h):
        hand = Hand(pendulum, make(method, FIXED_RTOL.get(method.__name__, 1e-2)))
        hand.advance(0.02, 5)
        hand.call(hand.attempt, length)
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
    assert hand.call(hand.attempt, h) <= 1.0
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
    assert hand.call(hand.attempt, h) <= 1.0
    first, slope = hand.new.copy(), hand.work[-1].copy()
    hand.call(hand.attempt, h / 3)
    assert np.abs(hand.new - exact(pendulum, h / 3, hand.y)).max() < (1e-5 if method.order > 2 else 1e-4)
    assert hand.call(hand.attempt, h) <= 1.0
    assert np.array_equal(hand.new, first)
    assert np.array_equal(hand.work[-1], slope)


@every_method
def test_commit_starts_the_next_step_with_the_last_slope(method, pendulum):
    hand = Hand(pendulum, make(method, 1e-6))
    hand.step(1e-3)
    last = hand.work[-1].copy()
    assert np.array_equal(hand.work[0], last)
    hand.call(hand.restart, 0.0)
    assert np.allclose(hand.work[0], last, rtol=0.0, atol=1e-12)


@every_compliant
def test_contacts_happen_at_the_same_time(method, bouncing):
    reference = run(bouncing, make(Method.registry["dopri5"], 1e-13), 0.0, 7e-4, on_rows=len)
    tape = run(bouncing, make(method, 1e-11, 2e-7), 0.0, 7e-4, on_rows=len, on_progress=patience())
    assert tape.complete
    assert len(reference.events) == 4
    assert tape.events[:, W.E_KIND].tolist() == [W.ONSET, W.RELEASE, W.ONSET, W.RELEASE]
    assert np.abs(tape.events[:, W.E_TIME] - reference.events[:, W.E_TIME]).max() < 1e-9
    assert np.abs(tape.events[1::2, W.E_FORCE] / reference.events[1::2, W.E_FORCE] - 1.0).max() < 1e-5


def test_adams_raises_its_order_and_saves_evaluations(pendulum):
    adams, dopri5 = Method.registry["adams"], Method.registry["dopri5"]
    hand = Hand(pendulum, make(adams, 1e-9))
    h, orders = 1e-5, []
    while hand.t < 1.0:
        h = hand.step(h)
        orders.append(hand.control[ORDER] - 1.0)
    assert orders[0] == 1.0
    assert max(orders) > 4.0
    few = rows_of(pendulum, make(adams, 1e-9), 1.0)[1].evaluations
    assert few < 0.7 * rows_of(pendulum, make(dopri5, 1e-9), 1.0)[1].evaluations


def test_adams_keeps_its_history_through_failures(pendulum):
    hand = Hand(pendulum, make(Method.registry["adams"], 1e-8))
    h = 1e-4
    for _ in range(15):
        h = hand.step(h)
    history = hand.work[:12].copy()
    failed = [hand.call(hand.attempt, 30.0 * h), hand.call(hand.attempt, 15.0 * h)]
    assert min(failed) > 1.0
    assert np.array_equal(hand.work[:12], history)
    assert hand.call(hand.attempt, 0.5 * h) <= 1.0
    assert np.abs(hand.new - exact(pendulum, 0.5 * h, hand.y)).max() < 1e-6


def test_dop853_pays_for_the_dense_output_only_when_asked(pendulum):
    hand = Hand(pendulum, make(Method.registry["dop853"], 1e-8))
    hand.call(hand.attempt, 0.01)
    assert hand.control[EVALUATIONS] == 1 + 12
    hand.within(0.01, 0.5)
    hand.within(0.01, 0.7)
    assert hand.control[EVALUATIONS] == 1 + 12 + 3


def test_radau_keeps_jacobian_and_factors(pendulum):
    tape = rows_of(pendulum, make(Method.registry["radau"], 1e-9), 1.0)[1]
    assert 0 < tape.jacobians < tape.factorisations < tape.steps


def test_radau_gets_over_a_step_it_cannot_solve(pendulum):
    hand, calm = (Hand(pendulum, make(Method.registry["radau"], 1e-9)) for _ in range(2))
    assert hand.call(hand.attempt, 50.0) > 1e3
    assert hand.call(hand.attempt, 1e-3) <= 1.0 and calm.call(calm.attempt, 1e-3) <= 1.0
    assert np.array_equal(hand.new, calm.new)
