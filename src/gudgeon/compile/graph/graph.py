"""`Graph`: makes the nodes. Equal nodes are one node, and what can be known at assembly is folded.

Rules, in the order they are tried:

  constants fold; 0, 1 and -1 disappear; x - x is 0
  a constant factor moves to the front of a product, a sign to the front of everything
  like terms of a sum merge, where a short sum is left: 2x + y - x becomes x + y
  squares of a sine and a cosine with the same factor become the square of the factor
  a quotient is a product with a reciprocal, so that equal divisors are divided once; a factor and its
  reciprocal cancel
  commutative operations order their arguments, so that a + b and b + a are one node
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gudgeon.compile.graph.functions import EVEN, FUNCTIONS, ODD
from gudgeon.compile.graph.opaque import Opaque
from gudgeon.compile.graph.scalar import Number, Scalar, refusal

FLATTEN = 6  # how deep a sum is searched for like terms; deeper finds little and costs assembly time
LONGEST = 4  # a sum rewritten for its like terms has at most so many; a longer one had better share its parts


class Graph:
    def __init__(self) -> None:
        self.nodes: list[Scalar] = []
        self.arrays: dict[str, int] = {}
        self._known: dict[tuple[Any, ...], Scalar] = {}
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)

    # -- leaves ---------------------------------------------------------------------------------------------

    def constant(self, value: float) -> Scalar:
        value = float(value) + 0.0  # -0.0 becomes 0.0
        return self._node("constant", (), value)

    def input(self, array: str, index: int = 0) -> Scalar:
        """Element of an input array. Each array has one bit in `Scalar.depends`."""
        self.arrays.setdefault(array, 1 << len(self.arrays))
        return self._node("input", (), (array, index))

    def inputs(self, array: str, count: int, start: int = 0) -> list[Scalar]:
        return [self.input(array, start + k) for k in range(count)]

    def whole(self, name: str, arguments: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What `make` gives, made of many operations, as one operation: see `tape`."""
        return make()

    def scalar(self, x: Number) -> Scalar:
        return x if isinstance(x, Scalar) else self.constant(x)

    def _node(self, op: str, args: tuple[Scalar, ...], data: Any = None) -> Scalar:
        key = (op, data, *(a.id for a in args))
        node = self._known.get(key)
        if node is None:
            node = Scalar()
            node.graph, node.id, node.op, node.args, node.data = self, len(self.nodes), op, args, data
            node.depends = self.arrays[data[0]] if op == "input" else 0
            for a in args:
                node.depends |= a.depends
            if op == "call" and data[1] >= 0:
                node.depends |= self.arrays.setdefault("p", 1 << len(self.arrays))
            self.nodes.append(node)
            self._known[key] = node
        return node

    # -- sums -----------------------------------------------------------------------------------------------

    def add(self, a: Number, b: Number) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        if a.is_constant and b.is_constant:
            return self.constant(a.data + b.data)
        if a is self.zero:
            return b
        if b is self.zero:
            return a
        merged = self._like_terms(a, b, 1.0)
        if merged is not None:
            return merged
        if b.op == "negate":
            return self.subtract(a, b.args[0])
        if a.op == "negate":
            return self.subtract(b, a.args[0])
        common = self._common_factor(a, b, 1.0)
        if common is None and a.op == b.op == "multiply" and a.args[0] is a.args[1] and b.args[0] is b.args[1]:
            common = self._on_circle(a.args[0], b.args[0])
        return common if common is not None else self._node("add", (a, b) if a.id < b.id else (b, a))

    def subtract(self, a: Number, b: Number) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        if a.is_constant and b.is_constant:
            return self.constant(a.data - b.data)
        if a is self.zero:
            return self.negate(b)
        if b is self.zero:
            return a
        if a is b:
            return self.zero
        merged = self._like_terms(a, b, -1.0)
        if merged is not None:
            return merged
        if b.op == "negate":
            return self.add(a, b.args[0])
        if a.op == "negate":
            return self.negate(self.add(a.args[0], b))
        common = self._common_factor(a, b, -1.0)
        if common is not None:
            return common
        opposite = self._known.get(("subtract", None, b.id, a.id))
        return self.negate(opposite) if opposite is not None else self._node("subtract", (a, b))

    def _common_factor(self, a: Scalar, b: Scalar, sign: float) -> Scalar | None:
        """k·x + sign·k·y as k·(x + sign·y), also for opposite factors; None when the factors differ."""
        if not (a.op == b.op == "multiply" and a.args[0].is_constant and b.args[0].is_constant):
            return None
        k, other, x, y = a.args[0].data, b.args[0].data, a.args[1], b.args[1]
        if abs(k) != abs(other):
            return None
        return self._scale(k, self.add(x, y) if (k == other) == (sign > 0.0) else self.subtract(x, y))

    def _on_circle(self, x: Scalar, y: Scalar) -> Scalar | None:
        """x² + y² as k² where x = k cos(u) and y = k sin(u); None where they are not."""
        for c, s in ((x, y), (y, x)):
            for cosine in self._factors(c, FLATTEN):
                sine = self._known.get(("sin", None, cosine.args[0].id)) if cosine.op == "cos" else None
                k = None if sine is None else self._without(c, cosine)
                if k is not None and self._without(s, sine) is k:
                    return self.multiply(k, k)
        return None

    def _factors(self, product: Scalar, depth: int) -> list[Scalar]:
        if not depth or product.op != "multiply":
            return [product]
        return [x for a in product.args for x in self._factors(a, depth - 1)]

    def _like_terms(self, a: Scalar, b: Scalar, sign: float) -> Scalar | None:
        """a + sign*b with like terms merged, or None when there are none or too many others."""
        terms: list[tuple[float, Scalar]] = []
        self._collect(a, 1.0, terms, FLATTEN)
        self._collect(b, sign, terms, FLATTEN)
        factors: dict[int, float] = {}
        for factor, node in terms:
            factors[node.id] = factors.get(node.id, 0.0) + factor
        left = sum(factor != 0.0 for factor in factors.values())
        if len(factors) == len(terms) or left > LONGEST:
            return None
        total = self.zero
        for node_id, factor in factors.items():
            total = self.add(total, self.multiply(factor, self.nodes[node_id]))
        return total

    def _collect(self, node: Scalar, factor: float, terms: list[tuple[float, Scalar]], depth: int) -> None:
        if depth and node.op in ("add", "subtract"):
            self._collect(node.args[0], factor, terms, depth - 1)
            self._collect(node.args[1], factor if node.op == "add" else -factor, terms, depth - 1)
        elif depth and node.op == "negate":
            self._collect(node.args[0], -factor, terms, depth - 1)
        elif node.op == "constant":
            terms.append((factor * node.data, self.one))
        elif node.op == "multiply" and node.args[0].is_constant:
            terms.append((factor * node.args[0].data, node.args[1]))
        else:
            terms.append((factor, node))

    def negate(self, a: Number) -> Scalar:
        a = self.scalar(a)
        if a.is_constant:
            return self.constant(-a.data)
        if a.op == "negate":
            return a.args[0]
        if a.op == "multiply" and a.args[0].is_constant:
            return self.multiply(-a.args[0].data, a.args[1])
        if a.op == "subtract":
            opposite = self._known.get(("subtract", None, a.args[1].id, a.args[0].id))
            if opposite is not None:
                return opposite
        return self._node("negate", (a,))

    # -- products -------------------------------------------------------------------------------------------

    def multiply(self, a: Number, b: Number) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        if a.is_constant and b.is_constant:
            return self.constant(a.data * b.data)
        if b.is_constant:
            a, b = b, a
        if a.is_constant:
            return self._scale(a.data, b)
        if a.op == "negate":
            return self.negate(self.multiply(a.args[0], b))
        if b.op == "negate":
            return self.negate(self.multiply(a, b.args[0]))
        if a.op == "multiply" and a.args[0].is_constant:
            return self._scale(a.args[0].data, self.multiply(a.args[1], b))
        if b.op == "multiply" and b.args[0].is_constant:
            return self._scale(b.args[0].data, self.multiply(a, b.args[1]))
        for x, y in ((a, b), (b, a)):
            inverse = y.args[0] if y.op == "reciprocal" else self._known.get(("reciprocal", None, y.id))
            rest = self._without(x, inverse)
            if rest is not None:
                return rest
        return self._node("multiply", (a, b) if a.id < b.id else (b, a))

    def _without(self, product: Scalar, factor: Scalar | None, depth: int = FLATTEN) -> Scalar | None:
        """The product without one of its factors, or None when it has no such factor: (x·1/m)·m is x."""
        if product is factor:
            return self.one
        if factor is None or not depth or product.op != "multiply":
            return None
        for x, y in (product.args, product.args[::-1]):
            rest = self._without(x, factor, depth - 1)
            if rest is not None:
                return self.multiply(rest, y)
        return None

    def _scale(self, factor: float, b: Scalar) -> Scalar:
        if factor == 0.0:
            return self.zero
        if b.is_constant:
            return self.constant(factor * b.data)
        if factor == 1.0:
            return b
        if factor == -1.0:
            return self.negate(b)
        if b.op == "negate":
            return self._scale(-factor, b.args[0])
        if b.op == "multiply" and b.args[0].is_constant:
            return self._scale(factor * b.args[0].data, b.args[1])
        return self._node("multiply", (self.constant(factor), b))

    def reciprocal(self, a: Number) -> Scalar:
        a = self.scalar(a)
        if a.is_constant:
            return self.constant(1.0 / a.data)
        if a.op == "negate":
            return self.negate(self.reciprocal(a.args[0]))
        if a.op == "reciprocal":
            return a.args[0]
        if a.op == "multiply" and a.args[0].is_constant:
            return self._scale(1.0 / a.args[0].data, self.reciprocal(a.args[1]))
        return self._node("reciprocal", (a,))

    def divide(self, a: Number, b: Number) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        if a.is_constant and b.is_constant:
            return self.constant(a.data / b.data)
        return self.one if a is b else self.multiply(a, self.reciprocal(b))

    def power(self, a: Number, exponent: Number) -> Scalar:
        """Integer powers by repeated squaring, 0.5 as a square root."""
        a = self.scalar(a)
        n = float(exponent)
        if n == 0.5:
            return self.apply("sqrt", a)
        if not (abs(n) <= 64.0 and n.is_integer()):
            raise refusal(f"power {n:g}", "only integer powers up to 64 and 0.5; else use exp and log")
        if n < 0:
            return self.reciprocal(self.power(a, -n))
        result, square, k = self.one, a, int(n)
        while k:
            if k & 1:
                result = self.multiply(result, square)
            k >>= 1
            if k:
                square = self.multiply(square, square)
        return result

    # -- functions ------------------------------------------------------------------------------------------

    def apply(self, name: str, x: Number) -> Scalar:
        x = self.scalar(x)
        if x.is_constant:
            return self.constant(FUNCTIONS[name].evaluate(x.data))
        if x.op == "negate" and name in ODD:
            return self.negate(self.apply(name, x.args[0]))
        if x.op == "negate" and name in EVEN:
            return self.apply(name, x.args[0])
        return self._node(name, (x,))

    def call(self, function: Opaque, arguments: Sequence[Number], *, block: int = -1,
             guards: Sequence[Number] = ()) -> Scalar:  # fmt: skip
        """Call of an opaque function. `block` is the offset of its parameters in p, passed as a pointer.

        The call is made only where every guard is positive; elsewhere the result is 0.
        """
        args = tuple(self.scalar(x) for x in (*guards, *arguments))
        return self._node("call", args, (function, block, len(guards)))
