"""Radau: the implicit Runge-Kutta method Radau IIA of order 5, for stiff mechanisms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import evaluate_row, kernel
from gudgeon.methods.contract import Method, error_norm
from gudgeon.methods.implicit.radau_linear import (
    ALPHA,
    BETA,
    FRESH,
    GAMMA,
    LENGTH,
    METHOD,
    PAST,
    STALE,
    WEIGHT,
    F,
    J,
    R,
    W,
    Z,
    factorise,
    linearise,
    solve_pair,
    solve_real,
)
from gudgeon.methods.march.memory import March

# The collocation polynomial u of degree 3 with u(t) = y has the slope f(t + c_i h, u) at three nodes, the last of which
# is the end of the step (Hairer, Wanner, Solving ODEs II, IV.5). With z_i = u(t + c_i h) - y:
#   z_i = h sum over j of a_ij f(t + c_j h, y + z_j),   new = y + z_3
# States behind the controlled ones (integrals) follow from the same formula; no slope depends on them.
ROOT = math.sqrt(6.0)
C1, C2 = (4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0
A11, A12, A13 = (88.0 - 7.0 * ROOT) / 360.0, (296.0 - 169.0 * ROOT) / 1800.0, (-2.0 + 3.0 * ROOT) / 225.0
A21, A22, A23 = (296.0 + 169.0 * ROOT) / 1800.0, (88.0 + 7.0 * ROOT) / 360.0, (-2.0 - 3.0 * ROOT) / 225.0
A31, A32, A33 = (16.0 - ROOT) / 36.0, (16.0 + ROOT) / 36.0, 1.0 / 9.0

# With z = T w the inverse of the matrix (a_ij) falls apart into a real and a complex number (IV.8):
#   T^-1 A^-1 T = [GAMMA 0 0; 0 ALPHA -BETA; 0 BETA ALPHA]
# and a step of simplified Newton's method, with J the Jacobian of f, is one real and one complex linear system:
#   (GAMMA/h - J) dw_1 = (T^-1 f)_1 - GAMMA/h w_1
#   (s - J) (dw_2 + i dw_3) = (T^-1 f)_2 + i (T^-1 f)_3 - s (w_2 + i w_3),   s = (ALPHA + i BETA)/h
# The columns of T are eigenvectors of A^-1, with 1 (and 0 for the imaginary part) as their last numbers.
T11, T12, T13 = 0.0944387624889752415, -0.141255295020954208, -0.0300291941051474245
T21, T22, T23 = 0.250213122965333311, 0.204129352293799932, 0.382942112757261938
V11, V12, V13 = 4.17871859155190473, 0.327682820761062387, 0.523376445499449548
V21, V22, V23 = -4.17871859155190473, -0.327682820761062387, 0.476623554500550452
V31, V32, V33 = -0.502872634945786876, 2.57192694985560543, -0.596039204828224925

# The error is that of an embedded formula of order 3 which takes the slope at y too, filtered so that stiff parts do
# not exaggerate it (IV.8):  (GAMMA/h - J) e = f(t, y) + (E1 z_1 + E2 z_2 + E3 z_3)/h
E1, E2, E3 = -(13.0 + 7.0 * ROOT) / 3.0, (-13.0 + 7.0 * ROOT) / 3.0, -1.0 / 3.0

# places in `control`
PAST_LENGTH = METHOD  # of the last step; 0: there is none
PAST_ERROR = METHOD + 1
RATE, NEW_RATE = METHOD + 2, METHOD + 3  # error after an iteration relative to its correction: last step, this one
THETA = METHOD + 4  # factor by which corrections fall
ITERATIONS = METHOD + 5
LAST_MOVE = METHOD + 6  # size of the last correction, relative to what is tolerated
FAILED = METHOD + 7  # a step from this t has been turned down
SHARE = METHOD + 8  # of the first two stages in the last correction of the third
BESIDE = METHOD + 10  # what their corrections have beside it, relative to it

ESTIMATED = 4.0  # the power of h in the estimate
UNSOLVED = 1e10  # the "error" of a step whose equations could not be solved ...
HALVED = math.log(UNSOLVED) / math.log(1.8)  # ... and the power with which the time loop halves it
MOST_ITERATIONS = 10
SLOWEST = 0.4  # corrections should fall by this factor at least; it is taken to go with the step
DIVERGED = 2.0  # corrections that grow by this factor will not fall again
KEEP = 1e-3  # the Jacobian is kept while corrections fall by this factor
SAFETY, LEAST, MOST = 0.9, 0.2, 8.0
STEADY = 1.2  # a step that could grow by less keeps its length, and the factors with it


# The estimate is of order 3, the result of order 5. So that the error of the result follows the tolerance, the estimate
# is held against a looser one, 0.1 rtol^(2/3) instead of rtol, as in Hairer's and Wanner's program.
@kernel
def strictness(rtol: float) -> float:
    """The tolerance relative to the one the estimate is held against."""
    return 10.0 * rtol ** (1.0 / 3.0)


@kernel
def predict(k: Any, w: March, h: float) -> float:
    """First z and w: the polynomial of the last step, continued; 0 where there is none."""
    n, past = w.controlled, w.control[PAST_LENGTH]
    for s in range(3):
        node = C1 if s == 0 else C2 if s == 1 else 1.0
        x = 1.0 + node * h / past if past > 0.0 else 1.0
        # Lagrange's polynomials on 0, C1, C2, 1; the last one less its value at the start of this step
        l1 = x * (x - C2) * (x - 1.0) / (C1 * (C1 - C2) * (C1 - 1.0))
        l2 = x * (x - C1) * (x - 1.0) / (C2 * (C2 - C1) * (C2 - 1.0))
        l3 = x * (x - C1) * (x - C2) / ((1.0 - C1) * (1.0 - C2)) - 1.0
        for i in range(n):
            k[Z + s, i] = l1 * k[PAST, i] + l2 * k[PAST + 1, i] + l3 * k[PAST + 2, i] if past > 0.0 else 0.0
    for i in range(n):
        z1, z2, z3 = k[Z, i], k[Z + 1, i], k[Z + 2, i]
        k[W, i] = V11 * z1 + V12 * z2 + V13 * z3
        k[W + 1, i] = V21 * z1 + V22 * z2 + V23 * z3
        k[W + 2, i] = V31 * z1 + V32 * z2 + V33 * z3
    return 0.0


@kernel
def correct(k: Any, w: March, h: float) -> float:
    """From the slopes of the stages: one correction of w and z. Gives its size relative to the tolerance."""
    n = w.controlled
    g, a, b = GAMMA / h, ALPHA / h, BETA / h
    for i in range(n):
        f1, f2, f3 = k[F, i], k[F + 1, i], k[F + 2, i]
        w2, w3 = k[W + 1, i], k[W + 2, i]
        k[R, i] = V11 * f1 + V12 * f2 + V13 * f3 - g * k[W, i]
        k[R + 1, i] = V21 * f1 + V22 * f2 + V23 * f3 - (a * w2 - b * w3)
        k[R + 2, i] = V31 * f1 + V32 * f2 + V33 * f3 - (a * w3 + b * w2)
    solve_real(k, w, h, R)
    solve_pair(k, w, h, R + 1)
    total = 0.0
    for i in range(n):
        weight = k[WEIGHT, i]
        total += (weight * k[R, i]) ** 2 + (weight * k[R + 1, i]) ** 2 + (weight * k[R + 2, i]) ** 2
        k[W, i] += k[R, i]
        k[W + 1, i] += k[R + 1, i]
        k[W + 2, i] += k[R + 2, i]
        w1, w2, w3 = k[W, i], k[W + 1, i], k[W + 2, i]
        k[Z, i] = T11 * w1 + T12 * w2 + T13 * w3
        k[Z + 1, i] = T21 * w1 + T22 * w2 + T23 * w3
        k[Z + 2, i] = w1 + w2
    return math.sqrt(total / (3 * n))


# The slopes of the stages are those before the last correction. The third is evaluated after it, since the next step
# begins there. Corrections of all stages lie mostly along one direction, that in which the prediction was wrong. So the
# slopes of the integrals in the other two changed as that of the third did, each by its share s of the correction:
#   z_1 -> s_1 z_3 + what lies beside,   s_1 = (z_1 . z_3) / (z_3 . z_3)
@kernel
def shares(k: Any, w: March) -> int:
    """Shares of the first two stages in the last correction of the third, and the size of what lies beside."""
    square, first, second, both = 1e-300, 0.0, 0.0, 0.0
    for i in range(w.controlled):
        weight = k[WEIGHT, i]
        w1, w2, w3 = weight * k[R, i], weight * k[R + 1, i], weight * k[R + 2, i]
        z1, z2, z3 = T11 * w1 + T12 * w2 + T13 * w3, T21 * w1 + T22 * w2 + T23 * w3, w1 + w2
        square += z3 * z3
        first += z3 * z1
        second += z3 * z2
        both += z1 * z1 + z2 * z2
    w.control[SHARE], w.control[SHARE + 1] = first / square, second / square
    w.control[BESIDE] = math.sqrt(max(0.0, both / square - w.control[SHARE] ** 2 - w.control[SHARE + 1] ** 2))
    return 0


@kernel
def slopes(rhs: int, t: float, h: float, y: Any, out: Any, p: Any, m: Any, k: Any, w: March, stages: int) -> int:
    """The slopes of the first stages into their rows."""
    for s in range(stages):
        for i in range(w.controlled):
            out[i] = y[i] + k[Z + s, i]
        node = C1 if s == 0 else C2 if s == 1 else 1.0
        evaluate_row(rhs, t + node * h, out, p, m, k, F + s)
    w.evaluations += stages
    return 0


# With d_m the size of correction m and theta = d_m / d_(m-1), the error left is about rate d_m, where rate is
# theta / (1 - theta); before theta is known, the rate of the last step is taken (IV.8). Given up
# where corrections do not fall fast enough, on the mean, for the iterations that are left. Single ones may not fall at
# all: what one correction moves along a stiff direction that turns, the next has to put right.
@kernel
def iterate(w: March, h: float, x: float) -> float:
    """Simplified Newton's method for the stages; x is the error it may leave. Gives 1 where it has converged."""
    rhs, t, y, out, p, m, k = w.rhs_at, w.t, w.y, w.out, w.p, w.m, w.k
    predict(k, w, h)
    rate, theta, first, before, before_that = w.control[RATE] ** 0.8, KEEP, 1.0, 1.0, 1.0
    for iteration in range(MOST_ITERATIONS):
        slopes(rhs, t, h, y, out, p, m, k, w, 3)
        size = correct(k, w, h)
        if not size < 1e100:
            return 0.0
        if iteration > 0:
            quotient = size / before
            theta = quotient if iteration == 1 else math.sqrt(quotient * before_that)
            before_that = quotient
            rate = theta / (1.0 - min(theta, 0.99))
            mean = (size / first) ** (1.0 / iteration)
            if theta > DIVERGED or (iteration > 1 and size * mean ** (MOST_ITERATIONS - 1 - iteration) > x):
                return 0.0
        else:
            first = max(size, 1e-300)
        before, rate = max(size, 1e-300), max(rate, 1e-16)
        if rate * size <= x:
            w.control[NEW_RATE], w.control[THETA], w.control[ITERATIONS] = rate, theta, iteration + 1.0
            w.control[LAST_MOVE] = size / x
            shares(k, w)
            return 1.0
    return 0.0


@kernel
def solve_step(w: March, h: float, x: float) -> float:
    """The stages of a step; a Jacobian from an earlier step is evaluated anew before this gives up. 1: solved."""
    y, out, k, atol, rtol = w.y, w.out, w.k, w.atol, w.rtol
    looser = rtol / strictness(rtol)
    for i in range(y.shape[0]):
        out[i] = y[i]
        k[WEIGHT, i] = 1.0 / (looser * (atol[i] / rtol + abs(y[i])))
    left = max(2e-15 / looser, min(0.03, math.sqrt(looser)))
    solved = 0.0
    while solved == 0.0:
        if w.control[STALE] > 0.0:
            linearise(w, h, x)
        if w.control[LENGTH] == h or factorise(k, w, h) > 0.0:
            solved = iterate(w, h, left)
        if solved == 0.0:
            if w.control[FRESH] > 0.0:
                break
            w.control[STALE] = 1.0
    return solved


@kernel
def estimate(w: March, h: float, x: float) -> float:
    """The error relative to the tolerance. Where it seems too large it is filtered once more, at one evaluation."""
    rhs, t, y, new, out, p, m, k, atol, rtol = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k, w.atol, w.rtol
    n, error = w.controlled, 0.0
    for i in range(n):
        k[R + 1, i] = k[0, i]
    for again in range(2):
        for i in range(n):
            k[R + 1, i] += (E1 * k[Z, i] + E2 * k[Z + 1, i] + E3 * k[Z + 2, i]) / h
        solve_real(k, w, h, R + 1)
        for i in range(n):
            out[i] = k[R + 1, i]
        error = strictness(rtol) * error_norm(out, y, new, atol, rtol, n)
        if again == 1 or error <= 1.0:
            break
        for i in range(n):
            out[i] = y[i] + k[R + 1, i]
        evaluate_row(rhs, t, out, p, m, k, R + 1)
        w.evaluations += 1
    return error


@kernel
def uncertain(y: Any, k: Any, w: March, part: float) -> int:
    """Integrals whose slopes may have changed by more than this part of them, beside what the shares tell."""
    found, last = 0, k.shape[0] - 1
    for i in range(w.controlled, y.shape[0]):
        largest = max(abs(k[F, i]), abs(k[F + 1, i]), abs(k[last, i]))
        if w.control[BESIDE] * abs(k[last, i] - k[F + 2, i]) > part * largest:
            found += 1
    return found


@kernel
def finish(w: March, h: float, x: float) -> float:
    """The slope at `new`, and the integrals from the slopes of the stages."""
    rhs, t, y, new, out, p, m, k, rtol = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k, w.rtol
    n, last = w.controlled, k.shape[0] - 1
    evaluate_row(rhs, t + h, new, p, m, k, last)
    w.evaluations += 1
    if w.control[LAST_MOVE] > 1.0 and uncertain(y, k, w, rtol / strictness(rtol)) > 0:
        slopes(rhs, t, h, y, out, p, m, k, w, 2)
        w.control[SHARE] = w.control[SHARE + 1] = 0.0
    for i in range(n, y.shape[0]):
        f3 = k[last, i]
        change = f3 - k[F + 2, i]
        f1, f2 = k[F, i] + w.control[SHARE] * change, k[F + 1, i] + w.control[SHARE + 1] * change
        k[Z, i] = h * (A11 * f1 + A12 * f2 + A13 * f3)
        k[Z + 1, i] = h * (A21 * f1 + A22 * f2 + A23 * f3)
        k[Z + 2, i] = h * (A31 * f1 + A32 * f2 + A33 * f3)
        new[i] = y[i] + k[Z + 2, i]
    return 0.0


@kernel
def restart(w: March) -> float:
    rhs, t, y, p, m, k = w.rhs_at, w.t, w.y, w.p, w.m, w.k
    evaluate_row(rhs, t, y, p, m, k, 0)
    w.evaluations += 1
    w.order = ESTIMATED
    w.control[STALE] = w.control[RATE] = 1.0
    w.control[LENGTH] = w.control[PAST_LENGTH] = w.control[FAILED] = w.control[FRESH] = 0.0
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    y, new, k = w.y, w.new, w.k
    error, w.order = UNSOLVED, HALVED
    if solve_step(w, h, 0.0) > 0.0:
        for i in range(w.controlled):
            new[i] = y[i] + k[Z + 2, i]
        error, w.order = estimate(w, h, 0.0), ESTIMATED
        finish(w, h, 0.0)
    if not error <= 1.0:
        w.control[FAILED] = 1.0
    return error


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """The collocation polynomial; what the projection did to `new` goes with its last part."""
    y, new, out, k = w.y, w.new, w.out, w.k
    l1 = x * (x - C2) * (x - 1.0) / (C1 * (C1 - C2) * (C1 - 1.0))
    l2 = x * (x - C1) * (x - 1.0) / (C2 * (C2 - C1) * (C2 - 1.0))
    l3 = x * (x - C1) * (x - C2) / ((1.0 - C1) * (1.0 - C2))
    for i in range(y.shape[0]):
        out[i] = y[i] + l1 * k[Z, i] + l2 * k[Z + 1, i] + l3 * (new[i] - y[i])
    return 0.0


# The next step follows from the error and from its change since the last step (Gustafsson; IV.8),
# and may not grow so much that the corrections, which fall by theta now, would fall too slowly.
@kernel
def commit(w: March, h: float, x: float) -> float:
    y, k = w.y, w.k
    last, error = k.shape[0] - 1, max(x, 1e-10)
    safety = SAFETY * (2.0 * MOST_ITERATIONS + 1.0) / (2.0 * MOST_ITERATIONS + w.control[ITERATIONS])
    grown = safety * error ** (-1.0 / ESTIMATED)
    if w.control[PAST_LENGTH] > 0.0:
        trend = SAFETY * h / w.control[PAST_LENGTH] * (w.control[PAST_ERROR] / (error * error)) ** (1.0 / ESTIMATED)
        grown = min(grown, trend)
    grown = min(grown, max(1.0, SLOWEST / w.control[THETA]))
    grown = min(MOST, max(LEAST, grown))
    if w.control[FAILED] > 0.0:
        grown = min(grown, 1.0)
    w.control[STALE] = 1.0 if w.control[THETA] > KEEP else 0.0
    if w.control[STALE] == 0.0 and 1.0 <= grown <= STEADY:
        grown = 1.0
    for i in range(y.shape[0]):
        k[0, i] = k[last, i]
        for s in range(3):
            k[PAST + s, i] = k[Z + s, i]
    w.control[PAST_LENGTH], w.control[PAST_ERROR], w.control[RATE] = h, max(error, 0.01), w.control[NEW_RATE]
    w.control[FRESH] = w.control[FAILED] = 0.0
    return grown


@dataclass(frozen=True)
class Radau(Method):
    """Implicit Runge-Kutta of order 5 with error control: for stiff mechanisms, such as hard, strongly damped bushings.

    Every step solves for its three stages together, with the Jacobian of the equations.
    """

    title = "Radau"
    reference = "Hairer and Wanner 1996, Solving ODEs II, IV.5 and IV.8"
    works = ("hairer1996",)
    order = 5
    rows = J + 1
    rows_per_state = 4

    def needs(self) -> Needs:
        return Needs(jacobian=True)

    def functions(self) -> tuple[Any, Any, Any, Any]:
        return restart, attempt, interpolate, commit
