"""From points to the numbers of every trajectory, without assembling the mechanism at each of them.

A number of a mechanism, a parameter or a part of its start, is a function of the values on the paths. It is
interpolated between points at which the mechanism is assembled: along each path by Chebyshev's points, and where
several paths act together on their sparse product, which grows only in the directions that need it (Gerstner and
Griebel 2003). What each point adds is what the points before it left open, so that a number along one path knows
nothing of the others. The numbers of some points by chance are checked; those of few points are all assembled.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from gudgeon.quantity import GudgeonError, in_words
from gudgeon.study.points.design import Point

__all__ = ["Columns"]

FEW = 24  # values on a path that are all assembled
FINEST = 7  # level of a path, 2^7 intervals
LEAST = 2  # what happens to be small below this level may not be small above it
AGREE = 1e-12  # error of the interpolation relative to the largest of a number's values
MOST = 2000  # combinations that are assembled
CHECKS, PROBES = 4, 4  # points by chance at which the numbers are checked; those that tell whether others are needed
CHUNK = 1 << 14  # points at once
LOCAL = 'use engine="local"'

Vector = Callable[[Point], np.ndarray]
Index = tuple[int, ...]  # a level of each path


class _TooMany(Exception):
    """More would have to be assembled than is worth it."""


class Columns:
    """Numbers of all trajectories. `vector` gives all of one point by assembling its mechanism; `grain`: magnitudes
    that differences of the numbers are seen against, where these are larger than the numbers."""

    def __init__(self, vector: Vector, paths: Sequence[str], points: Sequence[Point],
                 grain: np.ndarray | float = 0.0) -> None:  # fmt: skip
        self.paths, self.vector, self.grain = paths, vector, grain
        self.known: dict[Point, np.ndarray] = {}
        self.distinct = dict.fromkeys(points)
        table = np.array(points, dtype=float).reshape(len(points), len(paths))
        self.values = [np.unique(column) for column in table.T]
        self.exact = False
        if len(self.distinct) <= FEW or not self._interpolates(points):
            self.exact = True
            self._one_by_one()

    @property
    def places(self) -> np.ndarray:
        """Places of the numbers that differ."""
        return np.flatnonzero((np.array(list(self.known.values())) != self.base).any(axis=0))

    def at(self, points: Sequence[Point]) -> dict[int, np.ndarray]:
        """Values of the numbers that differ, by place, for some points."""
        places = self.places
        if self.exact:
            rows = np.array([self.known[point] for point in points]).T[places]
        else:
            table = np.array(points, dtype=float).reshape(len(points), len(self.paths))
            parts = [self._interpolated(table[k : k + CHUNK], places) for k in range(0, len(table), CHUNK)]
            rows = np.concatenate(parts, axis=1)
        return {int(place): row for place, row in zip(places, rows, strict=True)}

    # -- assembling -----------------------------------------------------------------------------------------

    def _found(self, point: Point) -> np.ndarray:
        if point not in self.known:
            self.known[point] = self.vector(point)
        return self.known[point]

    def _one_by_one(self) -> None:
        if len(self.distinct) > MOST:
            raise self._refusal()
        self.known = {point: self._found(point) for point in self.distinct}
        self.base = next(iter(self.known.values()))

    def _refusal(self) -> GudgeonError:
        return GudgeonError(
            f"all runs at once: {in_words(self.paths)} act on the same numbers of the mechanism, which must then "
            f"be assembled at each of {len(self.distinct)} points; {LOCAL}, or at most {MOST} points"
        )

    # -- interpolation --------------------------------------------------------------------------------------

    def _interpolates(self, points: Sequence[Point]) -> bool:
        """Find what is needed to interpolate; whether that can be done."""
        for few, least in ((FEW, LEAST), (0, LEAST), (0, 2 * LEAST)):
            self.axes = [_Axis(values, tabulated=len(values) <= few) for values in self.values]
            try:
                self._grow(least)
                if self._holds(points):
                    return True
            except _TooMany:
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
            if (np.abs(ours[other] - exact[other]) > 10.0 * AGREE * self._scale[other]).any():
                return False
        return True

    @property
    def _scale(self) -> np.ndarray:
        largest = np.abs(np.array(list(self.known.values()))).max(axis=0)
        return np.asarray(np.maximum(largest, self.grain))

    def _grow(self, least: int) -> None:
        """The pieces of the interpolation: what the points of each index add."""
        origin: Index = (0,) * len(self.axes)
        self.base = self._found(tuple(axis.middle for axis in self.axes))
        self.pieces: dict[Index, np.ndarray] = {}
        needed: set[Index] = {origin}
        for k, axis in enumerate(self.axes):
            rough = 0
            for level in range(1, axis.levels + 1):
                if self._adds(self._at_level(k, level)):
                    rough = level
                elif level >= least:
                    break
            if rough == FINEST:
                axis.tabulate()
                self._grow(least)
                return
            needed |= {self._at_level(k, level) for level in range(1, rough + 1)}
        open_ = sorted(needed)
        while open_:
            index = open_.pop(0)
            for following in self._after(index, needed):
                if following not in needed and self._adds(following):
                    needed.add(following)
                    open_.append(following)

    def _at_level(self, k: int, level: int) -> Index:
        return tuple(level if other == k else 0 for other in range(len(self.axes)))

    def _after(self, index: Index, needed: set[Index]) -> Iterator[Index]:
        """Indices of several paths one level above, all of whose lower neighbours are needed."""
        for k, axis in enumerate(self.axes):
            following = (*index[:k], index[k] + 1, *index[k + 1 :])
            lower = [(*following[:j], x - 1, *following[j + 1 :]) for j, x in enumerate(following) if x]
            if following[k] <= axis.levels and len(lower) > 1 and needed.issuperset(lower):
                yield following

    def _adds(self, index: Index) -> bool:
        """Whether points of this index change the interpolation; if so, it is changed."""
        nodes = list(itertools.product(*(axis.nodes(level) for axis, level in zip(self.axes, index, strict=True))))
        probes = nodes
        if len(nodes) > PROBES:
            chosen = np.random.default_rng(2).choice(len(nodes), PROBES, replace=False)
            probes = [nodes[int(k)] for k in chosen]
        if not self._open(probes)[0]:
            return False
        if len({*self.known, *nodes}) > MOST:
            raise _TooMany
        adds, left = self._open(nodes)
        if adds:
            self.pieces[index] = left
        return adds

    def _open(self, nodes: list[Point]) -> tuple[bool, np.ndarray]:
        """What the interpolation leaves open at points (number, point), and whether it matters."""
        exact = np.array([self._found(node) for node in nodes]).T
        ours = self._interpolated(np.array(nodes, dtype=float), np.arange(len(self.base)), copied=False)
        left = np.subtract(exact, ours, out=np.zeros_like(ours), where=exact != ours)  # some are infinite
        return bool((np.abs(left) > AGREE * self._scale[:, None]).any()), left

    def _interpolated(self, table: np.ndarray, places: np.ndarray, *, copied: bool = True) -> np.ndarray:
        """Numbers (number, point) at the points of a table. Every point by itself: others next to it do not matter."""
        out = np.repeat(self.base[places][:, None], len(table), axis=1)
        shares: dict[tuple[int, int], np.ndarray] = {}
        for index, left in self.pieces.items():
            factors = []
            for k, level in enumerate(index):
                if level and (k, level) not in shares:
                    shares[k, level] = self.axes[k].shares(level, table[:, k])
                if level:
                    factors.append(shares[k, level])
            for node, ways in enumerate(itertools.product(*(range(len(x)) for x in factors))):
                share = math.prod((factor[way] for factor, way in zip(factors, ways, strict=True)), start=np.ones(1))
                out += left[places, node][:, None] * share
        for row, k in self._copies(places) if copied else ():
            out[row] = table[:, k]
        return out

    def _copies(self, places: np.ndarray) -> Iterator[tuple[int, int]]:
        """Numbers that are the values of a path themselves."""
        nodes, rows = np.array(list(self.known)), np.array(list(self.known.values()))[:, places]
        for k in range(len(self.axes)):
            for row in np.flatnonzero((rows == nodes[:, k : k + 1]).all(axis=0)):
                yield int(row), k


class _Axis:
    """The values of one path, and points on it by levels: the one of level 0 in their middle, those of each level above
    between those of all below."""

    def __init__(self, values: np.ndarray, *, tabulated: bool) -> None:
        self.values, self.tabulated = values, tabulated
        low, high = float(values[0]), float(values[-1])
        self.log = low > 0.0 and high > 4.0 * low
        self.ends = low, high

    @property
    def levels(self) -> int:
        return (1 if self.tabulated else FINEST) if len(self.values) > 1 else 0

    @property
    def middle(self) -> float:
        return float(self._points(0)[0])

    def tabulate(self) -> None:
        """All values become points."""
        if len(self.values) > MOST:
            raise _TooMany
        self.tabulated = True

    def nodes(self, level: int) -> list[float]:
        """The points that a level adds."""
        return [float(x) for x in self._points(level)[self._fresh(level)]]

    def _fresh(self, level: int) -> np.ndarray:
        if level == 0:
            return np.arange(1)
        if self.tabulated:
            return np.flatnonzero(self.values != self.middle)
        return np.array([0, 2]) if level == 1 else np.arange(1, 2**level, 2)

    def _points(self, level: int) -> np.ndarray:
        """All points of a level and those below it."""
        if self.tabulated:
            return self.values if level else self.values[[len(self.values) // 2]]
        if level == 0:
            return self._back(np.zeros(1))
        points = self._back(np.cos(np.pi * np.arange(2**level, -1, -1) / 2**level))
        points[[0, -1]] = self.ends
        points[len(points) // 2] = self.middle
        return points

    def shares(self, level: int, x: np.ndarray) -> np.ndarray:
        """What each point that a level adds counts at values x (point, value): 1 there, 0 at the others up to it."""
        fresh, points = self._fresh(level), self._points(level)
        if self.tabulated:
            return np.asarray(points[fresh][:, None] == x, dtype=float)
        weights = np.where(np.arange(len(points)) % 2 == 0, 1.0, -1.0)
        weights[[0, -1]] *= 0.5
        apart = self._there(x) - self._there(points)[:, None]
        hit = apart == 0.0
        share = weights[:, None] / np.where(hit, 1.0, apart)
        share = np.where(hit.any(axis=0), hit, share)
        total = np.zeros(len(x))
        for row in share:  # in the same order for any number of values
            total += row
        return np.asarray(share[fresh] / total)

    def _there(self, x: np.ndarray) -> np.ndarray:
        """Where values lie in -1..1, evenly or by their logarithm."""
        low, high = self.ends
        if self.log:
            x, low, high = np.log(x), math.log(low), math.log(high)
        return np.asarray((2.0 * x - low - high) / (high - low))

    def _back(self, u: np.ndarray) -> np.ndarray:
        low, high = self.ends
        if self.log:
            return np.asarray(np.exp(0.5 * (math.log(low) * (1.0 - u) + math.log(high) * (1.0 + u))))
        return np.asarray(0.5 * (low * (1.0 - u) + high * (1.0 + u)))
