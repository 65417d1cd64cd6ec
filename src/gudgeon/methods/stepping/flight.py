"""Free flight of time stepping: a step, or a part of one, in which no contact acts.

Momenta are what flight must not lose. Bodies of the plane keep theirs by the explicit midpoint rule, since their
accelerations do not depend on how they turn. Bodies that turn in space (more coordinates than velocities) fly by the
classical Runge-Kutta method: its error in the angular momentum is h⁵ ω⁵ / 120 of it in a step, below rounding at the
steps that impacts need, where the midpoint rule leaves h² ω³ / 12 of it in every second.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate_row, kernel
from gudgeon.compile.native.record import Floats, Matrix
from gudgeon.methods.march.memory import March

# rows of `work`: the slope at the start, that of a stage, that behind the impulses in the middle; the state from which
# the flight starts, or in which the impulses left it; the slope at the end
START, STAGE, BEHIND, FROM, END, ROWS = range(6)
TURNS = 0  # place in `control`: 1 where bodies turn in space


@kernel
def drift(rhs: int, t: float, h: float, end: Floats, out: Floats, p: Floats, m: Floats, k: Matrix, first: int, w: March) -> int:
    """From the state in row FROM, whose slope is in row `first`, to `end`; `out` is scratch."""
    n = end.shape[0]
    for i in range(n):
        out[i] = k[FROM, i] + 0.5 * h * k[first, i]
    evaluate_row(rhs, t + 0.5 * h, out, p, m, k, STAGE)
    if w.control[TURNS] == 0.0:
        for i in range(n):
            end[i] = k[FROM, i] + h * k[STAGE, i]
        w.evaluations += 1
        return 0
    for i in range(n):
        end[i] = k[FROM, i] + h / 6 * (k[first, i] + 2.0 * k[STAGE, i])
        out[i] = k[FROM, i] + 0.5 * h * k[STAGE, i]
    evaluate_row(rhs, t + 0.5 * h, out, p, m, k, STAGE)
    for i in range(n):
        end[i] += h / 3 * k[STAGE, i]
        out[i] = k[FROM, i] + h * k[STAGE, i]
    evaluate_row(rhs, t + h, out, p, m, k, STAGE)
    for i in range(n):
        end[i] += h / 6 * k[STAGE, i]
    w.evaluations += 3
    return 0


@kernel
def fly(rhs: Any, t: float, h: float, y: Any, new: Any, out: Any, p: Any, m: Any, k: Any, w: March) -> int:
    """A whole step; `out` is its middle, to second order."""
    for i in range(y.shape[0]):
        k[FROM, i] = y[i]
    drift(rhs, t, h, new, out, p, m, k, START, w)
    if w.control[TURNS] > 0.0:
        for i in range(y.shape[0]):
            out[i] = y[i] + 0.5 * h * k[START, i]
    return 0


@kernel
def land(rhs: Any, t: float, state: Any, p: Any, m: Any, k: Any, row: int, w: March) -> int:
    """The slope at a state."""
    evaluate_row(rhs, t, state, p, m, k, row)
    w.evaluations += 1
    return 0
