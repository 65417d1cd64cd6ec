"""Radau: the implicit Runge-Kutta method Radau IIA of order 5, for stiff mechanisms.

Three stages are solved for together by simplified Newton's method, with the Jacobian of the slopes and two factorised
systems (radau_linear.py); both are kept from step to step while corrections fall fast. The formulas stand at the
kernels that use them, with the sections of Hairer and Wanner.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, evaluate_row, kernel, record_at
from gudgeon.compile.native.record import Floats, Matrix, Record
from gudgeon.methods.contract import Method, error_norm
from gudgeon.methods.implicit.radau_linear import (
    ALPHA,
    BETA,
    GAMMA,
    RadauSystems,
    factorise,
    linearise,
    radau_systems,
    solve_complex_pair,
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

ESTIMATED = 4.0  # the power of h in the estimate
UNSOLVED = 1e10  # the "error" of a step whose equations could not be solved ...
HALVED = math.log(UNSOLVED) / math.log(1.8)  # ... and the power with which the time loop halves it
MOST_ITERATIONS = 10
SLOWEST = 0.4  # corrections should fall by this factor at least; it is taken to go with the step
DIVERGED = 2.0  # corrections that grow by this factor will not fall again
KEEP = 1e-3  # the Jacobian is kept while corrections fall by this factor
SAFETY, LEAST, MOST = 0.9, 0.2, 8.0
STEADY = 1.2  # a step that could grow by less keeps its length, and the factors with it


class RadauMemory(Record):
    """The stages of a step and what the method remembers from one step to the next."""

    systems: RadauSystems
    past_length: float  # of the last step; 0: there is none
    past_error: float
    rate: float  # error after an iteration relative to its correction: in the last step ...
    new_rate: float  # ... and in this one
    theta: float  # factor by which corrections fall
    iterations: int
    last_move: float  # size of the last correction, relative to what is tolerated
    failed: int  # 1: a step from this time has been turned down
    first_share: float  # of the first two stages in the last correction of the third ...
    second_share: float
    beside: float  # ... and the size of what their corrections have beside it, relative to it
    slopes: Matrix  # of the stages
    z: Matrix  # stages less the state at the start
    past_z: Matrix  # those of the last step
    transformed: Matrix  # w
    weight: Floats  # of each state in the norm of corrections
    correction_real: Floats  # right-hand sides of the systems, then corrections of w
    correction_re: Floats
    correction_im: Floats
    defect: Floats  # the error, filtered


# The estimate is of order 3, the result of order 5. So that the error of the result follows the tolerance, the estimate
# is held against a looser one, 0.1 rtol^(2/3) instead of rtol, as in Hairer's and Wanner's program.
@kernel
def strictness(rtol: float) -> float:
    """The tolerance relative to the one the estimate is held against."""
    return 10.0 * rtol ** (1.0 / 3.0)


@kernel
def predict(w: March, own: RadauMemory, h: float) -> int:
    """First z and w: the polynomial of the last step, continued; 0 where there is none."""
    n, past = w.controlled, own.past_length
    z, past_z, transformed = own.z, own.past_z, own.transformed
    for s in range(3):
        node = C1 if s == 0 else C2 if s == 1 else 1.0
        x = 1.0 + node * h / past if past > 0.0 else 1.0
        # Lagrange's polynomials on 0, C1, C2, 1; the last one less its value at the start of this step
        l1 = x * (x - C2) * (x - 1.0) / (C1 * (C1 - C2) * (C1 - 1.0))
        l2 = x * (x - C1) * (x - 1.0) / (C2 * (C2 - C1) * (C2 - 1.0))
        l3 = x * (x - C1) * (x - C2) / ((1.0 - C1) * (1.0 - C2)) - 1.0
        for i in range(n):
            z[s, i] = l1 * past_z[0, i] + l2 * past_z[1, i] + l3 * past_z[2, i] if past > 0.0 else 0.0
    for i in range(n):
        z1, z2, z3 = z[0, i], z[1, i], z[2, i]
        transformed[0, i] = V11 * z1 + V12 * z2 + V13 * z3
        transformed[1, i] = V21 * z1 + V22 * z2 + V23 * z3
        transformed[2, i] = V31 * z1 + V32 * z2 + V33 * z3
    return 0


@kernel
def correct(w: March, own: RadauMemory, h: float) -> float:
    """From the slopes of the stages: one correction of w and z. Gives its size relative to the tolerance."""
    n, slopes, z, transformed, weight = w.controlled, own.slopes, own.z, own.transformed, own.weight
    r1, r2, r3 = own.correction_real, own.correction_re, own.correction_im
    g, a, b = GAMMA / h, ALPHA / h, BETA / h
    for i in range(n):
        f1, f2, f3 = slopes[0, i], slopes[1, i], slopes[2, i]
        w2, w3 = transformed[1, i], transformed[2, i]
        r1[i] = V11 * f1 + V12 * f2 + V13 * f3 - g * transformed[0, i]
        r2[i] = V21 * f1 + V22 * f2 + V23 * f3 - (a * w2 - b * w3)
        r3[i] = V31 * f1 + V32 * f2 + V33 * f3 - (a * w3 + b * w2)
    solve_real(w, own.systems, h, r1)
    solve_complex_pair(w, own.systems, h, r2, r3)
    total = 0.0
    for i in range(n):
        scale = weight[i]
        total += (scale * r1[i]) ** 2 + (scale * r2[i]) ** 2 + (scale * r3[i]) ** 2
        transformed[0, i] += r1[i]
        transformed[1, i] += r2[i]
        transformed[2, i] += r3[i]
        w1, w2, w3 = transformed[0, i], transformed[1, i], transformed[2, i]
        z[0, i] = T11 * w1 + T12 * w2 + T13 * w3
        z[1, i] = T21 * w1 + T22 * w2 + T23 * w3
        z[2, i] = w1 + w2
    return math.sqrt(total / (3 * n))


# The slopes of the stages are those before the last correction. The third is evaluated after it, since the next step
# begins there. Corrections of all stages lie mostly along one direction, that in which the prediction was wrong. So the
# slopes of the integrals in the other two changed as that of the third did, each by its share s of the correction:
#   z_1 -> s_1 z_3 + what lies beside,   s_1 = (z_1 . z_3) / (z_3 . z_3)
@kernel
def shares(w: March, own: RadauMemory) -> int:
    """Shares of the first two stages in the last correction of the third, and the size of what lies beside."""
    r1, r2, r3 = own.correction_real, own.correction_re, own.correction_im
    square, first, second, both = 1e-300, 0.0, 0.0, 0.0
    for i in range(w.controlled):
        scale = own.weight[i]
        w1, w2, w3 = scale * r1[i], scale * r2[i], scale * r3[i]
        z1, z2, z3 = T11 * w1 + T12 * w2 + T13 * w3, T21 * w1 + T22 * w2 + T23 * w3, w1 + w2
        square += z3 * z3
        first += z3 * z1
        second += z3 * z2
        both += z1 * z1 + z2 * z2
    own.first_share, own.second_share = first / square, second / square
    own.beside = math.sqrt(max(0.0, both / square - own.first_share**2 - own.second_share**2))
    return 0


@kernel
def stage_slopes(w: March, own: RadauMemory, h: float, stages: int) -> int:
    """The slopes of the first stages."""
    for s in range(stages):
        for i in range(w.controlled):
            w.out[i] = w.y[i] + own.z[s, i]
        node = C1 if s == 0 else C2 if s == 1 else 1.0
        evaluate_row(w.rhs_at, w.t + node * h, w.out, w.p, w.m, own.slopes, s)
    w.evaluations += stages
    return 0


# With d_m the size of correction m and theta = d_m / d_(m-1), the error left is about rate d_m, where rate is
# theta / (1 - theta); before theta is known, the rate of the last step is taken (IV.8). Given up
# where corrections do not fall fast enough, on the mean, for the iterations that are left. Single ones may not fall at
# all: what one correction moves along a stiff direction that turns, the next has to put right.
@kernel
def iterate(w: March, own: RadauMemory, h: float, left: float) -> bool:
    """Simplified Newton's method for the stages; `left` is the error it may leave. True where it has converged."""
    predict(w, own, h)
    rate, theta, first, before, before_that = own.rate**0.8, KEEP, 1.0, 1.0, 1.0
    for iteration in range(MOST_ITERATIONS):
        stage_slopes(w, own, h, 3)
        size = correct(w, own, h)
        if not size < 1e100:
            return False
        if iteration > 0:
            quotient = size / before
            theta = quotient if iteration == 1 else math.sqrt(quotient * before_that)
            before_that = quotient
            rate = theta / (1.0 - min(theta, 0.99))
            mean = (size / first) ** (1.0 / iteration)
            if theta > DIVERGED or (iteration > 1 and size * mean ** (MOST_ITERATIONS - 1 - iteration) > left):
                return False
        else:
            first = max(size, 1e-300)
        before, rate = max(size, 1e-300), max(rate, 1e-16)
        if rate * size <= left:
            own.new_rate, own.theta, own.iterations, own.last_move = rate, theta, iteration + 1, size / left
            shares(w, own)
            return True
    return False


@kernel
def solve_step(w: March, own: RadauMemory, h: float) -> bool:
    """The stages of a step; a Jacobian from an earlier step is evaluated anew before this gives up. True: solved."""
    y, out, atol, rtol, systems = w.y, w.out, w.atol, w.rtol, own.systems
    looser = rtol / strictness(rtol)
    for i in range(y.shape[0]):
        out[i] = y[i]
        own.weight[i] = 1.0 / (looser * (atol[i] / rtol + abs(y[i])))
    left = max(2e-15 / looser, min(0.03, math.sqrt(looser)))
    solved = False
    while not solved:
        if systems.stale > 0:
            linearise(w, systems)
        if systems.length == h or factorise(w, systems, h):
            solved = iterate(w, own, h, left)
        if not solved:
            if systems.fresh > 0:
                break
            systems.stale = 1
    return solved


@kernel
def estimate(w: March, own: RadauMemory, h: float) -> float:
    """The error relative to the tolerance. Where it seems too large it is filtered once more, at one evaluation."""
    y, out, z, defect = w.y, w.out, own.z, own.defect
    n, error = w.controlled, 0.0
    for i in range(n):
        defect[i] = w.k[0, i]
    for again in range(2):
        for i in range(n):
            defect[i] += (E1 * z[0, i] + E2 * z[1, i] + E3 * z[2, i]) / h
        solve_real(w, own.systems, h, defect)
        for i in range(n):
            out[i] = defect[i]
        error = strictness(w.rtol) * error_norm(out, y, w.new, w.atol, w.rtol, n)
        if again == 1 or error <= 1.0:
            break
        for i in range(n):
            out[i] = y[i] + defect[i]
        evaluate(w.rhs_at, w.t, out, w.p, w.m, defect)
        w.evaluations += 1
    return error


@kernel
def uncertain(w: March, own: RadauMemory, part: float) -> int:
    """Integrals whose slopes may have changed by more than this part of them, beside what the shares tell."""
    k, slopes, last, count = w.k, own.slopes, w.k.shape[0] - 1, 0
    for i in range(w.controlled, w.y.shape[0]):
        largest = max(abs(slopes[0, i]), abs(slopes[1, i]), abs(k[last, i]))
        if own.beside * abs(k[last, i] - slopes[2, i]) > part * largest:
            count += 1
    return count


@kernel
def finish(w: March, own: RadauMemory, h: float) -> int:
    """The slope at `new`, and the integrals from the slopes of the stages."""
    y, new, k, rtol, slopes, z, last = w.y, w.new, w.k, w.rtol, own.slopes, own.z, w.k.shape[0] - 1
    evaluate_row(w.rhs_at, w.t + h, new, w.p, w.m, k, last)
    w.evaluations += 1
    if own.last_move > 1.0 and uncertain(w, own, rtol / strictness(rtol)) > 0:
        stage_slopes(w, own, h, 2)
        own.first_share = own.second_share = 0.0
    for i in range(w.controlled, y.shape[0]):
        f3 = k[last, i]
        change = f3 - slopes[2, i]
        f1, f2 = slopes[0, i] + own.first_share * change, slopes[1, i] + own.second_share * change
        z[0, i] = h * (A11 * f1 + A12 * f2 + A13 * f3)
        z[1, i] = h * (A21 * f1 + A22 * f2 + A23 * f3)
        z[2, i] = h * (A31 * f1 + A32 * f2 + A33 * f3)
        new[i] = y[i] + z[2, i]
    return 0


@kernel
def restart(w: March) -> float:
    own = record_at(w.method_at, RadauMemory)
    evaluate_row(w.rhs_at, w.t, w.y, w.p, w.m, w.k, 0)
    w.evaluations += 1
    w.order = ESTIMATED
    own.rate, own.past_length, own.failed = 1.0, 0.0, 0
    own.systems.stale, own.systems.fresh, own.systems.length = 1, 0, 0.0
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    own = record_at(w.method_at, RadauMemory)
    error, w.order = UNSOLVED, HALVED
    if solve_step(w, own, h):
        for i in range(w.controlled):
            w.new[i] = w.y[i] + own.z[2, i]
        error, w.order = estimate(w, own, h), ESTIMATED
        finish(w, own, h)
    if not error <= 1.0:
        own.failed = 1
    return error


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """The collocation polynomial; what the projection did to `new` goes with its last part."""
    y, new, out, z = w.y, w.new, w.out, record_at(w.method_at, RadauMemory).z
    l1 = x * (x - C2) * (x - 1.0) / (C1 * (C1 - C2) * (C1 - 1.0))
    l2 = x * (x - C1) * (x - 1.0) / (C2 * (C2 - C1) * (C2 - 1.0))
    l3 = x * (x - C1) * (x - C2) / ((1.0 - C1) * (1.0 - C2))
    for i in range(y.shape[0]):
        out[i] = y[i] + l1 * z[0, i] + l2 * z[1, i] + l3 * (new[i] - y[i])
    return 0.0


# The next step follows from the error and from its change since the last step (Gustafsson; IV.8),
# and may not grow so much that the corrections, which fall by theta now, would fall too slowly.
@kernel
def commit(w: March, h: float, x: float) -> float:
    own = record_at(w.method_at, RadauMemory)
    k, last, error = w.k, w.k.shape[0] - 1, max(x, 1e-10)
    safety = SAFETY * (2.0 * MOST_ITERATIONS + 1.0) / (2.0 * MOST_ITERATIONS + own.iterations)
    grown = safety * error ** (-1.0 / ESTIMATED)
    if own.past_length > 0.0:
        trend = SAFETY * h / own.past_length * (own.past_error / (error * error)) ** (1.0 / ESTIMATED)
        grown = min(grown, trend)
    grown = min(grown, max(1.0, SLOWEST / own.theta))
    grown = min(MOST, max(LEAST, grown))
    if own.failed > 0:
        grown = min(grown, 1.0)
    own.systems.stale = 1 if own.theta > KEEP else 0
    if own.theta <= KEEP and 1.0 <= grown <= STEADY:
        grown = 1.0
    for i in range(w.y.shape[0]):
        k[0, i] = k[last, i]
        for s in range(3):
            own.past_z[s, i] = own.z[s, i]
    own.past_length, own.past_error, own.rate = h, max(error, 0.01), own.new_rate
    own.systems.fresh, own.failed = 0, 0
    return grown


@dataclass(frozen=True)
class Radau(Method):
    """Implicit Runge-Kutta of order 5 with error control: for stiff parts such as oil films and strongly damped
    bushings.

    Every step solves for its three stages together, with the Jacobian of the equations.
    """

    title = "Radau"
    reference = "Hairer and Wanner 1996, Solving ODEs II, IV.5 and IV.8"
    works = ("hairer1996",)
    order = 5
    rows = 2

    def needs(self) -> Needs:
        return Needs(jacobian=True)

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit

    def connect(self, system: Any, w: March) -> RadauMemory:
        n = w.y.shape[0]
        slopes, z, past_z, transformed = (np.zeros((3, n)) for _ in range(4))
        weight, real, re, im, defect = (np.zeros(n) for _ in range(5))
        own = RadauMemory(
            systems=radau_systems(w.controlled, n), slopes=slopes, z=z, past_z=past_z, transformed=transformed,
            weight=weight, correction_real=real, correction_re=re, correction_im=im, defect=defect,
        )  # fmt: skip
        w.method_at = own.address
        return own
