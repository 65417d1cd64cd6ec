"""Figures 8 to 18 of Ambrosio, Pombo 2018."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.draw.scale import readable
from gudgeon.draw.style import CONTACT, PALETTE, REAL, SOFT
from gudgeon.papers.ambrosio2018.claims import SIZES, SPAN, loose_ball, loose_bearing, perfect
from gudgeon.papers.ambrosio2018.stops import LIMIT, LONGER, pendulum
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.sheet import Curve, curves, drawn, of, sheet

__all__ = ["FIGURES"]

NAMES = dict(zip((0.0, *SIZES), ("c = 0", "c = 1 µm", "c = 0.1 mm", "c = 1 mm"), strict=True))
HALF = 0.3  # of an arm [m]


# -- slider-crank -----------------------------------------------------------------------------------------------------


def _of_ball(title: str, unit: str, channel: str) -> Any:
    figure, (a, b) = sheet(2, 1, height=2.2, sharex=True)
    for axes, letter, words, sizes in ((a, "a", "null or small", (0.0, SIZES[0])), (b, "b", "larger", SIZES[1:])):
        lines = [of("ideal", perfect(), channel), *(of(NAMES[c], loose_ball(c), channel) for c in sizes)]
        curves(axes, f"({letter}) {title}, {words} clearance of the ball", unit, lines)
    a.set_xlabel("")
    return figure


@drawn
def fig_8() -> Any:
    return _of_ball("position of the slider", "m", "slider.x")


@drawn
def fig_9() -> Any:
    return _of_ball("angle of the crank", "rad", "main.travel")


@drawn
def fig_10() -> Any:
    return _of_ball("force in the ball along x", "N", "ball.fx")


def _bearing(clearance: float, damped: bool = True) -> gd.Run:
    """The whole 5 s, also of what does not damp."""
    return loose_bearing(clearance, damped, SPAN) if clearance == 0.0 else loose_bearing(clearance)


def _bearings(channel: str, sizes: Sequence[float] = (0.0, *SIZES)) -> list[Curve]:
    return [of("ideal", perfect(), channel), *(of(NAMES[c], _bearing(c), channel) for c in sizes)]


@drawn
def fig_11() -> Any:
    figure, (a, b) = sheet(2, 1, height=2.4, sharex=True)
    for axes, title, unit, channel in ((a, "(a) position of the slider, play in the crank's bearing", "m", "slider.x"),
                                       (b, "(b) angle of the crank", "rad", "main.travel")):  # fmt: skip
        free = of("c = 0, e = 1", _bearing(0.0, False), channel)
        curves(axes, title, unit, [*_bearings(channel), free], legend=axes is a)
    a.set_xlabel("")
    return figure


@drawn
def fig_12() -> Any:
    figure, panels = sheet(3, 2, height=1.75, sharex=True, sharey="col")
    for row, c in enumerate(SIZES):
        for axes, side in zip(panels[2 * row : 2 * row + 2], "xz", strict=True):
            lines = _bearings(f"main.f{side}", (c,))
            title = f"({'ab'['xz'.index(side)]}) along {side}, {NAMES[c]}"
            curves(axes, title, "N", lines, colours=[PALETTE[row + 1]], legend=False)
            axes.set_xlabel("time [s]" if row == 2 else "")
    return figure


@drawn
def fig_13() -> Any:
    figure, panels = sheet(2, 1, height=2.2, sharex=True)
    for axes, side, letter in zip(panels, "xz", "ab", strict=True):
        channel = f"main.f{side}"
        lines = [of("ideal", perfect(), channel, stop=1.5), of("c = 0, e = 1", _bearing(0.0, False), channel, stop=1.5),
                 of("c = 0, e = 0.75", _bearing(0.0), channel, stop=1.5),
                 of("c = 1 µm, e = 0.75", _bearing(SIZES[0]), channel, stop=1.5)]  # fmt: skip
        curves(axes, f"({letter}) force in the bearing along {side}", "N", lines, legend=letter == "a")
        axes.set_xlabel("time [s]" if side == "z" else "")
    return figure


# -- triple pendulum --------------------------------------------------------------------------------------------------


def _chain(run: gd.Run, k: int) -> np.ndarray:
    """Ends of the arms at a row of the run: ground, end of 1, start of 2, elbow, centre of mass of 3 [m]."""
    points = [np.zeros(3)]
    for arm, ends in ((1, (HALF,)), (2, (-HALF, HALF)), (3, (-HALF, 0.0))):
        centre = np.array([run[f"arm_{arm}.{axis}"][k] for axis in "xyz"])
        e0, e1, e2, e3 = (run[f"arm_{arm}.e{j}"][k] for j in range(4))
        along = np.array([e0**2 + e1**2 - 0.5, e1 * e2 + e0 * e3, e1 * e3 - e0 * e2]) * 2.0
        points += [centre + end * along for end in ends]
    return np.array(points)


def _pose(axes: Any, points: np.ndarray, across: int, colour: str, alpha: float = 1.0) -> None:
    """Arms as thick lines, the slide between the first two as a thin one, the last centre of mass as a dot."""
    x, y = points[:, 0], points[:, across]
    for first, last in ((0, 1), (2, 3), (4, 5)):
        axes.plot(x[first : last + 1], y[first : last + 1], color=colour, alpha=alpha, linewidth=1.6,
                  solid_capstyle="round")  # fmt: skip
    axes.plot(x[1:3], y[1:3], color=colour, alpha=alpha, linewidth=0.7, linestyle=":")
    axes.plot(x[-1], y[-1], "o", color=colour, alpha=alpha, markersize=3.5)


@drawn
def fig_14() -> Any:
    figure, (a, b) = sheet(1, 2, height=2.3)
    points = _chain(pendulum("hysteresis"), 0)
    for axes, across, letter, seen in ((a, 2, "z", "from the side"), (b, 1, "y", "from above")):
        _pose(axes, points, across, REAL)
        for k, name in ((0, "swing"), (2, "slide"), (3, "elbow")):
            axes.plot(points[k, 0], points[k, across], "o", color="white", markeredgecolor=REAL, markersize=5, zorder=5)
            axes.annotate(name, (points[k, 0], points[k, across]), xytext=(0, 9), textcoords="offset points",
                          ha="center", fontsize=7.5, color=SOFT)  # fmt: skip
        axes.set(
            title=seen, xlabel="x [m]", ylabel=f"{letter} [m]", xlim=(-0.25, 1.7), ylim=(-0.5, 0.5), aspect="equal"
        )
        readable(axes)
    a.annotate("", (0.6, LIMIT), (0.6, -LIMIT), arrowprops={"arrowstyle": "<|-|>", "color": CONTACT, "linewidth": 0.9})
    a.text(0.63, -LIMIT, "slides ±0.25 m", fontsize=7.5, color=CONTACT, va="top")
    b.text(1.2, -0.3, "turns ±45°, its axis\n45° from z", fontsize=7.5, color=CONTACT, ha="center", va="top")
    return figure


@drawn
def fig_15() -> Any:
    figure, panels = sheet(1, 3, height=2.1, sharey=True)
    run = pendulum("hysteresis")
    rate = run["arm_1.wy"]
    back = np.flatnonzero(rate[1:] * rate[:-1] < 0.0)
    first, second = (int(k) for k in back[back > 100][:2])
    spans = ((0, len(run.t) - 1, 30), (0, first, 9), (first, second, 9))
    for axes, (start, stop, count), title in zip(
        panels, spans, ("(a) 4 s", "(b) forward swing", "(c) backward swing"), strict=True
    ):
        shades = np.linspace(0.15, 1.0, count)
        for k, alpha in zip(np.linspace(start, stop, count).astype(int), shades, strict=True):
            _pose(axes, _chain(run, int(k)), 2, REAL, float(alpha) if count < 20 else 0.3)
        axes.set(title=f"{title}: {run.t[start]:.2f} to {run.t[stop]:.2f} s", xlabel="x [m]", xlim=(-1.7, 1.7),
                 ylim=(-1.75, 0.6), aspect="equal")  # fmt: skip
        readable(axes)
    panels[0].set_ylabel("z [m]")
    return figure


def _stops(stops: str) -> Any:
    figure, panels = sheet(4, 1, height=1.45, sharex=True)
    run = pendulum(stops)
    force = run["slide.stop.lower.normal"] - run["slide.stop.upper.normal"]
    moment = run["elbow.stop.lower.normal"] - run["elbow.stop.upper.normal"]
    for axes, title, unit, values, limit in (
        (panels[0], "displacement of body 2 along body 1", "m", run["slide.travel"], 1e3 * LIMIT),
        (panels[1], "force of the stops", "N", force, 0.0),
        (panels[2], "angle of body 3 against body 2", "rad", run["elbow.travel"], np.pi / 4),
        (panels[3], "moment of the stops", "Nm", moment, 0.0),
    ):
        curves(axes, title, unit, [("", run.t, values)])
        for side in (-1.0, 1.0) if limit else ():
            axes.axhline(side * limit, color=CONTACT, linestyle="--", linewidth=0.7)
        axes.set_xlabel("time [s]" if axes is panels[3] else "")
    return figure


@drawn
def fig_16() -> Any:
    return _stops("hysteresis")


@drawn
def fig_17() -> Any:
    return _stops("kelvin-voigt")


@drawn
def fig_18() -> Any:
    figure, panels = sheet(3, 1, height=1.6, sharex=True)
    run = pendulum("kelvin-voigt", LONGER, 0.0)
    for axes, title, unit, channel in zip(
        panels, ("angular velocity of body 1", "displacement of body 2 along body 1", "angle of body 3 against body 2"),
        ("rad/s", "m", "rad"), ("arm_1.wy", "slide.travel", "elbow.travel"), strict=True,
    ):  # fmt: skip
        curves(axes, title, unit, [of("", run, channel)])
        axes.set_xlabel("time [s]" if channel == "elbow.travel" else "")
    return figure


BALL = "5 s, cross of model P; without clearance the law does not damp by its own rule"
BEARING = "5 s, a bearing 100 mm long with K for each of ten strips, since no sizes are printed"
BALLS = ("ball", "slider_crank")
BODY_3 = "the centre of mass of body 3 lies 0.3 m from its joint"

FIGURES = (
    PaperFigure("8", "the slider's position for clearances of the spherical joint", BALL, BALLS, fig_8),
    PaperFigure("9", "the crank's angle for clearances of the spherical joint", BALL, BALLS, fig_9),
    PaperFigure("10", "the reaction along x in the spherical joint", BALL, BALLS, fig_10),
    PaperFigure("11", "the slider's position and the crank's angle for clearances of the revolute joint", BEARING,
                ("bearing", "slider_crank"), fig_11),
    PaperFigure("12", "reactions along x and z in the revolute joint, perfect and with clearance", BEARING,
                ("bearing", "slider_crank"), fig_12),
    PaperFigure("13", "the same at null clearance, with and without damping",
                f"the first 1.5 s; {BEARING}; the printed rule damps only where there is play", ("bearing",), fig_13),
    PaperFigure("14", "the triple pendulum with its limits", f"the start, described by Table 3; {BODY_3}",
                ("triple_pendulum",), fig_14),
    PaperFigure("15", "snapshots of the triple pendulum: all, first swing forwards, first swing backwards",
                f"Lankarani and Nikravesh, seen along y; {BODY_3}", ("triple_pendulum",), fig_15),
    PaperFigure("16", "relative motions and stop forces of the triple pendulum, Lankarani and Nikravesh",
                f"4 s; limits dashed; {BODY_3}", ("triple_pendulum",), fig_16),
    PaperFigure("17", "the same with Kelvin and Voigt", f"4 s; limits dashed; {BODY_3}", ("triple_pendulum",), fig_17),
    PaperFigure("18", "a long simulation with Kelvin and Voigt and null restitution",
                f"{LONGER:g} s; a stop without restitution yields to a lasting load: the slide sinks in; {BODY_3}",
                ("triple_pendulum",), fig_18),
)  # fmt: skip
