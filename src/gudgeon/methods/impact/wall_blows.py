"""The blow on hard walls: impulses of all contacts that are closed at an instant, by Newton's and Coulomb's laws.

The laws are those of `impact`, and so are the functions that solve them (collision.py). What they ask for,
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
    record_at,
)
from gudgeon.compile.native.record import Floats
from gudgeon.methods.complementarity.problem import RESTS
from gudgeon.methods.impact.collision import Collision, book_work, ledger_fields, solve_collision
from gudgeon.methods.implicit.instant import BLOWS, INTERNAL, ROWS, VELOCITIES, WALLS
from gudgeon.methods.linear.sparse import POSITION, RIGHT, solve
from gudgeon.methods.march.memory import March

# places in the table of hard walls: sizes, addresses of arrays as in methods.work, then where lists begin
(FUNCTION, EACH, RUBS, COLLISION, GIVEN, KEPT, MARKS, STARTS, COLUMNS, HEAD) = range(10)
STRUCK, LEFT = 1, -1  # marks of walls: just touched, just let go
LEAST_REBOUND = 1e-4  # [m/s] a hard wall holds what would leave it slower


def wall_table(system: Any) -> list[Any]:
    """The table of the hard walls of a system, and the arrays it has the addresses of."""
    walls, rows, each = system.residual.layout.walls, system.residual.places, system.rows_per_contact
    starts = np.cumsum([0, *(len(row) for row in rows)])
    given, kept = np.zeros(int(starts[-1]) + (2 + each) * walls), np.zeros(walls)
    restitution, friction, speeds = np.split(given[starts[-1] :], [walls, 2 * walls])
    collision = Collision.of_size(walls, each, restitution=restitution, friction=friction, row_speeds=speeds,
                                  **(ledger_fields(system) if walls else {}))  # fmt: skip
    begins = np.cumsum([HEAD, walls, len(starts)])
    sizes = [system.addresses.get("blows", 0), each, int(system.residual.rubs), collision.address]
    head = [*sizes, *(x.ctypes.data for x in (given, kept)), *begins]
    lists = [np.zeros(walls), starts, [k for row in rows for k in row]]
    return [np.concatenate([head, *lists]).astype(np.int64), collision, given, kept]


@kernel
def walls_of(w: March) -> Any:
    """The table of hard walls."""
    return integers_at(int(w.control[BLOWS]))


@kernel
def collision_of(I: Any) -> Any:
    """The record of the collision."""
    return record_at(I[COLLISION], Collision)


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
def find_delassus(t: float, y: Any, p: Any, m: Any, I: Any, T: Any, F: Any) -> int:
    """The Delassus matrix of the closed walls, with the factors there are, and what the system says of all walls."""
    collision, given = collision_of(I), floats_at(I[GIVEN])
    each, n, role = I[EACH], I[EACH] * T[WALLS], collision.role
    evaluate_into(I[FUNCTION], t, y, p, m, I[GIVEN])
    for k in range(n):
        if role[k // each] >= 0:
            zeros(T, F)
            add_row(k, 1.0, I, T, F)
            solve(T, F)
        for r in range(n):
            total = 0.0
            if role[k // each] >= 0 and role[r // each] >= 0:
                for e in range(I[I[STARTS] + r], I[I[STARTS] + r + 1]):
                    total += given[e] * F[T[RIGHT] + T[T[POSITION] + I[I[COLUMNS] + e]]]
            collision.delassus[r, k] = total
    return 0


@kernel
def blow(t: float, y: Floats, p: Floats, m: Floats, I: IntegersAt, T: IntegersAt, F: FloatsAt) -> int:
    """Impulses of the walls that take part, with factors of all walls open; their work goes to the ledger. Their effect
    on velocities is left on the right-hand side, the row speeds after them are in the record of the collision."""
    collision = collision_of(I)
    find_delassus(t, y, p, m, I, T, F)
    for c in range(T[WALLS]):
        slow = -collision.restitution[c] * collision.row_speeds[I[EACH] * c] < LEAST_REBOUND
        if collision.role[c] >= 0 and (I[I[MARKS] + c] != STRUCK or slow):
            collision.role[c] = RESTS
    solve_collision(collision)
    zeros(T, F)
    for r in range(collision.impulse.shape[0]):
        add_row(r, collision.impulse[r], I, T, F)
    for c in range(T[WALLS]):
        book_work(collision, c, collision.row_speeds, y)
    solve(T, F)
    return 0
