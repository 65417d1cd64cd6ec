"""Translational: a slider in a guide; in space a shaft with a key."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = JointKind(
    "translational", ("slot",), "translation", aliases=("prismatic",), rank=3,
    also_called=("slider", "slide", "guide", "translation", "linear"),
)  # fmt: skip
SPATIAL = JointKind("translational", ("sleeve", "key"), "translation", aliases=("prismatic",), rank=3)
