"""Extremes of a run whose steps were too many to be kept, found while it goes.

The run is divided into segments. Of each, the state it begins with is kept and, for every channel, a few rows that
could belong to its largest and smallest value, with their neighbours: those with the largest bounds
(`results/extremes.py`), rows beside an event apart from the others. The steps around them are integrated again when an
extreme is asked for. A window that begins or ends within a segment has that segment integrated again, from its start.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Matrix
from gudgeon.methods.march import driver
from gudgeon.results.evaluate import evaluate
from gudgeon.results.extremes import HIGH, LOW, Extremes, Peak, extremum

__all__ = ["SegmentedExtremes", "Segments"]

SEGMENTS = 32
STRIDE, MOST_STARTS = 256, 512  # rows between two states to start from, and how many of these a segment keeps
CANDIDATES = 3  # of each channel and side in a segment, within smooth pieces and again at their ends
PER_CHANNEL = 4  # rows of candidates: largest and smallest, each within smooth pieces and at their ends


@kernel
def scan(t: Floats, x: Matrix, number: float, bounds: Matrix, rows: Matrix) -> int:
    """Candidates among all rows but the first and the last: their bounds, and their numbers, where row 0 has `number`.
    Gives how many there were."""
    count = 0
    for k in range(1, t.shape[0] - 1):
        from_left, to_right = t[k] > t[k - 1], t[k + 1] > t[k]
        at_end = 0 if from_left and to_right else 1
        for i in range(x.shape[1]):
            left = x[k, i] - x[k - 1, i] if from_left else 0.0
            right = x[k, i] - x[k + 1, i] if to_right else 0.0
            for lowest in range(2):
                sign = 1.0 - 2.0 * lowest
                if sign * left >= 0.0 and sign * right >= 0.0:
                    place = 4 * i + 2 * lowest + at_end
                    bound = sign * (x[k, i] + 0.5 * (left + right))
                    least = 0
                    for j in range(1, bounds.shape[1]):
                        if bounds[place, j] < bounds[place, least]:
                            least = j
                    if bound > bounds[place, least]:
                        bounds[place, least], rows[place, least] = bound, number + k
                        count += 1
    return count


@dataclass
class _Segment:
    """What is kept of a part of a run."""

    starts: list[np.ndarray]  # its first row (t, y, m), and every stride-th one
    second: float  # time of its second row
    end: float  # time of its last row
    best: list[tuple[np.ndarray, np.ndarray]]  # smallest and largest value of every channel among its rows, and when
    bounds: np.ndarray
    rows: np.ndarray  # numbers of the candidates
    states: dict[int, np.ndarray] = field(default_factory=dict)  # three rows of each
    stride: int = STRIDE
    since: int = 0  # rows since the last start

    @property
    def begin(self) -> float:
        """Time of its first row."""
        return float(self.starts[0][0])

    def pieces(self, window: tuple[float, float]) -> Iterator[tuple[np.ndarray, float]]:
        """The parts from one start to the next that overlap with a window: first row, and time of the end."""
        ends = [*(float(row[0]) for row in self.starts[1:]), self.end]
        for row, end in zip(self.starts, ends, strict=True):
            if row[0] < end and end >= window[0] and row[0] <= window[1]:
                yield row, end


class Segments:
    """The segments of a run, made from its rows as they come."""

    def __init__(self, columns: int, start: float, span: float, period: float | None) -> None:
        """A segment of a run with a period is a whole number of periods; the first one is one."""
        turns = int(span / period * (1.0 + 1e-12)) if period else 0
        length = span / SEGMENTS if turns < 2 or period is None else period * max(1.0, np.ceil(turns / SEGMENTS))
        first = length if turns < 2 or period is None else period
        self._borders: Iterator[float] = iter([start + first + k * length for k in range(2 * SEGMENTS)])
        self._border = next(self._borders)
        self._columns = columns
        self._rows = np.zeros((0, 0))
        self._values = np.zeros((0, columns))
        self._number = 0  # of rows before those
        self.whole: list[_Segment] = []

    def add(self, rows: np.ndarray, values: np.ndarray) -> None:
        """The next rows (t, y, m) and their channels."""
        while len(rows):
            inside = int(np.searchsorted(rows[:, 0], self._border, "right"))
            if inside:
                self._take(rows[:inside], values[:inside])
            if inside < len(rows):
                # the segment ends with the first row beyond its border, and the next one begins with the last within
                self._take(rows[inside : inside + 1], values[inside : inside + 1])
                self._begin(self._rows[-2], self._values[-2], float(self._rows[-1, 0]))
                self._border = next((b for b in self._borders if b > rows[inside, 0]), np.inf)
                self._note(self._values[-1:], self._rows[-1:])
                inside += 1
            rows, values = rows[inside:], values[inside:]

    def finish(self) -> None:
        """The last row is the end of a smooth piece too."""
        if len(self._rows):
            self._take(self._rows[-1:].copy(), self._values[-1:].copy())

    def _begin(self, row: np.ndarray, values: np.ndarray, second: float) -> None:
        places = PER_CHANNEL * self._columns
        best = [(values.copy(), np.full(self._columns, row[0])) for _ in range(2)]
        self.whole.append(_Segment([row.copy()], second, second, best, np.full((places, CANDIDATES), -np.inf),
                                   np.full((places, CANDIDATES), -1.0)))  # fmt: skip

    def _take(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Rows of the last segment."""
        if not self.whole:
            self._begin(rows[0], values[0], float(rows[min(1, len(rows) - 1), 0]))
            self._rows, self._values = rows[:1], values[:1]  # the first row begins a smooth piece: it has itself before
        segment = self.whole[-1]
        self._note(values, rows)
        self._keep_starts(segment, rows)
        all_rows = np.concatenate([self._rows, rows])
        all_values = np.ascontiguousarray(np.concatenate([self._values, values]))
        if len(all_rows) > 2:
            scan(np.ascontiguousarray(all_rows[:, 0]), all_values, float(self._number), segment.bounds, segment.rows)
            self._keep_states(segment, all_rows)
        dropped = max(0, len(all_rows) - 2)
        self._number += dropped
        self._rows, self._values = all_rows[dropped:], all_values[dropped:]

    def _keep_starts(self, segment: _Segment, rows: np.ndarray) -> None:
        chosen = range(segment.stride - 1 - segment.since, len(rows), segment.stride)
        segment.starts += [rows[k].copy() for k in chosen]
        segment.since = (segment.since + len(rows)) % segment.stride
        if len(segment.starts) > MOST_STARTS:
            segment.starts, segment.stride = segment.starts[::2], 2 * segment.stride

    def _keep_states(self, segment: _Segment, rows: np.ndarray) -> None:
        known = np.unique(segment.rows[segment.rows >= 0.0]).astype(int)
        for number in known[known > self._number]:
            k = int(number) - self._number
            segment.states[int(number)] = rows[k - 1 : k + 2].copy()
        if len(segment.states) > 2 * len(known):
            segment.states = {number: segment.states[number] for number in known.tolist()}

    def _note(self, values: np.ndarray, rows: np.ndarray) -> None:
        """Extreme values among the rows."""
        segment = self.whole[-1]
        segment.end = float(rows[-1, 0])
        every = np.arange(values.shape[1])
        places = (values.argmin(axis=0), values.argmax(axis=0))
        for (best, times), rows_of, sign in zip(segment.best, places, (-1.0, 1.0), strict=True):
            found = values[rows_of, every]
            better = sign * found > sign * best
            best[better], times[better] = found[better], rows[rows_of[better], 0]


@dataclass
class SegmentedExtremes(Extremes):
    """Extremes of a run that was thinned.

    names     of the channels, as the segments have them
    segments  what was kept of them
    whole     the extremes of the run of which these are a window
    """

    names: list[str] = field(default_factory=list)
    segments: list[_Segment] = field(default_factory=list)
    whole: Extremes | None = None

    def _within(self, t: np.ndarray, data: Mapping[str, np.ndarray], window: tuple[float, float]) -> Extremes:
        return SegmentedExtremes(t, data, self.steps, None, window, {}, self.names, self.segments, self.whole or self)

    def extreme(self, name: str, side: float) -> Peak:
        key = (name, side)
        if key not in self.known:
            if name not in self.names:
                self.known[key] = extremum(self.t, self.data[name], side)
            else:
                self.known[key] = self._of_candidates(name, side)
                if self._parts():
                    self._march_parts()
        return self.known[key]

    def __reduce__(self) -> Any:
        return Extremes, (self.t, self.data, None, None, self.window, self.every() if len(self.t) else {})

    def step_rows(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        return self.t, self.data[name]

    def value(self, name: str, time: float) -> float:
        return float(np.interp(time, self.t, self.data[name]))

    def _parts(self) -> list[_Segment]:
        """Segments of which the window has a part only. One whose first step the window begins in has all its
        candidates there, and that step is the last one of the segment before it too."""
        begin, end = self.window
        return [s for s in self.segments if s.second <= begin < s.end or s.begin < end < s.end]

    def _of_candidates(self, name: str, side: float) -> Peak:
        """From what was kept of the segments."""
        assert self.steps is not None
        begin, end = self.window
        column, partial = self.names.index(name), {id(s) for s in self._parts()}
        peaks = [] if not len(self.t) else [self._of_rows(name, side)]
        for segment in self.segments:
            values, times = segment.best[int(side > 0.0)]
            if begin <= times[column] <= end:
                peaks.append(Peak(float(values[column]), float(times[column])))
        best = max(peaks, key=lambda peak: side * peak.value)
        search = self._search(name, side, best)
        pool: list[tuple[float, bool, np.ndarray]] = []
        for segment in self.segments:
            if segment.end < begin or segment.begin > end or id(segment) in partial:
                continue
            for at_end in (0, 1):
                place = PER_CHANNEL * column + 2 * int(side < 0.0) + at_end
                pool += [(float(bound), bool(at_end), segment.states[int(number)])
                         for bound, number in zip(segment.bounds[place], segment.rows[place], strict=True)
                         if number >= 0.0]  # fmt: skip
        for bound, _, rows in sorted(pool, key=lambda item: (item[1], -item[0])):
            if self.steps.is_smooth and bound > search.level:
                for k in (1, 0):
                    if rows[k, 0] < rows[k + 1, 0]:
                        search.step(rows[k], rows[k + 1])
        return search.best

    def _search(self, name: str, side: float, best: Peak | None = None) -> Any:
        search = super()._search(name, side)
        if best is not None:
            search.best = best
            search.scale = max(search.scale, *(float(np.abs(values[self.names.index(name)]))
                                               for segment in self.segments for values, _ in segment.best))  # fmt: skip
        return search

    def _march_parts(self) -> None:
        """The extremes of all channels in the segments of which the window has a part."""
        assert self.steps is not None
        steps, n = self.steps, self.steps.system.states
        names = [name for name in self.names if name in self.data]
        columns = self._columns(names)
        searches = {(name, side): self._search(name, side, self.known.get((name, side)) or
                                               self._of_candidates(name, side))
                    for name in names for side in (HIGH, LOW)}  # fmt: skip
        for segment in self._parts():
            for start, end in segment.pieces(self.window):
                before = start[None, :]

                def receive(rows: np.ndarray) -> None:
                    nonlocal before
                    rows = np.concatenate([before[-2:], rows])
                    values = evaluate(steps.system, rows)
                    for (name, _), search in searches.items():
                        search.rows(rows[:, 0], values[:, columns[name]], rows.__getitem__)
                    before = rows

                driver.run(steps.system, steps.method, float(start[0]), end, y=start[1 : 1 + n], m=start[1 + n :],
                           longest=steps.longest, on_rows=receive, loop=steps.loop)  # fmt: skip
        self.known |= {key: search.best for key, search in searches.items()}
