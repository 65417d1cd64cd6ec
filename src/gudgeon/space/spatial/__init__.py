"""Space: vectors, rotations, frames, rigid bodies and the mates."""

from gudgeon.space.spatial.ball import Ball
from gudgeon.space.spatial.block import Block
from gudgeon.space.spatial.body import Ground, RigidBody
from gudgeon.space.spatial.flat import Flat
from gudgeon.space.spatial.frame import Frame, Place
from gudgeon.space.spatial.key import Key, turn
from gudgeon.space.spatial.outside import Outside
from gudgeon.space.spatial.rotation import Rotation, rotation_matrix
from gudgeon.space.spatial.shoulder import Shoulder
from gudgeon.space.spatial.sleeve import Sleeve
from gudgeon.space.spatial.thread import Thread
from gudgeon.space.spatial.vector import Vector

__all__ = [
    "Ball", "Block", "Flat", "Frame", "Ground", "Key", "Outside", "Place", "RigidBody", "Rotation", "Shoulder",
    "Sleeve", "Thread", "Vector", "rotation_matrix", "turn",
]  # fmt: skip
