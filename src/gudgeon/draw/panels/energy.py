"""Energy ledger: what went in, where it is, and what nobody can explain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.draw.lines import envelope
from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import INK, LEDGER
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["EnergyPanel"]

EXCHANGED = {
    "drive": "work of drives",
    "applied": "work of loads",
    "kinetic": "kinetic",
    "potential": "potential",
}
TAKEN = {"contact": "contact", "friction": "friction", "liner": "liners", "film": "films", "damper": "dampers"}
# only where there are motors
SUPPLIED = {"electrical": "work of supplies", "magnetic": "magnetic"}
HEATED = {"copper": "windings", "conversion": "lost to the shaft"}
WORDS = {**EXCHANGED, **TAKEN, **SUPPLIED, **HEATED}
FLOOR = 1e-16  # of the largest energy: below is rounding


class EnergyPanel(Panel):
    """`energy`: changes since the start. Work and storage swing far wider than losses grow, so each has
    its own axes; below them the unexplained rest, logarithmic."""

    twofold = False

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return name == "energy"

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        return ["energy"]

    def prepare(self) -> None:
        run = self.view.real
        missing = [k for k in (*EXCHANGED, *TAKEN, "balance") if f"energy.{k}" not in run]
        if missing:
            raise GudgeonError(f'"energy" needs the channel energy.{missing[0]}, which was not recorded')
        changes = {key: self._change(key) for key in WORDS if f"energy.{key}" in run}
        self.largest = max(float(np.abs(x).max()) for x in changes.values())
        # what never moved has no line
        moved = {k: x for k, x in changes.items() if np.abs(x).max() > 1e-9 * self.largest}
        groups = [("work and storage, change since the start", [k for k in (*EXCHANGED, *SUPPLIED) if k in moved]),
                  ("taken since the start", [k for k in (*TAKEN, *HEATED) if k in moved])]  # fmt: skip
        self.groups = [(title, {k: moved[k] for k in keys}) for title, keys in groups if keys]
        self.rest = np.abs(self._change("balance"))
        self.heights = (*(1.2 if k == 0 else 0.9 for k in range(len(self.groups))), 0.6)

    def _change(self, key: str) -> np.ndarray:
        values = self.view.real[f"energy.{key}"]
        return np.asarray((values - values[0])[self.view.rows(self.view.real)])

    def draw(self, axes: Sequence[Axes]) -> None:
        t = self.view.moments(self.view.real)
        for ax, (title, changes) in zip(axes, self.groups, strict=False):
            scale = scale_for("J", *changes.values())
            for key, change in changes.items():
                x, y = envelope(t, change * scale.factor)
                dash = "--" if key in ("drive", "electrical") else "-"
                ax.plot(x, y, color=LEDGER[key], label=WORDS[key], linewidth=1.0, linestyle=dash)
            ax.set_title(f"energy  {title}")
            ax.set_ylabel(f"[{scale.unit}]")
            ax.legend(loc="center left", bbox_to_anchor=(1.005, 0.5))
            readable(ax)
        self._unexplained(axes[-1], t)

    def _unexplained(self, ax: Axes, t: np.ndarray) -> None:
        floor = max(FLOOR * self.largest, 1e-300)
        x, y = envelope(t, np.maximum(self.rest, floor))
        ax.plot(x, y, color=INK, linewidth=0.7)
        ax.set_yscale("log")
        top = max(float(y.max()), 10 * floor)
        ax.set_ylim(max(floor, 1e-6 * top), 3.0 * top)
        ax.set_title(f"energy  unexplained, at most {self.rest.max():.1e} J")
        ax.set_ylabel("[J]")
        readable(ax, y=False)
