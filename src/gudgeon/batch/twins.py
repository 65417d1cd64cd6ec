"""Two trajectories a little apart, in plain Python: how fast they part, as `analysis.motions.lyapunov.growth` has it.

One thread marches both, one part of a period each in turn, so that the march is written once. The one that waits lies
in memory. From a common start neither can get a whole turn ahead of the other without having been far apart, so angles
are compared as they are.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.assemble.contact.memory import MODE, PER_CONTACT
from gudgeon.batch.trajectory import DONE, trajectory
from gudgeon.compile.native.kernel import evaluate
from gudgeon.methods.march.memory import DEPTH
from gudgeon.methods.march.modes import touches

__all__ = ["twins"]

SETTLE = 3  # times that a new twin is put at its distance and onto the constraints
AGAIN = 3  # projections one after the other


def swap(w: Any) -> int:
    """The one that waited goes on, the other waits."""
    t, h, n = w.t, w.h, w.y.shape[0]
    w.t, w.h = w.twin[0, w.thread], w.twin[1, w.thread]
    w.twin[0, w.thread], w.twin[1, w.thread] = t, h
    for k in range(n):
        y = w.y[k]
        w.y[k] = w.twin[2 + k, w.thread]
        w.twin[2 + k, w.thread] = y
    for k in range(w.m.shape[0]):
        m = w.m[k]
        w.m[k] = w.twin[2 + n + k, w.thread]
        w.twin[2 + n + k, w.thread] = m
    return 0


def distance(w: Any) -> float:
    """How far apart, in lengths of the ruler."""
    total = 0.0
    for k in range(w.y.shape[0]):
        way = (w.twin[2 + k, w.thread] - w.y[k]) * w.unit_lengths[k]
        total += way * way
    return math.sqrt(total)


def same_modes(w: Any) -> bool:
    """Whether both touch where either does."""
    n, same = w.y.shape[0], True
    for c in range(w.contacts):
        mode = PER_CONTACT * c + MODE
        same = same and w.m[mode] == w.twin[2 + n + mode, w.thread]
    return same


def fits(w: Any) -> bool:
    """Whether every contact of `new` has the depth that its mode says."""
    if w.contacts > 0:
        evaluate(w.gaps_at, w.t, w.new, w.p, w.m, w.gap_new)
    right = True
    for c in range(w.contacts):
        right = right and (w.gap_new[c, DEPTH] >= 0.0) == touches(w, c)
    return right


def move(w: Any, factor: float, careful: bool) -> bool:
    """Put the twin at `factor` times its distance and onto the constraints; careful: only where modes allow it."""
    n = w.y.shape[0]
    if careful and not same_modes(w):
        return False
    for k in range(n):
        # what does not count in the distance is no part of the difference
        w.new[k] = w.y[k] + factor * (w.twin[2 + k, w.thread] - w.y[k]) if w.counts[k] else w.y[k]
    if w.constraints > 0:
        for _ in range(AGAIN):
            evaluate(w.project_at, w.t, w.new, w.p, w.m, w.correction)
            for i in range(w.positions + w.velocities):
                w.new[i] += w.correction[i]
    if careful and not fits(w):
        return False
    for k in range(n):
        w.twin[2 + k, w.thread] = w.new[k]
    for k in range(w.m.shape[0]):
        w.twin[2 + n + k, w.thread] = w.m[k] + factor * (w.twin[2 + n + k, w.thread] - w.m[k])
    return True


def twins(w: Any, turns: int, most: int, fresh: int) -> tuple[int, float, float]:
    """So many periods of both; the logarithm of the growth in each goes into `logs`. Gives the status, the distance at
    which they began and the largest. fresh: the twin is new, it is first put at its distance."""
    parts = int(w.parts)
    row, part, side, settle, status = 0, 0, 0, 0, DONE
    if fresh > 0:
        settle = SETTLE
    total, widest = 0.0, 0.0
    after = distance(w)
    before, began = after, after
    while row < turns:
        ready, new = settle > 0, settle > 0
        if not new:
            w.turn[0] = 0
            w.start[0] = w.t
            status = trajectory(w, 1, most)
            if status != DONE:
                turns = row
            swap(w)
            side = 1 - side
            if side == 0:
                after = max(distance(w), 1e-300)
                total += math.log(after / max(before, 1e-300))
                widest = max(widest, after)
                ready = True
        if ready:
            factor = 1.0 if settle == SETTLE else w.apart / after
            if move(w, factor, not new):
                after = distance(w)
            before = after
            if new:
                settle -= 1
                began = after
            else:
                part += 1
            if part == parts:
                w.logs[row, w.thread] = total
                total, part, row = 0.0, 0, row + 1
    return status, began, widest
