"""A flexible link of space: a beam that bends, twists, stretches and shears as far as it likes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gudgeon.model.beam import Beam
from gudgeon.model.names import shown
from gudgeon.model.spatial.body import Point3, SpatialBody, three
from gudgeon.model.spatial.section import SpatialSection
from gudgeon.quantity import GudgeonError
from gudgeon.space.spatial.rotation import Rotation, parameters_of
from gudgeon.space.spatial.triad import direction, triad
from gudgeon.space.spatial.vector import Vector

__all__ = ["SpatialBeam"]


@dataclass(frozen=True)
class SpatialBeam(Beam):
    """A beam of space from `a` to `b` [m], straight as described, with elements, order, damping and stations as those
    of the plane.

    `up`: a direction across the beam; the section's y axis lies in the plane of both, z is square to x and y. Without
    it y leans on the coordinate axis after the one nearest to the beam: a beam along x has y upward. `velocity` [m/s]
    of its middle and `spin` [rad/s] at the start have world components. Points fixed to it are counted from the middle,
    along the section's axes.
    """

    a: Point3  # type: ignore[assignment]
    b: Point3  # type: ignore[assignment]
    section: SpatialSection  # type: ignore[assignment]
    velocity: Point3 = (0.0, 0.0, 0.0)  # type: ignore[assignment]
    spin: Point3 = (0.0, 0.0, 0.0)
    up: Point3 | None = None

    def validate(self) -> None:
        for name, unit in (("a", "m"), ("b", "m"), ("velocity", "m/s"), ("spin", "rad/s")):
            object.__setattr__(self, name, three(getattr(self, name), unit, name))
        if not isinstance(self.section, SpatialSection):
            raise GudgeonError(
                f"section {shown(self.section)} is none of space; give SpatialSection.rectangle(...) or "
                "SpatialSection(stiffness=..., inertia=...)"
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
        """The middle in the described position [m]."""
        return tuple(0.5 * (x + y) for x, y in zip(self.a, self.b, strict=True))

    @cached_property
    def rotation(self) -> Rotation:
        """Of the section's axes in the described position."""
        along = Vector(*((y - x) / self.length for x, y in zip(self.a, self.b, strict=True)))
        if self.up is not None and math.hypot(*along.cross(Vector(*self.up))) < 1e-9:
            raise GudgeonError(f"up {self.up} lies along the beam; give a direction across it")
        y, z, x = triad(along, None if self.up is None else Vector(*self.up))
        return Rotation.of_columns(x, y, z)

    @cached_property
    def stiff(self) -> SpatialBody:  # type: ignore[override]
        """The rigid body of the same shape and mass; couplings of the section's inertia are left out."""
        mass, moments = self.section.mass * self.length, [self.length * self.section.inertia[k][k] for k in (3, 4, 5)]
        across = mass * self.length**2 / 12.0
        least = 1e-12 * across  # a line without thickness does not turn about itself
        inertia = (max(moments[0], least), moments[1] + across, moments[2] + across)
        if inertia[0] < abs(inertia[1] - inertia[2]) or math.isclose(inertia[0], abs(inertia[1] - inertia[2])):
            inertia = (inertia[0], max(inertia[1:]), max(inertia[1:]))  # an odd section, of numbers alone
        return SpatialBody(self.name, mass, inertia, self.at, parameters_of(self.rotation), self.velocity, self.spin)
