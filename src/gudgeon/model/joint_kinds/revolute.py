"""Revolute: a pin in a bore; in space with shoulders."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = JointKind(
    "revolute", ("pin",), "rotation", rank=1,
    also_called=("hinge", "pin", "pivot", "bearing", "rotational", "rotation", "journal"),
)  # fmt: skip
SPATIAL = JointKind("revolute", ("sleeve", "shoulder"), "rotation", rank=1)
