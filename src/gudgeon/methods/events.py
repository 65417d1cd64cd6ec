"""Contact onset and release, located on the step itself.

A contact is free or touching (its mode, in m); between events the mode does not change, so the right-hand side is
smooth on every step. When the depth of a contact crosses zero within a step, the step is done again with other
lengths until it ends at the crossing. Nothing is interpolated, so the crossing has the accuracy of the method.
"""

from __future__ import annotations

from typing import Any

from gudgeon.methods.contract import STEP_FUNCTION
from gudgeon.methods.work import (
    CONTACTS, DRIFT, FIXED, GAPS, H, LOCATIONS, POSITIONS, PROJECT, PROJECTIONS, RHS, ROWS, RTOL,
    SPEED_DRIFT, T, VELOCITIES, WORK,
)  # fmt: skip
from gudgeon.native.kernel import FLOAT, evaluate, evaluate_row, inlined, kernel

TIME_TOLERANCE = 1e-13  # [s]
NEVER = 2.0


@inlined
def project(w: Any, t: float) -> int:
    """Bring `new` back onto position and velocity constraints; evaluate the slope again if that moved it."""
    rows, nq, nv = w.count[ROWS], w.count[POSITIONS], w.count[VELOCITIES]
    if rows == 0:
        return 0
    evaluate(w.address[PROJECT], t, w.new, w.p, w.m, w.fix)
    for r in range(rows):
        w.clock[DRIFT] = max(w.clock[DRIFT], abs(w.fix[nq + nv + r]))
        w.clock[SPEED_DRIFT] = max(w.clock[SPEED_DRIFT], abs(w.fix[nq + nv + rows + r]))
    if w.count[FIXED] == 0:
        return 0
    largest = 0.0
    for i in range(nq + nv):
        w.new[i] += w.fix[i]
        largest = max(largest, abs(w.fix[i]) / (w.atol[i] + w.clock[RTOL] * abs(w.new[i])))
    w.count[PROJECTIONS] += 1
    if largest > 0.1:
        evaluate_row(w.address[RHS], t, w.new, w.p, w.m, w.k, w.k.shape[0] - 1)
    return 1


@inlined
def try_step(attempt: Any, w: Any, h: float) -> float:
    """A step of length h onto the constraints, and the gaps at its end. Gives the error."""
    t = w.clock[T]
    error = attempt(w.address[RHS], t, h, w.y, w.new, w.out, w.p, w.m, w.k, w.control, w.atol, w.clock[RTOL], 0.0)
    if error <= 1.0:
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
def first_crossing(w: Any, h: float, estimate: Any) -> int:
    """The contact whose mode ends first within the step just tried, or -1. estimate[0]: where, in 0..1."""
    found = -1
    estimate[0] = NEVER
    for c in range(w.count[CONTACTS]):
        # signed so that the mode lasts while the value is positive
        sign = 1.0 if w.m[2 * c] > 0.0 else -1.0
        depth, rate = sign * w.gap[2 * c], sign * w.gap[2 * c + 1] * h
        depth_new, rate_new = sign * w.gap_new[2 * c], sign * w.gap_new[2 * c + 1] * h
        if depth_new >= 0.0 and not (rate < 0.0 < rate_new):
            continue
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

    Newton's method on the length of the step, kept inside a bracket. On return the step has been done.
    """
    sign = 1.0 if w.m[2 * contact] > 0.0 else -1.0
    low, high, h, crossed = 0.0, limit, guess, False
    for _ in range(60):
        w.count[LOCATIONS] += 1
        if not try_step(attempt, w, h) <= 1e3:
            h = 0.5 * (low + h)
            continue
        depth, rate = sign * w.gap_new[2 * contact], sign * w.gap_new[2 * contact + 1]
        if depth < 0.0:
            high, crossed = h, True
        else:
            low = h
        if abs(depth) <= TIME_TOLERANCE * abs(rate) or high - low <= 1e-15 * limit or abs(depth) < 1e-19:
            break
        newton = h - depth / rate if rate != 0.0 else low
        h = newton if low < newton < high else 0.5 * (low + high)
        if not crossed and limit - h < 1e-9 * limit:
            return 0.0
    return h


@inlined
def another_crossed(w: Any, contact: int) -> int:
    """Whether a contact other than this one has left its mode at the end of the step."""
    for c in range(w.count[CONTACTS]):
        sign = 1.0 if w.m[2 * c] > 0.0 else -1.0
        if c != contact and sign * w.gap_new[2 * c] < -TIME_TOLERANCE * abs(w.gap_new[2 * c + 1]):
            return 1
    return 0


@inlined
def end_of_mode(attempt: Any, w: Any) -> float:
    """Shorten the step just tried to the first event in it. Gives its new length, or 0 when nothing happens."""
    estimate = w.force  # scratch: forces are evaluated again before they are used
    h = w.clock[H]
    limit, ended = h, 0.0
    for _ in range(2 * w.count[CONTACTS]):
        contact = first_crossing(w, limit, estimate)
        if contact < 0:
            break
        found = locate(attempt, w, contact, min(estimate[0], 1.0) * limit, limit)
        if found == 0.0:
            try_step(attempt, w, limit)
            break
        limit = ended = found
        if not another_crossed(w, contact):
            break
    return ended
