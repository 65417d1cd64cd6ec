"""The time loop: compiled once for all mechanisms, it takes their functions as addresses."""

from __future__ import annotations

from typing import Any

from gudgeon.methods.contract import STEP_FUNCTION
from gudgeon.methods.events import TIME_TOLERANCE, end_of_mode, try_step
from gudgeon.methods.work import (
    BUDGET, CONTACTS, DONE, E_CONTACT, E_DEPTH, E_FORCE, E_FORCE_TIME, E_KIND, E_MAX_DEPTH, E_RATE, E_SIZE, E_TIME,
    EVENTS, FORCES, FULL, GAPS, H, H_MAX, ONSET, OUT_NEXT, OUT_STEP, PAUSED, PEAK_DEPTH, PEAK_FORCE, PEAK_TIME,
    REJECTED, RELEASE, RHS, RTOL, SLOPE, STEPS, STUCK, T, T_END, TAPE, TOUCH_ERROR, WORK,
)  # fmt: skip
from gudgeon.native.kernel import INT, evaluate, inlined, kernel

AFTER_EVENT = 0.01  # the first step of a mode, relative to the last of the old one: the law is only C1 at zero depth


@inlined
def record(w: Any, t: float, state: Any) -> int:
    """One row (t, y, m) on the tape."""
    row, n = w.count[TAPE], state.shape[0]
    w.tape[row, 0] = t
    for i in range(n):
        w.tape[row, 1 + i] = state[i]
    for i in range(w.m.shape[0]):
        w.tape[row, 1 + n + i] = w.m[i]
    w.count[TAPE] += 1
    return 0


@inlined
def sample(interpolate: Any, w: Any, h: float) -> int:
    """Rows at the output times that lie in the step; with no output step, the end of the step itself."""
    t = w.clock[T]
    if w.clock[OUT_STEP] <= 0.0:
        record(w, t + h, w.new)
        return 0
    while w.clock[OUT_NEXT] <= t + h and w.count[TAPE] < w.tape.shape[0]:
        x = min(1.0, (w.clock[OUT_NEXT] - t) / h)
        interpolate(w.address[RHS], t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], x)
        record(w, w.clock[OUT_NEXT], w.out)
        w.clock[OUT_NEXT] += w.clock[OUT_STEP]
    return 0


@inlined
def force_within(interpolate: Any, w: Any, h: float, x: float, contact: int) -> float:
    """Normal force of a contact at t + x h."""
    interpolate(w.address[RHS], w.clock[T], h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], x)
    evaluate(w.address[FORCES], w.clock[T] + x * h, w.out, w.p, w.m, w.force)
    return w.force[contact]


@inlined
def refine_peak(interpolate: Any, w: Any, h: float, contact: int) -> int:
    """The largest force within a step on which it rises and falls, by golden section and a parabola."""
    ratio = 0.6180339887498949
    low, high = 0.0, 1.0
    a, b = 1.0 - ratio, ratio
    fa, fb = force_within(interpolate, w, h, a, contact), force_within(interpolate, w, h, b, contact)
    for _ in range(22):
        if fa > fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = force_within(interpolate, w, h, a, contact)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = force_within(interpolate, w, h, b, contact)
    if max(fa, fb) > w.peak[contact, PEAK_FORCE]:
        w.peak[contact, PEAK_FORCE] = max(fa, fb)
        w.peak[contact, PEAK_TIME] = w.clock[T] + h * (a if fa > fb else b)
    return 0


@inlined
def watch(interpolate: Any, w: Any, h: float) -> int:
    """Follow force and depth of touching contacts over the step.

    A force that rose at the start of the step and falls at its end has its peak inside; its slope comes from one
    more evaluation a little further along the motion.
    """
    touching, contacts = False, w.count[CONTACTS]
    for c in range(contacts):
        touching = touching or w.m[2 * c] > 0.0
    if not touching:
        return 0
    t, last, ahead = w.clock[T] + h, w.k.shape[0] - 1, 1e-5 * h
    evaluate(w.address[FORCES], t, w.new, w.p, w.m, w.force)
    for i in range(w.new.shape[0]):
        w.out[i] = w.new[i] + ahead * w.k[last, i]
    evaluate(w.address[FORCES], t + ahead, w.out, w.p, w.m, w.force_ahead)
    for c in range(contacts):
        if w.m[2 * c] > 0.0:
            w.peak[c, PEAK_DEPTH] = max(w.peak[c, PEAK_DEPTH], w.gap_new[2 * c])
            if w.force[c] > w.peak[c, PEAK_FORCE]:
                w.peak[c, PEAK_FORCE], w.peak[c, PEAK_TIME] = w.force[c], t
    for c in range(contacts):
        if w.m[2 * c] > 0.0:
            rising = w.peak[c, SLOPE]
            w.peak[c, SLOPE] = w.force_ahead[c] - w.force[c]
            if rising > 0.0 and w.peak[c, SLOPE] <= 0.0:
                refine_peak(interpolate, w, h, c)
                evaluate(w.address[FORCES], t, w.new, w.p, w.m, w.force)
    return 0


@inlined
def note_event(w: Any, contact: int, kind: float) -> int:
    """One row of the list of events."""
    row, n = w.count[EVENTS], w.y.shape[0]
    w.events[row, E_TIME], w.events[row, E_CONTACT], w.events[row, E_KIND] = w.clock[T], contact, kind
    w.events[row, E_DEPTH], w.events[row, E_RATE] = w.gap[2 * contact], w.gap[2 * contact + 1]
    w.events[row, E_FORCE] = w.peak[contact, PEAK_FORCE]
    w.events[row, E_FORCE_TIME] = w.peak[contact, PEAK_TIME]
    w.events[row, E_MAX_DEPTH] = w.peak[contact, PEAK_DEPTH]
    for i in range(n):
        w.events[row, E_SIZE + i] = w.y[i]
    for i in range(w.m.shape[0]):
        w.events[row, E_SIZE + n + i] = w.m[i]
    w.count[EVENTS] += 1
    return 0


@inlined
def begin_contact(w: Any, contact: int) -> int:
    """Latch the speed of first touch; only an accepted step comes here."""
    w.m[2 * contact], w.m[2 * contact + 1] = 1.0, max(w.gap[2 * contact + 1], 0.0)
    w.clock[TOUCH_ERROR] = max(w.clock[TOUCH_ERROR], abs(w.gap[2 * contact]))
    w.peak[contact, PEAK_FORCE], w.peak[contact, PEAK_TIME] = 0.0, w.clock[T]
    w.peak[contact, PEAK_DEPTH], w.peak[contact, SLOPE] = 0.0, 1.0
    if w.bristle[contact] >= 0:
        w.y[w.bristle[contact]] = 0.0
    return note_event(w, contact, ONSET)


@inlined
def switch_modes(w: Any) -> int:
    """At the end of a mode: every contact whose depth has reached zero changes over. Gives how many did."""
    changed = 0
    for c in range(w.count[CONTACTS]):
        depth, rate = w.gap[2 * c], w.gap[2 * c + 1]
        near = 2.0 * TIME_TOLERANCE * abs(rate) + 1e-18
        if w.m[2 * c] <= 0.0 and depth >= -near and rate > 0.0:
            begin_contact(w, c)
            changed += 1
        elif w.m[2 * c] > 0.0 and depth <= near and rate < 0.0:
            note_event(w, c, RELEASE)
            w.m[2 * c] = 0.0
            changed += 1
    return changed


@inlined
def advance(restart: Any, interpolate: Any, commit: Any, w: Any, error: float, ended: float) -> int:
    """Accept the step that lies in `new`: watch, sample, move on; change modes if it ended one."""
    asked = w.clock[H]
    h = ended if ended > 0.0 else asked
    if w.count[CONTACTS] > 0:
        watch(interpolate, w, h)
    sample(interpolate, w, h)
    t = w.clock[T]
    factor = commit(w.address[RHS], t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], error)
    w.clock[T] = t + h
    for i in range(w.y.shape[0]):
        w.y[i] = w.new[i]
    for i in range(w.gap.shape[0]):
        w.gap[i] = w.gap_new[i]
    w.count[STEPS] += 1
    if ended > 0.0:
        switch_modes(w)
        restart(w.address[RHS], t + h, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0)
        w.clock[H] = max(AFTER_EVENT * min(asked, max(h, 0.1 * asked)), 1e-12)
        if w.clock[OUT_STEP] <= 0.0:
            record(w, w.clock[T], w.y)
    else:
        w.clock[H] = asked * factor
    return 0


@kernel(INT(STEP_FUNCTION, STEP_FUNCTION, STEP_FUNCTION, STEP_FUNCTION, WORK))
def march(restart: Any, attempt: Any, interpolate: Any, commit: Any, w: Any) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    budget = w.count[STEPS] + w.count[REJECTED] + w.count[BUDGET]
    adaptive_step = w.clock[H]
    while w.clock[T] < w.clock[T_END]:
        if w.count[TAPE] > w.tape.shape[0] - 4 or w.count[EVENTS] > w.events.shape[0] - 2 * w.count[CONTACTS] - 2:
            return FULL
        if w.count[STEPS] + w.count[REJECTED] >= budget:
            return PAUSED
        adaptive_step = min(w.clock[H], w.clock[H_MAX])
        left = w.clock[T_END] - w.clock[T]
        w.clock[H] = left if adaptive_step > left * (1.0 - 1e-12) else adaptive_step
        if w.clock[H] < 4e-16 * abs(w.clock[T]) or w.clock[H] < 1e-300:
            return STUCK
        error = try_step(attempt, w, w.clock[H])
        if not error <= 1.0:
            w.count[REJECTED] += 1
            order = w.control[2]
            w.clock[H] *= max(0.1, 0.9 * error ** (-1.0 / order)) if error < 1e30 else 0.1
            continue
        ended = end_of_mode(attempt, w) if w.count[CONTACTS] > 0 else 0.0
        advance(restart, interpolate, commit, w, error, ended)
        if w.clock[T_END] - w.clock[T] < 1e-15 * abs(w.clock[T_END]):
            w.clock[T] = w.clock[T_END]
    return DONE


@kernel(INT(STEP_FUNCTION, WORK))
def prepare(restart: Any, w: Any) -> int:
    """Before the first step: gaps, contacts that touch already, the first slope and the first step."""
    t = w.clock[T]
    if w.count[CONTACTS] > 0:
        evaluate(w.address[GAPS], t, w.y, w.p, w.m, w.gap)
        for c in range(w.count[CONTACTS]):
            if w.m[2 * c] <= 0.0 and (w.gap[2 * c] > 0.0 or (w.gap[2 * c] == 0.0 and w.gap[2 * c + 1] > 0.0)):
                begin_contact(w, c)
    restart(w.address[RHS], t, 0.0, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0)
    if w.clock[OUT_STEP] > 0.0:
        w.clock[OUT_NEXT] = t + w.clock[OUT_STEP]
    record(w, t, w.y)
    return 0
