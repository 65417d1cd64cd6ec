"""`Structure`: the formulas and code of a mechanism, which serve every mechanism that differs from it in numbers only.

A known structure is traced again, with the tapes of its first traces playing (`compile.graph.tape`): that collects the
numbers of p and proves that the formulas are the same, 0 and 1 where they fold included. What is decided by numbers
behind the traces is decided again and compared: rows that are redundant, signs of Euler parameters, states that are
left out. Where anything differs, `OtherStructure` is raised and the mechanism is assembled from its description.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.joint_friction import LOCKED_REMEDY, JointFriction, locking
from gudgeon.assemble.contact.rows import newton_numbers
from gudgeon.assemble.needs import Needs
from gudgeon.assemble.report.channels import Channel
from gudgeon.assemble.report.redundancy import Redundancy, marked, redundancy_of
from gudgeon.assemble.solve.reduce import Grounds, Reduction, without_rounding
from gudgeon.assemble.solve.start import (
    Kinematics,
    Start,
    find_start,
    initial_state,
    no_contact,
    state_units,
    with_short_rows,
)
from gudgeon.assemble.system import AssemblyOptions, CompiledCode, Formulated, StateLayout, SystemReport
from gudgeon.assemble.trace.trace import Trace
from gudgeon.assemble.tree.outputs import TreeOutputs
from gudgeon.assemble.tree.tree import grow
from gudgeon.compile.graph import Graph, Module
from gudgeon.compile.graph.module import PREPARE
from gudgeon.compile.graph.tape import OperationTape, OtherStructure
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError

__all__ = [
    "Compiled",
    "Structure",
    "StructureFormulas",
    "Traced",
    "TracedBodies",
    "fill",
    "late_numbers",
    "motion_of",
]  # fmt: skip

Tracer = Callable[[Graph], Trace]


@dataclass(frozen=True)
class Traced:
    """A trace and its tape."""

    trace: Trace
    tape: OperationTape

    @classmethod
    def by(cls, make: Tracer) -> Traced:
        tape = OperationTape(Graph())
        with tape.recording():
            return cls(make(tape.graph), tape)

    def again(self, make: Tracer) -> Trace:
        """The trace with the numbers of another mechanism, if that has the same formulas."""
        with self.tape.playing():
            other = make(self.tape.graph)
        return self.trace.with_numbers(other)


@dataclass(frozen=True)
class TracedBodies:
    """A mechanism by the coordinates of its bodies, its rows, and those that its start satisfies."""

    traced: Traced
    own: Kinematics
    twin: Kinematics

    def again(self, make: Tracer) -> tuple[Trace, Kinematics, Kinematics]:
        trace = self.traced.again(make)
        own = self.own.with_numbers(trace)
        return trace, own, own if self.twin is self.own else self.twin.with_numbers(trace)


@dataclass(frozen=True)
class Compiled:
    """Addresses of functions, a way to call them from Python, and what must live as long as they are used."""

    addresses: dict[str, int]
    call: Callable[..., None]
    references: Any = None


@dataclass(frozen=True, kw_only=True)
class StructureFormulas:
    """What follows from formulas alone, but for the reduction, whose constants have numbers."""

    module: Module
    operations: dict[str, int]
    compiled: Callable[[np.ndarray], Compiled]
    layout: StateLayout
    total: int  # states, those that are left out included
    names: Sequence[str]  # of p
    late: Sequence[str]  # of parameters of the bodies' trace that are asked for behind it, but for constants
    channels: Sequence[Channel]
    contacts: Sequence[Contact]
    frictions: Sequence[JointFriction]
    constraint_names: list[str]
    redundant: list[str]


@dataclass(frozen=True, kw_only=True)
class Structure:
    """What is known of a structure: the traces by the bodies' coordinates that were tried, by whether they had the rows
    of the mates; that of the tree; what numbers have decided; and the formulas."""

    needs: Needs
    tried: Mapping[bool, TracedBodies]
    tree: Traced | None
    outputs: TreeOutputs | None
    start: Start
    tree_redundant: Sequence[int]
    signs: Sequence[float]
    grounds: Grounds | None
    formulas: StructureFormulas

    def of(self, mechanism: Mechanism, options: AssemblyOptions) -> Formulated:
        """What it makes of another mechanism; raises OtherStructure where that has other formulas."""

        def find(own_rows: bool) -> tuple[Start, Trace]:
            if own_rows not in self.tried:
                raise OtherStructure
            trace, own, twin = self.tried[own_rows].again(
                lambda graph: Trace(mechanism, contact=self.needs.contact, own_rows=own_rows, graph=graph))  # fmt: skip
            return find_start(mechanism, own, twin, options.size), trace

        start, absolute = with_short_rows(mechanism, find)
        if (start.redundant, start.loses_hold) != (self.start.redundant, self.start.loses_hold):
            raise OtherStructure
        numbers = late_numbers(absolute, options.size)
        for name in self.formulas.late:
            absolute.parameters.number(name, numbers[name])
        trace, outputs = absolute, None
        if self.tree is not None and self.outputs is not None:
            grown = grow(mechanism)
            trace = self.tree.again(
                lambda graph: Trace(mechanism, own_rows=absolute.own_rows, tree=grown, graph=graph))  # fmt: skip
            outputs = self.outputs.with_numbers(absolute, trace, start)
            if outputs.redundant(options.size) != self.tree_redundant or outputs.signs() != self.signs:
                raise OtherStructure
            if trace.parameters.matching(absolute.parameters) != self.outputs.matching:
                raise OtherStructure
        reduction = self.formulas.layout.reduction
        if self.grounds is not None:
            clean = without_rounding(motion_of(start, outputs), state_units(trace), options.size)
            if not self.grounds.hold(trace, clean, options.size):
                raise OtherStructure
            reduction = None if reduction is None else reduction.with_numbers(clean, trace.parameters)
        if trace.parameters.names != self.formulas.names:
            raise OtherStructure
        redundancy = redundancy_of(absolute, start, options.size)
        return fill(self.formulas, absolute, trace, outputs, start, redundancy, options.size, reduction)


def late_numbers(trace: Trace, size: float) -> dict[str, float]:
    """Numbers by name that formulas behind a trace may ask for."""
    walls = [contact for contact in trace.contacts if contact.index is not None] if trace.contact != "force law" else []
    return {"reactions.length": size, **newton_numbers(walls)}


def motion_of(start: Start, outputs: TreeOutputs | None) -> np.ndarray:
    """Coordinates and velocities at the start, all of them."""
    return np.concatenate((start.q, start.v) if outputs is None else outputs.start())


def fill(formulas: StructureFormulas, absolute: Trace, trace: Trace, outputs: TreeOutputs | None, start: Start,
         redundancy: Redundancy | None, size: float, reduction: Reduction | None) -> Formulated:  # fmt: skip
    """The formulas with the numbers of a trace: `absolute` by the coordinates of bodies, `trace` by those of the
    equations."""
    motion = motion_of(start, outputs)
    if reduction is not None:
        motion = reduction.settled(motion, without_rounding(motion, state_units(trace), size))
    module, count = formulas.module, len(trace.parameters)
    p = np.zeros(count + module.prepared + 1)  # with room for what `prepare` derives from them
    p[:count] = trace.parameters.values
    code = formulas.compiled(p)
    code.call(PREPARE, 0.0, np.zeros(1), p, np.zeros(1), p[count:])

    def contracted(y: np.ndarray) -> np.ndarray:
        return y if reduction is None else reduction.contract(y)

    def report(y: np.ndarray, out: np.ndarray) -> None:
        code.call("channels", 0.0, contracted(y), p, no_contact(trace), out)

    y0 = contracted(initial_state(trace, motion, formulas.total, formulas.channels, report))
    if formulas.frictions:
        values = np.zeros(2 * len(formulas.frictions))
        code.call("friction", 0.0, y0, p, no_contact(trace), values)
        locked = locking(formulas.frictions, values)
        if locked is not None:
            raise GudgeonError(f"{locked.why} at the start; give it {LOCKED_REMEDY}")
    contacts = [known.with_numbers(new) for known, new in zip(formulas.contacts, trace.contacts, strict=True)]
    everywhere = outputs is None and reduction is None
    return Formulated(
        layout=replace(formulas.layout, reduction=reduction),
        code=CompiledCode(
            addresses=code.addresses, p=p, parameter_names=list(formulas.names),
            operations=formulas.operations, module=module,
            references=code.references,
        ),
        report=SystemReport(
            channels=list(marked(dict.fromkeys(formulas.channels), redundancy)), contacts=contacts, films=trace.films,
            constraint_names=formulas.constraint_names, redundant=formulas.redundant, redundancy=redundancy,
            frictions=formulas.frictions,
        ),
        start=start, y0=y0, typical_speeds=(0.0, 0.0) if everywhere else _speeds(absolute, start),
    )  # fmt: skip


def _speeds(absolute: Trace, start: Start) -> tuple[float, float]:
    units = [x for b in absolute.moving for x in b.velocity_units]
    largest = [max((abs(x) for x, u in zip(start.v, units, strict=True) if u == unit), default=0.0)
               for unit in ("m/s", "rad/s")]  # fmt: skip
    return float(largest[0]), float(largest[1])
