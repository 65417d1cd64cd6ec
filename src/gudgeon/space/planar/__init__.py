"""The plane: vectors, frames, rigid bodies and the mates. Importing it imports and registers every mate."""

from gudgeon.plugins import load_modules
from gudgeon.space.mate import Mate
from gudgeon.space.planar.body import Ground, RigidBody
from gudgeon.space.planar.frame import Frame, Place
from gudgeon.space.planar.vector import Vector

__all__ = ["MATES", "Frame", "Ground", "Place", "RigidBody", "Vector"]

load_modules(__name__, __path__)
MATES = Mate.registry
