"""Which rows of a long run are recorded: those that straight lines between them need.

A run that fits in WHOLE numbers keeps every step. A longer one keeps the rows between which every channel is a straight
line within a tolerance of its range; when they fill THINNED numbers the tolerance is doubled and the rows are thinned
once more. So memory and file do not grow with the length of the run. Both rows of every event are kept, an onset,
release or impact, and the row with the largest force of every contact, as long as these fill less than MOST_MARKED.

A line is followed by the fan of slopes that pass every row since the last kept one within the tolerance: a row outside
of the fan of any channel ends the line at the row before it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers, Matrix

__all__ = ["WHOLE", "ThinnedRows"]

WHOLE = 4_000_000  # numbers of a run that is recorded whole: 32 MB
THINNED = 5_000_000  # numbers of one that is thinned, besides
MOST_MARKED = 4_000_000  # those of events and peaks
FINEST = 1e-5  # of the range of a channel: no eye sees it
FLOOR = 1e-4  # of the largest range of the unit: a channel that varies less is measured by this
ROUNDED = 1e-9  # of the range: channels are rounded to this
BLOCK = 4096  # rows that are thinned at once, at least


@kernel
def straight(t: Floats, x: Matrix, tolerance: Floats, low: Floats, high: Floats, keep: Integers) -> int:
    """Set keep to 1 at rows that straight lines need; rows with keep > 0 on entry are kept. low and high are scratch:
    the slopes from the last kept row that pass all rows since then. Gives the number of rows kept."""
    n, channels, last, count = t.shape[0], x.shape[1], 0, 0
    keep[0] = max(keep[0], 1)
    for i in range(channels):
        low[i], high[i] = -1e300, 1e300
    for k in range(1, n):
        dt, fits = t[k] - t[last], 1
        if dt <= 0.0:
            fits = 0
        elif k > last + 1:
            for i in range(channels):
                slope = (x[k, i] - x[last, i]) / dt
                if slope < low[i] or slope > high[i]:
                    fits = 0
        if fits == 0 and k > last + 1:
            last = k - 1
            keep[last] = max(keep[last], 1)
            for i in range(channels):
                low[i], high[i] = -1e300, 1e300
        dt = t[k] - t[last]
        if dt <= 0.0 or keep[k] > 0 or k == n - 1:
            last = k
            keep[k] = max(keep[k], 1)
            for i in range(channels):
                low[i], high[i] = -1e300, 1e300
        else:
            share = 1.0 / dt
            for i in range(channels):
                rise = x[k, i] - x[last, i]
                low[i] = max(low[i], (rise - tolerance[i]) * share)
                high[i] = min(high[i], (rise + tolerance[i]) * share)
    for k in range(n):
        if keep[k] > 0:
            count += 1
    return count


@kernel
def mark(t: Floats, x: Matrix, forces: Integers, keep: Integers) -> int:
    """Set keep to 2 at both rows of events and at the largest force of every contact."""
    n = t.shape[0]
    for k in range(1, n):
        if t[k] <= t[k - 1]:
            keep[k - 1], keep[k] = 2, 2
    for f in range(forces.shape[0]):
        i, best = forces[f], -1
        for k in range(n):
            if x[k, i] > 0.0 and (best < 0 or x[k, i] > x[best, i]):
                best = k
            if best >= 0 and (x[k, i] <= 0.0 or k == n - 1):
                keep[best], best = 2, -1
    return 0


class ThinnedRows:
    """Rows that were thinned as they came."""

    def __init__(self, units: Sequence[str], forces: Sequence[int]) -> None:
        """`units` of the channels, and the columns with normal forces of contacts."""
        self._units = np.array(units)
        self._forces = np.array(forces, dtype=np.int64)
        self._low = np.full(len(units), np.inf)
        self._high = np.full(len(units), -np.inf)
        self._waiting: list[tuple[np.ndarray, np.ndarray]] = []
        self._kept: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []  # times, channels, marks
        self.tolerance = FINEST
        self.error = FINEST  # what thinning again and again adds up to, of the range of a channel
        self.seen = 0  # rows

    def add(self, t: np.ndarray, x: np.ndarray) -> None:
        """Take in the next rows."""
        if not len(t):
            return
        self.seen += len(t)
        np.minimum(self._low, x.min(axis=0), out=self._low)
        np.maximum(self._high, x.max(axis=0), out=self._high)
        self._waiting.append((t, x))
        if sum(len(block) for block, _ in self._waiting) >= BLOCK:
            self._settle()

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Times and channels of the rows that are kept."""
        self._settle()
        count = sum(len(t) for t, _, _ in self._kept)
        times, channels = np.empty(count), np.empty((count, len(self._units)))
        for t, x, _ in reversed(self._kept):
            times[count - len(t) : count], channels[count - len(t) : count] = t, x
            count -= len(t)
        self._kept = [(times, channels, np.zeros(0))]
        # digits below what the tolerance leaves: without them a file is two thirds as large
        grain = np.exp2(np.floor(np.log2(np.maximum(ROUNDED * self._scale(), 1e-300))))
        for k, size in enumerate(grain):
            channels[:, k] = np.round(channels[:, k] / size) * size
        return times, channels

    def range(self, column: int) -> tuple[float, float]:
        """Smallest and largest value of a channel among all rows."""
        return float(self._low[column]), float(self._high[column])

    def _settle(self) -> None:
        if not self._waiting:
            return
        t, x = (np.concatenate(parts) for parts in zip(*self._waiting, strict=True))
        self._waiting = []
        marks = np.zeros(len(t), dtype=np.int64)
        mark(t, x, self._forces, marks)
        self._kept.append(self._thinned(t, x, marks))
        while sum(block.size for _, block, _ in self._kept) > THINNED + self._marked():
            self.tolerance *= 2.0
            self.error += self.tolerance
            self._thin_again()

    def _thin_again(self) -> None:
        """All rows that are kept by the new tolerance, several blocks at once."""
        before, self._kept, group = self._kept, [], []
        before.reverse()
        while before:
            group.append(before.pop())
            if not before or sum(len(t) for t, _, _ in group) >= BLOCK:
                t, x, marks = (np.concatenate(parts) for parts in zip(*group, strict=True))
                self._kept.append(self._thinned(t, x, marks))
                group = []

    def _marked(self) -> int:
        """Numbers in rows of events and peaks, which are kept besides, up to a limit."""
        return min(MOST_MARKED, sum(int((marks > 1).sum()) * x.shape[1] for _, x, marks in self._kept))

    def _thinned(self, t: np.ndarray, x: np.ndarray,
                 marks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        keep = np.where(marks > 1, marks, 0)
        if self._marked() >= MOST_MARKED:
            keep[:] = 0  # more events than can be kept: those that lines need
        scratch = np.zeros((2, x.shape[1]))
        straight(t, x, self.tolerance * self._scale(), scratch[0], scratch[1], keep)
        chosen = keep > 0
        return t[chosen], x[chosen], keep[chosen]

    def _scale(self) -> np.ndarray:
        """What the tolerance of a channel is relative to."""
        own = self._high - self._low
        scale = np.empty_like(own)
        for unit in np.unique(self._units):
            places = self._units == unit
            scale[places] = np.maximum(own[places], FLOOR * own[places].max())
        return scale
