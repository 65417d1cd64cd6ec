"""The plane: vectors, frames, rigid bodies and the mates. Importing it imports and registers every mate."""

from gudgeon.plugins import load_modules
from gudgeon.space.mate import Mate
from gudgeon.space.planar.body import PlanarGround, PlanarRigidBody
from gudgeon.space.planar.frame import PlanarFrame, PlanarPlace
from gudgeon.space.planar.vector import PlanarVector

__all__ = ["MATES", "PlanarFrame", "PlanarGround", "PlanarPlace", "PlanarRigidBody", "PlanarVector"]

load_modules(__name__, __path__)
MATES = Mate.registry
