"""Contact onset and release, located on the step itself.

A contact is free or touching (its mode, in m); between events the mode does not change, so the right-hand side is
smooth on every step. When the depth of a contact crosses zero within a step, the step is done again with other
lengths until it ends at the crossing. Nothing is interpolated, so the crossing has the accuracy of the method.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate, evaluate_row, kernel
from gudgeon.methods.march.memory import DEPTH, RATE, March
from gudgeon.methods.march.modes import mode_sign

TIME_TOLERANCE = 1e-13  # [s]
NEVER = 2.0
SHARE = 1e-3  # of the step: an event is located so close at least, whatever the noise of depths
JUMP = 1e4  # a depth that many times what the rate explains between two tries jumps there
TOLD = 0.1  # where the rate is the slope, depths fall by more than this
MOST_TRIES, TRUSTED = 160, 6  # steps tried to find an event, and how many before Newton's method is doubted
BEFORE = 0.1  # of the step: so much is progress where a release cannot be ended at
SEARCH = 1e3  # errors tolerated while looking for a crossing; the step that is kept is shorter than a good one


@kernel
def project(w: March, t: float) -> int:
    """Bring `new` back onto position and velocity constraints; evaluate the slope again if that moved it."""
    rows, nq, nv = w.constraints, w.positions, w.velocities
    if w.projectable == 0:
        return 0
    evaluate(w.project_at, t, w.new, w.p, w.m, w.correction)
    drift, speed = w.drift, w.speed_drift
    for r in range(rows):
        drift = max(drift, abs(w.correction[nq + nv + r]))
        speed = max(speed, abs(w.correction[nq + nv + rows + r]))
    w.drift, w.speed_drift = drift, speed
    if w.projects == 0:
        return 0
    excess, rtol = 0.0, w.rtol
    for i in range(nq + nv):
        w.new[i] += w.correction[i]
        excess = max(excess, 10.0 * abs(w.correction[i]) - w.atol[i] - rtol * abs(w.new[i]))
    if excess > 0.0:
        evaluate_row(w.rhs_at, t, w.new, w.p, w.m, w.k, w.k.shape[0] - 1)
    return 1


@kernel
def try_step(attempt: Any, w: March, h: float, limit: float) -> float:
    """A step of length h; if its error is within the limit, onto the constraints, with the gaps at its end.

    At tight tolerances a step drifts by little more than rounding, so most are spared the projection; those that end
    at an event or at the end are not.
    """
    t = w.t
    error = attempt(w, h)
    if error <= limit:
        if limit == SEARCH or w.steps % w.project_every == 0 or t + h >= w.t_end:
            project(w, t + h)
        if w.contacts > 0:
            evaluate(w.gaps_at, t + h, w.new, w.p, w.m, w.gap_new)
    return error


@kernel
def crossing(depth: float, rate: float, depth_new: float, rate_new: float) -> float:
    """Where, in 0..1, Hermite's cubic through both ends first becomes negative; NEVER if it does not.

    depth > 0 or nearly so at the start; rates are per step.
    """
    jump = depth_new - depth
    previous, x = max(depth, 0.0), 0.0
    for i in range(1, 33):
        x = i / 32
        value = depth + x * (jump + (1.0 - x) * ((1.0 - 2.0 * x) * (-jump) + (1.0 - x) * rate - x * rate_new))
        if value < 0.0:
            share = previous / (previous - value) if previous > value else 1.0
            return max((i - 1 + share) / 32, 1e-6)
        previous = value
    return NEVER


@kernel
def close_to_zero(w: March, rate: float) -> float:
    """Depths below this are zero: what the resolution of time and the rounding of positions leave open."""
    rounding = 4e-16 * (w.size + abs(w.t) * w.speed)
    return TIME_TOLERANCE * abs(rate) + rounding


@kernel
def first_crossing(w: March, h: float) -> int:
    """The contact whose mode ends first within the step just tried, or -1; w.crossing: where, in 0..1."""
    contact = -1
    w.crossing = NEVER
    for c in range(w.contacts):
        # signed so that the mode lasts while the value is positive
        sign = mode_sign(w, c)
        depth, rate = sign * w.gap[c, DEPTH], sign * w.gap[c, RATE] * h
        depth_new, rate_new = sign * w.gap_new[c, DEPTH], sign * w.gap_new[c, RATE] * h
        least = 4e-16 * w.size  # what moves less than this over the step is at rest
        if depth_new >= 0.0 and not (rate < -least and rate_new > 0.0):
            continue
        near = close_to_zero(w, w.gap[c, RATE])
        if rate > 0.0 and depth < -near and depth_new > depth:
            continue  # an event that could not be located any closer left it there, and it is on its way back
        if rate > 0.0 and rate_new > 0.0 and abs(depth) <= near and depth_new >= -near:
            continue  # rounding hides that it leaves zero
        if rate >= -least and depth < 0.0 and depth_new > depth - least:
            continue  # so is what began at rest, or it has not moved
        x = crossing(depth, rate, depth_new, rate_new)
        if x == NEVER and depth_new < 0.0:
            x = 1.0
        if x < w.crossing:
            w.crossing = x
            contact = c
    return contact


@kernel
def locate(attempt: Any, w: March, contact: int, guess: float, limit: float) -> float:
    """Length of the step that ends where the depth of `contact` is zero; 0 if there is no crossing before `limit`.

    Newton's method on the length of the step, kept inside a bracket, which is halved where that closes too slowly. On
    return the step has been done. Where the depth jumps, or steps cannot be solved, there is no crossing to end at: the
    step ends before it, and LOCATED is no contact; at a release that is near already beyond it, where the contact is
    open.
    """
    sign = mode_sign(w, contact)
    low, high, h, crossed, done, close = 0.0, limit, guess, False, False, False
    last, last_depth, width, wider = 0.0, 1e300, limit, limit
    w.located = contact
    for n in range(MOST_TRIES):
        w.locations += 1
        done = try_step(attempt, w, h, SEARCH) <= SEARCH
        if not done:
            h = 0.5 * (low + h)
            if h == low:
                break
            continue
        depth, rate = sign * w.gap_new[contact, DEPTH], sign * w.gap_new[contact, RATE]
        if depth < 0.0:
            high, crossed = h, True
        else:
            low = h
        near = max(TIME_TOLERANCE * abs(rate), min(w.depth_noise, SHARE * limit * abs(rate)))
        close = abs(depth) <= near or abs(depth) < 1e-19
        if close or high - low <= (1e-6 if abs(depth) > JUMP * (high - low) * abs(rate) else 1e-15) * limit:
            close = close or abs(depth) <= close_to_zero(w, rate)
            break
        # the rate at the end is not the slope by the length of the step for every method: then by two tries
        newton = h - depth / rate if rate != 0.0 else low
        if (abs(depth) > TOLD * abs(last_depth) or rate == 0.0) and depth != last_depth:
            newton = h - depth * (h - last) / (depth - last_depth)
        last, last_depth = h, depth
        slow = n > TRUSTED and high - low > 0.5 * wider
        h = newton if low < newton < high and not slow else 0.5 * (low + high)
        width, wider = high - low, width
        if not crossed and limit - h < 1e-9 * limit:
            return 0.0
    if not (done and close):
        h = high if crossed and low <= (BEFORE * limit if sign > 0.0 else 0.0) else low
        if h == low and low > 0.0:
            w.located = -1
        if h > 0.0:
            try_step(attempt, w, h, SEARCH)
    return h


@kernel
def another_crossed(w: March, contact: int) -> int:
    """Whether a contact other than this one has left its mode at the end of the step."""
    for c in range(w.contacts):
        sign = mode_sign(w, c)
        if c != contact and sign * w.gap_new[c, DEPTH] < -close_to_zero(w, w.gap_new[c, RATE]):
            return 1
    return 0


@kernel
def may_end(w: March) -> bool:
    """A quick look: whether any contact may have left its mode within the step just tried."""
    for c in range(w.contacts):
        sign = mode_sign(w, c)
        turned = sign * w.gap[c, RATE] < 0.0 < sign * w.gap_new[c, RATE]
        if sign * w.gap_new[c, DEPTH] < 0.0 or turned:
            return True
    return False


@kernel
def end_of_mode(attempt: Any, w: March) -> float:
    """Shorten the step just tried to the first event in it. Gives its new length, or 0 when nothing happens."""
    h = w.h
    limit, ended = h, 0.0
    for _ in range(2 * w.contacts):
        contact = first_crossing(w, limit)
        if contact < 0:
            break
        length = locate(attempt, w, contact, min(w.crossing, 1.0) * limit, limit)
        if length == 0.0:
            try_step(attempt, w, limit, SEARCH)
            break
        limit = ended = length
        if not another_crossed(w, contact):
            break
    return ended
