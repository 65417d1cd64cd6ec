"""Figures 7 to 16 of Bauchau, Rodriguez 2002, and all of them in one list: `FIGURES`."""

from __future__ import annotations

from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.draw.style import IDEAL, PALETTE
from gudgeon.papers.bauchau2002 import cases as case
from gudgeon.papers.bauchau2002.claims import RTOL, motion
from gudgeon.papers.bauchau2002.parts import SPEED
from gudgeon.papers.bauchau2002.quick_return_figures import FIGURES as QUICK_RETURN
from gudgeon.papers.bauchau2002.space_figures import FIGURES as SPACE
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.sheet import curves, degrees, drawn, reach, sheet
from gudgeon.papers.stored import stored

__all__ = ["FIGURES"]

DAMPING = {"C1": "1e-3 s", "C2": "1e-4 s", "C3": "1e-5 s", "C5": "1e-3 s", "C6": "1e-4 s", "C7": "1e-5 s"}


@stored
def _motor(name: str) -> gd.Run:
    """Three revolutions on the motor, with its speed."""
    channels = ["main.travel", "main.speed"]
    return gd.simulate(getattr(case, name)(), method="alpha", rtol=RTOL, output=2e-5, duration=1.25, channels=channels)


def _angle(run: gd.Run) -> np.ndarray:
    return run["main.travel"] if "main.travel" in run else run.t * SPEED


def _lines(channel: str, *names: str, **shifts: float) -> list[Any]:
    """A channel in the third revolution of some cases, shifted where said."""
    lines = []
    for name in names:
        run, shift = motion(name), shifts.get(name, 0.0)
        label = name if not shift else f"{name}, shifted by {shift:+g}"
        lines.append(degrees(label, _angle(run), run[channel], 3, shift))
    return lines


def _history(title: str, unit: str, lines: list[Any], height: float = 3.0, **options: Any) -> Any:
    figure, (axes,) = sheet(1, 1, height=height)
    curves(axes, title, unit, lines, across="angle of the crank", units="deg", **options)
    axes.set_xticks(range(0, 361, 60))
    return figure


@drawn
def fig_7() -> Any:
    return _history("torque on the crank", "Nm", _lines("main.torque", "A1", "A2", "A3", "A4", "A5"), 3.4)


@drawn
def fig_8() -> Any:
    lines = []
    for name in ("A4", "A5"):
        run = _motor(name)
        lines.append(degrees(name, run["main.travel"], run["main.speed"], 3))
    return _history("speed of the motor", "rad/s", lines)


@drawn
def fig_9() -> Any:
    lines = _lines("arm.50.moment", "A1", "A2", "A3", "A4", "A5", A4=-30.0, A5=-30.0)
    return _history("moment in the middle of the arm", "Nm", lines, 3.4)


@drawn
def fig_10() -> Any:
    return _history("contact force", "N", _lines("pin.force", "A2", "A5"))


@drawn
def fig_11() -> Any:
    return _history("torque on the crank", "Nm", _lines("main.torque", "B1", "B2", "B3"))


@drawn
def fig_12() -> Any:
    figure, panels = sheet(3, 1, height=1.5, sharex=True)
    for axes, name in zip(panels, ("B1", "B2", "B3"), strict=True):
        curves(axes, f"contact force, {name}", "N", _lines("pin.force", name), across="angle of the crank", units="deg")
        axes.set_xticks(range(0, 361, 60))
        axes.set_xlabel("angle of the crank [deg]" if name == "B3" else "")
    return figure


def _damped(title: str, channel: str, step: float) -> Any:
    """With and without clearance, one pair for each damping, shifted for clarity as in the article."""
    shifts = {name: k * step for k, pair in enumerate((("C1", "C5"), ("C2", "C6"), ("C3", "C7"))) for name in pair}
    lines = _lines(channel, "C1", "C2", "C3", "C5", "C6", "C7", **shifts)
    return _history(title, "Nm", lines, 4.2, colours=[IDEAL, IDEAL, IDEAL, *PALETTE])


@drawn
def fig_13() -> Any:
    return _damped("torque on the crank", "main.torque", 2000.0)


@drawn
def fig_14() -> Any:
    return _damped("moment in the middle of the arm", "arm.50.moment", 200.0)


@drawn
def fig_15() -> Any:
    figure, panels = sheet(3, 1, height=1.5, sharex=True)
    lines = {name: _lines("pin.force", name) for name in ("C5", "C6", "C7")}
    for axes, name in zip(panels, lines, strict=True):
        title = f"contact force, {name}: damping {DAMPING[name]}"
        curves(axes, title, "N", lines[name], across="angle of the crank", units="deg", up_to=reach(*lines.values()))
        axes.set_xticks(range(0, 361, 60))
        axes.set_xlabel("angle of the crank [deg]" if name == "C7" else "")
    return figure


@drawn
def fig_16() -> Any:
    return _history("moment in the middle of the arm, no damping", "Nm", _lines("arm.50.moment", "C8", "C4"))


THIRD = "the third revolution; the article's angle is ours less half a turn"

FIGURES = (
    PaperFigure("7", "the torque on the crank, cases A1 to A5", THIRD, ("A1", "A2", "A3", "A4", "A5"), fig_7),
    PaperFigure("8", "the angular velocity of the motor, cases A4 and A5", THIRD, ("A4", "A5"), fig_8),
    PaperFigure("9", "bending moments in the middle of the arm, cases A1 to A5, the last two shifted by -30 N m", THIRD,
                ("A1", "A2", "A3", "A4", "A5"), fig_9),
    PaperFigure("10", "contact forces, cases A2 and A5", THIRD, ("A2", "A5"), fig_10),
    PaperFigure("11", "the torque on the crank with Young's modulus once, 10 and 50 times, cases B1 to B3", THIRD,
                ("B1", "B2", "B3"), fig_11),
    PaperFigure("12", "contact forces, cases B1 to B3", THIRD, ("B1", "B2", "B3"), fig_12),
    PaperFigure("13", "the torque on the crank for three dampings, without clearance (C1 to C3) and with (C5 to C7)",
                f"{THIRD}; shifted by 2000 and 4000 N m as there", ("C1", "C2", "C3", "C5", "C6", "C7"), fig_13),
    PaperFigure("14", "bending moments in the middle of the arm for three dampings, without and with clearance",
                f"{THIRD}; shifted by 200 and 400 N m as there", ("C1", "C2", "C3", "C5", "C6", "C7"), fig_14),
    PaperFigure("15", "contact forces for three dampings, cases C5 to C7", THIRD, ("C5", "C6", "C7"), fig_15),
    PaperFigure("16", "bending moments in the middle of the arm without damping, cases C4 and C8",
                f"{THIRD}; with clearance it is mostly noise of the mesh, there and here", ("C4", "C8"), fig_16),
    *SPACE,
    *QUICK_RETURN,
)  # fmt: skip
