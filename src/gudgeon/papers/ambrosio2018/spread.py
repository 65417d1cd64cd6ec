"""Ambrosio, Pombo 2018, loose bearing: what is left after 5 s is one value of a distribution.

Two motions of the bearing of 1 mm whose starts differ by 1e-9 are 1e-6 m apart after 0.34 s; those of null clearance,
which the printed rule leaves undamped, after 1.3 s. So another tolerance, other coordinates or another compiler give
another energy after 5 s. Here the crank starts a little faster or slower, by 1e-9 to 1e-6 of the printed speed.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np

from gudgeon.papers.ambrosio2018 import cases as case
from gudgeon.papers.stored import stored
from gudgeon.simulation import Numerics, prepare

__all__ = ["Spread", "changes", "ends", "spread"]

SPAN = 5.0  # [s]
SMALLEST, LARGEST = 1e-9, 1e-6  # changes of the crank's speed at the start [-]
KEPT = ["main.travel", "main.tilt", "energy.kinetic", "energy.potential"]


class Spread(NamedTuple):
    """One quantity over the runs: mean, standard deviation, standard error of the mean, smallest and largest."""

    mean: float
    deviation: float
    error: float
    least: float
    most: float

    @classmethod
    def of(cls, values: np.ndarray) -> Spread:
        deviation = float(values.std(ddof=1))
        return cls(float(values.mean()), deviation, deviation / math.sqrt(len(values)), float(values.min()),
                   float(values.max()))  # fmt: skip

    def away(self, value: float) -> float:
        """How many standard deviations a value lies above the mean."""
        return (value - self.mean) / self.deviation


def changes(runs: int) -> list[float]:
    """Relative changes of the speed: none, then of either sign in turn, evenly spread in their logarithm."""
    sizes = np.geomspace(SMALLEST, LARGEST, runs - 1)
    return [0.0, *(float(size) * (-1.0) ** k for k, size in enumerate(sizes))]


@stored
def ends(clearance: float, runs: int = 9, coordinates: Literal["auto", "absolute"] = "auto",
         rtol: float = 1e-8, every: float = 0.01) -> np.ndarray:  # fmt: skip
    """Most turns [-], energy left [J] and largest tilt [rad] of each run, seen `every` [s]: (3, runs)."""
    rows = []
    for change in changes(runs):
        mechanism = case.slider_crank(bearing=clearance, speed=case.SPEED * (1.0 + change))
        numerics = Numerics(coordinates=coordinates)
        run = prepare(mechanism, numerics=numerics, duration=SPAN, output=every, rtol=rtol, channels=KEPT).run()
        left = run["energy.kinetic"][-1] + run["energy.potential"][-1]
        rows.append((run["main.travel"].max() / (2.0 * math.pi), left, run["main.tilt"].max()))
    return np.array(rows).T


def spread(clearance: float, runs: int = 9) -> tuple[Spread, Spread, Spread]:
    """Turns, energy left and largest tilt."""
    turns, energy, tilt = (Spread.of(values) for values in ends(clearance, runs))
    return turns, energy, tilt
