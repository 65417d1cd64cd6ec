"""Impacts on hard walls, for the methods that take the equations left unsolved.

An impact acts on the velocities v along the constraints. The rest of the velocities, n, which steps of one stage leave
across them (it changes sign with every step, the motion is the mean), is orthogonal to v as the mass measures it, so
that its energy is its own. At an impact or a release n ends: as a speed of approach it would tell of the step, not of
the motion. Its energy goes to a contact that leaves, whose speed e u becomes e u + x,

    m x²/2 + B x = T(n),     m and B from the response w = M⁻¹ Rᵀ σ to a unit of that speed:  m = σ,  B = Σ σ_i u_i

with all other rows R as they are and u_i the speeds with which walls leave; where none leaves, the wall absorbs it.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.methods.instant import (
    F_AT,
    INTERNAL,
    MULTIPLIERS,
    POSITIONS,
    PROJECT,
    RATES,
    RESTITUTION,
    ROWS,
    VELOCITIES,
    WALLS,
    correct,
    linearise,
)
from gudgeon.methods.sparse_lu import POSITION, REST, RIGHT, solve
from gudgeon.native.kernel import evaluate_into, evaluate_row, floats_at, inlined

LEAST_REBOUND = 1e-4  # [m/s] a hard wall holds what would leave it slower
STILL = 1e-9  # [m/s] what is slower does not leave: rounding of speeds is of this size
STRUCK, LEFT = 1.0, -1.0  # marks of walls: just touched, just let go
SPARE = 2  # row of `work` that nothing is kept in from one step to the next


@inlined
def rubs(control: Any, T: Any) -> float:
    """1 where hard walls have friction."""
    return floats_at(int(control[RESTITUTION]))[3 * T[WALLS] + 1]


@inlined
def bare(t: float, y: Any, p: Any, m: Any, control: Any, T: Any, F: Any, alone: bool) -> float:
    """Factors at one instant; `alone`: of the constraints without friction, which follows their forces, not impulses
    that bring velocities onto them. It has none where multipliers are zero."""
    walls = T[WALLS] if alone and rubs(control, T) > 0.0 else 0
    data, first, room = floats_at(int(control[RESTITUTION])), T[MULTIPLIERS] + T[ROWS] - walls, 3 * T[WALLS] + 2
    for c in range(walls):
        data[room + c], y[first + c] = y[first + c], 0.0
    regular = linearise(t, 0.0, y, p, m, control, T, F)
    for c in range(walls):
        y[first + c] = data[room + c]
    return regular


@inlined
def push(t: float, y: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any) -> int:
    """Add the velocities that impulses bring, of which the solution lies on the right-hand side. Impulses s of rows
    that move, as drives do, work -s dg/dt, which goes to the ledger."""
    nq, nv, rows, walls, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[WALLS], T[RIGHT], T[REST]
    drive = int(floats_at(int(control[RESTITUTION]))[3 * walls])
    for i in range(nv):
        k[SPARE, i], y[nq + i] = y[nq + i] + F[b + T[T[POSITION] + i]], 0.0
    if drive >= 0:
        evaluate_into(T[PROJECT], t, y, p, m, int(control[F_AT]) + 8 * r)
        for i in range(rows - walls):
            y[drive] -= F[b + T[T[POSITION] + nv + i]] * F[r + nq + nv + rows + i]
    for i in range(nv):
        y[nq + i] = k[SPARE, i]
    return 0


@inlined
def ask(row: int, T: Any, F: Any) -> int:
    """A right-hand side of zeros, with 1 in one row of the constraints, none where it is negative."""
    nv, b = T[VELOCITIES], T[RIGHT]
    for i in range(nv + T[ROWS] + T[INTERNAL]):
        F[b + T[T[POSITION] + i]] = 0.0
    if row >= 0:
        F[b + T[T[POSITION] + nv + row]] = 1.0
    return 0


@inlined
def straighten(t: float, y: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any) -> float:
    """Bring velocities onto the constraints; gives the energy of what lay across them."""
    nq, nv, rows, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[RIGHT], T[REST]
    energy = 0.0
    if bare(t, y, p, m, control, T, F, True) > 0.0:
        evaluate_into(T[PROJECT], t, y, p, m, int(control[F_AT]) + 8 * r)
        ask(-1, T, F)
        for i in range(rows):
            F[b + T[T[POSITION] + nv + i]] = F[r + i] = -F[r + nq + nv + rows + i]
        solve(T, F)
        for i in range(rows):
            energy += 0.5 * F[r + i] * F[b + T[T[POSITION] + nv + i]]
        push(t, y, p, m, k, control, T, F)
    return energy


# a multiplier that turns n round in every step would be the normal force of friction: it alternates, the more the
# briefer the step
@inlined
def settle(t: float, y: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any) -> int:
    """Where hard walls rub: end what lies across the constraints; the first wall absorbs its energy."""
    across, place = straighten(t, y, p, m, k, control, T, F), int(floats_at(int(control[RESTITUTION]))[T[WALLS]])
    if place >= 0:
        y[place] += across
    return 0


@inlined
def mark(m: Any, data: Any, walls: int) -> int:
    """Mark the walls that have just been touched, and those that have just let go; gives how many."""
    found = 0
    for c in range(walls):
        data[2 * walls + c] = 0.0
        if m[2 * c] > 0.0 and m[2 * c + 1] >= 0.0:
            data[2 * walls + c], m[2 * c], m[2 * c + 1], found = STRUCK, 0.0, 0.0, found + 1
        elif m[2 * c] <= 0.0 and m[2 * c + 1] < 0.0:
            data[2 * walls + c], m[2 * c], found = LEFT, 1.0, found + 1
    return found


@inlined
def strike(t: float, y: Any, p: Any, m: Any, k: Any, control: Any, T: Any, F: Any, back: float) -> int:
    """Impacts on hard walls that have just been touched: velocities jump so that each leaves with its restitution, or
    is held where that is slow. Contacts held before stay. `back` > 0: the energy of velocities across the constraints
    is kept, see above. What an impact takes goes to the energy ledger. Gives how many were struck."""
    nq, nv, rows, walls, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[WALLS], T[RIGHT], T[REST]
    data, hit, held, leaving, place = floats_at(int(control[RESTITUTION])), 0, rows - walls, -1, -1
    if mark(m, data, walls) == 0:
        return 0
    across = straighten(t, y, p, m, k, control, T, F)
    for c in range(walls):
        if data[2 * walls + c] == STRUCK:
            m[2 * c], m[2 * c + 1], hit = 1.0, -1.0, hit + 1
    regular = bare(t, y, p, m, control, T, F, True)
    evaluate_into(T[PROJECT], t, y, p, m, int(control[F_AT]) + 8 * r)
    # speeds before and after, in the room of corrections
    for c in range(walls):
        u, e = F[r + nq + nv + rows + held + c], data[c]
        after = 0.0
        if data[2 * walls + c] == STRUCK:
            if u > STILL:
                after = u  # it leaves already
            elif -e * u >= LEAST_REBOUND:
                after = -e * u
            if after > 0.0:
                m[2 * c + 1], leaving = 0.0, c
            elif place < 0:
                place = int(data[walls + c])
        elif data[2 * walls + c] == LEFT:
            m[2 * c], m[2 * c + 1], leaving = 0.0, 0.0, c
        F[r + c], F[r + walls + c] = u, after
    if regular == 0.0:
        return hit
    more = 0.0
    if back > 0.0 and leaving >= 0:
        ask(held + leaving, T, F)
        solve(T, F)
        mass, linear = F[b + T[T[POSITION] + nv + held + leaving]], 0.0
        for c in range(walls):
            linear += F[b + T[T[POSITION] + nv + held + c]] * F[r + walls + c]
        if mass > 0.0 and across > 0.0:
            more = 2.0 * across / (linear + math.sqrt(linear * linear + 2.0 * mass * across))
    elif back > 0.0 and place >= 0:
        y[place] += across
    ask(-1, T, F)
    for c in range(walls):
        F[b + T[T[POSITION] + nv + held + c]] = F[r + walls + c] - F[r + c]
    # an impulse s on an opening speed that goes from u to u' has the work s (u + u') / 2
    solve(T, F)
    for c in range(walls):
        own = int(data[walls + c])
        if data[2 * walls + c] == STRUCK and own >= 0:
            y[own] -= 0.5 * F[b + T[T[POSITION] + nv + held + c]] * (F[r + c] + F[r + walls + c])
    push(t, y, p, m, k, control, T, F)
    if more > 0.0:
        ask(held + leaving, T, F)
        F[b + T[T[POSITION] + nv + held + leaving]] = more
        solve(T, F)
        push(t, y, p, m, k, control, T, F)
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
    struck, again = strike(t, y, p, m, k, control, T, F, back), 1
    while again > 0:
        again = 0
        evaluate_row(rhs, t, y, p, m, k, 0)
        for i in range(T[INTERNAL]):
            k[RATES, i] = k[0, T[POSITIONS] + T[VELOCITIES] + i]
        # friction follows multipliers, which are known only then
        for n in range(3 if rubs(control, T) > 0.0 else 2):
            if (n > 0 and rubs(control, T) == 0.0) or linearise(t, 0.0, y, p, m, control, T, F) > 0.0:
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
