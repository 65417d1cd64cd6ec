"""The loose bearing over time: contacts begin and end at located instants."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dop853 import EXTRA, STAGES, attempt, first_change, interpolant, within
from .loose_bearing import CONTACTS, GAP, SIZE, depths, energy, fast, look, motion

LONGEST = 1e-3  # step [s]: nothing closes and opens again unseen


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
        error = attempt(motion, y, h, k, new, p, closed, first, mass, rtol)
        grow = 5.0 if error == 0.0 else min(5.0, max(0.2, 0.9 * error**-0.125))
        if error > 1.0:
            h *= min(grow, 0.9)
            continue
        steps += 1
        c = interpolant(motion, y, h, k, new, p, closed, first, mass)
        x, which = (2.0, -1) if p[GAP] == 0.0 else first_change(depths, y, c, p, closed, found)
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
