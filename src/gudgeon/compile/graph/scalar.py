"""`Scalar`: a number that is not known yet. It behaves like a float in formulas and records what they do."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gudgeon.compile.graph.graph import Graph

Number = Any  # a float, an int or a Scalar


class SymbolicBranch(TypeError):
    """A formula asked for the value of a number that is only known when the machine code runs."""


class Scalar:
    """One node of a graph: an operation and its arguments. Created by a `Graph`, never directly.

    id       position in the graph; arguments have smaller ids, so ids are a topological order
    op       "constant", "input", "add", "subtract", "multiply", "negate", "reciprocal", "call" or a function
    args     argument nodes
    data     constant: its float; input: (array name, index); call: (Opaque, block offset, number of guards)
    depends  bit mask of the arrays below this node, see `Graph.input`
    """

    __slots__ = ("args", "data", "depends", "graph", "id", "op")
    __hash__ = None  # type: ignore[assignment]

    graph: Graph
    id: int
    op: str
    args: tuple[Scalar, ...]
    data: Any
    depends: int

    @property
    def is_constant(self) -> bool:
        return self.op == "constant"

    def inputs(self) -> set[int]:
        """Ids of the inputs below this node."""
        seen: set[int] = set()
        ids: set[int] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            if node.id not in seen:
                seen.add(node.id)
                stack.extend(node.args)
                if node.op == "input":
                    ids.add(node.id)
        return ids

    def __add__(self, other: Number) -> Scalar:
        return self.graph.add(self, other)

    def __radd__(self, other: Number) -> Scalar:
        return self.graph.add(other, self)

    def __sub__(self, other: Number) -> Scalar:
        return self.graph.subtract(self, other)

    def __rsub__(self, other: Number) -> Scalar:
        return self.graph.subtract(other, self)

    def __mul__(self, other: Number) -> Scalar:
        return self.graph.multiply(self, other)

    def __rmul__(self, other: Number) -> Scalar:
        return self.graph.multiply(other, self)

    def __truediv__(self, other: Number) -> Scalar:
        return self.graph.divide(self, other)

    def __rtruediv__(self, other: Number) -> Scalar:
        return self.graph.divide(other, self)

    def __neg__(self) -> Scalar:
        return self.graph.negate(self)

    def __pos__(self) -> Scalar:
        return self

    def __pow__(self, exponent: Number) -> Scalar:
        return self.graph.power(self, exponent)

    # numpy's ufuncs call these methods on objects, so that np.sin(t) in a user's formula works

    def sin(self) -> Scalar:
        return self.graph.apply("sin", self)

    def cos(self) -> Scalar:
        return self.graph.apply("cos", self)

    def sqrt(self) -> Scalar:
        return self.graph.apply("sqrt", self)

    def exp(self) -> Scalar:
        return self.graph.apply("exp", self)

    def log(self) -> Scalar:
        return self.graph.apply("log", self)

    def tanh(self) -> Scalar:
        return self.graph.apply("tanh", self)

    def arctan(self) -> Scalar:
        return self.graph.apply("atan", self)

    # what branches on a value is refused: the branch would be taken once, at assembly, for every state

    def __lt__(self, other: Number) -> bool:
        raise refusal("<")

    def __le__(self, other: Number) -> bool:
        raise refusal("<=")

    def __gt__(self, other: Number) -> bool:
        raise refusal(">")

    def __ge__(self, other: Number) -> bool:
        raise refusal(">=")

    def __eq__(self, other: object) -> bool:
        raise refusal("==")

    def __ne__(self, other: object) -> bool:
        raise refusal("!=")

    def __bool__(self) -> bool:
        raise refusal("truth value")

    def __abs__(self) -> Scalar:
        raise refusal("abs()")

    def __float__(self) -> float:
        if self.op == "constant":
            return float(self.data)
        raise refusal("float()", "use gudgeon.sin, cos, sqrt, exp, log, tanh instead of those of math")

    def __repr__(self) -> str:
        if self.op == "constant":
            return f"<{self.data:g}>"
        if self.op == "input":
            return f"<{self.data[0]}[{self.data[1]}]>"
        return f"<{self.op} #{self.id}>"


def refusal(what: str, remedy: str = "move the branch into an opaque function (a law)") -> SymbolicBranch:
    """The error for a branch on a symbol, naming the line of the formula that asked."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("gudgeon.compile.graph."):
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}, in {frame.f_code.co_name}"
    why = "its value is not known at assembly"
    return SymbolicBranch(f"{what} of a symbolic value at {where}; {why}: {remedy}")
