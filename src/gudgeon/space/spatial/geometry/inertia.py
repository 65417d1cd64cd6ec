"""Inertia of bodies of space as numbers: principal axes of a tensor, checks, and bodies of simple shape."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.quantity import GudgeonError, Unit, quantity, vector
from gudgeon.space.spatial.geometry.rotation import Rotation
from gudgeon.space.spatial.geometry.vector import Vector

SLACK = 1e-6  # of the largest moment: what rounding in a table may take from the triangle inequality

_AXES = "xyz"
_LENGTH, _DENSITY = Unit("m", above=0.0), Unit("kg/m^3", above=0.0)


@dataclass(frozen=True)
class Principal:
    """Principal moments [kg m^2] and the rotation from the described axes to the principal ones; None when the
    described axes are principal."""

    moments: tuple[float, float, float]
    described: Rotation | None = None


def principal_moments(value: Any, name: str = "inertia") -> Principal:
    """Principal moments from three of them, or from a tensor's six components (xx, yy, zz, xy, xz, yz).

    The mixed components are those of the matrix: xy = -(integral of x y dm). Principal axes are numbered so that they
    turn as little as possible.
    """
    count = len(value) if hasattr(value, "__len__") and not isinstance(value, str) else 0
    if count == 3:
        x, y, z = vector(value, "kg m^2", name, 3)
        _check((x, y, z), name, value)
        return Principal((x, y, z))
    if count != 6:
        raise GudgeonError(
            f"{name} {value!r}: give three principal moments, or the six components (xx, yy, zz, xy, xz, yz) [kg m^2]"
        )
    xx, yy, zz, xy, xz, yz = vector(value, "kg m^2", name, 6)
    if xy == xz == yz == 0.0:
        return principal_moments((xx, yy, zz), name)
    moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    order = max(itertools.permutations(range(3)), key=lambda p: sum(abs(axes[k, p[k]]) for k in range(3)))
    axes, first = axes[:, order], moments[list(order)]
    axes = axes * np.where(np.diag(axes) < 0.0, -1.0, 1.0)
    if np.linalg.det(axes) < 0.0:
        axes[:, int(np.argmin(np.diag(axes)))] *= -1.0
    sorted_moments = (float(first[0]), float(first[1]), float(first[2]))
    _check(sorted_moments, name, value)
    # columns of `axes` are the principal axes in described components: its transpose turns described into principal
    return Principal(sorted_moments, Rotation(*(Vector(*(float(c) for c in axes[:, k])) for k in range(3))))


def _check(moments: Sequence[float], name: str, value: Any) -> None:
    if min(moments) <= 0.0:
        k = moments.index(min(moments))
        raise GudgeonError(
            f"{name} {value!r}: principal moment {moments[k]:.6g} kg m^2 is not positive; "
            "check signs and the mixed components"
        )
    for k in range(3):
        others = sum(moments) - moments[k]
        if moments[k] > others + SLACK * moments[k]:
            raise GudgeonError(
                f"{name} {value!r}: principal moment {_AXES[k]} {moments[k]:.6g} kg m^2 is greater than the sum "
                f"{others:.6g} of the other two, which no body has; check units and order"
            )


@dataclass(frozen=True)
class Solid:
    """Mass [kg] and principal moments [kg m^2] about the centre, along the solid's axes x, y, z."""

    mass: float
    inertia: tuple[float, float, float]


def box(x: Any, y: Any, z: Any, density: Any) -> Solid:
    """A block of edges x, y, z [m]."""
    a, b, c = (_LENGTH.read(v, f"box: {n}") for v, n in ((x, "x"), (y, "y"), (z, "z")))
    m = _DENSITY.read(density, "box: density") * a * b * c
    return Solid(m, (m * (b * b + c * c) / 12.0, m * (c * c + a * a) / 12.0, m * (a * a + b * b) / 12.0))


def cylinder(radius: Any, length: Any, density: Any, bore: Any = 0.0) -> Solid:
    """A cylinder along z; `bore` is the radius of a hole through it [m]."""
    r, l = _LENGTH.read(radius, "cylinder: radius"), _LENGTH.read(length, "cylinder: length")
    hole = quantity(bore, "m", "cylinder: bore")
    if not 0.0 <= hole < r:
        raise GudgeonError(f"cylinder: bore {bore!r} must be at least 0 and less than the radius {r:g} m")
    m = _DENSITY.read(density, "cylinder: density") * math.pi * (r * r - hole * hole) * l
    square = r * r + hole * hole
    across = m * (3.0 * square + l * l) / 12.0
    return Solid(m, (across, across, 0.5 * m * square))


def sphere(radius: Any, density: Any) -> Solid:
    """A full ball."""
    r = _LENGTH.read(radius, "sphere: radius")
    m = _DENSITY.read(density, "sphere: density") * 4.0 / 3.0 * math.pi * r**3
    return Solid(m, (0.4 * m * r * r,) * 3)


def link(length: Any, width: Any, thickness: Any, density: Any) -> Solid:
    """A flat bar along x with half-round ends about its two joints: `length` from joint to joint, `width` along y,
    `thickness` along z."""
    l, w, t = (
        _LENGTH.read(v, f"link: {n}") for v, n in ((length, "length"), (width, "width"), (thickness, "thickness"))
    )
    rho, r = _DENSITY.read(density, "link: density"), 0.5 * w
    # a rectangle and two half circles; (l/2 + u)² over the latter, with first moment 2 r³/3 and second pi r⁴/8 each
    disk = math.pi * r * r
    m = rho * t * (l * w + disk)
    yy = rho * t * (l * w**3 / 12.0 + disk * r * r / 4.0)
    xx = rho * t * (w * l**3 / 12.0 + disk * l * l / 4.0 + 4.0 * l * r**3 / 3.0 + disk * r * r / 4.0)
    plate = m * t * t / 12.0
    return Solid(m, (yy + plate, xx + plate, xx + yy))
