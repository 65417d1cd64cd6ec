"""Impulses of all hard walls that are closed at an instant, by Newton's and Coulomb's laws.

The laws are those of `impact`, and so are the functions that solve them (methods.impact.collision). What they ask for,
the Delassus matrix W = R P Rᵀ of the rows R of openings and slips, comes from the equations in residual form: with all
walls open and factors of mass and joints, the answer to a unit impulse along a row is one solution. So walls that hold
the same thing twice do no harm, and a contact that was held may part.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.complementarity.problem import RESTS
from gudgeon.methods.impact.collision import book_work, solve_collision
from gudgeon.methods.implicit.instant import Instant, clear_right
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import March

UNTOUCHED, STRUCK, LET_GO, LEAVES = range(4)  # marks: just touched, just let go, open behind the impact
LEAST_REBOUND = 1e-4  # [m/s] a hard wall holds what would leave it slower


@kernel
def add_row(instant: Instant, row: int, impulse: float) -> int:
    """An impulse along a row, onto the right-hand side."""
    walls, right, position = instant.walls, instant.factors.right, instant.factors.position
    for e in range(walls.row_starts[row], walls.row_starts[row + 1]):
        right[position[walls.row_columns[e]]] += impulse * walls.rows[e]
    return 0


@kernel
def find_delassus(w: March, instant: Instant, t: float, y: Floats) -> int:
    """W of the walls that take part, with the factors there are, and what the system says of all walls."""
    walls, right, position = instant.walls, instant.factors.right, instant.factors.position
    each, n, role = walls.rows_per_contact, walls.impulse.shape[0], walls.role
    evaluate(walls.rows_at, t, y, w.p, w.m, walls.rows)
    for k in range(n):
        if role[k // each] >= 0:
            clear_right(instant)
            add_row(instant, k, 1.0)
            solve(instant.factors)
        for r in range(n):
            total = 0.0
            if role[k // each] >= 0 and role[r // each] >= 0:
                for e in range(walls.row_starts[r], walls.row_starts[r + 1]):
                    total += walls.rows[e] * right[position[walls.row_columns[e]]]
            walls.delassus[r, k] = total
    return 0


@kernel
def find_impulses(w: March, instant: Instant, t: float, y: Floats) -> int:
    """Impulses of the walls that take part, with factors of all walls open; their work goes to the ledger. Their effect
    on velocities is left on the right-hand side, the row speeds after them in `speeds_after`."""
    walls = instant.walls
    find_delassus(w, instant, t, y)
    for c in range(walls.contacts):
        slow = -walls.restitution[c] * walls.row_speeds[walls.rows_per_contact * c] < LEAST_REBOUND
        if walls.role[c] >= 0 and (walls.mark[c] != STRUCK or slow):
            walls.role[c] = RESTS
    solve_collision(walls)
    clear_right(instant)
    for r in range(walls.impulse.shape[0]):
        add_row(instant, r, walls.impulse[r])
    for c in range(walls.contacts):
        book_work(walls, c, walls.row_speeds, y)
    solve(instant.factors)
    return 0
