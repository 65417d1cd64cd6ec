"""Tornado: which varied number has which share in the variance of a measure, the largest on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import group_ticks
from gudgeon.draw.style import FREE, IDEAL, INK, REAL, RULES

if TYPE_CHECKING:
    from gudgeon.analysis.statistics.sobol_indices import Share, SobolIndices

__all__ = ["tornado"]

BAR = 0.34  # inches for each number
LEAST = 0.005  # of the variance: less chaos is not drawn
FEWEST = 2  # room for so many at least: one bar alone is no wall


def tornado(result: SobolIndices, title: str) -> Figure:
    """A bar for each number: what it does by itself, and behind it with all interactions, each with its interval."""
    parts = sorted(result.parts, key=lambda part: (part.total or part.first).value)
    places = np.arange(len(parts), dtype=float)
    with rc_context(RULES):
        page = Page(figsize=(6.4, BAR * max(len(parts) + 1, FEWEST) + 1.0), layout="constrained")
        axes = page.subplots()
        totals = [part.total for part in parts if part.total is not None]
        handles = []
        if len(totals) == len(parts):
            shares, low, high = _percent(totals)
            handles.append(axes.barh(places, shares, 0.72, color=FREE, label="with all interactions"))
            axes.errorbar(shares, places + 0.2, xerr=(low, high), fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
        shares, low, high = _percent([part.first for part in parts])
        down = 0.1 if totals else 0.0
        first = "by itself" if result.paired else "by itself, estimated"
        handles.insert(0, axes.barh(places - down, shares, 0.36, color=REAL, label=first))
        axes.errorbar(shares, places - down, xerr=(low, high), fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
        names = [part.name for part in parts]
        if result.noise is not None and result.noise.value > LEAST:
            shares, low, high = _percent([result.noise])
            handles.append(axes.barh([-1.0], shares, 0.54, color=IDEAL, label="chaos: no number explains it"))
            axes.errorbar(shares, [-1.0], xerr=(low, high), fmt="none", ecolor=INK, elinewidth=0.7, capsize=1.5)
            places, names = np.append(-1.0, places), ["chaos", *names]
        axes.set_yticks(places, names)
        axes.set_ylim(len(parts) - 0.5 - max(len(names), FEWEST), len(parts) - 0.5)
        axes.set_xlim(0.0, 100.0)
        axes.set_xlabel(f"share of the variance [%], with {100.0 * result.confidence:g} % confidence intervals")
        group_ticks(axes.xaxis)
        return finished(page, title, handles)


def _percent(shares: list[Share]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shares within 0 to 100 %, and how far their intervals reach down and up."""
    value, low, high = np.clip(100.0 * np.array([[s.value, s.low, s.high] for s in shares]).T, 0.0, 100.0)
    return value, np.maximum(value - low, 0.0), np.maximum(high - value, 0.0)
