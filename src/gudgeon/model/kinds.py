"""Joint kinds: each is a list of mates and the direction it leaves free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.model.names import choice

__all__ = ["KINDS", "REVOLUTE", "RIGID", "TRANSLATIONAL", "JointKind", "kind_of"]

_UNITS = {"rotation": "rad", "translation": "m"}


@dataclass(frozen=True)
class JointKind:
    """`mates` are the pairs of touching surfaces, `free` is "rotation", "translation" or None."""

    name: str
    mates: tuple[str, ...]
    free: str | None

    @property
    def unit(self) -> str:
        """SI unit of the free coordinate, "" where nothing is free."""
        return _UNITS[self.free] if self.free else ""


REVOLUTE = JointKind("revolute", ("pin",), "rotation")
TRANSLATIONAL = JointKind("translational", ("slot",), "translation")
RIGID = JointKind("rigid", ("pin", "key"), None)

KINDS: dict[str, JointKind] = {kind.name: kind for kind in (REVOLUTE, TRANSLATIONAL, RIGID)}
KINDS["prismatic"] = TRANSLATIONAL


def kind_of(kind: Any) -> JointKind:
    """The kind of a name or alias."""
    return kind if isinstance(kind, JointKind) else KINDS[choice(kind, KINDS, "joint kind")]
