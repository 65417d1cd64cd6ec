"""Fingerprints: values of a graph modulo a prime, at one random point. They prove that formulas vanish or are equal.

A formula of sums, products and quotients is a rational function of its inputs. One that is not zero has at most d zeros
in a hundred for every hundred values of an input, d being its degree; so its value at a random point of the field of
P = 2^127 - 1 numbers is zero with probability d / P at most (Schwartz and Zippel). A degree of a million and a hundred
million comparisons leave a chance below 1e-24 that anything was taken for zero, or equal, that is not. The point is the
same on every computer, so that the code made by fingerprints is, too.

    constants        floats are m 2^e: exact
    inputs           random, or what the caller makes them; a formula that vanishes does so for all values of the others
    sin u, cos u     a random point of the unit circle for each u: only sin² + cos² = 1, the parity and the values at 0
                     are known of them, which can miss an equality but never invents one
    other functions  of one number, random; parity and values at 0 and, for roots, at 1 are known
    opaque calls     random functions of their arguments, 0 where a guard vanishes

What divides by something that vanishes has no fingerprint, and nothing is proved of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from gudgeon.compile.graph.functions import EVEN, FUNCTIONS, ODD
from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.passes.walk import missing
from gudgeon.compile.graph.scalar import Number, Scalar

PRIME = 2**127 - 1
BITS = 127  # 2^127 = 1: powers of two go round
HALF = PRIME // 2

Residue = int | None  # None: not defined at the point


def residue(value: float) -> int:
    """A float as an element of the field, exact."""
    mantissa, exponent = math.frexp(value)
    return int(mantissa * 2.0**53) * pow(2, (exponent - 53) % BITS, PRIME) % PRIME


def random_residue(*key: Any) -> int:
    """The element that belongs to a key, the same on every computer."""
    return int.from_bytes(blake2b(repr(key).encode(), digest_size=24).digest()) % PRIME


def inverse(x: int) -> Residue:
    return pow(x, -1, PRIME) if x else None


def unit_residues(count: int, *key: Any) -> list[int]:
    """A random point of the unit sphere of so many dimensions: (2 u, 1 - u·u) / (1 + u·u)."""
    turn = 0
    while True:
        u = [random_residue("sphere", turn, k, *key) for k in range(count - 1)]
        square = sum(x * x for x in u)
        over = inverse((1 + square) % PRIME)
        if over is not None:
            return [*(2 * x * over % PRIME for x in u), (1 - square) * over % PRIME]
        turn += 1


class Fingerprints:
    """Fingerprints of the nodes of graphs, `values` being those of some inputs by array and index; `elsewhere` the
    other inputs have other values."""

    def __init__(self, values: Mapping[tuple[str, int], int] | None = None, *, elsewhere: bool = False) -> None:
        self.values, self._point = dict(values or {}), "elsewhere" if elsewhere else "input"
        self._functions: dict[int, tuple[int, Any]] = {}  # numbers of opaque functions, which are kept alive

    def of(self, nodes: Mapping[Any, Number]) -> dict[Any, Residue]:
        """Those of some formulas of one graph, by the same keys."""
        scalars = [x for x in nodes.values() if isinstance(x, Scalar)]
        known: dict[int, Residue] = {}
        graph = scalars[0].graph if scalars else Graph()
        for node_id in missing(scalars, known):
            node = graph.nodes[node_id]
            known[node_id] = self.node(node.op, [known[a.id] for a in node.args], node.data)
        return {key: known[x.id] if isinstance(x, Scalar) else residue(x) for key, x in nodes.items()}

    def node(self, op: str, args: list[Residue], data: Any) -> Residue:
        """That of an operation, from those of its arguments."""
        if op == "constant":
            return residue(data) if math.isfinite(data) else None
        if op == "input":
            given = self.values.get(data)
            return random_residue(self._point, *data) if given is None else given
        if any(x is None for x in args):
            return None
        known: list[int] = args  # type: ignore[assignment]
        match op:
            case "add":
                return (known[0] + known[1]) % PRIME
            case "subtract":
                return (known[0] - known[1]) % PRIME
            case "multiply":
                return known[0] * known[1] % PRIME
            case "negate":
                return -known[0] % PRIME
            case "reciprocal":
                return inverse(known[0])
            case "call":
                return self._call(known, data)
        return _function(op, known[0])

    def _call(self, args: list[int], data: Any) -> int:
        function, block, guards = data
        if not all(args[:guards]):
            return 0
        number, _ = self._functions.setdefault(id(function), (len(self._functions), function))
        return random_residue("call", number, block, guards, *args)


def _function(op: str, x: int) -> Residue:
    """An elementary function; of these only what the head of the file says is known."""
    if x == 0:
        try:
            return residue(FUNCTIONS[op].evaluate(0.0))
        except (ArithmeticError, ValueError):
            return None
    if op == "sqrt" and x == 1:
        return 1
    turned = x > HALF and op in ODD | EVEN  # of x and -x the smaller one is asked for
    if turned:
        x = PRIME - x
    value = unit_residues(2, "circle", x)[op == "cos"] if op in ("sin", "cos") else random_residue(op, x)
    return -value % PRIME if turned and op in ODD else value


class ProvenGraph(Graph):
    """A graph in which formulas with equal fingerprints are one node, however they are written."""

    def __init__(self, fingerprints: Fingerprints) -> None:
        self._fingerprints = fingerprints
        self._residues: dict[int, Residue] = {}  # by node
        self._nodes_with: dict[int, Scalar] = {}  # by residue, the first one
        super().__init__()

    def _node(self, op: str, args: tuple[Scalar, ...], data: Any = None) -> Scalar:
        key = (op, data, *(a.id for a in args))
        node = self._known.get(key)
        if node is not None:
            return node
        fingerprint = self._fingerprints.node(op, [self._residues[a.id] for a in args], data)
        equal = None if fingerprint is None else self._nodes_with.get(fingerprint)
        if equal is None and fingerprint and op != "negate" and op != "constant":
            opposite = self._nodes_with.get(PRIME - fingerprint)
            if opposite is not None:
                equal = self._keep(super()._node("negate", (opposite,)), fingerprint)
        if equal is None or op == "constant":
            return self._keep(super()._node(op, args, data), fingerprint)
        self._known[key] = equal
        return equal

    def _keep(self, node: Scalar, fingerprint: Residue) -> Scalar:
        self._residues[node.id] = fingerprint
        if fingerprint is not None:
            self._nodes_with.setdefault(fingerprint, node)
        return node
