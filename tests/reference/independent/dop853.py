"""DOP853 with dense output (SciPy's coefficients), and the search for the instant at which a contact begins or ends.

A program gives `motion(y, p, closed, first, scratch, out)`, the rates of its states, and `depths(y, p, found)`, depth
and rate of each contact: y states, p numbers of the case, closed 1 where a contact lasts, first its rate at the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from scipy.integrate import DOP853

STAGES, EXTRA = 12, 3
STAGE_A, STAGE_B = np.ascontiguousarray(DOP853.A), np.ascontiguousarray(DOP853.B)
ERROR_3, ERROR_5 = np.ascontiguousarray(DOP853.E3), np.ascontiguousarray(DOP853.E5)
MORE_A, DENSE = np.ascontiguousarray(DOP853.A_EXTRA), np.ascontiguousarray(DOP853.D)
LOOKS = 4  # places of a step where depths are looked at
ABSOLUTE = 1e-2  # absolute tolerance in relative ones
fast = njit(error_model="numpy")


@fast
def add(y: Any, h: float, k: Any, weights: Any, count: int, out: Any) -> None:
    """y and h times the weighted sum of the first slopes."""
    for i in range(y.shape[0]):
        total = 0.0
        for j in range(count):
            total += weights[j] * k[j, i]
        out[i] = y[i] + h * total


@fast
def attempt(motion: Any, y: Any, h: float, k: Any, new: Any, p: Any, closed: Any, first: Any, scratch: Any,
            rtol: float) -> float:  # fmt: skip
    """One step; the first row of k is the slope at its start, row 12 that at its end. Gives the error per tolerance."""
    size = y.shape[0]
    for s in range(1, STAGES):
        add(y, h, k, STAGE_A[s], s, new)
        motion(new, p, closed, first, scratch, k[s])
    add(y, h, k, STAGE_B, STAGES, new)
    motion(new, p, closed, first, scratch, k[STAGES])
    third, fifth = 0.0, 0.0
    for i in range(size):
        e3, e5, scale = 0.0, 0.0, rtol * (ABSOLUTE + max(abs(y[i]), abs(new[i])))
        for j in range(STAGES + 1):
            e3 += ERROR_3[j] * k[j, i]
            e5 += ERROR_5[j] * k[j, i]
        third += (e3 / scale) ** 2
        fifth += (e5 / scale) ** 2
    if fifth == 0.0:
        return 0.0
    return h * fifth / np.sqrt((fifth + 0.01 * third) * size)


@fast
def interpolant(motion: Any, y: Any, h: float, k: Any, new: Any, p: Any, closed: Any, first: Any, scratch: Any) -> Any:
    """Coefficients of the polynomial of degree seven through the step."""
    size = y.shape[0]
    at, c = np.empty(size), np.empty((7, size))
    for s in range(EXTRA):
        row = STAGES + 1 + s
        add(y, h, k, MORE_A[s], row, at)
        motion(at, p, closed, first, scratch, k[row])
    for i in range(size):
        change = new[i] - y[i]
        c[0, i], c[1, i] = change, h * k[0, i] - change
        c[2, i] = 2.0 * change - h * (k[STAGES, i] + k[0, i])
        for d in range(4):
            total = 0.0
            for j in range(STAGES + 1 + EXTRA):
                total += DENSE[d, j] * k[j, i]
            c[3 + d, i] = h * total
    return c


@fast
def within(x: float, y: Any, c: Any) -> Any:
    total = np.zeros(y.shape[0])
    for i in range(7):
        total = (total + c[6 - i]) * (x if i % 2 == 0 else 1.0 - x)
    return total + y


@fast
def depth_at(depths: Any, x: float, contact: int, y: Any, c: Any, p: Any, found: Any) -> float:
    depths(within(x, y, c), p, found)
    return found[contact, 0]


@fast
def crossing(depths: Any, contact: int, left: float, right: float, y: Any, c: Any, p: Any, found: Any) -> float:
    """Where the depth of one contact is zero, between two places of different sign (Illinois)."""
    a, b = depth_at(depths, left, contact, y, c, p, found), depth_at(depths, right, contact, y, c, p, found)
    side = 0
    for _ in range(200):
        x = (left * b - right * a) / (b - a)
        if right - left < 1e-14:
            return x
        f = depth_at(depths, x, contact, y, c, p, found)
        if f == 0.0:
            return x
        if (f > 0.0) == (b > 0.0):
            right, b = x, f
            a = 0.5 * a if side == 1 else a
            side = 1
        else:
            left, a = x, f
            b = 0.5 * b if side == -1 else b
            side = -1
        if abs(f) < 1e-19:
            return x
    return 0.5 * (left + right)


@fast
def first_change(depths: Any, y: Any, c: Any, p: Any, closed: Any, found: Any) -> tuple[float, int]:
    """Where in the step (0 to 1) a contact first begins or ends, and which; 2 and -1 if none does."""
    contacts = closed.shape[0]
    wrong = np.zeros(contacts)
    for look_at in range(1, LOOKS + 1):
        right = look_at / LOOKS
        depths(within(right, y, c), p, found)
        any_wrong = False
        for k in range(contacts):
            wrong[k] = 1.0 if (found[k, 0] > 0.0) != (closed[k] > 0.0) else 0.0
            any_wrong = any_wrong or wrong[k] > 0.0
        if not any_wrong:
            continue
        where, which = 2.0, -1
        left = (look_at - 1) / LOOKS
        for k in range(contacts):
            if wrong[k] == 0.0:
                continue
            before = depth_at(depths, left, k, y, c, p, found)
            # what has only now begun or ended lies at zero but for rounding
            x = left if (before > 0.0) != (closed[k] > 0.0) else crossing(depths, k, left, right, y, c, p, found)
            if x < where:
                where, which = x, k
        return where, which
    return 2.0, -1
