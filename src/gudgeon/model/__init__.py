"""What the user describes: bodies, joints, fits, drives and loads. Nothing here computes a motion."""

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.files.formula import Formula
from gudgeon.model.fits import Bushing, Clearance, Fit, Ideal, Lubricated, Touching
from gudgeon.model.fits.elastic import Elastic
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import KINDS, JointKind
from gudgeon.model.parts import SpatialBeam, SpatialSection
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import GROUND, Body
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint
from gudgeon.model.parts.loads import Force, Spring, Torque, TorsionSpring
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.motor import Motor
from gudgeon.model.parts.section import Section

__all__ = [
    "GROUND",
    "KINDS",
    "Beam",
    "Body",
    "Bushing",
    "Clearance",
    "Controller",
    "Drive",
    "Elastic",
    "Fit",
    "Force",
    "Formula",
    "Ideal",
    "Joint",
    "JointKind",
    "Lubricated",
    "Mechanism",
    "ModalLink",
    "Motor",
    "Section",
    "SpatialBeam",
    "SpatialSection",
    "Spring",
    "Stop",
    "Torque",
    "TorsionSpring",
    "Touching",
]  # fmt: skip
