"""Names in a drawing, each where it covers least."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox

from gudgeon.draw.style import PAPER, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PlacedLabel", "place_labels"]

SIZE = 7.5  # of the letters [pt]
STEP = 4.0  # pixels between the points of a line that a label should not cover
FAR = (9.0, 16.0, 26.0, 38.0)  # points between a place and its label
WAYS = 16  # directions that are tried
LEADER = 20.0  # points from which on a thin line leads to the place


@dataclass(frozen=True)
class PlacedLabel:
    """A name, the point that it belongs to in the coordinates of the axes, and its colour."""

    text: str
    at: np.ndarray
    colour: str
    bold: bool = False


def place_labels(axes: Axes, labels: Sequence[PlacedLabel], lines: Sequence[np.ndarray]) -> None:
    """Write every label near its point; `lines` (points, 2) are what should stay free. The layout must be settled."""
    page: Any = axes.figure
    renderer, point = page.canvas.get_renderer(), page.dpi / 72.0
    obstacles = np.vstack([_dense(axes.transData.transform(line)) for line in lines] or [np.zeros((0, 2))])
    taken: list[Bbox] = []
    for label in labels:
        text = axes.annotate(label.text, tuple(label.at), xytext=(0.0, 0.0), textcoords="offset points", ha="center",
                             va="center", fontsize=SIZE, color=label.colour, zorder=8, annotation_clip=False,
                             fontweight="bold" if label.bold else "normal",
                             path_effects=[withStroke(linewidth=2.0, foreground=PAPER)])  # fmt: skip
        box = text.get_window_extent(renderer)
        at, half = axes.transData.transform(label.at), np.array([box.width, box.height]) / 2.0
        best = min(_places(half, point), key=lambda s: _cost(at + s, half, obstacles, taken, page.bbox, s))
        taken.append(Bbox([at + best - half, at + best + half]))
        text.set_position(tuple(best / point))
        if np.linalg.norm(best) - math.hypot(*half) > LEADER * point:
            axes.annotate("", tuple(label.at), xytext=tuple(best / point), textcoords="offset points", zorder=7,
                          arrowprops={"arrowstyle": "-", "color": SOFT, "linewidth": 0.5})  # fmt: skip


def _dense(points: np.ndarray) -> np.ndarray:
    """Points along a line, in pixels."""
    parts = [points[:1]]
    for a, b in itertools.pairwise(points):
        count = max(2, int(np.linalg.norm(b - a) / STEP))
        parts.append(a + np.linspace(0.0, 1.0, count)[1:, None] * (b - a))
    return np.vstack(parts)


def _places(half: np.ndarray, point: float) -> list[np.ndarray]:
    """Where the middle of a label may be, from its point, in pixels: around it, near places first."""
    turns = np.linspace(0.0, 2.0 * np.pi, WAYS, endpoint=False)
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    return [way * (half + far * point) for far in FAR for way in ways]


def _cost(middle: np.ndarray, half: np.ndarray, obstacles: np.ndarray, taken: Sequence[Bbox], page: Any,
          shift: np.ndarray) -> float:  # fmt: skip
    """What a label covers there, and how far off it is."""
    room = half + 2.0
    covered = int((np.abs(obstacles - middle) < room).all(axis=1).sum())
    low, high = middle - room, middle + room
    met = sum(bool((low < (b.x1, b.y1)).all() and (high > (b.x0, b.y0)).all()) for b in taken)
    outside = (low < 0.0).any() or (high > (page.width, page.height)).any()
    return 3.0 * covered + 60.0 * met + 1000.0 * outside + 0.12 * float(np.linalg.norm(shift))
