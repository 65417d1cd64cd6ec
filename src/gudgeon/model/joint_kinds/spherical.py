"""Spherical: a ball in a socket."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("spherical", ("ball",), None, also_called=("ball", "socket"), rank=4)
