"""The plane: vectors, frames, rigid bodies and the mates."""

from gudgeon.space.planar.body import Ground, RigidBody
from gudgeon.space.planar.frame import Frame, Place
from gudgeon.space.planar.groove import Groove
from gudgeon.space.planar.key import Key
from gudgeon.space.planar.outside import Outside
from gudgeon.space.planar.pin import Pin
from gudgeon.space.planar.slot import Slot
from gudgeon.space.planar.vector import Vector

__all__ = ["Frame", "Groove", "Ground", "Key", "Outside", "Pin", "Place", "RigidBody", "Slot", "Vector"]
