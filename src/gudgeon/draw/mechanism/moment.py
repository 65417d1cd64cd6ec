"""The moment of a run that tells most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gudgeon.results import Run

__all__ = ["telling_moment"]

SETTLING = 1.0 / 3.0  # of a run without a period, or of one too short for it


def telling_moment(run: Run, start: float = -math.inf, stop: float = math.inf) -> float:
    """Time [s] of the largest contact force between `start` and `stop`, of those once the motion has settled where
    there are any; without a contact the middle."""
    first, last = max(start, float(run.t[0])), min(stop, float(run.t[-1]))
    wait = run.period if run.period and 2.0 * run.period <= last - first else SETTLING * (last - first)
    inside = [r for r in run.contacts if first <= r.peak_time <= last]
    settled = [r for r in inside if r.peak_time >= first + wait] or inside
    # where walls are hard an impact has no force: the fastest tells most
    strongest = max(settled, key=lambda r: (np.nan_to_num(r.peak_force), abs(r.speed_on)), default=None)
    return float(strongest.peak_time) if strongest is not None else 0.5 * (first + last)
