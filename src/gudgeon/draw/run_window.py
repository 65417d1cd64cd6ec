"""`RunWindow`: the runs of a figure, the window of time that is drawn, and the time axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gudgeon.draw.mechanism.drawing import all_ideal
from gudgeon.draw.scale import Scale, scale_for
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import Run
from gudgeon.results.contacts import ContactRecord

__all__ = ["Numbers", "RunWindow", "Window"]

Window = Sequence[float | str] | None
Numbers = int | Sequence[int] | None


class RunWindow:
    """One run, or a real run over its ideal twin, in a window of time [s]."""

    def __init__(self, real: Run, ideal: Run | None = None, window: Window = None, contacts: Numbers = None) -> None:
        for run in (real, ideal):
            if run is not None and not isinstance(run, Run):
                raise GudgeonError(f"a figure needs a run, as simulate() gives it, not {type(run).__name__}")
        self.real, self.ideal = real, ideal
        self.start, self.stop = self._window(window)
        self.time: Scale = scale_for("s", self.stop - self.start)
        self.numbers = (contacts,) if isinstance(contacts, int) else contacts

    @property
    def period(self) -> float | None:
        return self.real.period or (self.ideal.period if self.ideal is not None else None)

    @property
    def labels(self) -> tuple[str, str]:
        """What both runs are called: ideal is one whose joints all are."""
        ideal = self.ideal is not None and all_ideal(self.ideal.mechanism)
        return ("ideal", "real") if ideal else ("first run", "second run")

    def _window(self, window: Any) -> tuple[float, float]:
        t = self.real.t
        if window is None:
            return float(t[0]), float(t[-1])
        try:
            low, high = window
        except (TypeError, ValueError):
            raise GudgeonError(f'window {window!r} must be two times, for instance ("1 ms", "3 ms")') from None
        start, stop = self._moment(low), self._moment(high)
        if not start < stop:
            raise GudgeonError(f"window: its start {start:g} s must come before its end {stop:g} s")
        if np.count_nonzero((t >= start) & (t <= stop)) < 2:
            raise GudgeonError(f"window {start:g} to {stop:g} s holds no results; the run has {t[0]:g} to {t[-1]:g} s")
        return max(start, float(t[0])), min(stop, float(t[-1]))

    def _moment(self, value: float | str) -> float:
        """Seconds of a time, or of revolutions written as "1.5 rev"."""
        if isinstance(value, str) and value.rstrip().endswith(("rev", "turn")):
            if self.period is None:
                raise GudgeonError(f'window "{value}": nothing turns at a constant speed here; give times')
            return quantity(value, "rad", "window") / (2.0 * np.pi) * self.period
        return quantity(value, "s", "window")

    def rows(self, run: Run) -> slice:
        """The rows of a run inside the window, and one on either side, so that lines reach its edges."""
        first = int(np.searchsorted(run.t, self.start, "left")) - 1
        return slice(max(0, first), int(np.searchsorted(run.t, self.stop, "right")) + 1)

    def values(self, run: Run, name: str) -> np.ndarray:
        return run[name][self.rows(run)]

    def moments(self, run: Run) -> np.ndarray:
        """Time of the rows inside the window, as printed."""
        return np.asarray(run.t[self.rows(run)] * self.time.factor)

    def holders(self, *names: str) -> list[Run]:
        """The runs that recorded all these channels, the ideal one first, to lie underneath."""
        runs = [run for run in (self.ideal, self.real) if run is not None]
        return [run for run in runs if all(name in run for name in names)]

    def records(self, owner: str) -> list[tuple[int, ContactRecord]]:
        """Contacts of a joint, or of one of its touches, inside the window, each with its number in the run's table."""
        table = [(r.number or k, r) for k, r in enumerate(self.real.contacts, 1) if owner in (r.joint, r.contact)]
        inside = [(k, r) for k, r in table if self.start <= r.t_on <= self.stop]
        return [(k, r) for k, r in inside if not r.t_off > self.stop or r.peak_time <= self.stop]
