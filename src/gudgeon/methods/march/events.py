"""Contact onset and release, located on the step itself.

A contact is free or touching (its mode, in m); between events the mode does not change, so the right-hand side is
smooth on every step. When the depth of a contact crosses zero within a step, the step is done again with other
lengths until it ends at the crossing. Nothing is interpolated, so the crossing has the accuracy of the method.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, evaluate_row, kernel
from gudgeon.methods.march.memory import DEPTH, EVENT, LAST_STEP, RATE, SEARCH_STEP, WHOLE_STEP, March
from gudgeon.methods.march.method_steps import attempt, interpolate
from gudgeon.methods.march.modes import mode_sign, touches

TIME_TOLERANCE = 1e-13  # [s]
NEVER = 2.0
SHARE = 1e-3  # of the step: an event is located so close at least, whatever the noise of depths
JUMP = 1e4  # a depth that many times what the rate explains between two tries jumps there
TOLD = 0.1  # where the rate is the slope, depths fall by more than this
MOST_TRIES, TRUSTED = 160, 6  # steps tried to find an event, and how many before Newton's method is doubted
BEFORE = 0.1  # of the step: so much is progress where a release cannot be ended at
PARTS = 8  # of a step that is looked at inside
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
def try_step(w: March, h: float, limit: float) -> float:
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
def may_touch_within(w: March, c: int, h: float) -> bool:
    """Whether an open contact may close and open again within the step just tried, unseen at both ends.

    In free flight steps grow much longer than a touch lasts. Where the gap is convex it lies above its tangents at both
    ends; with twice the rates these still meet above zero where no touch is to be feared. Where rates at the ends do
    not explain how the gap changed, it may turn twice.
    """
    if touches(w, c) or w.gap[c, DEPTH] > 0.0 or w.gap_new[c, DEPTH] > 0.0:
        return False
    depth, rate = -w.gap[c, DEPTH], -2.0 * h * w.gap[c, RATE]
    depth_new, rate_new = -w.gap_new[c, DEPTH], -2.0 * h * w.gap_new[c, RATE]
    if rate < 0.0 < rate_new:
        # also where the tangents meet outside of the step, which a convex gap does not have
        x = min(max((depth_new - rate_new - depth) / (rate - rate_new), 0.0), 1.0)
        return min(depth + x * rate, depth_new - (1.0 - x) * rate_new) < 0.0
    reach = abs(rate) + abs(rate_new)
    return min(depth, depth_new) < reach and abs(depth_new - depth - 0.25 * (rate + rate_new)) > 0.125 * reach


@kernel
def may_touch(w: March, h: float) -> bool:
    """Whether any open contact may."""
    for c in range(w.contacts):  # noqa: SIM110 our compiler reads loops
        if may_touch_within(w, c, h):
            return True
    return False


@kernel
def touch_within(w: March, h: float, contact: int) -> int:
    """Look at open contacts inside the step just tried, along its interpolation, for a touch before w.crossing; gives
    the contact that touches first, or the one given."""
    for c in range(w.contacts):
        w.gap_before[c, DEPTH], w.gap_before[c, RATE] = w.gap[c, DEPTH], w.gap[c, RATE]
    first = contact
    for i in range(1, PARTS + 1):
        begin = (i - 1) / PARTS
        if begin < w.crossing:
            interpolate(w, h, i / PARTS)
            evaluate(w.gaps_at, w.t + h * i / PARTS, w.out, w.p, w.m, w.gap_within)
            for c in range(w.contacts):
                if may_touch_within(w, c, h):
                    x = crossing(-w.gap_before[c, DEPTH], -w.gap_before[c, RATE] * h / PARTS,
                                 -w.gap_within[c, DEPTH], -w.gap_within[c, RATE] * h / PARTS)  # fmt: skip
                    if x != NEVER and begin + x / PARTS < w.crossing:
                        w.crossing, first = begin + x / PARTS, c
                w.gap_before[c, DEPTH], w.gap_before[c, RATE] = w.gap_within[c, DEPTH], w.gap_within[c, RATE]
    return first


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
    return touch_within(w, h, contact) if may_touch(w, h) else contact


@kernel
def signed_gap(w: March, contact: int) -> float:
    """Depth of a contact at the end of the step just tried, into w.search_depth, and its rate; a depth is positive
    while the mode of the contact lasts."""
    rate = 0.0
    for c in range(w.contacts):
        # by comparison, not by index: on a card, what is indexed at run time cannot stay in registers
        if c == contact:
            sign = mode_sign(w, c)
            w.search_depth, rate = sign * w.gap_new[c, DEPTH], sign * w.gap_new[c, RATE]
    return rate


# The search for an event: Newton's method on the length of the step, kept inside a bracket, which is halved where that
# closes too slowly. Each of its tries is a step of the time loop, so that code for a step is written once; what the
# search knows between two tries lies in the record. Where the depth jumps, or steps cannot be solved, there is no
# crossing to end at: the step ends before it, and no contact is located; at a release that is near already beyond it,
# where the contact is open.


@kernel
def begin_search(w: March, limit: float) -> float:
    """Look at the step of length `limit` just tried for the contact whose mode ends first within it. Gives the length
    to try next, or 0 when no mode ends."""
    contact = first_crossing(w, limit)
    if contact < 0:
        return 0.0
    w.located, w.searched, w.purpose = contact, contact, SEARCH_STEP
    w.search_limit, w.search_low, w.search_high, w.search_tries, w.crossed = limit, 0.0, limit, 0, 0
    w.search_last, w.search_last_depth, w.search_width, w.search_wider = 0.0, 1e300, limit, limit
    return min(w.crossing, 1.0) * limit


@kernel
def without_event(w: March) -> float:
    """End a search that found no crossing to end at. Gives the length of the step to do instead."""
    low, limit = w.search_low, w.search_limit
    tolerated = 0.0
    for c in range(w.contacts):
        if c == w.searched and touches(w, c):
            tolerated = BEFORE * limit
    h = w.search_high if w.crossed > 0 and low <= tolerated else low
    if h == low and low > 0.0:
        w.located = -1
    w.purpose = LAST_STEP if h > 0.0 else WHOLE_STEP
    return h if h > 0.0 else limit


@kernel
def narrow(w: March, h: float, solved: bool) -> float:
    """After a try of length h in a search. Gives the length of the next one; w.purpose says what that is for, EVENT:
    the step just tried ends at the event, and there is nothing left to try."""
    w.locations += 1
    w.search_tries += 1
    if not solved:
        shorter = 0.5 * (w.search_low + h)
        return without_event(w) if shorter == w.search_low or w.search_tries >= MOST_TRIES else shorter
    rate = signed_gap(w, w.searched)
    depth, limit = w.search_depth, w.search_limit
    if depth < 0.0:
        w.search_high, w.crossed = h, 1
    else:
        w.search_low = h
    low, high = w.search_low, w.search_high
    near = max(TIME_TOLERANCE * abs(rate), min(w.depth_noise, SHARE * limit * abs(rate)))
    found = abs(depth) <= near or abs(depth) < 1e-19
    if found or high - low <= (1e-6 if abs(depth) > JUMP * (high - low) * abs(rate) else 1e-15) * limit:
        if not (found or abs(depth) <= close_to_zero(w, rate)):
            return without_event(w)
        w.purpose = EVENT
        return h
    # the rate at the end is not the slope by the length of the step for every method: then by two tries
    newton = h - depth / rate if rate != 0.0 else low
    if (abs(depth) > TOLD * abs(w.search_last_depth) or rate == 0.0) and depth != w.search_last_depth:
        newton = h - depth * (h - w.search_last) / (depth - w.search_last_depth)
    w.search_last, w.search_last_depth = h, depth
    slow = w.search_tries > TRUSTED + 1 and high - low > 0.5 * w.search_wider
    following = newton if low < newton < high and not slow else 0.5 * (low + high)
    w.search_wider = w.search_width
    w.search_width = high - low
    if w.crossed == 0 and limit - following < 1e-9 * limit:
        w.purpose = WHOLE_STEP
        return limit
    return without_event(w) if w.search_tries >= MOST_TRIES else following


@kernel
def another_crossed(w: March, contact: int) -> int:
    """Whether a contact other than this one has left its mode at the end of the step."""
    for c in range(w.contacts):
        sign = mode_sign(w, c)
        if c != contact and sign * w.gap_new[c, DEPTH] < -close_to_zero(w, w.gap_new[c, RATE]):
            return 1
    return 0


@kernel
def may_end(w: March, h: float) -> bool:
    """A quick look: whether any contact may have left its mode within the step just tried."""
    for c in range(w.contacts):
        sign = mode_sign(w, c)
        turned = sign * w.gap[c, RATE] < 0.0 < sign * w.gap_new[c, RATE]
        if sign * w.gap_new[c, DEPTH] < 0.0 or turned:
            return True
    return may_touch(w, h)
