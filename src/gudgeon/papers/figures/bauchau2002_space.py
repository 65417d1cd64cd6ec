"""Figures 18 to 22 of Bauchau, Rodriguez 2002: the crank-slider that may leave its plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.papers.bauchau2002_parts import SPEED
from gudgeon.papers.bauchau2002_space_claims import motion
from gudgeon.papers.figures.entry import PaperFigure
from gudgeon.papers.figures.sheet import curves, drawn, sheet

__all__ = ["FIGURES"]


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


ALL = "three revolutions from the start"
NOT_YET = "runs without stops at several speeds are computed for the critical speed, but not yet drawn"
CASES = ("spatial_A1", "spatial_A2", "spatial_A3")

FIGURES = (
    PaperFigure("18", "the torque on the crank with two joints of space, cases A1 to A3 of section 7.2", ALL, CASES,
                fig_18),
    PaperFigure("19", "the displacement of point A out of the plane, cases A2 and A3", ALL, CASES[1:], fig_19),
    PaperFigure("20", "the contact force in one of the two joints, cases A2 and A3", f"{ALL}; both disks together",
                CASES[1:], fig_20),
    PaperFigure("21", "the displacement of point A out of the plane at 75, 126 and 150 rpm without stops", NOT_YET,
                CASES[1:2]),
    PaperFigure("22", "the contact force at 75, 126 and 150 rpm without stops", NOT_YET, CASES[1:2]),
)  # fmt: skip
