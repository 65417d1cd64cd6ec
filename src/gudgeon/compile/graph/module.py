"""`Module`: outputs of a graph cut into straight-line functions, the common form of all back ends.

Every function has the signature  f(t, y, p, m, out):  time, state, parameters, memory, results.

What depends on parameters alone is not computed again and again: it is moved into the function `prepare`,
which runs once after the parameters are set and writes its results behind the parameters, in p[count:]. So a
mass costs a division per run, not per evaluation, and yet stays a run-time parameter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.opaque import Opaque
from gudgeon.compile.graph.scalar import Scalar

PREPARE = "prepare"
LEAVES = ("constant", "input")
SLOW = {"reciprocal": 13, "sqrt": 16, "sin": 50, "cos": 50, "call": 40}  # cycles that a result takes, others 4

Place = tuple[str, int]  # array and index


@dataclass(frozen=True, slots=True)  # compiled code is found by its instructions, which are many and stay
class Instruction:
    """result = op(args); args are ids of earlier results. `data` as in `Scalar`; "divide" is only here."""

    result: int
    op: str
    args: tuple[int, ...]
    data: Any = None


@dataclass(frozen=True)
class Function:
    name: str
    code: tuple[Instruction, ...]
    outputs: tuple[int, ...]

    @property
    def operations(self) -> dict[str, int]:
        """How often each operation occurs; leaves are free."""
        counts: dict[str, int] = {}
        for instruction in self.code:
            if instruction.op not in LEAVES:
                counts[instruction.op] = counts.get(instruction.op, 0) + 1
        return counts

    @property
    def size(self) -> int:
        return sum(self.operations.values())


class Module:
    def __init__(self, graph: Graph, functions: dict[str, Sequence[Scalar]], parameters: int,
                 given: Mapping[int, Place] | None = None) -> None:  # fmt: skip
        """`functions` maps names to output nodes; `parameters`: how many elements of p the caller sets; `given`: nodes
        by id that the functions find computed, with their place (array, index)."""
        self.graph, self.parameters, self._given = graph, parameters, given or {}
        self._slots = self._hoisted([node for outputs in functions.values() for node in outputs])
        stop = {**self._given, **{node_id: ("p", slot) for node_id, slot in self._slots.items()}}
        self.functions = {name: self._lower(name, outputs, stop) for name, outputs in functions.items()}
        prepared = [graph.nodes[node_id] for node_id in self._slots]
        self.functions[PREPARE] = self._lower(PREPARE, prepared, stop={})

    @property
    def prepared(self) -> int:
        """Number of derived parameters behind the parameters."""
        return len(self._slots)

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for modules with equal code: what is compiled for one serves the other."""
        return (self.parameters, *self.functions.values())

    @cached_property
    def digest(self) -> str:
        """A short text that is equal for modules with equal code, in this process and in others."""
        made = hashlib.sha256(f"{self.parameters}".encode())
        for name, function in self.functions.items():
            place = {i.result: k for k, i in enumerate(function.code)}
            lines = (f"{i.op} {[place[a] for a in i.args]} {_lasting(i.data)}" for i in function.code)
            made.update("\n".join([name, *lines, f"{[place[x] for x in function.outputs]}"]).encode())
        return made.hexdigest()[:32]

    @staticmethod
    def _reachable(outputs: Sequence[Scalar], stop: Callable[[Scalar], bool]) -> list[Scalar]:
        """The nodes below the outputs, in order; a node to stop at is given, what is below it is not."""
        reached: dict[int, Scalar] = {}
        stack = list(outputs)
        while stack:
            node = stack.pop()
            if node.id not in reached:
                reached[node.id] = node
                if not stop(node):
                    stack.extend(node.args)
        return [reached[k] for k in sorted(reached)]

    def _hoisted(self, outputs: Sequence[Scalar]) -> dict[int, int]:
        """Node id -> slot in p, for nodes of parameters alone that the rest of the code reads."""
        parameter_bit = self.graph.arrays.get("p", 0)

        def fixed(node: Scalar) -> bool:
            return node.depends == parameter_bit and node.op not in (*LEAVES, "call", "negate")

        def known(node: Scalar) -> bool:
            return fixed(node) or node.id in self._given

        read = [node.id for node in self._reachable(outputs, known) if fixed(node)]
        return {node_id: self.parameters + k for k, node_id in enumerate(read)}

    def _lower(self, name: str, outputs: Sequence[Scalar], stop: Mapping[int, Place]) -> Function:
        nodes = self._reachable(outputs, lambda node: node.id in stop)
        uses: dict[int, int] = {}
        for node in nodes:
            for a in node.args if node.id not in stop else ():
                uses[a.id] = uses.get(a.id, 0) + 1
        for node in outputs:
            uses[node.id] = uses.get(node.id, 0) + 1
        code, fused, ready = [], set(), _ready(nodes, stop)
        for node in reversed(nodes):  # users before what they use: a reciprocal used once becomes a division
            if node.id in stop:
                code.append(Instruction(node.id, "input", (), stop[node.id]))
            elif node.id not in fused:
                instruction = self._instruction(node, uses, stop, ready)
                if instruction.op == "divide":
                    fused.add(next(a.id for a in node.args if _single_reciprocal(a, uses, stop)))
                code.append(instruction)
        return Function(name, tuple(reversed(code)), tuple(node.id for node in outputs))

    @staticmethod
    def _instruction(node: Scalar, uses: dict[int, int], stop: Mapping[int, Place],
                     ready: Mapping[int, int]) -> Instruction:  # fmt: skip
        if node.op == "multiply":
            for a, b in (node.args[::-1], node.args):
                # where the divisor is known before the dividend, its reciprocal is worked out meanwhile
                if _single_reciprocal(b, uses, stop) and ready[a.id] < ready[b.id] + SLOW["reciprocal"]:
                    return Instruction(node.id, "divide", (a.id, b.args[0].id))
        return Instruction(node.id, node.op, tuple(a.id for a in node.args), node.data)


def _lasting(data: Any) -> Any:
    """The data of an instruction in words that mean the same in every process."""
    return (data[0].identity, *data[1:]) if isinstance(data, tuple) and isinstance(data[0], Opaque) else data


def _ready(nodes: Sequence[Scalar], stop: Mapping[int, Place]) -> dict[int, int]:
    """When each node could be known, in cycles of a processor that does everything as soon as it can."""
    cycles: dict[int, int] = {}
    for node in nodes:
        before = [] if node.id in stop else [cycles[a.id] for a in node.args]
        cycles[node.id] = max(before, default=0) + (SLOW.get(node.op, 4) if before else 0)
    return cycles


def _single_reciprocal(node: Scalar, uses: dict[int, int], stop: Mapping[int, Place]) -> bool:
    return node.op == "reciprocal" and uses[node.id] == 1 and node.id not in stop
