"""Impulses of a step of Moreau's method: those of its contacts in the middle, and those that take them out of walls.

A step is flight to the middle, impulses there, flight to the end. Impulses are pairs at the places where the contacts
are, so that momenta change by nothing, and their work is the mean of the speeds before and after them.
"""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.complementarity.problem import APART, row_speed
from gudgeon.methods.impact.collision import book_work
from gudgeon.methods.impact.contacts import HardContacts, apply_impulses, evaluate_delassus, solve_impulses
from gudgeon.methods.march.events import close_to_zero
from gudgeon.methods.march.loop import AT_REST
from gudgeon.methods.march.memory import DEPTH, RATE, SECOND, March
from gudgeon.methods.march.modes import latch
from gudgeon.methods.stepping.flight import evaluate_slope, fly
from gudgeon.methods.stepping.memory import MoreauMemory

# What a contact did lately is its latch; its mode stays 0, since impulses do here what modes do elsewhere. From the
# last impulse on the latch counts down to FREE, by whole numbers from a bounce, by halves from a contact that lasted.
FREE, LIFTED, BOUNCED, LASTS = 0.0, 3.5, 4.0, 5.0


@kernel
def acted_lately(w: March, c: int) -> bool:
    return latch(w, c) > FREE


@kernel
def row_speeds_with(w: March, hard: HardContacts, t: float, velocities: Floats) -> int:
    """The Delassus matrix and the row speeds in the middle, with the velocities of another state."""
    for i in range(w.positions, w.positions + w.velocities):
        w.out[i] = velocities[i]
    return evaluate_delassus(w, hard, t, w.out)


@kernel
def set_step_targets(w: March, own: MoreauMemory, h: float) -> int:
    """Target speeds: the row speeds at the end of the free flight plus e u_old. `row_speeds` then has those of the old
    velocities, with the opening at the wall itself, and `middle_speeds` those of the middle."""
    hard, t = own.hard, w.t + 0.5 * h
    evaluate_delassus(w, hard, t, w.out)
    for r in range(hard.row_speeds.shape[0]):
        own.middle_speeds[r] = hard.row_speeds[r]
    row_speeds_with(w, hard, t, w.new)
    for r in range(hard.row_speeds.shape[0]):
        hard.target[r] = hard.row_speeds[r]
    row_speeds_with(w, hard, t, w.y)
    for c in range(hard.contacts):
        normal, second = hard.rows_per_contact * c, w.gap_within[c, SECOND]
        old = hard.row_speeds[normal]
        if old < 0.0:
            # speed at the wall itself, before or after the middle of the step: u² + a (h u - 2 depth)
            late = -h * old - 2.0 * w.gap_within[c, DEPTH]
            old = -math.sqrt(max(old * old + second * late, 0.0))
            hard.row_speeds[normal] = old
        rebound, loads = hard.restitution[c] * old, h * second
        if acted_lately(w, c) or abs(old) <= AT_REST or (old < 0.0 and -2.0 * rebound < loads):
            rebound = 0.0
        own.load_speed[c], own.rebound[c] = loads, rebound
        hard.target[normal] += rebound
    return 0


@kernel
def fly_first_half(w: March, own: MoreauMemory, h: float) -> int:
    """The middle of the step into `out` and into `origin`; `new` keeps the velocities of the whole flight."""
    nq = w.positions
    for i in range(w.velocities):
        own.free_velocities[i] = w.new[nq + i]
    # the flight has left y in `origin`
    fly(w, own, w.t, 0.5 * h, w.k[0], w.out, w.new)
    for i in range(w.y.shape[0]):
        own.origin[i] = w.out[i]
    for i in range(w.velocities):
        w.new[nq + i] = own.free_velocities[i]
    return 0


@kernel
def fly_second_half(w: March, own: MoreauMemory, h: float) -> int:
    """From the middle, where the velocities jump, to the end of the step, without contacts."""
    hard, nq, t = own.hard, w.positions, w.t + 0.5 * h
    for i in range(w.velocities):
        own.origin[nq + i] += hard.velocity_jump[i]
    for i in range(w.y.shape[0]):
        w.out[i] = own.origin[i]
    apply_impulses(hard, 0.0)
    evaluate_slope(w, t, w.out, own.middle_slope)
    return fly(w, own, t, 0.5 * h, own.middle_slope, w.new, w.out)


@kernel
def book_drives(hard: HardContacts, ledger: Floats) -> int:
    """The work of drives and other moving constraints in a jump."""
    if hard.drive_at >= 0:
        ledger[hard.drive_at] += hard.drive_work[0]
    return 0


@kernel
def book_impulses(own: MoreauMemory) -> int:
    """The work of the impulses in the middle."""
    hard = own.hard
    for r in range(hard.impulse.shape[0]):
        hard.speeds_after[r] = row_speed(hard, own.middle_speeds, r)
    for c in range(hard.contacts):
        own.opening_middle[c] = hard.speeds_after[hard.rows_per_contact * c]
        book_work(hard, c, own.middle_speeds, own.origin)
    return book_drives(hard, own.origin)


@kernel
def strike(w: March, own: MoreauMemory, h: float) -> int:
    """Impulses of the contacts that take part, and the step with them in `new`; gives the number of contacts with one.
    Then m has the mean forces."""
    hard, t, hit = own.hard, w.t + 0.5 * h, 0
    fly_first_half(w, own, h)
    set_step_targets(w, own, h)
    if solve_impulses(w, hard, t, w.out) == 0:
        # friction that jams may not let all contacts rebound; that none does is always possible
        for c in range(hard.contacts):
            hard.target[hard.rows_per_contact * c] -= own.rebound[c]
            own.rebound[c] = 0.0
        solve_impulses(w, hard, t, w.out)
    for c in range(hard.contacts):
        normal = hard.rows_per_contact * c
        hit += hard.impulse[normal] > 0.0
        own.opening_after[c] = row_speed(hard, hard.target, normal) - own.rebound[c]
    book_impulses(own)
    fly_second_half(w, own, h)
    for r in range(hard.impulse.shape[0]):
        own.step_impulse[r] = hard.impulse[r]
    apply_impulses(hard, 1.0 / h)
    return hit


@kernel
def impulses_back(w: March, own: MoreauMemory, h: float) -> int:
    """The impulses once more at the end of the step, with the other sign, and their work."""
    hard, t = own.hard, w.t + h
    evaluate(w.gaps_at, t, w.new, w.p, w.m, w.gap_new)
    apply_impulses(hard, -1.0)
    evaluate(hard.velocity_jump_at, t, w.new, w.p, w.m, hard.jump_result)
    for i in range(w.velocities):
        w.new[w.positions + i] += hard.velocity_jump[i]
    for c in range(hard.contacts):
        own.opening_middle[c] = -w.gap_new[c, RATE]
    evaluate(w.gaps_at, t, w.new, w.p, w.m, w.gap_new)
    for c in range(hard.contacts):
        if hard.absorbed_at[c] >= 0:
            opens = own.opening_middle[c] - w.gap_new[c, RATE]
            w.new[hard.absorbed_at[c]] += 0.5 * hard.impulse[hard.rows_per_contact * c] * opens
    return book_drives(hard, w.new)


@kernel
def set_depth_targets(w: March, own: MoreauMemory, h: float) -> bool:
    """Target speeds that take contacts out of the walls within half a step; false: none needs it."""
    hard, sunk = own.hard, False
    for c in range(hard.contacts):
        depth, normal = w.gap_new[c, DEPTH], hard.rows_per_contact * c
        if depth <= h * own.opening_after[c]:
            # its rebound takes it out within a step
            hard.role[c] = APART
        sunk = sunk or (hard.role[c] != APART and depth > close_to_zero(w, 0.0))
        hard.target[normal] = -2.0 * depth / h
        for r in range(normal + 1, normal + hard.rows_per_contact):
            hard.target[r] = 0.0
    return sunk


@kernel
def move_out(w: March, own: MoreauMemory, h: float) -> int:
    """Out of the walls: a second impulse in the middle, and the same back at the end, by the same inequalities.

    Gaps instead of speeds, no friction. Both are pairs of forces of the contact at the place where it is, so that no
    momentum is left over, as it would be by a shift of the positions. The mean forces are put back into m.
    """
    hard = own.hard
    evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    if not set_depth_targets(w, own, h):
        return 0
    for c in range(hard.contacts):
        hard.friction[c] = 0.0  # until it is evaluated again
    for i in range(w.out.shape[0]):
        w.out[i] = own.origin[i]
    solve_impulses(w, hard, w.t + 0.5 * h, w.out)
    for c in range(hard.contacts):
        normal = hard.rows_per_contact * c
        if hard.absorbed_at[c] >= 0:
            # with an impulse the speed has grown by -target
            mean = own.opening_middle[c] - 0.5 * hard.target[normal]
            own.origin[hard.absorbed_at[c]] -= hard.impulse[normal] * mean
    book_drives(hard, own.origin)
    fly_second_half(w, own, h)
    impulses_back(w, own, h)
    for r in range(hard.impulse.shape[0]):
        hard.impulse[r] = own.step_impulse[r]
    apply_impulses(hard, 1.0 / h)
    return 1
