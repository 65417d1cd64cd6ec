"""Space: vectors, rotations, frames, rigid bodies and the mates. Importing it imports and registers every mate."""

from gudgeon.plugins import load_modules
from gudgeon.space.mate import SpatialMate
from gudgeon.space.spatial.body import Ground, RigidBody
from gudgeon.space.spatial.frame import Frame, Place
from gudgeon.space.spatial.geometry.rotation import Rotation, rotation_matrix
from gudgeon.space.spatial.geometry.vector import Vector

__all__ = ["SPATIAL_MATES", "Frame", "Ground", "Place", "RigidBody", "Rotation", "Vector", "rotation_matrix"]

load_modules(__name__, __path__)
SPATIAL_MATES = SpatialMate.registry
