"""A flexible link that bends a little: a rigid frame and a few shapes upon it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from gudgeon.model.names import Named, choice, shown
from gudgeon.model.parts.beam import STATIONS, Straight, stations_of
from gudgeon.model.parts.body import Body, Point, pair
from gudgeon.model.parts.section import BendingStiffness, LineInertia, Section
from gudgeon.quantity import SI, AngularSpeed, GudgeonError, Mass, Unit

__all__ = ["ModalLink"]

DampingRatio = Annotated[SI, Unit("", minimum=0.0, maximum=1.0)]
AXES = ("chord", "tangent", "mean")
FINE = 16  # elements where shapes in closed form are not used
MOST = 20  # modes: their frequencies grow with the square of their number


@dataclass(frozen=True)
class ModalLink(Straight, Named):
    """A uniform straight link from `a` to `b` [m] for small vibrations: Euler-Bernoulli, inextensible.

    It moves as a rigid frame and bends across its axis with `modes` shapes. Give `EI` [N m^2], the total `mass` [kg]
    and, if needed, the rotary inertia per length `rotary` [kg m]; or a `section`, which gives all three. `axes` is the
    frame from which deflections are measured: the "chord" through its ends, the "tangent" at a, or the "mean" axes.
    The shapes are then those of a link with pinned ends, clamped at a, or free. `elements`: number of cubic elements
    for computing the shapes; default: sines for the chord, otherwise 16 elements. `damping` is the damping ratio of
    the first mode; the ratios of the others grow with their frequency ("stiffness") or are the same ("equal"), by
    `damping_law`. `velocity` [m/s] of its middle and `spin` [rad/s] at the start. Coordinates of points fixed to it
    are measured from the middle, along the link and across; the points move with their section.
    """

    word: ClassVar[str] = "modal link"

    name: str
    a: Point
    b: Point
    EI: BendingStiffness | None = None
    mass: Mass | None = None
    section: Section | None = None
    rotary: LineInertia = 0.0
    modes: int = 2
    axes: Literal["chord", "tangent", "mean"] = "chord"
    elements: int | None = None
    damping: DampingRatio = 0.0
    damping_law: Literal["stiffness", "equal"] = "stiffness"
    stations: tuple[float, ...] = STATIONS
    velocity: Point = (0.0, 0.0)
    spin: AngularSpeed = 0.0

    def validate(self) -> None:
        for name, unit in (("a", "m"), ("b", "m"), ("velocity", "m/s")):
            object.__setattr__(self, name, pair(getattr(self, name), unit, name))
        if not self.length > 0.0:
            raise GudgeonError("its ends a and b coincide; move one of them")
        self._weigh()
        choice(self.axes, AXES, "axes")
        choice(self.damping_law, ("stiffness", "equal"), "damping_law")
        if not _whole(self.modes, MOST):
            raise GudgeonError(f"modes {self.modes!r} must be a whole number from 1 to {MOST}; 2 is usual")
        if self.elements is not None and not _whole(self.elements, 200):
            raise GudgeonError(f"elements {self.elements!r} must be a whole number from 1 to 200; leave it out")
        if self.elements is not None and self.modes > 2 * self.elements:
            raise GudgeonError(
                f"modes {self.modes} are more than {self.elements} elements have, which is {2 * self.elements}; "
                "give more elements"
            )
        object.__setattr__(self, "stations", stations_of(self.stations))

    def _weigh(self) -> None:
        """A section gives stiffness and masses, and is not kept."""
        if self.section is None:
            if self.EI is None or self.mass is None:
                raise GudgeonError("EI and mass are missing; give both, or a section such as Section.rectangle(...)")
            return
        if not isinstance(self.section, Section):
            raise GudgeonError(f"section {shown(self.section)} is none; give Section.rectangle(...), or EI and mass")
        if self.EI is not None or self.mass is not None or self.rotary:
            raise GudgeonError("section already gives stiffness and mass; leave EI, mass and rotary out")
        given = {"EI": self.section.EI, "mass": self.section.mass * self.length, "rotary": self.section.inertia}
        for name, value in {**given, "section": None}.items():
            object.__setattr__(self, name, value)

    @property
    def inertia(self) -> float:
        """Of the straight link about its middle [kg m^2]."""
        assert self.mass is not None
        return self.mass * self.length**2 / 12.0 + self.rotary * self.length

    @property
    def coordinates(self) -> tuple[float, ...]:
        """As the equations of motion count them: the frame, then the modes."""
        return (*self.at, self.angle, *(0.0,) * self.modes)

    @property
    def velocities(self) -> tuple[float, ...]:
        """Rates of the coordinates."""
        return (*self.velocity, self.spin, *(0.0,) * self.modes)

    @property
    def masses(self) -> tuple[float, ...]:
        """What resists each velocity; without limit where the link bends, which is straight when it is put together."""
        assert self.mass is not None
        return (self.mass, self.mass, self.inertia, *(math.inf,) * self.modes)

    @cached_property
    def stiff(self) -> Body:
        """The rigid body of the same shape and mass."""
        assert self.mass is not None
        return Body(self.name, self.mass, self.inertia, self.at, self.angle, self.velocity, self.spin)

    def local(self, point: Point) -> Point:
        """Coordinates [m] from the middle, along and across, of a world point [m] in the described position."""
        return self.stiff.local(point)

    def world(self, point: Point) -> Point:
        """World coordinates [m] of such a point."""
        return self.stiff.world(point)


def _whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
