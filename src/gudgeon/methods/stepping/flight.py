"""Free flight of time stepping: a step, or a part of one, in which no contact acts.

Momenta are what flight must not lose. Bodies of the plane keep theirs by the explicit midpoint rule, since their
accelerations do not depend on how they rotate. Bodies that rotate in space fly by the classical Runge-Kutta method: its
error in the angular momentum is h⁵ ω⁵ / 120 of it in a step, below rounding at the steps that impacts need, where the
midpoint rule leaves h² ω³ / 12 of it in every second.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.march.memory import March
from gudgeon.methods.stepping.memory import MoreauMemory

ROWS = 2  # of `k`: slopes at the start and at the end of a step


@kernel
def fly(w: March, own: MoreauMemory, t: float, h: float, slope: Floats, end: Floats, scratch: Floats) -> int:
    """From the state `origin` at time t, whose slope is given, h further into `end`."""
    origin, stage, n = own.origin, own.stage_slope, end.shape[0]
    for i in range(n):
        scratch[i] = origin[i] + 0.5 * h * slope[i]
    evaluate(w.rhs_at, t + 0.5 * h, scratch, w.p, w.m, stage)
    if not own.rotates_in_space:
        for i in range(n):
            end[i] = origin[i] + h * stage[i]
        w.evaluations += 1
        return 0
    for i in range(n):
        end[i] = origin[i] + h / 6 * (slope[i] + 2.0 * stage[i])
        scratch[i] = origin[i] + 0.5 * h * stage[i]
    evaluate(w.rhs_at, t + 0.5 * h, scratch, w.p, w.m, stage)
    for i in range(n):
        end[i] += h / 3 * stage[i]
        scratch[i] = origin[i] + h * stage[i]
    evaluate(w.rhs_at, t + h, scratch, w.p, w.m, stage)
    for i in range(n):
        end[i] += h / 6 * stage[i]
    w.evaluations += 3
    return 0


@kernel
def fly_step(w: March, own: MoreauMemory, h: float) -> int:
    """A whole step into `new`; `out` is its middle, to second order."""
    for i in range(w.y.shape[0]):
        own.origin[i] = w.y[i]
    fly(w, own, w.t, h, w.k[0], w.new, w.out)
    if own.rotates_in_space:
        for i in range(w.y.shape[0]):
            w.out[i] = w.y[i] + 0.5 * h * w.k[0, i]
    return 0


@kernel
def evaluate_slope(w: March, t: float, state: Floats, slope: Floats) -> int:
    """The slope at a state."""
    evaluate(w.rhs_at, t, state, w.p, w.m, slope)
    w.evaluations += 1
    return 0
