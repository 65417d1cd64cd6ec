"""Where the panels stand on the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from gudgeon.draw.panels.panel import Panel

if TYPE_CHECKING:
    import matplotlib.figure
    from matplotlib.axes import Axes

__all__ = ["place"]

WIDE, SQUARE, ROW = 7.2, 3.3, 1.45  # inches: a time column, a square panel, one time row of height 1
TOP = 0.55  # for title and legend
HIGHEST = 3.2  # of a wide panel


def place(panels: Sequence[Panel]) -> tuple[matplotlib.figure.Figure, list[list[Axes]]]:
    """A figure and, for each panel in the given order, its axes.

    Wide panels stand above all others. Time histories stand in one column and share their axis, square panels beside
    them; with a single history the squares stand under it.
    """
    wide = [p for p in panels if p.wide]
    timed = [p for p in panels if p.timed]
    squares = [p for p in panels if p.square]
    heights = [h for p in timed for h in p.heights]
    column = 0.45 + ROW * sum(heights) + 0.12 * len(heights)
    spots: dict[int, list[Any]] = {}
    if not timed or not squares:
        rows, columns = _grid(len(squares)) if squares else (0, 0)
        size = (max(SQUARE * columns + 0.2, 3.8), (SQUARE + 0.3) * rows) if squares else (WIDE, column * bool(timed))
    elif len(timed) == 1 and len(squares) > 1:
        rows, columns = _grid(len(squares))
        tall = [max(column, 1.9), (SQUARE + 0.3) * rows]
        size = (max(WIDE, SQUARE * columns + 0.2), sum(tall))
    else:
        columns = 1 if len(squares) <= 2 else 2
        rows = math.ceil(len(squares) / columns)
        across = [0.82 * WIDE, SQUARE * columns]
        size = (sum(across), max(column, (SQUARE + 0.3) * rows))
    above = [min(size[0] * p.heights[0], HIGHEST) + 0.25 for p in wide]
    figure = Figure(figsize=(size[0], sum(above) + size[1] + TOP), layout="constrained")
    whole = figure.add_gridspec(len(wide) + (size[1] > 0.0), 1, height_ratios=[*above, *([size[1]] * (size[1] > 0.0))])
    for k, panel in enumerate(wide):
        spots[id(panel)] = [whole[k]]
    rest: Any = whole[len(wide)] if size[1] > 0.0 else None
    if not timed or not squares:
        _squares(rest, squares, rows, columns, spots)
        _column(rest, timed, heights, spots)
    elif len(timed) == 1 and len(squares) > 1:
        outer = rest.subgridspec(2, 1, height_ratios=tall)
        _column(outer[0], timed, heights, spots)
        _squares(outer[1], squares, rows, columns, spots)
    else:
        outer = rest.subgridspec(1, 2, width_ratios=across)
        _column(outer[0], timed, heights, spots)
        _squares(outer[1], squares, rows, columns, spots)
    return figure, _axes(figure, panels, spots)


def _grid(count: int) -> tuple[int, int]:
    columns = count if count <= 3 else 2 if count == 4 else 3
    return math.ceil(count / columns), columns


def _column(spot: Any, timed: Sequence[Panel], heights: Sequence[float], spots: dict[int, list[Any]]) -> None:
    if not timed:
        return
    inner = spot.subgridspec(len(heights), 1, height_ratios=heights)
    row = 0
    for panel in timed:
        spots[id(panel)] = [inner[row + k] for k in range(len(panel.heights))]
        row += len(panel.heights)


def _squares(spot: Any, squares: Sequence[Panel], rows: int, columns: int, spots: dict[int, list[Any]]) -> None:
    if not squares:
        return
    inner = spot.subgridspec(rows, columns)
    for k, panel in enumerate(squares):
        spots[id(panel)] = [inner[k // columns, k % columns]]


def _axes(figure: matplotlib.figure.Figure, panels: Sequence[Panel], spots: dict[int, list[Any]]) -> list[list[Axes]]:
    first: Axes | None = None
    all_axes: list[list[Axes]] = []
    for panel in panels:
        mine = []
        for spot in spots[id(panel)]:
            axes = figure.add_subplot(spot, sharex=first if panel.timed else None)
            if panel.square:
                axes.set_anchor("N")
            first = axes if panel.timed and first is None else first
            mine.append(axes)
        all_axes.append(mine)
    return all_axes
