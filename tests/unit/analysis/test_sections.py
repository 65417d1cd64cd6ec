"""Sections, portraits and parts of a run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from known_systems import oscillator

import gudgeon as gd
from gudgeon.analysis import portrait, section, strobe
from gudgeon.papers import bauchau2002, flores2007, schwab2002

W = 20.0


def swing(**options) -> gd.Run:
    """x = 0.1 cos 20 t."""
    return gd.simulate(oscillator(W, 0.0), duration=3.0, rtol=1e-11, **options)


@pytest.mark.parametrize("direction, first, speed", [("rising", 1.5, 2.0), ("falling", 0.5, -2.0)])
def test_crossings_of_zero(direction, first, speed):
    """x rises through zero at 20 t = 3π/2 + 2πk, with v = +2, and falls at π/2 + 2πk, with v = -2."""
    found = section(swing(), "mass.x", direction=direction, channels=["mass.x", "mass.vx"])
    expected = (first + 2.0 * np.arange(len(found))) * math.pi / W
    assert len(found) in (9, 10)
    assert np.abs(found.t - expected).max() < 1e-9
    assert np.abs(found["mass.vx"] - speed).max() < 1e-7


def test_both_directions_are_as_many_as_both_together():
    run = swing()
    counts = [len(section(run, "mass.x", at=0.05, direction=way)) for way in ("rising", "falling", "both")]
    assert counts[0] + counts[1] == counts[2] > 15
    with pytest.raises(gd.GudgeonError, match='direction "up" is not known; choose from rising'):
        section(run, "mass.x", direction="up")


def test_coarse_rows_say_that_they_are_coarse():
    fine, coarse = (section(swing(output=dt), "mass.x", channels=["mass.vx"]) for dt in (0.002, 0.02))
    true = np.abs(coarse["mass.vx"] - 2.0).max()
    assert 1e-6 < true <= coarse.error["mass.vx"] < 0.01
    assert coarse.error["mass.vx"] > 1000 * fine.error["mass.vx"]


def test_no_polynomial_runs_across_a_touch():
    """A ball that bounces: its speed jumps through zero at each touch and is found nowhere else than at the tops."""
    m = gd.Mechanism("ball", gravity=(0.0, -10.0))
    m.body("ball", mass=0.2, inertia=1e-5, at=(0.0, 0.0))
    m.translational("path", journal="ball", bearing=m.ground, at=(0.0, 0.0), axis=(0.0, 1.0))
    m.stop("path", lower="-50 mm", wall=gd.ExactRestitution(stiffness=1e11, restitution=0.5))
    run = gd.simulate(m, duration=0.19, rtol=1e-10)
    tops = section(run, "ball.vy", direction="falling", channels=["ball.y"])
    # up with half the speed: a quarter of the height, half of the fall's 0.1 s later
    assert tops["ball.y"] == pytest.approx([-0.05 + 0.0125], abs=3e-5)
    assert tops.t[0] == pytest.approx(0.15, abs=3e-4)


def test_strobes_lie_on_the_step():
    """Forced far from rest: x = cos(2t) / (9 - 4), once per period always the same, at any phase."""
    m = oscillator(3.0, 1.0, (1.0, 2.0))
    found = strobe(m, ["mass.x", "mass.vx"], turns=20, transient=30, period=math.pi, rtol=1e-10)
    size = 1.0 / math.hypot(5.0, 2.0)
    lag = math.atan2(2.0, 5.0)
    assert len(found) == 21 and found.error == {"mass.x": 0.0, "mass.vx": 0.0}
    assert np.abs(found["mass.x"] - size * math.cos(lag)).max() < 1e-8
    later = strobe(m, ["mass.x"], turns=5, transient=30, phase=0.25, period=math.pi, rtol=1e-10)
    assert np.abs(later["mass.x"] - size * math.cos(math.pi / 2 - lag)).max() < 1e-8
    with pytest.raises(gd.GudgeonError, match=r'did you mean "mass\.x"'):
        strobe(m, ["mas.x"], period=math.pi)
    with pytest.raises(gd.GudgeonError, match=r"give period= \[s\]"):
        strobe(m, ["mass.x"])


def test_a_strobe_goes_on_where_a_run_ended():
    m = flores2007.slider_crank("0.01 mm")
    run = gd.simulate(m, revolutions=2, channels=[])
    found = strobe(run, ["crank.angle"], turns=3)
    assert found["crank.angle"] / (2 * math.pi) == pytest.approx([-2.0, -3.0, -4.0, -5.0])


def test_beams_are_strobed_too():
    m = bauchau2002.crank_slider(elements=1)
    found = strobe(m, ["slider.vx", "main.torque"], turns=1, transient=0.25, method="alpha", rtol=1e-7)
    run = gd.simulate(m, revolutions=1.25, method="alpha", rtol=1e-7, output=found.t[0], channels=list(found.data))
    assert found.t == pytest.approx([0.1, 0.5])
    for name, values in found.data.items():
        size = np.abs(run[name]).max()
        assert values == pytest.approx(run[name][[1, 5]], abs=2e-3 * size) and np.abs(values).min() > 0.05 * size


def test_a_portrait_has_units():
    run = gd.simulate(schwab2002.ideal(), revolutions=2.5, channels=["slider.vx", "slider.ax"])
    shown = portrait(run, "slider.vx", "slider.ax")
    assert shown.units == ("m/s", "m/s^2") and len(shown.x) == len(run.t)
