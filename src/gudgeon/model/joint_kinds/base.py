"""Joint kinds: each is a list of mates and the direction it leaves free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gudgeon.model.names import choice
from gudgeon.quantity import GudgeonError

__all__ = [
    "ALSO_CALLED",
    "KINDS",
    "REVOLUTE",
    "RIGID",
    "SPATIAL_KINDS",
    "TRANSLATIONAL",
    "UNITS",
    "JointKind",
    "kind_of",
]

UNITS = {"rotation": "rad", "translation": "m"}


@dataclass(frozen=True)
class JointKind:
    """`mates` are the pairs of touching surfaces, `free` is "rotation", "translation" or None; `also` a second one."""

    name: str
    mates: tuple[str, ...]
    free: str | None
    also: str | None = None

    @property
    def unit(self) -> str:
        """SI unit of the free coordinate, "" where nothing is free."""
        return UNITS[self.free] if self.free else ""

    @property
    def directions(self) -> tuple[str, ...]:
        """What can be driven or stopped."""
        return tuple(side for side in (self.free, self.also) if side is not None)


REVOLUTE = JointKind("revolute", ("pin",), "rotation")
TRANSLATIONAL = JointKind("translational", ("slot",), "translation")
RIGID = JointKind("rigid", ("pin", "key"), None)
CONTACT = JointKind("contact", ("outside",), None)
SLIDING = JointKind("sliding", ("groove",), "translation")
COLLAR = JointKind("collar", ("groove", "key"), "translation")

KINDS: dict[str, JointKind] = {kind.name: kind for kind in (REVOLUTE, TRANSLATIONAL, RIGID, CONTACT, SLIDING, COLLAR)}
KINDS["prismatic"] = TRANSLATIONAL

SPATIAL_KINDS: dict[str, JointKind] = {
    kind.name: kind
    for kind in (
        JointKind("revolute", ("sleeve", "shoulder"), "rotation"),
        JointKind("cylindrical", ("sleeve",), "translation", "rotation"),
        JointKind("translational", ("sleeve", "key"), "translation"),
        JointKind("spherical", ("ball",), None),
        JointKind("universal", ("ball", "key"), None),
        JointKind("rigid", ("sleeve", "shoulder", "key"), None),
        JointKind("planar", ("flat",), "rotation"),
        JointKind("screw", ("sleeve", "thread"), "rotation"),
        JointKind("mount", ("block",), None),
        CONTACT,
    )
}
SPATIAL_KINDS["prismatic"] = SPATIAL_KINDS["translational"]


# what people call them elsewhere; not names of ours, but what is suggested for them
ALSO_CALLED = {
    "hinge": "revolute", "pin": "revolute", "pivot": "revolute", "bearing": "revolute", "rotational": "revolute",
    "rotation": "revolute", "journal": "revolute",
    "slider": "translational", "slide": "translational", "guide": "translational", "translation": "translational",
    "linear": "translational",
    "slot": "sliding", "groove": "sliding", "pin-in-slot": "sliding", "yoke": "sliding",
    "ball": "spherical", "socket": "spherical", "fixed": "rigid", "weld": "rigid", "fix": "rigid",
    "cardan": "universal", "hooke": "universal", "bushing": "mount", "bush": "mount",
}  # fmt: skip


def kind_of(kind: Any, kinds: Mapping[str, JointKind] = KINDS) -> JointKind:
    """The kind of a name or alias."""
    for other, where, given in ((SPATIAL_KINDS, "space", "False"), (KINDS, "the plane", "True")):
        if kinds is not other and isinstance(kind, str) and kind in other and kind not in kinds:
            raise GudgeonError(f'"{kind}" is a joint of {where}; give Mechanism(..., planar={given})')
    return kind if isinstance(kind, JointKind) else kinds[choice(kind, kinds, "joint kind", ALSO_CALLED)]
