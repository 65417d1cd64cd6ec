"""Formulas written anew: in another graph, or in their own, with some of their nodes replaced by others.

Every node is made again by the rules of the graph it goes to, so that what the replacements make known is folded. With
a number for every input the result is a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.passes.walk import missing
from gudgeon.compile.graph.scalar import Number, Scalar


class Transfer:
    def __init__(self, target: Graph, inputs: Mapping[tuple[str, int], Number] | None = None,
                 nodes: Iterable[tuple[Scalar, Number]] = (),
                 blocks: Mapping[int, int] | None = None) -> None:  # fmt: skip
        """`inputs` are replaced by array and index, others stay inputs of the same name; `nodes` are replaced whole.
        `blocks` says where the parameters of opaque functions lie in the target, where that differs."""
        self.target, self.inputs, self.blocks = target, inputs or {}, blocks or {}
        self._made: dict[int, Scalar] = {}
        for node, value in nodes:
            if node.op == "negate":
                node, value = node.args[0], -value
            if not node.is_constant:
                self._made[node.id] = target.scalar(value)

    def __call__(self, x: Number) -> Scalar:
        if not isinstance(x, Scalar):
            return self.target.constant(x)
        if x.id not in self._made:
            self.all([x])
        return self._made[x.id]

    def all(self, formulas: Sequence[Scalar]) -> None:
        """Write formulas of one graph anew together: their nodes keep the order they were made in."""
        nodes = formulas[0].graph.nodes if formulas else []
        for node_id in missing(formulas, self._made):
            self._made[node_id] = self._again(nodes[node_id])

    def _again(self, node: Scalar) -> Scalar:
        target, op = self.target, node.op
        if op == "constant":
            return target.constant(node.data)
        if op == "input":
            given = self.inputs.get(node.data)
            return target.input(*node.data) if given is None else target.scalar(given)
        args = [self._made[a.id] for a in node.args]
        if op == "call":
            function, block, guards = node.data
            block = self.blocks.get(block, block) if block >= 0 else block
            return target.call(function, args[guards:], block=block, guards=args[:guards])
        if op in ("add", "subtract", "multiply", "negate", "reciprocal"):
            made: Scalar = getattr(target, op)(*args)
            return made
        return target.apply(op, args[0])
