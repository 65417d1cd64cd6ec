"""Vectors of space with operators, on any scalar type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gudgeon.compile.graph import sqrt
from gudgeon.space.mate import TINY_SQUARE, Number


@dataclass(frozen=True)
class Vector:
    x: Number
    y: Number
    z: Number

    def __iter__(self) -> Iterator[Number]:
        return iter((self.x, self.y, self.z))

    def __add__(self, other: Vector) -> Vector:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector) -> Vector:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor: Number) -> Vector:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    __rmul__ = __mul__

    def __neg__(self) -> Vector:
        return Vector(-self.x, -self.y, -self.z)

    def __matmul__(self, other: Vector) -> Number:
        """Scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector) -> Vector:
        """Vector product."""
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def across(self, axis: Vector) -> Vector:
        """What is left of this vector perpendicular to a unit axis."""
        return self - axis * (axis @ self)

    @property
    def norm(self) -> Number:
        """Length; differentiable at zero, see TINY_SQUARE."""
        return sqrt(self @ self + TINY_SQUARE)


ZERO = Vector(0.0, 0.0, 0.0)
