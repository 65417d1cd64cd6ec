"""`PartSketch`: a trace that only notes what the formulas do, to tell which parts of a mechanism have equal ones.

It neither folds nor differentiates, which takes nearly all the time of a trace, and yet runs the same code: it finds
the numbers of a part, its states and contacts, and a signature that is equal for parts with equal formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from gudgeon.assemble.solve.equations import Constraint, Equations
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Graph, Scalar


class Notes(Graph):
    """A graph that writes down operations. Only what multiplies by zero or adds it is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.tape: list[tuple[Any, ...]] = []

    def note(self, *what: Any) -> Scalar:
        """A new node; what stands for a node on the tape is its `data`: a number, an input, or the line that made it,
        as an imaginary number, which equals no other."""
        tape = self.tape
        tape.append(tuple([x.data if isinstance(x, Scalar) else x for x in what]))
        node = Scalar()
        node.graph, node.op, node.data, node.args = self, "noted", complex(0.0, len(tape)), ()
        node.id = node.depends = 0
        return node

    def add(self, a: Any, b: Any) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        if a is self.zero or b is self.zero:
            return b if a is self.zero else a
        return self.note("add", a, b)

    def subtract(self, a: Any, b: Any) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        return a if b is self.zero else self.note("subtract", a, b)

    def multiply(self, a: Any, b: Any) -> Scalar:
        a, b = self.scalar(a), self.scalar(b)
        return self.zero if a is self.zero or b is self.zero else self.note("multiply", a, b)

    def divide(self, a: Any, b: Any) -> Scalar:
        a = self.scalar(a)
        return self.zero if a is self.zero else self.note("divide", a, b)

    def negate(self, a: Any) -> Scalar:
        return self.zero if a is self.zero else self.note("negate", a)

    def reciprocal(self, a: Any) -> Scalar:
        return self.note("reciprocal", a)

    def power(self, a: Any, exponent: Any) -> Scalar:
        return self.note("power", a, exponent)

    def apply(self, name: str, x: Any) -> Scalar:
        return self.note(name, x)

    def call(self, function: Any, arguments: Sequence[Any], *, block: int = -1, guards: Sequence[Any] = ()) -> Scalar:
        return self.note("call", id(function), block, len(guards), *guards, *arguments)


class _Rates:
    """Stands for differentiation along the motion."""

    def __init__(self, graph: Notes) -> None:
        self.graph = graph

    def __call__(self, x: Any) -> Scalar:
        return self.graph.note("rate", x)

    def seed(self, node: Any, rate: Any) -> None:
        self.graph.note("seed", node, rate)


class NotedEquations:
    """Takes rows and forces without working them out."""

    def __init__(self, graph: Notes, time: Scalar, bodies: Sequence[Any]) -> None:
        self.graph, self.time, self.bodies = graph, time, bodies
        self.constraints: list[Constraint] = []
        self.force = [graph.zero for body in bodies for _ in body.v]
        self.ddt = _Rates(graph)

    def constrain(self, owner: str, rows: dict[str, Any], *, drive: bool = False) -> None:
        for label, value in rows.items():
            self.constraints.append(Constraint(owner, label, self.graph.note("row", label, drive, value), drive))

    def weigh(self, gravity: Any) -> None:
        Equations.weigh(self, gravity)  # type: ignore[arg-type]

    def follow(self, searches: Any) -> None:
        for root, formula in searches:
            self.graph.note("follow", root, formula)

    def gradient(self, value: Any) -> dict[int, Scalar]:
        self.graph.note("gradient", value)
        return {}

    def velocity_gradient(self, value: Any) -> dict[int, Scalar]:
        self.graph.note("velocity gradient", value)
        return {}

    def apply(self, magnitude: Any, row: Any) -> dict[int, Scalar]:
        self.graph.note("apply", magnitude)
        return {}


class PartSketch(Trace):
    """The formulas of a part, noted."""

    graph_type = Notes
    equations_type = NotedEquations

    @property
    def signature(self) -> tuple[Any, ...]:
        """Equal for parts whose formulas and channels are equal, up to the numbers in p and the names."""
        skip = len(self.mechanism.owner)  # type: ignore[attr-defined]
        contacts = [(c.name[skip:], c.kind, c.angular, c.friction_law is None) for c in self.contacts]
        forces = [x.data for x in self.equations.force]
        kinds = [
            (joint.kind.name, mate, type(fit), joint.gap(mate) > 0.0)
            for joint in self.mechanism.joints.values()
            for mate, fit in joint.fit.items()
        ]
        sides = [getattr(drive, "direction", None) for drive in self.mechanism.drives.values()]
        # what only a channel reads, such as the place where a slider starts, is not on the tape
        numbers = [name.partition(".")[2] for name in self.parameters.names]
        return (*kinds, *sides, *numbers, *self.graph.tape, *contacts, *forces)  # type: ignore[attr-defined]

    @property
    def borrowed(self) -> int:
        """How many parameters, the first ones, are those of the bodies."""
        owners = (name.partition(".")[0] for name in self.parameters.names)
        return sum(1 for _ in takewhile(self.mechanism.bodies.__contains__, owners))
