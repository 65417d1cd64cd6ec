"""Events of rigid contacts between impacts: touch, release, sliding that stops, sticking that breaks loose.

Each contact has up to two values that are positive while its mode lasts:

    free       the gap
    lasting    the normal force;  while sliding the slip along its direction, while sticking μ λ - |friction|;
               in space, while sliding, the speed of the slip less one that is rest (methods.sliding)

The first to become negative within a step ends the step there; steps are done again, nothing is interpolated.
"""

from __future__ import annotations

from typing import Any

from gudgeon.assemble.contact.events import DRAG, FRONT, MODE
from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.impact.collision import COULOMB, of_pair
from gudgeon.methods.impact.sliding import behind, rest_speed
from gudgeon.methods.march.events import NEVER, SEARCH, TIME_TOLERANCE, close_to_zero, crossing, try_step
from gudgeon.methods.march.memory import DEPTH, FORCE, FRICTION, RATE, SLIP, March

PRIMARY, RUBBING = 0, 1
STILL = 1e-12  # of the typical speed: slower slip is none


@kernel
def drag_of(w: March, c: int) -> float:
    return w.m[behind(w, c) + DRAG]


@kernel
def lasts(w: March, gap: Any, c: int, kind: int) -> float:
    """The value that is positive while the mode of a contact lasts."""
    if kind == PRIMARY:
        return -gap[c, DEPTH] if w.m[FRONT * c + MODE] <= 0.0 else gap[c, FORCE]
    mu = of_pair(w, c, COULOMB)
    if w.m[FRONT * c + MODE] <= 0.0 or mu <= 0.0:
        return 1.0
    drag = drag_of(w, c)
    if drag == 0.0:
        return mu * gap[c, FORCE] - abs(gap[c, FRICTION])
    if w.rows_per_contact > 2:
        return gap[c, SLIP] - rest_speed(w, gap, c)
    # a contact at its limit may be kept from slipping by another that holds the same bodies
    return (gap[c, SLIP] if drag > 0.0 else -gap[c, SLIP]) + STILL * w.speed


@kernel
def first_end(w: March, h: float) -> float:
    """Where, in 0..1, the first mode ends within the step just tried, and which; NEVER if none does."""
    found = NEVER
    for c in range(w.contacts):
        free = w.m[FRONT * c + MODE] <= 0.0
        for kind in range(2):
            before, after = lasts(w, w.gap, c, kind), lasts(w, w.gap_new, c, kind)
            x = NEVER
            if kind == PRIMARY and free:
                rate, rate_new = -w.gap[c, RATE] * h, -w.gap_new[c, RATE] * h
                # a gap that opens from zero is not closed by rounding
                before = max(before, close_to_zero(w, 0.0)) if rate > 0.0 else before
                if after < 0.0 or rate < 0.0 < rate_new:
                    x = crossing(before, rate, after, rate_new)
                    if x == NEVER and after < 0.0:
                        x = 1.0
            elif after < 0.0:
                x = max(before / (before - after), 1e-6) if before > 0.0 else 1e-6
            if x < found:
                found = x
                w.located, w.located_kind = c, kind
    return found


@kernel
def locate_end(attempt: Any, w: March, guess: float, limit: float) -> float:
    """Length of the step at whose end the located value is zero; on return the step has been done.

    Newton's method on the gap, whose rate is known, else false position with the Illinois rule; inside a bracket.
    """
    c, kind = w.located, w.located_kind
    known = kind == PRIMARY and w.m[FRONT * c + MODE] <= 0.0
    low, high, h = 0.0, limit, guess
    at_low, at_high, side = max(lasts(w, w.gap, c, kind), 0.0), -1.0, 0
    crossed = False
    for _ in range(80):
        w.locations += 1
        if not try_step(attempt, w, h, SEARCH) <= SEARCH:
            h = 0.5 * (low + h)
            continue
        value, rate = lasts(w, w.gap_new, c, kind), -w.gap_new[c, RATE]
        if known and rate > 0.0 and value > -close_to_zero(w, 0.0):
            value = max(value, 1e-300)  # a gap that opens from zero is not closed by rounding
        if value < 0.0:
            high, at_high, crossed = h, value, True
            at_low *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            low, at_low = h, value
            at_high *= 0.5 if side > 0 else 1.0
            side = 1
        if high - low <= TIME_TOLERANCE or (known and abs(value) <= TIME_TOLERANCE * abs(rate)) or value == 0.0:
            break
        guess = 0.5 * (low + high)
        if known and rate != 0.0:
            guess = h - value / rate
        elif crossed and at_low > at_high:
            guess = low + (high - low) * at_low / (at_low - at_high)
        h = guess if low < guess < high else 0.5 * (low + high)
        if not crossed and limit - h < 1e-9 * limit:
            return 0.0
    return h


@kernel
def end_of_modes(attempt: Any, w: March) -> float:
    """Shorten the step just tried to the first event in it. Gives its new length, or 0 when nothing happens."""
    limit, ended = w.h, 0.0
    for _ in range(4 * w.contacts):
        x = first_end(w, limit)
        if x == NEVER:
            break
        # what is over at the end of a located step by rounding only is left to `settle`
        if ended > 0.0 and not is_over(w):
            break
        found = locate_end(attempt, w, min(x, 1.0) * limit, limit)
        if found == 0.0:
            try_step(attempt, w, limit, SEARCH)
            break
        limit = ended = found
    return ended


@kernel
def is_over(w: March) -> bool:
    """Whether the mode now found to end has ended by more than rounding."""
    c, kind = w.located, w.located_kind
    value = lasts(w, w.gap_new, c, kind)
    if kind == PRIMARY and w.m[FRONT * c + MODE] <= 0.0:
        return value < -close_to_zero(w, w.gap_new[c, RATE])
    return value < -1e-9 * max(lasts(w, w.gap, c, kind), 1e-12)
