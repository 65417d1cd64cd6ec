"""Figures 8 to 18 of Flores, Ambrosio, Claro, Lankarani 2006."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as Sheet

import gudgeon as gd
from gudgeon.draw.style import CONTACT, SOFT
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.flores2006.claims import CLEARANCE, loose, moment, perfect
from gudgeon.papers.sheet import below, curves, drawn, loop, of, orbit, phase, sheet, square

__all__ = ["FIGURES"]

PLANES = (("ball.ex", "ball.ey"), ("ball.ex", "ball.ez"), ("ball.ey", "ball.ez"))


def _loose() -> gd.Run:
    return loose().run


def _ideal() -> gd.Run:
    return perfect().run


@drawn
def fig_8() -> Any:
    figure, (axes,) = sheet(1, 1, height=2.8)
    run = _loose()
    first = run.contacts[0]
    inside = (run.t >= first.t_on) & (run.t <= first.t_off)
    lines = [(label, run.t[inside] - first.t_on, run[name][inside])
             for label, name in (("contact", "ball.normal"), ("reaction at the pivot", "pivot.force"))]  # fmt: skip
    curves(axes, "forces of the first impact", "N", lines, across="time since the touch", legend=False)
    axes.lines[1].set_linestyle("--")  # the two nearly coincide
    axes.legend(loc="upper right")
    return figure


@drawn
def fig_9() -> Any:
    figure, (axes,) = sheet(1, 1, height=3.2)
    run, lines = _loose(), []
    for number, record in enumerate(run.contacts[:3], 1):
        inside = (run.t >= record.t_on) & (run.t <= record.t_off)
        label = f"impact {number}: {1e6 * record.energy_lost:.1f} µJ lost"
        lines.append((label, run["ball.depth"][inside], run["ball.normal"][inside]))
    loop(axes, "contact force over depth", lines)
    axes.legend(loc="upper left")
    return figure


def _both(title: str, unit: str, channel: str) -> Any:
    figure, (axes,) = sheet(1, 1, height=2.6)
    lines = [of("ideal", _ideal(), channel), of("with clearance", _loose(), channel)]
    curves(axes, title, unit, lines, legend=False)
    below(axes)
    return figure


@drawn
def fig_10() -> Any:
    return _both("height of the rocker's centre of mass", "m", "rocker.z")


@drawn
def fig_11() -> Any:
    return _both("vertical velocity of the rocker's centre of mass", "m/s", "rocker.vz")


@drawn
def fig_12() -> Any:
    return _both("vertical acceleration of the rocker's centre of mass", "m/s^2", "rocker.az")


@drawn
def fig_13() -> Any:
    figure, (axes,) = sheet(1, 1, height=2.6)
    lines = [(label, run.t, moment(run)) for label, run in (("ideal", _ideal()), ("with clearance", _loose()))]
    curves(axes, "y moment of the pivot's force about the rocker's centre of mass", "Nm", lines, legend=False)
    below(axes)
    return figure


@drawn
def fig_14() -> Any:
    figure, (axes,) = sheet(1, 1, height=2.6)
    curves(axes, "offset of the ball from the centre of its socket", "m", [of("", _loose(), "ball.offset")])
    axes.axhline(1e3 * CLEARANCE, color=CONTACT, linestyle="--", linewidth=0.8, label="clearance", zorder=4)
    axes.set_ylim(0.0, 1.12e3 * CLEARANCE)
    below(axes)
    return figure


def _way(start: float, stop: float) -> Any:
    """The way of the ball in its socket between two times, along each axis."""
    figure = Sheet(figsize=(7.2, 2.9), layout="constrained")
    run = _loose()
    inside = (run.t >= start) & (run.t <= stop)
    touching = run["ball.depth"][inside] > 0.0
    for axes, (x, y) in zip(figure.subplots(1, 3), PLANES, strict=True):
        a, b = x[-1], y[-1]
        orbit(axes, f"seen in the {a}{b} plane", run[x][inside], run[y][inside], CLEARANCE, touching)
        axes.set_xlabel(f"{a} [mm]")
        axes.set_ylabel(f"{b} [mm]")
        for record in run.contacts:
            if start <= record.t_on <= stop:
                place = [float(np.interp(record.t_on, run.t, run[name])) * 1e3 for name in (x, y)]
                axes.plot(
                    *place, "o", color=CONTACT, markersize=3.0, markeredgecolor="white", markeredgewidth=0.5, zorder=6
                )
    below(figure.axes[1], 2)
    return figure


@drawn
def fig_15() -> Any:
    return _way(0.0, _loose().contacts[5].t_off)


@drawn
def fig_16() -> Any:
    return _way(0.100, 0.150)


def _portrait(run: gd.Run, label: str) -> Any:
    figure, (axes,) = square(1)
    phase(axes, "velocity over height of the rocker", [(label, run["rocker.z"], run["rocker.vz"])],
          ("height", "vertical velocity"), ("m", "m/s"))  # fmt: skip
    axes.axhline(0.0, color=SOFT, linewidth=0.5, zorder=1)
    return figure


@drawn
def fig_17() -> Any:
    return _portrait(_ideal(), "without clearance")


@drawn
def fig_18() -> Any:
    return _portrait(_loose(), "with clearance")


PLAY = "2 s with 0.5 mm of play in the ball, the stiffness as printed and positions of the joints assumed"
HERE = ("four_bar",)

FIGURES = (
    PaperFigure("8", "normal contact force and reaction at the rocker's pivot during the first impact", PLAY,
                HERE, fig_8),
    PaperFigure("9", "hysteresis loops of the first three impacts", PLAY, HERE, fig_9),
    PaperFigure("10", "the height of the rocker's centre of mass, with and without clearance", PLAY, HERE, fig_10),
    PaperFigure("11", "its vertical velocity", PLAY, HERE, fig_11),
    PaperFigure("12", "its vertical acceleration", PLAY, HERE, fig_12),
    PaperFigure("13", "the y component of the reaction moment between ground and rocker",
                f"{PLAY}; about the rocker's centre of mass, for about the pin it is 0", HERE, fig_13),
    PaperFigure("14", "the size of the eccentricity vector, and the clearance", PLAY, HERE, fig_14),
    PaperFigure("15", "the path of the ball's centre in the socket during the first six impacts, in space",
                f"{PLAY}; seen along each axis, first touches as dots", HERE, fig_15),
    PaperFigure("16", "the path of the ball's centre from 0.100 to 0.150 s, always in contact",
                f"{PLAY}; seen along each axis: with these positions it is not always in contact", HERE, fig_16),
    PaperFigure("17", "velocity over height of the rocker without clearance, called a Poincaré map",
                "2 s with ideal joints; the way closes", HERE, fig_17),
    PaperFigure("18", "velocity over height of the rocker with clearance, called a Poincaré map", PLAY, HERE, fig_18),
)  # fmt: skip
