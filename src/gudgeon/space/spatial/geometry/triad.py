"""Triads: the axes of a joint as numbers, the same on both bodies in the described position."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.quantity import GudgeonError, vector
from gudgeon.space.spatial.geometry.rotation import Rotation
from gudgeon.space.spatial.geometry.vector import Vector

PARALLEL = 1e-6  # two described axes may differ by this angle [rad] and are then taken as one

Triad = tuple[Vector, Vector, Vector]


def direction(value: Any, name: str = "axis") -> Vector:
    """A unit vector from three components."""
    x, y, z = vector(value, "", name, 3)
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0.0:
        raise GudgeonError(f"{name} {value!r} has no direction; give for instance {name}=(0, 0, 1)")
    if largest < 1e-100 or largest > 1e100:  # so that squares neither vanish nor overflow
        x, y, z = x / largest, y / largest, z / largest
    size = math.hypot(x, y, z)
    return Vector(x / size, y / size, z / size)


def triad(axis: Vector, arm: Vector | None = None) -> Triad:
    """Right-handed (h, t, b) of unit vectors with b along a unit axis; h in the plane of axis and arm.

    Without an arm h leans on the coordinate axis after the one nearest to b: about x it is (y, z, x), and axes along
    coordinates keep their zeros and ones.
    """
    if arm is None:
        parts = (abs(axis.x), abs(axis.y), abs(axis.z))
        k = (parts.index(max(parts)) + 1) % 3
        arm = Vector(*(1.0 if n == k else 0.0 for n in range(3)))
    across = arm.across(axis)
    size = math.hypot(*across)
    if size < 1e-9 * math.hypot(*arm):
        raise GudgeonError(f"arm {tuple(arm)} lies along the axis {tuple(axis)}; give a direction across the axis")
    h = across * (1.0 / size)
    return h, axis.cross(h), axis


def on_body(rotation: Rotation, axes: Triad) -> Triad:
    """Body-fixed components of a triad given in the world, for a body described with this rotation."""
    h, t, b = (rotation.back(axis) for axis in axes)
    return h, t, b


def common_axis(journal: Vector, bearing: Vector, name: str = "joint") -> Vector:
    """The axis of a joint whose sides were described by an axis each (unit vectors, world components)."""
    angle = math.atan2(math.hypot(*journal.cross(bearing)), journal @ bearing)
    if angle > PARALLEL:
        remedy = "turn a body, or give the difference as the joint's misalignment"
        if math.pi - angle <= PARALLEL:
            remedy = "turn one of them round"
        raise GudgeonError(
            f"{name}: journal_axis {tuple(journal)} and bearing_axis {tuple(bearing)} differ by "
            f"{math.degrees(angle):.6g} deg in the described position; {remedy}"
        )
    return journal
