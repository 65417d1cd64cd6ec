"""The orbits of one joint by all its routes, side by side on one scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.panels.orbit import OrbitPanel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import Scale, grouped, scale_for
from gudgeon.draw.style import RULES, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Page

    from gudgeon.analysis.agreement import Route, Routes

__all__ = ["routes"]

SIDE = 2.75  # inches of a panel


def routes(result: Routes, *, title: str | None = None) -> Figure:
    """One orbit per route that was run, with its trust horizon, peak force, impacts and cost below."""
    ran = [(route, route.run) for route in result.ran if route.run is not None]
    panels = [OrbitPanel(RunWindow(run), f"{result.joint}.orbit") for _, run in ran]
    # one scale, so that the circles are as large and the reaches can be compared
    scale = scale_for("m", *(np.hypot(panel.x, panel.y) for panel in panels))
    with rc_context(RULES):
        page = Page(figsize=(SIDE * len(panels) + 0.3, SIDE + 1.25), layout="constrained")
        row = page.subplots(1, len(panels), squeeze=False)[0]
        for panel, axes, (route, _) in zip(panels, row, ran, strict=True):
            panel.scale = scale
            panel.draw([axes])
            axes.set_title(f"{route.name}  {route.method}")
            axes.set_anchor("N")  # what room a square leaves belongs to the words below it
            axes.text(0.0, -0.21, _words(route, result), transform=axes.transAxes, va="top", fontsize=7.5, color=SOFT)
        _one_frame(row, scale)
        handles = _one_legend(row)
        text = f"{result.name} · {result.joint} by {len(panels)} routes" if title is None else title
        return finished(page, text, handles)


def _one_frame(row: np.ndarray, scale: Scale) -> None:
    reach = max(abs(x) for axes in row for x in (*axes.get_xlim(), *axes.get_ylim()))
    for k, axes in enumerate(row):
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-reach, reach)
        axes.set_ylabel(f"y [{scale.unit}]" if k == 0 else "")


def _one_legend(row: np.ndarray) -> list[Any]:
    """The lines of all panels; free flight and film have one colour."""
    named: dict[str, Any] = {}
    for axes in row:
        named |= {label: handle for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        axes.get_legend().remove()
    if "free" in named and "film" in named:
        named = {"free or film" if label == "free" else label: x for label, x in named.items() if label != "film"}
    for label, handle in named.items():
        handle.set_label(label)
    return list(named.values())


def _words(route: Route, result: Routes) -> str:
    """The short table below an orbit."""
    per = "rev" if result.period else "s"
    lines = []
    if route.horizon is not None:
        end = route.horizon >= result.span
        until = "the end" if end else f"{route.horizon / result.turn:.3g} {per}"
        lines.append(f"trusted to {until} of {result.span / result.turn:.3g} {per}")
    name = f"peak {result.joint}.force"
    peak = route.statistics.get(name)
    if peak is not None:
        # one unit for all routes
        scale = scale_for("N", *(r.statistics[name].value for r in result.ran if name in r.statistics))
        shown = peak * scale.factor
        lines.append(f"peak {f'{shown.value:.4g}' if np.isnan(shown.error) else shown} {scale.unit}")
    if "impacts" in route.statistics:
        lines.append(f"impacts {route.statistics['impacts'].value:.3g} per {per}")
    if route.cost is not None:
        lines.append(f"{grouped(route.cost.evaluations)} evaluations per {per}")
    return "\n".join(lines)
