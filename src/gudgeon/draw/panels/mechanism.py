"""The mechanism itself, above or beside the histories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.draw.mechanism.sketches import SketchDrawing, open_moment
from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.run_window import RunWindow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MechanismPanel"]

WIDEST = 0.55  # height over width of a drawing that stands above the others; higher ones stand beside them


class MechanismPanel(Panel):
    """`mechanism`: bodies and joints with their names, play and bending so much enlarged that they can be seen, at a
    moment of the window when links cover each other least."""

    twofold = False

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return name == "mechanism"

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        return ["mechanism"]

    def prepare(self) -> None:
        run = self.view.real
        self.moment = open_moment(run, self.view.start, self.view.stop)
        self.made = SketchDrawing(run, np.array([self.moment]), None)
        wide, high = self.made.high - self.made.low
        self.square, self.wide = high > WIDEST * wide, high <= WIDEST * wide
        self.heights = (float(max(0.25, high / wide)),)

    def draw(self, axes: Sequence[Axes]) -> None:
        (ax,) = axes
        self.made.prepare(ax)
        self.made.put(ax, 0)
        at = self.view.time.label(f"{self.moment * self.view.time.factor:.4g}").replace("[", "").replace("]", "")
        ax.set_title(f"at {at}{self.made.magnification()}")

    def settled(self, axes: Sequence[Axes]) -> None:
        self.made.fit(axes[0])
        self.made.name(axes[0], 0)
