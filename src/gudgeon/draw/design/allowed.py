"""A map of two clearances: the share of machines that keep the limits, with the fits of the drawing and the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page
from matplotlib.patches import Rectangle

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import Quantity
from gudgeon.draw.studies.map import _plain_ticks
from gudgeon.draw.style import CONTACT, INK, PAPER, RULES

__all__ = ["allowed_map"]

LEVELS = (0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0)

Box = tuple[str, tuple[float, float], tuple[float, float]]  # a fit of both: name, clearances of the one, of the other


def allowed_map(x: Quantity, y: Quantity, shares: np.ndarray, share: float, boxes: Sequence[Box], title: str) -> Figure:
    """Clearances x and y [m], the share of machines (y, x) that keep the limits, and the share that is required."""
    with rc_context(RULES):
        page = Page(figsize=(6.4, 4.4), layout="constrained")
        axes: Any = page.subplots()
        filled = axes.contourf(x.printed, y.printed, 100.0 * shares, LEVELS, cmap="viridis")
        bar = page.colorbar(filled, ax=axes, label="machines that keep the limits [%]", pad=0.02, ticks=LEVELS)
        bar.outline.set_linewidth(0.5)
        handles = []
        if shares.min() < share < shares.max():
            axes.contour(x.printed, y.printed, shares, [share], colors=[CONTACT], linewidths=1.6)
            handles.append(axes.plot([], [], color=CONTACT, label=f"{100 * share:g} % keep them")[0])
        for k, (name, across, up) in enumerate(boxes):
            corner = across[0] * x.scale.factor, up[0] * y.scale.factor
            size = (across[1] - across[0]) * x.scale.factor, (up[1] - up[0]) * y.scale.factor
            style: Any = {"linestyle": "-" if k == 0 else "--", "linewidth": 1.3}
            axes.add_patch(Rectangle(corner, *size, facecolor="none", edgecolor=PAPER, linewidth=2.6))
            axes.add_patch(Rectangle(corner, *size, facecolor="none", edgecolor=INK, **style))
            handles.append(axes.plot([], [], color=INK, label=name, **style)[0])
        for axis, quantity, name in ((axes.xaxis, x, "x"), (axes.yaxis, y, "y")):
            getattr(axes, f"set_{name}label")(quantity.label)
            getattr(axes, f"set_{name}scale")("log")
            getattr(axes, f"set_{name}lim")(quantity.printed[0], quantity.printed[-1])
            _plain_ticks(axis)
        return finished(page, title, handles)
