"""The time loop: compiled once for each method, with its steps in place; functions of mechanisms are addresses.

`loop` tries steps. A step that is good and in which no contact begins or ends is accepted by `advance`: forces of
touching contacts are followed (`watch`), rows are recorded, the method commits itself. A step in which a contact may
begin or end is tried again with other lengths (events.py) until it ends there; `advance` then also changes the mode of
the contact and restarts the method. In many trajectories at once three empty functions are replaced (`observe_step`,
`observe_event`, `end_of_step`), since these have no rows.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.march import columns
from gudgeon.methods.march.events import SEARCH, another_crossed, begin_search, close_to_zero, may_end, narrow, try_step
from gudgeon.methods.march.memory import (
    DEPTH,
    DONE,
    EVENT,
    FORCE,
    FULL,
    GO,
    LAST_STEP,
    ORDINARY_STEP,
    PAUSED,
    RATE,
    SEARCH_STEP,
    STUCK,
    March,
)
from gudgeon.methods.march.method_steps import commit, interpolate, restart
from gudgeon.methods.march.modes import latch, set_free, set_latch, set_touching, touches

LATE = 1e-9  # of the output step: a row that rounding puts behind the end of a step belongs to it
AT_REST = 1e-9  # [m/s] a slower first touch is none: rounding of speeds is of this size
GOLDEN = 0.3819660112501051  # the smaller part of a golden section
PEAK_PLACE = 1e-4  # how close the largest force within a step is located, as a part of the step
EVENLY = 10.0  # so many steps before the end they become even, for methods to which changes of the step matter
WELL_BELOW = 0.9  # a falling force below this part of its largest value is past its peak
AFTER_EVENT = 0.01  # the first step of a mode, relative to the last of the old one: the law is only C1 at zero depth


@kernel
def record(w: March, t: float, state: Any) -> int:
    """One row (t, y, m) on the tape."""
    row, n = w.rows_recorded, state.shape[0]
    w.tape[row, 0] = t
    for i in range(n):
        w.tape[row, 1 + i] = state[i]
    for i in range(w.m.shape[0]):
        w.tape[row, 1 + n + i] = w.m[i]
    w.rows_recorded += 1
    return 0


@kernel
def sample(w: March, h: float) -> int:
    """Rows at the output times that lie in the step."""
    t = w.t
    while w.output_next <= t + h + LATE * w.output_step:
        x = min(1.0, (w.output_next - t) / h)
        interpolate(w, h, x)
        record(w, w.output_next, w.out)
        w.outputs += 1
        w.output_next = w.output_start + (w.outputs + 1) * w.output_step
    return 0


@kernel
def make_room(w: March) -> bool:
    """Whether the rows of the next step fit on the tape; on an empty tape the step is cut to what fits."""
    room = w.tape.shape[0] - 4 - w.rows_recorded
    if w.output_step <= 0.0:
        return room > 0
    if (w.t + w.h - w.output_next) / w.output_step < room:
        return True
    if w.rows_recorded > 0:
        return False
    w.h = min(w.h, (room - 2) * w.output_step)
    return True


@kernel
def force_within(w: March, h: float, x: float, contact: int) -> float:
    """Normal force of a contact at t + x h."""
    interpolate(w, h, x)
    evaluate(w.gaps_at, w.t + x * h, w.out, w.p, w.m, w.gap_within)
    return w.gap_within[contact, FORCE]


@kernel
def largest_within(value: Any, w: March, h: float, which: int, first: float, begin: float,
                   end: float) -> tuple[float, float]:  # fmt: skip
    """Place, 0 to 1, and size of the largest value within a step on which it rises and falls; `begin` and `end` are its
    values at the ends, `first` is the place to begin at. By Brent's method (1973, chapter 5): the next point is the
    vertex of the parabola through the three best points, best + numerator / denominator, unless that leaves the bracket
    from low to high or steps do not halve; then it is that of a golden section. value(w, h, x, which) is called in one
    place, so that its code is written once."""
    low, high, best, second, third = 0.0, 1.0, first, 0.0, 1.0
    f_best, f_second, f_third, step, last_step, x = 0.0, 0.0, 0.0, 1.0, 1.0, first
    for n in range(22):
        if n > 0:
            middle = 0.5 * (low + high)
            if abs(best - middle) <= 2.0 * PEAK_PLACE - 0.5 * (high - low):
                break
            a, b = (best - second) * (f_best - f_third), (best - third) * (f_best - f_second)
            denominator = 2.0 * (b - a)
            numerator = (best - third) * b - (best - second) * a
            numerator = -numerator if denominator > 0.0 else numerator
            denominator = abs(denominator)
            step_before_last, last_step = last_step, step
            halves = abs(numerator) < abs(0.5 * denominator * step_before_last)
            if halves and denominator * (low - best) < numerator < denominator * (high - best):
                step = numerator / denominator
            else:
                last_step = (high if best < middle else low) - best
                step = GOLDEN * last_step
            x = best + (step if abs(step) >= PEAK_PLACE else (PEAK_PLACE if step > 0.0 else -PEAK_PLACE))
        f = value(w, h, x, which)
        if n == 0:
            # the ends of the step are the other two points of the first parabola
            f_best, f_second, f_third = f, begin, end
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
    return best, f_best


@kernel
def refine_peak(w: March, h: float, contact: int) -> int:
    """The largest force within a step on which it rises and falls."""
    force, force_new = w.gap[contact, FORCE], w.gap_new[contact, FORCE]
    place, peak = largest_within(force_within, w, h, contact, GOLDEN, force, force_new)
    if peak > w.peak_force[contact]:
        w.peak_force[contact], w.peak_time[contact] = peak, w.t + h * place
    return 0


@kernel
def deepest(w: March, h: float, c: int) -> float:
    """Largest depth over the step: at its end, or where the cubic through both ends turns."""
    start, rate = w.gap[c, DEPTH], w.gap[c, RATE] * h
    end, rate_new = w.gap_new[c, DEPTH], w.gap_new[c, RATE] * h
    if not rate > 0.0 > rate_new:
        return max(start, end)
    x = rate / (rate - rate_new)
    jump = end - start
    return start + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * rate - x * rate_new))


@kernel
def past_peak(w: March, c: int) -> bool:
    """Whether the force of a contact fell before the step, fell over it, and is well below its largest value."""
    force = w.gap_new[c, FORCE]
    fell = w.slope[c] <= 0.0 and force <= w.gap[c, FORCE]
    return fell and force < WELL_BELOW * w.peak_force[c]


@kernel
def watch(w: March, h: float) -> int:
    """Follow force and depth of touching contacts over the step.

    A force that rose at the start of the step and falls at its end has its peak inside (`crest` marks such contacts).
    Whether it falls is seen from one more evaluation a little further along the motion, which is spared where every
    force is past its peak.
    """
    undecided, t, contacts = False, w.t + h, w.contacts
    for c in range(contacts):
        if touches(w, c):
            force = w.gap_new[c, FORCE]
            w.peak_depth[c] = max(w.peak_depth[c], deepest(w, h, c))
            if force > w.peak_force[c]:
                w.peak_force[c], w.peak_time[c] = force, t
            undecided = undecided or not past_peak(w, c)
    if not undecided:
        return 0
    last, ahead = w.k.shape[0] - 1, 1e-5 * h
    for i in range(w.new.shape[0]):
        w.out[i] = w.new[i] + ahead * w.k[last, i]
    evaluate(w.gaps_at, t + ahead, w.out, w.p, w.m, w.gap_within)
    for c in range(contacts):
        if touches(w, c) and not past_peak(w, c):
            rising = w.slope[c]
            w.slope[c] = w.gap_within[c, FORCE] - w.gap_new[c, FORCE]
            if rising > 0.0 and w.slope[c] <= 0.0:
                w.crest[c] = 1.0
    for c in range(contacts):
        if touches(w, c) and w.crest[c] > 0.0:
            w.crest[c] = 0.0
            refine_peak(w, h, c)
    return 0


@kernel
def note_event(w: March, contact: int, kind: float) -> int:
    """One row of the list of events."""
    row, n = w.events_recorded, w.y.shape[0]
    w.events[row, columns.TIME], w.events[row, columns.CONTACT], w.events[row, columns.KIND] = w.t, contact, kind
    w.events[row, columns.DEPTH], w.events[row, columns.RATE] = w.gap[contact, DEPTH], w.gap[contact, RATE]
    w.events[row, columns.FORCE] = w.peak_force[contact]
    w.events[row, columns.FORCE_TIME] = w.peak_time[contact]
    w.events[row, columns.MAX_DEPTH] = w.peak_depth[contact]
    for i in range(n):
        w.events[row, columns.HEADER + i] = w.y[i]
    for i in range(w.m.shape[0]):
        w.events[row, columns.HEADER + n + i] = w.m[i]
    w.events_recorded += 1
    return 0


@kernel
def begin_contact(w: March, contact: int) -> int:
    """Latch the speed of first touch; only an accepted step comes here."""
    speed = w.gap[contact, RATE]
    set_touching(w, contact)
    set_latch(w, contact, speed if speed > AT_REST else 0.0)
    w.touch_error = max(w.touch_error, abs(w.gap[contact, DEPTH]))
    w.peak_force[contact], w.peak_time[contact] = 0.0, w.t
    w.peak_depth[contact], w.slope[contact] = 0.0, 1.0
    for k in range(w.bristle_count[contact]):
        w.y[w.bristle_first[contact] + k] = 0.0
    return note_event(w, contact, columns.ONSET)


@kernel
def switch_modes(w: March) -> int:
    """At an event: the contact that was located changes its mode, and so does every other whose depth is zero and has
    the sign of rate for it.

    The located contact is released also while its rate is still positive where its depth is clearly below zero: a step
    that jumped over the release may end on the way back.
    """
    for c in range(w.contacts):
        depth, rate = w.gap[c, DEPTH], w.gap[c, RATE]
        located, near = c == w.located, close_to_zero(w, rate)
        if not touches(w, c) and ((located and (rate >= 0.0 or w.hard > 0)) or (depth >= -near and rate > 0.0)):
            begin_contact(w, c)
        elif touches(w, c) and ((located and (rate <= 0.0 or depth < -near)) or (depth <= near and rate < 0.0)):
            note_event(w, c, columns.RELEASE)
            set_free(w, c)
    return 0


@kernel
def let_go(w: March) -> int:
    """Release hard contacts that the impact at their onset opened again at once: no release is there to locate."""
    for c in range(w.contacts):
        if touches(w, c) and latch(w, c) == 0.0:
            note_event(w, c, columns.RELEASE)
            set_free(w, c)
    return 0


@kernel
def keep_gaps(w: March) -> int:
    """What contacts have at the end of the step is what they have at the start of the next."""
    for c in range(w.contacts):
        for i in range(w.gap.shape[1]):
            w.gap[c, i] = w.gap_new[c, i]
    return 0


@kernel
def observe_step(w: March, h: float) -> int:
    """What is kept of an accepted step beside its rows: nothing here; many trajectories at once have no rows, and put
    their own function in the place of this one (batch/trajectory.py)."""
    return 0


@kernel
def observe_event(w: March) -> int:
    """The same at the start of a new mode."""
    return 0


@kernel
def end_of_step(w: March) -> int:
    """The same when all is done for a step."""
    return 0


@kernel
def advance(w: March, error: float, ended: float) -> int:
    """Accept the step that lies in `new`: watch, sample, move on; change modes if it ended one."""
    tried = w.h
    h = ended if ended > 0.0 else tried
    if w.contacts > 0:
        watch(w, h)
    observe_step(w, h)
    if w.output_step <= 0.0:
        record(w, w.t + h, w.new)
    elif w.output_next <= w.t + h + LATE * w.output_step:
        sample(w, h)
    t = w.t
    factor = commit(w, h, error)
    w.t = t + h
    for i in range(w.y.shape[0]):
        w.y[i] = w.new[i]
    keep_gaps(w)
    w.steps += 1
    if ended > 0.0:
        switch_modes(w)
        parted = restart(w)
        evaluate(w.gaps_at, t + h, w.y, w.p, w.m, w.gap)  # a hard wall may have turned velocities
        if parted > 0.0:
            let_go(w)
        share = w.after_event if w.after_event > 0.0 else AFTER_EVENT
        w.h = max(share * min(tried, max(h, 0.1 * tried)), 1e-12 + 1e-14 * abs(w.t))
        if w.output_step <= 0.0:
            record(w, w.t, w.y)
        observe_event(w)
    else:
        w.h = tried * factor
    return 0


@kernel
def ready(w: March, budget: int) -> int:
    """Cut the next step to what is left; GO, or the status with which to leave the loop."""
    left = w.t_end - w.t
    w.h = min(w.h, w.h_max)
    if w.h > left * (1.0 - 1e-12):
        w.h = left
    elif w.after_event > 0.0 and left < EVENLY * w.h:
        w.h = left / math.ceil(left / w.h)  # a short last one would make stiff parts ring
    status = GO
    if not make_room(w) or w.events_recorded > w.events.shape[0] - 4 * w.contacts - 2:
        status = FULL
    elif w.steps + w.rejected >= budget:
        status = PAUSED
    elif w.h < 4e-16 * abs(w.t) or w.h < 1e-300:
        status = STUCK
    return status


@kernel
def reject(w: March, error: float) -> int:
    """A shorter step instead of one whose error was too large."""
    w.rejected += 1
    w.h *= max(0.1, 0.9 * error ** (-1.0 / w.order)) if error < 1e30 else 0.1
    return 0


@kernel
def round_end(w: March) -> int:
    """A time that rounding puts just before the end is the end."""
    if w.t_end - w.t < 1e-15 * abs(w.t_end):
        w.t = w.t_end
    return 0


@kernel
def is_before_end(w: March) -> bool:
    """Whether there is anything left to do."""
    return w.t < w.t_end


@kernel
def loop(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent.

    A step is tried in one place, whatever for: so its code is written once where all is compiled into one piece, and on
    a card threads that look for an event do not let the others wait. Each round tries a step of length h for w.purpose
    and finds the length of the following try of a search; 0: an ordinary step comes next.
    """
    budget = w.steps + w.rejected + w.budget
    # length of the step that ended at an event, 0: none did; error of the ordinary step; events at the end of this step
    h, event_step, error, events = 0.0, 0.0, 0.0, 0
    w.purpose = ORDINARY_STEP
    while is_before_end(w):
        if w.purpose == ORDINARY_STEP:
            status = ready(w, budget)
            if status != GO:
                return status
            h, event_step, events = w.h, 0.0, 0
        tried = try_step(w, h, 1.0 if w.purpose == ORDINARY_STEP else SEARCH)
        at_event, looks, following = False, False, 0.0
        if w.purpose == ORDINARY_STEP:
            error = tried
            accepted = error <= 1.0
            looks = accepted and may_end(w, h)
        elif w.purpose == SEARCH_STEP:
            following = narrow(w, h, tried <= SEARCH)
            at_event = w.purpose == EVENT
            accepted = at_event
        else:
            at_event = w.purpose == LAST_STEP
            accepted = True
        if at_event:
            event_step = h
            events += 1
            # another contact that ended its mode before this one is looked for in the shorter step, but not without end
            looks = events < 2 * w.contacts and another_crossed(w, w.searched) > 0
        if looks:
            following = begin_search(w, h)
            accepted = accepted and following == 0.0
        h = following
        if accepted:
            w.purpose = ORDINARY_STEP
            advance(w, error, event_step)
            round_end(w)
            end_of_step(w)
        elif following == 0.0:
            w.purpose = ORDINARY_STEP
            reject(w, error)
    return DONE


@kernel
def first_row(w: March) -> int:
    """The first slope and the first row."""
    t = w.t
    restart(w)
    w.output_start, w.output_next = t, t + w.output_step
    record(w, t, w.y)
    return 0


@kernel
def begin(w: March) -> int:
    """Before the first step: gaps, contacts that touch already, the first row."""
    t = w.t
    if w.contacts > 0:
        evaluate(w.gaps_at, t, w.y, w.p, w.m, w.gap)
    for c in range(w.contacts):
        depth, rate = w.gap[c, DEPTH], w.gap[c, RATE]
        if not touches(w, c) and (depth > 0.0 or (depth == 0.0 and rate > 0.0)):
            begin_contact(w, c)
    w.touch_error = 0.0  # what touches at the start was not located
    return first_row(w)
