"""Errors of position by play: over the cycle, what each play contributes, and how errors are distributed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, FREE, REAL, RULES, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gudgeon.analysis.tolerance import PositionError, Tolerance

__all__ = ["position_errors"]

ROW = 1.9  # inches of a position
BARS, FEWEST = 8, 3  # plays that are drawn, the largest; room for so many at least


def position_errors(result: Tolerance, *, title: str | None = None) -> Figure:
    """A row for each position: its worst case over the cycle with the limit, and what each play contributes to it."""
    with rc_context(RULES):
        page = Page(figsize=(7.6, ROW * len(result.errors) + 0.6), layout="constrained")
        panels = page.subplots(len(result.errors), 2, squeeze=False, width_ratios=[3, 2])
        for (left, right), error in zip(panels, result.errors, strict=True):
            _envelope(left, result, error)
            _shares(right, error)
        panels[-1][0].set_xlabel("time in the cycle [ms]")
        handles = panels[0][0].get_legend_handles_labels()[0]
        text = f"{result.name} · errors of position by play" if title is None else title
        return finished(page, text, handles)


def _envelope(axes: Axes, result: Tolerance, error: PositionError) -> None:
    scale = scale_for(error.unit, error.worst, error.limit or 0.0)
    step = result.times[1] - result.times[0] if len(result.times) > 1 else 0.0
    # the cycle is closed: its end is its beginning
    times = 1e3 * np.append(result.times, result.times[-1] + step)
    envelope = scale.factor * np.append(error.envelope, error.envelope[0])
    axes.plot(times, envelope, color=REAL, label="worst case")
    axes.plot([1e3 * error.time], [scale.factor * error.worst], "o", color=REAL, markersize=4)
    spread = scale.factor * error.percentiles[0.95]
    axes.axhline(spread, color=FREE, linestyle="--", label="95 % of all, at the worst position")
    if error.limit is not None:
        axes.axhline(scale.factor * error.limit, color=CONTACT, label="limit")
    axes.set_ylim(0.0, 1.1 * scale.factor * max(error.worst, error.limit or 0.0))
    axes.set_xlim(times[0], times[-1])
    axes.set_title(error.name)
    axes.set_ylabel(scale.label("error"))
    readable(axes)


def _shares(axes: Axes, error: PositionError) -> None:
    scale = scale_for(error.unit, *(part.worst for part in error.contributions))
    parts = error.contributions[:BARS][::-1]
    axes.barh([part.play.name for part in parts], [scale.factor * part.worst for part in parts], color=REAL, height=0.6)
    for k, part in enumerate(parts):
        axes.text(scale.factor * part.worst, k, f" {100 * part.of_worst:.0f} %", va="center", fontsize=7.5, color=SOFT)
    axes.set_ylim(len(parts) - 0.5 - max(len(parts), FEWEST), len(parts) - 0.5)  # one bar alone is no wall
    axes.set_xlim(0.0, 1.2 * scale.factor * max(part.worst for part in parts) or 1.0)
    axes.set_title("what each play contributes")
    axes.set_xlabel(scale.label("worst case"))
    readable(axes, y=False)
