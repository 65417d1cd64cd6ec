"""Which coordinates a mechanism is described by."""

from __future__ import annotations

from typing import Literal

from gudgeon.assemble.tree import grow
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

Coordinates = Literal["auto", "tree", "absolute"]


def uses_tree(mechanism: Mechanism, coordinates: Coordinates, *, rigid: bool = False, jacobian: bool = False) -> bool:
    """Whether to describe bodies by the coordinates of their joints."""
    if coordinates == "absolute":
        return False
    if coordinates == "tree":
        return True
    return not rigid and not jacobian and not grow(mechanism).closing
