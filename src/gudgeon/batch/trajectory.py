"""One trajectory of many, in plain Python: the march of `methods` without its tape, with what is kept of it.

Extremes of channels are those of the motion: where a step may have a new one inside, it is searched for along the
method's own interpolation. Most steps cannot, which a parabola through their ends and the step before tells.

It is compiled for a GPU, where one thread does one trajectory, and for the processor, whose threads share the
trajectories. The time loop is that of one run (methods/march/loop.py); functions of this module take the place of those
that record. Threads of a card do the same instructions at the same time, so whatever takes long is written once.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate
from gudgeon.methods.march import loop as march
from gudgeon.methods.march.loop import begin, largest_within
from gudgeon.methods.march.memory import DONE, GO, STUCK
from gudgeon.methods.march.method_steps import interpolate
from gudgeon.methods.march.modes import touches

__all__ = ["DONE", "EXHAUSTED", "INSTEAD", "STUCK", "trajectory"]

EXHAUSTED = 2
FROM_END = 1e-3  # of a step: slopes at its ends are differences over this
LEAST_GAIN, ROUNDING = 1e-7, 1e-12  # of the extreme, and of the largest magnitude: what is not looked for


def no_row(w: Any, t: float, state: Any) -> int:
    """Nothing is recorded."""
    return 0


def nothing(w: Any, h: float) -> int:
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
    before, start, last = w.last_values[j, 0], w.last_values[j, 1], w.last_step[0]
    inside = False
    if w.square_rows[j]:
        w.square[j] += 0.5 * h * (x * x + start * start)
    if w.extreme_rows[j]:
        w.highest[j], w.lowest[j] = max(w.highest[j], x), min(w.lowest[j], x)
        rise = x - start
        bend = abs(rise * last - (start - before) * h) * factor if last > 0.0 else abs(rise)
        if gains(w, j, max(x, start) + bend, w.highest[j]) or gains(w, j, bend - min(x, start), -w.lowest[j]):
            inside = abs(rise) <= 2.0 * bend
    w.last_values[j, 0], w.last_values[j, 1] = start, x
    return inside


def peak_place(w: Any, j: int, side: float) -> float:
    """Where in a step, 0 to 1, a channel (side 1) or its negative (side -1) may have a new largest value; 0: nowhere.

    It must rise at the start and fall at the end. Where it is concave, the tangents at both ends lie above it.
    """
    begin, end = side * w.last_values[j, 0], side * w.last_values[j, 1]
    rise, fall = side * w.slopes_at_ends[j, 0], side * w.slopes_at_ends[j, 1]
    if not rise > 0.0 > fall:
        return 0.0
    best = w.highest[j] if side > 0.0 else -w.lowest[j]
    meet = (end - begin - fall) / (rise - fall)
    if not gains(w, j, begin + rise * min(max(meet, 0.0), 1.0), best):
        return 0.0
    return min(max(rise / (rise - fall), FROM_END), 1.0 - FROM_END)


def channel_within(w: Any, h: float, x: float, which: int) -> float:
    """A channel (which = 2 j) or its negative (2 j + 1) at t + x h."""
    interpolate(w, h, x)
    evaluate(w.channels, w.t + x * h, w.out, w.p, w.m, w.values)
    value = 0.0
    for j in range(w.watched):
        # by comparison, not by index: what is indexed at run time cannot stay in registers
        if which == 2 * j:
            value = w.values[j]
        elif which == 2 * j + 1:
            value = -w.values[j]
    return value


def refine_extremes(w: Any, h: float) -> int:
    """The extremes inside a step of channels that may have new ones there; `slopes_at_ends` has their slopes there."""
    which = 0
    while which < 2 * w.watched:
        place, begin, end = 0.0, 0.0, 0.0
        for j in range(w.watched):
            if w.extreme_rows[j]:
                if which == 2 * j:
                    place, begin, end = peak_place(w, j, 1.0), w.last_values[j, 0], w.last_values[j, 1]
                elif which == 2 * j + 1:
                    place, begin, end = peak_place(w, j, -1.0), -w.last_values[j, 0], -w.last_values[j, 1]
        if place > 0.0:
            _, peak = largest_within(channel_within, w, h, which, place, begin, end)
            for j in range(w.watched):
                if which == 2 * j:
                    w.highest[j] = max(w.highest[j], peak)
                elif which == 2 * j + 1:
                    w.lowest[j] = min(w.lowest[j], -peak)
        which += 1
    return 0


def end_slopes(w: Any, h: float) -> int:
    """Slopes of the watched channels at both ends of a step, from values a little inside. One place computes values."""
    x = FROM_END
    while x < 1.0:
        interpolate(w, h, x)
        evaluate(w.channels, w.t + x * h, w.out, w.p, w.m, w.values)
        for j in range(w.watched):
            if x < 0.5:
                w.slopes_at_ends[j, 0] = (w.values[j] - w.last_values[j, 0]) / FROM_END
            else:
                w.slopes_at_ends[j, 1] = (w.last_values[j, 1] - w.values[j]) / FROM_END
        x += 1.0 - 2.0 * FROM_END
    return 0


def watch_channels(w: Any, h: float) -> int:
    """The watched channels at the end of the step, and the extremes inside it where there may be new ones."""
    inside = False
    evaluate(w.channels, w.t + h, w.new, w.p, w.m, w.values)
    factor = bending(h, w.last_step[0])
    for j in range(w.watched):
        inside = note(w, j, h, factor, w.values[j]) or inside
    w.last_step[0] = h
    if inside:
        end_slopes(w, h)
        refine_extremes(w, h)
    return 0


def observe_step(w: Any, h: float) -> int:
    """What is kept of an accepted step, which lies in `new`."""
    for j in range(len(w.joints)):
        touching = False
        for c in w.joints[j]:
            touching = touching or touches(w, c)
        if touching:
            w.touched[j] += h
    if w.watched > 0:
        watch_channels(w, h)
    return 0


def take_samples(w: Any) -> int:
    """The watched channels at a start, of the motion or of what follows an event."""
    evaluate(w.channels, w.t, w.y, w.p, w.m, w.values)
    w.last_step[0] = 0.0
    for j in range(w.watched):
        w.last_values[j, 0], w.last_values[j, 1] = w.values[j], w.values[j]
    return 0


def after_event(w: Any) -> int:
    """Modes have changed and with them forces: the watched channels behind the jump."""
    if w.watched > 0:
        take_samples(w)
        for j in range(w.watched):
            w.highest[j], w.lowest[j] = max(w.highest[j], w.values[j]), min(w.lowest[j], w.values[j])
    return 0


def first_sample(w: Any) -> int:
    """Before the first step: each watched channel at the start."""
    if w.watched > 0:
        take_samples(w)
        for j in range(w.watched):
            w.highest[j], w.lowest[j], w.square[j] = w.values[j], w.values[j], 0.0
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
        evaluate(w.channels, w.t, w.y, w.p, w.m, w.values)
        for j in range(w.watched):
            x = w.values[j]
            if w.strobe_rows[j]:
                w.strobe[turn, w.strobe_rows[j] - 1, w.thread] = x
            if w.extreme_rows[j]:
                w.extremes[turn, 2 * w.extreme_rows[j] - 2, w.thread] = w.highest[j]
                w.extremes[turn, 2 * w.extreme_rows[j] - 1, w.thread] = w.lowest[j]
                w.highest[j], w.lowest[j] = x, x
    w.turn[0] = turn + 1
    w.t_end = w.start[0] + (w.turn[0] + 1) * w.period
    return 0


def start(w: Any) -> int:
    """Before the first step."""
    w.t_end = w.start[0] + w.period
    begin(w)
    for c in range(w.contacts):
        w.onsets[c] = 0.0  # what touches at the start has not begun there
    return first_sample(w)


def has_turns_left(w: Any) -> bool:
    """Whether there is anything left to do."""
    return w.turn[0] < w.turns


def ready(w: Any, budget: int) -> int:
    """Cut the next step to what is left of the turn; GO, or why there is none. Trajectories that were given up in an
    earlier march have t = NaN."""
    left = w.t_end - w.t
    w.h = min(w.h, w.h_max)
    if w.h > left * (1.0 - 1e-12):
        w.h = left
    if w.steps + w.rejected + w.locations >= w.most:
        return EXHAUSTED
    if w.t != w.t or w.h < 4e-16 * abs(w.t) or w.h < 1e-300:
        return STUCK
    return GO


def end_of_step(w: Any) -> int:
    """At the end of a turn the next one begins."""
    if w.t >= w.t_end:
        new_turn(w)
    return 0


def trajectory(w: Any, turns: int, most: int) -> int:
    """So many periods on, of at most so many tries. Gives DONE, STUCK or EXHAUSTED."""
    w.turns, w.most = turns, most + w.steps + w.rejected + w.locations
    start(w)
    return march.loop(w)


# what takes the place of functions of the march: nothing is recorded, turns are counted, channels are watched
INSTEAD = {
    march.record: no_row, march.sample: nothing, march.watch: nothing, march.note_event: no_event,
    march.observe_step: observe_step, march.observe_event: after_event, march.end_of_step: end_of_step,
    march.is_before_end: has_turns_left, march.ready: ready,
}  # fmt: skip
