"""The equations left unsolved at one instant: accelerations and multipliers, and impacts on hard walls.

Shared by the methods that take the equations of assemble.unsolved; their tables begin with these places.
"""

from __future__ import annotations

from typing import Any

from gudgeon.methods.contract import EVALUATIONS, FACTORISATIONS, FREE, JACOBIANS
from gudgeon.methods.sparse_lu import OWN, POSITION, REST, RIGHT, VALUES, factor, solve
from gudgeon.native.kernel import evaluate_into, evaluate_row, floats_at, inlined

# places of the method's own integers in the table
(POSITIONS, VELOCITIES, ROWS, INTERNAL, ACCELERATIONS, MULTIPLIERS, STEP_FACTORS,
 RESIDUAL, PROJECT, WALLS) = range(OWN, OWN + 10)  # fmt: skip

RATES = 4  # row of `work`: rates of the internal states

# places in `control`
T_AT, F_AT, TANGENT, M, F_, GAMMA, BETA, ESTIMATE = range(FREE, FREE + 8)
LENGTH = FREE + 8  # of the step the factors are for; 0: none
STALE, FRESH = FREE + 9, FREE + 10  # factors to be made anew; made at this t
PAST = FREE + 11  # length of the last step, 0: none
RATE, THETA, FAILED = FREE + 12, FREE + 13, FREE + 14
RESTITUTION = FREE + 15  # address of those of hard walls, then places in y of what each absorbs
LEAST_REBOUND = 1e-4  # [m/s] a hard wall holds what would leave it slower
STILL = 1e-9  # [m/s] what is slower does not leave: rounding of speeds is of this size


@inlined
def linearise(t: float, h: float, new: Any, p: Any, m: Any, control: Any, T: Any, F: Any) -> float:
    """The matrix of a step of length h and its factors. Gives 0 where it is singular."""
    share = (1.0 - control[F_]) / (1.0 - control[M])
    c = T[STEP_FACTORS]
    new[c], new[c + 1], new[c + 2] = 1.0, h * control[GAMMA] * share, h * h * control[BETA] * share
    evaluate_into(int(control[TANGENT]), t, new, p, m, int(control[F_AT]) + 8 * T[VALUES])
    for i in range(T[VALUES], T[REST]):
        if not abs(F[i]) < 1e30:
            F[i] = 0.0  # where a law has no derivative
    control[JACOBIANS] += 1.0
    control[FACTORISATIONS] += 1.0
    control[LENGTH], control[STALE], control[FRESH] = h, 0.0, 1.0
    return factor(T, F)


@inlined
def correct(t: float, new: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any) -> int:
    """One correction of accelerations, multipliers and internal rates; it stays on the right-hand side."""
    nv, rows, internal, r, b = T[VELOCITIES], T[ROWS], T[INTERNAL], T[REST], T[RIGHT]
    evaluate_into(T[RESIDUAL], t, new, p, m, int(control[F_AT]) + 8 * r)
    control[EVALUATIONS] += 1.0
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


@inlined
def strike(t: float, y: Any, p: Any, m: Any, control: Any, T: Any, F: Any, back: float) -> int:
    """Impacts on hard walls that have just been touched: velocities jump so that each leaves with its restitution, or
    is held where that is slow. Contacts held before stay; speeds across constraints become -back times what they were,
    also into a wall that has just let go. What an impact takes goes to the energy ledger. Gives how many were struck."""
    nq, nv, rows, walls, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[WALLS], T[RIGHT], T[REST]
    data, hit, held, left = floats_at(int(control[RESTITUTION])), 0, rows - walls, 0
    for c in range(walls):
        if m[2 * c] > 0.0 and m[2 * c + 1] >= 0.0:
            data[2 * walls + c], m[2 * c + 1], hit = 1.0, -1.0, hit + 1
        else:
            data[2 * walls + c] = 0.0
            if m[2 * c] <= 0.0 and m[2 * c + 1] < 0.0:  # it was held until now
                data[2 * walls + c], m[2 * c], left = -1.0, 1.0, left + 1
    if hit + left == 0:
        return 0
    regular = linearise(t, 0.0, y, p, m, control, T, F)
    evaluate_into(T[PROJECT], t, y, p, m, int(control[F_AT]) + 8 * r)
    for c in range(walls if left > 0 else 0):
        if data[2 * walls + c] < 0.0:
            m[2 * c] = m[2 * c + 1] = 0.0
    if regular == 0.0:
        return hit
    for i in range(nv):
        F[b + T[T[POSITION] + i]] = 0.0
    for i in range(rows):
        speed, struck = F[r + nq + nv + rows + i], i >= held and data[2 * walls + i - held] > 0.0
        more = data[i - held] if struck else back
        parting = i >= held and data[2 * walls + i - held] < 0.0 and speed >= 0.0
        if (struck and speed > STILL) or parting:
            more = -1.0  # it leaves already
        elif struck and -more * speed < LEAST_REBOUND:
            more = 0.0
        if struck and more != 0.0:
            m[2 * (i - held) + 1] = 0.0
        F[b + T[T[POSITION] + nv + i]] = -(1.0 + more) * speed
        F[r + i] = (1.0 - more) * speed
    solve(T, F)
    for i in range(nv):
        y[nq + i] += F[b + T[T[POSITION] + i]]
    # an impulse s on an opening speed that goes from u to -e u has the work s (1 - e) u / 2
    for i in range(held, rows):
        place = int(data[walls + i - held])
        if data[2 * walls + i - held] > 0.0 and place >= 0:
            y[place] -= 0.5 * F[b + T[T[POSITION] + nv + i]] * F[r + i]
    return hit


@inlined
def release(y: Any, m: Any, control: Any, T: Any) -> int:
    """Contacts that an impact just left held, though loads pull them apart, are open. Gives how many."""
    walls, found = T[WALLS], 0
    data, first = floats_at(int(control[RESTITUTION])), T[MULTIPLIERS] + T[ROWS] - walls
    for c in range(walls):
        if data[2 * walls + c] > 0.0 and m[2 * c + 1] < 0.0 and y[first + c] < 0.0:
            m[2 * c + 1] = 0.0
            found += 1
    return found


@inlined
def impacts(rhs: int, t: float, y: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any, back: float) -> float:
    """Impacts, then accelerations and multipliers, for which the equations are linear, and slopes. Gives how many of
    the contacts that were struck part at once: their memory is (1, 0)."""
    struck, again = strike(t, y, p, m, control, T, F, back), 1
    while again > 0:
        again = 0
        evaluate_row(rhs, t, y, p, m, k, 0)
        for i in range(T[INTERNAL]):
            k[RATES, i] = k[0, T[POSITIONS] + T[VELOCITIES] + i]
        if linearise(t, 0.0, y, p, m, control, T, F) > 0.0:
            for _ in range(2):
                correct(t, y, p, m, k, control, T, F)
        evaluate_row(rhs, t, y, p, m, k, 0)
        if struck > 0:
            again = release(y, m, control, T)
    parted = 0.0
    if struck > 0:
        for c in range(T[WALLS]):
            if m[2 * c] > 0.0 and m[2 * c + 1] == 0.0:
                parted += 1.0
    return parted
