"""From points to the numbers of every trajectory, without assembling the mechanism at each of them.

A number of a mechanism, a parameter or a part of its start, is a function of the values on the paths. Along one path it
is found at few values, exactly or by Chebyshev's interpolation, and checked at others; that each number depends on one
path is checked as well. What turns out otherwise is assembled for every combination where they are few, else refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from gudgeon.quantity import GudgeonError, in_words
from gudgeon.study.points.design import Point

__all__ = ["Columns"]

FEW = 24  # values on a path that are all assembled
NODES = (16, 32, 64, 128)  # intervals of the interpolation, as many as it takes
AGREE = 1e-12  # error of the interpolation relative to the largest of a number's values
MOST = 2000  # combinations that are assembled one by one, where numbers depend on several paths at once
CHECKS = 4
LOCAL = 'use engine="local"'

Vector = Callable[[Point], np.ndarray]


class Columns:
    """Numbers of all trajectories. `vector` gives all of one point by assembling its mechanism."""

    def __init__(self, vector: Vector, paths: Sequence[str], points: Sequence[Point]) -> None:
        self.paths, self.vector = paths, vector
        table = np.array(points, dtype=float)
        self.base = vector(points[0])
        self.ways = [_Way(self._along(points[0], k), np.unique(table[:, k]), paths[k]) for k in range(len(paths))]
        owners = np.zeros(len(self.base), dtype=int)
        for way in self.ways:
            owners[way.places] += 1
        self.exact: dict[Point, np.ndarray] = {}
        if (owners > 1).any() or not self._holds(points):
            self._one_by_one(points)

    @property
    def places(self) -> np.ndarray:
        """Places of the numbers that differ between trajectories."""
        if self.exact:
            every = np.array(list(self.exact.values()))
            return np.flatnonzero((every != self.base).any(axis=0))
        return np.unique(np.concatenate([np.zeros(0, dtype=int), *(way.places for way in self.ways)]))

    def at(self, points: Sequence[Point]) -> dict[int, np.ndarray]:
        """Values of the numbers that differ, by place, for some points."""
        if self.exact:
            rows = np.array([self.exact[point] for point in points])
            return {int(k): rows[:, k].copy() for k in self.places}
        table = np.array(points, dtype=float)
        columns: dict[int, np.ndarray] = {}
        for k, way in enumerate(self.ways):
            columns |= dict(zip((int(x) for x in way.places), way.at(table[:, k]), strict=True))
        return columns

    def _along(self, first: Point, k: int) -> Callable[[float], np.ndarray]:
        return lambda value: self.vector((*first[:k], float(value), *first[k + 1 :]))

    def _holds(self, points: Sequence[Point]) -> bool:
        """Whether some points by chance have the numbers that their paths say one by one."""
        chosen = np.random.default_rng(1).choice(len(points), min(CHECKS, len(points)), replace=False)
        some = [points[int(k)] for k in chosen]
        columns = self.at(some)
        for k, point in enumerate(some):
            exact, ours = self.vector(point), self.base.copy()
            for place, column in columns.items():
                ours[place] = column[k]
            if not np.allclose(ours, exact, rtol=1e-10, atol=1e-13):
                return False
        return True

    def _one_by_one(self, points: Sequence[Point]) -> None:
        distinct = dict.fromkeys(points)
        if len(distinct) > MOST:
            raise GudgeonError(
                f"all runs at once: {in_words(self.paths)} act on the same numbers of the mechanism, which must then "
                f"be assembled at each of {len(distinct)} points; {LOCAL}, or at most {MOST} points"
            )
        self.exact = {point: self.vector(point) for point in distinct}


class _Way:
    """The numbers along one path."""

    def __init__(self, vector: Callable[[float], np.ndarray], values: np.ndarray, path: str) -> None:
        self.values, self.path = values, path
        low, high = float(values[0]), float(values[-1])
        self.log = low > 0.0 and high > 4.0 * low
        if len(values) <= FEW:
            self.nodes = values
            self._settle(np.array([vector(x) for x in values]))
            return
        known: dict[float, np.ndarray] = {}

        def found(x: float) -> np.ndarray:
            if x not in known:
                known[x] = vector(x)
            return known[x]

        checks = np.random.default_rng(2).choice(values, CHECKS, replace=False)
        for intervals in NODES:
            # halving the intervals keeps the nodes, so nothing is assembled twice
            self.nodes = self._back(np.cos(np.pi * np.arange(intervals, -1, -1) / intervals), low, high)
            self._settle(np.array([found(float(x)) for x in self.nodes]))
            right = np.array([found(float(x)) for x in checks])
            if np.array_equal(right, np.tile(right[0], (len(right), 1))) and not len(self.places):
                return
            apart = np.abs(np.array(self.at(checks)).reshape(len(self.places), -1).T - right[:, self.places])
            if (apart <= AGREE * self.scale).all():
                return
        if len(values) > MOST:
            raise GudgeonError(
                f'all runs at once: numbers of the mechanism are no smooth function of "{path}", and it has '
                f"{len(values)} values; {LOCAL}, or at most {MOST} values"
            )
        self.nodes = values
        self._settle(np.array([found(float(x)) for x in values]))

    def _settle(self, rows: np.ndarray) -> None:
        self.places = np.flatnonzero((rows != rows[0]).any(axis=0))
        self.rows = rows[:, self.places]
        self.scale = np.abs(self.rows).max(axis=0, initial=0.0)
        self.same = [bool(np.array_equal(column, self.nodes)) for column in self.rows.T]

    def _there(self, x: np.ndarray, low: float, high: float) -> np.ndarray:
        """Where values lie in -1..1, evenly or by their logarithm."""
        if self.log:
            x, low, high = np.log(x), math.log(low), math.log(high)
        return (2.0 * x - low - high) / (high - low)

    def _back(self, u: np.ndarray, low: float, high: float) -> np.ndarray:
        if self.log:
            x = np.exp(0.5 * (math.log(low) * (1.0 - u) + math.log(high) * (1.0 + u)))
        else:
            x = 0.5 * (low * (1.0 - u) + high * (1.0 + u))
        x[0], x[-1] = low, high
        return np.asarray(x)

    def at(self, x: np.ndarray) -> list[np.ndarray]:
        """Each number that changes along the path, at so many values."""
        inside, back = np.unique(x, return_inverse=True)
        if self.nodes is self.values:
            numbers = self.rows[np.searchsorted(self.values, inside)]
        else:
            numbers = self._interpolated(inside)
        return [inside[back] if same else numbers[back, k] for k, same in enumerate(self.same)]

    def _interpolated(self, x: np.ndarray) -> np.ndarray:
        """Barycentric interpolation between Chebyshev's extreme points."""
        low, high = float(self.values[0]), float(self.values[-1])
        nodes = self._there(self.nodes, low, high)
        weights = np.where(np.arange(len(nodes)) % 2 == 0, 1.0, -1.0)
        weights[[0, -1]] *= 0.5
        apart = self._there(x, low, high)[:, None] - nodes
        hit = apart == 0.0
        share = weights / np.where(hit, 1.0, apart)
        share = np.where(hit.any(axis=1, keepdims=True), hit, share)
        return np.asarray(share @ self.rows / share.sum(axis=1, keepdims=True))
