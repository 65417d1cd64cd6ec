"""Strains of beams of space on plain numbers: they vanish in rigid motions and do not feel rotations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gudgeon.space.flexible import GAUSS, shape
from gudgeon.space.flexible.spatial import (
    SpatialNode,
    interpolate,
    line,
    relative,
    section_strains,
    spin,
    spin_rate,
    turned_back,
)
from gudgeon.space.spatial import Rotation, Vector, rotation_matrix
from gudgeon.space.spatial.geometry.rotation import about, after, parameter_rates

LENGTH = 0.3
STILL = (0.0,) * 6


def turn(x, y, z):
    angle = math.sqrt(x * x + y * y + z * z)
    return about(Vector(x / angle, y / angle, z / angle), angle) if angle else (1.0, 0.0, 0.0, 0.0)


def nodes(points):
    """From places and rotation vectors."""
    return [SpatialNode((*place, *turn(*rotation)), STILL) for place, rotation in points]


def moved(found, p, shift):
    rotation = rotation_matrix(p)
    return [SpatialNode((*(rotation @ node.frame.origin + Vector(*shift)), *after(p, node.q[3:])), STILL)
            for node in found]  # fmt: skip


def at(found, order, x):
    place = shape(order, x)
    return section_strains(line(found, place.values, [s / LENGTH for s in place.slopes]))


def bent(order):
    return nodes([((LENGTH * k / order + 0.01 * k, 0.02 * k**2, -0.01 * k), (0.1 * k, 0.2 * k - 0.05 * k**2, 0.3 * k))
                  for k in range(order + 1)])  # fmt: skip


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_rigid_motion_has_no_strain(order):
    straight = nodes([((LENGTH * k / order, 0.0, 0.0), (0.0, 0.0, 0.0)) for k in range(order + 1)])
    for turned in ((0.3, 2.0, -1.1), (5.0, 0.1, 3.0)):
        there = moved(straight, turn(*turned), (4.0, -1.0, 2.0))
        for x, _ in GAUSS[order]:
            assert max(map(abs, at(there, order, x))) < 1e-13


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("rotation", [(0.7, 0.0, 0.0), (-1.0, 2.0, 0.5), (3.0, -8.0, 5.0)])
def test_strains_do_not_feel_a_rotation(order, rotation):
    here = bent(order)
    there = moved(here, turn(*rotation), (-2.0, 5.0, 1.0))
    for x, _ in GAUSS[order]:
        assert at(there, order, x) == pytest.approx(at(here, order, x), abs=1e-12)
        assert max(map(abs, at(here, order, x))) > 0.1


def test_simple_strains_by_hand():
    stretched = nodes([((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((0.33, 0.0, 0.0), (0.0, 0.0, 0.0))])
    assert at(stretched, 1, 0.5) == pytest.approx((0.1, 0, 0, 0, 0, 0))
    sheared = nodes([((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((0.3, 0.015, -0.03), (0.0, 0.0, 0.0))])
    assert at(sheared, 1, 0.5) == pytest.approx((0.0, 0.05, -0.1, 0, 0, 0))
    # |P|: a chord of Euler parameters, so that a turn a on the length l has the strain 4 tan(a/4) / l in the middle
    for k, expected in ((0, 3), (1, 4), (2, 5)):
        ends = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
        ends[0][k], ends[1][k] = -0.1, 0.1
        found = at(nodes([((0.0, 0.0, 0.0), ends[0]), ((0.3, 0.0, 0.0), ends[1])]), 1, 0.5)
        assert found[expected] == pytest.approx(4.0 * math.tan(0.05) / 0.3, rel=1e-12)
        assert sorted(map(abs, found))[:-1] == pytest.approx([0.0] * 5, abs=1e-15)


def test_rotations_of_curves_are_followed_with_the_order_of_the_polynomials():
    """A helix: strain, twist and curvature are constant; errors at Gauss's points fall with a power above the order."""
    twist, curve = 1.5, 2.0

    def error(order, elements):
        worst, length = 0.0, LENGTH / elements
        for x, _ in GAUSS[order]:
            found = []
            for k in range(order + 1):
                s = length * k / order
                rate = math.hypot(twist, curve) * s
                found.append(SpatialNode((0.0, 0.0, 0.0, *turn(*(rate / math.hypot(twist, curve) * c
                                                                  for c in (twist, 0.0, curve)))), STILL))  # fmt: skip
            place = shape(order, x)
            strain = section_strains(line(found, place.values, [slope / length for slope in place.slopes]))
            worst = max(worst, abs(strain[3] - twist), abs(strain[4]), abs(strain[5] - curve))
        return worst

    for order in (1, 2, 3):
        assert math.log2(error(order, 1) / error(order, 2)) > order + 0.8


def test_velocities_belong_to_the_places():
    """Spins and their rates against differences of rotations in time."""
    rng = np.random.default_rng(3)
    start, w = [turn(*rng.normal(size=3)) for _ in range(2)], rng.normal(size=(2, 3))
    start[1] = start[0] if relative(start[0], start[1]).norm > 0.9 else start[1]

    def state(t):
        # each node turns steadily about its own axis
        p = [after(q, turn(*(x * t for x in rate))) for q, rate in zip(start, w, strict=True)]
        weights = (0.3, 0.7)
        rate = [parameter_rates(q, x) for q, x in zip(p, w, strict=True)]
        second = [[-0.25 * float(x @ x) * e for e in q] for q, x in zip(p, w, strict=True)]
        return tuple(tuple(sum(c * x[k] for c, x in zip(weights, each, strict=True)) for k in range(4))
                     for each in (p, rate, second))  # fmt: skip

    def matrix(p):
        size = math.sqrt(sum(x * x for x in p))
        found: Rotation = rotation_matrix([x / size for x in p])
        return np.array([tuple(found.x), tuple(found.y), tuple(found.z)])

    h = 1e-5
    before, now, later = (state(t) for t in (-h, 0.0, h))
    skew = matrix(now[0]).T @ (matrix(later[0]) - matrix(before[0])) / (2 * h)
    assert tuple(spin(now[0], now[1])) == pytest.approx((skew[2, 1], skew[0, 2], skew[1, 0]), abs=1e-8)
    change = (np.array(tuple(spin(*later[:2]))) - np.array(tuple(spin(*before[:2])))) / (2 * h)
    assert tuple(spin_rate(*now)) == pytest.approx(tuple(change), abs=1e-8)
    vector = Vector(0.3, -1.0, 2.0)
    size = sum(x * x for x in now[0])
    expected = matrix(now[0]).T @ np.array(tuple(vector)) * size
    assert tuple(turned_back(now[0], vector)) == pytest.approx(tuple(expected), rel=1e-12)


def test_a_section_between_nodes_moves_as_its_element_does():
    """A rigid motion gives every section the velocity of the body."""
    p, spin_of, velocity = turn(0.4, -0.2, 1.0), Vector(1.0, 2.0, -3.0), Vector(0.1, 0.2, 0.3)
    body = SpatialNode((0.0, 0.0, 0.0, *p), (*velocity, *spin_of))
    found = []
    for x in (0.0, 0.15, 0.3):
        place = body.frame.point(Vector(x, 0.0, 0.0))
        found.append(SpatialNode((*place, *p), (*body.frame.velocity_at(place), *spin_of)))
    frame = interpolate(found, shape(2, 0.37))
    place = body.frame.point(Vector(0.37 * 0.3, 0.0, 0.0))
    assert tuple(frame.origin) == pytest.approx(tuple(place))
    assert tuple(frame.velocity) == pytest.approx(tuple(body.frame.velocity_at(place)))
    assert tuple(frame.spin) == pytest.approx(tuple(spin_of))
    assert tuple(frame.rotation.y) == pytest.approx(tuple(body.frame.rotation.y))
