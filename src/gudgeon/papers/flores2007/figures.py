"""Figures 3, 4, 6 to 8 and 10 to 13 of Flores, Ambrosio, Claro, Lankarani 2007."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.draw.style import REAL
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.flores2007 import cases as case
from gudgeon.papers.flores2007.claims import CLEARANCES, PERIOD
from gudgeon.papers.sheet import below, curves, drawn, loop, orbit, phase, sheet, square, turn
from gudgeon.papers.stored import stored

__all__ = ["FIGURES"]

SETTLED = 8  # revolutions before the two that are shown, four-bar
TRANSIENT = 100  # the same, slider-crank
RESTITUTIONS = (1.0, 0.9, 0.7, 0.5)
STIFFNESS, MASS, SPEED = 6.6e10, 0.145, 5.0  # [N/m^1.5], section 3; mass [kg] and speed [m/s] are those of 002
FRICTIONS = tuple(case.REGIME_BY_FRICTION)


@stored
def _spheres(restitution: float) -> gd.Run:
    """A sphere meets the inside of another."""
    m = gd.Mechanism("internally colliding spheres", start="given")
    ball = m.body("sphere", mass=MASS, inertia=0.4 * MASS * case.RADIUS**2, at=(0.0, 0.0), velocity=(SPEED, 0.0))
    wall = gd.LankaraniNikravesh(stiffness=STIFFNESS, restitution=restitution)
    m.revolute("pin", journal=ball, bearing=m.ground, at=(0.0, 0.0), radius=case.RADIUS,
               fit=gd.Clearance(5e-4, wall=wall))  # fmt: skip
    return gd.simulate(m, duration="200 us", rtol=1e-11, channels=["pin.depth", "pin.normal"])


def _impact(restitution: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Time since the touch [s], depth [m] and force [N]."""
    run = _spheres(restitution)
    touch = run.contacts[0]
    inside = (run.t >= touch.t_on) & (run.t <= touch.t_off)
    return run.t[inside] - touch.t_on, run["pin.depth"][inside], run["pin.normal"][inside]


@stored
def _four_bar(clearance: float | None) -> gd.Run:
    """Two settled revolutions; clearance [mm], None for ideal joints."""
    mechanism = case.four_bar(None if clearance is None else f"{clearance} mm")
    channels = ["follower.spin", "follower.alpha", "main.torque"]
    if clearance is not None:
        channels += ["pin.ex", "pin.ey"]
    before = gd.simulate(mechanism, revolutions=SETTLED, rtol=1e-10, channels=[], output=PERIOD)
    return gd.simulate(mechanism, revolutions=2, rtol=1e-10, channels=channels, output=PERIOD / 2000, resume=before)


@stored
def _slider_crank(clearance: float | None, friction: float | None = None) -> gd.Run:
    """Two revolutions after the transient; clearance [mm]."""
    mechanism = case.slider_crank(None if clearance is None else f"{clearance} mm", friction=friction)
    channels = ["slider.vx", "slider.ax"]
    if clearance is None:
        return gd.simulate(mechanism, revolutions=1, rtol=1e-10, channels=channels)
    period = 2.0 * math.pi / abs(case.SLIDER_CRANK_SPEED)
    before = gd.simulate(mechanism, revolutions=TRANSIENT, channels=[], output=period)
    return gd.simulate(mechanism, revolutions=2, channels=[*channels, "pin.ex", "pin.ey", "pin.depth"], resume=before)


@drawn
def fig_3() -> Any:
    figure, (a, b, c) = sheet(1, 3, height=2.3)
    t, depth, force = _impact(0.9)
    curves(a, "(a) depth", "m", [("", t, depth)])
    curves(b, "(b) contact force", "N", [("", t, force)])
    loop(c, "(c) force over depth", [("", depth, force)])
    c.fill(depth * 1e6, force * 1e-3, color=REAL, alpha=0.13, linewidth=0)
    return figure


@drawn
def fig_4() -> Any:
    figure, (a, b) = sheet(1, 2, height=2.9)
    impacts = {f"e = {e:g}": _impact(e) for e in RESTITUTIONS}
    curves(a, "(a) contact force", "N", [(label, t, force) for label, (t, _, force) in impacts.items()], legend=False)
    loop(b, "(b) force over depth", [(label, depth, force) for label, (_, depth, force) in impacts.items()])
    figure.legend(*a.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


@drawn
def fig_6() -> Any:
    figure, (a, b, c, d) = sheet(2, 2, height=2.7)
    runs = {"ideal": _four_bar(None), "c = 0.2 mm": _four_bar(0.2)}
    for axes, title, unit, channel in (
        (a, "(a) angular velocity of the follower", "rad/s", "follower.spin"),
        (b, "(b) angular acceleration of the follower", "rad/s^2", "follower.alpha"),
        (c, "(c) moment on the crank", "Nm", "main.torque"),
    ):
        lines = [turn(label, run, channel, PERIOD, run.t[0]) for label, run in runs.items()]
        curves(axes, title, unit, lines, across="revolutions", units="1", legend=False)
    below(c)
    run = runs["c = 0.2 mm"]
    orbit(d, "(d) centre of the journal", run["pin.ex"], run["pin.ey"], 2e-4)
    below(d)
    return figure


@drawn
def fig_7() -> Any:
    figure, panels = sheet(2, 2, height=2.2, sharex=True, sharey=True)
    ideal = turn("ideal", _four_bar(None), "main.torque", PERIOD, _four_bar(None).t[0])
    for axes, c, letter in zip(panels, CLEARANCES, "abcd", strict=True):
        run = _four_bar(c)
        lines = [ideal, turn("with clearance", run, "main.torque", PERIOD, run.t[0])]
        curves(axes, f"({letter}) c = {c:g} mm", "Nm", lines, across="revolutions", units="1", legend=False)
    for axes in panels[:2]:
        axes.set_xlabel("")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


@drawn
def fig_8() -> Any:
    figure, panels = square(2, 2)
    units = ("rad/s", "rad/s^2")
    for axes, c, letter in zip(panels, CLEARANCES, "abcd", strict=True):
        lines = [(label, run["follower.spin"], run["follower.alpha"]) for label, run in
                 (("ideal", _four_bar(None)), ("with clearance", _four_bar(c)))]  # fmt: skip
        phase(axes, f"({letter}) c = {c:g} mm", lines, ("angular velocity", "acceleration"), units)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _orbits(runs: list[tuple[str, gd.Run, float]]) -> Any:
    figure, panels = square(2, 2)
    for axes, (title, run, gap) in zip(panels, runs, strict=True):
        orbit(axes, title, run["pin.ex"], run["pin.ey"], gap * 1e-3, run["pin.depth"] > 0.0)
    handles = {
        label: handle for axes in panels for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=2)
    return figure


def _portraits(runs: list[tuple[str, gd.Run]]) -> Any:
    figure, panels = square(2, 2)
    ideal = _slider_crank(None)
    for axes, (title, run) in zip(panels, runs, strict=True):
        lines = [(label, r["slider.vx"], r["slider.ax"]) for label, r in (("ideal", ideal), ("with clearance", run))]
        phase(axes, title, lines, ("velocity", "acceleration"), ("m/s", "m/s^2"))
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


@drawn
def fig_10() -> Any:
    return _orbits([(f"({x}) c = {c:g} mm", _slider_crank(c), c) for x, c in zip("abcd", CLEARANCES, strict=True)])


@drawn
def fig_11() -> Any:
    return _portraits([(f"({x}) c = {c:g} mm", _slider_crank(c)) for x, c in zip("abcd", CLEARANCES, strict=True)])


@drawn
def fig_12() -> Any:
    return _orbits(
        [(f"({x}) friction {f:g}", _slider_crank(0.5, f), 0.5) for x, f in zip("abcd", FRICTIONS, strict=True)]
    )


@drawn
def fig_13() -> Any:
    return _portraits(
        [(f"({x}) friction {f:g}", _slider_crank(0.5, f)) for x, f in zip("abcd", FRICTIONS, strict=True)]
    )


BALLS = f"a sphere of {1e3 * MASS:g} g at {SPEED:g} m/s, for the article prints neither"
TURNED = f"the two revolutions after {SETTLED}, start angle 0, branch -1"
LATE = f"the two revolutions after {TRANSIENT}"

FIGURES = (
    PaperFigure("3", "depth, force and hysteresis loop of two internally colliding spheres", f"e = 0.9, {BALLS}",
                ("slider_crank",), fig_3),
    PaperFigure("4", "force over time and over depth for several coefficients of restitution", BALLS, ("slider_crank",),
                fig_4),
    PaperFigure("6", "velocity and acceleration of the follower, moment on the crank, path of the journal, c = 0.2 mm",
                TURNED, ("four_bar",), fig_6),
    PaperFigure("7", "the moment on the crank for four clearances", TURNED, ("four_bar",), fig_7),
    PaperFigure("8", "Poincaré maps of the four-bar, in fact phase portraits, for four clearances",
                f"{TURNED}; acceleration over velocity of the follower", ("four_bar",), fig_8),
    PaperFigure("10", "the path of the journal for four clearances", LATE, ("slider_crank",), fig_10),
    PaperFigure("11", "Poincaré maps, in fact phase portraits of the slider, for four clearances", LATE,
                ("slider_crank",), fig_11),
    PaperFigure("12", "the path of the journal for four coefficients of friction, c = 0.5 mm", LATE,
                ("slider_crank",), fig_12),
    PaperFigure("13", "phase portraits of the slider for four coefficients of friction, c = 0.5 mm", LATE,
                ("slider_crank",), fig_13),
)  # fmt: skip
