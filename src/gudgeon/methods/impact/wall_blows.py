"""The blow on hard walls: impulses of all contacts that are closed at an instant, by Newton's and Coulomb's laws.

The laws are those of `impact`, and so are the functions that solve them (methods.collision). What they ask for,
W = R P Rᵀ of the rows R of openings and slips, comes from the equations left unsolved: with all walls open and factors
of mass and joints, the answer to a unit impulse along a row is one solution. So walls that hold the same thing twice do
no harm, and a contact that was held may part.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import (
    FloatsAt,
    IntegersAt,
    evaluate_into,
    floats_at,
    integers_at,
    kernel,
    matrix_at,
    table_at,
    vector_at,
)
from gudgeon.compile.native.record import Floats
from gudgeon.methods.impact.collision import OPENING, RESTITUTION, RESTS, book_work, hit
from gudgeon.methods.implicit.instant import BLOWS, INTERNAL, ROWS, VELOCITIES, WALLS
from gudgeon.methods.linear.sparse import POSITION, RIGHT, solve
from gudgeon.methods.march.memory import March

# places in the table of hard walls: sizes, addresses of arrays as in methods.work, then where lists begin
(FUNCTION, EACH, RUBS, GIVEN, PAIRS, IMPULSE, AIM, BEFORE, DENSE, PLACE, KEPT, MARKS, STARTS,
 COLUMNS, HEAD) = range(15)  # fmt: skip
STRUCK, LEFT = 1, -1  # marks of walls: just touched, just let go
LEAST_REBOUND = 1e-4  # [m/s] a hard wall holds what would leave it slower


def wall_table(system: Any) -> list[np.ndarray]:
    """The table of the hard walls of a system, and the arrays it has the addresses of."""
    walls, rows, each = system.residual.layout.walls, system.residual.places, system.rows_per_contact
    starts = np.cumsum([0, *(len(row) for row in rows)])
    place = np.full((walls + 1, 3), -1, dtype=np.int64)
    if walls:
        place[:, :2] = system.ledger_places
    given, n = np.zeros(int(starts[-1]) + (2 + each) * walls), len(rows)
    pairs, impulse, aim, before = np.zeros(n * n + (2 + each) * walls), np.zeros(n), np.zeros(n), np.zeros(n)
    dense, kept = np.zeros((3 * walls + 1, 3 * walls + 3)), np.zeros(walls)
    arrays = [given, pairs, impulse, aim, before, dense, place, kept]
    begins = np.cumsum([HEAD, walls, len(starts)])
    sizes = [system.addresses.get("blows", 0), each, int(system.residual.rubs)]
    head = [*sizes, *(x.ctypes.data for x in arrays), *begins]
    lists = [np.zeros(walls), starts, [k for row in rows for k in row]]
    return [np.concatenate([head, *lists]).astype(np.int64), *arrays]


@kernel
def walls_of(w: March) -> Any:
    """The table of hard walls."""
    return integers_at(int(w.control[BLOWS]))


@kernel
def zeros(T: Any, F: Any) -> int:
    """A right-hand side of zeros."""
    for i in range(T[VELOCITIES] + T[ROWS] + T[INTERNAL]):
        F[T[RIGHT] + T[T[POSITION] + i]] = 0.0
    return 0


@kernel
def add_row(r: int, impulse: float, I: Any, T: Any, F: Any) -> int:
    """An impulse along a row, onto the right-hand side."""
    given = floats_at(I[GIVEN])
    for e in range(I[I[STARTS] + r], I[I[STARTS] + r + 1]):
        F[T[RIGHT] + T[T[POSITION] + I[I[COLUMNS] + e]]] += impulse * given[e]
    return 0


@kernel
def pair_up(t: float, y: Any, p: Any, m: Any, I: Any, T: Any, F: Any) -> int:
    """W of the closed walls, with the factors there are, and the numbers behind it as functions `pairs` have them."""
    each, n, given, pairs = I[EACH], I[EACH] * T[WALLS], floats_at(I[GIVEN]), floats_at(I[PAIRS])
    place, numbers = table_at(I[PLACE], T[WALLS] + 1, 3), I[I[STARTS] + n]
    evaluate_into(I[FUNCTION], t, y, p, m, I[GIVEN])
    for i in range((2 + each) * T[WALLS]):
        pairs[n * n + i] = given[numbers + i]
    for k in range(n):
        if place[k // each, 2] >= 0:
            zeros(T, F)
            add_row(k, 1.0, I, T, F)
            solve(T, F)
        for r in range(n):
            total = 0.0
            if place[k // each, 2] >= 0 and place[r // each, 2] >= 0:
                for e in range(I[I[STARTS] + r], I[I[STARTS] + r + 1]):
                    total += given[e] * F[T[RIGHT] + T[T[POSITION] + I[I[COLUMNS] + e]]]
            pairs[r * n + k] = total
    return 0


@kernel
def blow(t: float, y: Floats, p: Floats, m: Floats, I: IntegersAt, T: IntegersAt, F: FloatsAt) -> int:
    """Impulses of the walls marked in `place`, with factors of all walls open; their work goes to the ledger. Their
    effect on velocities is left on the right-hand side, the row speeds behind them are in `aim`."""
    walls, each = T[WALLS], I[EACH]
    n = each * walls
    pairs, impulse = vector_at(I[PAIRS], n * n + (2 + each) * walls), vector_at(I[IMPULSE], n)
    aim, before, place = vector_at(I[AIM], n), vector_at(I[BEFORE], n), table_at(I[PLACE], walls + 1, 3)
    dense = matrix_at(I[DENSE], 3 * walls + 1, 3 * walls + 3)
    pair_up(t, y, p, m, I, T, F)
    for c in range(walls):
        first = n * n + (2 + each) * c
        slow = -pairs[first + RESTITUTION] * pairs[first + OPENING] < LEAST_REBOUND
        if place[c, 2] >= 0 and (I[I[MARKS] + c] != STRUCK or slow):
            place[c, 2] = RESTS
    hit(pairs, impulse, aim, before, place, dense, each)
    zeros(T, F)
    for r in range(n):
        add_row(r, impulse[r], I, T, F)
    for c in range(walls):
        book_work(c, before, aim, y, impulse, place, each)
    solve(T, F)
    return 0
