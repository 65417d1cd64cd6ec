"""Impulses of rigid contacts of space: Coulomb's law in two directions, on the cone itself.

    u = W s + aim                         row speeds after the impulses s, per contact (opening, components of the slip)
    s_N ≥ 0,  u_N ≥ 0,  s_N u_N = 0
    |s_T| ≤ μ s_N;   u_T = 0 where it sticks,  s_T = -μ s_N u_T / |u_T| where it slides

One contact after the other gets its impulses with those of all others held (Jean 1999): the normal one that keeps it
closed, then the tangential ones nearest to s_T - u_T / r within the cone. Where nothing changes any more all laws hold.
r is the trace of the contact's own tangential block of W, which no direction exceeds: every projection brings the
impulses nearer. Components that are not independent, as the three of a ball's slip, need nothing else.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Table

SWEEPS = 20_000
SETTLED = 1e-14  # relative change of a sweep that was the last
INNER = 4  # projections of one contact before the next is seen to
EAGER = 300  # sweeps in full; where normal and tangential impulses then still chase each other they go half of the way


@kernel
def speed_of(pairs: Any, impulse: Any, aim: Any, rows: int, r: int) -> float:
    total = aim[r]
    for k in range(rows):
        total += pairs[r * rows + k] * impulse[k]
    return total


@kernel
def move(impulse: Any, r: int, to: float, share: float) -> float:
    """Bring an impulse a share of the way; gives the change."""
    change = share * (to - impulse[r])
    impulse[r] += change
    return abs(change)


@kernel
def project(pairs: Floats, impulse: Floats, aim: Floats, rows: int, first: int, each: int, mu: float, share: float) -> float:
    """Impulses of the contact whose rows begin at `first`, those of all others held; gives their largest change."""
    wish = impulse[first] - speed_of(pairs, impulse, aim, rows, first) / pairs[first * rows + first]
    change, trace = move(impulse, first, max(0.0, wish), share), 0.0
    for r in range(first + 1, first + each):
        trace += pairs[r * rows + r]
    if mu <= 0.0 or trace <= 0.0:
        return change
    # all by the speeds from before any of them changes
    third = each > 3
    x = impulse[first + 1] - speed_of(pairs, impulse, aim, rows, first + 1) / trace
    y = impulse[first + 2] - speed_of(pairs, impulse, aim, rows, first + 2) / trace
    z = impulse[first + 3] - speed_of(pairs, impulse, aim, rows, first + 3) / trace if third else 0.0
    size, bound = math.sqrt(x * x + y * y + z * z), mu * impulse[first]
    scale = bound / size if size > bound else 1.0
    change = max(change, move(impulse, first + 1, scale * x, share))
    change = max(change, move(impulse, first + 2, scale * y, share))
    return max(change, move(impulse, first + 3, scale * z, share)) if third else change


@kernel
def cone(pairs: Floats, impulse: Floats, aim: Floats, place: Table, contacts: int, each: int) -> int:
    """Impulses of the active contacts (place[c, 2] >= 0), each with 2 or 3 components of slip; 1 found, 0 as far as
    the sweeps came."""
    rows = each * contacts
    for r in range(rows):
        impulse[r] = 0.0
    for turn in range(SWEEPS):
        change, largest, share = 0.0, 1e-300, 1.0 if turn < EAGER else 0.5
        for c in range(contacts):
            if place[c, 2] < 0:
                continue
            mu = pairs[rows * rows + (2 + each) * c + 1]
            for _ in range(INNER):
                change = max(change, project(pairs, impulse, aim, rows, each * c, each, mu, share))
            largest = max(largest, impulse[each * c])
        if change <= SETTLED * largest:
            return 1
    return 0
