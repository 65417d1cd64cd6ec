"""A mechanism's equations left unsolved, for implicit methods: residuals and their changes instead of accelerations.

Accelerations a and multipliers of the constraints stand in y beside positions and velocities, so that channels need
nothing else. With r for the balance of forces and J a - gamma for the constraints differentiated twice,

    r = M a - F(t, q, v) - Jt lambda = 0          J a - gamma(t, q, v) = 0          x' - g(t, q, v, x) = 0

a method asks for both (function "residual", g in place of the last), and for how they change with the unknowns
(function "tangent") when a unit of a_j brings factors of its own to velocity and position:

    S = c_a dr/da + c_v dr/dv + c_q dr/dq

(c_a, c_v, c_q) are the last internal states, set by the method: the matrix of a step, of statics (0, 0, 1) and the mass
(1, 0, 0) are one function. Rows of the constraints change by J alone: what else there is goes with the square of the
step. Elements of beams are run in loops, everything else is straight-line code; the pattern of non-zero entries, their
order of elimination and the places of the factors are found here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.beams import ENERGIES, FACTORS, NODE, NUMBERS, Flexible, element
from gudgeon.assemble.equations import Equations
from gudgeon.assemble.modal import ModalBody
from gudgeon.assemble.ordering import Plan, plan
from gudgeon.assemble.trace import Trace
from gudgeon.graph import Direction, Module, Scalar, llvm
from gudgeon.graph.loop import Loop, Step, clear, link
from gudgeon.graph.module import PREPARE

Entries = dict[tuple[int, int], Scalar]


@dataclass(frozen=True)
class Layout:
    """Places in y of what an implicit method solves for: accelerations, multipliers of the kept rows, factors."""

    positions: int
    velocities: int
    rows: int
    internal: int
    accelerations: int
    multipliers: int
    factors: int

    @property
    def size(self) -> int:
        """Unknowns: accelerations, multipliers, rates of internal states."""
        return self.velocities + self.rows + self.internal


class Unsolved:
    """The equations of a trace with accelerations and multipliers as states."""

    def __init__(self, trace: Trace, redundant: tuple[int, ...]) -> None:
        self.trace = trace
        self.equations: Equations = trace.equations
        constraints = self.equations.constraints
        self.kept = [r for r in range(len(constraints)) if r not in set(redundant)]
        self.values = [constraints[r].value for r in self.kept]
        self.rows = [self.equations.gradient(value) for value in self.values]
        internal = len(trace.states.names)
        self.accelerations = [self._state(f"acceleration.{k}") for k in range(len(self.equations.v))]
        kept = {r: self._state(f"multiplier.{constraints[r].name}") for r in self.kept}
        self.factors = [self._state(f"factor.{k}") for k in range(FACTORS)]
        self.multipliers = [kept.get(r, trace.graph.zero) for r in range(len(constraints))]
        self.kept_multipliers = list(kept.values())
        start = trace.states.positions + trace.states.velocities + internal
        after = start + len(self.accelerations)
        self.layout = Layout(trace.states.positions, trace.states.velocities, len(self.kept), internal, start, after,
                             after + len(self.kept))  # fmt: skip

    @property
    def drives(self) -> dict[str, Scalar]:
        """None: drives are rows here."""
        return {}

    def carried(self, joint: Any, point: Any) -> None:
        """Nothing: every joint has its rows here."""

    def _state(self, name: str) -> Scalar:
        symbol, index = self.trace.states.add(name)
        self.trace.states.set_rate(index, self.trace.graph.zero)
        return symbol

    # -- straight-line parts --------------------------------------------------------------------------------

    def balance(self) -> list[Scalar]:
        """r, the elements of beams aside."""
        graph = self.trace.graph
        found = [-x for x in self.equations.force]
        k = 0
        for body in self.trace.moving:
            for i, weight in enumerate(body.inverse_mass):
                found[k + i] = found[k + i] + self.accelerations[k + i] / weight
            if isinstance(body, ModalBody):
                for i in range(len(body.v)):
                    for j in range(len(body.v)):
                        entry = body.inertia_entry(max(i, j), min(i, j))
                        found[k + i] = found[k + i] + entry * self.accelerations[k + j]
            k += len(body.v)
        for row, multiplier in zip(self.rows, self.kept_multipliers, strict=True):
            for i, x in row.items():
                found[i] = found[i] - x * multiplier
        for rotor in self.equations.rotors:
            torque = rotor.inertia * (sum((x * self.accelerations[i] for i, x in rotor.row.items()), -rotor.right))
            for i, x in rotor.row.items():
                found[i] = found[i] + x * torque
        return [graph.scalar(x) for x in found]

    def closures(self) -> list[Scalar]:
        """J a - gamma."""
        found = []
        for value, row in zip(self.values, self.rows, strict=True):
            total = self.equations.ddt(self.equations.ddt(value))
            for i, x in row.items():
                total = total + x * self.accelerations[i]
            found.append(total)
        return found

    def drifts(self) -> list[Scalar]:
        """What the projection of other systems gives, without corrections: residuals of positions and velocities."""
        none = [self.trace.graph.zero] * (self.layout.positions + self.layout.velocities)
        return [*none, *self.values, *(self.equations.ddt(value) for value in self.values)]

    def internal_rates(self) -> list[Scalar]:
        return self.trace.states.rates[: self.layout.internal]

    def changes(self) -> Entries:
        """Entries of the matrix that are not zero, elements of beams aside."""
        graph, layout = self.trace.graph, self.layout
        balance, internal = self.balance(), self.internal_rates()
        found: Entries = {}
        nodes = (graph.nodes[k] for x in (*balance, *internal) for k in x.inputs())
        reached = {node.data[1] for node in nodes if node.data[0] == "y"}
        c_a, c_v, c_q = self.factors
        first, x0 = layout.velocities + layout.rows, layout.positions + layout.velocities
        for j in range(layout.velocities):
            places = (layout.accelerations + j, layout.positions + j, j)
            if reached.isdisjoint(places):
                continue
            seeds = zip((graph.input("y", place) for place in places), (c_a, c_v, c_q), strict=True)
            along = Direction(graph, seeds)
            self._column(found, j, [along(x) for x in balance], [-along(x) for x in internal], first)
        for k, row in enumerate(self.rows):
            for i, x in row.items():
                found[i, layout.velocities + k] = -x
                found[layout.velocities + k, i] = x
        for k in range(layout.internal):
            along = Direction(graph, [(graph.input("y", x0 + k), c_v)])
            self._column(found, first + k, [along(x) for x in balance], [-along(x) for x in internal], first)
            found[first + k, first + k] = found.get((first + k, first + k), graph.zero) + c_a
        return found

    def _column(self, found: Entries, j: int, balance: list[Scalar], internal: list[Scalar], first: int) -> None:
        zero = self.trace.graph.zero
        found.update({(i, j): x for i, x in enumerate(balance) if x is not zero})
        found.update({(first + i, j): x for i, x in enumerate(internal) if x is not zero})


@dataclass(frozen=True)
class Compiled:
    """Machine code of the equations left unsolved, and the plan of their matrix."""

    addresses: dict[str, int]
    p: np.ndarray
    layout: Layout
    plan: Plan
    operations: dict[str, int]
    keep: Any


def compiled(unsolved: Unsolved, functions: dict[str, list[Scalar]]) -> Compiled:
    """Compile `functions` with the residual and the tangent of the equations."""
    trace, layout = unsolved.trace, unsolved.layout
    changes = unsolved.changes()
    entries = dict.fromkeys(changes)
    beams = list(trace.beams.values())
    for beam in beams:
        entries |= dict.fromkeys(pair for row in _blocks(beam) for pair in row)
    index = {pair: k for k, pair in enumerate(entries)}
    zero = trace.graph.zero
    every: dict[str, Sequence[Scalar]] = {
        **functions,
        "residual": [*unsolved.balance(), *unsolved.closures(), *unsolved.internal_rates()],
        "tangent": [changes.get(pair, zero) for pair in entries],
    }
    module = Module(trace.graph, every, len(trace.parameters))
    loops, end = [], len(trace.parameters) + module.prepared
    for beam in beams:
        loops.append(_loop(beam, layout, index, end))
        end += loops[-1].derived
    straight = llvm.compile_module(module, workspace=end)
    programs: dict[str, list[Step | int]] = {
        name: [straight[name], *(loop.step(name) for loop in loops)] for name in ("residual", "tangent")
    }
    energies = [clear(0, ENERGIES), *(loop.step("energies") for loop in loops)]
    programs |= {name: [*energies, straight[name]] for name in ("rhs", "channels") if loops}
    programs["prepare_elements"] = [loop.step(PREPARE) for loop in loops]
    linked = link(programs, workspace=end)
    p = np.zeros(end + ENERGIES)
    p[: len(trace.parameters)] = trace.parameters.values
    sizes = {name: f.size for name, f in module.functions.items()}
    for beam in beams:
        for name in ("residual", "tangent"):
            sizes[f"{name} of an element of {beam.beam.name}"] = element(beam.beam.order).module.functions[name].size
    late = range(layout.velocities, layout.velocities + layout.rows)
    found = plan(layout.size, entries, late)
    return Compiled({**straight, **linked.addresses}, p, layout, found, sizes, linked)


def _places(beam: Flexible) -> np.ndarray:
    """Velocities of each element, one row per element."""
    count = NODE * (beam.beam.order + 1)
    starts = beam.first + NODE * beam.beam.order * np.arange(beam.beam.elements)
    return starts[:, None] + np.arange(count)[None, :]


def _blocks(beam: Flexible) -> list[list[tuple[int, int]]]:
    return [[(int(i), int(j)) for i in row for j in row] for row in _places(beam)]


def _loop(beam: Flexible, layout: Layout, index: dict[tuple[int, int], int], prepared: int) -> Loop:
    """The elements of a beam: where they read and where they add."""
    places, count = _places(beam), beam.beam.elements
    factors = np.tile(layout.factors + np.arange(FACTORS), (count, 1))
    y = np.hstack([places, layout.positions + places, layout.accelerations + places, factors])
    p = np.tile(beam.block + np.arange(len(NUMBERS)), (count, 1))
    tangent = np.array([[index[pair] for pair in row] for row in _blocks(beam)])
    results = {"residual": places, "tangent": tangent, "energies": np.tile(np.arange(ENERGIES), (count, 1))}
    return Loop(element(beam.beam.order), {"y": y, "p": p}, results, prepared)
