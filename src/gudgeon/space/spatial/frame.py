"""Frames and places on them: where a body-fixed point is and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.space.mate import Number
from gudgeon.space.spatial.geometry.rotation import Rotation
from gudgeon.space.spatial.geometry.vector import Vector


@dataclass(frozen=True)
class Frame:
    """Pose and motion of a body: origin [m], rotation, velocity of the origin [m/s], angular velocity [rad/s] in
    body-fixed components.

    `described` turns the axes in which points and directions are given into those of `rotation` (the principal axes
    of a body); None where they are the same. It is applied to the local vector first: what does not move is worked
    out once per run.
    """

    origin: Vector
    rotation: Rotation
    velocity: Vector
    spin: Vector
    described: Rotation | None = None

    def axis(self, local: Vector) -> Vector:
        """World components of a body-fixed direction."""
        return self.rotation @ (local if self.described is None else self.described @ local)

    def point(self, local: Vector) -> Vector:
        """World position of a body-fixed point."""
        return self.origin + self.axis(local)

    @property
    def angular_velocity(self) -> Vector:
        """World components [rad/s]."""
        return self.rotation @ self.spin

    def velocity_at(self, point: Vector) -> Vector:
        """Velocity of the material point of this body that is now at a world position."""
        return self.velocity + self.angular_velocity.cross(point - self.origin)

    def speed(self, point: Vector, direction: Vector) -> Number:
        """The same velocity along a direction. d · (w x r) = w' · A^T (r x d): the derivatives by the velocities are
        parts of the formula."""
        arm = self.rotation.back((point - self.origin).cross(direction))
        return direction @ self.velocity + self.spin @ arm

    def local(self, point: Vector) -> Vector:
        """Body-fixed components of a world position."""
        inner = self.rotation.back(point - self.origin)
        return inner if self.described is None else self.described.back(inner)


@dataclass(frozen=True)
class Place:
    """One side of a joint: a point of a frame and a right-handed triad (h, t, b) with b along the joint's axis.

    Both sides' triads are parallel in the described position. `reference` [m] is where the point then lies along the
    axis, so that the axial distance of two sides starts at zero. A thread has a `lead` [m/rad], and `near` [rad] an
    angle that follows the turning of the joint, by which turns are counted. `tilts` says whether the axes of both sides
    may become oblique, since no rows hold them parallel.
    """

    frame: Frame
    local_point: Vector
    local_h: Vector
    local_t: Vector
    local_b: Vector
    reference: Number = 0.0
    lead: Number = 0.0
    near: Number = 0.0
    tilts: bool = True

    def approach(self, other: Place, point: Vector, direction: Vector) -> Number:
        """How fast this side's material point moves against the other's along a direction, both at a world point."""
        return self.frame.speed(point, direction) - other.frame.speed(point, direction)

    def speed(self, direction: Vector) -> Number:
        """Velocity of this side's point along a direction. d · A (w' x s) = w' · (s x A^T d): what s has not, such as a
        component across the body's own axis, leaves no term behind."""
        frame = self.frame
        s = self.local_point if frame.described is None else frame.described @ self.local_point
        return direction @ frame.velocity + frame.spin @ s.cross(frame.rotation.back(direction))

    @property
    def point(self) -> Vector:
        return self.frame.point(self.local_point)

    @property
    def h(self) -> Vector:
        return self.frame.axis(self.local_h)

    @property
    def t(self) -> Vector:
        return self.frame.axis(self.local_t)

    @property
    def b(self) -> Vector:
        return self.frame.axis(self.local_b)

    axis = b
