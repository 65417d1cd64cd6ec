"""Rigid bodies of the plane and of space."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from gudgeon.model.names import GROUND, Named
from gudgeon.quantity import Angle, AngularSpeed, GudgeonError, Inertia, Mass, vector
from gudgeon.space.spatial.geometry.inertia import Principal, principal_moments
from gudgeon.space.spatial.geometry.rotation import Rotation, about, parameters_of, read_parameters, rotation_matrix
from gudgeon.space.spatial.geometry.vector import Vector

__all__ = ["GROUND", "Body", "Point", "Point3", "SpatialBody", "read_orientation", "settled", "three"]

Point = tuple[float, float]


def pair(value: object, unit: str, name: str) -> Point:
    """Two SI components."""
    x, y = vector(value, unit, name)
    return (x, y)


@dataclass(frozen=True)
class Body(Named):
    """A planar rigid body, described by its centre of mass.

    mass [kg], inertia about the centre of mass [kg m^2], position of the centre of mass `at` [m], `angle` of
    the body's axes [rad], `velocity` of the centre of mass [m/s] and `spin` [rad/s], all in the world frame.
    """

    word: ClassVar[str] = "body"

    name: str
    mass: Mass
    inertia: Inertia
    at: Point
    angle: Angle = 0.0
    velocity: Point = (0.0, 0.0)
    spin: AngularSpeed = 0.0

    def validate(self) -> None:
        object.__setattr__(self, "at", pair(self.at, "m", "at"))
        object.__setattr__(self, "velocity", pair(self.velocity, "m/s", "velocity"))

    @property
    def coordinates(self) -> tuple[float, ...]:
        """As the equations of motion count them."""
        return (*self.at, self.angle)

    @property
    def velocities(self) -> tuple[float, ...]:
        """Rates of the coordinates."""
        return (*self.velocity, self.spin)

    @property
    def masses(self) -> tuple[float, ...]:
        """What resists each velocity."""
        return (self.mass, self.mass, self.inertia)

    def local(self, point: Point) -> Point:
        """Body-fixed coordinates [m] of a world point [m], in the described position."""
        x, y = point[0] - self.at[0], point[1] - self.at[1]
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (c * x + s * y, c * y - s * x)

    def world(self, point: Point) -> Point:
        """World coordinates [m] of a body-fixed point [m], in the described position."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        return (self.at[0] + c * point[0] - s * point[1], self.at[1] + s * point[0] + c * point[1])


ROUNDING = 2e-15  # of a component of a unit vector

Point3 = tuple[float, float, float]


def three(value: Any, unit: str, name: str) -> Point3:
    """Three SI components."""
    x, y, z = vector(value, unit, name, 3)
    return (x, y, z)


def settled(given: Iterable[float], unit: Iterable[float]) -> Any:
    """The vector as given where making it one of length 1 changed no more than rounding: parts made from the numbers
    of a part are then the same part."""
    old, new = tuple(given), tuple(unit)
    return old if all(abs(a - b) <= ROUNDING for a, b in zip(old, new, strict=True)) else new


def read_orientation(value: Any, name: str = "orientation") -> tuple[float, float, float, float]:
    """Euler parameters from four of them, scalar first, or from the three components of a rotation vector [rad]."""
    count = len(value) if hasattr(value, "__len__") and not isinstance(value, str) else 0
    if count == 4:
        e0, e1, e2, e3 = settled(vector(value, "", name, 4), read_parameters(value, name))
        return e0, e1, e2, e3
    if count != 3:
        raise GudgeonError(
            f"{name} {value!r}: give Euler parameters (e0, e1, e2, e3), or a rotation vector (x, y, z) [rad]"
        )
    x, y, z = vector(value, "rad", name, 3)
    angle = math.hypot(x, y, z)
    return (1.0, 0.0, 0.0, 0.0) if angle == 0.0 else about(Vector(x / angle, y / angle, z / angle), angle)


@dataclass(frozen=True)
class SpatialBody(Named):
    """A rigid body of space, described by its centre of mass.

    mass [kg]; inertia about the centre of mass [kg m^2] in the body's axes: three principal moments, or a tensor's six
    components (xx, yy, zz, xy, xz, yz); position of the centre of mass `at` [m]; `orientation` of the body's axes as
    four Euler parameters, scalar first, or as a rotation vector [rad]; `velocity` of the centre of mass [m/s] and
    angular velocity `spin` [rad/s], both with world components.
    """

    word: ClassVar[str] = "body"

    name: str
    mass: Mass
    inertia: Any
    at: Point3
    orientation: Any = (1.0, 0.0, 0.0, 0.0)
    velocity: Point3 = (0.0, 0.0, 0.0)
    spin: Point3 = (0.0, 0.0, 0.0)

    def validate(self) -> None:
        object.__setattr__(self, "at", three(self.at, "m", "at"))
        object.__setattr__(self, "velocity", three(self.velocity, "m/s", "velocity"))
        object.__setattr__(self, "spin", three(self.spin, "rad/s", "spin"))
        object.__setattr__(self, "orientation", read_orientation(self.orientation))
        count = len(self.inertia) if hasattr(self.inertia, "__len__") else 0
        principal_moments(self.inertia)
        object.__setattr__(self, "inertia", vector(self.inertia, "kg m^2", "inertia", count))

    @property
    def principal(self) -> Principal:
        """Principal moments, and the turn from the body's axes to the principal ones."""
        return principal_moments(self.inertia)

    @property
    def rotation(self) -> Rotation:
        """Of the body's axes in the described position."""
        return rotation_matrix(self.orientation)

    @property
    def _principal_axes(self) -> Rotation:
        turned = self.principal.described
        return self.rotation if turned is None else self.rotation.after(Rotation(*turned.columns))

    @property
    def coordinates(self) -> tuple[float, ...]:
        """As the equations of motion count them: centre of mass, Euler parameters of the principal axes."""
        if self.principal.described is None:
            return (*self.at, *self.orientation)
        return (*self.at, *parameters_of(self._principal_axes))

    @property
    def velocities(self) -> tuple[float, ...]:
        """Velocity in the world, angular velocity along the principal axes."""
        return (*self.velocity, *self._principal_axes.back(Vector(*self.spin)))

    @property
    def masses(self) -> tuple[float, ...]:
        """What resists each velocity."""
        return (self.mass, self.mass, self.mass, *self.principal.moments)

    def local(self, point: Point3) -> Point3:
        """Body-fixed coordinates [m] of a world point [m], in the described position."""
        x, y, z = self.rotation.back(Vector(*point) - Vector(*self.at))
        return (x, y, z)

    def world(self, point: Point3) -> Point3:
        """World coordinates [m] of a body-fixed point [m], in the described position."""
        x, y, z = Vector(*self.at) + self.rotation @ Vector(*point)
        return (x, y, z)
