"""Screw: moves along its axis as it turns."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("screw", ("sleeve", "thread"), "rotation", rank=8)
