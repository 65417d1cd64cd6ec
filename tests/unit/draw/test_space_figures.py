"""Figures of mechanisms in space: a ball is seen along each axis, a body has six phases."""

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.draw import plot
from gudgeon.papers import flores2006


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
