"""The floor of race P2: hand-derived minimal coordinates in C (spatial_floor.c)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from . import floor
from .result import SpatialResult, Unavailable
from .spatial_problem import DURATION, P2

SOURCE = Path(__file__).with_name("spatial_floor.c")


def end_points(rtol: float, options: tuple[str, ...] = floor.FAST) -> tuple[float, dict[str, int], np.ndarray]:
    """CPU seconds, counters, and crank pin, loose ball and socket at the end of the race."""
    if floor.compiler() is None:
        raise Unavailable("the floor of P2 needs a C compiler (cc, gcc or clang) on the path")
    spent, counts, states = floor.call(P2.numbers, P2.start, DURATION, rtol, 1, SOURCE, options)
    theta, psi, e0, e1, e2, e3 = states[-1, :6]
    line = np.array([2 * (e1 * e2 - e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 + e0 * e1)])
    return spent, counts, P2.points(theta, psi, line)


def run(rtol: float) -> SpatialResult:
    """One run of the race."""
    spent, counts, points = end_points(rtol)
    return SpatialResult(floor.NAME, rtol, spent, points=points, **counts)
