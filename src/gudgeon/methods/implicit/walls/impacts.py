"""Impacts on hard walls, for the methods that take the equations in residual form.

An impact acts on the velocities v along the constraints, by impulses of all walls that are closed (impulses.py). The
rest of the velocities, n, which steps of one stage leave across them (it changes sign with every step, the motion is
the mean), is orthogonal to v as the mass measures it, so that its energy is its own. At an impact or a release n ends:
as a speed of approach it would tell of the step, not of the motion. Its energy goes to a contact that leaves, whose
speed u becomes u + x,

    m x²/2 + B x = T(n),     m and B from the response w = M⁻¹ Rᵀ σ to a unit of that speed:  m = σ,  B = Σ σ_i u_i

with all other rows R as they are and u_i the speeds with which walls leave; where none leaves, the wall absorbs it.

Mode and latch of a contact, as the time loop hands them over: (1, x >= 0) where it was just touched, (0, -1) where it
was just let go. Behind an impact (1, -1) is held, (0, 0) open, (1, 0) open from this instant on: the time loop notes
its release.
"""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import evaluate, evaluate_row, kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.complementarity.problem import APART, CLOSED
from gudgeon.methods.implicit.instant import LINEAR, Instant, clear_right, correct, linearise
from gudgeon.methods.implicit.walls.impulses import (
    LEAST_REBOUND,
    LEAVES,
    LET_GO,
    STRUCK,
    UNTOUCHED,
    find_impulses,
)
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import March
from gudgeon.methods.march.modes import latch, set_free, set_latch, set_touching, touches

HELD = -1.0  # latch of a contact that is held (assemble.contact.memory)
STILL = 1e-9  # [m/s] what is slower does not leave: rounding of speeds is of this size


@kernel
def factors_at(w: March, instant: Instant, t: float, y: Floats, frictionless: bool) -> bool:
    """Factors at one instant. Friction follows the forces of constraints, not impulses that bring velocities onto
    them: `frictionless` leaves it out. There is none where multipliers are zero. False: singular."""
    walls, first = instant.walls, instant.multipliers
    count = instant.constraints if frictionless and walls.has_friction > 0 else 0
    for c in range(count):
        walls.multiplier[c], y[first + c] = y[first + c], 0.0
    regular = linearise(w, instant, t, y, 0.0, 0.0)
    for c in range(count):
        y[first + c] = walls.multiplier[c]
    return regular


@kernel
def add_velocities(w: March, instant: Instant, t: float, y: Floats) -> int:
    """Add the velocities that impulses bring, of which the solution lies on the right-hand side. Impulses s of rows
    that move, as drives do, work -s dg/dt, which goes to the ledger."""
    nq, nv, walls = instant.positions, instant.velocities, instant.walls
    right, position = instant.factors.right, instant.factors.position
    drive = walls.drive_at
    for i in range(nv):
        walls.velocity[i], y[nq + i] = y[nq + i] + right[position[i]], 0.0
    if drive >= 0:
        evaluate(instant.project_at, t, y, w.p, w.m, instant.projection)
        for i in range(instant.constraints - walls.contacts):
            y[drive] -= right[position[nv + i]] * instant.velocity_residuals[i]
    for i in range(nv):
        y[nq + i] = walls.velocity[i]
    return 0


@kernel
def make_tangent(w: March, instant: Instant, t: float, y: Floats) -> float:
    """Bring velocities onto the constraints; gives the energy of what lay across them."""
    nv, rows = instant.velocities, instant.constraints
    right, position, residuals = instant.factors.right, instant.factors.position, instant.velocity_residuals
    energy = 0.0
    if factors_at(w, instant, t, y, True):
        evaluate(instant.project_at, t, y, w.p, w.m, instant.projection)
        clear_right(instant)
        for i in range(rows):
            right[position[nv + i]] = -residuals[i]
        solve(instant.factors)
        for i in range(rows):
            energy += 0.5 * -residuals[i] * right[position[nv + i]]
        add_velocities(w, instant, t, y)
    return energy


# a multiplier that turns n round in every step would be the normal force of friction: it alternates, the more the
# briefer the step
@kernel
def absorb_across(w: March, instant: Instant, t: float, y: Floats) -> int:
    """Where hard walls have friction: end what lies across the constraints; the first wall absorbs its energy."""
    across, place = make_tangent(w, instant, t, y), instant.walls.absorbed_at[0]
    if place >= 0:
        y[place] += across
    return 0


@kernel
def mark_walls(w: March, instant: Instant) -> int:
    """Mark the walls that have just been touched, and those that have just let go; gives how many."""
    mark, count = instant.walls.mark, 0
    for c in range(instant.walls.contacts):
        mark[c] = UNTOUCHED
        if touches(w, c) and latch(w, c) >= 0.0:
            set_free(w, c)
            set_latch(w, c, 0.0)
            mark[c], count = STRUCK, count + 1
        elif not touches(w, c) and latch(w, c) < 0.0:
            set_touching(w, c)
            mark[c], count = LET_GO, count + 1
    return count


@kernel
def hit_all(w: March, instant: Instant, t: float, y: Floats) -> int:
    """The impact on all walls that are closed; then these count as held. Row speeds after it are in `speeds_after`."""
    walls, role = instant.walls, instant.walls.role
    for c in range(walls.contacts):
        role[c] = CLOSED if walls.mark[c] == STRUCK or touches(w, c) else APART
        set_free(w, c)
    if factors_at(w, instant, t, y, True):
        find_impulses(w, instant, t, y)
        add_velocities(w, instant, t, y)
    for c in range(walls.contacts):
        if role[c] != APART:
            set_touching(w, c)
            set_latch(w, c, HELD)
    return 0


@kernel
def speed_up(w: March, instant: Instant, t: float, y: Floats, c: int, energy: float) -> int:
    """Give a contact that leaves more speed, with this energy; the other walls as they are."""
    nv, walls, right, position = instant.velocities, instant.walls, instant.factors.right, instant.factors.position
    first = nv + instant.constraints - walls.contacts
    if factors_at(w, instant, t, y, True):
        clear_right(instant)
        right[position[first + c]] = 1.0
        solve(instant.factors)
        mass, linear = right[position[first + c]], 0.0
        for i in range(walls.contacts):
            linear += right[position[first + i]] * walls.speeds_after[walls.rows_per_contact * i]
        if mass > 0.0:
            more = 2.0 * energy / (linear + math.sqrt(linear * linear + 2.0 * mass * energy))
            for i in range(nv + instant.constraints):
                right[position[i]] *= more
            add_velocities(w, instant, t, y)
    return 0


@kernel
def part(w: March, instant: Instant) -> int:
    """Walls that have let go are open, those that leave open from now on; the others are held."""
    mark = instant.walls.mark
    for c in range(instant.walls.contacts):
        if mark[c] == LET_GO:
            set_free(w, c)
            set_latch(w, c, 0.0)
        elif mark[c] == LEAVES:
            set_latch(w, c, 0.0)
    return 0


@kernel
def strike(w: March, instant: Instant, t: float, y: Floats, keeps_energy: bool) -> int:
    """Impacts on hard walls that have just been touched: velocities jump so that each leaves with its restitution, or
    is held where that is slow; contacts held before may part. `keeps_energy`: that of velocities across the constraints
    is kept, see above. What an impact takes goes to the energy ledger. Gives how many were struck."""
    walls, after = instant.walls, instant.walls.speeds_after
    if mark_walls(w, instant) == 0:
        return 0
    struck, leaving, place, each, slow = 0, -1, -1, walls.rows_per_contact, 0.0
    across = make_tangent(w, instant, t, y)
    for c in range(walls.contacts):
        after[each * c] = 0.0
        if walls.mark[c] == STRUCK:
            place, struck = walls.absorbed_at[c] if struck == 0 else place, struck + 1
    if struck > 0:
        hit_all(w, instant, t, y)
    for c in range(walls.contacts):
        speed, untouched = after[each * c], walls.mark[c] == STRUCK and walls.impulse[each * c] == 0.0
        if walls.mark[c] == LET_GO:
            leaving = c
        elif touches(w, c) and speed > (STILL if untouched else LEAST_REBOUND):
            walls.mark[c], leaving = LEAVES, c
        elif touches(w, c):
            slow = max(slow, speed)
    if keeps_energy and leaving >= 0 and across > 0.0:
        speed_up(w, instant, t, y, leaving, across)
    elif keeps_energy and place >= 0:
        y[place] += across
    part(w, instant)
    if slow > STILL:
        across = make_tangent(w, instant, t, y)
        if place >= 0:
            y[place] += across
    return struck


@kernel
def release(w: March, instant: Instant, y: Floats) -> int:
    """Contacts that an impact just left held, though loads pull them apart, are open. Gives how many."""
    walls, count = instant.walls, 0
    first = instant.multipliers + instant.constraints - walls.contacts
    for c in range(walls.contacts):
        if walls.mark[c] == STRUCK and latch(w, c) < 0.0 and y[first + c] < 0.0:
            set_latch(w, c, 0.0)
            count += 1
    return count


@kernel
def restart_at_walls(w: March, instant: Instant, keeps_energy: bool) -> float:
    """Impacts, then accelerations and multipliers, for which the equations are linear but for friction, and slopes.
    Gives how many of the contacts that were struck part at once: their memory is (1, 0)."""
    t, y, k, rates = w.t, w.y, w.k, instant.rates
    struck, again = strike(w, instant, t, y, keeps_energy), 1
    while again > 0:
        again = 0
        evaluate_row(w.rhs_at, t, y, w.p, w.m, k, 0)
        for i in range(instant.internal):
            rates[i] = k[0, instant.positions + instant.velocities + i]
        # friction follows multipliers, which are known only then
        for n in range(instant.corrections):
            if (n > 0 and instant.corrections == LINEAR) or linearise(w, instant, t, y, 0.0, 0.0):
                correct(w, instant, t, y)
        evaluate_row(w.rhs_at, t, y, w.p, w.m, k, 0)
        if struck > 0:
            again = release(w, instant, y)
    parted = 0.0
    if struck > 0:
        for c in range(instant.walls.contacts):
            if touches(w, c) and latch(w, c) == 0.0:
                parted += 1.0
    return parted
