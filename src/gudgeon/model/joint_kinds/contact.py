"""Contact: two round bodies that touch from outside."""

from gudgeon.model.joint_kinds.base import JointKind

PLANAR = SPATIAL = JointKind("contact", ("outside",), None, rank=10,
                               also_called=("cam", "roller", "wheel", "disk", "disc"))  # fmt: skip
