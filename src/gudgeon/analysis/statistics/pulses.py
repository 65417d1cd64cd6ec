"""Root mean square of a channel over time; where impacts are instants, with the pulses that they stand for.

An impact of impulse s and estimated peak force F is taken as the pulse F f(t) of an elastic Hertz contact, which lasts

    τ = ∫ f dt = s / F,      ∫ f² dt = κ τ

With depth x of the largest, speed √(1 - x^5/2) and f = x^3/2,

    κ = ∫ x³ / √(1 - x^5/2) dx / ∫ x^3/2 / √(1 - x^5/2) dx = B(8/5, 1/2) / 2,     x from 0 to 1

A channel is b before and after an impact and b + d at its crest: the pulse adds 2 b d τ + κ d² τ to its integral of
squares.
"""

from __future__ import annotations

import math

import numpy as np

from gudgeon.results import Run

__all__ = ["HERTZ", "mean_square", "root_mean_square"]

HERTZ = 0.5 * math.gamma(1.6) * math.gamma(0.5) / math.gamma(2.1)  # κ above, 0.757


def root_mean_square(run: Run, name: str) -> float:
    """Of a channel over a run."""
    return math.sqrt(mean_square(run, name))


def mean_square(run: Run, name: str) -> float:
    """Mean of the square of a channel over time."""
    x, added = run[name].astype(float), 0.0
    span = float(run.t[-1] - run.t[0])
    if run.impacts:
        x, added = x.copy(), _pulses(run, x)
    return (float(np.trapezoid(x**2, run.t)) + added) / span


def _pulses(run: Run, x: np.ndarray) -> float:
    """What the pulses add to the integral of squares; in `x` their crests are levelled."""
    times = np.array([impact.t for impact in run.impacts])
    left, right = np.searchsorted(run.t, times, "left"), np.searchsorted(run.t, times, "right")
    added, level = 0.0, x.copy()
    for k, impact in enumerate(run.impacts):
        first, behind = int(left[k]), int(right[k])
        number = k - int(np.searchsorted(times, impact.t, "left"))  # among those at this instant
        # located: one row before and one after the crests; within a step: crests only, rows of other steps beside them
        located = behind - first == impact_count(times, impact.t) + 2
        row = first + number + (1 if located else 0)
        ends = (first, behind - 1) if located else (first - 1, behind)
        if ends[0] < 0 or ends[1] >= len(x) or row >= behind or impact.peak_force <= 0.0:
            continue
        base = 0.5 * (x[ends[0]] + x[ends[1]])
        crest, lasts = x[row] - base, impact.impulse / impact.peak_force
        added += lasts * crest * (2.0 * base + HERTZ * crest)
        level[row] = base
    x[:] = level
    return float(added)


def impact_count(times: np.ndarray, t: float) -> int:
    """Impacts at an instant; `times` rise."""
    return int(np.searchsorted(times, t, "right") - np.searchsorted(times, t, "left"))
