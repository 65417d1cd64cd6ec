"""One trajectory of many, in plain Python: the march of `methods` without its tape, with what is kept of it.

Extremes of channels are those of the motion: where a step may have a new one inside, it is searched for along the
method's own interpolation. Most steps cannot, which a parabola through their ends and the step before tells.

It is compiled for a GPU, where one thread does one trajectory, and for the processor, where tests run it. Threads of a
group do the same instructions at the same time, so a step is written once: whether it is an ordinary one, one that
looks for the instant of a contact, or one done again is a state of the loop, not a place in the code.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate
from gudgeon.methods.explicit.dopri5 import attempt, commit, interpolate, restart
from gudgeon.methods.march import loop as march
from gudgeon.methods.march.events import SEARCH, TIME_TOLERANCE, another_crossed, first_crossing, may_end, try_step
from gudgeon.methods.march.loop import advance, begin, largest_within, reject, round_end
from gudgeon.methods.march.memory import DEPTH, DONE, GO, RATE, STUCK
from gudgeon.methods.march.modes import mode_sign, touches

__all__ = ["DONE", "EXHAUSTED", "INSTEAD", "STUCK", "trajectory"]

ORDINARY, SEEKING, REPEATED = range(3)
EXHAUSTED = 2
MOST_ROUNDS = 60
FROM_END = 1e-3  # of a step: slopes at its ends are differences over this
LEAST_GAIN, ROUNDING = 1e-7, 1e-12  # of the extreme, and of the largest magnitude: what is not looked for


def no_row(w: Any, t: float, state: Any) -> int:
    """Nothing is recorded."""
    return 0


def no_sample(interpolate: Any, w: Any, h: float) -> int:
    return 0


def no_event(w: Any, contact: int, kind: float) -> int:
    """An onset is counted, nothing else."""
    if kind > 0.0:
        w.onsets[contact] += 1.0
    return 0


def bending(h: float, last: float) -> float:
    """A factor of `note`, from what it knows of two steps, `last` and then h, to c h^2 of the parabola through them."""
    return h / (last * (last + h)) if last > 0.0 else 0.0


def gains(w: Any, j: int, largest: float, best: float) -> bool:
    """Whether a value would be more than a refinement of the best so far."""
    return largest > best + LEAST_GAIN * abs(best) + ROUNDING * max(abs(w.highest[j]), abs(w.lowest[j]))


def note(w: Any, j: int, h: float, factor: float, x: float) -> bool:
    """A sample of a watched channel at the end of a step: extreme values, and the integral of its square. Whether there
    may be another extreme inside the step.

    The parabola c t^2 + ... through both ends and the start of the step before turns within the step where
    |c| h^2 > |rise|, and there exceeds the ends by |c| h^2 / 4 at most; taking twice and four times that allows for
    what is no parabola. Behind an event nothing is known of the step before.
    """
    before, start, last = w.before[j, 0], w.before[j, 1], w.last_step[0]
    inside = False
    if w.wants[j][1]:
        w.square[j] += 0.5 * h * (x * x + start * start)
    if w.wants[j][0]:
        w.highest[j], w.lowest[j] = max(w.highest[j], x), min(w.lowest[j], x)
        rise = x - start
        bend = abs(rise * last - (start - before) * h) * factor if last > 0.0 else abs(rise)
        if gains(w, j, max(x, start) + bend, w.highest[j]) or gains(w, j, bend - min(x, start), -w.lowest[j]):
            inside = abs(rise) <= 2.0 * bend
    w.before[j, 0], w.before[j, 1] = start, x
    return inside


def peak_place(w: Any, j: int, side: float) -> float:
    """Where in a step, 0 to 1, a channel (side 1) or its negative (side -1) may have a new largest value; 0: nowhere.

    It must rise at the start and fall at the end. Where it is concave, the tangents at both ends lie above it.
    """
    begin, end, rise, fall = side * w.before[j, 0], side * w.before[j, 1], side * w.rise[j, 0], side * w.rise[j, 1]
    if not rise > 0.0 > fall:
        return 0.0
    best = w.highest[j] if side > 0.0 else -w.lowest[j]
    meet = (end - begin - fall) / (rise - fall)
    if not gains(w, j, begin + rise * min(max(meet, 0.0), 1.0), best):
        return 0.0
    return min(max(rise / (rise - fall), FROM_END), 1.0 - FROM_END)


def channel_within(interpolate: Any, w: Any, h: float, x: float, which: int) -> float:
    """A channel (which = 2 j) or its negative (2 j + 1) at t + x h."""
    interpolate(w, h, x)
    evaluate(w.channels, w.t + x * h, w.out, w.p, w.m, w.seen)
    value = 0.0
    for j in range(w.watched):
        # by comparison, as in `signed_gap`
        if which == 2 * j:
            value = w.seen[j]
        elif which == 2 * j + 1:
            value = -w.seen[j]
    return value


def refine_extremes(interpolate: Any, w: Any, h: float) -> int:
    """The extremes inside a step of channels that may have new ones there; `rise` has their slopes at its ends."""
    which = 0
    while which < 2 * w.watched:
        place, begin, end = 0.0, 0.0, 0.0
        for j in range(w.watched):
            if w.wants[j][0]:
                if which == 2 * j:
                    place, begin, end = peak_place(w, j, 1.0), w.before[j, 0], w.before[j, 1]
                elif which == 2 * j + 1:
                    place, begin, end = peak_place(w, j, -1.0), -w.before[j, 0], -w.before[j, 1]
        if place > 0.0:
            _, peak = largest_within(channel_within, interpolate, w, h, which, place, begin, end)
            for j in range(w.watched):
                if which == 2 * j:
                    w.highest[j] = max(w.highest[j], peak)
                elif which == 2 * j + 1:
                    w.lowest[j] = min(w.lowest[j], -peak)
        which += 1
    return 0


def end_slopes(interpolate: Any, w: Any, h: float) -> int:
    """Slopes of the watched channels at both ends of a step, from values a little inside. One place computes values."""
    x = FROM_END
    while x < 1.0:
        interpolate(w, h, x)
        evaluate(w.channels, w.t + x * h, w.out, w.p, w.m, w.seen)
        for j in range(w.watched):
            if x < 0.5:
                w.rise[j, 0] = (w.seen[j] - w.before[j, 0]) / FROM_END
            else:
                w.rise[j, 1] = (w.before[j, 1] - w.seen[j]) / FROM_END
        x += 1.0 - 2.0 * FROM_END
    return 0


def watch_channels(interpolate: Any, w: Any, h: float) -> int:
    """The watched channels at the end of the step, and the extremes inside it where there may be new ones."""
    inside = False
    evaluate(w.channels, w.t + h, w.new, w.p, w.m, w.seen)
    factor = bending(h, w.last_step[0])
    for j in range(w.watched):
        inside = note(w, j, h, factor, w.seen[j]) or inside
    w.last_step[0] = h
    if inside:
        end_slopes(interpolate, w, h)
        refine_extremes(interpolate, w, h)
    return 0


def watch(interpolate: Any, w: Any, h: float) -> int:
    """What is kept of an accepted step, which lies in `new`."""
    for j in range(len(w.joints)):
        touching = False
        for c in w.joints[j]:
            touching = touching or touches(w, c)
        if touching:
            w.touched[j] += h
    if w.watched > 0:
        watch_channels(interpolate, w, h)
    return 0


def take_samples(w: Any) -> int:
    """The watched channels at a start, of the motion or of what follows an event."""
    evaluate(w.channels, w.t, w.y, w.p, w.m, w.seen)
    w.last_step[0] = 0.0
    for j in range(w.watched):
        w.before[j, 0], w.before[j, 1] = w.seen[j], w.seen[j]
    return 0


def after_event(w: Any) -> int:
    """Modes have changed and with them forces: the watched channels behind the jump."""
    if w.watched > 0:
        take_samples(w)
        for j in range(w.watched):
            w.highest[j], w.lowest[j] = max(w.highest[j], w.seen[j]), min(w.lowest[j], w.seen[j])
    return 0


def first_sample(w: Any) -> int:
    """Before the first step: each watched channel at the start."""
    if w.watched > 0:
        take_samples(w)
        for j in range(w.watched):
            w.highest[j], w.lowest[j], w.square[j] = w.seen[j], w.seen[j], 0.0
    return 0


def kept(w: Any, place: int) -> float:
    """A state by its place in y, then in m."""
    states = w.y.shape[0]
    return w.y[place] if place < states else w.m[place - states]


def new_turn(w: Any) -> int:
    """At the end of a period: its section and its extreme values, then those of the next one begin."""
    turn = w.turn[0]
    for k in range(len(w.section_states)):
        w.section[turn, k, w.thread] = kept(w, w.section_states[k])
    if w.watched > 0:
        evaluate(w.channels, w.t, w.y, w.p, w.m, w.seen)
        for j in range(w.watched):
            x = w.seen[j]
            if w.wants[j][2]:
                w.strobe[turn, w.wants[j][2] - 1, w.thread] = x
            if w.wants[j][0]:
                w.extremes[turn, 2 * w.wants[j][0] - 2, w.thread] = w.highest[j]
                w.extremes[turn, 2 * w.wants[j][0] - 1, w.thread] = w.lowest[j]
                w.highest[j], w.lowest[j] = x, x
    w.turn[0] = turn + 1
    w.t_end = w.start[0] + (w.turn[0] + 1) * w.period
    return 0


def signed_gap(w: Any, contact: int) -> tuple[float, float]:
    """Depth and rate of a contact at the end of the step, positive depth while its mode lasts."""
    depth, rate = 0.0, 0.0
    for c in range(w.contacts):
        # by comparison, not by index: what is indexed at run time cannot stay in registers
        if c == contact:
            sign = mode_sign(w, c)
            depth, rate = sign * w.gap_new[c, DEPTH], sign * w.gap_new[c, RATE]
    return depth, rate


def start(w: Any) -> int:
    """Before the first step."""
    w.t_end = w.start[0] + w.period
    begin(restart, w)
    for c in range(w.contacts):
        w.onsets[c] = 0.0  # what touches at the start has not begun there
    return first_sample(w)


def going(w: Any, turns: int) -> bool:
    """Whether there is anything left to do."""
    return w.turn[0] < turns


def next_step(w: Any, tries: int, most: int) -> int:
    """Set the length of the next ordinary step; GO, or why there is none. At no time: given up in an earlier march."""
    left = w.t_end - w.t
    h = min(w.h, w.h_max)
    if h > left * (1.0 - 1e-12):
        h = left
    w.h = h
    if tries >= most:
        return EXHAUSTED
    if w.t != w.t or h < 4e-16 * abs(w.t) or h < 1e-300:
        return STUCK
    return GO


def end_of_step(w: Any) -> int:
    if w.t >= w.t_end:
        new_turn(w)
    return 0


def found(depth: float, rate: float, bracket: float, limit: float) -> bool:
    """Whether the end of a step is the instant that is looked for."""
    return abs(depth) <= TIME_TOLERANCE * abs(rate) or bracket <= 1e-15 * limit or abs(depth) < 1e-19


def trajectory(w: Any, turns: int, most: int) -> int:
    """So many periods on, of at most so many tries. Gives DONE, STUCK or EXHAUSTED."""
    start(w)
    phase, tries, contact, rounds, places, crossed = ORDINARY, 0, -1, 0, 0, False
    h, low, high, limit, ended, bound = 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
    while going(w, turns):
        if phase == ORDINARY:
            status = next_step(w, tries, most)
            if status != GO:
                return status
            h, ended, places, bound = w.h, 0.0, 0, 1.0
        tries += 1
        error = try_step(attempt, w, h, bound)
        accepted = phase == REPEATED
        if phase == ORDINARY:
            if not error <= 1.0:
                reject(w, error)
            else:
                accepted = True
                if may_end(w):
                    contact = first_crossing(w, h)
                    if contact >= 0:
                        accepted, phase, bound, limit = False, SEEKING, SEARCH, h
                        low, high, crossed, rounds = 0.0, h, False, 0
                        h = min(w.crossing, 1.0) * limit
        elif phase == SEEKING:
            # Newton's method on the length of the step, kept inside a bracket, as in methods/march/events.py
            rounds += 1
            w.locations += 1
            if not error <= SEARCH:
                h = 0.5 * (low + h)
            else:
                depth, rate = signed_gap(w, contact)
                if depth < 0.0:
                    high, crossed = h, True
                else:
                    low = h
                if found(depth, rate, high - low, limit) or rounds >= MOST_ROUNDS:
                    accepted, ended, limit = True, h, h
                    w.located = contact
                    places += 1
                    if another_crossed(w, contact) and places < 2 * w.contacts:
                        contact = first_crossing(w, limit)
                        if contact >= 0:
                            accepted, low, high, crossed, rounds = False, 0.0, limit, False, 0
                            h = min(w.crossing, 1.0) * limit
                else:
                    newton = h - depth / rate if rate != 0.0 else low
                    h = newton if low < newton < high else 0.5 * (low + high)
                    if not crossed and limit - h < 1e-9 * limit:
                        phase, h = REPEATED, limit
        if accepted:
            phase = ORDINARY
            if w.contacts == 0:
                # the march watches what can touch; channels are to be seen of every mechanism
                watch(interpolate, w, w.h)
            advance(restart, interpolate, commit, w, error, ended)
            round_end(w)
            if ended > 0.0:
                after_event(w)
            end_of_step(w)
    return DONE


# what takes the place of the recording functions of the march
INSTEAD = {
    march.record.py_func: no_row, march.sample.py_func: no_sample, march.note_event.py_func: no_event,
    march.watch.py_func: watch,
}  # fmt: skip
