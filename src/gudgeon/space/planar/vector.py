"""Vectors of the plane with operators, on any scalar type."""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.compile.graph import sqrt
from gudgeon.space.mate import TINY_SQUARE, Number


@dataclass(frozen=True)
class PlanarVector:
    x: Number
    y: Number

    def __add__(self, other: PlanarVector) -> PlanarVector:
        return PlanarVector(self.x + other.x, self.y + other.y)

    def __sub__(self, other: PlanarVector) -> PlanarVector:
        return PlanarVector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor: Number) -> PlanarVector:
        return PlanarVector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self) -> PlanarVector:
        return PlanarVector(-self.x, -self.y)

    def __matmul__(self, other: PlanarVector) -> Number:
        """Scalar product."""
        return self.x * other.x + self.y * other.y

    def cross(self, other: PlanarVector) -> Number:
        """The component of the vector product out of the plane."""
        return self.x * other.y - self.y * other.x

    @property
    def turned(self) -> PlanarVector:
        """The same length, a quarter turn counter-clockwise."""
        return PlanarVector(-self.y, self.x)

    @property
    def norm(self) -> Number:
        """Length; differentiable at zero, see TINY_SQUARE."""
        return sqrt(self @ self + TINY_SQUARE)
