"""Time histories: any channel over time, the ideal one wide and grey underneath."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.draw.lines import envelope
from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.scale import Scale, readable, scale_for
from gudgeon.draw.style import HALO, IDEAL, REAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["HistoryPanel"]


class HistoryPanel(Panel):
    """One channel of the runs that have it."""

    def prepare(self) -> None:
        self.runs = self.view.holders(self.name)
        if not self.runs:
            raise self.unknown()
        self.channel = self.runs[-1].channel(self.name)
        self.scale: Scale = scale_for(self.channel.unit, *(self.view.values(run, self.name) for run in self.runs))

    def draw(self, axes: Sequence[Axes]) -> None:
        (ax,) = axes
        for run in self.runs:
            t, x = envelope(self.view.moments(run), self.view.values(run, self.name) * self.scale.factor)
            ideal = run is self.view.ideal
            ax.plot(
                t,
                x,
                color=IDEAL if ideal else REAL,
                linewidth=HALO if ideal else 0.9,
                zorder=2 if ideal else 3,
            )
        ax.set_title(f"{self.name}  {self.channel.label}")
        ax.set_ylabel(f"[{self.scale.unit}]" if self.scale.unit else "")
        self._limits(ax)
        readable(ax)

    def _limits(self, ax: Axes) -> None:
        values = np.concatenate([self.view.values(run, self.name) for run in self.runs]) * self.scale.factor
        low, high = float(values.min()), float(values.max())
        spread = high - low
        if spread <= 1e-9 * max(abs(low), abs(high)):
            # a constant is drawn as one, not as its rounding noise
            spread = abs(high) or 1.0
            ax.set_ylim(min(0.0, low - 0.1 * spread), max(0.0, high + 0.1 * spread))
        else:
            ax.set_ylim(low - 0.06 * spread, high + 0.08 * spread)
