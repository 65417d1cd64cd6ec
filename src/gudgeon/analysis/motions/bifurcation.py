"""Bifurcation diagrams: the section over a parameter, followed up and then down, so that hysteresis shows."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.analysis.motions.series import LONGEST, SAME, repetition
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results.run import State
from gudgeon.written import draft

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method

__all__ = ["Bifurcation", "Branch", "bifurcate", "follow"]

VISIBLE = 2e-3  # of the spread: sets of points closer than this are the same
PARTED = 0.5  # largest difference of the shares of points below a level that chance would hardly give


@dataclass(frozen=True)
class Branch:
    """One way through the values: points[k, j] is the channel at value k, strobe j; periods[k] is 0 for none."""

    points: np.ndarray
    periods: np.ndarray
    residuals: np.ndarray


@dataclass(frozen=True)
class Bifurcation:
    """A section over a parameter. Points of a period 0 are a cloud that no computation repeats: read them as a density.

    `up` follows rising values, each from where the one before it ended; `down` comes back (None where not asked).
    """

    path: str
    values: np.ndarray
    channel: str
    unit: str
    up: Branch
    down: Branch | None
    name: str
    settings: dict[str, Any]

    @property
    def branches(self) -> dict[str, Branch]:
        return {"up": self.up} if self.down is None else {"up": self.up, "down": self.down}

    @property
    def gap(self) -> np.ndarray:
        """How far up and down are apart at each value: mean way between sorted points, over the spread of all."""
        if self.down is None:
            return np.zeros(len(self.values))
        spread = max(float(np.ptp(np.stack([self.up.points, self.down.points]))), 1e-300)
        way = np.abs(np.sort(self.up.points, axis=1) - np.sort(self.down.points, axis=1)).mean(axis=1)
        return np.asarray(way / spread)

    @property
    def parting(self) -> np.ndarray:
        """Largest difference, at each value, between the shares of points of either way below a level: 0 to 1."""
        if self.down is None:
            return np.zeros(len(self.values))
        differences = []
        for up, down in zip(np.sort(self.up.points, axis=1), np.sort(self.down.points, axis=1), strict=True):
            levels = np.concatenate([up, down])
            below = [np.searchsorted(points, levels, "right") / len(points) for points in (up, down)]
            differences.append(np.abs(below[0] - below[1]).max())
        return np.array(differences)

    @property
    def hysteresis(self) -> np.ndarray:
        """Values at which the way up and the way down end in different motions: their points are spread otherwise."""
        return self.values[(self.parting > PARTED) & (self.gap > VISIBLE)]

    def to_csv(self, path: str | Path) -> Path:
        """One line per point: value, branch, strobe, period of that value, channel."""
        target = Path(path)
        with draft(target) as part, part.open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow([f"{self.path} [SI]", "branch", "strobe", "period", f"{self.channel} [{self.unit}]"])
            for word, branch in self.branches.items():
                for value, row, period in zip(self.values, branch.points, branch.periods, strict=True):
                    table.writerows(
                        [repr(float(value)), word, k, int(period), repr(float(x))] for k, x in enumerate(row)
                    )
        return target


def bifurcate(mechanism: Mechanism, path: str, values: Sequence[float] | np.ndarray, channel: str, *,
              transient: float = 50.0, turns: int = 60, first: float = 200.0, both: bool = True, phase: float = 0.0,
              method: str | Method = "dopri5", rtol: float = 1e-8, period: float | str | None = None,
              on_point: Callable[[int, int], None] | None = None) -> Bifurcation:  # fmt: skip
    """Compute a bifurcation diagram: the Poincaré section of a channel over a parameter, increasing and decreasing
    again.

    The run of each value starts from the last state of the one before. `transient` periods are left out (`first`
    periods for the first value), then `turns` points are kept, at the given `phase` of each period.
    """
    order = np.unique(np.asarray(values, dtype=float))
    if len(order) < 2:
        raise GudgeonError(f"bifurcate {path}: {len(order)} value is not enough for a diagram; give two or more")
    flow = _flow(mechanism, path, order[0], method, rtol, period)
    unit = {c.name: c.unit for c in flow.system.channels}.get(channel, "")
    flow.channels(np.zeros((0, 1 + flow.system.states + flow.system.memory)), [channel])  # refuses unknown names
    _, state = flow.march(flow.start, first + phase)
    ways = {"up": order, "down": order[::-1]} if both else {"up": order}
    branches: dict[str, Branch] = {}
    turn, done = flow.period, 0
    for word, way in ways.items():
        parts = []
        steps = follow(mechanism, path, way, state, turn, method=method, rtol=rtol, period=period,
                       transient=transient, turns=turns)  # fmt: skip
        for step, rows, end in steps:
            points = Ruler(step, end).points(rows[:, 1 : 1 + step.system.states])
            repeat = repetition(points, longest=LONGEST, same=SAME)
            parts.append((step.channels(rows, [channel])[:, 0], repeat.period, repeat.residual))
            state, turn, done = end, step.period, done + 1
            if on_point is not None:
                on_point(done, len(order) * len(ways))
        points, periods, residuals = zip(*(parts if word == "up" else parts[::-1]), strict=True)
        branches[word] = Branch(np.array(points), np.array(periods), np.array(residuals))
    settings = {"transient": transient, "turns": turns, "first": first, "phase": phase, "rtol": rtol}
    return Bifurcation(path, order, channel, unit, branches["up"], branches.get("down"), mechanism.name, settings)


def follow(mechanism: Mechanism, path: str, values: Sequence[float] | np.ndarray, state: State, turn: float, *,
           transient: float, turns: int, method: str | Method = "dopri5", rtol: float = 1e-8,
           period: float | str | None = None) -> Iterator[tuple[Flow, np.ndarray, State]]:  # fmt: skip
    """For each value: the flow, its strobed rows and its end. `state` is a strobe of the period `turn` [s]."""
    for value in values:
        flow = _flow(mechanism, path, value, method, rtol, period)
        # the same phase of the drive at another speed; sizes that changed are closed again
        state = flow.released(flow.onto(replace(state, t=state.t * flow.period / turn)))
        turn = flow.period
        if transient > 0.0:
            _, state = flow.march(state, transient)
        rows, state = flow.march(state, turns, per=1)
        yield flow, rows[1:], state


def _flow(mechanism: Mechanism, path: str, value: float, method: str | Method, rtol: float,
          period: float | str | None) -> Flow:  # fmt: skip
    return Flow.of(mechanism.vary(path, float(value)), method=method, rtol=rtol, period=period)
