"""Mount: an elastic block that holds all six motions."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("mount", ("block",), None, also_called=("bushing", "bush"), rank=9)
