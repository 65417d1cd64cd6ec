"""A flexible link: a straight beam that bends, stretches and shears as far as it likes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar

from gudgeon.model.body import Body, Point, pair
from gudgeon.model.names import Named, shown
from gudgeon.model.section import Section
from gudgeon.quantity import SI, AngularSpeed, GudgeonError, Unit, quantity

__all__ = ["Beam"]

StrainDamping = Annotated[SI, Unit("s", minimum=0.0)]
STATIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
ON_LINE = 1e-9  # of its length: so close to the line of a beam is on it


def stations_of(given: tuple[float, ...]) -> tuple[float, ...]:
    """Places along a link from 0 at its start to 1 at its end, checked."""
    places = tuple(quantity(s, "", "stations") for s in given)
    if any(not 0.0 <= s <= 1.0 for s in places):
        raise GudgeonError(f"stations {shown(given)} must lie between 0 (at a) and 1 (at b)")
    return places


class Straight:
    """Where a link from a to b lies."""

    a: Point
    b: Point

    @property
    def length(self) -> float:
        """From a to b [m]."""
        return math.dist(self.a, self.b)

    @property
    def angle(self) -> float:
        """Of the link in the described position [rad]."""
        return math.atan2(self.b[1] - self.a[1], self.b[0] - self.a[0])

    @property
    def at(self) -> Point:
        """The middle in the described position [m]."""
        return (0.5 * (self.a[0] + self.b[0]), 0.5 * (self.a[1] + self.b[1]))


@dataclass(frozen=True)
class Beam(Straight, Named):
    """A beam from `a` to `b` [m], straight as described, cut into elements of order 1, 2 or 3.

    damping [s]: the time by which rates of strain count in the section's forces; a mode of angular frequency w has
    the ratio damping w/2. stations: where forces and strains are reported, 0 at `a` to 1 at `b`. `velocity` [m/s] of
    its middle and `spin` [rad/s] at the start, as of a rigid body. Points fixed to it are counted as on that body:
    from the middle, along the beam and across.
    """

    word: ClassVar[str] = "beam"
    reference: ClassVar[str] = "Reissner 1972; Simo 1985"
    works: ClassVar[tuple[str, ...]] = ("reissner1972", "simo1985")

    name: str
    a: Point
    b: Point
    section: Section
    elements: int = 4
    order: int = 3
    damping: StrainDamping = 0.0
    stations: tuple[float, ...] = STATIONS
    velocity: Point = (0.0, 0.0)
    spin: AngularSpeed = 0.0

    def validate(self) -> None:
        for name, unit in (("a", "m"), ("b", "m"), ("velocity", "m/s")):
            object.__setattr__(self, name, pair(getattr(self, name), unit, name))
        if not isinstance(self.section, Section):
            raise GudgeonError(f"section {shown(self.section)} is none; give Section.rectangle(...) or Section(EA=...)")
        self._check_mesh()

    def _check_mesh(self) -> None:
        if not isinstance(self.elements, int) or not 1 <= self.elements <= 1000:
            raise GudgeonError(f"elements {self.elements!r} must be a whole number from 1 to 1000; 4 is usual")
        if self.order not in (1, 2, 3):
            raise GudgeonError(f"order {self.order!r} must be 1, 2 or 3; 3 is usual")
        if not self.length > 0.0:
            raise GudgeonError("its ends a and b coincide; move one of them")
        object.__setattr__(self, "stations", stations_of(self.stations))

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return self.elements * self.order + 1

    @cached_property
    def stiff(self) -> Body:
        """The rigid body of the same shape and mass."""
        mass, inertia = self.section.mass * self.length, self.section.inertia * self.length
        return Body(self.name, mass, inertia + mass * self.length**2 / 12.0, self.at, self.angle, self.velocity,
                    self.spin)  # fmt: skip

    def local(self, point: Point) -> Point:
        """Coordinates [m] from the middle, along and across, of a world point [m] in the described position."""
        return self.stiff.local(point)

    def world(self, point: Point) -> Point:
        """World coordinates [m] of such a point."""
        return self.stiff.world(point)

    def rail(self, axis: Any, point: Point) -> Point:
        """The direction in which something slides along it, from a point counted from its middle [m]."""
        own = (math.cos(self.angle), math.sin(self.angle))
        if axis is not None:
            x, y = pair(axis, "", "axis")
            if abs(x * own[1] - y * own[0]) > ON_LINE * math.hypot(x, y):
                raise GudgeonError(f"axis {shown(axis)}: along {self.title} it is its own direction; leave axis out")
        if abs(point[1]) > ON_LINE * self.length:
            raise GudgeonError(f"the place is {abs(point[1]):.4g} m beside the line of {self.title}; move it there")
        if abs(point[0]) > (0.5 + ON_LINE) * self.length:
            over = abs(point[0]) - 0.5 * self.length
            raise GudgeonError(f"the place is {over:.4g} m beyond the end of {self.title}; move it onto the beam")
        return own
