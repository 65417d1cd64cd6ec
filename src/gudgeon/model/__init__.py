"""What the user describes: bodies, joints, fits, drives and loads. Nothing here computes a motion."""

from gudgeon.model.beam import Beam
from gudgeon.model.body import GROUND, Body
from gudgeon.model.controller import Controller
from gudgeon.model.drive import Drive
from gudgeon.model.elastic import Elastic
from gudgeon.model.files.formula import Formula
from gudgeon.model.fits import Bushing, Clearance, Fit, Ideal, Lubricated, Touching
from gudgeon.model.joint import Joint
from gudgeon.model.kinds import KINDS, REVOLUTE, RIGID, TRANSLATIONAL, JointKind
from gudgeon.model.loads import Force, Spring, Torque, TorsionSpring
from gudgeon.model.mechanism import Mechanism
from gudgeon.model.modal import ModalLink
from gudgeon.model.motor import Motor
from gudgeon.model.section import Section
from gudgeon.model.stop import Stop

__all__ = [
    "GROUND",
    "KINDS",
    "REVOLUTE",
    "RIGID",
    "TRANSLATIONAL",
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
    "Spring",
    "Stop",
    "Torque",
    "TorsionSpring",
    "Touching",
]  # fmt: skip
