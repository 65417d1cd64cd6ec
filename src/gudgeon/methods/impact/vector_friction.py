"""Sliding and sticking of hard contacts whose slip is a vector s, in space.

A contact that slides has the friction -μ N s / |s|. It comes to rest where |s| vanishes; there the direction is
singular, and with it the equations, and nothing changes its sign. Every step is therefore kept shorter than the time
that is left, |s| / -|s|', so that each takes away most of what remains, until |s| is at the level of rounding (STOP):
that is crossed as any other event is. Whether the contact then sticks is decided by the forces. If all contacts at rest
stick, with forces that the equations share evenly, and none exceeds its limit, they do; otherwise forces on the cone
(methods/complementarity) tell which of them are at their limit.

A contact that breaks loose has no slip yet. It starts into the direction d of its acceleration, which the forces on the
cone know: u = W f + b = -f |u| / (μ N). To tell the equations, a small vector, the seed g, is added to the slip,

    s_eff = s + g,     g = d SEED x typical speed,    friction = -μ N s_eff / |s_eff|

of exact size, and of exact direction as long as s goes along d; what turns it meanwhile is felt with an error of |g| at
most. g is dropped when |s_eff| is FORGET times as large. Of several contacts that hold one body some may be at their
limit and yet held by the others: their friction stays where it is.

Across the slip friction is stiff, with the rate μ N W / |s|: steps are kept within what an explicit method bears.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.complementarity.solver import solve
from gudgeon.methods.impact.contacts import INSTANT, HardContacts, soften, tangential_size
from gudgeon.methods.march.memory import FORCE, FRICTION, SLIP, SLIP_SECOND, March
from gudgeon.methods.march.modes import touches

STOP = 1e-11  # of the typical speed: slower slip is rest
MOMENT = 1e-12  # [s] and so is one that ends within this time
SEED = 1e-8  # of the typical speed: slip added to a contact that starts
FORGET = 1e4  # times the seed: it is dropped
SHARE = 0.8  # of the time that is left to a stop
STIFF = 4.0  # rate times step that DOP853 bears
BELOW = 1e-7  # of the limit: forces that leave less are left to the cone
AT_LIMIT = 1e-9  # of the limit: forces on the cone that leave less are at it
HELD = 1e-6  # of the acceleration by friction: what slips with less is held by others, or has just begun


@kernel
def slowest_slip(w: March, gap: Any, c: int) -> float:
    """Slower slip is rest [m/s]."""
    return STOP * w.speed + MOMENT * abs(gap[c, SLIP_SECOND])


@kernel
def slip_margin(w: March, hard: HardContacts, gap: Any, c: int) -> float:
    """Positive while a contact slides on."""
    return gap[c, SLIP] - slowest_slip(w, gap, c)


@kernel
def plant_seed(hard: HardContacts, c: int, size: float) -> int:
    """Make the slip of a contact without any one of this size against its force in `impulse`."""
    normal, seed, tangential = hard.rows_per_contact * c, hard.slip_components * c, tangential_size(hard, c)
    scale = size / tangential if tangential > 0.0 else 0.0
    for k in range(hard.slip_components):
        r = normal + 1 + k
        hard.slip_seed[seed + k] = -scale * hard.impulse[r] - hard.row_speeds[r]
    return 0


@kernel
def drop_seed(hard: HardContacts, c: int) -> int:
    for k in range(hard.slip_components * c, hard.slip_components * (c + 1)):
        hard.slip_seed[k] = 0.0
    return 0


@kernel
def seed_size(hard: HardContacts, c: int) -> float:
    square = 0.0
    for k in range(hard.slip_components * c, hard.slip_components * (c + 1)):
        square += hard.slip_seed[k] ** 2
    return math.sqrt(square)


@kernel
def set_rest_speeds(w: March, hard: HardContacts) -> int:
    """The speed of each contact below which it is at rest, with its seed."""
    for c in range(hard.contacts):
        hard.rest_speed[c] = 2.0 * (slowest_slip(w, w.gap, c) + seed_size(hard, c))
    return 0


@kernel
def slips(hard: HardContacts, c: int) -> bool:
    """Whether a contact slips faster than what is rest, by the row speeds."""
    square, normal = 0.0, hard.rows_per_contact * c
    for r in range(normal + 1, normal + hard.rows_per_contact):
        square += hard.row_speeds[r] ** 2
    return math.sqrt(square) > hard.rest_speed[c]


@kernel
def solve_forces(w: March, hard: HardContacts, least_acceleration: float) -> int:
    """Forces of the closed contacts into `impulse`, from the accelerations without any; what slips keeps its direction,
    and an opening acceleration below `least_acceleration` is none."""
    target = hard.target
    evaluate(hard.row_accelerations_at, w.t, w.y, w.p, w.m, target)
    for c in range(hard.contacts):
        normal, moves = hard.rows_per_contact * c, slips(hard, c)
        target[normal] = target[normal] if abs(target[normal]) > least_acceleration else 0.0
        for r in range(normal + 1, normal + hard.rows_per_contact):
            target[r] += hard.row_speeds[r] / INSTANT if moves else 0.0
    soften(hard)
    return solve(hard)


@kernel
def stick_or_slide(hard: HardContacts, c: int) -> int:
    """A contact that lasts slides on or, if it is at rest, sticks from now on."""
    mu = hard.friction[c]
    if mu > 0.0:
        drop_seed(hard, c)
        slides = slips(hard, c)
        hard.drag[c], hard.stick[c] = mu if slides else 0.0, 0.0 if slides else 1.0
    return 0


@kernel
def all_hold(w: March, hard: HardContacts) -> bool:
    """Whether every contact that sticks can, and every one that lasts presses, by the forces in `gap`."""
    hold = True
    for c in range(hard.contacts):
        force, friction = w.gap[c, FORCE], w.gap[c, FRICTION]
        if hard.stick[c] > 0.0:
            hold = hold and abs(friction) < hard.friction[c] * force * (1.0 - BELOW)
        elif touches(w, c):
            hold = hold and force > 0.0
    return hold


@kernel
def break_loose(w: March, hard: HardContacts, c: int) -> int:
    """A contact at its limit begins to slide against the force in `impulse` that held it."""
    hard.stick[c], hard.drag[c] = 0.0, hard.friction[c]
    return plant_seed(hard, c, SEED * w.speed)


@kernel
def release_at_limit(w: March, hard: HardContacts) -> int:
    """Contacts that stick begin to slide where their force in `impulse` is at the limit."""
    for c in range(hard.contacts):
        limit = hard.friction[c] * hard.impulse[hard.rows_per_contact * c]
        if hard.stick[c] > 0.0 and tangential_size(hard, c) >= limit * (1.0 - AT_LIMIT):
            break_loose(w, hard, c)
    return 0


@kernel
def limit_step(w: March, hard: HardContacts, h: float) -> float:
    """A step [s] that neither passes a stop nor is unstable across the slip; drops seeds that slip has outgrown."""
    for c in range(hard.contacts):
        drag = hard.drag[c]
        if not touches(w, c) or drag <= 0.0:
            continue
        speed, rate = w.gap[c, SLIP], w.gap[c, SLIP_SECOND]
        normal, trace, seed = hard.rows_per_contact * c, 0.0, seed_size(hard, c)
        for r in range(normal + 1, normal + hard.rows_per_contact):
            trace += hard.delassus[r, r]
        if seed > 0.0 and speed > FORGET * seed:
            drop_seed(hard, c)
        stiffness = drag * max(w.gap[c, FORCE], 0.0) * trace
        if rate < 0.0:
            h = min(h, -SHARE * speed / rate)
        if stiffness * h > STIFF * speed and abs(rate) > HELD * stiffness:
            h = STIFF * speed / stiffness
    return h
