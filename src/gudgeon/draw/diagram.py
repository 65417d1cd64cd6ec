"""Bifurcation diagram: the points of a section over a parameter, on the way up and on the way down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page
from matplotlib.lines import Line2D

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, INK, REAL, RULES
from gudgeon.quantity import parse_unit

if TYPE_CHECKING:
    from gudgeon.analysis.motions.bifurcation import Bifurcation, Branch

__all__ = ["bifurcation"]

COLOURS = {"up": REAL, "down": CONTACT}
SIGNS = {"up": "rising values", "down": "falling values"}
FEW = 40  # values whose points can be told apart
NONE = 64  # where the lower panel shows what has no period


def bifurcation(diagram: Bifurcation, *, unit: str = "", title: str | None = None) -> Figure:
    """Points of the section, and below them the period that each value has; `unit`, "mm" for instance, is what the
    parameter is printed in."""
    factor = 1.0 / parse_unit(unit)[0] if unit else 1.0
    along = scale_for(diagram.unit, *(branch.points for branch in diagram.branches.values()))
    with rc_context(RULES):
        page = Page(figsize=(7.2, 5.4), layout="constrained")
        upper, lower = page.subplots(2, 1, sharex=True, height_ratios=[4.0, 1.0])
        values = diagram.values * factor
        for word, branch in diagram.branches.items():
            _cloud(upper, values, branch, along.factor, word)
            _periods(lower, values, branch, word)
        upper.set_ylabel(f"{diagram.channel} [{along.unit}]" if along.unit else diagram.channel)
        upper.set_title("once per period; clouds are densities, no predictions")
        lower.set_ylabel("period")
        lower.set_yscale("log", base=2)
        lower.minorticks_off()
        lower.set_yticks([1, 4, 16, NONE], ["1", "4", "16", "none"])
        lower.set_ylim(0.7, 1.4 * NONE)
        lower.set_xlabel(f"{diagram.path} [{unit}]" if unit else diagram.path)
        # the points of the first and the last value must not lie on the frame
        margin = float(values[-1] - values[0]) * (0.03 if len(values) < FEW else 0.01)
        lower.set_xlim(float(values[0]) - margin, float(values[-1]) + margin)
        readable(upper)
        readable(lower, y=False)
        for axes in (upper, lower):
            axes.grid(visible=True, color="#eeeeee", linewidth=0.6)
            axes.set_axisbelow(True)
        handles = [Line2D([], [], linestyle="", marker="o", markersize=3.5, color=COLOURS[w], label=SIGNS[w])
                   for w in diagram.branches]  # fmt: skip
        if len(diagram.hysteresis):
            # along the upper edge, so that no point is covered
            marks: Any = {"linestyle": "", "marker": "|", "color": INK, "markeredgewidth": 0.7}
            upper.plot(diagram.hysteresis * factor, np.full(len(diagram.hysteresis), 0.99), markersize=5.0,
                       transform=upper.get_xaxis_transform(), **marks)  # fmt: skip
            handles.append(Line2D([], [], markersize=7.0, label="two motions", **marks))
        return finished(page, diagram.name if title is None else title, handles)


def _cloud(axes: Any, values: np.ndarray, branch: Branch, factor: float, word: str) -> None:
    count = branch.points.shape[1]
    # what repeats is a few points on top of each other; what does not is faint, so that dense places show
    periodic = branch.periods > 0
    faint = (0.8, 0.35) if len(values) >= FEW else (1.8, 0.7)
    for mask, size, alpha in ((~periodic, *faint), (periodic, 2.2, 0.9)):
        x, y = np.repeat(values[mask], count), branch.points[mask].ravel() * factor
        axes.plot(x, y, "o", markersize=size, markeredgewidth=0.0, alpha=alpha, color=COLOURS[word], rasterized=True,
                  zorder=2 + (word == "up"))  # fmt: skip


def _periods(axes: Any, values: np.ndarray, branch: Branch, word: str) -> None:
    shown = np.where(branch.periods == 0, NONE, branch.periods).astype(float)
    shift = 0.94 if word == "up" else 1.06
    axes.plot(values, shown * shift, "o", markersize=2.4, markeredgewidth=0.0, color=COLOURS[word])
