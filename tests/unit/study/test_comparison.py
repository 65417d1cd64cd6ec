"""Two studies beside each other: samples of known distributions, what is printed and drawn, what is refused."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom
from test_chance import GAP, table

import gudgeon as gd
from gudgeon.analysis.statistics.proportion import proportion
from gudgeon.study.comparison import compare, compare_values, exceeds

FORCE = "peak pin.force"


def test_the_ends_of_a_proportion_are_those_of_the_binomial_distribution():
    for hits, count in ((3, 20), (57, 60), (990, 1000)):
        found = proportion(hits, count)
        assert binom.sf(hits - 1, count, found.low) == pytest.approx(0.025, rel=1e-9)
        assert binom.cdf(hits, count, found.high) == pytest.approx(0.025, rel=1e-9)
    # no failure in 59 is the classical proof of 95 % with 95 %
    assert proportion(59, 59, sides=1).low >= 0.95 > proportion(58, 58, sides=1).low
    assert proportion(0, 10).low == 0.0 and proportion(10, 10).high == 1.0
    with pytest.raises(gd.GudgeonError, match="11 of 10"):
        proportion(11, 10)


def test_which_has_the_larger_values_is_known_of_two_normal_samples():
    """P(Y > X) = Phi(shift / sqrt 2); intervals of 95 % hold 190 of 200 times, give or take three standard errors."""
    true, held = NormalDist().cdf(0.3 / math.sqrt(2.0)), 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        found = exceeds(rng.standard_normal(150), 0.3 + rng.standard_normal(200))
        held += found.low <= true <= found.high
    assert 181 <= held <= 199
    assert exceeds(np.arange(50.0), np.arange(50.0)).value == pytest.approx(0.5)


def test_differences_of_percentiles_hold_the_true_ones():
    held, size = 0, NormalDist().inv_cdf(0.95)
    for seed in range(40):
        rng = np.random.default_rng(seed)
        one, two = rng.standard_normal(400), 1.0 + 2.0 * rng.standard_normal(400)
        found = compare_values("f", "N", ("a", "b"), one, two, 1.0)
        held += found.differences[0].low <= 1.0 <= found.differences[0].high
        held += found.differences[1].low <= 1.0 + size <= found.differences[1].high
    assert 68 <= held <= 80  # of 80, 76 expected
    assert found.kept[0].hits > found.kept[1].hits


def test_two_tables_are_compared_in_words_and_drawn(tmp_path):
    one, two = table(), table("random", 200, 5)
    two.columns[FORCE] = two.columns[FORCE] + 500.0
    found = compare(one, two, FORCE, limit="4.5 kN", names=("drawn", "worn"))
    lines = str(found).splitlines()
    assert lines[0].startswith("50 % are below ") and "in drawn and" in lines[0] and "N in worn: +" in lines[0]
    assert lines[3].startswith("up to 4500 N: ") and lines[4].startswith("worn has the larger value with a probability")
    assert "neither has larger values" in str(one.compare(table("random", 200, 5), FORCE))
    figure = one.distribution(FORCE, against=two, limit="4.5 kN")
    (axes,) = figure.figure.axes
    assert axes.get_xlabel() == "peak pin.force [N]"
    assert figure.save(tmp_path / "both.svg").stat().st_size > 5000
    other = table()
    other.units = {GAP: "m", FORCE: "Nm"}
    for args, words in (((one, other, FORCE), "is in N and in Nm"), ((one, two, "peak pin.forc"), "did you mean"),
                        ((one, table("random", 10), FORCE), "too few")):  # fmt: skip
        with pytest.raises(gd.GudgeonError, match=words):
            compare(*args)
