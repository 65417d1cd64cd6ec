"""Sliding: a pin that turns and slides along a beam or in a groove."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = JointKind(
    "sliding", ("groove",), "translation", rails=True, rank=11,
    also_called=("slot", "groove", "pin-in-slot", "yoke"),
)  # fmt: skip
