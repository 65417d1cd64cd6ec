"""What the user describes: bodies, joints, fits, drives and loads. Nothing here computes a motion.

Decisions:

- A part is frozen and checks itself when it is made (`quantity.Part`), so that a part that exists is valid, whether it
  comes from Python or from a file. A field with a unit is a float at run time and Any to type checkers, since it is
  written as a number or a text and read as a number.
- A model file is read in two passes: the reader checks keys, kinds and units with their places, then the same classes
  as in Python check the parts. All problems are gathered and reported together. The JSON Schema comes from the same
  table of entries (`files.layout`).
- What changes in time or with the motion is one kind of value, a signal (`signals`): a number, a formula, or a function
  of t or of (t, s). It reads positions and speeds by the names of a run's channels; accelerations and forces follow
  from the loads and cannot be read. Functions that jump are not offered, only those with a kink and a smooth step.
- Fits, joint kinds and mates are found because their files exist, and their facts are attributes of their classes.
- A joint with play starts where the mechanism with ideal joints would be, as in the articles, or, with
  `start="given"`, as the poses and velocities of the bodies are described.
- Forces of an elastic block (`Elastic`) are the gradient of its energy; surfaces without any gap never part.
- With play a joint along a beam has its offset and the angle of the section as coordinates, too; the laws of contact
  act on the offset alone. A beam built bent is without force as described: strains as built are taken off.
"""

from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.fits import Bushing, Clearance, Fit, Ideal, Lubricated, Touching
from gudgeon.model.fits.elastic import Elastic
from gudgeon.model.fits.stop import Stop
from gudgeon.model.formula import Formula
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
