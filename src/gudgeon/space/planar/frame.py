"""Frames and places on them: where a body-fixed point is and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.graph import cos, sin
from gudgeon.space.mate import Number
from gudgeon.space.planar.vector import Vector


@dataclass(frozen=True)
class Frame:
    """Pose and motion of a body: origin [m], angle [rad], velocity of the origin [m/s], spin [rad/s]."""

    origin: Vector
    angle: Number
    velocity: Vector
    spin: Number

    def axis(self, local: Vector) -> Vector:
        """World components of a body-fixed direction."""
        c, s = cos(self.angle), sin(self.angle)
        return Vector(c * local.x - s * local.y, s * local.x + c * local.y)

    def point(self, local: Vector) -> Vector:
        """World position of a body-fixed point."""
        return self.origin + self.axis(local)

    def velocity_at(self, point: Vector) -> Vector:
        """Velocity of the material point of this body that is now at a world position."""
        return self.velocity + (point - self.origin).turned * self.spin

    def local(self, point: Vector) -> Vector:
        """Body-fixed components of a world position."""
        c, s = cos(self.angle), sin(self.angle)
        d = point - self.origin
        return Vector(c * d.x + s * d.y, c * d.y - s * d.x)


@dataclass(frozen=True)
class Place:
    """One side of a joint: a point of a frame, and the direction that the joint's axis has in it.

    `reference` is the angle at which this side was described, so that relative angles start at zero.
    """

    frame: Frame
    local_point: Vector
    local_axis: Vector
    reference: Number = 0.0

    @property
    def point(self) -> Vector:
        return self.frame.point(self.local_point)

    @property
    def axis(self) -> Vector:
        return self.frame.axis(self.local_axis)

    @property
    def normal(self) -> Vector:
        return self.axis.turned

    @property
    def angle(self) -> Number:
        return self.frame.angle - self.reference
