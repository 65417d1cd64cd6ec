"""From points to the numbers of every trajectory, without assembling the mechanism at each of them.

A number of a mechanism, a parameter or a part of its start, is a function of the values on the paths. It is
interpolated between points at which the mechanism is assembled (`analysis.statistics.interpolation`). The numbers of
some points by chance are checked; those of few points are all assembled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gudgeon.analysis.statistics.interpolation import (
    AGREE,
    LEAST,
    MOST,
    Interpolation,
    InterpolationAxis,
    TooManyPoints,
    Vector,
)
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.study.points.design import Point

__all__ = ["Columns"]

FEW = 24  # values on a path that are all assembled
CHECKS = 4  # points by chance at which the numbers are checked
CHUNK = 1 << 14  # points at once
LOCAL = 'use engine="local"'


class Columns(Interpolation):
    """Numbers of all trajectories. `vector` gives all of one point by assembling its mechanism; `grain`: magnitudes
    that differences of the numbers are seen against, where these are larger than the numbers."""

    def __init__(self, vector: Vector, paths: Sequence[str], points: Sequence[Point],
                 grain: np.ndarray | float = 0.0) -> None:  # fmt: skip
        super().__init__(vector, [], grain)
        self.paths, self.distinct = paths, dict.fromkeys(points)
        table = np.array(points, dtype=float).reshape(len(points), len(paths))
        self.values = [np.unique(column) for column in table.T]
        self.exact = False
        if len(self.distinct) <= FEW or not self._interpolates(points):
            self.exact = True
            self._one_by_one()

    def at(self, points: Sequence[Point]) -> dict[int, np.ndarray]:
        """Values of the numbers that differ, by place, for some points."""
        places = self.places
        if self.exact:
            rows = np.array([self.known[point] for point in points]).T[places]
        else:
            table = np.array(points, dtype=float).reshape(len(points), len(self.paths))
            parts = [self._columns(table[k : k + CHUNK], places) for k in range(0, len(table), CHUNK)]
            rows = np.concatenate(parts, axis=1)
        return {int(place): row for place, row in zip(places, rows, strict=True)}

    def _one_by_one(self) -> None:
        if len(self.distinct) > MOST:
            raise self._refusal()
        self.known = {point: self.found(point) for point in self.distinct}
        self.base = next(iter(self.known.values()))

    def _refusal(self) -> GudgeonError:
        return GudgeonError(
            f"all runs at once: {in_words(self.paths)} act on the same numbers of the mechanism, which must then "
            f"be assembled at each of {len(self.distinct)} points; {LOCAL}, or at most {MOST} points"
        )

    def _interpolates(self, points: Sequence[Point]) -> bool:
        """Find what is needed to interpolate; whether that can be done."""
        for few, least in ((FEW, LEAST), (0, LEAST), (0, 2 * LEAST)):
            self.axes = [InterpolationAxis(values, tabulated=len(values) <= few) for values in self.values]
            try:
                self.grow(least)
                if self._holds(points):
                    return True
            except TooManyPoints:
                pass
            except GudgeonError:
                if len(self.distinct) > MOST:
                    raise
                return False  # such numbers together make no mechanism, and none of the points may have them
        return False

    def _holds(self, points: Sequence[Point]) -> bool:
        """Whether some points by chance have the numbers that are interpolated."""
        chosen = np.random.default_rng(1).choice(len(points), min(CHECKS, len(points)), replace=False)
        some = [points[int(k)] for k in chosen]
        columns = self.at(some)
        for k, point in enumerate(some):
            exact, ours = self.vector(point), self.base.copy()
            for place, column in columns.items():
                ours[place] = column[k]
            other = ours != exact
            if (np.abs(ours[other] - exact[other]) > 10.0 * AGREE * self.scale[other]).any():
                return False
        return True

    def _columns(self, table: np.ndarray, places: np.ndarray) -> np.ndarray:
        out = self.evaluated(table, places)
        for row, k in self._copies(places):
            out[row] = table[:, k]
        return out

    def _copies(self, places: np.ndarray) -> Iterator[tuple[int, int]]:
        """Numbers that are the values of a path themselves."""
        nodes, rows = np.array(list(self.known)), np.array(list(self.known.values()))[:, places]
        for k in range(len(self.axes)):
            for row in np.flatnonzero((rows == nodes[:, k : k + 1]).all(axis=0)):
                yield int(row), k
