"""Flexible links: beams of the plane and of space that bend, stretch and shear as far as they like."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np

from gudgeon.model.names import Named, shown
from gudgeon.model.parts.body import Body, Point, Point3, SpatialBody, pair, three
from gudgeon.model.parts.curve import Arc, Curve, Through
from gudgeon.model.parts.section import Section, SpatialSection
from gudgeon.quantity import SI, AngularSpeed, GudgeonError, Unit, quantity
from gudgeon.space.spatial.geometry.rotation import Rotation, parameters_of, rotation_matrix
from gudgeon.space.spatial.geometry.triad import direction, triad
from gudgeon.space.spatial.geometry.vector import Vector

__all__ = ["Beam", "SpatialBeam"]

StrainDamping = Annotated[SI, Unit("s", minimum=0.0)]
STATIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
Sweep = Annotated[SI, Unit("rad", minimum=-2.0 * math.pi, maximum=2.0 * math.pi)]
MOST_SWEEP = math.radians(359.0)  # of an arc: its chord must say how large it is
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
    def chord(self) -> float:
        """Distance from a to b [m]."""
        return math.dist(self.a, self.b)

    @property
    def length(self) -> float:
        """From a to b along the link [m]."""
        return self.chord

    @property
    def angle(self) -> float:
        """Of the link in the described position [rad]."""
        return math.atan2(self.b[1] - self.a[1], self.b[0] - self.a[0])

    @property
    def at(self) -> Point:
        """The middle in the described position [m]."""
        return (0.5 * (self.a[0] + self.b[0]), 0.5 * (self.a[1] + self.b[1]))

    def built(self, station: float) -> np.ndarray:
        """A section before any load, 0 at a to 1 at b: coordinates in the axes of the rigid link [m, rad]."""
        return np.array([(station - 0.5) * self.length, 0.0, 0.0])

    def section_of(self, point: Any) -> tuple[float, tuple[float, ...]]:
        """The station of the section that carries a point of the rigid link [m], and the point in its axes [m]; beyond
        its ends a link is rigid."""
        along = point[0] / self.length + 0.5
        station = min(max(along, 0.0), 1.0)
        rest = (along - station) * self.length
        return station, (rest if abs(rest) > ON_LINE * self.length else 0.0, *point[1:])


@dataclass(frozen=True)
class Beam(Straight, Named):
    """A beam from `a` to `b` [m], divided into elements of order 1, 2 or 3; straight, or curved when unloaded.

    sweep [rad]: angle of a circular arc that bends to the left from `a` to `b`, the unloaded shape.
    through [m]: instead of sweep, points of the unloaded axis, a smooth line from `a` to `b`.
    damping [s]: section forces are those of strain + damping x strain rate; a mode of angular frequency w has the
    damping ratio damping w/2.
    stations: where forces and strains are reported, 0 at `a` to 1 at `b`. `velocity` [m/s] of its middle and `spin`
    [rad/s] at the start, as of a rigid body. Coordinates of points fixed to it are those of that body: from the
    middle, along the beam and across; for a curved beam from its centre of mass, along the chord and across.
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
    sweep: Sweep = 0.0
    through: tuple[Point, ...] = ()

    def validate(self) -> None:
        for name, unit in (("a", "m"), ("b", "m"), ("velocity", "m/s")):
            object.__setattr__(self, name, pair(getattr(self, name), unit, name))
        object.__setattr__(self, "through", tuple(pair(point, "m", "through") for point in self.through))
        if not isinstance(self.section, Section):
            raise GudgeonError(f"section {shown(self.section)} is none; give Section.rectangle(...) or Section(EA=...)")
        self._check_mesh()

    def _check_mesh(self) -> None:
        if not isinstance(self.elements, int) or not 1 <= self.elements <= 1000:
            raise GudgeonError(f"elements {self.elements!r} must be a whole number from 1 to 1000; 4 is usual")
        if self.order not in (1, 2, 3):
            raise GudgeonError(f"order {self.order!r} must be 1, 2 or 3; 3 is usual")
        if abs(self.sweep) >= MOST_SWEEP:
            raise GudgeonError(f"sweep {self.sweep:g} rad closes the circle; make a ring of two beams")
        if not self.chord > 0.0:
            raise GudgeonError("its ends a and b coincide; move one of them")
        if self.through and self.sweep != 0.0:
            raise GudgeonError("sweep and through both describe the curvature; leave one of them out")
        if any(math.dist(p, q) <= ON_LINE * self.chord for p, q in pairwise((self.a, *self.through, self.b))):
            raise GudgeonError("through: two points in a row coincide; leave one of them out")
        object.__setattr__(self, "stations", stations_of(self.stations))

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return self.elements * self.order + 1

    @cached_property
    def curve(self) -> Curve | None:
        """The line it is built along; None where that is straight."""
        if self.through:
            return Through(self._from_start((self.a, *self.through, self.b)))
        return None if self.sweep == 0.0 else Arc(self.chord, self.sweep)

    def _from_start(self, points: Any) -> np.ndarray:
        """World points in the axes of the chord [m], from its start."""
        away, c, s = np.array(points) - self.a, math.cos(self.angle), math.sin(self.angle)
        return np.column_stack([away @ (c, s), away @ (-s, c), np.zeros(len(points))])

    @property
    def length(self) -> float:
        return self.chord if self.curve is None else self.curve.length

    @property
    def at(self) -> Point:
        """Its centre of mass in the described position [m]: the middle where it is straight."""
        if self.curve is None:
            return super().at
        (x, y, _), c, s = self.curve.centre, math.cos(self.angle), math.sin(self.angle)
        return (self.a[0] + c * float(x) - s * float(y), self.a[1] + s * float(x) + c * float(y))

    @cached_property
    def stiff(self) -> Body:
        """The rigid body of the same shape and mass."""
        mass, inertia = self.section.mass * self.length, self.section.inertia * self.length
        spread = self.length**2 / 12.0 if self.curve is None else float(np.trace(self.curve.spread))
        return Body(self.name, mass, inertia + mass * spread, self.at, self.angle, self.velocity, self.spin)

    def built(self, station: float) -> np.ndarray:
        if self.curve is None:
            return super().built(station)
        x, y, _ = self.curve.place(station) - self.curve.centre
        return np.array([x, y, self.curve.turn(station)])

    def section_of(self, point: Any) -> tuple[float, tuple[float, ...]]:
        if self.curve is None:
            return super().section_of(point)
        given = np.array([*point, 0.0][:3]) + self.curve.centre
        station = self.curve.nearest(given)
        inside = (given - self.curve.place(station)) @ self.curve.axes(station)
        return station, tuple(float(x) if abs(x) > ON_LINE * self.length else 0.0 for x in inside[: len(point)])

    def local(self, point: Point) -> Point:
        """Coordinates [m] from the middle, along and across, of a world point [m] in the described position."""
        return self.stiff.local(point)

    def world(self, point: Point) -> Point:
        """World coordinates [m] of such a point."""
        return self.stiff.world(point)

    def rail(self, axis: Any, point: Point) -> Point:
        """The direction in which something slides along it, from a point counted from its middle [m]."""
        own = (math.cos(self.angle), math.sin(self.angle))
        if self.curve is not None:
            raise GudgeonError(f"joints slide along straight beams only, and {self.title} is curved; make it straight")
        if axis is not None:
            x, y = pair(axis, "", "axis")
            if abs(x * own[1] - y * own[0]) > ON_LINE * math.hypot(x, y):
                raise GudgeonError(f"axis {shown(axis)}: along {self.title} it is its own direction; leave axis out")
        if abs(point[1]) > ON_LINE * self.length:
            raise GudgeonError(f"the point is {abs(point[1]):.4g} m beside the axis of {self.title}; move it onto "
                               "the axis")
        if abs(point[0]) > (0.5 + ON_LINE) * self.length:
            over = abs(point[0]) - 0.5 * self.length
            raise GudgeonError(f"the point is {over:.4g} m beyond the end of {self.title}; move it onto the beam")
        return own


ROUNDING = 1e-12  # of the largest moment: what is left of a product of inertia that is zero


@dataclass(frozen=True)
class SpatialBeam(Beam):
    """A beam in space from `a` to `b` [m], straight, or curved when unloaded; elements, order, damping and stations as
    in Beam.

    sweep [rad]: angle of a circular arc towards the section's y axis.
    through [m]: instead of sweep, points of the unloaded axis; the sections are not twisted about it.
    `up`: a direction across the beam; the section's y axis lies
    in the plane of both, z is perpendicular to x and y. By default it is the coordinate axis after the one nearest to
    the beam: a beam along x has y upward. `velocity` [m/s] of its middle and `spin` [rad/s] at the start have world
    components. Coordinates of points fixed to it are measured from the middle, along the section's axes; for a curved
    beam from its centre of mass, along the axes that a section on the chord would have.
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
