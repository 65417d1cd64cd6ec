"""Figures 18 to 22 of Bauchau, Rodriguez 2002: the crank-slider that may leave its plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.papers.bauchau2002.parts import SPEED
from gudgeon.papers.bauchau2002.space_claims import FAR, SPEEDS, motion, unstopped
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.sheet import Curve, curves, drawn, reach, sheet

__all__ = ["FIGURES"]

TIPS = {"disks": "two disks in a bore", "free": "tip free to shift and tilt"}


def _history(title: str, unit: str, channel: str, names: tuple[str, ...], scale: float = 1.0) -> Any:
    """A channel over all revolutions of some cases."""
    figure, (axes,) = sheet(1, 1, height=3.0)
    lines = []
    for name in names:
        run = motion(name)
        turns = (run["main.travel"] if "main.travel" in run else run.t * SPEED) / (2.0 * np.pi)
        lines.append((name, turns, scale * run[channel]))
    curves(axes, title, unit, lines, across="revolutions", units="1")
    return figure


@drawn
def fig_18() -> Any:
    return _history("torque on the crank", "Nm", "main.torque", ("A1", "A2", "A3"))


@drawn
def fig_19() -> Any:
    return _history("displacement of point A out of the plane", "mm", "arm.100.z", ("A2", "A3"), 1e3)


@drawn
def fig_20() -> Any:
    return _history("contact force of the joint", "N", "pin.force", ("A2", "A3"))


def _unstopped(title: str, unit: str, channel: str, scale: float = 1.0) -> Any:
    """A channel without stops at three speeds, until the tip is FAR: with the disks in the bore, and with a tip free to
    shift and tilt."""
    figure, panels = sheet(2, 1, height=2.6)
    drawn_at: dict[str, list[Curve]] = {tip: [] for tip in TIPS}
    for tip, lines in drawn_at.items():
        for rpm in SPEEDS:
            run = unstopped(rpm, tip, revolutions=3, output=1e-4)
            near = np.cumsum(np.abs(run["arm.100.z"]) > FAR) == 0
            lines.append((f"{rpm:g} rpm", run.t[near] * rpm / 60.0, scale * run[channel][near]))
    up_to = reach(*drawn_at.values())
    for axes, (tip, lines) in zip(panels, drawn_at.items(), strict=True):
        curves(axes, f"{title}, {TIPS[tip]}", unit, lines, across="revolutions", units="1", up_to=up_to)
    return figure


@drawn
def fig_21() -> Any:
    return _unstopped("displacement of point A out of the plane", "mm", "arm.100.z", 1e3)


@drawn
def fig_22() -> Any:
    return _unstopped("contact force of the joint", "N", "pin.force")


ALL = "three revolutions from the start"
APART = (
    f"three revolutions from the start; since the disks keep the tip near the plane, it is shown also where it is free "
    f"to shift and tilt, until it is {1e3 * FAR:g} mm away"
)
CASES = ("spatial_A1", "spatial_A2", "spatial_A3")

FIGURES = (
    PaperFigure("18", "the torque on the crank with two joints of space, cases A1 to A3 of section 7.2", ALL, CASES,
                fig_18),
    PaperFigure("19", "the displacement of point A out of the plane, cases A2 and A3", ALL, CASES[1:], fig_19),
    PaperFigure("20", "the contact force in one of the two joints, cases A2 and A3", f"{ALL}; both disks together",
                CASES[1:], fig_20),
    PaperFigure("21", "the displacement of point A out of the plane at 75, 126 and 150 rpm without stops", APART,
                CASES[1:2], fig_21),
    PaperFigure("22", "the contact force at 75, 126 and 150 rpm without stops",
                f"{APART}; both disks together", CASES[1:2], fig_22),
)  # fmt: skip
