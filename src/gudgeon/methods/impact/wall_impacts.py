"""Impacts on hard walls, for the methods that take the equations left unsolved.

An impact acts on the velocities v along the constraints, by impulses of all walls that are closed
(methods.wall_blows). The rest of the velocities, n, which steps of one stage leave across them (it changes sign with
every step, the motion is the mean), is orthogonal to v as the mass measures it, so that its energy is its own. At an
impact or a release n ends: as a speed of approach it would tell of the step, not of the motion. Its energy goes to a
contact that leaves, whose speed u becomes u + x,

    m x²/2 + B x = T(n),     m and B from the response w = M⁻¹ Rᵀ σ to a unit of that speed:  m = σ,  B = Σ σ_i u_i

with all other rows R as they are and u_i the speeds with which walls leave; where none leaves, the wall absorbs it.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import evaluate_into, evaluate_row, floats_at, integers_at, kernel
from gudgeon.methods.impact.collision import APART, CLOSED
from gudgeon.methods.impact.wall_blows import (
    AIM,
    EACH,
    IMPULSE,
    KEPT,
    LEAST_REBOUND,
    LEFT,
    MARKS,
    PLACE,
    RUBS,
    STRUCK,
    blow,
    walls_of,
    zeros,
)
from gudgeon.methods.implicit.instant import (
    F_AT,
    INTERNAL,
    MULTIPLIERS,
    POSITIONS,
    PROJECT,
    RATES,
    ROWS,
    VELOCITIES,
    WALLS,
    correct,
    linearise,
)
from gudgeon.methods.linear.sparse import POSITION, REST, RIGHT, solve
from gudgeon.methods.march.memory import March

STILL = 1e-9  # [m/s] what is slower does not leave: rounding of speeds is of this size
LEAVES = 2  # one more mark of a wall: it is open behind the impact
SPARE = 2  # row of `work` that nothing is kept in from one step to the next


@kernel
def rubs(w: March) -> float:
    """1 where hard walls have friction."""
    return float(walls_of(w)[RUBS])


@kernel
def bare(t: float, y: Any, p: Any, m: Any, w: March, T: Any, F: Any, alone: bool) -> float:
    """Factors at one instant; `alone`: of the constraints without friction, which follows their forces, not impulses
    that bring velocities onto them. It has none where multipliers are zero."""
    walls = T[WALLS] if alone and rubs(w) > 0.0 else 0
    kept, first = floats_at(walls_of(w)[KEPT]), T[MULTIPLIERS] + T[ROWS] - walls
    for c in range(walls):
        kept[c], y[first + c] = y[first + c], 0.0
    regular = linearise(t, 0.0, y, p, m, w, T, F)
    for c in range(walls):
        y[first + c] = kept[c]
    return regular


@kernel
def push(t: float, y: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any) -> int:
    """Add the velocities that impulses bring, of which the solution lies on the right-hand side. Impulses s of rows
    that move, as drives do, work -s dg/dt, which goes to the ledger."""
    nq, nv, rows, walls, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[WALLS], T[RIGHT], T[REST]
    drive = integers_at(walls_of(w)[PLACE])[3 * walls]
    for i in range(nv):
        k[SPARE, i], y[nq + i] = y[nq + i] + F[b + T[T[POSITION] + i]], 0.0
    if drive >= 0:
        evaluate_into(T[PROJECT], t, y, p, m, int(w.control[F_AT]) + 8 * r)
        for i in range(rows - walls):
            y[drive] -= F[b + T[T[POSITION] + nv + i]] * F[r + nq + nv + rows + i]
    for i in range(nv):
        y[nq + i] = k[SPARE, i]
    return 0


@kernel
def straighten(t: float, y: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any) -> float:
    """Bring velocities onto the constraints; gives the energy of what lay across them."""
    nq, nv, rows, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[RIGHT], T[REST]
    energy = 0.0
    if bare(t, y, p, m, w, T, F, True) > 0.0:
        evaluate_into(T[PROJECT], t, y, p, m, int(w.control[F_AT]) + 8 * r)
        zeros(T, F)
        for i in range(rows):
            F[b + T[T[POSITION] + nv + i]] = F[r + i] = -F[r + nq + nv + rows + i]
        solve(T, F)
        for i in range(rows):
            energy += 0.5 * F[r + i] * F[b + T[T[POSITION] + nv + i]]
        push(t, y, p, m, k, w, T, F)
    return energy


# a multiplier that turns n round in every step would be the normal force of friction: it alternates, the more the
# briefer the step
@kernel
def settle(t: float, y: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any) -> int:
    """Where hard walls rub: end what lies across the constraints; the first wall absorbs its energy."""
    across, place = straighten(t, y, p, m, k, w, T, F), integers_at(walls_of(w)[PLACE])[0]
    if place >= 0:
        y[place] += across
    return 0


@kernel
def mark(m: Any, I: Any, walls: int) -> int:
    """Mark the walls that have just been touched, and those that have just let go; gives how many."""
    found = 0
    for c in range(walls):
        I[I[MARKS] + c] = 0
        if m[2 * c] > 0.0 and m[2 * c + 1] >= 0.0:
            I[I[MARKS] + c], m[2 * c], m[2 * c + 1], found = STRUCK, 0.0, 0.0, found + 1
        elif m[2 * c] <= 0.0 and m[2 * c + 1] < 0.0:
            I[I[MARKS] + c], m[2 * c], found = LEFT, 1.0, found + 1
    return found


@kernel
def hit_all(t: float, y: Any, p: Any, m: Any, k: Any, w: March, I: Any, T: Any, F: Any) -> int:
    """The blow on all walls that are closed; then these count as held. Row speeds behind it are in `aim`."""
    place = integers_at(I[PLACE])
    for c in range(T[WALLS]):
        place[3 * c + 2] = CLOSED if I[I[MARKS] + c] == STRUCK or m[2 * c] > 0.0 else APART
        m[2 * c] = 0.0
    if bare(t, y, p, m, w, T, F, True) > 0.0:
        blow(t, y, p, m, I, T, F)
        push(t, y, p, m, k, w, T, F)
    for c in range(T[WALLS]):
        if place[3 * c + 2] != APART:
            m[2 * c], m[2 * c + 1] = 1.0, -1.0
    return 0


@kernel
def speed_up(t: float, y: Any, p: Any, m: Any, k: Any, w: March, I: Any, T: Any, F: Any,
             c: int, energy: float) -> int:  # fmt: skip
    """Give a contact that leaves more speed, with this energy; the other walls as they are."""
    nv, walls, b, aim = T[VELOCITIES], T[WALLS], T[RIGHT], floats_at(I[AIM])
    first = nv + T[ROWS] - walls
    if bare(t, y, p, m, w, T, F, True) > 0.0:
        zeros(T, F)
        F[b + T[T[POSITION] + first + c]] = 1.0
        solve(T, F)
        mass, linear = F[b + T[T[POSITION] + first + c]], 0.0
        for i in range(walls):
            linear += F[b + T[T[POSITION] + first + i]] * aim[I[EACH] * i]
        if mass > 0.0:
            more = 2.0 * energy / (linear + math.sqrt(linear * linear + 2.0 * mass * energy))
            for i in range(nv + T[ROWS]):
                F[b + T[T[POSITION] + i]] *= more
            push(t, y, p, m, k, w, T, F)
    return 0


@kernel
def part(m: Any, I: Any, walls: int) -> int:
    """Walls that leave are open, those that have let go too, the others are held."""
    for c in range(walls):
        if I[I[MARKS] + c] == LEFT:
            m[2 * c], m[2 * c + 1] = 0.0, 0.0
        elif I[I[MARKS] + c] == LEAVES:
            m[2 * c + 1] = 0.0
    return 0


@kernel
def strike(t: float, y: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any, back: float) -> int:
    """Impacts on hard walls that have just been touched: velocities jump so that each leaves with its restitution, or
    is held where that is slow; contacts held before may part. `back` > 0: the energy of velocities across the
    constraints is kept, see above. What an impact takes goes to the energy ledger. Gives how many were struck."""
    I, walls = walls_of(w), T[WALLS]
    if mark(m, I, walls) == 0:
        return 0
    hit, leaving, place, aim, slow = 0, -1, -1, floats_at(I[AIM]), 0.0
    across = straighten(t, y, p, m, k, w, T, F)
    for c in range(walls):
        aim[I[EACH] * c] = 0.0
        if I[I[MARKS] + c] == STRUCK:
            place, hit = integers_at(I[PLACE])[3 * c] if hit == 0 else place, hit + 1
    if hit > 0:
        hit_all(t, y, p, m, k, w, I, T, F)
    for c in range(walls):
        struck, speed = I[I[MARKS] + c] == STRUCK, aim[I[EACH] * c]
        untouched = struck and floats_at(I[IMPULSE])[I[EACH] * c] == 0.0
        if I[I[MARKS] + c] == LEFT:
            leaving = c
        elif m[2 * c] > 0.0 and speed > (STILL if untouched else LEAST_REBOUND):
            I[I[MARKS] + c], leaving = LEAVES, c
        elif m[2 * c] > 0.0:
            slow = max(slow, speed)
    if back > 0.0 and leaving >= 0 and across > 0.0:
        speed_up(t, y, p, m, k, w, I, T, F, leaving, across)
    elif back > 0.0 and place >= 0:
        y[place] += across
    part(m, I, walls)
    if slow > STILL:
        across = straighten(t, y, p, m, k, w, T, F)
        if place >= 0:
            y[place] += across
    return hit


@kernel
def release(y: Any, m: Any, w: March, T: Any) -> int:
    """Contacts that an impact just left held, though loads pull them apart, are open. Gives how many."""
    I, walls, found = walls_of(w), T[WALLS], 0
    first = T[MULTIPLIERS] + T[ROWS] - walls
    for c in range(walls):
        if I[I[MARKS] + c] == STRUCK and m[2 * c + 1] < 0.0 and y[first + c] < 0.0:
            m[2 * c + 1] = 0.0
            found += 1
    return found


@kernel
def impacts(rhs: int, t: float, y: Any, p: Any, m: Any, k: Any, w: March, T: Any, F: Any, back: float) -> float:
    """Impacts, then accelerations and multipliers, for which the equations are linear, and slopes. Gives how many of
    the contacts that were struck part at once: their memory is (1, 0)."""
    struck, again = strike(t, y, p, m, k, w, T, F, back), 1
    while again > 0:
        again = 0
        evaluate_row(rhs, t, y, p, m, k, 0)
        for i in range(T[INTERNAL]):
            k[RATES, i] = k[0, T[POSITIONS] + T[VELOCITIES] + i]
        # friction follows multipliers, which are known only then
        for n in range(3 if rubs(w) > 0.0 else 2):
            if (n > 0 and rubs(w) == 0.0) or linearise(t, 0.0, y, p, m, w, T, F) > 0.0:
                correct(t, y, p, m, k, w, T, F)
        evaluate_row(rhs, t, y, p, m, k, 0)
        if struck > 0:
            again = release(y, m, w, T)
    parted = 0.0
    if struck > 0:
        for c in range(T[WALLS]):
            if m[2 * c] > 0.0 and m[2 * c + 1] == 0.0:
                parted += 1.0
    return parted
