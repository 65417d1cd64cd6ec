"""What trees in the coordinates of joints cannot do, and where they take fewer operations than other formulations."""

from __future__ import annotations

from gudgeon.assemble.needs import Needs, Refusal
from gudgeon.assemble.tree.tree import grow
from gudgeon.assemble.written_out import acceleration_refusals
from gudgeon.model import Mechanism

# speeds on the way from the ground to the outermost body up to which a tree takes fewer operations: of chains of
# revolute joints 484 against 531 with 6 links in the plane, 921 against 729 with 8; in space 1,938 against 8,214 with 6
PLANAR_CHAIN, CHAIN = 6, 12


def refuses(mechanism: Mechanism, needs: Needs) -> list[Refusal]:
    """What the formulation "tree" cannot do."""
    reasons = {
        "rigid walls need those of the bodies": needs.hard_walls,
        "links with modes have their own": bool(mechanism.modal_links),
        "motors need those of the bodies": bool(mechanism.motors or mechanism.controllers),
    }
    what, remedy = 'coordinates "tree"', 'leave it out, or "absolute"'
    refusals = [Refusal(what, reason, remedy) for reason, applies in reasons.items() if applies]
    if not refusals and not mechanism.beams and not grow(mechanism).speeds:
        reason = "drives move everything, nothing is left to integrate"
        refusals.append(Refusal(what, reason, 'use "absolute"'))
    return refusals + acceleration_refusals(mechanism, needs)


def is_shorter(mechanism: Mechanism) -> bool:
    """Whether a tree is to be preferred: ideal joints close no loop and chains are short (a chain of bodies with
    coordinates of their own needs operations as its length, in coordinates of joints as its cube).

    Rows that close a loop would take a half to a quarter of the operations with a tree, too, but a method without error
    control then passes dead centres unnoticed, where bodies of their own come apart.
    """
    tree = grow(mechanism)
    return not tree.closing and tree.longest <= (PLANAR_CHAIN if mechanism.planar else CHAIN)
