"""What the figures of the articles share: a sheet in the style of `gudgeon.draw`, curves, orbits, loops, portraits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Sheet
from matplotlib.patches import Circle, Rectangle

from gudgeon.draw import Figure
from gudgeon.draw.lines import broken, envelope, thinned
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, FREE, HALO, IDEAL, PALETTE, RULES, SOFT, WALL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gudgeon.results import Run

__all__ = [
    "Curve",
    "below",
    "curves",
    "degrees",
    "drawn",
    "key",
    "loop",
    "of",
    "orbit",
    "phase",
    "reach",
    "sheet",
    "square",
    "turn",
]

Curve = tuple[str, np.ndarray, np.ndarray]  # label, x, y in SI
WIDE, ROW = 7.2, 2.0  # inches: the page, a row of curves
GRAIN = 2e-4  # of the spread: less than a pixel of a panel
IDEALS = ("ideal",)  # labels of curves that lie wide and grey underneath


def drawn(function: Callable[..., Any]) -> Callable[[], Figure]:
    """A function that fills a sheet, as one that gives the finished figure."""

    @wraps(function)
    def make() -> Figure:
        with rc_context(RULES):
            figure = function()
            FigureCanvasAgg(figure)
            # settle the layout now, so that every file is the same
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        return Figure(figure)

    return make


def sheet(rows: int, columns: int = 1, *, height: float = ROW, **options: Any) -> tuple[Any, list[Axes]]:
    """An empty figure and its panels, row by row; height of a row [inch]."""
    figure = Sheet(figsize=(WIDE, 0.35 + height * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, list(panels.ravel())


def square(columns: int, rows: int = 1) -> tuple[Any, list[Axes]]:
    """The same with square panels."""
    return sheet(rows, columns, height=(WIDE / columns) * (0.95 if columns > 1 else 0.6))


def of(label: str, run: Run, channel: str, *, start: float = 0.0, stop: float = np.inf) -> Curve:
    """A channel of a run over time, between two times [s], counted from the first."""
    inside = (run.t >= start) & (run.t <= stop)
    return label, run.t[inside], run[channel][inside]


def turn(label: str, run: Run, channel: str, period: float, first: float = 0.0, factor: float = 1.0) -> Curve:
    """A channel of a run over the revolutions [rev] since `first` [s]."""
    return label, (run.t - first) / period, factor * run[channel]


def degrees(label: str, angle: np.ndarray, values: np.ndarray, revolution: int, shift: float = 0.0) -> Curve:
    """Values over the angle of the crank [deg] in one revolution, counted from 1; shifted for clarity."""
    start = 2.0 * np.pi * (revolution - 1)
    inside = (angle >= start) & (angle <= start + 2.0 * np.pi)
    return label, np.degrees(angle[inside] - start), values[inside] + shift


def reach(*panels: Iterable[Curve]) -> float:
    """The largest magnitude of all panels, for one unit in all of them."""
    return max(float(np.max(np.abs(values))) for lines in panels for _, _, values in lines)


def curves(axes: Axes, title: str, unit: str, lines: Iterable[Curve], *, across: str = "time", units: str = "s",
           colours: Sequence[str] | None = None, legend: bool = True, up_to: float = 0.0) -> None:  # fmt: skip
    """Lines over a common axis, what is ideal grey and underneath; in a unit that also reads well at `up_to` (SI)."""
    lines = list(lines)
    more = 1.5 if units == "s" else 1.0  # 2 s are not 2000 ms
    x, y = scale_for(units, *(more * line[1] for line in lines)), scale_for(unit, up_to, *(line[2] for line in lines))
    palette = iter(colours or PALETTE)
    for label, there, values in lines:
        ideal = label in IDEALS
        colour = IDEAL if ideal else next(palette)
        axes.plot(*envelope(there * x.factor, values * y.factor, many=8000), color=colour, label=label,
                  linewidth=HALO if ideal else 0.9, zorder=2 if ideal else 3)  # fmt: skip
    axes.set_title(title)
    axes.set_xlabel(x.label(across))
    axes.set_ylabel(f"[{y.unit}]" if y.unit else "")
    axes.set_xlim(min(line[1].min() for line in lines) * x.factor, max(line[1].max() for line in lines) * x.factor)
    readable(axes)
    if legend and len(lines) > 1:
        key(axes)


def key(axes: Axes, **options: Any) -> None:
    """The legend beside the panel, where no line is."""
    axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1.0, 1.02)} | options))


def below(axes: Axes, columns: int = 3) -> None:
    """The legend under the panel."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=columns, columnspacing=1.2, handletextpad=0.6)


def orbit(axes: Axes, title: str, x: np.ndarray, y: np.ndarray, gap: float, touching: np.ndarray | None = None) -> None:
    """The way of a journal's centre in its clearance [m]: free flight pale, contact strong."""
    touching = np.hypot(x, y) > gap if touching is None else touching
    scale = scale_for("m", gap, np.hypot(x, y))
    x, y, wall = x * scale.factor, y * scale.factor, gap * scale.factor
    axes.add_patch(Rectangle((0.0, 0.0), 1.0, 1.0, transform=axes.transAxes, facecolor=WALL, zorder=0))
    axes.add_patch(Circle((0.0, 0.0), wall, facecolor="white", edgecolor=SOFT, linewidth=0.8, zorder=1))
    reach = 1.07 * max(float(np.hypot(x, y).max()), wall)
    rows = thinned(x, y, touching, GRAIN * reach)
    for keep, colour, label in ((~touching[rows], FREE, "free flight"), (touching[rows], CONTACT, "contact")):
        if keep.any():
            axes.plot(*broken(keep, x[rows], y[rows]), color=colour, linewidth=0.8, label=label, zorder=3)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axes.set_title(title)
    axes.set_xlabel(f"x [{scale.unit}]")
    axes.set_ylabel(f"y [{scale.unit}]")
    readable(axes)


def loop(axes: Axes, title: str, lines: Iterable[Curve]) -> None:
    """Force [N] over depth [m]."""
    curves(axes, title, "N", lines, across="depth", units="m", legend=False)
    axes.set_xlim(0.0, 1.04 * axes.get_xlim()[1])


def phase(axes: Axes, title: str, lines: Iterable[tuple[str, np.ndarray, np.ndarray]], names: tuple[str, str],
          units: tuple[str, str]) -> None:  # fmt: skip
    """One quantity over another, as a closed or an open way; names and SI units of both."""
    lines = list(lines)
    scales = [scale_for(units[0], *(x for _, x, _ in lines)), scale_for(units[1], *(y for _, _, y in lines))]
    palette = iter(PALETTE)
    for label, x, y in lines:
        ideal = label in IDEALS
        colour = IDEAL if ideal else next(palette)
        axes.plot(x * scales[0].factor, y * scales[1].factor, color=colour, linewidth=HALO if ideal else 0.6,
                  label=label, zorder=2 if ideal else 3)  # fmt: skip
    axes.margins(0.05)
    axes.set_box_aspect(1.0)
    axes.set_title(title)
    axes.set_xlabel(scales[0].label(names[0]))
    axes.set_ylabel(scales[1].label(names[1]))
    readable(axes)
