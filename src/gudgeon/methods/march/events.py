"""Contact onset and release, located on the step itself.

A contact is free or touching (its mode, in m); between events the mode does not change, so the right-hand side is
smooth on every step. When the depth of a contact crosses zero within a step, the step is done again with other
lengths until it ends at the crossing. Nothing is interpolated, so the crossing has the accuracy of the method.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import FLOAT, evaluate, evaluate_row, inlined, kernel
from gudgeon.methods.contract import DEPTH_NOISE
from gudgeon.methods.march.memory import (
    CONTACTS,
    DEPTH,
    DRIFT,
    FIXED,
    GAPS,
    LOCATED,
    LOCATIONS,
    POSITIONS,
    PROJECT,
    PROJECT_EVERY,
    RATE,
    RHS,
    ROWS,
    RTOL,
    SIZE,
    SPEED,
    SPEED_DRIFT,
    STEPS,
    STRIDE,
    T_END,
    VELOCITIES,
    H,
    T,
)  # fmt: skip

TIME_TOLERANCE = 1e-13  # [s]
NEVER = 2.0
SHARE = 1e-3  # of the step: an event is located so close at least, whatever the noise of depths
JUMP = 1e4  # a depth that many times what the rate explains between two tries jumps there
TOLD = 0.1  # where the rate is the slope, depths fall by more than this
MOST_TRIES, TRUSTED = 160, 6  # steps tried to find an event, and how many before Newton's method is doubted
BEFORE = 0.1  # of the step: so much is progress where a release cannot be ended at
SEARCH = 1e3  # errors tolerated while looking for a crossing; the step that is kept is shorter than a good one


@inlined
def project(w: Any, t: float) -> int:
    """Bring `new` back onto position and velocity constraints; evaluate the slope again if that moved it."""
    rows, nq, nv = w.count[ROWS], w.count[POSITIONS], w.count[VELOCITIES]
    if rows == 0 and nq == nv and w.jump.shape[0] == 1:  # nothing to hold: no rows, no unit length, no hard walls
        return 0
    evaluate(w.address[PROJECT], t, w.new, w.p, w.m, w.fix)
    drift, speed = w.clock[DRIFT], w.clock[SPEED_DRIFT]
    for r in range(rows):
        drift = max(drift, abs(w.fix[nq + nv + r]))
        speed = max(speed, abs(w.fix[nq + nv + rows + r]))
    w.clock[DRIFT], w.clock[SPEED_DRIFT] = drift, speed
    if w.count[FIXED] == 0:
        return 0
    excess, rtol = 0.0, w.clock[RTOL]
    for i in range(nq + nv):
        w.new[i] += w.fix[i]
        excess = max(excess, 10.0 * abs(w.fix[i]) - w.atol[i] - rtol * abs(w.new[i]))
    if excess > 0.0:
        evaluate_row(w.address[RHS], t, w.new, w.p, w.m, w.k, w.k.shape[0] - 1)
    return 1


@inlined
def try_step(attempt: Any, w: Any, h: float, limit: float) -> float:
    """A step of length h; if its error is within the limit, onto the constraints, with the gaps at its end.

    At tight tolerances a step drifts by little more than rounding, so most are spared the projection; those that end
    at an event or at the end are not.
    """
    t = w.clock[T]
    error = attempt(w.address[RHS], t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0)
    if error <= limit:
        if limit == SEARCH or w.count[STEPS] % w.count[PROJECT_EVERY] == 0 or t + h >= w.clock[T_END]:
            project(w, t + h)
        if w.count[CONTACTS] > 0:
            evaluate(w.address[GAPS], t + h, w.new, w.p, w.m, w.gap_new)
    return error


@kernel(FLOAT(FLOAT, FLOAT, FLOAT, FLOAT))
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


@inlined
def close_to_zero(w: Any, rate: float) -> float:
    """Depths below this are zero: what the resolution of time and the rounding of positions leave open."""
    rounding = 4e-16 * (w.clock[SIZE] + abs(w.clock[T]) * w.clock[SPEED])
    return TIME_TOLERANCE * abs(rate) + rounding


@inlined
def first_crossing(w: Any, h: float, estimate: Any) -> int:
    """The contact whose mode ends first within the step just tried, or -1. estimate[0]: where, in 0..1."""
    found = -1
    estimate[0] = NEVER
    for c in range(w.count[CONTACTS]):
        # signed so that the mode lasts while the value is positive
        sign = 1.0 if w.m[2 * c] > 0.0 else -1.0
        depth, rate = sign * w.gap[STRIDE * c + DEPTH], sign * w.gap[STRIDE * c + RATE] * h
        depth_new, rate_new = sign * w.gap_new[STRIDE * c + DEPTH], sign * w.gap_new[STRIDE * c + RATE] * h
        least = 4e-16 * w.clock[SIZE]  # what moves less than this over the step is at rest
        if depth_new >= 0.0 and not (rate < -least and rate_new > 0.0):
            continue
        near = close_to_zero(w, w.gap[STRIDE * c + RATE])
        if rate > 0.0 and depth < -near and depth_new > depth:
            continue  # an event that could not be located any closer left it there, and it is on its way back
        if rate > 0.0 and rate_new > 0.0 and abs(depth) <= near and depth_new >= -near:
            continue  # rounding hides that it leaves zero
        if rate >= -least and depth < 0.0 and depth_new > depth - least:
            continue  # so is what began at rest, or it has not moved
        x = crossing(depth, rate, depth_new, rate_new)
        if x == NEVER and depth_new < 0.0:
            x = 1.0
        if x < estimate[0]:
            estimate[0] = x
            found = c
    return found


@inlined
def locate(attempt: Any, w: Any, contact: int, guess: float, limit: float) -> float:
    """Length of the step that ends where the depth of `contact` is zero; 0 if there is no crossing before `limit`.

    Newton's method on the length of the step, kept inside a bracket, which is halved where that closes too slowly. On
    return the step has been done. Where the depth jumps, or steps cannot be solved, there is no crossing to end at: the
    step ends before it, and LOCATED is no contact; at a release that is near already beyond it, where the contact is
    open.
    """
    sign = 1.0 if w.m[2 * contact] > 0.0 else -1.0
    low, high, h, crossed, done, found = 0.0, limit, guess, False, False, False
    last, last_depth, width, wider = 0.0, 1e300, limit, limit
    w.count[LOCATED] = contact
    for n in range(MOST_TRIES):
        w.count[LOCATIONS] += 1
        done = try_step(attempt, w, h, SEARCH) <= SEARCH
        if not done:
            h = 0.5 * (low + h)
            if h == low:
                break
            continue
        depth, rate = sign * w.gap_new[STRIDE * contact + DEPTH], sign * w.gap_new[STRIDE * contact + RATE]
        if depth < 0.0:
            high, crossed = h, True
        else:
            low = h
        near = max(TIME_TOLERANCE * abs(rate), min(w.control[DEPTH_NOISE], SHARE * limit * abs(rate)))
        found = abs(depth) <= near or abs(depth) < 1e-19
        if found or high - low <= (1e-6 if abs(depth) > JUMP * (high - low) * abs(rate) else 1e-15) * limit:
            found = found or abs(depth) <= close_to_zero(w, rate)
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
    if not (done and found):
        h = high if crossed and low <= (BEFORE * limit if sign > 0.0 else 0.0) else low
        if h == low and low > 0.0:
            w.count[LOCATED] = -1
        if h > 0.0:
            try_step(attempt, w, h, SEARCH)
    return h


@inlined
def another_crossed(w: Any, contact: int) -> int:
    """Whether a contact other than this one has left its mode at the end of the step."""
    for c in range(w.count[CONTACTS]):
        sign = 1.0 if w.m[2 * c] > 0.0 else -1.0
        if c != contact and sign * w.gap_new[STRIDE * c + DEPTH] < -close_to_zero(w, w.gap_new[STRIDE * c + RATE]):
            return 1
    return 0


@inlined
def may_end(w: Any) -> bool:
    """A quick look: whether any contact may have left its mode within the step just tried."""
    for c in range(w.count[CONTACTS]):
        sign = 1.0 if w.m[2 * c] > 0.0 else -1.0
        turned = sign * w.gap[STRIDE * c + RATE] < 0.0 < sign * w.gap_new[STRIDE * c + RATE]
        if sign * w.gap_new[STRIDE * c + DEPTH] < 0.0 or turned:
            return True
    return False


@inlined
def end_of_mode(attempt: Any, w: Any) -> float:
    """Shorten the step just tried to the first event in it. Gives its new length, or 0 when nothing happens."""
    estimate = w.gap_within  # scratch, evaluated again before it is read
    h = w.clock[H]
    limit, ended = h, 0.0
    for _ in range(2 * w.count[CONTACTS]):
        contact = first_crossing(w, limit, estimate)
        if contact < 0:
            break
        found = locate(attempt, w, contact, min(estimate[0], 1.0) * limit, limit)
        if found == 0.0:
            try_step(attempt, w, limit, SEARCH)
            break
        limit = ended = found
        if not another_crossed(w, contact):
            break
    return ended
