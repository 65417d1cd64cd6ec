"""`View`: the runs of a figure, the part of time that is looked at, and the time axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gudgeon.draw.scale import Scale, scale_for
from gudgeon.quantity import GudgeonError, closest, quantity
from gudgeon.results import Run
from gudgeon.results.contacts import ContactRecord, ContactTable

__all__ = ["Numbers", "View", "Window", "envelope"]

Window = Sequence[float | str] | None
Numbers = int | Sequence[int] | None

MANY = 20_000  # more rows than this are thinned to an envelope, or drawn as points
BINS = 2_000  # columns of the envelope, more than a page has pixels


class View:
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
        """Contacts of a joint, or of one of its touches, inside the window, each with its number from 1."""
        table = ContactTable(r for r in self.real.contacts if owner in (r.joint, r.contact))
        inside = [(k, r) for k, r in enumerate(table, 1) if self.start <= r.t_on <= self.stop]
        return [(k, r) for k, r in inside if not r.t_off > self.stop or r.peak_time <= self.stop]

    def known(self) -> list[str]:
        """Every name that a figure of these runs understands."""
        from gudgeon.draw.draw import invented

        runs = [run for run in (self.real, self.ideal) if run is not None]
        return list(dict.fromkeys([*invented(self), *(name for run in runs for name in run.channels)]))

    def unknown(self, name: str) -> GudgeonError:
        likely = closest(name, self.known())
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(self.known())}"
        return GudgeonError(f'figure of "{self.real.name}": "{name}" is not known; {hint}')


def envelope(t: np.ndarray, x: np.ndarray, bins: int = BINS, many: int = MANY) -> tuple[np.ndarray, np.ndarray]:
    """A line of at most 4 points per bin that covers the same pixels: first, least, largest and last of each.

    A chaotic line of a million points takes minutes to draw and looks the same.
    """
    if len(t) <= max(many, 4 * bins):
        return t, x
    edges = np.searchsorted(t, np.linspace(t[0], t[-1], bins + 1)[1:-1])
    keep: list[int] = []
    for part in np.split(np.arange(len(t)), edges):
        if len(part):
            piece = x[part]
            keep += sorted({int(part[0]), int(part[np.argmin(piece)]), int(part[np.argmax(piece)]), int(part[-1])})
    return t[keep], x[keep]
