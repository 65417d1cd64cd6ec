"""Real joints approach ideal ones: as the gap closes, dry or filled with oil, and as a bushing stiffens."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.model import Fit
from gudgeon.papers import schwab2002

PERIOD = 2 * math.pi / schwab2002.SPEED
FORCE = 2815.82  # largest force in the ideal pin, cases/planar.md S3 [N]


@functools.cache
def motion(fit: Fit | None) -> gd.Run:
    """One revolution, after half a revolution in which the start dies away."""
    ideal = schwab2002.ideal()
    m = ideal if fit is None else ideal.refit(pin=fit)
    return gd.simulate(m, revolutions=1.5, output=PERIOD / 400).after(0.5 * PERIOD)


def error(fit: Fit, channel: str) -> float:
    """Largest difference from the ideal joint, relative to the largest ideal value."""
    real, ideal = motion(fit)[channel], motion(None)[channel]
    n = min(len(real), len(ideal))
    return float(np.abs(real[:n] - ideal[:n]).max() / np.abs(ideal).max())


def narrow(gap: float) -> gd.Clearance:
    """A hard wall with enough damping that the pin stays on it: 1e10 N/m, 1e4 N s/m."""
    return gd.Clearance(gap, wall=gd.KelvinVoigt(1e10, 1e4))


@pytest.mark.parametrize("channel", ["pin.force", "slider.ax", "main.torque"])
def test_a_closing_gap_approaches_the_ideal_joint(channel):
    """From 1e-2 to 1e-5 mm. While the pin runs round the wall the error falls at least with the gap (observed: order
    1.35 from 1e-3 to 1e-4 mm, 0.95 from there to 1e-5 mm, where the give of the wall, 3e-7 m, begins to show)."""
    errors = [error(narrow(gap), channel) for gap in (1e-5, 1e-6, 1e-7, 1e-8)]
    assert errors[0] > 0.05  # with 0.01 mm the pin leaves the wall and bounces
    assert errors[1] < 0.02
    for wide, small in itertools.pairwise(errors):
        assert small < wide / 7
    assert errors[3] < 5e-5


def test_peak_force_of_the_smallest_gap_is_that_of_the_ideal_joint():
    assert motion(narrow(1e-8)).maximum("pin.force") == pytest.approx(FORCE, rel=2e-5)
    assert motion(None).maximum("pin.force") == pytest.approx(FORCE, rel=2e-5)


@pytest.mark.parametrize("gap", [1e-6, 1e-7, 1e-8])
def test_the_slider_is_off_by_the_gap_and_the_give_of_the_wall(gap):
    """At most gap + F/K, reached at dead centre where rod and slider pull along the line of the guide."""
    off = error(narrow(gap), "slider.x") * np.abs(motion(None)["slider.x"]).max()
    assert off == pytest.approx(gap + FORCE / 1e10, rel=0.02)


def stiff(stiffness: float) -> gd.Bushing:
    """Damped with half of the critical value for 0.1 kg."""
    return gd.Bushing(gd.LinearLiner(stiffness, math.sqrt(stiffness * 0.1)))


@pytest.mark.parametrize("channel", ["pin.force", "slider.ax", "main.torque", "slider.x"])
def test_a_stiffening_bushing_approaches_the_ideal_joint(channel):
    """1e8, 1e9 and 1e10 N/m: quasi-static errors fall with 1/K."""
    errors = [error(stiff(k), channel) for k in (1e8, 1e9, 1e10)]
    for soft, hard in itertools.pairwise(errors):
        assert soft / hard == pytest.approx(10.0, rel=0.2)
    assert errors[2] < 1e-4


def test_a_stiff_bushing_gives_by_the_force_over_its_stiffness():
    run = motion(stiff(1e10))
    # rows of the pin: offset = F/K, apart from the damping of its change
    assert np.abs(run["pin.offset"] - run["pin.force"] / 1e10).max() < 0.02 * FORCE / 1e10


@pytest.mark.parametrize("channel", ["pin.force", "slider.ax", "main.torque"])
def test_a_film_in_a_closing_gap_approaches_the_ideal_joint(channel):
    """From 0.2 to 0.025 mm: a film resists with 1/gap^3 (observed: 5 to 8 and, at last, 12 times nearer each time)."""
    gaps = (2e-4, 1e-4, 5e-5, 2.5e-5)
    errors = [error(gd.Lubricated(gap, film=gd.Moes("100 cP"), shear=False), channel) for gap in gaps]
    assert errors[0] > 0.1
    for wide, small in itertools.pairwise(errors):
        assert small < wide / 5
    assert errors[3] < 5e-4


def test_the_shear_of_a_film_is_felt_as_a_drag_only():
    """It moves the slider by nothing to speak of, and takes more energy."""
    with_shear, without = (motion(gd.Lubricated("0.1 mm", film=gd.Moes("100 cP"), shear=x)) for x in (True, False))
    assert np.abs(with_shear["slider.x"] - without["slider.x"]).max() < 1e-8
    taken = [run["energy.film"][-1] - run["energy.film"][0] for run in (with_shear, without)]
    assert 1.01 < taken[0] / taken[1] < 2.0
