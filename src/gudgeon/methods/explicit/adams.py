"""Adams: the predictor-corrector of Krogh, Shampine and Gordon, of variable step and order (1 to 12)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import FLOAT, INT, MATRIX, VECTOR, evaluate_row, kernel
from gudgeon.methods.contract import CONTROLLED, EVALUATIONS, FREE, ORDER, STEP, Method

# With x_n the start of the step, x_(n+1) = x_n + h its end and f the slope, the history is kept as
#   phi_j = (x_n - x_(n-1)) ... (x_n - x_(n-j)) f[x_n, ..., x_(n-j)]       modified divided differences
#   beta_j = prod over i < j of (x_(n+1) - x_(n-i)) / (x_n - x_(n-i-1))    carries them over to the new step
#   g_j = 1/h integral over the step of prod over i < j of (t - x_(n-i)) / (x_(n+1) - x_(n-i))
# The step of order k (Hairer, Norsett, Wanner, Solving ODEs I, III.5, "Recurrence relations"):
#   predict    p = y + h sum over j < k of g_j beta_j phi_j
#   evaluate   d_k = f(p) - sum over j < k of beta_j phi_j
#   correct    new = p + h g_k d_k
#   evaluate   f(new); d_0 = f(new), d_j = d_(j-1) - beta_(j-1) phi_(j-1) are the phi_j of the next step
# and the error of order j is  h |g_j - g_(j-1)| |d_j|  (III.7, order and step size); `new` is of order k + 1.
TOP = 12
# rows of `work`: phi_0 (the slope at the start) to phi_11, d_k, weights of the error norm, the slope at `new`
DEFECT, WEIGHT, LAST = TOP, TOP + 1, TOP + 2

# places in `control`
K = FREE  # order of the predictor
KNOWN = FREE + 1  # phi_0 .. phi_(known - 1) exist
STARTING = FREE + 2  # raise the order with every step
FAILURES = FREE + 3  # in a row, from this t
GOOD = FREE + 4  # a step from this t has been good
BELOW = FREE + 5  # error of order k - 1
PAST = FREE + 6  # lengths of the last 11 steps, newest first
BETA = PAST + TOP - 1  # beta_0 .. beta_11
G = BETA + TOP  # g_0 .. g_12
SCRATCH = G + TOP + 1

LOCATING = 1e3  # while onset is located, an error up to this is put up with
AIM = 0.25  # error aimed at with the next step
LEAST, MOST = 0.5, 5.0  # factor for the next step
PATIENCE = 3  # failures in a row before the history is given up
C1 = np.array([1.0 / ((q + 1) * (q + 2)) for q in range(TOP + 1)])


# g_j by repeated integrals. c_(j,q) is h^-q times the integral of (x_(n+1) - t)^(q-1) and the product in g_j:
#   c_(1,q) = 1/(q (q+1)),   c_(j,q) = c_(j-1,q) - h / (x_(n+1) - x_(n-j+1)) c_(j-1,q+1),   g_j = c_(j,1)
# since t - x_(n-j+1) = (x_(n+1) - x_(n-j+1)) - (x_(n+1) - t)  (Hairer, Norsett, Wanner III.5).
@kernel(FLOAT(VECTOR, FLOAT))
def coefficients(control: Any, h: float) -> float:
    """beta and g for a step of length h after those in PAST: for order k + 1 if the history allows, or k."""
    last = min(int(control[K]) + 1, int(control[KNOWN]))
    for q in range(last):
        control[SCRATCH + q] = C1[q]
    control[BETA], control[G], control[G + 1] = 1.0, 1.0, 0.5
    span = h  # x_(n+1) - x_(n-j+1)
    for j in range(1, last):
        back = span - h + control[PAST + j - 1]
        control[BETA + j] = control[BETA + j - 1] * span / back
        span = h + back
        share = h / span
        for q in range(last - j):
            control[SCRATCH + q] -= share * control[SCRATCH + q + 1]
        control[G + j + 1] = control[SCRATCH]
    return 0.0


@kernel(FLOAT(VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, FLOAT))
def predict(y: Any, new: Any, out: Any, phi: Any, control: Any, h: float) -> float:
    """The predicted state into `new`, the predicted slope into `out`."""
    k = int(control[K])
    for j in range(k):
        control[SCRATCH + j] = control[G + j] * control[BETA + j]
    for i in range(y.shape[0]):
        state, slope = 0.0, 0.0
        for j in range(k):
            state += control[SCRATCH + j] * phi[j, i]
            slope += control[BETA + j] * phi[j, i]
        new[i], out[i] = y[i] + h * state, slope
    return 0.0


@kernel(FLOAT(VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, FLOAT, VECTOR, FLOAT))
def correct(y: Any, new: Any, out: Any, phi: Any, control: Any, h: float, atol: Any, rtol: float) -> float:
    """The corrected state into `new`, d_k into its row. Gives the error of order k."""
    k = int(control[K])
    g, less = control[G + k], control[G + k - 1]
    for i in range(y.shape[0]):
        phi[DEFECT, i] -= out[i]
        new[i] += h * g * phi[DEFECT, i]
        phi[WEIGHT, i] = h / (atol[i] + rtol * max(abs(y[i]), abs(new[i])))
    n, here, below, beta = int(control[CONTROLLED]), 0.0, 0.0, control[BETA + k - 1]
    for i in range(n):
        d, weight = phi[DEFECT, i], phi[WEIGHT, i]
        here += (weight * d) ** 2
        below += (weight * (d + beta * phi[k - 1, i])) ** 2
    control[BELOW] = abs(less - control[G + k - 2]) * (below / n) ** 0.5 if k > 1 else 1e30
    return abs(g - less) * (here / n) ** 0.5


@kernel(FLOAT(VECTOR, FLOAT))
def turn_down(control: Any, error: float) -> float:
    """After a step with too large an error. Gives the error that makes the next step at most half as long.

    A step shorter than the past ones does not have an error of its order: the past does not shrink with it.
    """
    k = control[K]
    control[FAILURES] += 1.0
    if k > 1.0:
        control[STARTING] = 0.0
        if control[FAILURES] >= PATIENCE:
            control[K] = 1.0
        elif control[BELOW] <= error:
            control[K] = k - 1.0
        return max(error, 1.8 ** (k + 1.0))
    return error


@kernel(STEP)
def restart(rhs, t, h, y, new, out, p, m, phi, control, atol, rtol, x):
    evaluate_row(rhs, t, y, p, m, phi, 0)
    control[EVALUATIONS] += 1.0
    control[K] = control[KNOWN] = control[STARTING] = 1.0
    control[FAILURES] = control[GOOD] = 0.0
    control[ORDER] = 2.0
    return 0.0


@kernel(STEP)
def attempt(rhs, t, h, y, new, out, p, m, phi, control, atol, rtol, x):
    control[ORDER] = control[K] + 1.0
    coefficients(control, h)
    predict(y, new, out, phi, control, h)
    evaluate_row(rhs, t + h, new, p, m, phi, DEFECT)
    control[EVALUATIONS] += 1.0
    error = correct(y, new, out, phi, control, h, atol, rtol)
    # nobody asks for the slope at the end of a step that is turned down
    if error <= 1.0 or (control[GOOD] > 0.0 and error <= LOCATING):
        evaluate_row(rhs, t + h, new, p, m, phi, LAST)
        control[EVALUATIONS] += 1.0
        control[GOOD] = 1.0
    elif control[GOOD] == 0.0:
        return turn_down(control, error)
    return error


# The polynomial of the corrector, integrated up to X = x_n + x h instead of x_(n+1): with c_(j,q) as above,
#   c_(0,q) = x^q / q,   c_(j,q) = ((X - x_(n-j+1)) c_(j-1,q) - h c_(j-1,q+1)) / (x_(n+1) - x_(n-j+1))
# A smooth share of the jump takes up what the projection did to `new`, so that both ends are met.
@kernel(STEP)
def interpolate(rhs, t, h, y, new, out, p, m, phi, control, atol, rtol, x):
    k = int(control[K])
    share, power, back = x * x * (3.0 - 2.0 * x), 1.0, 0.0
    for q in range(k + 1):
        power *= x
        control[SCRATCH + q] = power / (q + 1)
    for j in range(1, k + 1):
        factor = h / (h + back)
        reach = x * factor + (1.0 - factor)
        for q in range(k + 1 - j):
            control[SCRATCH + q] = reach * control[SCRATCH + q] - factor * control[SCRATCH + q + 1]
        weight = control[SCRATCH] - share * control[G + j]
        if j < k:
            weight *= control[BETA + j]
            back += control[PAST + j - 1]
        control[SCRATCH + k + 1 - j] = weight  # a place the recurrence has left
    for i in range(y.shape[0]):
        slope = (x - share) * phi[0, i] + control[SCRATCH + 1] * phi[DEFECT, i]
        for j in range(1, k):
            slope += control[SCRATCH + k + 1 - j] * phi[j, i]
        out[i] = y[i] + share * (new[i] - y[i]) + h * slope
    return 0.0


@kernel(INT(VECTOR, MATRIX, VECTOR, FLOAT))
def move_on(out: Any, phi: Any, control: Any, h: float) -> int:
    """The differences at the end of the step become the history, the highest also `out`. Gives its index."""
    top = min(int(control[K]) + 1, int(control[KNOWN]))
    for i in range(out.shape[0]):
        d = phi[LAST, i]
        for j in range(top):
            old = control[BETA + j] * phi[j, i]
            phi[j, i] = d
            d -= old
        out[i] = d
        if top < TOP:
            phi[top, i] = d
    control[KNOWN] = min(top + 1, TOP)
    for j in range(TOP - 2, 0, -1):
        control[PAST + j] = control[PAST + j - 1]
    control[PAST] = h
    return top


@kernel(STEP)
def commit(rhs, t, h, y, new, out, p, m, phi, control, atol, rtol, x):
    """The order, of k - 1, k and k + 1, that promises the longest step; while starting, always the next."""
    k, order = int(control[K]), control[K] + 1.0
    top = move_on(out, phi, control, h)
    control[FAILURES] = control[GOOD] = 0.0
    best = math.log(AIM / max(x, 1e-20)) / order
    if k == TOP or control[BELOW] <= x:
        control[STARTING] = 0.0
    if control[STARTING] > 0.0:
        control[K] = order
        return min(max(math.exp(best), 2.0), MOST)
    below = math.log(AIM / max(control[BELOW], 1e-20)) / k
    if below > best:
        control[K], best = k - 1.0, below
    if top == k + 1 and k < TOP:
        n, total = int(control[CONTROLLED]), 0.0
        for i in range(n):
            total += (phi[WEIGHT, i] * out[i]) ** 2
        error = abs(control[G + k + 1] - control[G + k]) * (total / n) ** 0.5
        above = math.log(AIM / max(error, 1e-20)) / (k + 2)
        if above > best:
            control[K], best = order, above
    return min(max(math.exp(best), LEAST), MOST)


@dataclass(frozen=True)
class Adams(Method):
    """Multistep of variable order and step, two evaluations a step: for mechanisms whose slope is costly."""

    title = "Adams"
    reference = "Shampine and Gordon 1975; Hairer, Norsett, Wanner, Solving ODEs I, III.5 and III.7"
    works = ("shampine1975", "hairer1993")
    order = TOP
    rows = LAST + 1

    def functions(self) -> tuple[Any, Any, Any, Any]:
        return restart, attempt, interpolate, commit
