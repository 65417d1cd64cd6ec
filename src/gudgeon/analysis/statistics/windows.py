"""Statistics of motions that cannot be predicted: one value per window of some revolutions, then means.

A chaotic run forgets its start, so two correct programs agree in no single value; means over many windows
agree within their standard errors. The run goes on window by window, so memory does not grow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.statistics.mean import Mean, mean_of
from gudgeon.analysis.statistics.pulses import mean_square
from gudgeon.model import Mechanism
from gudgeon.results import ContactRecord, Run
from gudgeon.simulation import period_of, whole_run

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method

__all__ = ["Mean", "Windows", "sample_windows"]

FAINT = 0.05  # [m/s] slower touches depend on how a method ends a row of bounces


@dataclass(frozen=True)
class Windows:
    """Values of each window by name: "peak X" and "rms X" of each signal X; of the joint "contact fraction" and
    "lasting fraction" (without impacts), "contacts" and "impacts" (onsets faster than FAINT). Then the journal's offset
    over the clearance once per revolution; the run to go on from."""

    values: dict[str, np.ndarray]
    strobe: np.ndarray
    end: Run

    def mean(self, name: str) -> Mean:
        """Mean over windows."""
        return mean_of(self.values[name])

    def percentile_of(self, name: str, value: float) -> float:
        """Share of windows [%] whose value lies below."""
        return 100.0 * float(np.mean(self.values[name] < value))


def sample_windows(mechanism: Mechanism, signals: Sequence[str], *, transient: int, windows: int,
                   joint: str = "pin", rtol: float = 1e-9, method: str | Method = "dopri5",
                   step: float | None = None, resume: Run | None = None) -> Windows:  # fmt: skip
    """Simulate `transient` revolutions, or continue the run `resume`, and then the given number of windows of two
    revolutions.

    signals: channels whose peak and rms are kept; joint: the one whose contacts are counted.
    """
    settings: dict[str, Any] = {"rtol": rtol, "method": method, "step": step}
    run = resume
    if run is None:
        run = whole_run(mechanism, revolutions=transient, channels=[], output=period_of(mechanism), **settings)
    gap = max(map(mechanism.joints[joint].gap, mechanism.joints[joint].round_mates), default=0.0)
    offsets = [f"{joint}.ex", f"{joint}.ey"] if gap else []
    wanted = list(dict.fromkeys([*signals, *offsets]))
    rows: list[dict[str, float]] = []
    strobe = []
    for _ in range(windows):
        parts = []
        for _ in range(2):
            run = whole_run(mechanism, revolutions=1, channels=wanted, resume=run, **settings)
            parts.append(run)
            strobe.append([run[name][-1] / gap for name in offsets])
        rows.append(_window(parts, signals, joint))
    values = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return Windows(values, np.array(strobe), run)


def _window(parts: list[Run], signals: Sequence[str], joint: str) -> dict[str, float]:
    """Peaks, rms, share of contact and onsets over the runs of one window."""
    span = sum(float(run.t[-1] - run.t[0]) for run in parts)
    begun = [record for run in parts for record in onsets(run, joint)]
    values = {"contacts": float(len(begun)), "impacts": float(sum(record.speed_on > FAINT for record in begun))}
    for name in signals:
        values[f"peak {name}"] = max(abs(run.peak(name).value) for run in parts)
        square = sum(mean_square(run, name) * float(run.t[-1] - run.t[0]) for run in parts)
        values[f"rms {name}"] = math.sqrt(square / span)
    for name, impacts in (("contact fraction", True), ("lasting fraction", False)):
        touching = sum(run.touching(joint, impacts=impacts) * float(run.t[-1] - run.t[0]) for run in parts)
        values[name] = touching / span
    return values


def onsets(run: Run, joint: str) -> list[ContactRecord]:
    """Contacts of a joint that began within the run; one that was going on at its start is not counted."""
    return [record for record in run.contacts.of(joint) if record.t_on > run.t[0]]
