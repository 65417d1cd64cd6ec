"""Drives, springs, forces and torques of space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from gudgeon.model.drive import Drive
from gudgeon.model.loads import Force, Spring, Torque
from gudgeon.model.names import choice, shown
from gudgeon.model.spatial.body import Point3
from gudgeon.model.values import Signal, read_signal
from gudgeon.quantity import GudgeonError

__all__ = ["SpatialDrive", "SpatialForce", "SpatialSpring", "SpatialTorque"]


@dataclass(frozen=True)
class SpatialDrive(Drive):
    """A drive of one free direction, "rotation" or "translation", of a joint of space."""

    direction: str | None = None


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
