"""What the user describes in space: bodies, joints, drives and loads with three components."""

from gudgeon.model.spatial.body import SpatialBody
from gudgeon.model.spatial.joint import SpatialJoint
from gudgeon.model.spatial.loads import SpatialDrive, SpatialForce, SpatialSpring, SpatialTorque

__all__ = ["SpatialBody", "SpatialDrive", "SpatialForce", "SpatialJoint", "SpatialSpring", "SpatialTorque"]
