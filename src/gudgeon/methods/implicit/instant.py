"""The equations left unsolved at one instant: accelerations and multipliers.

Shared by the methods that take the equations of assemble.unsolved; their tables begin with these places.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate_into, kernel
from gudgeon.methods.linear.sparse import OWN, POSITION, REST, RIGHT, VALUES, factor, solve
from gudgeon.methods.march.memory import March

# places of the method's own integers in the table
(POSITIONS, VELOCITIES, ROWS, INTERNAL, ACCELERATIONS, MULTIPLIERS, STEP_FACTORS,
 RESIDUAL, PROJECT, WALLS) = range(OWN, OWN + 10)  # fmt: skip

RATES = 4  # row of `work`: rates of the internal states

# places in `control`
T_AT, F_AT, TANGENT, M, F_, GAMMA, BETA, ESTIMATE = range(8)
LENGTH = 8  # of the step the factors are for; 0: none
STALE, FRESH = 9, 10  # factors to be made anew; made at this t
PAST = 11  # length of the last step, 0: none
RATE, THETA, FAILED = 12, 13, 14
BLOWS = 15  # address of the table of hard walls, see methods.wall_blows
LARGEST = 16  # error of the last steps, relative to the tolerance


@kernel
def linearise(t: float, h: float, new: Any, p: Any, m: Any, w: March, T: Any, F: Any) -> float:
    """The matrix of a step of length h and its factors. Gives 0 where it is singular."""
    share = (1.0 - w.control[F_]) / (1.0 - w.control[M])
    c = T[STEP_FACTORS]
    new[c], new[c + 1], new[c + 2] = 1.0, h * w.control[GAMMA] * share, h * h * w.control[BETA] * share
    evaluate_into(int(w.control[TANGENT]), t, new, p, m, int(w.control[F_AT]) + 8 * T[VALUES])
    for i in range(T[VALUES], T[REST]):
        if not abs(F[i]) < 1e30:
            F[i] = 0.0  # where a law has no derivative
    w.jacobians += 1
    w.factorisations += 1
    w.control[LENGTH], w.control[STALE], w.control[FRESH] = h, 0.0, 1.0
    return factor(T, F)


@kernel
def correct(t: float, new: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any) -> int:
    """One correction of accelerations, multipliers and internal rates; it stays on the right-hand side."""
    nv, rows, internal, r, b = T[VELOCITIES], T[ROWS], T[INTERNAL], T[REST], T[RIGHT]
    evaluate_into(T[RESIDUAL], t, new, p, m, int(w.control[F_AT]) + 8 * r)
    w.evaluations += 1
    for i in range(nv + rows):
        F[b + T[T[POSITION] + i]] = -F[r + i]
    for i in range(internal):
        F[b + T[T[POSITION] + nv + rows + i]] = F[r + nv + rows + i] - k[RATES, i]
    solve(T, F)
    for i in range(nv):
        new[T[ACCELERATIONS] + i] += F[b + T[T[POSITION] + i]]
    for i in range(rows):
        new[T[MULTIPLIERS] + i] += F[b + T[T[POSITION] + nv + i]]
    for i in range(internal):
        k[RATES, i] += F[b + T[T[POSITION] + nv + rows + i]]
    return 0
