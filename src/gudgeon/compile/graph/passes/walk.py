"""What everything that is worked out node by node has in common: which nodes are still to do, and what a seed means."""

from __future__ import annotations

from collections.abc import Container, Iterable

from gudgeon.compile.graph.scalar import Number, Scalar


def missing(formulas: Iterable[Scalar], known: Container[int]) -> list[int]:
    """All nodes that the formulas are made of and that are not known; nothing is looked for below those that are.

    Ids are a topological order: no recursion, no limit of the stack.
    """
    ids: set[int] = set()
    stack = list(formulas)
    while stack:
        node = stack.pop()
        if node.id not in known and node.id not in ids:
            ids.add(node.id)
            stack.extend(node.args)
    return sorted(ids)


def bare(node: Scalar, rate: Number) -> tuple[Scalar, Number]:
    """A node and its rate without a constant factor or a sign in front of it, since products and sums hide it."""
    if node.op == "multiply" and node.args[0].is_constant:
        node, rate = node.args[1], rate / node.args[0]
    if node.op == "negate":
        node, rate = node.args[0], -rate
    return node, rate
