"""`plot` and `compare`: names select the kind of figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.layout import place
from gudgeon.draw.panels.history import HistoryPanel
from gudgeon.draw.panels.panel import Panel, kinds, known_names
from gudgeon.draw.run_window import Numbers, RunWindow, Window
from gudgeon.draw.scale import group_ticks
from gudgeon.draw.style import DOUBT, HALO, IDEAL, REAL, RULES, SOFT
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["compare", "kind_of", "plot"]


def plot(run: Run, *channels: str, window: Window = None, contacts: Numbers = None, title: str | None = None) -> Figure:
    """Draw a run, one panel per name.

    channels  "mechanism", a drawing of it; any channel of the run over time; "pin.force" and "pin.normal" with the
              peaks of the contacts;
              "pin.orbit" (of a ball also .orbit.xy, .xz, .yz); "pin.hysteresis"; "slider.phase" (or .phase.x, .y,
              .angle; in space .x, .y, .z, .rx, .ry, .rz); "energy"
    window    (from, to) [s], or strings such as ("1 ms", "3 ms") and ("1 rev", "2 rev")
    contacts  numbers, from 1, of the contacts of "pin.hysteresis"; default: the hardest impacts
    title     replaces the name of the mechanism and its fits
    """
    return _draw(RunWindow(run, None, window, contacts), channels, title)


def compare(ideal: Run, real: Run, *channels: str, window: Window = None, contacts: Numbers = None,
            title: str | None = None) -> Figure:  # fmt: skip
    """Like `plot` of the real run, with the ideal run as a wide grey line behind it."""
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
        for panel, axes in zip(panels, places, strict=True):
            panel.draw(axes)
        timed = [ax for panel, axes in zip(panels, places, strict=True) if panel.timed for ax in axes]
        handles: list[Any] = []
        if view.ideal is not None and any(panel.twofold for panel in panels):
            below, above = view.labels
            handles = [Line2D([], [], color=IDEAL, linewidth=HALO, label=below),
                       Line2D([], [], color=REAL, label=above)]  # fmt: skip
        if timed:
            _time_axis(view, timed)
            figure.align_ylabels(timed)
            if _beyond_trust(view, timed):
                handles.append(Patch(facecolor=DOUBT, edgecolor=SOFT, linewidth=0.4, label="beyond trust horizon"))
        made = finished(figure, title if title is not None else describe(view.real.mechanism), handles)
        for panel, axes in zip(panels, places, strict=True):
            panel.settled(axes)
    return made


def _time_axis(view: RunWindow, axes: Sequence[Axes]) -> None:
    """Time under the last panel, revolutions over the first where something turns evenly."""
    for ax in axes[:-1]:
        ax.tick_params(labelbottom=False)
    axes[-1].set_xlabel(view.time.label("time"))
    axes[-1].set_xlim(view.start * view.time.factor, view.stop * view.time.factor)
    period = view.period
    if period and (view.stop - view.start) > 0.02 * period:
        turn = period * view.time.factor
        turns: Any = (lambda t: t / turn, lambda r: r * turn)
        top = axes[0].secondary_xaxis("top", functions=turns)
        top.tick_params(labelsize=7.5, labelcolor=SOFT, pad=2.0)
        group_ticks(top.xaxis, " rev")


def _beyond_trust(view: RunWindow, axes: Sequence[Axes]) -> bool:
    """Shade the time in which a tighter twin no longer has the same motion; whether there is such a time."""
    horizon = view.real.evidence.horizon
    if horizon is None or horizon >= view.stop:
        return False
    for ax in axes:
        ax.axvspan(max(horizon, view.start) * view.time.factor, view.stop * view.time.factor, color=DOUBT,
                   linewidth=0.0, zorder=0)  # fmt: skip
    return True


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
