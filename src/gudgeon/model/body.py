"""A rigid body in the plane."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.model.names import GROUND, Named
from gudgeon.quantity import Angle, AngularSpeed, Inertia, Mass, vector

__all__ = ["GROUND", "Body", "Point"]

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
