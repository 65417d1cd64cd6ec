"""Figures 2, 3 and 5 to 14 of Schwab, Meijaard, Meijers 2002."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure as Sheet

import gudgeon as gd
from gudgeon.draw.scale import readable
from gudgeon.draw.style import CONTACT, IDEAL, INK, PALETTE, REAL, SOFT
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.schwab2002 import cases as case
from gudgeon.papers.schwab2002.claims import steady_film
from gudgeon.papers.sheet import below, curves, drawn, loop, orbit, sheet, turn
from gudgeon.papers.stored import stored

__all__ = ["FIGURES"]

PERIOD = 2.0 * np.pi / case.SPEED
TRANSIENT = 10  # revolutions before those that are shown
GAP = 5e-4  # [m]
SHOWN = ["slider.ax", "slider.vx", "main.torque", "pin.ex", "pin.ey", "pin.depth"]
MARKED = 30  # degrees between two marked angles of the crank


@stored
def _sphere() -> gd.Run:
    return gd.simulate(case.sphere(), duration="200 us", rtol=1e-11, channels=["pin.depth", "pin.normal"])


@stored
def _two_turns(method: str) -> gd.Run:
    """Two revolutions after the transient."""
    before = gd.simulate(case.hertz(), revolutions=TRANSIENT, rtol=1e-10, method=method, channels=[], output=PERIOD)
    return gd.simulate(case.hertz(), revolutions=2, rtol=1e-10, method=method, channels=SHOWN, resume=before)


@stored
def _elastic() -> gd.Run:
    """The same two revolutions with an elastic rod of two elements."""
    mechanism = case.elastic_elements()
    before = gd.simulate(mechanism, revolutions=TRANSIENT, rtol=1e-10, channels=[], output=PERIOD)
    return gd.simulate(mechanism, revolutions=2, rtol=1e-10, channels=SHOWN, resume=before)


@stored
def _ideal() -> gd.Run:
    """The same two revolutions without clearance."""
    before = gd.simulate(case.ideal(), revolutions=TRANSIENT, rtol=1e-10, channels=[], output=PERIOD)
    channels = ["slider.ax", "slider.vx", "main.torque"]
    return gd.simulate(case.ideal(), revolutions=2, rtol=1e-10, channels=channels, output=PERIOD / 2000, resume=before)


@stored
def _film() -> gd.Run:
    """Two revolutions with a film after two others."""
    before = gd.simulate(case.film(), revolutions=2, rtol=1e-10, channels=[])
    channels = ["slider.ax", "slider.vx", "main.torque", "pin.ex", "pin.ey"]
    return gd.simulate(case.film(), revolutions=2, rtol=1e-10, channels=channels, output=PERIOD / 5000, resume=before)


def _turns(axes: Any, title: str, unit: str, channel: str, *runs: tuple[str, gd.Run], legend: bool = False) -> None:
    lines = [turn(label, run, channel, PERIOD, run.t[0]) for label, run in runs]
    curves(axes, title, unit, lines, across="revolutions", units="1", legend=legend)


@drawn
def fig_2() -> Any:
    figure, (a, b, c) = sheet(1, 3, height=2.3)
    run = _sphere()
    touch = run.contacts[0]
    inside = (run.t >= touch.t_on) & (run.t <= touch.t_off)
    t, depth, force = run.t[inside] - touch.t_on, run["pin.depth"][inside], run["pin.normal"][inside]
    curves(a, "depth", "m", [("", t, depth)])
    curves(b, "contact force", "N", [("", t, force)])
    loop(c, "force over depth", [("", depth, force)])
    c.fill(depth * 1e6, force * 1e-3, color=REAL, alpha=0.13, linewidth=0)
    return figure


@drawn
def fig_3() -> Any:
    figure, (axes,) = sheet(1, 1, height=2.9)
    ratios = np.concatenate([np.linspace(0.01, 0.94, 94), 1.0 - np.geomspace(0.05, 1e-3, 60)])
    force, angle = np.array(case.bearing([float(x) for x in ratios])).T
    (one,) = axes.semilogy(ratios, force, color=REAL, label="force")
    other: Any = axes.twinx()
    (two,) = other.plot(ratios, np.degrees(angle), color=CONTACT, linestyle="--", label="its angle from x")
    other.spines["right"].set_visible(True)
    other.set(ylim=(90.0, 180.0), yticks=range(90, 181, 30), ylabel="angle [deg]")
    axes.axvline(0.95, color=SOFT, linewidth=0.6, linestyle=":")
    axes.set(xlim=(0.0, 1.0), xlabel="x/c", ylabel="force on the journal [N]", title="film force, journal held at x/c")
    axes.legend(handles=[one, two], loc="upper left")
    return figure


def _motion(real: tuple[str, gd.Run]) -> Any:
    """Acceleration and velocity of the slider over two revolutions."""
    figure, (a, b) = sheet(2, 1, sharex=True)
    _turns(a, "(a) acceleration of the slider", "m/s^2", "slider.ax", ("ideal", _ideal()), real, legend=True)
    _turns(b, "(b) velocity of the slider", "m/s", "slider.vx", ("ideal", _ideal()), real)
    a.set_xlabel("")
    return figure


def _torque_and_path(real: tuple[str, gd.Run]) -> tuple[Any, Any, Any]:
    figure = Sheet(figsize=(7.2, 2.9), layout="constrained")
    a, b = figure.subplots(1, 2, width_ratios=[1.35, 1.0])
    _turns(a, "(a) torque on the crank", "Nm", "main.torque", ("ideal", _ideal()), real)
    run = real[1]
    touching = run["pin.depth"] > -1e-9 if "pin.depth" in run else np.zeros(len(run.t), dtype=bool)
    orbit(b, "(b) centre of the journal", run["pin.ex"], run["pin.ey"], GAP, touching)
    return figure, a, b


@drawn
def fig_5() -> Any:
    return _motion(("Hertz", _two_turns("dopri5")))


@drawn
def fig_6() -> Any:
    run = _two_turns("dopri5")
    figure, a, b = _torque_and_path(("Hertz", run))
    even = np.linspace(run.t[0], run.t[-1], 400)
    way = (np.interp(even, run.t, run[name]) * 1e3 for name in ("pin.ex", "pin.ey"))
    b.plot(*way, ".", markersize=1.6, color=INK, label="equal times", zorder=5)
    below(a)
    below(b)
    return figure


@drawn
def fig_7() -> Any:
    return _motion(("impacts", _two_turns("impact")))


@drawn
def fig_8() -> Any:
    run = _two_turns("impact")
    figure, a, b = _torque_and_path(("impacts", run))
    # what the estimated largest force of an impact adds to the torque: the impulse of the drive is known
    inside = [x for x in run.impacts if x.t >= run.t[0] and x.impulse > 0.0]
    turns = [(x.t - run.t[0]) / PERIOD for x in inside]
    high = [x.peak_force * x.reactions["main.drive"] / x.impulse for x in inside]
    a.vlines(turns, 0.0, high, color=CONTACT, linewidth=0.7, label="estimated peaks", zorder=4)
    a.relim()
    a.autoscale(axis="y")
    below(a)
    below(b)
    return figure


@drawn
def fig_9() -> Any:
    return _motion(("elastic rod", _elastic()))


@drawn
def fig_10() -> Any:
    figure, a, b = _torque_and_path(("elastic rod", _elastic()))
    below(a)
    below(b)
    return figure


@drawn
def fig_11() -> Any:
    return _motion(("film", _film()))


def _angles(axes: Any, x: np.ndarray, y: np.ndarray, away: float, between: int = MARKED) -> None:
    """Dots with the angle of the crank, along a way of one revolution; numbers that far from them, off all lines."""
    taken = np.column_stack([x, y])
    round_about = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    for angle in range(0, 360, between):
        k = round((len(x) - 1) * angle / 360)
        axes.plot(
            x[k], y[k], "o", color=PALETTE[5], markersize=3.0, markeredgecolor="white", markeredgewidth=0.4, zorder=6
        )
        spots = np.column_stack([x[k] + away * np.cos(round_about), y[k] + away * np.sin(round_about)])
        room = np.linalg.norm(spots[:, None] - taken[None], axis=2).min(axis=1)
        room[((spots < low + 0.3 * away) | (spots > high - 0.3 * away)).any(axis=1)] = 0.0
        spot = spots[int(np.argmax(np.round(room / away, 3)))]
        taken = np.vstack([taken, spot])
        axes.text(*spot, str(angle), ha="center", va="center", fontsize=6.5, color=SOFT)


@drawn
def fig_12() -> Any:
    run = _film()
    figure, a, b = _torque_and_path(("film", run))
    once = run.t < run.t[0] + PERIOD
    _angles(b, 1e3 * run["pin.ex"][once], 1e3 * run["pin.ey"][once], away=0.07, between=60)
    below(a)
    return figure


@drawn
def fig_13() -> Any:
    figure, (axes,) = sheet(1, 1, height=4.2)
    film, ideal = steady_film()
    for label, run, colour in (("ideal", ideal, IDEAL), ("film", film, REAL)):
        axes.plot(run["pin.fx"] * 1e-3, run["pin.fy"] * 1e-3, color=colour, label=label, linewidth=1.0,
                  linestyle="--" if label == "ideal" else "-")  # fmt: skip
    _angles(axes, film["pin.fx"] * 1e-3, film["pin.fy"] * 1e-3, away=0.16)
    axes.margins(0.06)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(title="force of the bearing", xlabel="along x [kN]", ylabel="along y [kN]")
    axes.legend(loc="upper right")
    readable(axes)
    return figure


@drawn
def fig_14() -> Any:
    figure = Sheet(figsize=(7.2, 5.0), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d")
    film, _ = steady_film()
    rho, force = film["pin.eccentricity"], film["pin.force"] * 1e-3
    rate = np.gradient(rho * GAP, film.t)
    axes.plot(rho, rate, force, color=REAL, linewidth=1.1)
    axes.plot(rho, rate, 0.0, color=IDEAL, linewidth=0.7)  # its shadow on the floor
    every = (len(rho) - 1) / (360 / MARKED)
    marks = [round(mark * every) for mark in range(360 // MARKED)]
    axes.plot(rho[marks], rate[marks], force[marks], "o", color=CONTACT, markersize=3.0)
    axes.set(xlabel="displacement over clearance", ylabel="radial velocity [m/s]", zlabel="force [kN]", zlim=(0.0, 4.5))
    axes.view_init(elev=22.0, azim=-128.0)
    axes.set_box_aspect((1.3, 1.0, 0.75), zoom=1.05)
    _beside(axes, [(f"{MARKED * mark}", rho[k], rate[k], force[k]) for mark, k in enumerate(marks)])
    return figure


def _beside(axes: Any, marks: list[tuple[str, float, float, float]]) -> None:
    """Numbers of marks in space: most lie at the wall, one above the other, and have theirs in a column beside it."""
    places = [axes.get_proj() @ (*point, 1.0) for _, *point in marks]  # homogeneous
    seen = [(name, x / w, y / w) for (name, *_), (x, y, _, w) in zip(marks, places, strict=True)]
    right = max(x for _, x, _ in seen)
    column = sorted((y, x, name) for name, x, y in seen if x > right - 0.003)
    lowest, row = column[0][0] - 0.004, 0.0052  # in the units of the projection
    for k, (y, x, name) in enumerate(column):
        axes.annotate(name, (x, y), (right + 0.011, max(y, lowest + k * row)), va="center", fontsize=8.0, color=SOFT,
                      arrowprops={"arrowstyle": "-", "color": IDEAL, "linewidth": 0.5, "shrinkA": 0})  # fmt: skip
    for name, x, y in seen:
        if x <= right - 0.003:
            axes.annotate(name, (x, y), (-6.0, 5.0), textcoords="offset points", ha="right", fontsize=8.0, color=SOFT)


AFTER = f"two revolutions after {TRANSIENT}"

FIGURES = (
    PaperFigure("2", "depth, force and hysteresis loop of one impact of a sphere", "the same impact at 5 m/s, e = 0.95",
                ("sphere",), fig_2),
    PaperFigure("3", "size and direction of the film's force on a journal that turns and is held at x/c",
                "the same impedances of Moes, Sikkes and Bosma", ("film",), fig_3),
    PaperFigure("5", "acceleration and velocity of the slider, rigid links and Hertz contact, two revolutions",
                f"{AFTER}; the motion is chaotic, so that only its kind can be the same", ("hertz", "ideal"), fig_5),
    PaperFigure("6", "torque on the crank and path of the journal of the same two revolutions",
                f"{AFTER}; dots at equal times", ("hertz", "ideal"), fig_6),
    PaperFigure("7", "acceleration and velocity of the slider, impacts as instants", f"{AFTER}; chaotic as well",
                ("impact", "ideal"), fig_7),
    PaperFigure("8", "torque on the crank with estimated peaks of the impacts, and path of the journal",
                f"{AFTER}; the peaks follow from impulses and Hertz's law (Eq 28)", ("impact", "ideal"), fig_8),
    PaperFigure("9", "acceleration and velocity of the slider with an elastic connecting rod",
                f"{AFTER}; chaotic as well",
                ("elastic", "ideal"), fig_9),
    PaperFigure("10", "torque and path of the journal with an elastic connecting rod",
                f"{AFTER}; the rod is two beam elements, as there", ("elastic", "ideal"), fig_10),
    PaperFigure("11", "acceleration and velocity of the slider with a lubricated bearing, two revolutions",
                "the third and fourth revolution, which are alike", ("film", "ideal"), fig_11),
    PaperFigure("12", "torque and path of the journal with a film, marked by angles of the crank",
                "the third and fourth revolution; the journal runs round near the wall", ("film", "ideal"), fig_12),
    PaperFigure("13", "the locus of the bearing force, marked by angles of the crank", "the third revolution",
                ("film", "ideal"), fig_13),
    PaperFigure("14", "the force over radial displacement and radial velocity, in a diagram of space",
                "the third revolution, its shadow on the floor; angles of the crank are marked", ("film",), fig_14),
)  # fmt: skip
