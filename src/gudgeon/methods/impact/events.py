"""Location of the events of hard contacts between impacts.

The mode of a contact is free, sliding or sticking. Up to two margins are positive while it lasts:

    normal     of a free contact its gap, of a lasting one its normal force λ
    friction   of a sliding contact its slip along its direction (in space its speed of slip less one that is rest), of
               a sticking one μ λ - |friction force|

The first margin to become negative within a step ends the step there. The step is done again with other lengths until
it ends at the zero, nothing is interpolated, so that events have the accuracy of the method.

A mode may seem to end and does not: a contact just released closes by rounding, until its acceleration has grown. Such
a candidate is dismissed and the next one located, since a contact that touches unseen would be found inside its wall.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.impact import scalar_friction, vector_friction
from gudgeon.methods.impact.contacts import HardContacts
from gudgeon.methods.impact.memory import ImpactMemory
from gudgeon.methods.march.events import NEVER, SEARCH, TIME_TOLERANCE, close_to_zero, crossing, try_step
from gudgeon.methods.march.memory import DEPTH, FORCE, FRICTION, RATE, March
from gudgeon.methods.march.modes import touches

NORMAL_EVENT, FRICTION_EVENT = range(2)
MOST_TRIES = 80  # steps tried to locate an event
LEAST_SHARE = 1e-6  # of a step: no event is expected before
ENDED = 1e-9  # of the margin at the start of the step: below minus this a mode has ended by more than rounding


@kernel
def friction_margin(w: March, hard: HardContacts, gap: Any, c: int) -> float:
    """The margin of a lasting contact with friction: positive while it slides on, or sticks."""
    if hard.drag[c] == 0.0:
        return hard.friction[c] * gap[c, FORCE] - abs(gap[c, FRICTION])
    if hard.slip_is_scalar:
        return scalar_friction.slip_margin(w, hard, gap, c)
    return vector_friction.slip_margin(w, hard, gap, c)


@kernel
def margin(w: March, hard: HardContacts, gap: Any, c: int, kind: int) -> float:
    """The number that is positive while the mode of a contact lasts, with its gap, force and slip in `gap`."""
    if kind == NORMAL_EVENT:
        return gap[c, FORCE] if touches(w, c) else -gap[c, DEPTH]
    if not touches(w, c) or hard.friction[c] <= 0.0:
        return 1.0
    return friction_margin(w, hard, gap, c)


@kernel
def first_end(w: March, own: ImpactMemory, h: float) -> float:
    """Where, in 0..1, the first mode ends within the step just tried, and which, of those that are not dismissed; NEVER
    if none does."""
    first = NEVER
    for c in range(w.contacts):
        free = not touches(w, c)
        for kind in range(2):
            if own.dismissed[2 * c + kind] > 0:
                continue
            before, after = margin(w, own.hard, w.gap, c, kind), margin(w, own.hard, w.gap_new, c, kind)
            x = NEVER
            if kind == NORMAL_EVENT and free:
                rate, rate_new = -w.gap[c, RATE] * h, -w.gap_new[c, RATE] * h
                # a gap that opens from zero is not closed by rounding
                before = max(before, close_to_zero(w, 0.0)) if rate > 0.0 else before
                if after < 0.0 or rate < 0.0 < rate_new:
                    x = crossing(before, rate, after, rate_new)
                    if x == NEVER and after < 0.0:
                        x = 1.0
            elif after < 0.0:
                x = max(before / (before - after), LEAST_SHARE) if before > 0.0 else LEAST_SHARE
            if x < first:
                first = x
                w.located, own.located_kind = c, kind
    return first


@kernel
def locate(w: March, own: ImpactMemory, guess: float, limit: float) -> float:
    """Length of the step at whose end the located margin is zero; 0 if it is not within the step of length `limit` that
    was just tried. On return another step has been done.

    Newton's method on the gap, whose rate is known, else false position with the Illinois rule; inside a bracket.
    """
    c, kind, hard = w.located, own.located_kind, own.hard
    is_gap = kind == NORMAL_EVENT and not touches(w, c)
    low, high, h = 0.0, limit, guess
    at_low, at_high, side = max(margin(w, hard, w.gap, c, kind), 0.0), -1.0, 0
    ends, crossed = margin(w, hard, w.gap_new, c, kind) < 0.0, False
    for _ in range(MOST_TRIES):
        w.locations += 1
        if not try_step(w, h, SEARCH) <= SEARCH:
            h = 0.5 * (low + h)
            continue
        value, rate = margin(w, hard, w.gap_new, c, kind), -w.gap_new[c, RATE]
        if is_gap and rate > 0.0 and value > -close_to_zero(w, 0.0):
            value = max(value, 1e-300)  # a gap that opens from zero is not closed by rounding
        if value < 0.0:
            high, at_high, crossed = h, value, True
            at_low *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            low, at_low = h, value
            at_high *= 0.5 if side > 0 else 1.0
            side = 1
        if (is_gap and abs(value) <= TIME_TOLERANCE * abs(rate)) or value == 0.0:
            break
        if high - low <= TIME_TOLERANCE:
            return h if crossed or ends else 0.0
        guess = 0.5 * (low + high)
        if is_gap and rate != 0.0:
            guess = h - value / rate
        elif crossed and at_low > at_high:
            guess = low + (high - low) * at_low / (at_low - at_high)
        h = guess if low < guess < high else 0.5 * (low + high)
        if not (crossed or ends) and limit - h < 1e-9 * limit:
            return 0.0
    return h


@kernel
def has_ended(w: March, own: ImpactMemory) -> bool:
    """Whether the mode that seems to end has ended by more than rounding."""
    c, kind = w.located, own.located_kind
    value = margin(w, own.hard, w.gap_new, c, kind)
    if kind == NORMAL_EVENT and not touches(w, c):
        return value < -close_to_zero(w, w.gap_new[c, RATE])
    return value < -ENDED * max(margin(w, own.hard, w.gap, c, kind), 1e-12)


@kernel
def dismiss(w: March, own: ImpactMemory) -> int:
    """The mode that seems to end does not end in this step: it must not hide another one that does."""
    own.dismissed[2 * w.located + own.located_kind] = 1
    return 0


@kernel
def shorten_to_event(w: March, own: ImpactMemory) -> float:
    """Shorten the step just tried to the first event in it. Gives its new length, or 0 when nothing happens."""
    limit, ended, contact, kind = w.h, 0.0, w.located, own.located_kind
    for i in range(own.dismissed.shape[0]):
        own.dismissed[i] = 0
    for _ in range(6 * w.contacts):
        x = first_end(w, own, limit)
        if x == NEVER:
            break
        # what has ended at the end of a located step by rounding only is decided when the event is handled
        if ended > 0.0 and not has_ended(w, own):
            dismiss(w, own)
            continue
        length = locate(w, own, min(x, 1.0) * limit, limit)
        if length == 0.0:
            try_step(w, limit, SEARCH)
            dismiss(w, own)
            continue
        limit = ended = length
        contact, kind = w.located, own.located_kind
    w.located, own.located_kind = contact, kind
    return ended
