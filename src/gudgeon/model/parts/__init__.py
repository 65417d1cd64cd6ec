"""The parts of a mechanism: bodies, links, joints, drives and loads.

Each file holds the class of the plane and, beside it, the one of space. Parts are frozen and check themselves; what a
number means and its unit stand on the field.
"""

from gudgeon.model.parts.beam import Beam, SpatialBeam
from gudgeon.model.parts.body import GROUND, Body, SpatialBody
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive, SpatialDrive
from gudgeon.model.parts.joint import Joint, SpatialJoint
from gudgeon.model.parts.loads import (
    Force,
    SpatialForce,
    SpatialSpring,
    SpatialTorque,
    Spring,
    Torque,
    TorsionSpring,
)
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.motor import Motor
from gudgeon.model.parts.section import Section, SpatialSection

__all__ = [
    "GROUND", "Beam", "Body", "Controller", "Drive", "Force", "Joint", "ModalLink", "Motor", "Section", "SpatialBeam",
    "SpatialBody", "SpatialDrive", "SpatialForce", "SpatialJoint", "SpatialSection", "SpatialSpring", "SpatialTorque",
    "Spring", "Torque", "TorsionSpring",
]  # fmt: skip
