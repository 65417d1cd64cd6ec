"""Which classes describe a mechanism: those of the plane or those of space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.model.fits.stop import Stop
from gudgeon.model.parts import (
    SpatialBeam,
    SpatialBody,
    SpatialDrive,
    SpatialForce,
    SpatialJoint,
    SpatialSpring,
    SpatialTorque,
)
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import Body
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint
from gudgeon.model.parts.loads import Force, Spring, Torque
from gudgeon.quantity import GudgeonError
from gudgeon.space.spatial.geometry.inertia import Solid

__all__ = ["PLANE", "SPACE", "SpaceTypes"]


@dataclass(frozen=True)
class SpaceTypes:
    """The classes of one space; `foreign` names what its bodies do not have."""

    dimensions: int
    body: type[Any]
    beam: type[Any]
    joint: type[Joint]
    drive: type[Any]
    spring: type[Any]
    force: type[Any]
    torque: type[Any]
    foreign: str

    def body_values(self, given: dict[str, Any], shape: Solid | None) -> dict[str, Any]:
        """What the user gave for a body, with mass and inertia of a shape."""
        if shape is not None:
            if self.dimensions == 2:
                raise GudgeonError("shape: only bodies of space have one; give mass= and inertia=")
            if {"mass", "inertia"} & set(given):
                raise GudgeonError("shape gives mass and inertia; leave mass= and inertia= out")
            given = {**given, "mass": shape.mass, "inertia": shape.inertia}
        if self.foreign in given:
            other = "angle" if self.foreign == "orientation" else "orientation"
            raise GudgeonError(f"{self.foreign} {given[self.foreign]!r}: give {other}= here, or leave it out")
        for name in ("mass", "inertia"):
            if name not in given:
                raise GudgeonError(f"{name} is missing; give {name}=")
        return given

    def stops(self, joint: Joint, direction: str, stop: Stop) -> Any:
        """What the joint holds with one more stop."""
        return stop if self.dimensions == 2 else {**joint.stops, direction: stop}


PLANE = SpaceTypes(2, Body, Beam, Joint, Drive, Spring, Force, Torque, "orientation")
SPACE = SpaceTypes(
    3, SpatialBody, SpatialBeam, SpatialJoint, SpatialDrive, SpatialSpring, SpatialForce, SpatialTorque, "angle"
)
