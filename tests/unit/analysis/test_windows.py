"""Means with standard errors, as the statistics of reference use them."""

from __future__ import annotations

import math

from gudgeon.analysis.motions.series import repetition
from gudgeon.analysis.statistics.windows import Mean, sample_windows
from gudgeon.papers import flores2007


def test_distance_in_combined_errors() -> None:
    assert math.isclose(Mean(10.0, 3.0).distance(Mean(20.0, 4.0)), 2.0)
    assert Mean(1.0, 0.0).distance(Mean(1.0, 0.0)) == 0.0


def test_text_has_two_digits_of_the_error() -> None:
    assert str(Mean(0.51963, 0.0134)) == "0.520 ± 0.013"
    assert str(Mean(32051.3, 460.2)) == "32051 ± 460"
    assert str(Mean(2762.391, 2.8e-7)) == "2762.39"


def test_lasting_contact_counts_as_contact_without_onsets() -> None:
    """c = 0.01 mm stays in contact: nothing begins, and the run repeats."""
    windows = sample_windows(flores2007.slider_crank("0.01 mm"), ["slider.ax"], transient=10, windows=3)
    assert windows.mean("contact fraction").value == 1.0
    assert windows.mean("contacts").value == 0.0
    assert repetition(windows.strobe).residual < 1e-6
