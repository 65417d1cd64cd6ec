"""The largest Lyapunov exponent: the core on maps, twins on mechanisms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from known_systems import CubicWell, bouncing_ball, doubling, duffing, oscillator

import gudgeon as gd
from gudgeon.analysis.flow import Flow, Ruler
from gudgeon.analysis.lyapunov import Exponent, Twins, exponent, growth
from gudgeon.analysis.regimes import judge
from gudgeon.analysis.series import Repetition
from gudgeon.analysis.statistic import mean_of
from gudgeon.papers import flores2007
from gudgeon.results.run import State

TURN = 2.0 * math.pi


@dataclass
class Map:
    """A map of the plane as a pair."""

    step: object

    def advance(self, state):
        return self.step(state)

    def distance(self, state, twin):
        return float(np.linalg.norm(twin - state))

    def back(self, state, twin, factor):
        return state + factor * (twin - state)


def test_henon_map():
    """a = 1.4, b = 0.3: 0.4192 per step (Sprott, Chaos and Time-Series Analysis, 2003)."""
    henon = Map(lambda x: np.array([1.0 - 1.4 * x[0] ** 2 + x[1], 0.3 * x[0]]))
    start = np.array([0.1, 0.1])
    for _ in range(100):
        start = henon.advance(start)
    logs, _, _, widest = growth(henon, start, start + np.array([1e-8, 0.0]), 4000, 1e-8)
    mean = mean_of(logs)
    assert abs(mean.value - 0.4192) < 3 * mean.error < 0.08
    assert widest < 1e-7


def test_a_pair_that_cannot_be_moved_keeps_its_growth():
    """Doubling each time, brought back every third time only: the logarithms stay ln 2."""
    calls = []

    class Stubborn(Map):
        def back(self, state, twin, factor):
            calls.append(factor)
            return super().back(state, twin, factor) if len(calls) % 3 == 0 else None

    doubling = Stubborn(lambda x: 2.0 * x)
    logs, _, _, widest = growth(doubling, np.zeros(2), np.array([1e-6, 0.0]), 30, 1e-6)
    assert logs == pytest.approx(np.full(30, math.log(2.0)))
    assert widest == pytest.approx(8e-6)


def test_linear_oscillator_has_its_damping():
    """x'' + 0.4 x' + 9 x: both exponents are -0.2 per second."""
    flow = Flow.of(oscillator(3.0, 0.4, (1.0, 2.0)), rtol=1e-10, period=TURN / 2.0)
    _, state = flow.march(flow.start, 20)
    found, _ = exponent(flow, state, 100)
    assert abs(found.per_second.value + 0.2) < 3 * found.per_second.error < 0.01
    assert not found.saturated


@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_bouncing_ball_loses_by_its_restitution(restitution):
    """Where the period-1 orbit spirals in, both multipliers have the modulus e: the determinant of the map is e²."""
    gamma = 0.95 * math.hypot(math.pi * (1 - restitution) / (1 + restitution), 1.0)
    flow = Flow.of(bouncing_ball(gamma, restitution), rtol=1e-10, period=TURN / 200.0)
    _, state = flow.march(flow.start, 30)
    found, _ = exponent(flow, state, 100)
    assert abs(found.mean.value - math.log(restitution)) < 3 * found.mean.error < 0.5
    # the wobble of the norm is bounded, so the mean is much better than its error says
    assert found.mean.value == pytest.approx(math.log(restitution), abs=0.02)


@pytest.mark.parametrize("share", [0.9, 0.998, 1.002])
@pytest.mark.parametrize("restitution", [0.5, 0.8])
def test_hard_bounces_have_the_multipliers_of_the_closed_form(restitution, share):
    """By impacts as instants: ln of the larger root of x² - trace x + e², on either side of the doubling, where the
    orbit that a run starts on is lost too slowly to be left within so few periods."""
    e, gamma = restitution, share * doubling(restitution)
    sine = math.sqrt(1.0 - (math.pi * (1 - e) / (1 + e) / gamma) ** 2)
    trace = 1 + e * e - (1 + e) ** 2 * gamma * sine
    expected = math.log(np.abs(np.roots([1.0, -trace, e * e])).max())
    flow = Flow.of(bouncing_ball(gamma, e), method="impact", rtol=1e-10, period=TURN / 200.0)
    _, state = flow.march(flow.start, 20)
    found, _ = exponent(flow, state, 60)
    assert (found.mean.value > 0.0) == (share > 1.0)
    complex_roots = trace * trace < 4 * e * e
    assert found.mean.value == pytest.approx(expected, abs=0.02 if complex_roots else 2e-3)


def test_a_cycle_is_reached_by_its_exponent():
    """c = 0.01 mm: the way from strobe to strobe shrinks by the exponent, until what the march errs by is left: that is
    1e-7 here, a hundredth of the last way that is looked at."""
    flow = Flow.of(flores2007.slider_crank("0.01 mm"), rtol=1e-12)
    rows, _ = flow.march(flow.start, 7, per=1)
    ruler = Ruler(flow, flow.start)
    states = rows[:, 1 : 1 + flow.system.states]
    shrinking = np.diff(np.log(ruler.apart(states[1:], states[:-1])))[4:]
    loose = Flow.of(flores2007.slider_crank("0.01 mm"), rtol=1e-10)
    _, state = loose.march(loose.start, 20)
    found, _ = exponent(loose, state, 40)
    assert found.mean.value == pytest.approx(shrinking.mean(), abs=0.03)


def test_errors_of_a_coarse_march_part_no_twins():
    """c = 0.022 mm is a cycle. At rtol 1e-8 the march errs by more than the twins would be apart, which was once taken
    for growth (-1.05 per period here, and +12 in places where it is 3): the twins are marched more finely then."""
    loose = flores2007.slider_crank("0.02216 mm", friction=0.039)
    found = []
    for rtol in (1e-8, 1e-11):
        flow = Flow.of(loose, rtol=rtol)
        _, state = flow.march(flow.start, 60)
        found.append(exponent(flow, state, 30)[0])
    assert found[0].rtol < 1e-8 and not found[0].blurred
    assert found[0].mean.value == pytest.approx(found[1].mean.value, abs=0.15)
    assert found[1].mean.value < -1.5


def test_an_exponent_hidden_by_errors_is_no_witness():
    repeat = Repetition(period=1, residual=1e-6, nearest=1, trend=1.0)
    values = np.full(50, -1.0)
    clear, hidden = (Exponent(values, 1.0, 1e-5, 1e-5, bias, 1e-7) for bias in (0.01, 0.3))
    setting = {"length": 1e-3, "tolerance": 1e-6, "turns": 50, "transient": 50.0}
    assert judge(repeat, clear, 0.0, **setting).label == "period-1"
    doubtful = judge(repeat, hidden, 0.0, **setting)
    assert (doubtful.label, doubtful.confidence) == ("not settled", 0.0)
    assert "give a smaller rtol" in doubtful.notes[0]


def tangent_exponent(turns: int) -> tuple[float, float]:
    """Duffing of Ueda by another way: the tangent equation, renormalised each period, with scipy."""
    from scipy.integrate import solve_ivp

    def slopes(t, z):
        x, v, a, b = z
        return [v, -0.05 * v - x**3 + 7.5 * math.cos(t), b, -0.05 * b - 3.0 * x * x * a]

    z, logs = np.array([1.0, 0.0, 1.0, 0.0]), []
    for k in range(turns + 50):
        z = solve_ivp(slopes, (k * TURN, (k + 1) * TURN), z, method="DOP853", rtol=1e-7, atol=1e-7).y[:, -1]
        size = math.hypot(z[2], z[3])
        logs.append(math.log(size))
        z[2:] /= size
    mean = mean_of(logs[50:])
    return mean.value, mean.error


def test_duffing_agrees_with_its_tangent_equation():
    flow = Flow.of(duffing(0.0, 1.0, 0.05, 7.5, 1.0), rtol=1e-10, period=TURN)
    _, state = flow.march(flow.start, 50)
    found, _ = exponent(flow, state, 200)
    value, error = tangent_exponent(200)
    assert abs(found.mean.value - value) < 3 * math.hypot(found.mean.error, error)
    assert found.mean.value > 4 * found.mean.error > 0.0


def test_a_mechanism_without_freedom_has_no_twins():
    flow = Flow.of(flores2007.slider_crank(None), rtol=1e-9)
    found, _ = exponent(flow, flow.start, 5)
    assert found.mean.value == -math.inf


def test_twins_stay_on_the_constraints_and_in_their_modes():
    flow = Flow.of(flores2007.slider_crank("0.5 mm"), rtol=1e-10)
    _, state = flow.march(flow.start, 2.3)
    twins = Twins(flow, Ruler(flow, state))
    twin = twins.beside(state, 1e-4, 1)
    assert twins.distance(state, twin) == pytest.approx(1e-4, rel=0.01)
    rows = flow.channels(np.concatenate([[twin.t], twin.y, twin.m])[None, :], ["crank.angle", "pin.offset"])
    assert rows[0, 0] == pytest.approx(flores2007.SLIDER_CRANK_SPEED * state.t, abs=1e-10)
    half = twins.back(state, twin, 0.5)
    assert half is not None and twins.distance(state, half) == pytest.approx(0.5e-4, rel=0.02)
    other = State(state.t, twin.y, np.where(np.arange(len(twin.m)) == 0, 1.0 - (twin.m > 0.0), twin.m))
    assert twins.back(state, other, 0.5) is None


def test_the_angle_of_a_drive_by_speed_is_not_disturbed():
    """It is time in another dress: disturbing it would give an exponent of zero."""
    m = flores2007.slider_crank("0.5 mm")
    swung = gd.Mechanism("copy")
    swung.body("arm", mass=1.0, inertia=0.1, at=(0.1, 0.0))
    swung.revolute("main", journal="arm", bearing=swung.ground, at=(0.0, 0.0))
    swung.drive("main", speed=lambda t: 3.0 + gd.sin(t))
    flow = Flow.of(swung, rtol=1e-9, period=TURN)
    ruler = Ruler(flow, flow.start)
    assert ruler.weights[2 * flow.system.positions :].max(initial=0.0) == 0.0
    assert Ruler(Flow.of(m), Flow.of(m).start).length == 5e-4


def test_the_well_is_what_it_says():
    assert CubicWell.force(2.0, 0.0, [0.0, 0.0, -1.0, 1.0]) == 6.0
