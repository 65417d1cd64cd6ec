"""Springs, dampers, forces and torques of the plane and of space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from gudgeon.model.names import GROUND, Named, choice, shown
from gudgeon.model.parts.body import Point, Point3
from gudgeon.model.signals import Signal, read_signal
from gudgeon.quantity import SI, Angle, Damping, GudgeonError, Length, Unit, vector

__all__ = ["Force", "SpatialForce", "SpatialSpring", "SpatialTorque", "Spring", "Torque", "TorsionSpring"]

SpringStiffness = Annotated[SI, Unit("N/m", minimum=0.0)]
Preload = Annotated[SI, Unit("N")]
TorsionStiffness = Annotated[SI, Unit("Nm/rad", minimum=0.0)]
TorsionDamping = Annotated[SI, Unit("Nm s/rad", minimum=0.0)]


@dataclass(frozen=True)
class Spring(Named):
    """A spring and damper between a point of body_i and a point of body_j.

    Points body-fixed [m], stiffness [N/m], free_length [m] (None: the length in the described position),
    damping [N s/m], preload [N] (the tension at the free length). A damper is a spring of stiffness 0.
    """

    word: ClassVar[str] = "spring"
    dimensions: ClassVar[int] = 2

    name: str
    body_i: str
    body_j: str
    point_i: Point
    point_j: Point
    stiffness: SpringStiffness
    free_length: Length | None = None
    damping: Damping = 0.0
    preload: Preload = 0.0

    def validate(self) -> None:
        for name in ("point_i", "point_j"):
            object.__setattr__(self, name, vector(getattr(self, name), "m", name, self.dimensions))
        if self.body_i == self.body_j:
            raise GudgeonError(f'both ends are on body "{self.body_i}"; connect two different bodies')
        if self.stiffness == self.damping == self.preload == 0.0:
            raise GudgeonError("stiffness 0, damping 0 and preload 0 do nothing; give at least one of them")


@dataclass(frozen=True)
class TorsionSpring(Named):
    """A spring and damper on the rotation that `joint` leaves free.

    stiffness [N m/rad], free_angle [rad] from the described position, damping [N m s/rad].
    """

    word: ClassVar[str] = "torsion spring"

    name: str
    joint: str
    stiffness: TorsionStiffness
    free_angle: Angle = 0.0
    damping: TorsionDamping = 0.0

    def validate(self) -> None:
        if self.stiffness == self.damping == 0.0:
            raise GudgeonError("stiffness 0 and damping 0 do nothing; give at least one of them")


@dataclass(frozen=True)
class Force(Named):
    """A force on a body-fixed `point` [m]; components [N] are numbers, strings, formulas or functions.

    A formula such as "-(5 N s/m)*bob.vx" reads the time and positions and speeds as a run reports them; a function has
    the argument t [s], or t and s with s["bob.vx"] and s.rate(...), see model.signals. frame "world": the components
    keep their direction; "body": they rotate with the body.
    """

    word: ClassVar[str] = "force"
    dimensions: ClassVar[int] = 2

    name: str
    body: str
    point: Point
    components: tuple[Signal, Signal]
    frame: Literal["world", "body"] = "world"

    def validate(self) -> None:
        if self.body == GROUND:
            raise GudgeonError('it acts on "ground", which never moves; name a body')
        object.__setattr__(self, "point", vector(self.point, "m", "point", self.dimensions))
        choice(self.frame, ("world", "body"), "frame")
        parts = self.components
        if isinstance(parts, str) or not hasattr(parts, "__len__") or len(parts) != self.dimensions:
            count, example = ("two", '("10 N", 0)') if self.dimensions == 2 else ("three", '("10 N", 0, 0)')
            raise GudgeonError(f"components {shown(parts)} must be {count}, for instance {example}")
        read = tuple(read_signal(part, "N", f"components[{k}]") for k, part in enumerate(parts))
        object.__setattr__(self, "components", read)


@dataclass(frozen=True)
class Torque(Named):
    """A torque [N m] on a body: a number, a string, a formula or a function, as the components of a Force.

    `reaction` is the body with the opposite torque; None: the ground. `point` [m] is where it acts on a beam.
    """

    word: ClassVar[str] = "torque"

    name: str
    body: str
    value: Signal
    reaction: str | None = None
    point: Point | None = None

    def validate(self) -> None:
        if self.body == GROUND:
            raise GudgeonError('it acts on "ground", which never moves; name a body, and ground as reaction')
        if self.reaction == self.body:
            raise GudgeonError(f'body "{self.body}" cannot react to itself; name another body or leave it out')
        object.__setattr__(self, "value", self.read_value())

    def read_value(self) -> Any:
        """The torque in SI, checked."""
        return read_signal(self.value, "Nm", "value")


@dataclass(frozen=True)
class SpatialSpring(Spring):
    """A spring and damper between points of two bodies, as in the plane; points with three components [m]."""

    dimensions: ClassVar[int] = 3

    point_i: Point3  # type: ignore[assignment]
    point_j: Point3  # type: ignore[assignment]


@dataclass(frozen=True)
class SpatialForce(Force):
    """A force on a body-fixed `point` [m]; three components [N], in the world or turning with the body's axes."""

    dimensions: ClassVar[int] = 3

    point: Point3  # type: ignore[assignment]
    components: tuple[Signal, Signal, Signal]  # type: ignore[assignment]


@dataclass(frozen=True)
class SpatialTorque(Torque):
    """A torque [N m] of three components, in the world or turning with the axes of `body`; `reaction` names the body
    that feels the opposite, None the ground."""

    value: Any
    point: Point3 | None = None  # type: ignore[assignment]
    frame: Literal["world", "body"] = "world"

    def read_value(self) -> Any:
        parts = self.value
        if isinstance(parts, str) or not hasattr(parts, "__len__") or len(parts) != 3:
            raise GudgeonError(f'value {shown(parts)} must be three components, for instance (0, 0, "1 N m")')
        choice(self.frame, ("world", "body"), "frame")
        return tuple(read_signal(part, "Nm", f"value[{k}]") for k, part in enumerate(parts))
