"""Differentiation of a graph along a direction.

A direction is a set of seeds: nodes, and the rates at which they change. Applied to a node it gives the
node's rate, as a formula in the same graph (so it is folded and shared like everything else)::

    ddt = Direction(graph, [(t, 1), (x, vx), (angle, spin)])    # along the motion, velocities held
    ddt(ddt(row))                                               # the acceleration terms of a constraint row

Any node may be seeded, not only inputs; differentiation stops there. Velocities are not seeded in `ddt`, so
the second application gives exactly the terms quadratic in the velocities, and explicit time dependence comes
out of the seed (t, 1).
"""

from __future__ import annotations

from collections.abc import Iterable

from gudgeon.compile.graph.functions import FUNCTIONS
from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.passes.walk import bare, missing
from gudgeon.compile.graph.scalar import Number, Scalar


class Direction:
    def __init__(self, graph: Graph, seeds: Iterable[tuple[Scalar, Number]]) -> None:
        self.graph = graph
        self._number: int = graph.whole("direction", (), lambda: len(graph.nodes))  # tells directions apart
        self._seeds: dict[int, Scalar] = {}
        self._rates: dict[int, Scalar] = {}  # of the seeds, and of every node asked for so far
        for node, rate in seeds:
            self.seed(node, rate)

    def seed(self, node: Scalar, rate: Number) -> None:
        """State the rate of a node."""
        self.graph.whole("seed", (self._number, node, rate), lambda: self._seed(*bare(node, rate)))

    def _seed(self, node: Scalar, rate: Number) -> None:
        if not node.is_constant:
            self._seeds[node.id] = self.graph.scalar(rate)
            self._rates = dict(self._seeds)  # what was worked out without this seed may be wrong now

    def __call__(self, x: Number) -> Scalar:
        if not isinstance(x, Scalar):
            return self.graph.zero
        rate: Scalar = self.graph.whole("rate", (self._number, x), lambda: self._rate(x))
        return rate

    def _rate(self, x: Scalar) -> Scalar:
        graph, rates = self.graph, self._rates
        if x.id not in rates:
            for node_id in missing([x], rates):
                rates[node_id] = self._rule(graph.nodes[node_id])
        return rates[x.id]

    def _rule(self, node: Scalar) -> Scalar:
        graph, op, args = self.graph, node.op, node.args
        if op in ("constant", "input"):
            return graph.zero
        if op == "call":
            return self._chain(node)
        u, du = args[0], self._rates[args[0].id]
        if op == "add":
            return du + self._rates[args[1].id]
        if op == "subtract":
            return du - self._rates[args[1].id]
        if op == "multiply":
            v, dv = args[1], self._rates[args[1].id]
            return 2.0 * (u * du) if u is v else du * v + u * dv
        if op == "negate":
            return -du
        if op == "reciprocal":
            return -(du * (node * node))
        return graph.zero if du is graph.zero else graph.multiply(du, FUNCTIONS[op].derivative(u, node))

    def _chain(self, node: Scalar) -> Scalar:
        """Chain rule through an opaque function, by its own partial derivatives."""
        function, block, guards = node.data
        total = self.graph.zero
        if function.held:
            return total
        for k, argument in enumerate(node.args[guards:]):
            rate = self._rates[argument.id]
            if rate is self.graph.zero:
                continue
            partial = function.partials[k] if k < len(function.partials) else None
            if partial is None:
                raise TypeError(f"{function.name} gives no derivative with respect to its argument {k}")
            if isinstance(partial, float):
                continue
            slope = self.graph.call(partial, node.args[guards:], block=block, guards=node.args[:guards])
            total = total + slope * rate
        return total
