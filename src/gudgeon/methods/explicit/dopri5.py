"""DOPRI5: the explicit Runge-Kutta pair of order 5(4) of Dormand and Prince."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.native.kernel import Kernel, evaluate_row, kernel
from gudgeon.methods.contract import LOG_SMALL, Method, error_norm, growth
from gudgeon.methods.march.memory import March


@kernel
def restart(w: March) -> float:
    evaluate_row(w.rhs_at, w.t, w.y, w.p, w.m, w.k, 0)
    w.evaluations += 1
    w.order = 5.0
    w.log_error = LOG_SMALL
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, out, p, m, k, atol, rtol = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k, w.atol, w.rtol
    n = w.controlled  # integrals ride along: no stage depends on them
    for i in range(n):
        out[i] = y[i] + h * (1 / 5) * k[0, i]
    evaluate_row(rhs, t + h / 5, out, p, m, k, 1)
    for i in range(n):
        out[i] = y[i] + h * (3 / 40 * k[0, i] + 9 / 40 * k[1, i])
    evaluate_row(rhs, t + 0.3 * h, out, p, m, k, 2)
    for i in range(n):
        out[i] = y[i] + h * (44 / 45 * k[0, i] - 56 / 15 * k[1, i] + 32 / 9 * k[2, i])
    evaluate_row(rhs, t + 0.8 * h, out, p, m, k, 3)
    for i in range(n):
        out[i] = y[i] + h * (
            19372 / 6561 * k[0, i] - 25360 / 2187 * k[1, i] + 64448 / 6561 * k[2, i] - 212 / 729 * k[3, i]
        )
    evaluate_row(rhs, t + 8 / 9 * h, out, p, m, k, 4)
    for i in range(n):
        out[i] = y[i] + h * (
            9017 / 3168 * k[0, i] - 355 / 33 * k[1, i] + 46732 / 5247 * k[2, i] + 49 / 176 * k[3, i]
            - 5103 / 18656 * k[4, i]
        )  # fmt: skip
    evaluate_row(rhs, t + h, out, p, m, k, 5)
    for i in range(y.shape[0]):
        new[i] = y[i] + h * (
            35 / 384 * k[0, i] + 500 / 1113 * k[2, i] + 125 / 192 * k[3, i] - 2187 / 6784 * k[4, i] + 11 / 84 * k[5, i]
        )
    evaluate_row(rhs, t + h, new, p, m, k, 6)
    w.evaluations += 6
    for i in range(n):
        out[i] = h * (
            71 / 57600 * k[0, i] - 71 / 16695 * k[2, i] + 71 / 1920 * k[3, i] - 17253 / 339200 * k[4, i]
            + 22 / 525 * k[5, i] - 1 / 40 * k[6, i]
        )  # fmt: skip
    return error_norm(out, y, new, atol, rtol, n)


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Continuous extension of order 4, written as Hermite's cubic through both ends plus a quartic correction
    that vanishes with its slope at both ends (Hairer, Norsett, Wanner II.6)."""
    y, new, out, k = w.y, w.new, w.out, w.k
    bubble = x * x * (1.0 - x) * (1.0 - x)
    for i in range(y.shape[0]):
        jump = new[i] - y[i]
        cubic = y[i] + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * h * k[0, i] - x * h * k[6, i]))
        quartic = (
            -12715105075 / 11282082432 * k[0, i] + 87487479700 / 32700410799 * k[2, i]
            - 10690763975 / 1880347072 * k[3, i] + 701980252875 / 199316789632 * k[4, i]
            - 1453857185 / 822651844 * k[5, i] + 69997945 / 29380423 * k[6, i]
        )  # fmt: skip
        out[i] = cubic + bubble * h * quartic
    return 0.0


@kernel
def commit(w: March, h: float, error: float) -> float:
    k = w.k
    for i in range(k.shape[1]):
        k[0, i] = k[6, i]
    return growth(w, error)


@dataclass(frozen=True)
class Dopri5(Method):
    """Explicit Runge-Kutta of order 5 with error control: the robust default."""

    title = "DOPRI5"
    reference = "Dormand and Prince 1980; Hairer, Norsett, Wanner, Solving ODEs I, II.5"
    works = ("dormand1980", "hairer1993")
    order = 5
    rows = 7

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit
