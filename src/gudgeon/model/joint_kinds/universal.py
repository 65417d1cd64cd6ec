"""Universal: a cross whose axes are fixed in the journal and in the bearing."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("universal", ("ball", "key"), None, cross=True, also_called=("cardan", "hooke"), rank=5)
