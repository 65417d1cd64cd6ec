"""Numbers as functions of a few values: polynomials through points at which they are computed.

Along each value by Chebyshev's points, and where several values act together on their sparse product, which grows only
in the directions that need it (Gerstner and Griebel 2003). What each point adds is what the points before it left open,
so that a number along one value knows nothing of the others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["AGREE", "LEAST", "MOST", "Interpolation", "InterpolationAxis", "Point", "TooManyPoints", "Vector"]

FINEST = 7  # level of a value, 2^7 intervals
AGREE = 1e-12  # error of the interpolation relative to the largest of a number's values
MOST = 2000  # points at which numbers are computed
PROBES = 4  # points that tell whether those of an index are needed
LEAST = 2  # what happens to be small below this level may not be small above it

Point = tuple[Any, ...]
Vector = Callable[[Point], np.ndarray]
Index = tuple[int, ...]  # a level of each value


class TooManyPoints(Exception):
    """The numbers would have to be computed at more points than is worth it."""


class Interpolation:
    """Numbers of `vector` as functions of the values on some axes. `grain`: magnitudes that differences of the numbers
    are seen against, where these are larger than the numbers."""

    def __init__(self, vector: Vector, axes: Sequence[InterpolationAxis], grain: np.ndarray | float = 0.0) -> None:
        self.vector, self.axes, self.grain = vector, list(axes), grain
        self.known: dict[Point, np.ndarray] = {}

    @property
    def places(self) -> np.ndarray:
        """Places of the numbers that differ."""
        return np.flatnonzero((np.array(list(self.known.values())) != self.base).any(axis=0))

    def found(self, point: Point) -> np.ndarray:
        """The numbers at a point, computed once."""
        if point not in self.known:
            self.known[point] = self.vector(point)
        return self.known[point]

    def polynomials(self) -> dict[Index, np.ndarray]:
        """The interpolation as sums of products of Chebyshev's polynomials T_k(u), whose degrees k are the keys, with
        the coefficients of all numbers; u is the place of each value on its axis, -1 to 1."""
        terms: dict[Index, np.ndarray] = {(0,) * len(self.axes): self.base.copy()}
        for index, left in self.pieces.items():
            factors = [axis.series(level) for axis, level in zip(self.axes, index, strict=True)]
            for node, rows in enumerate(itertools.product(*factors)):
                for degrees in itertools.product(*(range(len(row)) for row in rows)):
                    share = math.prod(row[k] for row, k in zip(rows, degrees, strict=True))
                    if share:
                        terms[degrees] = terms.get(degrees, 0.0) + share * left[:, node]
        return terms

    @property
    def scale(self) -> np.ndarray:
        """What errors of the numbers are relative to."""
        largest = np.abs(np.array(list(self.known.values()))).max(axis=0)
        return np.asarray(np.maximum(largest, self.grain))

    def grow(self, least: int = LEAST) -> None:
        """Find the pieces of the interpolation: what the points of each index add."""
        origin: Index = (0,) * len(self.axes)
        self.base = self.found(tuple(axis.middle for axis in self.axes))
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
                self.grow(least)
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
            raise TooManyPoints
        adds, left = self._open(nodes)
        if adds:
            self.pieces[index] = left
        return adds

    def _open(self, nodes: list[Point]) -> tuple[bool, np.ndarray]:
        """What the interpolation leaves open at points (number, point), and whether it matters."""
        exact = np.array([self.found(node) for node in nodes]).T
        ours = self.evaluated(np.array(nodes, dtype=float), np.arange(len(self.base)))
        left = np.subtract(exact, ours, out=np.zeros_like(ours), where=exact != ours)  # some are infinite
        return bool((np.abs(left) > AGREE * self.scale[:, None]).any()), left

    def evaluated(self, table: np.ndarray, places: np.ndarray) -> np.ndarray:
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
        return out


class InterpolationAxis:
    """Values, and points among them by levels: the one of level 0 in their middle, those of each level above between
    those of all below. every: all values from the first to the last are meant, not only these."""

    def __init__(self, values: np.ndarray, *, tabulated: bool = False, every: bool = False) -> None:
        self.values, self.tabulated, self.every = values, tabulated, every
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
        if self.every or len(self.values) > MOST:
            raise TooManyPoints
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
        apart = self.there(x) - self.there(points)[:, None]
        hit = apart == 0.0
        share = weights[:, None] / np.where(hit, 1.0, apart)
        share = np.where(hit.any(axis=0), hit, share)
        total = np.zeros(len(x))
        for row in share:  # in the same order for any number of values
            total += row
        return np.asarray(share[fresh] / total)

    def series(self, level: int) -> list[np.ndarray]:
        """Coefficients of Chebyshev's polynomials in what each point that a level adds counts."""
        if level == 0:
            return [np.ones(1)]
        last = 2**level
        rows = []
        for node in self._fresh(level):
            j = last - int(node)  # points go up, cosines down
            row = np.cos(np.pi * j * np.arange(last + 1) / last) * (1.0 if j in (0, last) else 2.0) / last
            row[[0, -1]] *= 0.5
            rows.append(row)
        return rows

    def there(self, x: np.ndarray) -> np.ndarray:
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
