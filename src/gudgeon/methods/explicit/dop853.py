"""DOP853: the explicit Runge-Kutta method of order 8 of Dormand and Prince, with Hairer's error estimate."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.native.kernel import Kernel, evaluate_row, kernel, record_at
from gudgeon.compile.native.record import Floats, Matrix, Record
from gudgeon.methods.contract import LOG_SMALL, Method, growth
from gudgeon.methods.explicit.dop853_tableau import (
    COUPLING,
    DENSE,
    DENSE_WEIGHTS,
    ERROR3,
    ERROR5,
    EXTRA,
    LAST,
    NODES,
    ROWS,
    STAGES,
    WEIGHTS,
)
from gudgeon.methods.march.memory import March

LOCATING = 1e3  # while onset is located, an error up to this is put up with
FIRST_ORDER = 3.0  # of errors in the first step of a mode


class Dop853Memory(Record):
    """What the method remembers within a step."""

    dense: int  # 1: the stages of the dense output have been evaluated
    good: int  # 1: a step from here has been good
    first: int  # 1: no step of this mode has been accepted yet


@kernel
def stage(y: Floats, k: Matrix, h: float, s: int, out: Floats) -> float:
    """The state at which slope number s is taken."""
    n = y.shape[0]
    for i in range(n):
        out[i] = COUPLING[s, 0] * k[0, i]
    for j in range(1, ROWS):
        a = COUPLING[s, j]
        if a != 0.0:
            for i in range(n):
                out[i] += a * k[j, i]
    for i in range(n):
        out[i] = y[i] + h * out[i]
    return 0.0


# Two embedded results, of order 5 and 3, with e5 and e3 the norms of their distance from the one of order 8:
#   error = e5 e5 / sqrt(e5² + 0.01 e3²)        (Hairer, Norsett, Wanner, Solving ODEs I, II.10)
# falls like h^6 h^6 / h^4 = h^8 where both behave as they should, and is about e5 where e3 is not far above. In the
# first step of a mode they do not: contact laws begin like depth^1.5, both are of order 3 and the one of order 5 passes
# through zero for some length of the step. There the error is sqrt(e5² + 0.01 e3²), which does not.
@kernel
def combined_error(y: Floats, new: Floats, k: Matrix, h: float, atol: Floats, rtol: float, controlled: float,
                   first: int) -> float:  # fmt: skip
    """The error relative to the tolerance, over the states under error control. first: 1 in the first step of a mode,
    else 0."""
    n = int(controlled)
    fifth, third = 0.0, 0.0
    for i in range(n):
        e5, e3 = 0.0, 0.0
        for j in range(STAGES):
            e5 += ERROR5[j] * k[j, i]
            e3 += ERROR3[j] * k[j, i]
        scale = h / (atol[i] + rtol * max(abs(y[i]), abs(new[i])))
        fifth += (e5 * scale) ** 2
        third += (e3 * scale) ** 2
    mixed = fifth + 0.01 * third
    if first > 0:
        return (mixed / n) ** 0.5
    return fifth / (mixed * n) ** 0.5 if mixed > 0.0 else mixed


@kernel
def restart(w: March) -> float:
    evaluate_row(w.rhs_at, w.t, w.y, w.p, w.m, w.k, 0)
    w.evaluations += 1
    w.order = FIRST_ORDER
    w.log_error = LOG_SMALL
    own = record_at(w.method_at, Dop853Memory)
    own.dense = own.good = 0
    own.first = 1
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, out, p, m, k, atol, rtol = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k, w.atol, w.rtol
    for s in range(1, STAGES):
        stage(y, k, h, s, out)
        evaluate_row(rhs, t + NODES[s] * h, out, p, m, k, s)
    for i in range(y.shape[0]):
        new[i] = WEIGHTS[0] * k[0, i]
    for j in range(1, STAGES):
        b = WEIGHTS[j]
        if b != 0.0:
            for i in range(y.shape[0]):
                new[i] += b * k[j, i]
    for i in range(y.shape[0]):
        new[i] = y[i] + h * new[i]
    w.evaluations += 11
    own = record_at(w.method_at, Dop853Memory)
    own.dense = 0
    error = combined_error(y, new, k, h, atol, rtol, w.controlled, own.first)
    # nobody asks for the slope at the end of a step that is turned down
    if error <= 1.0 or (own.good > 0 and error <= LOCATING):
        evaluate_row(rhs, t + h, new, p, m, k, LAST)
        w.evaluations += 1
        own.good = 1
    return error


@kernel
def extend(w: March, h: float) -> float:
    """Three more stages and the upper four coefficients of the dense output."""
    rhs, t, y, out, p, m, k = w.rhs_at, w.t, w.y, w.out, w.p, w.m, w.k
    for s in range(EXTRA, DENSE):
        stage(y, k, h, s, out)
        evaluate_row(rhs, t + NODES[s] * h, out, p, m, k, s)
    w.evaluations += 3
    for d in range(4):
        for i in range(y.shape[0]):
            k[DENSE + d, i] = DENSE_WEIGHTS[d, LAST] * k[LAST, i]
        for j in range(DENSE):
            a = DENSE_WEIGHTS[d, j]
            if a != 0.0:
                for i in range(y.shape[0]):
                    k[DENSE + d, i] += a * k[j, i]
    own = record_at(w.method_at, Dop853Memory)
    own.dense = 1
    return 0.0


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic through both ends plus terms of degree 4 to 7 that vanish with their slope at both ends
    (Hairer, Norsett, Wanner II.6)."""
    y, new, out, k = w.y, w.new, w.out, w.k
    own = record_at(w.method_at, Dop853Memory)
    if own.dense == 0:
        extend(w, h)
    z = 1.0 - x
    for i in range(y.shape[0]):
        jump, begin, end = new[i] - y[i], h * k[0, i], h * k[LAST, i]
        upper = k[DENSE, i] + x * (k[DENSE + 1, i] + z * (k[DENSE + 2, i] + x * k[DENSE + 3, i]))
        out[i] = y[i] + x * (jump + z * (begin - jump + x * (2.0 * jump - begin - end + z * h * upper)))
    return 0.0


@kernel
def commit(w: March, h: float, error: float) -> float:
    k = w.k
    for i in range(k.shape[1]):
        k[0, i] = k[LAST, i]
    own = record_at(w.method_at, Dop853Memory)
    own.dense = own.good = own.first = 0
    factor = growth(w, error)
    w.order = 8.0
    return factor


@dataclass(frozen=True)
class Dop853(Method):
    """Explicit Runge-Kutta of order 8 with error control: for tight tolerances on smooth motion."""

    title = "DOP853"
    reference = "Prince and Dormand 1981; Hairer, Norsett, Wanner, Solving ODEs I, II.5, II.6 and II.10"
    works = ("prince1981", "hairer1993")
    order = 8
    rows = ROWS
    record = Dop853Memory

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit
