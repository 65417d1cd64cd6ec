"""Numbers as functions of a few values, against the functions themselves."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.analysis.statistics.interpolation import Interpolation, InterpolationAxis, TooManyPoints


def smooth(point: tuple[float, ...]) -> np.ndarray:
    """Powers, products, what depends on one value alone, what depends on none."""
    a, b = point
    return np.array([3.0, a**1.5, np.sqrt(a * b / (a + b)), np.cos(b), 1.0 / a])


def test_polynomials_are_the_interpolation_and_that_is_the_function():
    axes = [InterpolationAxis(np.array([0.1, 2.0]), every=True), InterpolationAxis(np.array([0.5, 1.0]), every=True)]
    between = Interpolation(smooth, axes)
    between.grow()
    assert list(between.places) == [1, 2, 3, 4]
    terms = between.polynomials()
    for point in np.random.default_rng(0).uniform((0.1, 0.5), (2.0, 1.0), (20, 2)):
        u = [float(axis.there(point[k : k + 1])[0]) for k, axis in enumerate(axes)]
        powers = [np.cos(np.arange(200) * np.arccos(x)) for x in u]
        ours = sum(c * np.prod([powers[k][n] for k, n in enumerate(degrees)]) for degrees, c in terms.items())
        assert ours == pytest.approx(smooth(tuple(point)), rel=1e-10)
        assert between.evaluated(point[None, :], np.arange(5))[:, 0] == pytest.approx(ours, rel=1e-12)


def test_what_is_not_smooth_is_not_taken_for_smooth():
    axis = InterpolationAxis(np.array([0.0, 1.0]), every=True)
    between = Interpolation(lambda point: np.abs(np.array(point) - 0.3), [axis])
    with pytest.raises(TooManyPoints):
        between.grow()
