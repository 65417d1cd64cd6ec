"""Planar: a pad that glides between plates; the method is called `flat`."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("planar", ("flat",), "rotation", method="flat", rank=7)
