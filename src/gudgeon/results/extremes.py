"""Extremes of channels: those of the motion, not of the rows that were recorded.

A narrow peak lies between two rows. Rows are the ends of steps; in between, the motion is the method's own solution, so
around every row that could belong to the extreme the neighbouring steps are integrated again from their first row, in
parts, and again in parts of parts where the extreme is. What is integrated again has the accuracy of the run. Methods
with fixed steps and those in residual form are not integrated again, since shorter steps would be another solution:
between their rows the motion is their own interpolant, Hermite's cubic. The energy methods have no motion between rows
either: their velocities and accelerations may alternate from step to step, so that a cubic through them would press on
films, walls and stiff beams with forces a hundred times too large. Their extremes are those of the rows, with the
parabola through three of them.

Which rows can belong to the extreme: a local extreme x_k among rows whose bound x_k + ((x_k - x_k-1) + (x_k - x_k+1))/2
exceeds the best value so far; a parabola through three rows gains at most a quarter of that. Rows at the same time, on
both sides of an event, end a smooth piece.

A run with thinned output has no rows at its steps, nor has one whose states were too many to be kept. It is marched
once more when the first extreme is asked for; no step depends on the output, so that the steps are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gudgeon.assemble import System, call_address
from gudgeon.methods.march import driver
from gudgeon.results.evaluate import LazyColumns, evaluate

__all__ = ["Extremes", "Peak", "RunSteps", "extremum", "rows_between"]

HIGH, LOW = 1.0, -1.0
MOST_STATES = 1e7  # numbers in steps that are marched again and kept: 80 MB
PARTS = 16  # of a step that is integrated again
LEVELS = 3  # parts of parts of parts, at most
ENOUGH = 1e-6  # a bound this close to the best value ends it; a parabola gives the rest
NEAR, NOISE = 1e-7, 1e-12  # of the best value, and of the largest of its unit: what is not looked for
FRUITLESS = 32  # searches in a row without a gain: those with smaller bounds are left out
SEVERAL = 64  # steps that were integrated again and are remembered: channels have their peaks together


@dataclass(frozen=True)
class Peak:
    """An extreme value of a channel, with its sign, and when [s]."""

    value: float
    time: float

    def __float__(self) -> float:
        return self.value


@dataclass
class RunSteps:
    """The steps of a run: rows (t, y, m) at their ends, kept or computed again, and the motion between two rows.

    To compute them again is to integrate the run a second time from its start, which gives the same steps.
    """

    system: System
    method: Any
    start: np.ndarray  # the row (t, y, m) that the run begins with
    end: float  # where the march would end [s]
    until: float  # where it did
    longest: float | None
    loop: Callable[[Any], int] | None
    blocks: list[np.ndarray] | None  # rows; None: they were not kept
    # times (by the name "") and channels of rows that were computed again
    columns: dict[str, np.ndarray] = field(default_factory=dict, repr=False)
    _between: dict[tuple[float, float], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict, repr=False)

    def visit(self, receive: Callable[[np.ndarray], None]) -> None:
        """Hand over all rows in blocks."""

        def until_end(rows: np.ndarray) -> None:
            receive(rows[rows[:, 0] <= self.until])
            if rows[-1, 0] > self.until:
                raise driver.StopMarch("the run had ended")

        if self.blocks is not None:
            for block in self.blocks:
                receive(block)
            return
        n = self.system.states
        driver.run(self.system, self.method, float(self.start[0]), self.end, y=self.start[1 : 1 + n],
                   m=self.start[1 + n :], longest=self.longest, on_rows=until_end, loop=self.loop)  # fmt: skip

    def integrate_again(self, names: Sequence[str]) -> bool:
        """Compute the rows again and keep them, with some channels, unless they are too many."""
        blocks: list[np.ndarray] = []
        index = {channel.name: k for k, channel in enumerate(self.system.channels)}
        values: list[np.ndarray] = []

        def keep(rows: np.ndarray) -> None:
            if sum(block.size for block in (*blocks, *values)) > MOST_STATES:
                raise driver.StopMarch("too many rows")
            blocks.append(rows)
            values.append(evaluate(self.system, rows)[:, [index[name] for name in names]])

        self.visit(keep)
        if not blocks or blocks[-1][-1, 0] < self.until:
            return False
        table = np.concatenate(values)
        self.blocks = blocks
        self.columns = {"": np.concatenate([block[:, 0] for block in blocks]), **dict(zip(names, table.T, strict=True))}
        return True

    def column(self, name: str) -> np.ndarray:
        """A channel of the rows that were computed again."""
        if name not in self.columns:
            assert self.blocks is not None
            k = [channel.name for channel in self.system.channels].index(name)
            self.columns[name] = np.concatenate([evaluate(self.system, block)[:, k] for block in self.blocks])
        return self.columns[name]

    def between(self, row: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rows from one row to the next one, in parts, and all channels on them."""
        key = (float(row[0]), float(last[0]))
        if key not in self._between:
            if len(self._between) >= SEVERAL:
                self._between.pop(next(iter(self._between)))
            parts = np.linspace(0.0, 1.0, 2 * PARTS + 1)
            rows = self._integrated(row, key[1]) if self._is_integrated else self._interpolated(row, last, parts)
            rows = rows[: _first_event(rows)]
            rows = rows[np.isfinite(rows).all(axis=1)]
            self._between[key] = rows, evaluate(self.system, rows)
        return self._between[key]

    def at(self, row: np.ndarray, last: np.ndarray, time: float) -> np.ndarray:
        """All channels at a time between one row and the next one [s]."""
        if self._is_integrated:
            rows = self._integrated(row, time)
            rows = rows[: _first_event(rows)]
        elif self.has_interpolant:
            rows = self._interpolated(row, last, np.array([(time - row[0]) / (last[0] - row[0])]))
        else:
            ends = evaluate(self.system, np.array([row, last]))
            return np.asarray(ends[0] + (time - row[0]) / (last[0] - row[0]) * (ends[1] - ends[0]))
        return np.asarray(evaluate(self.system, rows[-1:])[0])

    @property
    def is_smooth(self) -> bool:
        """Whether there is a motion between the rows: impulses over fixed steps leave none."""
        return bool(self.system.needs.contact != "impulse")

    @property
    def has_interpolant(self) -> bool:
        """Whether states between the rows are a motion, and not only the rows."""
        return bool(self.system.needs.form != "step")

    @property
    def _is_integrated(self) -> bool:
        return bool(self.method.adaptive and self.system.residual is None)

    def _integrated(self, row: np.ndarray, end: float) -> np.ndarray:
        n, start = self.system.states, float(row[0])
        finer = replace(self.method, step=(end - start) / PARTS)
        rows = row[None, :]

        def keep(block: np.ndarray) -> None:
            nonlocal rows
            begins = len(rows) == 1 and block[0, 0] == start
            rows = block if begins else np.concatenate([rows, block])
            event = _first_event(rows)
            if event < len(rows):  # what follows is not needed, and an event may be the first of very many
                rows = rows[:event]
                raise driver.StopMarch("there is an event")

        driver.run(self.system, finer, start, end, y=row[1 : 1 + n], m=row[1 + n :], on_rows=keep)
        return rows

    def _interpolated(self, row: np.ndarray, last: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """Parts of the step, 0 to 1, by Hermite's cubic; accelerations and multipliers among the states are linear."""
        system, n, h = self.system, self.system.states, float(last[0] - row[0])
        slopes = [self._slope(r) for r in (row, last)]
        x = parts[:, None]
        jump = last[1 : 1 + n] - row[1 : 1 + n]
        bend = (2.0 * x - 1.0) * jump + (1.0 - x) * h * slopes[0] - x * h * slopes[1]
        y = row[1 : 1 + n] + x * (jump + (1.0 - x) * bend)
        if system.residual is not None:
            linear = slice(system.residual.layout.accelerations, system.controlled)
            y[:, linear] = row[1:][linear] + x * jump[linear]
        for places in _parameters(system):
            y[:, places] /= np.linalg.norm(y[:, places], axis=1, keepdims=True)
        y[parts == 0.0], y[parts == 1.0] = row[1 : 1 + n], last[1 : 1 + n]
        return np.column_stack([row[0] + x[:, 0] * h, y, np.tile(row[1 + n :], (len(x), 1))])

    def _slope(self, row: np.ndarray) -> np.ndarray:
        n, out = self.system.states, np.zeros(self.system.states)
        y, m = (np.ascontiguousarray(part) for part in (row[1 : 1 + n], row[1 + n :]))
        call_address(self.system.addresses["rhs"], float(row[0]), y, self.system.p, m, out)
        return out


def _parameters(system: System) -> list[np.ndarray]:
    """Places of Euler parameters, by fours."""
    places = np.flatnonzero(np.array(system.units[: system.positions]) == "1")
    return list(places.reshape(-1, 4)) if len(places) % 4 == 0 else []


def _first_event(rows: np.ndarray) -> int:
    """Number of rows before the first event, which has two at the same time."""
    repeated = np.flatnonzero(np.diff(rows[:, 0]) <= 0.0)
    return int(repeated[0]) + 1 if len(repeated) else len(rows)


def _candidates(t: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows at local maxima of a sampled channel, bounds of the maximum beside them, and whether a smooth piece of the
    motion begins or ends there, at an event."""
    step = np.diff(t) > 0.0
    rise = np.where(step, np.diff(x), 0.0)  # no neighbour across an event
    left, right = np.concatenate([[0.0], rise]), np.concatenate([-rise, [0.0]])
    rows = np.flatnonzero((left >= 0.0) & (right >= 0.0))
    edge = ~(np.concatenate([[False], step]) & np.concatenate([step, [False]]))
    return rows, x[rows] + 0.5 * (left[rows] + right[rows]), edge[rows]


@dataclass
class Extremes:
    """The extremes of a run's channels over a window of time [s], computed when they are asked for.

    t, data  rows of the run; `recorded`: which of them are rows of its steps, None where none is or all are
    """

    t: np.ndarray
    data: Mapping[str, np.ndarray]
    steps: RunSteps | None = None
    recorded: np.ndarray | None = None
    window: tuple[float, float] = (-np.inf, np.inf)
    known: dict[tuple[str, float], Peak] = field(default_factory=dict)
    _scales: dict[str, float] = field(default_factory=dict, init=False, repr=False)
    # the window that was asked for last, and its extremes: several tables are made of the same part of a run
    _last: tuple[tuple[float, float], Extremes] | None = field(default=None, repr=False, kw_only=True)

    def within(self, begin: float, end: float) -> Extremes:
        """Those of a part of the run."""
        window = (max(begin, self.window[0]), min(end, self.window[1]))
        if self._last is None or self._last[0] != window:
            keep = rows_between(self.t, *window)
            if keep == slice(0, len(self.t)) and window == self.window:
                return self
            data = LazyColumns.of(self.data).cut(keep)
            self._last = window, self._within(self.t[keep], data, window)
        return self._last[1]

    def _within(self, t: np.ndarray, data: Mapping[str, np.ndarray], window: tuple[float, float]) -> Extremes:
        """Those of a window, with its rows."""
        if self.steps is None:
            return Extremes(t, data)
        return _Part(t, data, self.steps, None, window, whole=self)

    def extreme(self, name: str, side: float) -> Peak:
        """The largest (side 1) or smallest (-1) value of a channel."""
        key = (name, side)
        if key not in self.known:
            if self.steps is None or not self.steps.is_smooth or name.endswith(".mode"):
                self.known[key] = extremum(self.t, self.data[name], side)
            elif self.steps.blocks is not None or self.steps.integrate_again([*self._columns(self.data)]):
                self.known[key] = self._of_kept_rows(name, side)
            else:
                self._march_again()
        return self.known[key]

    def _of_rows(self, name: str, side: float) -> Peak:
        """The extreme row."""
        x = self.data[name]
        k = int(np.argmax(side * x))
        return Peak(float(x[k]), float(self.t[k]))

    def _search(self, name: str, side: float) -> _Search:
        assert self.steps is not None
        column = self._columns([name])[name]
        scale = self._scale(self.steps.system.channels[column].unit)
        return _Search(self.steps, column, side, self.window, self._of_rows(name, side), scale)

    def _scale(self, unit: str) -> float:
        """The largest magnitude among the channels of a unit: the offset of an ideal joint is rounding beside the
        coordinates of the bodies, and has no peaks."""
        if unit not in self._scales:
            units = {channel.name: channel.unit for channel in self.steps.system.channels} if self.steps else {}
            sizes = [float(np.abs(x).max()) for name, x in self.data.items() if units.get(name) == unit and len(x)]
            self._scales[unit] = max(sizes, default=0.0)
        return self._scales[unit]

    def _columns(self, names: Iterable[str]) -> dict[str, int]:
        assert self.steps is not None
        index = {channel.name: k for k, channel in enumerate(self.steps.system.channels)}
        return {name: index[name] for name in names if name in index}

    def largest(self, name: str) -> Peak:
        """The extreme of a channel with the largest magnitude."""
        high, low = self.extreme(name, HIGH), self.extreme(name, LOW)
        return high if abs(high.value) >= abs(low.value) else low

    def step_rows(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Times of the steps of the whole run and values of a channel there."""
        if self.steps is not None and self.steps.columns:
            return self.steps.columns[""], self.steps.column(name)
        if self.recorded is None:
            return self.t, self.data[name]
        return self.t[self.recorded], self.data[name][self.recorded]

    def value(self, name: str, time: float) -> float:
        """A channel at a time [s], inside a step where the steps are kept, else between rows."""
        if self.steps is None or self.steps.blocks is None or not self.steps.is_smooth:
            return float(np.interp(time, self.t, self.data[name]))
        t, x = self.step_rows(name)
        k = int(np.searchsorted(t, time, "left"))
        if not 0 < k < len(t) or t[k] == time:
            return float(x[min(k, len(t) - 1)])
        row = self._row_reader()
        return float(self.steps.at(row(k - 1), row(k), time)[self._columns([name])[name]])

    def _row_reader(self) -> Callable[[int], np.ndarray]:
        """Row number k of the steps that are kept."""
        assert self.steps is not None and self.steps.blocks is not None
        blocks = self.steps.blocks
        starts = np.cumsum([0, *(len(block) for block in blocks)])

        def row(k: int) -> np.ndarray:
            block = int(np.searchsorted(starts, k, "right")) - 1
            return np.asarray(blocks[block][k - starts[block]])

        return row

    def _of_kept_rows(self, name: str, side: float) -> Peak:
        t, x = self.step_rows(name)
        row = self._row_reader()
        first, last = _surrounding(t, self.window)
        search = self._search(name, side)
        search.rows(t[first:last], x[first:last], lambda k: row(first + k))
        return search.best

    def _march_again(self) -> None:
        """The extremes of all channels of the run."""
        assert self.steps is not None
        columns = self._columns(name for name in self.data if not name.endswith(".mode"))
        searches = {(name, side): self._search(name, side) for name in columns for side in (HIGH, LOW)}
        before = np.zeros((0, 1 + self.steps.system.states + self.steps.system.memory))

        def receive(rows: np.ndarray) -> None:
            nonlocal before
            rows = np.concatenate([before[-2:], rows])
            if len(rows) and rows[-1, 0] >= self.window[0] and rows[0, 0] <= self.window[1]:
                values = evaluate(self.steps.system, rows)  # type: ignore[union-attr]
                for (name, _), search in searches.items():
                    search.rows(rows[:, 0], values[:, columns[name]], rows.__getitem__)
            before = rows

        self.steps.visit(receive)
        self.known |= {key: search.best for key, search in searches.items()}

    def every(self) -> dict[tuple[str, float], Peak]:
        """The extremes of all channels."""
        return {(name, side): self.extreme(name, side) for name in self.data for side in (HIGH, LOW)}

    def __getstate__(self) -> dict[str, Any]:
        # compiled functions cannot be pickled: all extremes are computed before
        return {"t": self.t, "data": self.data, "steps": None, "recorded": None, "window": self.window,
                "known": self.every() if len(self.t) else {}}  # fmt: skip


@dataclass
class _Part(Extremes):
    """Extremes of a window, from the rows of the whole run."""

    whole: Extremes | None = None

    def step_rows(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        assert self.whole is not None
        return self.whole.step_rows(name)

    def within(self, begin: float, end: float) -> Extremes:
        assert self.whole is not None
        return self.whole.within(max(begin, self.window[0]), min(end, self.window[1]))

    def __reduce__(self) -> Any:
        return Extremes, (self.t, self.data, None, None, self.window, self.every() if len(self.t) else {})


@dataclass
class JoinedExtremes(Extremes):
    """Extremes of several runs, one after the other."""

    pieces: Sequence[Extremes] = ()

    def within(self, begin: float, end: float) -> Extremes:
        parts = [piece.within(begin, end) for piece in self.pieces]
        parts = [part for part in parts if len(part.t)]
        keep = rows_between(self.t, begin, end)
        data = LazyColumns.of(self.data).cut(keep)
        return JoinedExtremes(self.t[keep], data, window=(begin, end), pieces=parts)

    def extreme(self, name: str, side: float) -> Peak:
        key = (name, side)
        if key not in self.known:
            peaks = [piece.extreme(name, side) for piece in self.pieces]
            self.known[key] = max(peaks, key=lambda peak: side * peak.value)
        return self.known[key]

    def __reduce__(self) -> Any:
        return Extremes, (self.t, self.data, None, None, self.window, self.every() if len(self.t) else {})


def rows_between(t: np.ndarray, begin: float, end: float) -> slice:
    """The rows from one time to another, both included; parts of arrays that are taken by it are not copied."""
    return slice(int(np.searchsorted(t, begin, "left")), int(np.searchsorted(t, end, "right")))


def _surrounding(t: np.ndarray, window: tuple[float, float]) -> tuple[int, int]:
    """Places of the rows in a window, and of one more on either side."""
    first = max(0, int(np.searchsorted(t, window[0], "left")) - 1)
    return first, min(len(t), int(np.searchsorted(t, window[1], "right")) + 1)


@dataclass
class _Search:
    """The search for one extreme; `best` is the largest so far."""

    steps: RunSteps
    column: int
    side: float
    window: tuple[float, float]
    best: Peak
    scale: float  # the largest magnitude among the rows of channels of its unit

    @property
    def level(self) -> float:
        """What a bound has to exceed to be worth a search."""
        return self.side * self.best.value + NEAR * abs(self.best.value) + NOISE * self.scale

    def rows(self, t: np.ndarray, x: np.ndarray, row: Callable[[int], np.ndarray]) -> None:
        """Search beside the rows at times t, where the channel is x; row(k) gives a whole row. First at the ends of the
        window, which lie inside steps; then around candidates, the most likely first, those within smooth pieces before
        those at events, whose bounds are the least certain."""
        for edge in self.window:
            k = int(np.searchsorted(t, edge, "left"))
            if 0 < k < len(t) and t[k - 1] < edge < t[k]:
                self._offer(self.side * float(self.steps.at(row(k - 1), row(k), edge)[self.column]), edge)
        places, bounds, at_event = _candidates(t, self.side * x)
        for group in (~at_event, at_event):
            likely = np.flatnonzero(group & (bounds > self.level))
            fruitless = 0
            for k in likely[np.argsort(-bounds[likely], kind="stable")]:
                if not bounds[k] > self.level or fruitless > FRUITLESS:
                    break
                before, place = self.best, int(places[k])
                if not self.steps.has_interpolant:
                    self._parabola(t[max(place - 1, 0) : place + 2], self.side * x[max(place - 1, 0) : place + 2])
                    continue
                for first in (place, place - 1):  # the steps on both sides of the row
                    if 0 <= first < len(t) - 1 and t[first] < t[first + 1]:
                        self.step(row(first), row(first + 1))
                fruitless = fruitless + 1 if self.best is before else 0

    def step(self, row: np.ndarray, last: np.ndarray) -> None:
        """Look inside one step, in parts, then in the parts on both sides of the largest value, until a bound says that
        nothing is left to gain; last the vertex of the parabola through the best three."""
        for _ in range(LEVELS):
            rows, values = self.steps.between(row, last)
            t, x = rows[:, 0], self.side * values[:, self.column]
            inside = np.flatnonzero((t >= self.window[0]) & (t <= self.window[1]))
            if not len(inside):
                return
            k = int(inside[np.argmax(x[inside])])
            low, high = max(k - 1, 0), min(k + 1, len(rows) - 1)
            self._offer(float(x[k]), float(t[k]))
            bound = x[k] + 0.5 * (2.0 * x[k] - x[low] - x[high])
            if low == high or bound <= self.side * self.best.value + ENOUGH * abs(self.best.value):
                break
            row, last = rows[low], rows[high]
        self._parabola(t[low : high + 1], x[low : high + 1])

    def _parabola(self, t: np.ndarray, x: np.ndarray) -> None:
        """Offer the vertex of the parabola through the largest of some values and its neighbours."""
        vertex = extremum(t, x, HIGH)
        if self.window[0] <= vertex.time <= self.window[1] and vertex.value - x.max() > NOISE * self.scale:
            self._offer(vertex.value, vertex.time)

    def _offer(self, x: float, t: float) -> None:
        """Take a value, times `side`, where it is better."""
        if x > self.side * self.best.value:
            self.best = Peak(self.side * x, t)


def extremum(t: np.ndarray, x: np.ndarray, side: float = 0.0) -> Peak:
    """The extreme sample, by magnitude where `side` is 0, and where it lies inside, the vertex of the parabola through
    its neighbours. For samples without a motion between them that could be asked."""
    size = np.abs(x) if side == 0.0 else side * x
    k = int(np.argmax(size))
    if 0 < k < len(x) - 1 and t[k - 1] < t[k] < t[k + 1]:
        a, b = t[k - 1] - t[k], t[k + 1] - t[k]
        fa, fb = x[k - 1] - x[k], x[k + 1] - x[k]
        curvature = (fa / a - fb / b) / (a - b)
        slope = fa / a - curvature * a
        if curvature != 0.0 and (curvature < 0.0) == (x[k] > 0.0 if side == 0.0 else side > 0.0):
            shift = -slope / (2.0 * curvature)
            # a parabola through a corner overshoots: trust it only between the neighbours and by a little
            gain = -slope * slope / (4.0 * curvature)
            if a < shift < b and abs(gain) <= 0.25 * max(abs(fa), abs(fb)):
                return Peak(float(x[k] + gain), float(t[k] + shift))
    return Peak(float(x[k]), float(t[k]))
