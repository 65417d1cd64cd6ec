"""Collar: slides along a beam or a groove and turns with it."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = JointKind("collar", ("groove", "key"), "translation", rails=True, rank=12)
