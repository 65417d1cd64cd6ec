"""One trajectory of many, in plain Python: the march of `methods` without its tape, with what is kept of it.

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
from gudgeon.methods.march.loop import advance, begin, reject, round_end
from gudgeon.methods.march.memory import DEPTH, DONE, GO, RATE, STUCK
from gudgeon.methods.march.modes import mode_sign, touches

__all__ = ["DONE", "EXHAUSTED", "INSTEAD", "STUCK", "trajectory"]

ORDINARY, SEEKING, REPEATED = range(3)
EXHAUSTED = 2
MOST_ROUNDS = 60


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


def parabola(t1: float, x1: float, t2: float, x2: float, t3: float, x3: float) -> float:
    """Extreme value near the middle one of three samples, as `results.extremes.extremum` finds it."""
    a, b, fa, fb = t1 - t2, t3 - t2, x1 - x2, x3 - x2
    if not (a < 0.0 < b):
        return x2
    curvature = (fa / a - fb / b) / (a - b)
    slope = fa / a - curvature * a
    if curvature == 0.0 or (curvature < 0.0) != (fa + fb < 0.0):
        return x2
    gain = -slope * slope / (4.0 * curvature)
    shift = -slope / (2.0 * curvature)
    return x2 + gain if a < shift < b and abs(gain) <= 0.25 * max(abs(fa), abs(fb)) else x2


def note(w: Any, j: int, t: float, x: float) -> int:
    """A sample of a watched channel: extreme values, and the integral of its square."""
    t1, x1, t2, x2 = w.before[j, 0], w.before[j, 1], w.before[j, 2], w.before[j, 3]
    if w.wants[j][1]:
        w.square[j] += 0.5 * (t - t2) * (x * x + x2 * x2)
    if w.wants[j][0]:
        best = x2
        if (x2 >= x1 and x2 >= x) or (x2 <= x1 and x2 <= x):
            best = parabola(t1, x1, t2, x2, t, x)
        w.highest[j] = max(w.highest[j], best, x)
        w.lowest[j] = min(w.lowest[j], best, x)
    w.before[j, 0], w.before[j, 1], w.before[j, 2], w.before[j, 3] = t2, x2, t, x
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
        t = w.t + h
        evaluate(w.channels, t, w.new, w.p, w.m, w.seen)
        for j in range(w.watched):
            note(w, j, t, w.seen[j])
    return 0


def first_sample(w: Any) -> int:
    """Before the first step: each watched channel at the start."""
    if w.watched > 0:
        evaluate(w.channels, w.t, w.y, w.p, w.m, w.seen)
        for j in range(w.watched):
            x = w.seen[j]
            w.before[j, 0], w.before[j, 1], w.before[j, 2], w.before[j, 3] = w.t, x, w.t, x
            w.highest[j], w.lowest[j], w.square[j] = x, x, 0.0
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
            end_of_step(w)
    return DONE


# what takes the place of the recording functions of the march
INSTEAD = {
    march.record.py_func: no_row, march.sample.py_func: no_sample, march.note_event.py_func: no_event,
    march.watch.py_func: watch,
}  # fmt: skip
