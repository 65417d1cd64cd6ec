"""The error that independent deviations make together: its distribution in closed form.

An error is X = sum of a_k U_k, where a_k = c_k |S_k| is the largest part that play k has in it and U_k is one component
of a vector that lies uniformly in a ball of radius 1 ("within", the journal is anywhere in its clearance) or uniformly
on its surface ("wall", it always touches). Of one component

    dimension                 1          2                        3
    within    variance        1/3        1/4                      1/5
              E exp(i s U)    sin s / s  2 J1(s) / s              3 (sin s - s cos s) / s³
    wall      variance        1          1/2                      1/3
              E exp(i s U)    cos s      J0(s)                    sin s / s

X lies within ±A, A = sum of a_k, so that its distribution is a Fourier series on that interval, whose coefficients are
the product φ of these functions:

    P(X <= x) = 1/2 + x / 2A + sum over n >= 1 of  φ(n π / A) sin(n π x / A) / (n π).

One play alone has elementary distributions. Plays of one dimension that always touch add up to a few values, which are
counted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import j0, j1

from gudgeon.quantity import GudgeonError

__all__ = ["PLACES", "Place", "probability", "quantile", "sample", "variance"]

Place = Literal["within", "wall"]
PLACES: tuple[Place, ...] = ("within", "wall")

VARIANCES = {"within": {1: 1 / 3, 2: 1 / 4, 3: 1 / 5}, "wall": {1: 1.0, 2: 1 / 2, 3: 1 / 3}}
LEAST = 1e-13  # coefficients below this, relative, are left out
FEWEST, MOST = 64, 200_000  # terms of the series
MOST_COUNTED = 16  # plays of one dimension, whose sums are counted
ROUNDING = 1e-12
SMALL = 0.02  # of an argument, where series take the place of quotients


def variance(amplitudes: Sequence[float], dimensions: Sequence[int], place: Place = "within") -> float:
    """Variance of the error."""
    known = VARIANCES[place]
    return sum(known[d] * a * a for a, d in zip(amplitudes, dimensions, strict=True))


def probability(amplitudes: Sequence[float], dimensions: Sequence[int], size: float, place: Place = "within") -> float:
    """That the error is at most this size, on either side."""
    return _Distribution(amplitudes, dimensions, place)(size)


def quantile(amplitudes: Sequence[float], dimensions: Sequence[int], share: float, place: Place = "within") -> float:
    """The size that a share of all errors stays below, on either side."""
    if not 0.0 < share < 1.0:
        raise GudgeonError(f"a percentile lies between 0 and 100 %, not at {100 * share:g} %")
    largest = float(sum(amplitudes))
    if largest == 0.0:
        return 0.0
    below = _Distribution(amplitudes, dimensions, place)
    return float(brentq(lambda x: below(x) - share, 0.0, largest, xtol=1e-14 * largest, rtol=1e-14))


def sample(rng: np.random.Generator, count: int, dimension: int, place: Place = "within") -> np.ndarray:
    """Random deviations (count, dimension) of length at most 1."""
    direction = rng.standard_normal((count, dimension))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return direction if place == "wall" else direction * rng.random((count, 1)) ** (1.0 / dimension)


class _Distribution:
    """P(|X| <= x)."""

    def __init__(self, amplitudes: Sequence[float], dimensions: Sequence[int], place: Place) -> None:
        kept = [(float(a), d) for a, d in zip(amplitudes, dimensions, strict=True) if a > 0.0]
        self.largest, self.single, self.place = sum(a for a, _ in kept), len(kept) == 1, place
        self.dimension = kept[0][1] if kept else 1
        self.values: np.ndarray | None = None
        if place == "wall" and all(d == 1 for _, d in kept) and len(kept) <= MOST_COUNTED:
            signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(kept))))
            self.values = np.abs(signs @ np.array([a for a, _ in kept])) - ROUNDING * self.largest
        if len(kept) < 2 or self.values is not None:
            return
        count = FEWEST
        while True:
            waves = np.arange(1, count + 1) * (math.pi / self.largest)
            factors = np.prod([_characteristic(a * waves, d, place) for a, d in kept], axis=0) / np.arange(1, count + 1)
            if np.abs(factors[-8:]).max() < LEAST or count >= MOST:
                break
            count = min(4 * count, MOST)
        self.waves, self.factors = waves, factors / math.pi

    def __call__(self, x: float) -> float:
        if x >= self.largest:
            return 1.0
        if self.values is not None:
            return float(np.mean(self.values <= x))
        if self.single:
            return _alone(x / self.largest, self.dimension, self.place)
        return float(x / self.largest + 2.0 * (self.factors @ np.sin(self.waves * x)))


def _characteristic(s: np.ndarray, dimension: int, place: Place) -> np.ndarray:
    """E exp(i s U), s > 0."""
    if dimension == 1:
        return np.sin(s) / s if place == "within" else np.cos(s)
    if dimension == 2:
        return 2.0 * j1(s) / s if place == "within" else j0(s)
    if place == "wall":
        return np.sin(s) / s
    series = 1.0 - s * s / 10.0 * (1.0 - s * s / 28.0 * (1.0 - s * s / 54.0))
    return np.where(s < SMALL, series, 3.0 * (np.sin(s) - s * np.cos(s)) / s**3)


def _alone(x: float, dimension: int, place: Place) -> float:
    """P(|U| <= x) of one component, 0 <= x < 1."""
    if dimension == 1:
        return x
    if dimension == 2:
        arc = 2.0 / math.pi * math.asin(x)
        return arc if place == "wall" else arc + 2.0 / math.pi * x * math.sqrt(1.0 - x * x)
    return x if place == "wall" else 0.5 * x * (3.0 - x * x)
