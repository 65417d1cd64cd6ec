"""Statistics of motions that cannot be predicted: one value per window of some revolutions, then means.

A chaotic run forgets its start, so two correct programs agree in no single value; means over many windows
agree within their standard errors. The run goes on window by window, so memory does not grow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import gudgeon as gd

__all__ = ["Mean", "Windows", "sample_windows"]

BATCH = 10  # windows whose mean is taken as independent of the next batch's
STUCK = 10  # windows without a new touch at the end of a run: the contact will not end


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    value: float
    error: float

    def distance(self, other: Mean) -> float:
        """How many combined standard errors lie between them."""
        apart, error = abs(self.value - other.value), math.hypot(self.error, other.error)
        return apart / error if error else (math.inf if apart else 0.0)

    def __str__(self) -> str:
        if self.error < 1e-5 * abs(self.value):
            return f"{self.value:.6g}"
        digits = max(0, 1 - math.floor(math.log10(self.error))) if 0.0 < self.error < 10.0 else 0
        return f"{self.value:.{digits}f} ± {self.error:.{digits}f}"


@dataclass(frozen=True)
class Windows:
    """Values of each window by name ("peak X" and "rms X" of each signal X, "contact fraction", "contacts");
    the journal's offset over the clearance once per revolution; the run to go on from."""

    values: dict[str, np.ndarray]
    strobe: np.ndarray
    end: gd.Run

    def mean(self, name: str) -> Mean:
        """Mean over windows; its error from single windows or from batches, whichever is larger."""
        x = self.values[name]
        error = float(x.std(ddof=1)) / math.sqrt(len(x))
        batches = len(x) // BATCH
        if batches >= 5:
            means = x[: batches * BATCH].reshape(batches, BATCH).mean(axis=1)
            error = max(error, float(means.std(ddof=1)) / math.sqrt(batches))
        return Mean(float(x.mean()), error)

    def percentile_of(self, name: str, value: float) -> float:
        """Share of windows [%] whose value lies below."""
        return 100.0 * float(np.mean(self.values[name] < value))

    @property
    def before_sticking(self) -> Windows:
        """Without the end of a run that never touches anew.

        A law that keeps the speed of first touch holds the surfaces together for good once that speed was tiny.
        """
        touched = np.flatnonzero(self.values["contacts"] > 0.0)
        count = len(self.values["contacts"])
        stop = int(touched[-1]) + 1 if len(touched) else 0
        if count - stop < STUCK:
            return self
        values = {name: x[:stop] for name, x in self.values.items()}
        return Windows(values, self.strobe[: 2 * stop], self.end)

    def strobe_step(self, turns: int = 1, last: int = 40) -> float:
        """Largest way from a strobe point to that `turns` later, in the last turns, in clearances."""
        points = self.strobe[-last:]
        return float(np.hypot(*(points[turns:] - points[:-turns]).T).max())


def sample_windows(mechanism: gd.Mechanism, signals: Sequence[str], *, transient: int, windows: int,
                   joint: str = "pin", rtol: float = 1e-9) -> Windows:  # fmt: skip
    """Run `transient` revolutions, then so many windows of two revolutions."""
    run = gd.simulate(mechanism, revolutions=transient, rtol=rtol, channels=[], output=_period(mechanism))
    offsets = [f"{joint}.ex", f"{joint}.ey"]
    wanted = list(dict.fromkeys([*signals, *offsets, f"{joint}.depth"]))
    gap = mechanism.joints[joint].gap("pin")
    rows: list[dict[str, float]] = []
    strobe = []
    for _ in range(windows):
        parts = []
        for _ in range(2):
            run = gd.simulate(mechanism, revolutions=1, rtol=rtol, channels=wanted, resume=run)
            parts.append(run)
            strobe.append([run[name][-1] / gap for name in offsets])
        rows.append(_window(parts, signals, joint))
    values = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return Windows(values, np.array(strobe), run)


def _period(mechanism: gd.Mechanism) -> float:
    speed = mechanism.drives["main"].speed
    assert isinstance(speed, float)
    return 2.0 * math.pi / abs(speed)


def _window(parts: list[gd.Run], signals: Sequence[str], joint: str) -> dict[str, float]:
    """Peaks, rms, share of contact and onsets over the runs of one window."""
    span = sum(float(run.t[-1] - run.t[0]) for run in parts)
    found = {"contacts": float(sum(onsets(run) for run in parts))}
    for name in signals:
        found[f"peak {name}"] = max(abs(run.peak(name).value) for run in parts)
        square = sum(float(np.trapezoid(run[name] ** 2, run.t)) for run in parts)
        found[f"rms {name}"] = math.sqrt(square / span)
    touching = 0.0
    for run in parts:
        # rows stand at every onset and release, so no two neighbours are on different sides of zero
        depth = run[f"{joint}.depth"]
        touching += float(np.diff(run.t)[depth[1:] + depth[:-1] > 0.0].sum())
    found["contact fraction"] = touching / span
    return found


def onsets(run: gd.Run) -> int:
    """Contacts that began within the run; one that was going on at its start is not counted."""
    return sum(record.t_on > run.t[0] for record in run.contacts)
