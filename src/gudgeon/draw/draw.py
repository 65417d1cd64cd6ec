"""`plot` and `compare`: names select the kind of figure."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.lines import Line2D

from gudgeon.draw.figure import Figure
from gudgeon.draw.layout import place
from gudgeon.draw.panels.history import HistoryPanel
from gudgeon.draw.panels.panel import Panel, kinds, known_names
from gudgeon.draw.run_window import Numbers, RunWindow, Window
from gudgeon.draw.scale import group_ticks
from gudgeon.draw.style import DOUBT, IDEAL, REAL, RULES, SOFT
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

if TYPE_CHECKING:
    import matplotlib.figure
    from matplotlib.axes import Axes

__all__ = ["compare", "kind_of", "plot"]


def plot(run: Run, *channels: str, window: Window = None, contacts: Numbers = None, title: str | None = None) -> Figure:
    """Draw a run, one panel per name.

    channels  any channel of the run over time; "pin.force" and "pin.normal" with the peaks of the contacts;
              "pin.orbit" (of a ball also .orbit.xy, .xz, .yz); "pin.hysteresis"; "slider.phase" (or .phase.x, .y,
              .angle; in space .x, .y, .z, .rx, .ry, .rz); "energy"
    window    (from, to) [s], or strings such as ("1 ms", "3 ms") and ("1 rev", "2 rev")
    contacts  numbers, from 1, of the contacts of "pin.hysteresis"; default: the hardest impacts
    title     replaces the name of the mechanism and its fits
    """
    return _draw(RunWindow(run, None, window, contacts), channels, title)


def compare(ideal: Run, real: Run, *channels: str, window: Window = None, contacts: Numbers = None,
            title: str | None = None) -> Figure:  # fmt: skip
    """Like `plot` of the real run, with the ideal run as a thin grey line behind it."""
    return _draw(RunWindow(real, ideal, window, contacts), channels, title)


def kind_of(name: str, view: RunWindow) -> type[Panel]:
    """The kind of figure that a name selects; a time history where no other does."""
    return next((kind for kind in kinds() if kind.matches(name, view)), HistoryPanel)


def _draw(view: RunWindow, channels: Sequence[str], title: str | None) -> Figure:
    if not channels:
        raise GudgeonError(f"a figure needs at least one name; choose from {', '.join(known_names(view))}")
    for name in channels:
        if not isinstance(name, str):
            raise GudgeonError(f'a figure is chosen by names such as "energy", not by {type(name).__name__}')
    panels = [kind_of(name, view)(view, name) for name in channels]
    with rc_context(RULES):
        figure, places = place(panels)
        FigureCanvasAgg(figure)
        for panel, axes in zip(panels, places, strict=True):
            panel.draw(axes)
        timed = [ax for panel, axes in zip(panels, places, strict=True) if not panel.square for ax in axes]
        if timed:
            _time_axis(view, timed)
        _head(figure, view, title, any(panel.twofold for panel in panels))
        # settle the layout now: every later drawing would move it a little, and files would differ
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return Figure(figure)


def _time_axis(view: RunWindow, axes: Sequence[Axes]) -> None:
    """Time under the last panel, revolutions over the first where something turns evenly."""
    for ax in axes[:-1]:
        ax.tick_params(labelbottom=False)
    axes[-1].set_xlabel(view.time.label("time"))
    axes[-1].set_xlim(view.start * view.time.factor, view.stop * view.time.factor)
    _beyond_trust(view, axes)
    period = view.period
    if period and (view.stop - view.start) > 0.02 * period:
        turn = period * view.time.factor
        turns: Any = (lambda t: t / turn, lambda r: r * turn)
        top = axes[0].secondary_xaxis("top", functions=turns)
        top.tick_params(labelsize=7.5, labelcolor=SOFT, pad=2.0)
        group_ticks(top.xaxis, " rev")


def _beyond_trust(view: RunWindow, axes: Sequence[Axes]) -> None:
    """Shade the time in which a tighter twin no longer has the same motion, and say so once."""
    horizon = view.real.evidence.horizon
    if horizon is None or horizon >= view.stop:
        return
    left = max(horizon, view.start)
    for ax in axes:
        ax.axvspan(left * view.time.factor, view.stop * view.time.factor, color=DOUBT, linewidth=0.0, zorder=0)
    place = (
        1.0 if left > view.start + 0.7 * (view.stop - view.start) else (left - view.start) / (view.stop - view.start)
    )
    axes[0].annotate("beyond trust horizon", (place, 1.0), xycoords="axes fraction", textcoords="offset points",
                     xytext=(-3.0 if place == 1.0 else 3.0, -2.0), ha="right" if place == 1.0 else "left", va="top",
                     fontsize=7.0, color=SOFT, zorder=6)  # fmt: skip


def _head(figure: matplotlib.figure.Figure, view: RunWindow, title: str | None, legend: bool) -> None:
    text = title if title is not None else describe(view.real.mechanism)
    legend = legend and view.ideal is not None
    if text:
        width = int(figure.get_figwidth() * 13 - (16 if legend else 0))
        figure.suptitle(fill(text, width), x=0.01, ha="left", fontsize=9.0)
    if legend:
        handles = [Line2D([], [], color=IDEAL, label="ideal"), Line2D([], [], color=REAL, label="real")]
        figure.legend(handles=handles, loc="upper right", ncols=2, columnspacing=1.2, bbox_to_anchor=(1.0, 1.0))


def describe(mechanism: Mechanism) -> str:
    """Name and fits in one line: slider-crank · pin: clearance 0.5 mm, LankaraniNikravesh."""
    fits = [
        f"{joint.name}: {fit.describe()}"
        for joint in mechanism.joints.values()
        for fit in joint.fit.values()
        if not fit.ideal
    ]
    # mates of one joint may have fits that read alike
    return " · ".join(dict.fromkeys([mechanism.name, *fits]))
