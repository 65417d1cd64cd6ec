"""Rotations of space: matrices from Euler parameters, on any scalar type, and the numbers to start them from."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gudgeon.compile.graph import sqrt
from gudgeon.quantity import GudgeonError, vector
from gudgeon.space.mate import Number
from gudgeon.space.spatial.geometry.vector import Vector

NEARLY_UNIT = 1e-3  # Euler parameters typed with few digits are scaled to length 1, others are refused
ROUNDED = 1e-9  # what is nearer to length 1 is not spoken of


@dataclass(frozen=True)
class Rotation:
    """A rotation matrix by its rows: it takes body-fixed components to those of the frame outside."""

    x: Vector
    y: Vector
    z: Vector

    def __matmul__(self, local: Vector) -> Vector:
        return Vector(self.x @ local, self.y @ local, self.z @ local)

    def back(self, outer: Vector) -> Vector:
        """Body-fixed components of a vector given outside: the product with the transposed matrix."""
        return self.x * outer.x + self.y * outer.y + self.z * outer.z

    @property
    def columns(self) -> tuple[Vector, Vector, Vector]:
        """The body's axes, seen from outside."""
        x, y, z = self.x, self.y, self.z
        return Vector(x.x, y.x, z.x), Vector(x.y, y.y, z.y), Vector(x.z, y.z, z.z)

    def after(self, inner: Rotation) -> Rotation:
        """This rotation applied after another: the product of both matrices."""
        first, second, third = (self @ column for column in inner.columns)
        return Rotation.of_columns(first, second, third)

    @staticmethod
    def of_columns(first: Vector, second: Vector, third: Vector) -> Rotation:
        rows = (Vector(a, b, c) for a, b, c in zip(first, second, third, strict=True))
        return Rotation(*rows)


IDENTITY = Rotation(Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))


# The matrix of Euler parameters p = (e0, e1, e2, e3), |p| = 1, with the scalar first:
#
#         [ e0² + e1² - 1/2    e1 e2 - e0 e3      e1 e3 + e0 e2   ]
#   A = 2 [ e1 e2 + e0 e3      e0² + e2² - 1/2    e2 e3 - e0 e1   ]
#         [ e1 e3 - e0 e2      e2 e3 + e0 e1      e0² + e3² - 1/2 ]
#
# (Flores et al. 2006, Eq 24, prints it without the factor 2). The diagonal is written as 1 - 2(...), the same on the
# unit sphere, since it keeps all digits near the identity.
def rotation_matrix(p: Sequence[Number]) -> Rotation:
    """Matrix of Euler parameters of length 1."""
    e0, e1, e2, e3 = p
    return Rotation(
        Vector(1.0 - 2.0 * (e2 * e2 + e3 * e3), 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)),
        Vector(2.0 * (e1 * e2 + e0 * e3), 1.0 - 2.0 * (e1 * e1 + e3 * e3), 2.0 * (e2 * e3 - e0 * e1)),
        Vector(2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), 1.0 - 2.0 * (e1 * e1 + e2 * e2)),
    )


def parameter_rates(p: Sequence[Number], w: Sequence[Number]) -> tuple[Number, ...]:
    """p' = 1/2 L^T w' of Euler parameters from the angular velocity in body-fixed components; p · p' = 0."""
    e0, e1, e2, e3 = p
    x, y, z = w
    return (
        -0.5 * (e1 * x + e2 * y + e3 * z),
        0.5 * (e0 * x - e3 * y + e2 * z),
        0.5 * (e3 * x + e0 * y - e1 * z),
        0.5 * (e1 * y - e2 * x + e0 * z),
    )


def unit_parameters(p: Sequence[Number]) -> tuple[Number, ...]:
    """The same parameters scaled to length 1."""
    e0, e1, e2, e3 = p
    scale = 1.0 / sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return e0 * scale, e1 * scale, e2 * scale, e3 * scale


def after(p: Sequence[Number], q: Sequence[Number]) -> tuple[Number, ...]:
    """Euler parameters of the rotation p applied after q: the product of quaternions."""
    a0, a1, a2, a3 = p
    b0, b1, b2, b3 = q
    return (
        a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
        a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2,
        a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1,
        a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0,
    )


def conjugate(p: Sequence[Number]) -> tuple[Number, ...]:
    """Euler parameters of the rotation back."""
    return p[0], -p[1], -p[2], -p[3]


# -- numbers ------------------------------------------------------------------------------------------------------


def parameters_of(matrix: Rotation) -> tuple[float, float, float, float]:
    """Euler parameters of a matrix of floats; of the two signs the one whose largest component is positive."""
    a = [[float(c) for c in row] for row in (matrix.x, matrix.y, matrix.z)]
    # 4 e_k e_l for all k, l; the row of the largest component loses no digits
    products = (
        (1.0 + a[0][0] + a[1][1] + a[2][2], a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]),
        (a[2][1] - a[1][2], 1.0 + a[0][0] - a[1][1] - a[2][2], a[1][0] + a[0][1], a[0][2] + a[2][0]),
        (a[0][2] - a[2][0], a[1][0] + a[0][1], 1.0 - a[0][0] + a[1][1] - a[2][2], a[2][1] + a[1][2]),
        (a[1][0] - a[0][1], a[0][2] + a[2][0], a[2][1] + a[1][2], 1.0 - a[0][0] - a[1][1] + a[2][2]),
    )
    row = max(range(4), key=lambda k: products[k][k])
    size = math.sqrt(sum(x * x for x in products[row]))
    e0, e1, e2, e3 = (x / size for x in products[row])
    return e0, e1, e2, e3


def read_parameters(value: Any, name: str = "orientation") -> tuple[float, float, float, float]:
    """Euler parameters as the user wrote them, scaled to length 1 when they nearly have it."""
    p = vector(value, "", name, 4)
    size = math.sqrt(sum(x * x for x in p))
    if abs(size - 1.0) > NEARLY_UNIT:
        remedy = "give all four, scalar first, for instance (1, 0, 0, 0)"
        if size > 0.0:
            remedy = f"did you mean ({', '.join(f'{x / size:.6g}' for x in p)})? {remedy}"
        raise GudgeonError(f"{name} {value!r}: Euler parameters have length {size:.6g} instead of 1; {remedy}")
    if abs(size - 1.0) > ROUNDED:
        warnings.warn(f"{name} {value!r}: Euler parameters of length {size:.9g} were scaled to 1", stacklevel=2)
    e0, e1, e2, e3 = (x / size for x in p)
    return e0, e1, e2, e3


def about(axis: Vector, angle: float) -> tuple[float, float, float, float]:
    """Euler parameters of a turn by an angle [rad] about a unit axis."""
    s = math.sin(0.5 * angle)
    return math.cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z
