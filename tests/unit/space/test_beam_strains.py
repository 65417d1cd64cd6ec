"""Strains of beams on plain numbers: they vanish in rigid motions and do not feel rotations."""

from __future__ import annotations

import math

import pytest

from gudgeon.space.flexible import GAUSS, shape, strains
from gudgeon.space.flexible.shape import through
from gudgeon.space.planar import PlanarFrame, PlanarVector

STILL = PlanarVector(0.0, 0.0)


def frames(points):
    return [PlanarFrame(PlanarVector(x, y), angle, STILL, 0.0) for x, y, angle in points]


def turned(points, angle, shift):
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * y + shift[0], s * x + c * y + shift[1], theta + angle) for x, y, theta in points]


@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_gauss_points_integrate_polynomials(points):
    for degree in range(2 * points):
        assert sum(w * x**degree for x, w in GAUSS[points]) == pytest.approx(1.0 / (degree + 1), rel=1e-14)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_shapes_reproduce_polynomials_and_their_slopes(order):
    nodes = [k / order for k in range(order + 1)]
    for x in (0.0, 0.13, 0.5, 0.77, 1.0):
        for degree in range(order + 1):
            at = shape(order, x)
            value = sum(w * node**degree for w, node in zip(at.values, nodes, strict=True))
            slope = sum(w * node**degree for w, node in zip(at.slopes, nodes, strict=True))
            assert value == pytest.approx(x**degree, abs=1e-13)
            assert slope == pytest.approx(degree * x ** max(degree - 1, 0), abs=1e-12)


def test_polynomials_pass_through_any_points():
    points = [0.1, 0.4, 0.9]
    at = through(points, 0.25)
    assert sum(w * (1 + 2 * p - p**2) for w, p in zip(at.values, points, strict=True)) == pytest.approx(1.4375)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_rigid_motion_has_no_strain(order):
    straight = [(0.3 * k / order, 0.0, 0.0) for k in range(order + 1)]
    moved = frames(turned(straight, 2.3, (4.0, -1.0)))
    for x, _ in GAUSS[order]:
        assert max(map(abs, strains(moved, shape(order, x), 0.3))) < 1e-14


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("angle", [0.7, 3.0, -11.0])
def test_strains_do_not_feel_a_rotation(order, angle):
    bent = [(0.3 * k / order + 0.01 * k, 0.02 * k**2, 0.3 * k - 0.05 * k**2) for k in range(order + 1)]
    here, there = frames(bent), frames(turned(bent, angle, (-2.0, 5.0)))
    for x, _ in GAUSS[order]:
        at = shape(order, x)
        for a, b in zip(strains(here, at, 0.3), strains(there, at, 0.3), strict=True):
            assert b == pytest.approx(a, abs=1e-12)


def test_simple_strains_by_hand():
    stretched = frames([(0.0, 0.0, 0.0), (0.22, 0.0, 0.0)])
    assert strains(stretched, shape(1, 0.5), 0.2) == pytest.approx((0.1, 0.0, 0.0))
    sheared = frames([(0.0, 0.0, 0.0), (0.2, 0.01, 0.0)])
    assert strains(sheared, shape(1, 0.5), 0.2) == pytest.approx((0.0, 0.05, 0.0))
    curved = frames([(0.0, 0.0, -0.1), (0.2, 0.0, 0.1)])
    assert strains(curved, shape(1, 0.5), 0.2) == pytest.approx((0.0, 0.0, 1.0))
