"""A flexible link of space: a beam that bends, twists, stretches and shears as far as it likes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gudgeon.model.beam import Beam
from gudgeon.model.curve import Curve
from gudgeon.model.names import shown
from gudgeon.model.spatial.body import Point3, SpatialBody, three
from gudgeon.model.spatial.section import SpatialSection
from gudgeon.quantity import GudgeonError
from gudgeon.space.spatial.rotation import Rotation, parameters_of, rotation_matrix
from gudgeon.space.spatial.triad import direction, triad
from gudgeon.space.spatial.vector import Vector

__all__ = ["SpatialBeam"]

ROUNDING = 1e-12  # of the largest moment: what is left of a product of inertia that is zero


@dataclass(frozen=True)
class SpatialBeam(Beam):
    """A beam of space from `a` to `b` [m], straight as described or built bent, with elements, order, damping and
    stations as those of the plane.

    sweep [rad]: the angle by which it turns on its way, from its chord's direction towards the section's y axis.
    through [m]: points that it is built through instead; its sections do not turn about the line.
    `up`: a direction across the beam; the section's y axis lies in the plane of both, z is square to x and y. Without
    it y leans on the coordinate axis after the one nearest to the beam: a beam along x has y upward. `velocity` [m/s]
    of its middle and `spin` [rad/s] at the start have world components. Points fixed to it are counted from the middle,
    along the section's axes; where it is bent, from its centre of mass along the axes that the section would have on
    the chord.
    """

    a: Point3  # type: ignore[assignment]
    b: Point3  # type: ignore[assignment]
    section: SpatialSection  # type: ignore[assignment]
    velocity: Point3 = (0.0, 0.0, 0.0)  # type: ignore[assignment]
    spin: Point3 = (0.0, 0.0, 0.0)
    through: tuple[Point3, ...] = ()  # type: ignore[assignment]
    up: Point3 | None = None

    def validate(self) -> None:
        for name, unit in (("a", "m"), ("b", "m"), ("velocity", "m/s"), ("spin", "rad/s")):
            object.__setattr__(self, name, three(getattr(self, name), unit, name))
        object.__setattr__(self, "through", tuple(three(point, "m", "through") for point in self.through))
        if not isinstance(self.section, SpatialSection):
            raise GudgeonError(
                f"section {shown(self.section)} is none of space; give gd.SpatialSection.rectangle(...) or "
                "gd.SpatialSection(stiffness=..., inertia=...)"
            )
        self._check_mesh()
        if self.up is not None:
            object.__setattr__(self, "up", tuple(direction(self.up, "up")))
        _ = self.rotation

    @property
    def angle(self) -> float:
        raise AttributeError("a beam of space has a rotation, not an angle")

    @property
    def at(self) -> Any:
        """Its centre of mass in the described position [m]: the middle where it is straight."""
        if self.curve is None:
            return tuple(0.5 * (x + y) for x, y in zip(self.a, self.b, strict=True))
        return tuple(Vector(*self.a) + self.rotation @ Vector(*map(float, self.curve.centre)))

    def _from_start(self, points: Any) -> np.ndarray:
        return np.array([tuple(self.rotation.back(Vector(*p) - Vector(*self.a))) for p in points])

    @cached_property
    def rotation(self) -> Rotation:
        """Of the section's axes in the described position."""
        along = Vector(*((y - x) / self.chord for x, y in zip(self.a, self.b, strict=True)))
        if self.up is not None and math.hypot(*along.cross(Vector(*self.up))) < 1e-9:
            raise GudgeonError(f"up {self.up} lies along the beam; give a direction across it")
        y, z, x = triad(along, None if self.up is None else Vector(*self.up))
        return Rotation.of_columns(x, y, z)

    @cached_property
    def stiff(self) -> SpatialBody:  # type: ignore[override]
        """The rigid body of the same shape and mass; couplings of the section's inertia are left out."""
        if self.curve is not None:
            return self._stiff_curve(self.curve)
        mass, moments = self.section.mass * self.length, [self.length * self.section.inertia[k][k] for k in (3, 4, 5)]
        across = mass * self.length**2 / 12.0
        least = 1e-12 * across  # a line without thickness does not turn about itself
        inertia = (max(moments[0], least), moments[1] + across, moments[2] + across)
        if inertia[0] < abs(inertia[1] - inertia[2]) or math.isclose(inertia[0], abs(inertia[1] - inertia[2])):
            inertia = (inertia[0], max(inertia[1:]), max(inertia[1:]))  # an odd section, of numbers alone
        return SpatialBody(self.name, mass, inertia, self.at, parameters_of(self.rotation), self.velocity, self.spin)

    def _stiff_curve(self, curve: Curve) -> SpatialBody:
        mass, moments = self.section.mass * self.length, [self.section.inertia[k][k] for k in (3, 4, 5)]
        total = mass * (np.trace(curve.spread) * np.eye(3) - curve.spread)
        for u, weight in zip(*curve.points, strict=True):
            axes = curve.axes(float(u))
            total += weight * self.length * axes @ np.diag(moments) @ axes.T
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = total.tolist()
        tensor = (xx, yy, zz, *(x if abs(x) > ROUNDING * max(xx, yy, zz) else 0.0 for x in (xy, xz, yz)))
        inertia = tensor if any(tensor[3:]) else tensor[:3]
        return SpatialBody(self.name, mass, inertia, self.at, parameters_of(self.rotation), self.velocity, self.spin)

    def built(self, station: float) -> np.ndarray:
        if self.curve is None:
            return np.array([(station - 0.5) * self.length, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
        return np.array([*(self.curve.place(station) - self.curve.centre), *self.curve.parameters(station)])

    def rotation_at(self, point: Point3) -> Rotation:
        """Of the section that carries a point, in the described position."""
        if self.curve is None:
            return self.rotation
        return self.rotation.after(rotation_matrix(self.built(self.section_of(point)[0])[3:].tolist()))
