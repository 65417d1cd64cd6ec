"""Joint kinds: each is a list of mates and the directions it leaves free.

One file, one kind: a module gives a `PLANAR` kind, a `SPATIAL` one, or both. Every module of this folder is imported,
so that a new kind is known to `Mechanism.joint`, gets a method, and stands in model files and their schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gudgeon.model.joint_kinds.base import UNITS, JointKind
from gudgeon.model.names import choice
from gudgeon.plugins import load_modules
from gudgeon.quantity import GudgeonError

__all__ = ["ALSO_CALLED", "KINDS", "MISSING", "SPATIAL_KINDS", "UNITS", "JointKind", "kind_of"]

_MODULES = load_modules(__name__, __path__)


def _kinds(space: str) -> dict[str, JointKind]:
    """Kinds by name, then by alias."""
    kinds = sorted((vars(module)[space] for module in _MODULES if space in vars(module)), key=lambda kind: kind.rank)
    aliases = {alias: kind for kind in kinds for alias in kind.aliases}
    return {kind.name: kind for kind in kinds} | aliases


KINDS = _kinds("PLANAR")
SPATIAL_KINDS = _kinds("SPATIAL")
# what people call them elsewhere; not names of ours, but what is suggested for them
ALSO_CALLED = {
    word: kind.name for kind in (*KINDS.values(), *SPATIAL_KINDS.values()) for word in kind.also_called
}  # fmt: skip


_TEETH = "there are no teeth; couple the shafts by torques that read both, see `gudgeon show formula`"
_BELT = "there are no belts; couple the shafts by torques that read both, see `gudgeon show formula`"
_ROPE = "there are no ropes; springs push and pull, a force by a formula with max(0, ...) only pulls"
_GENEVA = 'there are no Geneva wheels; a pin in a groove is "sliding", for the time that it is engaged'
# what is asked for and does not exist, and what comes nearest
MISSING = {
    **dict.fromkeys(("gear", "gears", "rack", "pinion", "worm", "ratchet", "pawl", "sprocket"), _TEETH),
    **dict.fromkeys(("chain", "belt", "pulley"), _BELT),
    **dict.fromkeys(("rope", "cable", "wire"), _ROPE),
    **dict.fromkeys(("geneva", "maltese"), _GENEVA),
}  # fmt: skip


def kind_of(kind: Any, kinds: Mapping[str, JointKind] = KINDS) -> JointKind:
    """The kind of a name or alias."""
    for other, where, given in ((SPATIAL_KINDS, "space", "False"), (KINDS, "the plane", "True")):
        if kinds is not other and isinstance(kind, str) and kind in other and kind not in kinds:
            raise GudgeonError(f'"{kind}" is a joint of {where}; give Mechanism(..., planar={given})')
    return kind if isinstance(kind, JointKind) else kinds[choice(kind, kinds, "joint kind", ALSO_CALLED)]
