"""Which coordinates a mechanism is described by."""

from __future__ import annotations

from typing import Literal, get_args

from gudgeon.assemble.tree.tree import Tree, grow
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

Coordinates = Literal["auto", "tree", "absolute"]

# speeds on the way from the ground to the outermost body up to which a tree takes fewer operations: of chains of
# revolute joints 484 against 531 with 6 links in the plane, 921 against 729 with 8; in space 1,938 against 8,214 with 6
PLANAR_CHAIN, CHAIN = 6, 12


def choose_tree(mechanism: Mechanism, coordinates: str, *, rigid: bool = False,
                implicit: bool = False) -> Tree | None:  # fmt: skip
    """The tree by whose coordinates a mechanism is described; None where every body has its own.

    "auto" takes a tree where ideal joints close no loop, where chains are short (a chain of bodies with coordinates of
    their own needs operations as its length, in coordinates of joints as its cube) and where drives leave something to
    integrate. Rows that close a loop would take a half to a quarter of the operations with a tree, too, but a method
    without error control then passes dead centres unnoticed, where bodies of their own come apart.
    """
    if coordinates not in get_args(Coordinates):
        raise GudgeonError(f'coordinates "{coordinates}" is not known; choose from {", ".join(get_args(Coordinates))}')
    # implicit steps are long where forces are stiff; the work of a driven coordinate then has fewer digits in a tree
    if coordinates == "absolute" or (coordinates == "auto" and (rigid or implicit)):
        return None
    if rigid:
        raise GudgeonError('coordinates "tree": hard walls need those of the bodies; leave it out, or "absolute"')
    if mechanism.modal_links:
        if coordinates == "auto":
            return None
        raise GudgeonError('coordinates "tree": links with modes have their own; leave it out, or "absolute"')
    if mechanism.motors or mechanism.controllers:
        if coordinates == "auto":
            return None
        raise GudgeonError('coordinates "tree": motors need those of the bodies; leave it out, or "absolute"')
    tree = grow(mechanism)
    if coordinates == "auto":
        fits = not tree.closing and tree.speeds > 0 and tree.longest <= (PLANAR_CHAIN if mechanism.planar else CHAIN)
        return tree if fits else None
    if not tree.speeds:
        raise GudgeonError('coordinates "tree": drives move everything, nothing is left to integrate; use "absolute"')
    return tree
