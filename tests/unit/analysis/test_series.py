"""Repetition, the 0-1 test and spectra on series whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from known_systems import oscillator

import gudgeon as gd
from gudgeon.analysis import repetition, spectrum, zero_one
from gudgeon.analysis.statistics.mean import Mean, certainty, mean_of


def logistic(r: float, count: int) -> np.ndarray:
    x, found = 0.3, []
    for _ in range(count + 1000):
        x = r * x * (1.0 - x)
        found.append(x)
    return np.array(found[1000:])


@pytest.mark.parametrize("r, period", [(2.8, 1), (3.2, 2), (3.5, 4), (3.84, 3), (3.9, 0)])
def test_periods_of_the_logistic_map(r, period):
    found = repetition(logistic(r, 200))
    assert found.period == period
    assert (found.residual < 1e-9) == (period > 0)


def test_a_series_that_still_settles_gets_closer():
    """0.9^k: the residual of the second half of 100 points is 0.9^50 of that of the first."""
    found = repetition(0.9 ** np.arange(100), same=1e-9)
    assert found.period == 0 and found.nearest == 1
    assert found.trend == pytest.approx(0.9**50, rel=1e-9)


def test_too_few_points_are_refused():
    with pytest.raises(gd.GudgeonError, match="3 points are too few"):
        repetition(np.zeros(3))
    with pytest.raises(gd.GudgeonError, match="39 points are too few for the 0-1 test"):
        zero_one(np.arange(39.0))


def test_zero_one_tells_chaos_from_order():
    k = np.arange(300)
    assert zero_one(logistic(3.97, 300)) > 0.9
    assert abs(zero_one(np.cos(2 * math.pi * k / math.sqrt(2)))) < 0.1
    assert abs(zero_one(logistic(3.55, 300))) < 0.1
    assert zero_one(np.full(300, 0.7)) == 0.0


def test_spectrum_finds_the_frequency_and_the_power():
    """0.1 cos 20 t: its power, the integral of the density, is 0.1² / 2."""
    run = gd.simulate(oscillator(20.0, 0.0), duration=40.0, rtol=1e-8, channels=["mass.x"], output=0.01)
    found = spectrum(run, "mass.x")
    assert found.peak == pytest.approx(20.0 / (2 * math.pi), abs=found.frequency[1])
    assert np.trapezoid(found.density, found.frequency) == pytest.approx(0.005, rel=0.02)
    with pytest.raises(gd.GudgeonError, match="too few for 8 windows"):
        spectrum(run, "mass.x", rows=50)


def test_blocks_see_what_single_values_do_not():
    """Values that come in eights of the same: 64 independent ones, not 512, and longer blocks add little."""
    values = np.repeat(np.random.default_rng(5).normal(size=64), 8)
    naive, true = values.std(ddof=1) / math.sqrt(512), values[::8].std(ddof=1) / math.sqrt(64)
    assert true <= mean_of(values).error < 1.5 * true
    assert mean_of(values).error > 2.5 * naive
    independent = np.random.default_rng(6).normal(size=512)
    assert mean_of(independent).error == pytest.approx(1.0 / math.sqrt(512), rel=0.4)
    assert str(Mean(2.0, 0.5) * -2.0) == "-4.0 ± 1.0"
    assert certainty(0.0) == 0.5 and certainty(1.96) == pytest.approx(0.975, abs=1e-4)
