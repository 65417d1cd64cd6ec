"""The time loop: compiled once for all mechanisms, it takes their functions as addresses."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import INT, evaluate, inlined, kernel
from gudgeon.methods.contract import AFTER, HARD, ORDER, STEP_FUNCTION
from gudgeon.methods.march.events import close_to_zero, end_of_mode, may_end, try_step
from gudgeon.methods.march.memory import (
    BUDGET,
    CONTACTS,
    CREST,
    DEPTH,
    DONE,
    E_CONTACT,
    E_DEPTH,
    E_FORCE,
    E_FORCE_TIME,
    E_KIND,
    E_MAX_DEPTH,
    E_RATE,
    E_SIZE,
    E_TIME,
    EVENTS,
    FORCE,
    FULL,
    GAPS,
    GO,
    H_MAX,
    LOCATED,
    ONSET,
    OUT_NEXT,
    OUT_START,
    OUT_STEP,
    OUTPUTS,
    PAUSED,
    PEAK_DEPTH,
    PEAK_FORCE,
    PEAK_TIME,
    RATE,
    REJECTED,
    RELEASE,
    RHS,
    RTOL,
    SLOPE,
    STEPS,
    STRIDE,
    STUCK,
    T_END,
    TAPE,
    TOUCH_ERROR,
    WORK,
    H,
    T,
)  # fmt: skip

LATE = 1e-9  # of the output step: a row that rounding puts behind the end of a step belongs to it
AT_REST = 1e-9  # [m/s] a slower first touch is none: rounding of speeds is of this size
GOLDEN, PEAK_PLACE = 0.3819660112501051, 1e-4  # where the largest force lies, as a part of the step
EVENLY = 10.0  # so many steps before the end they become even, for methods to which changes of the step matter
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
    """Rows at the output times that lie in the step."""
    t = w.clock[T]
    while w.clock[OUT_NEXT] <= t + h + LATE * w.clock[OUT_STEP]:
        x = min(1.0, (w.clock[OUT_NEXT] - t) / h)
        interpolate(w.address[RHS], t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], x)
        record(w, w.clock[OUT_NEXT], w.out)
        w.count[OUTPUTS] += 1
        w.clock[OUT_NEXT] = w.clock[OUT_START] + (w.count[OUTPUTS] + 1) * w.clock[OUT_STEP]
    return 0


@inlined
def make_room(w: Any) -> bool:
    """Whether the rows of the next step fit on the tape; on an empty tape the step is cut to what fits."""
    room = w.tape.shape[0] - 4 - w.count[TAPE]
    if w.clock[OUT_STEP] <= 0.0:
        return room > 0
    if (w.clock[T] + w.clock[H] - w.clock[OUT_NEXT]) / w.clock[OUT_STEP] < room:
        return True
    if w.count[TAPE] > 0:
        return False
    w.clock[H] = min(w.clock[H], (room - 2) * w.clock[OUT_STEP])
    return True


@inlined
def force_within(interpolate: Any, w: Any, h: float, x: float, contact: int) -> float:
    """Normal force of a contact at t + x h."""
    interpolate(w.address[RHS], w.clock[T], h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], x)
    evaluate(w.address[GAPS], w.clock[T] + x * h, w.out, w.p, w.m, w.gap_within)
    return w.gap_within[STRIDE * contact + FORCE]


@inlined
def refine_peak(interpolate: Any, w: Any, h: float, contact: int) -> int:
    """The largest force within a step on which it rises and falls, by parabolas through the three best points, by
    golden section where these do not close in on it (Brent 1973, chapter 5). One place evaluates the force."""
    low, high, best, second, third = 0.0, 1.0, GOLDEN, 0.0, 1.0
    f_best, f_second, f_third, step, before, x = 0.0, 0.0, 0.0, 1.0, 1.0, GOLDEN
    for n in range(22):
        if n > 0:
            middle = 0.5 * (low + high)
            if abs(best - middle) <= 2.0 * PEAK_PLACE - 0.5 * (high - low):
                break
            a, b = (best - second) * (f_best - f_third), (best - third) * (f_best - f_second)
            across = 2.0 * (b - a)
            along = (best - third) * b - (best - second) * a
            along = -along if across > 0.0 else along
            across = abs(across)
            last, before = before, step
            if abs(along) < abs(0.5 * across * last) and across * (low - best) < along < across * (high - best):
                step = along / across
            else:
                before = (high if best < middle else low) - best
                step = GOLDEN * before
            x = best + (step if abs(step) >= PEAK_PLACE else (PEAK_PLACE if step > 0.0 else -PEAK_PLACE))
        f = force_within(interpolate, w, h, x, contact)
        if n == 0:
            # the ends of the step are the other two points of the first parabola
            f_best, f_second, f_third = f, w.gap[STRIDE * contact + FORCE], w.gap_new[STRIDE * contact + FORCE]
        elif f >= f_best:
            if x >= best:
                low = best
            else:
                high = best
            third, f_third, second, f_second, best, f_best = second, f_second, best, f_best, x, f
        else:
            if x >= best:
                high = x
            else:
                low = x
            if f >= f_second or second == best:
                third, f_third, second, f_second = second, f_second, x, f
            elif f >= f_third or third == best or third == second:  # noqa: SIM109
                third, f_third = x, f
    if f_best > w.peak[contact, PEAK_FORCE]:
        w.peak[contact, PEAK_FORCE], w.peak[contact, PEAK_TIME] = f_best, w.clock[T] + h * best
    return 0


@inlined
def deepest(w: Any, h: float, c: int) -> float:
    """Largest depth over the step: at its end, or where the cubic through both ends turns."""
    start, rate = w.gap[STRIDE * c + DEPTH], w.gap[STRIDE * c + RATE] * h
    end, rate_new = w.gap_new[STRIDE * c + DEPTH], w.gap_new[STRIDE * c + RATE] * h
    if not rate > 0.0 > rate_new:
        return max(start, end)
    x = rate / (rate - rate_new)
    jump = end - start
    return start + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * rate - x * rate_new))


@inlined
def past_peak(w: Any, c: int) -> bool:
    """Whether the force of a contact fell before the step, fell over it, and is well below its largest value."""
    force = w.gap_new[STRIDE * c + FORCE]
    fell = w.peak[c, SLOPE] <= 0.0 and force <= w.gap[STRIDE * c + FORCE]
    return fell and force < 0.9 * w.peak[c, PEAK_FORCE]


@inlined
def watch(interpolate: Any, w: Any, h: float) -> int:
    """Follow force and depth of touching contacts over the step.

    A force that rose at the start of the step and falls at its end has its peak inside; its slope comes from one
    more evaluation a little further along the motion, which is spared where the peak is past.
    """
    open_question, t, contacts = False, w.clock[T] + h, w.count[CONTACTS]
    for c in range(contacts):
        if w.m[2 * c] > 0.0:
            force = w.gap_new[STRIDE * c + FORCE]
            w.peak[c, PEAK_DEPTH] = max(w.peak[c, PEAK_DEPTH], deepest(w, h, c))
            if force > w.peak[c, PEAK_FORCE]:
                w.peak[c, PEAK_FORCE], w.peak[c, PEAK_TIME] = force, t
            open_question = open_question or not past_peak(w, c)
    if not open_question:
        return 0
    last, ahead = w.k.shape[0] - 1, 1e-5 * h
    for i in range(w.new.shape[0]):
        w.out[i] = w.new[i] + ahead * w.k[last, i]
    evaluate(w.address[GAPS], t + ahead, w.out, w.p, w.m, w.gap_within)
    for c in range(contacts):
        if w.m[2 * c] > 0.0 and not past_peak(w, c):
            rising = w.peak[c, SLOPE]
            w.peak[c, SLOPE] = w.gap_within[STRIDE * c + FORCE] - w.gap_new[STRIDE * c + FORCE]
            if rising > 0.0 and w.peak[c, SLOPE] <= 0.0:
                w.peak[c, CREST] = 1.0
    for c in range(contacts):
        if w.m[2 * c] > 0.0 and w.peak[c, CREST] > 0.0:
            w.peak[c, CREST] = 0.0
            refine_peak(interpolate, w, h, c)
    return 0


@inlined
def note_event(w: Any, contact: int, kind: float, stride: int = STRIDE) -> int:
    """One row of the list of events."""
    row, n = w.count[EVENTS], w.y.shape[0]
    w.events[row, E_TIME], w.events[row, E_CONTACT], w.events[row, E_KIND] = w.clock[T], contact, kind
    w.events[row, E_DEPTH], w.events[row, E_RATE] = w.gap[stride * contact + DEPTH], w.gap[stride * contact + RATE]
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
    speed = w.gap[STRIDE * contact + RATE]
    w.m[2 * contact], w.m[2 * contact + 1] = 1.0, speed if speed > AT_REST else 0.0
    w.clock[TOUCH_ERROR] = max(w.clock[TOUCH_ERROR], abs(w.gap[STRIDE * contact + DEPTH]))
    w.peak[contact, PEAK_FORCE], w.peak[contact, PEAK_TIME] = 0.0, w.clock[T]
    w.peak[contact, PEAK_DEPTH], w.peak[contact, SLOPE] = 0.0, 1.0
    for k in range(w.bristle[2 * contact + 1]):
        w.y[w.bristle[2 * contact] + k] = 0.0
    return note_event(w, contact, ONSET)


@inlined
def switch_modes(w: Any) -> int:
    """At the end of a mode: the contact that was located changes over, and every other whose depth is zero too.

    What is open ends, whichever way it moves: where steps jump it may be on its way back.
    """
    for c in range(w.count[CONTACTS]):
        depth, rate = w.gap[STRIDE * c + DEPTH], w.gap[STRIDE * c + RATE]
        here, near = c == w.count[LOCATED], close_to_zero(w, rate)
        if w.m[2 * c] <= 0.0 and ((here and (rate >= 0.0 or w.control[HARD] > 0.0)) or (depth >= -near and rate > 0.0)):
            begin_contact(w, c)
        elif w.m[2 * c] > 0.0 and ((here and (rate <= 0.0 or depth < -near)) or (depth <= near and rate < 0.0)):
            note_event(w, c, RELEASE)
            w.m[2 * c] = 0.0
    return 0


@inlined
def let_go(w: Any) -> int:
    """Hard walls that an impact left open at once: there is nothing to locate."""
    for c in range(w.count[CONTACTS]):
        if w.m[2 * c] > 0.0 and w.m[2 * c + 1] == 0.0:
            note_event(w, c, RELEASE)
            w.m[2 * c] = 0.0
    return 0


@inlined
def advance(restart: Any, interpolate: Any, commit: Any, w: Any, error: float, ended: float) -> int:
    """Accept the step that lies in `new`: watch, sample, move on; change modes if it ended one."""
    asked = w.clock[H]
    h = ended if ended > 0.0 else asked
    if w.count[CONTACTS] > 0:
        watch(interpolate, w, h)
    if w.clock[OUT_STEP] <= 0.0:
        record(w, w.clock[T] + h, w.new)
    elif w.clock[OUT_NEXT] <= w.clock[T] + h + LATE * w.clock[OUT_STEP]:
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
        parted = restart(
            w.address[RHS], t + h, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0
        )
        evaluate(w.address[GAPS], t + h, w.y, w.p, w.m, w.gap)  # a hard wall may have turned velocities
        if parted > 0.0:
            let_go(w)
        share = w.control[AFTER] if w.control[AFTER] > 0.0 else AFTER_EVENT
        w.clock[H] = max(share * min(asked, max(h, 0.1 * asked)), 1e-12 + 1e-14 * abs(w.clock[T]))
        if w.clock[OUT_STEP] <= 0.0:
            record(w, w.clock[T], w.y)
    else:
        w.clock[H] = asked * factor
    return 0


@inlined
def ready(w: Any, budget: int) -> int:
    """Cut the next step to what is left; GO, or the status with which to leave the loop."""
    left = w.clock[T_END] - w.clock[T]
    w.clock[H] = min(w.clock[H], w.clock[H_MAX])
    if w.clock[H] > left * (1.0 - 1e-12):
        w.clock[H] = left
    elif w.control[AFTER] > 0.0 and left < EVENLY * w.clock[H]:
        w.clock[H] = left / math.ceil(left / w.clock[H])  # a short last one would make stiff parts ring
    status = GO
    if not make_room(w) or w.count[EVENTS] > w.events.shape[0] - 4 * w.count[CONTACTS] - 2:
        status = FULL
    elif w.count[STEPS] + w.count[REJECTED] >= budget:
        status = PAUSED
    elif w.clock[H] < 4e-16 * abs(w.clock[T]) or w.clock[H] < 1e-300:
        status = STUCK
    return status


@inlined
def reject(w: Any, error: float) -> int:
    """A shorter step instead of one whose error was too large."""
    w.count[REJECTED] += 1
    w.clock[H] *= max(0.1, 0.9 * error ** (-1.0 / w.control[ORDER])) if error < 1e30 else 0.1
    return 0


@inlined
def round_end(w: Any) -> int:
    if w.clock[T_END] - w.clock[T] < 1e-15 * abs(w.clock[T_END]):
        w.clock[T] = w.clock[T_END]
    return 0


@inlined
def loop(restart: Any, attempt: Any, interpolate: Any, commit: Any, w: Any) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    budget = w.count[STEPS] + w.count[REJECTED] + w.count[BUDGET]
    while w.clock[T] < w.clock[T_END]:
        status = ready(w, budget)
        if status != GO:
            return status
        error = try_step(attempt, w, w.clock[H], 1.0)
        if not error <= 1.0:
            reject(w, error)
            continue
        ended = end_of_mode(attempt, w) if may_end(w) else 0.0
        advance(restart, interpolate, commit, w, error, ended)
        round_end(w)
    return DONE


@inlined
def first_row(restart: Any, w: Any) -> int:
    """The first slope and the first row."""
    t = w.clock[T]
    restart(w.address[RHS], t, 0.0, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0)
    w.clock[OUT_START], w.clock[OUT_NEXT] = t, t + w.clock[OUT_STEP]
    record(w, t, w.y)
    return 0


@inlined
def begin(restart: Any, w: Any) -> int:
    """Before the first step: gaps, contacts that touch already, the first row."""
    t = w.clock[T]
    if w.count[CONTACTS] > 0:
        evaluate(w.address[GAPS], t, w.y, w.p, w.m, w.gap)
    for c in range(w.count[CONTACTS]):
        depth, rate = w.gap[STRIDE * c + DEPTH], w.gap[STRIDE * c + RATE]
        if w.m[2 * c] <= 0.0 and (depth > 0.0 or (depth == 0.0 and rate > 0.0)):
            begin_contact(w, c)
    return first_row(restart, w)


@kernel(INT(STEP_FUNCTION, WORK))
def prepare(restart: Any, w: Any) -> int:
    return begin(restart, w)
