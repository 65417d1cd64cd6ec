"""Cylindrical: a shaft that turns and slides in a bore."""

from gudgeon.model.joint_kinds.base import JointKind

SPATIAL = JointKind("cylindrical", ("sleeve",), "translation", "rotation", rank=2)
