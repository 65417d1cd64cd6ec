"""Which coordinates a mechanism is described by."""

from __future__ import annotations

from typing import Literal, get_args

from gudgeon.assemble.tree import Tree, grow
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

Coordinates = Literal["auto", "tree", "absolute"]


def choose_tree(mechanism: Mechanism, coordinates: str, *, rigid: bool = False) -> Tree | None:
    """The tree by whose coordinates a mechanism is described; None where every body has its own.

    "auto" takes a tree where ideal joints close no loop.
    """
    if coordinates not in get_args(Coordinates):
        raise GudgeonError(f'coordinates "{coordinates}" is not known; choose from {", ".join(get_args(Coordinates))}')
    if coordinates == "absolute" or (coordinates == "auto" and rigid):
        return None
    if rigid:
        raise GudgeonError('coordinates "tree": hard walls need those of the bodies; leave it out, or "absolute"')
    tree = grow(mechanism)
    return None if coordinates == "auto" and tree.closing else tree
