"""Maps of a study: a measure in colour over two parameters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import figure as mpl
from matplotlib import rc_context
from matplotlib.colors import BoundaryNorm, ListedColormap, LogNorm
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import Quantity, grouped, readable
from gudgeon.draw.style import PALETTE, REGIMES, RULES, SOFT
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_map", "edges", "ranked"]


def draw_map(x: Quantity, y: Quantity, z: Quantity, title: str) -> Figure:
    """Cells over a grid of x and y; points where the runs form no grid."""
    for side in (x, y):
        if side.worded:
            raise GudgeonError(f'a map needs numbers on its axes, and "{side.name}" has words')
    with rc_context(RULES):
        drawn = mpl.Figure(figsize=(6.4, 4.4), layout="constrained")
        ax = drawn.add_subplot()
        known = (z.values != "") if z.worded else np.isfinite(z.values)
        (_words if z.worded else _numbers)(ax, x, y, z, known)
        for axis, quantity, name in ((ax.xaxis, x, "x"), (ax.yaxis, y, "y")):
            getattr(ax, f"set_{name}label")(quantity.label)
            if quantity.logarithmic:
                getattr(ax, f"set_{name}scale")("log")
                _plain_ticks(axis)
        readable(ax, x=not x.logarithmic, y=not y.logarithmic)
        ax.set_facecolor("#f4f4f4")
        return finished(drawn, title)


def _numbers(ax: Axes, x: Quantity, y: Quantity, z: Quantity, known: np.ndarray) -> None:
    numbers = z.printed
    good = numbers[known]
    wide = len(good) > 0 and good.min() > 0.0 and good.max() > 100.0 * good.min()
    norm: Any = LogNorm(good.min(), good.max()) if wide else None
    drawn = _cells(ax, x, y, np.where(known, numbers, np.nan), norm=norm, cmap="viridis")
    bar = ax.figure.colorbar(drawn, ax=ax, label=z.label, pad=0.02)
    bar.outline.set_linewidth(0.5)
    if not wide:
        bar.formatter = FuncFormatter(lambda value, position: grouped(value) if abs(value) >= 1e4 else f"{value:.6g}")
        bar.update_ticks()
    _without(ax, known)


def _words(ax: Axes, x: Quantity, y: Quantity, z: Quantity, known: np.ndarray) -> None:
    words = ranked(set(z.values[known]))
    colours = _colours(words)
    place = {word: k for k, word in enumerate(words)}
    numbers = np.array([place.get(word, np.nan) for word in z.values], dtype=float)
    norm = BoundaryNorm(np.arange(len(words) + 1) - 0.5, max(1, len(words)))
    _cells(ax, x, y, numbers, norm=norm, cmap=ListedColormap(colours))
    counts = [int((z.values == word).sum()) for word in words]
    handles = [Patch(color=c, label=f"{w}  {n}") for w, c, n in zip(words, colours, counts, strict=True)]
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1.0), title=z.name, alignment="left")
    _without(ax, known)


def _without(ax: Axes, known: np.ndarray) -> None:
    missing = int((~known).sum())
    if missing:
        ax.set_title(f"{missing} of {known.size} runs without a result: left blank", color=SOFT)


def _cells(ax: Axes, x: Quantity, y: Quantity, values: np.ndarray, **colours: Any) -> Any:
    xs, ys = np.unique(x.printed), np.unique(y.printed)
    if len(xs) * len(ys) == len(values) and len(xs) > 1 and len(ys) > 1:
        grid = np.full((len(ys), len(xs)), np.nan)
        grid[np.searchsorted(ys, y.printed), np.searchsorted(xs, x.printed)] = values
        return ax.pcolormesh(edges(xs, x.logarithmic), edges(ys, y.logarithmic), grid, rasterized=True, **colours)
    ax.margins(0.03)  # no point lies on the frame
    return ax.scatter(x.printed, y.printed, c=values, s=14.0, linewidths=0.0, **colours)


def edges(centres: np.ndarray, logarithmic: bool) -> np.ndarray:
    """Borders of cells around their centres."""
    c = np.log(centres) if logarithmic else centres
    middle = (c[1:] + c[:-1]) / 2
    bounds = np.concatenate([[2 * c[0] - middle[0]], middle, [2 * c[-1] - middle[-1]]])
    return np.exp(bounds) if logarithmic else bounds


def ranked(words: set[str]) -> list[str]:
    """Words in a fixed order: regimes from calm to wild, others by the alphabet."""
    known = list(REGIMES)

    def rank(word: str) -> tuple[int, int, str]:
        number = re.fullmatch(r"period-(\d+)", word)
        if number:
            return known.index("period-1"), int(number[1]), word
        return (known.index(word) if word in known else len(known)), 0, word

    return sorted(map(str, words), key=rank)


def _colours(words: list[str]) -> list[str]:
    regimes = all(word in REGIMES or re.fullmatch(r"period-\d+", word) for word in words)
    if regimes:
        return [REGIMES.get(word, REGIMES["period-n"]) for word in words]
    return [PALETTE[k % len(PALETTE)] for k in range(len(words))]


def _plain_ticks(axis: Any) -> None:
    """0.1, 0.2, 0.5 instead of powers of ten."""
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())
