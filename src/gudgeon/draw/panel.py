"""`Panel`: one kind of figure, for one name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gudgeon.draw.scale import group_ticks
from gudgeon.draw.view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Panel", "broken", "readable"]


class Panel(ABC):
    """Draws one name of a view. A timed panel shares the time axis; a square one stands for itself."""

    square: ClassVar[bool] = False
    twofold: ClassVar[bool] = True  # whether it has lines of both runs, in their colours
    heights: tuple[float, ...] = (1.0,)  # one entry per stacked axes

    def __init__(self, view: View, name: str) -> None:
        self.view, self.name = view, name
        self.prepare()

    def prepare(self) -> None:  # noqa: B027 - not every kind needs it
        """Refuse, in the user's words, what cannot be drawn."""

    @abstractmethod
    def draw(self, axes: Sequence[Axes]) -> None:
        """Put the figure on its axes."""


def readable(axes: Axes, *, x: bool = True, y: bool = True) -> None:
    """Grouped numbers at the ticks."""
    if x:
        group_ticks(axes.xaxis)
    if y:
        group_ticks(axes.yaxis)


def broken(keep: np.ndarray, *columns: np.ndarray) -> list[np.ndarray]:
    """The columns with nan outside `keep` and the row before each part of it, so that parts join up."""
    wide = keep.copy()
    wide[:-1] |= keep[1:]
    return [np.where(wide, column, np.nan) for column in columns]
