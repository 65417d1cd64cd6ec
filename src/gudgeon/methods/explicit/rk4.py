"""RK4: the classical Runge-Kutta method with a fixed step, for comparison."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.native.kernel import Kernel, evaluate_row, kernel
from gudgeon.methods.contract import LOG_SMALL, Method
from gudgeon.methods.march.memory import March


@kernel
def restart(w: March) -> float:
    evaluate_row(w.rhs_at, w.t, w.y, w.p, w.m, w.k, 0)
    w.evaluations += 1
    w.order = 4.0
    w.log_error = LOG_SMALL
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, out, p, m, k = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k
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
    w.evaluations += 4
    return 0.0


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic through both ends."""
    y, new, out, k = w.y, w.new, w.out, w.k
    last = k.shape[0] - 1
    for i in range(y.shape[0]):
        jump, first, second = new[i] - y[i], h * k[0, i], h * k[last, i]
        out[i] = y[i] + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * first - x * second))
    return 0.0


@kernel
def commit(w: March, h: float, error: float) -> float:
    k = w.k
    last = k.shape[0] - 1
    for i in range(k.shape[1]):
        k[0, i] = k[last, i]
    return 100.0  # back to the full step, also from the short one after an event


@dataclass(frozen=True)
class RK4(Method):
    """Classical Runge-Kutta of order 4 with a fixed step; contact onset is still located within the step."""

    title = "RK4"
    reference = "Kutta 1901"
    order = 4
    rows = 5
    adaptive = False

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit
