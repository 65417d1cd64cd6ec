"""Figures of mechanisms in space: a ball is seen along each axis, a body has six phases."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw import plot
from gudgeon.draw.draw import describe
from gudgeon.papers import ambrosio2018, flores2006


@pytest.fixture(scope="module")
def run():
    return gd.simulate(flores2006.four_bar(), duration=0.05)


def test_a_ball_orbits_in_three_planes(run):
    for plane in ("xy", "xz", "yz"):
        figure = plot(run, f"ball.orbit.{plane}").figure
        (axes,) = figure.axes
        assert (axes.get_xlabel(), axes.get_ylabel()) == (f"{plane[0]} [mm]", f"{plane[1]} [mm]")
        dots = next(line for line in axes.lines if line.get_label() == "first touch")
        x, y = dots.get_data()
        expected = np.interp([r.t_on for r in run.contacts], run.t, run[f"ball.e{plane[0]}"]) * 1e3
        assert x == pytest.approx(expected)
        assert (np.hypot(x, y) <= 0.5 * (1 + 1e-6)).all()


def test_views_of_a_ball_have_one_frame(run):
    frames = {(*axes.get_xlim(), *axes.get_ylim())
              for plane in ("xy", "xz", "yz") for axes in plot(run, f"ball.orbit.{plane}").figure.axes}  # fmt: skip
    assert len(frames) == 1
    reach = np.sqrt(sum(run[f"ball.e{axis}"] ** 2 for axis in "xyz")).max() * 1e3
    assert next(iter(frames))[1] == pytest.approx(1.07 * reach)


def test_many_rows_of_an_orbit_are_lines_still(run, monkeypatch):
    monkeypatch.setattr("gudgeon.draw.panels.orbit.MANY", len(run.t) - 1)
    (axes,) = plot(run, "ball.orbit.xy").figure.axes
    free = next(line for line in axes.lines if line.get_label().startswith("_") and len(line.get_xdata()) > 2)
    assert free.get_linestyle() == "-" and len(free.get_xdata()) < 0.9 * len(run.t)


def test_stops_are_marked_by_their_number_and_not_on_the_joints_force():
    run = gd.simulate(ambrosio2018.triple_pendulum(), duration=1.5)
    assert [line.get_marker() for line in plot(run, "slide.force").figure.axes[0].lines] == ["None"]
    (axes,) = plot(run, "slide.stop.upper.normal").figure.axes
    number = next(k for k, record in enumerate(run.contacts, 1) if record.contact == "slide.stop.upper")
    assert number > 1 and axes.texts[0].get_text().endswith(f"contact {number}")


def test_mates_with_the_same_fit_are_named_once():
    text = describe(ambrosio2018.slider_crank(bearing="1 mm"))
    assert text.count("clearance 1 mm") == 1


def test_phases_in_space(run):
    (axes,) = plot(run, "coupler.phase.z").figure.axes
    assert axes.get_xlabel().startswith("coupler.vz")
    (axes,) = plot(run, "rocker.phase").figure.axes
    assert axes.get_xlabel().startswith("rocker.w")
    (axes,) = plot(run, "coupler.phase").figure.axes
    assert axes.get_xlabel().startswith("coupler.v")


@pytest.mark.parametrize("name", ["ball.orbit.zz", "main.orbit.xz", "coupler.phase.angle", "nobody.orbit.xy"])
def test_names_that_are_none(run, name):
    with pytest.raises(gd.GudgeonError, match="is not known"):
        plot(run, name)
