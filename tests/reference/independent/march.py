"""DOP853 with dense output (SciPy's coefficients), and contacts that begin and end at located instants."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import DOP853

from .loose_bearing import CONTACTS, GAP, SIZE, depths, energy, fast, look, motion

STAGES, EXTRA = 12, 3
STAGE_A, STAGE_B = np.ascontiguousarray(DOP853.A), np.ascontiguousarray(DOP853.B)
ERROR_3, ERROR_5 = np.ascontiguousarray(DOP853.E3), np.ascontiguousarray(DOP853.E5)
MORE_A, DENSE = np.ascontiguousarray(DOP853.A_EXTRA), np.ascontiguousarray(DOP853.D)
LONGEST = 1e-3  # step [s]: nothing closes and opens again unseen
LOOKS = 4  # places of a step where depths are looked at
ABSOLUTE = 1e-2  # absolute tolerance in relative ones


@fast
def attempt(y: Any, h: float, k: Any, new: Any, p: Any, closed: Any, first: Any, rtol: float) -> float:
    """One step; the first row of k is the slope at its start, row 12 that at its end. Gives the error per tolerance."""
    at, mass = np.empty(SIZE), np.empty((6, 6))
    for s in range(1, STAGES):
        for i in range(SIZE):
            total = 0.0
            for j in range(s):
                total += STAGE_A[s, j] * k[j, i]
            at[i] = y[i] + h * total
        motion(at, p, closed, first, mass, k[s])
    for i in range(SIZE):
        total = 0.0
        for j in range(STAGES):
            total += STAGE_B[j] * k[j, i]
        new[i] = y[i] + h * total
    motion(new, p, closed, first, mass, k[STAGES])
    third, fifth = 0.0, 0.0
    for i in range(SIZE):
        e3, e5, scale = 0.0, 0.0, rtol * (ABSOLUTE + max(abs(y[i]), abs(new[i])))
        for j in range(STAGES + 1):
            e3 += ERROR_3[j] * k[j, i]
            e5 += ERROR_5[j] * k[j, i]
        third += (e3 / scale) ** 2
        fifth += (e5 / scale) ** 2
    if fifth == 0.0:
        return 0.0
    return h * fifth / np.sqrt((fifth + 0.01 * third) * SIZE)


@fast
def interpolant(y: Any, h: float, k: Any, new: Any, p: Any, closed: Any, first: Any) -> Any:
    """Coefficients of the polynomial of degree seven through the step."""
    at, mass, c = np.empty(SIZE), np.empty((6, 6)), np.empty((7, SIZE))
    for s in range(EXTRA):
        row = STAGES + 1 + s
        for i in range(SIZE):
            total = 0.0
            for j in range(row):
                total += MORE_A[s, j] * k[j, i]
            at[i] = y[i] + h * total
        motion(at, p, closed, first, mass, k[row])
    for i in range(SIZE):
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
    total = np.zeros(SIZE)
    for i in range(7):
        total = (total + c[6 - i]) * (x if i % 2 == 0 else 1.0 - x)
    return total + y


@fast
def depth_at(x: float, contact: int, y: Any, c: Any, p: Any, found: Any) -> float:
    depths(within(x, y, c), p, found)
    return found[contact, 0]


@fast
def crossing(contact: int, left: float, right: float, y: Any, c: Any, p: Any, found: Any) -> float:
    """Where the depth of one contact is zero, between two places of different sign (Illinois)."""
    a, b = depth_at(left, contact, y, c, p, found), depth_at(right, contact, y, c, p, found)
    side = 0
    for _ in range(200):
        x = (left * b - right * a) / (b - a)
        if right - left < 1e-14:
            return x
        f = depth_at(x, contact, y, c, p, found)
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
def first_change(y: Any, c: Any, p: Any, closed: Any, found: Any) -> tuple[float, int]:
    """Where in the step (0 to 1) a contact first begins or ends, and which; 2 and -1 if none does."""
    wrong = np.zeros(CONTACTS)
    for look_at in range(1, LOOKS + 1):
        right = look_at / LOOKS
        depths(within(right, y, c), p, found)
        any_wrong = False
        for k in range(CONTACTS):
            wrong[k] = 1.0 if (found[k, 0] > 0.0) != (closed[k] > 0.0) else 0.0
            any_wrong = any_wrong or wrong[k] > 0.0
        if not any_wrong:
            continue
        where, which = 2.0, -1
        left = (look_at - 1) / LOOKS
        for k in range(CONTACTS):
            if wrong[k] == 0.0:
                continue
            before = depth_at(left, k, y, c, p, found)
            # what has only now begun or ended lies at zero but for rounding
            x = left if (before > 0.0) != (closed[k] > 0.0) else crossing(k, left, right, y, c, p, found)
            if x < where:
                where, which = x, k
        return where, which
    return 2.0, -1


@fast
def run(y: Any, p: Any, rtol: float, times: Any, fine: float, starts: Any) -> tuple[Any, Any, int, int]:
    """States at `times`; then most turns, largest tilt seen every `fine` [s], when, and its value seen every 10 ms.

    `starts` takes time, contact and rate of the first contacts. Also given: number of steps and of contacts.
    """
    rows, found = np.zeros((times.shape[0], SIZE + 3)), np.zeros((CONTACTS, 2))
    mass, k, new = np.empty((6, 6)), np.zeros((STAGES + 1 + EXTRA, SIZE)), np.zeros(SIZE)
    closed, first, best = np.zeros(CONTACTS), np.zeros(CONTACTS), np.zeros(4)
    if p[GAP] == 0.0:
        closed[:] = 1.0  # surfaces without play never part
    t, h, row, looked, coarse, angle = 0.0, 1e-5, 0, 0, 0, 0.0
    steps, touches, end = 0, 0, times[-1]
    motion(y, p, closed, first, mass, k[0])
    while row < times.shape[0]:
        h = min(h, LONGEST)
        error = attempt(y, h, k, new, p, closed, first, rtol)
        grow = 5.0 if error == 0.0 else min(5.0, max(0.2, 0.9 * error**-0.125))
        if error > 1.0:
            h *= min(grow, 0.9)
            continue
        steps += 1
        c = interpolant(y, h, k, new, p, closed, first)
        x, which = (2.0, -1) if p[GAP] == 0.0 else first_change(y, c, p, closed, found)
        last = min(x, 1.0)
        while row < times.shape[0] and times[row] <= t + last * h:
            at = within((times[row] - t) / h, y, c)
            rows[row, :SIZE] = at
            rows[row, SIZE], rows[row, SIZE + 1] = look(at, angle)
            rows[row, SIZE + 2] = energy(at)
            row += 1
        while looked * fine <= t + last * h and looked * fine <= end:
            at = within((looked * fine - t) / h, y, c)
            angle, tilt = look(at, angle)
            best[0] = max(best[0], angle)
            if tilt > best[1]:
                best[1], best[2] = tilt, looked * fine
            looked += 1
        while coarse * 0.01 <= t + last * h and coarse * 0.01 <= end:
            best[3] = max(best[3], look(within((coarse * 0.01 - t) / h, y, c), angle)[1])
            coarse += 1
        if which < 0:
            y[:] = new
            k[0] = k[STAGES]
            t += h
            h *= grow
            continue
        y[:] = within(x, y, c)
        t += x * h
        if closed[which] > 0.0:
            closed[which] = 0.0
        else:
            depths(y, p, found)
            closed[which], first[which] = 1.0, max(found[which, 1], 0.0)
            if touches < starts.shape[0]:
                starts[touches, 0], starts[touches, 1], starts[touches, 2] = t, which + 1, first[which]
            touches += 1
        motion(y, p, closed, first, mass, k[0])
    return rows, best, steps, touches
