"""Poincaré sections: the motion once per period, or each time a channel crosses a value; and phase portraits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.motions.flow import Flow
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run
from gudgeon.results.run import State

__all__ = ["Portrait", "SectionPoints", "portrait", "section", "strobe"]

DIRECTIONS = {"rising": 1.0, "falling": -1.0, "both": 0.0}


@dataclass(frozen=True)
class SectionPoints:
    """Points of a section: times [s] and, by name, the channels there.

    `error` is, by name, what locating them may have cost: the largest difference between interpolation by up to six
    rows around and by the inner ones only; zero where the method itself put the rows there. Later than the trust
    horizon of the motion (`regime`) the points are a statistic: their density means something, each place does not.
    """

    t: np.ndarray
    data: dict[str, np.ndarray]
    error: dict[str, float]
    how: str

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.data:
            raise GudgeonError(f'the section has no channel "{name}"; it has {", ".join(self.data)}')
        return self.data[name]

    def __len__(self) -> int:
        return len(self.t)


@dataclass(frozen=True)
class Portrait:
    """One channel against another, as arrays with names and units; beyond the trust horizon one draw of many."""

    x: np.ndarray
    y: np.ndarray
    names: tuple[str, str]
    units: tuple[str, str]


def strobe(source: Mechanism | Run, channels: Sequence[str], *, turns: int = 100, transient: float = 100.0,
           phase: float = 0.0, method: str = "dopri5", rtol: float = 1e-9,
           period: float | str | None = None) -> SectionPoints:  # fmt: skip
    """The Poincaré section of channels once per period, at the given `phase` of it.

    Of a mechanism the transient is computed first; a run is continued from its end.
    """
    mechanism = source.mechanism if isinstance(source, Run) else source
    flow = Flow.of(mechanism, method=method, rtol=rtol, period=period)
    state: State = source.end if isinstance(source, Run) else flow.start
    wait = phase + (0.0 if isinstance(source, Run) else transient)
    if wait > 0.0:
        _, state = flow.march(state, wait)
    rows, _ = flow.march(state, turns, per=1)
    columns = flow.channels(rows, channels)
    data = {name: columns[:, k] for k, name in enumerate(channels)}
    errors = dict.fromkeys(channels, 0.0)
    return SectionPoints(rows[:, 0], data, errors, f"every {flow.period * 1e3:.6g} ms, located on the step")


def section(run: Run, channel: str, *, at: float = 0.0, direction: str = "rising",
            channels: Sequence[str] | None = None) -> SectionPoints:  # fmt: skip
    """Channels of a run each time one of them crosses a value, rising, falling or both.

    The crossing is found with a polynomial through up to six recorded times around it, never across an onset or a
    release.
    """
    if direction not in DIRECTIONS:
        raise GudgeonError(f'direction "{direction}" is not known; choose from {", ".join(DIRECTIONS)}')
    names = [name for name in (channels or run.channels) if not name.endswith(".mode")]
    t, x, way = run.t, run[channel] - at, DIRECTIONS[direction]
    before, after = x[:-1], x[1:]
    crossed = (before < 0.0) & (after >= 0.0) if way > 0 else (before > 0.0) & (after <= 0.0)
    if way == 0.0:
        crossed = ((before < 0.0) & (after >= 0.0)) | ((before > 0.0) & (after <= 0.0))
    times, rows = [], []
    worst = np.zeros(len(names))
    columns = np.column_stack([run[name] for name in names]) if names else np.zeros((len(t), 0))
    for k in np.flatnonzero(crossed & (np.diff(t) > 0.0)):
        around = _around(t, int(k))
        fine = _root(t[around], x[around], t[k], t[k + 1])
        fewer = around[: max(2, len(around) - 2)]
        times.append(fine)
        rows.append(_polynomial(t[around], columns[around], fine))
        rough = _root(t[fewer], x[fewer], t[k], t[k + 1])
        worst = np.maximum(worst, np.abs(_polynomial(t[fewer], columns[fewer], rough) - rows[-1]))
    table = np.array(rows).reshape(len(times), len(names))
    errors = {name: float(e) for name, e in zip(names, worst, strict=True)}
    data = {name: table[:, j] for j, name in enumerate(names)}
    words = f"{channel} = {at:g}, {direction}, interpolated between recorded times"
    return SectionPoints(np.array(times), data, errors, words)


def portrait(run: Run, x: str, y: str) -> Portrait:
    """One channel of a run against another."""
    return Portrait(run[x], run[y], (x, y), (run.channel(x).unit, run.channel(y).unit))


def resampled(run: Run, channel: str, rows: int) -> tuple[float, np.ndarray]:
    """A channel on evenly spaced times: their spacing [s] and the values."""
    t = np.linspace(run.t[0], run.t[-1], rows)
    return float(t[1] - t[0]), np.interp(t, run.t, run[channel])


def _around(t: np.ndarray, k: int) -> np.ndarray:
    """Rows next to k and k + 1, the nearest first, as far as no event lies between: its sides have the same time."""
    before, after = k, k + 1
    rows = [before, after]
    for _ in range(2):
        if after + 1 < len(t) and t[after + 1] > t[after]:
            after += 1
            rows.append(after)
        if before > 0 and t[before - 1] < t[before]:
            before -= 1
            rows.append(before)
    return np.array(rows)


def _weights(t: np.ndarray, at: float) -> np.ndarray:
    """Lagrange's weights of the rows at a time."""
    others = t[None, :] - np.where(np.eye(len(t), dtype=bool), np.nan, t[:, None] * 0.0)
    top = np.where(np.isnan(others), 1.0, at - others)
    bottom = np.where(np.isnan(others), 1.0, t[:, None] - others)
    weights: np.ndarray = (top / bottom).prod(axis=1)
    return weights


def _polynomial(t: np.ndarray, values: np.ndarray, at: float) -> np.ndarray:
    result: np.ndarray = _weights(t, at) @ values
    return result


def _root(t: np.ndarray, x: np.ndarray, low: float, high: float) -> float:
    """Zero of the polynomial through the rows, between two of them, by halving and chords."""
    a, b = low, high
    fa, fb = float(_polynomial(t, x, a)), float(_polynomial(t, x, b))
    for _ in range(60):
        if fa == 0.0 or b - a <= 1e-15 * max(abs(a), abs(b)):
            return a
        middle = a - fa * (b - a) / (fb - fa) if fb != fa else 0.5 * (a + b)
        if not a < middle < b:
            middle = 0.5 * (a + b)
        value = float(_polynomial(t, x, middle))
        if (value > 0.0) == (fa > 0.0):
            a, fa, fb = middle, value, 0.5 * fb  # Illinois: the end that stays counts half
        else:
            b, fb, fa = middle, value, 0.5 * fa
        if abs(value) <= 1e-15 * float(np.abs(x).max()):
            return middle
    return 0.5 * (a + b)
