"""Rigid: a pin or a shaft with a key, where nothing moves unless a fit lets it."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = JointKind("rigid", ("pin", "key"), None, also_called=("fixed", "weld", "fix"), rank=6)
SPATIAL = JointKind("rigid", ("sleeve", "shoulder", "key"), None, rank=6)
