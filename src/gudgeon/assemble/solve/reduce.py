"""Constant states, found in the equations themselves, proved and left out.

Many states of a mechanism never change: what moves in a plane of space has coordinates across it, a body that turns
about one axis has Euler parameters about the others, a symmetric link that starts without spin about its own axis has
none later. That a state is constant depends on others being constant too, so they are found together, as the largest
set that agrees with itself:

    suppose that every coordinate and every velocity keeps the value it starts with;
    take back the supposition for each of which the equations, with all suppositions put in, do not say
        rate = 0   and   correction by the projection = 0;
    again, until nothing is taken back.

What is left is constant: write y = (c, z), c the states left out. f_c(c0, z) = 0 for all z, so (c0, z(t)) with
z' = f_z(c0, z) solves all equations, and the solution is unique. Every such set lies in the supposition that is left,
since what is taken back with more suppositions put in is taken back with fewer, too.

Zero means identically zero, for all values of time, of the states left, of memory and of parameters, by
`compile.graph.passes.fingerprint`. Of the values only 0, 1 and -1 are structure; others are any numbers, but for Euler
parameters, which have length 1. Some proofs need parameters that are equal, such as two moments of inertia: equal
numbers are supposed to be equal by intention, then each supposition that is not needed is taken back. What the proof
rests on is kept in the `Reduction` and checked at the start of every run.

A correction may differ from zero by what closing the joints has left open, where it is the same at all times.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.tree import FREEDOMS
from gudgeon.compile.graph import Graph, Scalar
from gudgeon.compile.graph.passes.fingerprint import Fingerprints, ProvenGraph, random_residue, residue, unit_residues
from gudgeon.compile.graph.passes.transfer import Transfer

STRUCTURAL = (0.0, 1.0, -1.0)  # values put into the formulas as they are; any other value is a random residue
NOISE = 1e-14  # what rounding leaves of a structural number
OPEN = 1e-11  # relative to the size: what closing the joints may have left open
EULER = 4  # Euler parameters of a body, the only coordinates without a unit
NO_UNIT = "1"
NAMED = 4  # constant states that are named in what a run says

Functions = dict[str, Sequence[Scalar]]


@dataclass(frozen=True)
class Constant:
    """A state that keeps its value: its place in y, its name, and where in p the value is, if it is no structure."""

    place: int
    name: str
    value: float
    parameter: int | None = None


@dataclass(frozen=True)
class Reduction:
    """States left out, and what the proof of it rests on.

    kept         places of the other states in y
    size         the number of all states
    controlled   the number of all states under error control, over which errors are averaged
    equal        groups of parameters that must be equal, by place and name
    """

    constants: tuple[Constant, ...]
    kept: np.ndarray
    size: int
    controlled: int
    equal: tuple[tuple[tuple[int, str], ...], ...]

    def contract(self, y: np.ndarray) -> np.ndarray:
        """The states that are left, of all."""
        return np.ascontiguousarray(y[self.kept])

    def expand(self, y: np.ndarray) -> np.ndarray:
        """All states, from those that are left."""
        full = np.zeros(self.size)
        full[self.kept] = y
        for constant in self.constants:
            full[constant.place] = constant.value
        return full

    def settled(self, motion: np.ndarray, clean: np.ndarray) -> np.ndarray:
        """Coordinates and velocities at the start: those that are constant without rounding."""
        start, left_out = motion.copy(), [c.place for c in self.constants]
        start[left_out] = clean[left_out]
        return start

    def with_numbers(self, clean: np.ndarray, parameters: Parameters) -> Reduction:
        """The same of a start with other numbers, of which the parameters are added."""
        constants = []
        for constant in self.constants:
            value = float(clean[constant.place])
            if constant.parameter is not None:
                parameters.number(f"constant.{constant.name}", value)
            constants.append(replace(constant, value=value))
        return replace(self, constants=tuple(constants))

    def place(self, state: int) -> int:
        """Where a state that is left lies among those that are left."""
        return int(np.searchsorted(self.kept, state))

    def unmet(self, y: np.ndarray, p: np.ndarray) -> list[str]:
        """Conditions of the proof that do not hold for a run that starts with all states y and parameters p."""
        conditions = [f"{c.name} starts at {y[c.place]:.6g}, not at {c.value:.6g}" for c in self.constants
                 if y[c.place] != c.value]  # fmt: skip
        for group in self.equal:
            if len({float(p[k]) for k, _ in group}) > 1:
                conditions.append(" and ".join(name for _, name in group) + " differ")
        return conditions

    def __str__(self) -> str:
        values = ", ".join(f"{c.name} = {c.value:.6g}" for c in self.constants[:NAMED])
        more = f" and {len(self.constants) - NAMED} more" if len(self.constants) > NAMED else ""
        rest = "".join(", since " + " = ".join(name for _, name in group) for group in self.equal)
        few = "state is" if self.controlled == 1 else "states is" if len(self.constants) == 1 else "states are"
        count = f"{len(self.constants)} of {self.controlled} {few} constant and not integrated"
        return f"{count}: {values}{more}{rest}"


@dataclass(frozen=True)
class FunctionSet:
    """What is compiled and what it starts from: `motion` are all coordinates and velocities, `units` those of the
    coordinates and velocities that are states."""

    graph: Graph
    functions: Functions
    motion: np.ndarray
    contacts: Sequence[Contact]
    units: list[str]
    reduction: Reduction | None = None

    @property
    def left_out(self) -> int:
        return 0 if self.reduction is None else len(self.reduction.constants)

    def positions(self, every: int) -> int:
        """How many coordinates are states, of all."""
        return every if self.reduction is None else every - sum(c.place < every for c in self.reduction.constants)

    def contract(self, y: np.ndarray) -> np.ndarray:
        return y if self.reduction is None else self.reduction.contract(y)

    def places_of(self, parts: Sequence[Any]) -> list[Any]:
        """Contacts, or friction of ideal joints, with the places of their states among those that are left."""
        if self.reduction is None:
            return list(parts)
        return [x if x.state is None else replace(x, state=self.reduction.place(x.state)) for x in parts]


@dataclass(frozen=True)
class Grounds:
    """All numbers that a reduction depends on: which of them are structure, which parameters are equal, and which
    corrections are no more than what closing the joints has left open. Where they are the same for other numbers, so is
    the reduction. Equal parameters that it did not need may differ: fewer suppositions prove no more."""

    structural: tuple[float | None, ...]  # of the motion at the start
    equal: tuple[tuple[int, ...], ...]
    needs_equal: bool
    left_open: tuple[tuple[Scalar, bool], ...]

    def hold(self, trace: Trace, motion: np.ndarray, size: float) -> bool:
        """For the numbers of another trace and its start without rounding."""
        values = trace.parameters.values
        if structural(motion) != self.structural or not self._equal_as_before(equal_numbers(values)):
            return False
        return all(left_open(trace, values, motion, x, size) == open_ for x, open_ in self.left_open)

    def _equal_as_before(self, groups: tuple[tuple[int, ...], ...]) -> bool:
        if groups == self.equal or self.needs_equal:
            return groups == self.equal
        return all(any(set(group) <= set(before) for before in self.equal) for group in groups)


def reduced(trace: Trace, full: FunctionSet, size: float) -> tuple[FunctionSet, Grounds]:
    """The same without the states that are constant, and on which grounds."""
    motion = without_rounding(full.motion, full.units, size)
    proof = Proof(trace, full.functions, motion, size)
    reduction = proof.reduction()
    needs_equal = reduction is not None and bool(reduction.equal)
    equal = equal_numbers(proof.parameters)
    grounds = Grounds(structural(motion), equal, needs_equal, tuple(proof.looked_at.values()))
    if reduction is None:
        return full, grounds
    left_out = [c.place for c in reduction.constants]
    try:
        graph, functions = rewrite(proof, full.functions, reduction)
    except (ArithmeticError, ValueError):
        return full, grounds  # something that is reported is not defined where these states stay
    units = [x for k, x in enumerate(full.units) if k not in left_out]
    start = reduction.settled(full.motion, motion)
    made = FunctionSet(graph, functions, start, full.contacts, units, reduction)
    return replace(made, contacts=made.places_of(full.contacts)), grounds


def structural(motion: np.ndarray) -> tuple[float | None, ...]:
    """The values that are structure, None for others."""
    return tuple(x if x in STRUCTURAL else None for x in motion.tolist())


def equal_numbers(values: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Groups of places with equal values."""
    by_value: dict[float, list[int]] = {}
    for k, value in enumerate(values.tolist()):
        by_value.setdefault(value, []).append(k)
    return tuple(tuple(group) for group in by_value.values() if len(group) > 1)


def left_open(trace: Trace, parameters: np.ndarray, start: np.ndarray, correction: Scalar, size: float) -> bool:
    """Whether a correction is no more than closing the joints has left open."""
    at: dict[tuple[str, int], Any] = {("t", 0): 0.0}
    at |= {("p", k): float(x) for k, x in enumerate(parameters)}
    at |= {("y", k): float(x) for k, x in enumerate([*start, *trace.states.starts])}
    number = Transfer(Graph(), at)(correction)
    return bool(number.is_constant and abs(number.data) <= OPEN * size)


def without_rounding(motion: np.ndarray, units: Sequence[str], size: float) -> np.ndarray:
    """Where the motion starts: what is zero, or of Euler parameters 0, 1 or -1, but for rounding is exactly that."""
    start, speed = motion.copy(), 0.0  # the largest speed, spins at the size of the mechanism
    for x, unit in zip(motion, units, strict=True):
        speed = max(speed, abs(x) * {"m/s": 1.0, "rad/s": size}.get(unit, 0.0))
    typical = {"m": size, "m/s": speed, "rad/s": speed / size}
    for k, unit in enumerate(units):
        noise = NOISE * typical.get(unit, 1.0)
        for value in STRUCTURAL if unit == NO_UNIT else (0.0,):
            if abs(start[k] - value) <= noise:
                start[k] = value
    return start


class Proof:
    """What the equations say of suppositions about constant states and equal parameters.

    `supposed` are the places in y of states taken for constant. `alike` are the parameters taken for equal: of each its
    representative, whose residue all of them get; a parameter that is not in it is its own.
    """

    def __init__(self, trace: Trace, functions: Functions, start: np.ndarray, size: float) -> None:
        self.trace, self.start, self.size = trace, start, size
        self.rates, self.corrections = functions["rhs"], functions["project"]
        self.parameters = trace.parameters.values
        self.units = [x for body in trace.equations.bodies for x in body.units]
        self.looked_at: dict[int, tuple[Scalar, bool]] = {}  # corrections that are constant, and whether left open

    def reduction(self) -> Reduction | None:
        """All constant states; None where there is none."""
        groups, trace = equal_numbers(self.parameters), self.trace
        places = self.constant_states({k: group[0] for group in groups for k in group})
        if not places or len(places) == trace.states.controlled:
            return None  # nothing to leave out, or nothing to integrate
        needed, names, constants = self.needed(places, groups), state_names(trace), []
        for k in sorted(places):
            value, parameter = float(self.start[k]), None
            if value not in STRUCTURAL:
                trace.parameters.number(f"constant.{names[k]}", value)
                parameter = len(trace.parameters) - 1
            constants.append(Constant(k, names[k], value, parameter))
        kept = np.array([k for k in range(trace.states.total) if k not in places])
        equal = tuple(tuple((k, trace.parameters.names[k]) for k in group) for group in needed)
        return Reduction(tuple(constants), kept, trace.states.total, trace.states.controlled, equal)

    def constant_states(self, alike: Mapping[int, int]) -> set[int]:
        """The largest set of states that the equations let keep their values."""
        supposed = set(range(len(self.start)))
        while supposed:
            changing = self.changing(supposed, alike)
            if not changing:
                break
            supposed -= changing
        return supposed

    def changing(self, supposed: set[int], alike: Mapping[int, int]) -> set[int]:
        """Those of the supposed constants that change, or of which nothing can be proved (fingerprint None)."""
        residues = self.residues(supposed, alike)
        rates = Fingerprints(residues).of({k: self.rates[k] for k in supposed})
        changing = {k for k, x in rates.items() if x != 0}
        corrections = {k: self.corrections[k] for k in supposed - changing}
        here = Fingerprints(residues).of(corrections)
        corrected = [k for k, x in here.items() if x != 0]
        if corrected:
            # a correction that is the same at another random point of time and free states is a constant number
            there = Fingerprints(residues, elsewhere=True).of({k: corrections[k] for k in corrected})
            changing |= {k for k in corrected if here[k] is None or here[k] != there[k]
                         or not self._left_open(corrections[k])}  # fmt: skip
        return changing

    def residues(self, supposed: Iterable[int], alike: Mapping[int, int]) -> dict[tuple[str, int], int]:
        """Residues of the inputs that are not free, constants and parameters. Four Euler parameters that are all
        constant get random ones whose squares add up to 1."""
        residues = {("p", k): random_residue("p", alike.get(k, k)) for k in range(len(self.parameters))}
        every = set(supposed)
        for k in sorted(every):
            value = float(self.start[k])
            residues["y", k] = residue(value) if value in STRUCTURAL else random_residue("constant", k)
        for k, unit in enumerate(self.units):
            if unit == NO_UNIT and self._begins_euler_parameters(k):
                group = range(k, k + EULER)
                unknown = [i for i in group if float(self.start[i]) not in STRUCTURAL]
                if every.issuperset(group) and unknown:
                    residues |= {("y", i): x for i, x in zip(unknown, unit_residues(len(unknown), k), strict=True)}
        return residues

    def _begins_euler_parameters(self, k: int) -> bool:
        """Whether the coordinate without unit at k is the first of four: those of a body may lie directly behind those
        of another."""
        first = k
        while first and self.units[first - 1] == NO_UNIT:
            first -= 1
        return (k - first) % EULER == 0

    def _left_open(self, correction: Scalar) -> bool:
        if correction.id not in self.looked_at:
            open_ = left_open(self.trace, self.parameters, self.start, correction, self.size)
            self.looked_at[correction.id] = correction, open_
        return self.looked_at[correction.id][1]

    def needed(self, constants: set[int], groups: Sequence[Sequence[int]]) -> list[list[int]]:
        """Of groups of equal parameters those, and of their members those, without which the proof fails.

        The first of a group is its anchor. Each other member k stands for one equality, k = anchor; a smallest set of
        these is found by halves (QuickXplain: Junker 2004). The anchor itself is left out where the members that
        remain, equal to each other but not to the anchor, do as well.
        """
        anchor_of = {k: group[0] for group in groups for k in group}

        def joined(members: Sequence[int]) -> dict[int, int]:
            return {k: anchor_of[k] for k in (*members, *(anchor_of[x] for x in members))}

        def smallest(members: list[int], given: list[int]) -> list[int]:
            """Of the members a smallest set that proves everything beside the given ones."""
            if not members or not self.changing(constants, joined(given)):
                return []
            if len(members) == 1:
                return members
            half = len(members) // 2
            later = smallest(members[half:], given + members[:half])
            return smallest(members[:half], given + later) + later

        kept = smallest([k for group in groups for k in group[1:]], [])
        by_anchor: dict[int, list[int]] = {}
        for k in kept:
            by_anchor.setdefault(anchor_of[k], []).append(k)
        for anchor, members in by_anchor.items():
            alike = dict.fromkeys(members, members[0]) | {k: anchor_of[k] for k in kept if anchor_of[k] != anchor}
            if len(members) == 1 or self.changing(constants, alike | {x: x for x in by_anchor if x != anchor}):
                members.insert(0, anchor)
        return list(by_anchor.values())


def rewrite(proof: Proof, functions: Functions, reduction: Reduction) -> tuple[Graph, Functions]:
    """The functions of the states that are left, with the constants put in."""
    alike = {k: group[0][0] for group in reduction.equal for k, _ in group}
    graph = ProvenGraph(Fingerprints(proof.residues((), alike)))
    inputs: dict[tuple[str, int], Any] = {("y", int(k)): graph.input("y", n) for n, k in enumerate(reduction.kept)}
    for c in reduction.constants:
        inputs["y", c.place] = c.value if c.parameter is None else graph.input("p", c.parameter)
    over = Transfer(graph, inputs)
    over.all([x for nodes in functions.values() for x in nodes])
    made: Functions = {name: [over(x) for x in nodes] for name, nodes in functions.items()}
    left_out = {c.place for c in reduction.constants}
    for name in ("rhs", "project"):
        made[name] = [x for k, x in enumerate(made[name]) if k not in left_out]
    return graph, made


def state_names(trace: Trace) -> list[str]:
    """Of coordinates, then of velocities: by body, in a tree by joint."""
    rigid = trace.space.rigid_body
    names: tuple[list[str], list[str]] = ([], [])
    if trace.tree is None:
        owners = [*trace.mechanism.bodies, *(name for name in trace.runners)]
        for owner, body in zip(owners, trace.equations.bodies, strict=True):
            for listed, labels, states in zip(
                names, (rigid.coordinates, rigid.velocities), (body.q, body.v), strict=True
            ):
                modes = [f"mode{k}" for k in range(1, 1 + len(states) - len(labels))]
                listed += [f"{owner}.{x}" for x in [*labels, *modes][: len(states)]]
        return names[0] + names[1]
    for link in trace.tree.links:
        owner = link.joint or link.body
        moves = [x for x in FREEDOMS.get(link.kind, {}) if x not in link.driven]
        for listed, labels, states, suffix in zip(
            names, (rigid.coordinates, rigid.velocities), (link.q, link.v), ("", "_rate"), strict=True
        ):
            own = [f"{x}{suffix}" for x in moves] if link.kind in FREEDOMS else labels[len(labels) - len(states) :]
            listed += [f"{owner}.{x}" for x in own]
    return names[0] + names[1]
