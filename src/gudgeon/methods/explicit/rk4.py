"""RK4: the classical Runge-Kutta method with a fixed step, for comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.compile.native.kernel import evaluate_row, kernel
from gudgeon.methods.contract import EVALUATIONS, LAST_ERROR, LOG_SMALL, ORDER, STEP, Method


@kernel(STEP)
def restart(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    evaluate_row(rhs, t, y, p, m, k, 0)
    control[EVALUATIONS] += 1.0
    control[ORDER] = 4.0
    control[LAST_ERROR] = LOG_SMALL
    return 0.0


@kernel(STEP)
def attempt(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    n = y.shape[0]
    for i in range(n):
        out[i] = y[i] + 0.5 * h * k[0, i]
    evaluate_row(rhs, t + 0.5 * h, out, p, m, k, 1)
    for i in range(n):
        out[i] = y[i] + 0.5 * h * k[1, i]
    evaluate_row(rhs, t + 0.5 * h, out, p, m, k, 2)
    for i in range(n):
        out[i] = y[i] + h * k[2, i]
    evaluate_row(rhs, t + h, out, p, m, k, 3)
    for i in range(n):
        new[i] = y[i] + h / 6 * (k[0, i] + 2.0 * (k[1, i] + k[2, i]) + k[3, i])
    evaluate_row(rhs, t + h, new, p, m, k, 4)
    control[EVALUATIONS] += 4.0
    return 0.0


@kernel(STEP)
def interpolate(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """Hermite's cubic through both ends."""
    last = k.shape[0] - 1
    for i in range(y.shape[0]):
        jump, first, second = new[i] - y[i], h * k[0, i], h * k[last, i]
        out[i] = y[i] + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * first - x * second))
    return 0.0


@kernel(STEP)
def commit(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    last = k.shape[0] - 1
    for i in range(y.shape[0]):
        k[0, i] = k[last, i]
    return 100.0  # back to the full step, also from the short one after an event


@dataclass(frozen=True)
class RK4(Method):
    """Classical Runge-Kutta of order 4 with a fixed step. Onset is still located on the step."""

    title = "RK4"
    reference = "Kutta 1901"
    order = 4
    rows = 5
    adaptive = False

    def functions(self) -> tuple[Any, Any, Any, Any]:
        return restart, attempt, interpolate, commit
