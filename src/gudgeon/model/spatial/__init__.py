"""What the user describes in space: bodies, joints, drives and loads with three components."""

from gudgeon.model.spatial.beam import SpatialBeam
from gudgeon.model.spatial.body import SpatialBody
from gudgeon.model.spatial.joint import SpatialJoint
from gudgeon.model.spatial.loads import SpatialDrive, SpatialForce, SpatialSpring, SpatialTorque
from gudgeon.model.spatial.section import SpatialSection

__all__ = [
    "SpatialBeam", "SpatialBody", "SpatialDrive", "SpatialForce", "SpatialJoint", "SpatialSection", "SpatialSpring",
    "SpatialTorque",
]  # fmt: skip
