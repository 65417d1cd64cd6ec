"""Figures 24 to 28 of Bauchau, Rodriguez 2002: the quick return mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.draw.style import PALETTE
from gudgeon.papers.bauchau2002.quick_return_claims import motion
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.sheet import Curve, curves, drawn, reach, sheet

__all__ = ["FIGURES"]


def _third(label: str, name: str, channel: str) -> Curve:
    """A channel over the turns of the crank in the third revolution."""
    run = motion(name)
    turns = run["motor.travel"] / (2.0 * np.pi)
    inside = (turns >= 2.0) & (turns <= 3.0)
    return label, turns[inside], run[channel][inside]


def _cases(title: str, unit: str, channel: str) -> Any:
    figure, (axes,) = sheet(1, 1, height=2.9)
    lines = [_third(f"case {name}", name, channel) for name in ("1", "2", "3")]
    curves(axes, title, unit, lines, across="revolutions", units="1")
    return figure


@drawn
def fig_24() -> Any:
    return _cases("velocity of the shuttle", "m/s", "shuttle.vx")


@drawn
def fig_25() -> Any:
    return _cases("moment at the quarter of the arm", "Nm", "arm.25.moment")


@drawn
def fig_26() -> Any:
    return _cases("torque on the crank", "Nm", "motor.torque")


@drawn
def fig_27() -> Any:
    figure, (a, b) = sheet(2, 1, height=2.1, sharex=True)
    one = [_third("point N", "2", "N.force")]
    two = [_third(f"point {joint}", "3", f"{joint}.force") for joint in ("N", "B")]
    up_to = reach(one, two)
    curves(a, "contact force, case 2: point N", "N", one, across="revolutions", units="1", up_to=up_to)
    curves(b, "contact forces, case 3", "N", two, across="revolutions", units="1", colours=PALETTE, up_to=up_to)
    a.set_xlabel("")
    return figure


@drawn
def fig_28() -> Any:
    return _cases("power of the motor", "W", "motor.mechanical_power")


THIRD = "the third revolution; B and R 0.4 m apart and the shuttle 1.0 m above B, since the geometry is not in the text"
HERE = ("quick_return",)

FIGURES = (
    PaperFigure("24", "the velocity of the shuttle of the quick return mechanism, cases 1 to 3", THIRD, HERE, fig_24),
    PaperFigure("25", "moments at a quarter of the arm, cases 1 to 3", THIRD, HERE, fig_25),
    PaperFigure("26", "the torque on the crank, cases 1 to 3", THIRD, HERE, fig_26),
    PaperFigure("27", "contact forces at points B and N, cases 2 and 3",
                f"{THIRD}; only N is loose in case 2, where the article's caption says B", HERE, fig_27),
    PaperFigure("28", "the power that the mechanism takes, cases 1 to 3", THIRD, HERE, fig_28),
)  # fmt: skip
