"""Percentiles: intervals of order statistics against printed tables, their coverage, and samples that are too small."""

import math

import numpy as np
import pytest
from scipy.stats import binom

import gudgeon as gd
from gudgeon.analysis.statistics.percentiles import SHARES, percentiles_of


@pytest.mark.parametrize(("n", "low", "high"), [(6, 1, 6), (9, 2, 8), (12, 3, 10), (15, 4, 12), (20, 6, 15)])
def test_the_median_has_the_interval_of_printed_tables(n, low, high):
    """Ranks as tables for the sign test print them."""
    (median,) = percentiles_of(np.random.default_rng(n).permutation(np.arange(1.0, n + 1.0)), [0.5])
    assert (median.low, median.high, median.value) == (low, high, pytest.approx(0.5 * (n + 1)))


@pytest.mark.parametrize("share", [0.01, 0.05, 0.3, 0.5, 0.95, 0.99])
@pytest.mark.parametrize("n", [40, 400, 5000])
def test_each_end_is_exceeded_with_a_fortieth_and_is_the_nearest_such(n, share):
    (found,) = percentiles_of(np.arange(1.0, n + 1.0), [share])
    below = lambda rank: float(binom.cdf(rank - 1, n, share))  # noqa: E731  (percentile is below that value)
    above = lambda rank: float(binom.sf(rank - 1, n, share))  # noqa: E731
    if found.low is None:
        assert below(1) > 0.025
    else:
        assert below(found.low) <= 0.025 < below(found.low + 1)
    if found.high is None:
        assert above(n) > 0.025
    else:
        assert above(found.high) <= 0.025 < above(found.high - 1)
    assert (found.low is None or found.high is None) == (n < found.needed)


def test_too_few_values_have_no_end():
    few = percentiles_of(np.arange(60.0), SHARES)
    assert [(each.low is None, each.high is None) for each in few] == [
        (True, False), (False, False), (False, True), (False, True)
    ]  # fmt: skip
    # p^n = 0.025
    assert [each.needed for each in few] == [72, 6, 72, 368]
    assert all(0.0 <= each.value <= 59.0 for each in few)
    (median,) = percentiles_of([1.0, 2.0, 3.0, 4.0, 5.0], [0.5])
    assert median.low is None and median.high is None and median.value == 3.0


def test_intervals_hold_the_true_percentile_as_often_as_they_say():
    """200 repeated samples: 190 of 200, give or take three standard errors."""
    held = np.zeros(len(SHARES))
    for seed in range(200):
        sample = np.random.default_rng(seed).exponential(size=600)
        held += [each.low <= -math.log1p(-each.share) <= each.high for each in percentiles_of(sample, SHARES)]
    assert (np.abs(held - 190) <= 9).all(), held


def test_what_has_no_percentile_is_refused():
    for values, shares, words in (([], [0.5], "finite"), ([1.0, math.nan], [0.5], "nan"), ([1.0], [95], "between")):
        with pytest.raises(gd.GudgeonError, match=words):
            percentiles_of(values, shares)
