"""Vectors, frames and bodies of the plane, on floats and with numbers that can be checked in the head."""

from __future__ import annotations

import math

import pytest

from gudgeon.compile.graph import Graph, Scalar
from gudgeon.space.mate import Mate, Sizes
from gudgeon.space.planar import PlanarFrame, PlanarGround, PlanarPlace, PlanarRigidBody, PlanarVector
from gudgeon.space.planar.key import PlanarKey
from gudgeon.space.planar.pin import Pin
from gudgeon.space.planar.slot import Slot


def test_vectors_have_the_operators_of_the_plane():
    a, b = PlanarVector(3.0, 4.0), PlanarVector(-1.0, 2.0)
    assert a + b == PlanarVector(2.0, 6.0)
    assert a - b == PlanarVector(4.0, 2.0)
    assert 2.0 * a == a * 2.0 == PlanarVector(6.0, 8.0)
    assert -a == PlanarVector(-3.0, -4.0)
    assert a @ b == 5.0  # -3 + 8
    assert a.cross(b) == 10.0  # 3*2 - 4*(-1)
    assert a.turned == PlanarVector(-4.0, 3.0)
    assert a.norm == 5.0


def test_the_norm_of_nothing_is_nearly_nothing_and_has_a_slope():
    """1e-300 under the root is 1e-150, and the derivative x/norm is 0, not 0/0."""
    assert PlanarVector(0.0, 0.0).norm == pytest.approx(1e-150)


def test_vectors_hold_symbols_as_well():
    x, y = Graph().inputs("y", 2)
    assert isinstance(PlanarVector(x, y).norm, Scalar)
    assert isinstance(
        PlanarFrame(PlanarVector(x, y), x, PlanarVector(y, y), 0.0).point(PlanarVector(1.0, 0.0)).x, Scalar
    )


def test_a_frame_turned_by_a_quarter():
    frame = PlanarFrame(PlanarVector(1.0, 2.0), math.pi / 2, PlanarVector(0.5, 0.0), 3.0)
    point = frame.point(PlanarVector(1.0, 0.0))
    assert (point.x, point.y) == pytest.approx((1.0, 3.0))
    # (0.5, 0) + 3 x (0, 1) turned: (-3, 0)
    velocity = frame.velocity_at(point)
    assert (velocity.x, velocity.y) == pytest.approx((-2.5, 0.0))
    back = frame.local(point)
    assert (back.x, back.y) == pytest.approx((1.0, 0.0))


def test_a_place_starts_at_angle_zero():
    frame = PlanarFrame(PlanarVector(0.0, 0.0), 0.3, PlanarVector(0.0, 0.0), 0.0)
    place = PlanarPlace(frame, PlanarVector(0.0, 0.0), PlanarVector(1.0, 0.0), reference=0.3)
    assert place.angle == 0.0
    assert (place.axis.x, place.axis.y) == pytest.approx((math.cos(0.3), math.sin(0.3)))
    assert (place.normal.x, place.normal.y) == pytest.approx((-math.sin(0.3), math.cos(0.3)))


def test_energies_and_weight_of_a_body():
    body = PlanarRigidBody((1.0, 2.0, 0.0), (3.0, 4.0, 5.0), 2.0, 0.1)
    assert body.kinetic_energy() == pytest.approx(0.5 * 2.0 * 25.0 + 0.5 * 0.1 * 25.0)
    assert body.potential_energy(PlanarVector(0.0, -10.0)) == pytest.approx(40.0)
    assert body.weight(PlanarVector(0.0, -10.0)) == (0.0, -20.0, 0.0)
    assert body.inverse_mass == (0.5, 0.5, 10.0)
    assert body.gyroscopic() == (0.0, 0.0, 0.0)
    assert body.unit(body.q) == body.q
    assert body.rotation_rates(body.v) == []
    assert len(body.velocities) == len(body.velocity_units) == len(body.acceleration_units)


def test_a_wrench_is_moved_to_a_point():
    """A force (0, 2) and no couple at the centre (1, 0) has about the point (3, 0) the moment -2 x 2."""
    body = PlanarRigidBody((1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, 1.0)
    assert body.wrench((0.0, 2.0, 0.0), PlanarVector(3.0, 0.0)) == (0.0, 2.0, -4.0)


def ground_and_block(x: float, y: float, angle: float) -> tuple[PlanarPlace, PlanarPlace]:
    block = PlanarRigidBody((x, y, angle), (0.0, 0.0, 0.0), 1.0, 1.0)
    here = PlanarVector(0.0, 0.0), PlanarVector(1.0, 0.0)
    return PlanarPlace(block.frame, *here), PlanarPlace(PlanarGround().frame, *here)


def test_a_pin_opens_by_the_distance_of_the_centres():
    (touch,) = Pin.touches(*ground_and_block(3e-4, 4e-4, 1.0), Sizes(radius=0.01, gap=2e-4))
    assert touch.opening == pytest.approx(5e-4)
    assert (touch.normal.x, touch.normal.y) == pytest.approx((0.6, 0.8))


def test_a_slider_pushed_aside_touches_one_wall_with_both_corners():
    """Aside by 0.3 mm in a play of 0.2 mm: both left corners are 0.1 mm deep, the right ones 0.5 mm away."""
    sizes = Sizes(length=0.1, width=0.05, gap=2e-4)
    depth = {t.label: t.opening - sizes.gap for t in Slot.touches(*ground_and_block(0.7, 3e-4, 0.0), sizes)}
    assert depth["front_left"] == depth["rear_left"] == pytest.approx(1e-4)
    assert depth["front_right"] == depth["rear_right"] == pytest.approx(-5e-4)


def test_a_tilted_slider_touches_with_opposite_corners():
    """Turned anticlockwise the front goes left: front-left and rear-right close in by 0.05 sin(tilt), less what
    the half width loses, (1 - cos(tilt)) 0.0248."""
    tilt, sizes = 0.01, Sizes(length=0.1, width=0.05, gap=2e-4)
    opening = {t.label: t.opening for t in Slot.touches(*ground_and_block(0.0, 0.0, tilt), sizes)}
    expected = 0.05 * math.sin(tilt) - 0.0248 * (1.0 - math.cos(tilt))
    assert opening["front_left"] == pytest.approx(expected)
    assert opening["rear_right"] == pytest.approx(expected)
    assert opening["front_right"] < 0.0 > opening["rear_left"]


def test_a_key_has_a_touch_to_each_side():
    forward, backward = PlanarKey.touches(*ground_and_block(0.0, 0.0, 0.02), Sizes())
    assert (forward.opening, backward.opening) == (0.02, -0.02)


def test_a_mate_registers_by_being_defined_and_a_helper_without_a_name_does_not():
    class Helper(Mate):
        pass

    class Dummy(Mate):
        name = "dummy of test_planar_space"

    try:
        assert Mate.registry["dummy of test_planar_space"] is Dummy
        assert Helper not in Mate.registry.values()
    finally:
        del Mate.registry["dummy of test_planar_space"]
