"""Secant slopes: discrete derivatives of a formula between two states, exact in their product with the step.

A formula f(q) at the states a and b has many vectors D with D · (b - a) = f(b) - f(a) that become its gradient where b
meets a. Here D follows from rules for each operation, as derivatives do, all symmetric in a and b:

    D(u v) = mean(v) D u + mean(u) D v        D(1/u) = -D u / (u_a u_b)        D(sqrt u) = D u / (sqrt u_a + sqrt u_b)
    D(sin u) = cos(u_m) s D u                 D(cos u) = -sin(u_m) s D u       s = sin(d/2) / (d/2),  d = u_b - u_a
    D(atan u) = D u atan(x) / (x (1 + u_a u_b)),   x = d / (1 + u_a u_b)

What a search has found (Opaque.held) is known at both ends, not between them. Its slope by its arguments x is Δf Δx /
|Δx|², right along the step; the formula it makes extremal hardly changes with it.

The step of an angle θ counts as ψ = 2 tan((θ_b - θ_a)/2): turning a point about the origin then moves it by ψ times its
mean position, turned by a right angle, so that forces made of these slopes have no moment where the formula does not
change with a common rotation (Simo, Tarnow and Doblare 1995). For an angle alone D(sin θ) = mean(cos θ).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

from gudgeon.compile.graph.functions import cos, sin, sqrt
from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.compile.graph.passes.walk import bare, missing
from gudgeon.compile.graph.scalar import Number, Scalar

_TERMS = 12  # of the series of sin(x)/x: to rounding for |x| < 2, steps of up to 4 rad


def sinc(x: Number) -> Number:
    """sin(x) / x, smooth at zero."""
    square, total = x * x, 0.0
    for k in range(_TERMS, 0, -1):
        total = square * ((-1.0) ** k / factorial(2 * k + 1) + total)
    return 1.0 + total


_HALVINGS, _SHORT_TERMS = 3, 11  # of an arc until atan(x)/x is a short series, to rounding for every x
_TINY = 1e-100  # square of a change of arguments that is none


def arc_share(square: Number) -> Number:
    """atan(x) / x from x², smooth at zero: atan(x) = 2 atan(x / (1 + sqrt(1 + x²)))."""
    scale: Number = 1.0
    for _ in range(_HALVINGS):
        half = 1.0 / (1.0 + sqrt(1.0 + square))
        square, scale = square * (half * half), 2.0 * scale * half
    total: Number = 0.0
    for k in range(_SHORT_TERMS, 0, -1):
        total = square * ((-1.0) ** k / (2 * k + 1) + total)
    return scale * (1.0 + total)


def turn_share(angle: Scalar, before: Scalar) -> Scalar:
    """What a step of an angle is of its ψ: (θ_b - θ_a) / ψ."""
    half = 0.5 * (angle - before)
    return cos(half) / sinc(half)


class Secant:
    """Secant slopes along steps of the inputs, from what `before` makes of a formula to the formula itself."""

    def __init__(self, graph: Graph, before: Transfer, lengths: Iterable[Scalar] = (), angles: Iterable[Scalar] = (),
                 seeds: Iterable[tuple[Scalar, Number]] = ()) -> None:  # fmt: skip
        """A unit step of each of these inputs; of angles it is a unit of ψ. `seeds`: nodes whose slopes are known."""
        self.graph, self.before = graph, before
        self._turning = {angle.id for angle in angles}
        self._slopes: dict[int, Scalar] = {x.id: graph.one for x in lengths}
        for x in sorted(self._turning):
            self._slopes[x] = turn_share(graph.nodes[x], before(graph.nodes[x]))
        for node, slope in seeds:
            self.seed(node, slope)

    def seed(self, node: Scalar, slope: Number) -> None:
        """State the slope of a node."""
        node, slope = bare(node, slope)
        if not node.is_constant:
            self._slopes[node.id] = self.graph.scalar(slope)

    def __call__(self, x: Number) -> Scalar:
        if not isinstance(x, Scalar):
            return self.graph.zero
        if x.id not in self._slopes:
            for node_id in missing([x], self._slopes):
                self._slopes[node_id] = self._rule(self.graph.nodes[node_id])
        return self._slopes[x.id]

    def mean(self, x: Scalar) -> Scalar:
        """Half the sum of the values at both ends."""
        return 0.5 * (x + self.before(x))

    def _rule(self, node: Scalar) -> Scalar:
        graph, op, args = self.graph, node.op, node.args
        slopes = [self._slopes[a.id] for a in args]
        if all(slope is graph.zero for slope in slopes):
            return graph.zero
        u, du = args[0], slopes[0]
        if op == "add":
            return du + slopes[1]
        if op == "subtract":
            return du - slopes[1]
        if op == "multiply":
            v, dv = args[1], slopes[1]
            return 2.0 * (self.mean(u) * du) if u is v else du * self.mean(v) + self.mean(u) * dv
        if op == "negate":
            return -du
        if op == "reciprocal":
            return -(du * (node * self.before(node)))
        if op == "sqrt":
            return du / (node + self.before(node))
        if op in ("sin", "cos"):
            return self._circular(op, u, du)
        if op == "atan":
            both = 1.0 / (1.0 + u * self.before(u))
            return self.graph.scalar(du * both * arc_share(((u - self.before(u)) * both) ** 2))
        if op == "call" and node.data[0].held:
            return self._found(node, slopes)
        raise TypeError(f"{op} has no secant slope")

    def _found(self, node: Scalar, slopes: list[Scalar]) -> Scalar:
        """Of what a search finds."""
        apart = [x - self.before(x) for x in node.args]
        square, along = self.graph.constant(_TINY), self.graph.zero
        for change, slope in zip(apart, slopes, strict=True):
            square, along = square + change * change, along + change * slope
        return (node - self.before(node)) / square * along

    def _circular(self, op: str, u: Scalar, du: Scalar) -> Scalar:
        other = cos if op == "sin" else lambda x: -sin(x)
        if u.id in self._turning:
            return self.mean(self.graph.scalar(other(u)))
        middle, half = self.mean(u), 0.5 * (u - self.before(u))
        return self.graph.scalar(other(middle) * sinc(half) * du)
