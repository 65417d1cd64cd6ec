"""Measures of a study over its parameters: lines, points, medians, distributions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps, rc_context
from matplotlib import figure as mpl

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import Quantity, readable
from gudgeon.draw.studies.map import _plain_ticks, ranked
from gudgeon.draw.style import REAL, RULES, SOFT
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["marginals", "medians", "sweep"]

MOST_LINES = 12
DENSE = 40  # more points than that need no marks


def sweep(measures: Sequence[Quantity], over: Quantity, lines: Sequence[Quantity], title: str) -> Figure:
    """One panel per measure over one parameter; a line for each value of another one where it is given."""
    with _page(len(measures), 1, (7.2, 0.7 + 1.9 * len(measures)), title) as page:
        for k, (ax, measure) in enumerate(zip(page.axes, measures, strict=True)):
            if lines:
                _lines(ax, measure, over, lines[0], legend=k == 0)
            else:
                _line(ax, measure, over)
            _finish(ax, measure, over)
            ax.set_title(measure.name)
            ax.set_ylabel("" if measure.worded else f"[{measure.scale.unit}]" if measure.scale.unit else "")
            ax.set_xlabel(over.label if k == len(measures) - 1 else "")
        return page.done()


def marginals(measure: Quantity, over: Sequence[Quantity], title: str) -> Figure:
    """The measure over each parameter by itself with its median and middle 90 per cent, and its distribution."""
    if measure.worded:
        raise GudgeonError(f'marginal plots need numbers, and "{measure.name}" has words; use map or plot')
    columns = 2 if len(over) == 3 else min(3, len(over) + 1)
    rows = math.ceil((len(over) + 1) / columns)
    with _page(rows, columns, (3.0 * columns + 0.4, 2.5 * rows + 0.5), title) as page:
        for ax, path in zip(page.axes, over, strict=False):
            _line(ax, measure, path, joined=False)
            if not path.worded:
                centres, low, middle, high = medians(path.printed, measure.printed, path.logarithmic)
                ax.fill_between(centres, low, high, color=REAL, alpha=0.15, linewidth=0.0)
                ax.plot(centres, middle, color=REAL, linewidth=1.2)
            _finish(ax, measure, path)
            ax.set_xlabel(path.label)
            ax.set_ylabel(measure.label)
        last = page.axes[len(over)]
        values = measure.printed[np.isfinite(measure.printed)]
        last.hist(
            values, bins=max(5, min(40, int(math.sqrt(len(values))))) if len(values) else 1, color=REAL, alpha=0.6
        )
        last.set_xlabel(measure.label)
        last.set_ylabel("runs")
        readable(last)
        for ax in page.axes[len(over) + 1 :]:
            ax.set_visible(False)
        return page.done()


def medians(x: np.ndarray, z: np.ndarray, logarithmic: bool) -> tuple[np.ndarray, ...]:
    """Middle of x, 5 per cent, median and 95 per cent of z in parts of x with as many runs each."""
    good = np.isfinite(z)
    x, z = x[good], z[good]
    order = np.argsort(x, kind="stable")
    known = np.unique(x)
    if len(known) <= max(12, len(x) // 8):
        groups = [np.flatnonzero(x == value) for value in known]
    else:
        groups = [part for part in np.array_split(order, max(1, min(12, len(x) // 8))) if len(part)]
    middle = [float(np.exp(np.mean(np.log(x[g]))) if logarithmic else np.mean(x[g])) for g in groups]
    shares = [np.quantile(z[g], [0.05, 0.5, 0.95]) for g in groups]
    table = np.array(shares).reshape(-1, 3)
    return np.array(middle), table[:, 0], table[:, 1], table[:, 2]


class _page:
    """A figure in the house style: axes to draw on, `done` to finish."""

    def __init__(self, rows: int, columns: int, size: tuple[float, float], title: str) -> None:
        self._rules = rc_context(RULES)
        self._rules.__enter__()
        self.figure = mpl.Figure(figsize=size, layout="constrained")
        self.axes: list[Axes] = list(self.figure.subplots(rows, columns, squeeze=False).ravel())
        self.title = title

    def __enter__(self) -> _page:
        return self

    def __exit__(self, *raised: Any) -> None:
        self._rules.__exit__(*raised)

    def done(self) -> Figure:
        return finished(self.figure, self.title)


def _vertical(measure: Quantity) -> tuple[np.ndarray, list[str]]:
    """Heights of the values: numbers as they are, words on lines of their own."""
    if not measure.worded:
        return measure.printed, []
    words = ranked(set(measure.values) - {""})
    place = {word: float(k) for k, word in enumerate(words)}
    return np.array([place.get(word, np.nan) for word in measure.values]), words


def _horizontal(over: Quantity) -> np.ndarray:
    return np.asarray(_vertical(over)[0])


def _line(ax: Axes, measure: Quantity, over: Quantity, joined: bool = True) -> None:
    heights, words = _vertical(measure)
    x = _horizontal(over)
    order = np.argsort(x, kind="stable")
    single = len(np.unique(x)) == len(x)
    style = "-" if joined and single and not words and not over.worded else ""
    mark = "o" if len(x) <= DENSE or not style else ""
    ax.plot(x[order], heights[order], linestyle=style, marker=mark, markersize=2.5, color=REAL,
            alpha=1.0 if single or joined else 0.6)  # fmt: skip


def _lines(ax: Axes, measure: Quantity, over: Quantity, other: Quantity, legend: bool) -> None:
    heights, words = _vertical(measure)
    x, levels = _horizontal(over), _horizontal(other)
    known = np.unique(levels)
    shown = known[np.unique(np.linspace(0, len(known) - 1, MOST_LINES).round().astype(int))]
    names = _vertical(other)[1]
    for k, level in enumerate(shown):
        pick = np.flatnonzero(levels == level)
        pick = pick[np.argsort(x[pick], kind="stable")]
        colour = colormaps["viridis"](0.9 * k / max(1, len(shown) - 1))
        label = names[int(level)] if names else f"{level:.4g}"
        ax.plot(x[pick], heights[pick], linestyle="" if words else "-", marker="o", markersize=2.0, color=colour,
                label=label)  # fmt: skip
    if legend:
        ax.legend(title=other.label, loc="upper left", bbox_to_anchor=(1.01, 1.0), fontsize=7.0, alignment="left")


def _finish(ax: Axes, measure: Quantity, over: Quantity) -> None:
    """Ticks and scales."""
    words, names = _vertical(measure)[1], _vertical(over)[1]
    if over.worded:
        ax.set_xticks(range(len(names)), names)
    elif over.logarithmic:
        ax.set_xscale("log")
        _plain_ticks(ax.xaxis)
    if words:
        ax.set_yticks(range(len(words)), words)
        ax.set_ylim(-0.5, len(words) - 0.5)
    readable(ax, x=not over.worded and not over.logarithmic, y=not words)
    ax.margins(x=0.02)
    missing = int(np.isnan(_vertical(measure)[0]).sum())
    if missing:
        ax.text(1.0, 1.01, f"{missing} runs without a result", transform=ax.transAxes, ha="right", va="bottom",
                fontsize=7.0, color=SOFT)  # fmt: skip
