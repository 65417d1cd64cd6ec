"""Frames and places on them: where a body-fixed point is and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.graph import cos, sin
from gudgeon.space.mate import Number
from gudgeon.space.planar.vector import PlanarVector


@dataclass(frozen=True)
class PlanarFrame:
    """Pose and motion of a body: origin [m], angle [rad], velocity of the origin [m/s], spin [rad/s]."""

    origin: PlanarVector
    angle: Number
    velocity: PlanarVector
    spin: Number

    def axis(self, local: PlanarVector) -> PlanarVector:
        """World components of a body-fixed direction."""
        c, s = cos(self.angle), sin(self.angle)
        return PlanarVector(c * local.x - s * local.y, s * local.x + c * local.y)

    def point(self, local: PlanarVector) -> PlanarVector:
        """World position of a body-fixed point."""
        return self.origin + self.axis(local)

    def velocity_at(self, point: PlanarVector) -> PlanarVector:
        """Velocity of the material point of this body that is now at a world position."""
        return self.velocity + (point - self.origin).turned * self.spin

    def local(self, point: PlanarVector) -> PlanarVector:
        """Body-fixed components of a world position."""
        c, s = cos(self.angle), sin(self.angle)
        d = point - self.origin
        return PlanarVector(c * d.x + s * d.y, c * d.y - s * d.x)


@dataclass(frozen=True)
class PlanarPlace:
    """One side of a joint: a point of a frame, and the direction that the joint's axis has in it.

    `reference` is the angle at which this side was described, so that relative angles start at zero.
    """

    frame: PlanarFrame
    local_point: PlanarVector
    local_axis: PlanarVector
    reference: Number = 0.0

    @property
    def point(self) -> PlanarVector:
        return self.frame.point(self.local_point)

    @property
    def axis(self) -> PlanarVector:
        return self.frame.axis(self.local_axis)

    @property
    def normal(self) -> PlanarVector:
        return self.axis.turned

    @property
    def angle(self) -> Number:
        return self.frame.angle - self.reference
