"""`Program`: a kernel for trajectories of one mechanism as LLVM code.

What is the same in all trajectories is written into the code as numbers; what differs comes in as rows of a table, one
column per trajectory, so that neighbouring threads read neighbouring numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.batch.distance import length_units
from gudgeon.batch.entry import gpu_entry, host_entry
from gudgeon.batch.inputs import EXTRA
from gudgeon.batch.memory import arrays_of, march_bundle, record_bundle
from gudgeon.batch.trajectory import INSTEAD
from gudgeon.compile.graph.module import PREPARE, Function
from gudgeon.compile.python.arithmetic import Retype
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.unit import CARD, CompilationUnit, Platform
from gudgeon.compile.python.values import DOUBLE, LONG, Array, Bundle, Cell, Number
from gudgeon.methods.contract import Method, step_kernels
from gudgeon.methods.march.driver import OFTEN

__all__ = ["NAME", "Program", "Wanted"]

NAME = "trajectories"


@dataclass(frozen=True)
class Wanted:
    """What is kept of each trajectory, beside the state at its end and what its contacts do.

    extremes  channels whose largest and smallest value is kept, for every turn
    squares   channels whose square is integrated over time
    strobe    channels whose value at the end of every turn is kept
    states    places in y, and behind it in m, kept at the end of every turn
    """

    extremes: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    strobe: tuple[str, ...] = ()
    states: tuple[int, ...] = ()

    def __or__(self, other: Wanted) -> Wanted:
        """What either asks for, each once."""
        parts = [dict.fromkeys((*getattr(self, part.name), *getattr(other, part.name))) for part in fields(self)]
        return Wanted(*(tuple(part) for part in parts))

    @property
    def channels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.extremes, *self.squares, *self.strobe)))


@dataclass
class Program(ABC):
    """A kernel for trajectories of `system`.

    inputs   numbers of the base trajectory: parameters, scales of tolerances, then EXTRA
    varying  places of those that differ between trajectories: rows of the table that comes in
    method   an explicit one; its tolerance is among the inputs
    """

    system: System
    inputs: np.ndarray
    varying: tuple[int, ...]
    wanted: Wanted
    method: Method

    # arrays besides the table, each (rows, trajectories); the first `put` of them go in; then whole numbers
    arrays: ClassVar[tuple[str, ...]]
    put: ClassVar[int]
    numbers: ClassVar[tuple[str, ...]]

    @abstractmethod
    def shape(self, array: str, turns: int) -> tuple[int, ...]:
        """Rows of one of the arrays."""

    @abstractmethod
    def body(self, reader: Reader, w: Any, numbers: dict[str, Any]) -> None:
        """The work of one thread."""

    @property
    def parameters(self) -> int:
        return int(self.system.module.parameters)

    @property
    def state_rows(self) -> int:
        """Rows of the state that goes in and comes out: time, step, y, m."""
        return 2 + self.system.controlled + self.system.memory

    @property
    def joints(self) -> dict[str, tuple[int, ...]]:
        """The contacts of each joint that has onset and release."""
        contacts: dict[str, tuple[int, ...]] = {}
        for contact in self.system.event_contacts:
            contacts[contact.joint] = (*contacts.get(contact.joint, ()), int(contact.index or 0))
        return contacts

    def code(self, *, gpu: bool) -> str:
        """The text of the kernel for a GPU, or of a loop over trajectories for the processor."""
        retyped: dict[Any, str] = {}
        while True:
            try:
                return self._code(retyped, gpu=gpu)
            except Retype as error:
                retyped[error.key] = error.kind

    def _code(self, retyped: dict[Any, str], *, gpu: bool) -> str:
        steps = step_kernels(self.method)
        unit = CompilationUnit(instead={**steps, **INSTEAD}, in_place=True, platform=CARD if gpu else Platform(),
                               kinds=retyped)  # fmt: skip
        kinds = [LONG, *[DOUBLE.as_pointer()] * (1 + len(self.arrays)), *[LONG] * len(self.numbers)]
        one = ir.Function(unit.module, ir.FunctionType(ir.VoidType(), [LONG, *kinds]), "one")
        self._one(unit, one)
        one.linkage = "internal"
        one.attributes.add("alwaysinline")
        part = [] if gpu else [LONG, LONG]
        whole = ir.Function(unit.module, ir.FunctionType(ir.VoidType(), [*part, *kinds]), NAME)
        (gpu_entry if gpu else host_entry)(whole, one)
        return str(unit.module)

    def _one(self, unit: CompilationUnit, function: ir.Function) -> None:
        reader = Reader(unit, function)
        thread, count, table, *rest = function.args
        total = Number("int", count)
        rows = {"table": Array("real", table, (len(self.varying), total))}
        for name, pointer in zip(self.arrays, rest, strict=False):
            rows[name] = Array("real", pointer, (*self.shape(name, 0), total))
        w = self._memory(reader, unit, rows, Number("int", thread))
        given = rest[len(self.arrays) :]
        short = [Number("int", reader.narrowed(x)) for x in given]
        self.body(reader, w, dict(zip(self.numbers, short, strict=True)))
        reader.builder.ret_void()
        reader.finish()

    def _value(self, reader: Reader, rows: dict[str, Array], thread: Any, place: int) -> Any:
        """A number of the inputs: written into the code, or read from the table."""
        if place in self.varying:
            return reader.load(rows["table"], (self.varying.index(place), thread))
        return float(self.inputs[place])

    def _memory(self, reader: Reader, unit: CompilationUnit, rows: dict[str, Array], thread: Number) -> Bundle:
        """The record of a march as variables of the thread, with what is kept of the trajectory."""
        system, states = self.system, self.system.controlled
        inputs = [self._value(reader, rows, thread, k) for k in range(len(self.inputs))]
        extra = dict(zip(EXTRA, inputs[self.parameters + states :], strict=True))
        channels = self.wanted.channels
        functions = self._functions(unit, channels)
        contacts = max(1, system.events)
        scales = inputs[self.parameters : self.parameters + states]
        unit_lengths = self._unit_lengths(reader, extra)
        tolerances = {k: reader.binary("Mult", extra["rtol"], x) for k, x in enumerate(scales)}
        arrays = {
            name: reader.array("real", *shape, fixed=tolerances if name == "atol" else None)
            for name, shape in arrays_of(system, states, self.method.rows).items()
        }
        known = {
            "rhs_at": functions["rhs"], "gaps_at": functions["gaps"], "project_at": functions["project"],
            "rtol": extra["rtol"], "output_step": 1.0, "size": extra["size"], "speed": extra["speed"],
            "h_max": extra["longest"], "project_every": reader.choose(reader.compare("Lt", extra["rtol"], OFTEN), 4, 1),
        }  # fmt: skip
        if self.method.record is not None:
            known["method_at"] = Bundle(**record_bundle(reader, self.method.record, {}))
        w: Any = march_bundle(
            reader, system, known, arrays,
            p=reader.array("real", len(system.p)), thread=thread, start=reader.array("real", 1),
            turn=reader.array("int", 1), turns=Cell("int", reader.variable("int")),
            most=Cell("int", reader.variable("int")),
            joints=tuple(self.joints.values()), touched=reader.array("real", contacts),
            onsets=reader.array("real", contacts), section_states=self.wanted.states,
            unit_lengths=unit_lengths, counts=tuple(x != 0.0 for x in unit_lengths),
            **self._watched(reader), channels=functions.get("watched"), **rows,
            **{name: extra[name] for name in ("period", "parts", "apart")},
        )  # fmt: skip
        self._start(reader, w, inputs, extra)
        prepared = reader.pointer(w.p, (self.parameters,))
        reader.builder.call(functions[PREPARE].function, [
            reader.real(0.0), *(x.pointer for x in (w.y, w.p, w.m)), prepared])  # fmt: skip
        return w

    def _watched(self, reader: Reader) -> dict[str, Any]:
        """What is kept of the channels while a trajectory is marched (batch/trajectory.py): values of the last call;
        those at the last two ends of steps, and slopes there; largest and smallest value and integral of the square in
        this turn. The rows say where the results of a channel go, from 1; 0: it is not wanted."""
        channels, wanted = self.wanted.channels, self.wanted
        many = max(1, len(channels))
        vectors = ("values", "highest", "lowest", "square")
        return {
            "watched": len(channels), "last_step": reader.array("real", 1),
            **{name: reader.array("real", many) for name in vectors},
            **{name: reader.array("real", many, 2) for name in ("last_values", "slopes_at_ends")},
            "extreme_rows": tuple(_place(wanted.extremes, name) for name in channels),
            "square_rows": tuple(_place(wanted.squares, name) for name in channels),
            "strobe_rows": tuple(_place(wanted.strobe, name) for name in channels),
        }  # fmt: skip

    def _unit_lengths(self, reader: Reader, extra: dict[str, Any]) -> tuple[Any, ...]:
        """The length, in lengths of the ruler, that a unit of each state counts as in a distance of two states, by the
        rule of `batch.distance`; 0: the state does not count."""
        size, time, per_length = extra["size"], extra["time"], reader.binary("Div", 1.0, extra["length"])
        per_angle = reader.binary("Mult", size, per_length)
        by_unit = {
            "m": per_length, "rad": per_angle, "1": reader.binary("Mult", 2.0, per_angle),
            "m/s": reader.binary("Mult", time, per_length), "rad/s": reader.binary("Mult", time, per_angle), "": 0.0,
        }  # fmt: skip
        return tuple(by_unit[unit] for unit in length_units(self.system))

    def _functions(self, unit: CompilationUnit, channels: Sequence[str]) -> dict[str, Any]:
        module, states = self.system.module, self.system.controlled
        rhs: Function = module.functions["rhs"]
        functions = {"rhs": unit.system(Function("rhs", rhs.code, rhs.outputs[:states]), "rhs")}
        for name in ("gaps", "project", PREPARE):
            functions[name] = unit.system(module.functions[name], name)
        if channels:
            index = {channel.name: k for k, channel in enumerate(self.system.channels)}
            every: Function = module.functions["channels"]
            outputs = tuple(every.outputs[index[name]] for name in channels)
            functions["watched"] = unit.system(Function("watched", every.code, outputs), "watched")
        return functions

    def _start(self, reader: Reader, w: Any, inputs: list[Any], extra: dict[str, Any]) -> None:
        """Variables at the start of a march."""
        own = vars(w.method_at).values() if self.method.record is not None else ()
        for cell in (x for x in (*vars(w).values(), *own) if isinstance(x, Cell)):
            reader.builder.store(reader.as_kind(0, cell.kind), cell.pointer)
        for array in (w.peak_force, w.peak_time, w.peak_depth, w.slope, w.crest, w.k, w.turn, w.touched, w.onsets,
                      w.square, w.correction, w.gap, w.gap_new, w.gap_within, w.gap_before, w.new, w.out):  # fmt: skip
            size = array.shape[0] * (array.shape[1] if len(array.shape) == 2 else 1)
            for k in range(size):
                index = (k,) if len(array.shape) == 1 else divmod(k, array.shape[1])
                reader.store(array, index, 0)
        for k in range(self.parameters):
            reader.store(w.p, (k,), inputs[k])
        for k in range(self.parameters, len(self.system.p)):
            reader.store(w.p, (k,), 0.0)
        start = [reader.load(w.state, (k, w.thread)) for k in range(self.state_rows)]
        reader.store(w.start, (0,), start[0])
        reader.builder.store(reader.real(start[0]), w.t.pointer)
        first = reader.compare("Gt", start[1], 0.0)
        reader.builder.store(reader.real(reader.choose(first, start[1], extra["first"])), w.h.pointer)
        for k, place in enumerate(self._places(w)):
            reader.store(*place, start[2 + k])

    def _places(self, w: Any) -> list[tuple[Array, tuple[int]]]:
        """Where y and m are held."""
        return [(x, (k,)) for x, n in ((w.y, self.system.controlled), (w.m, self.system.memory)) for k in range(n)]

    def keep_state(self, reader: Reader, w: Any) -> None:
        """The state at the end, where it came from."""
        values = [self.number(reader, w.t), self.number(reader, w.h), *(reader.load(*x) for x in self._places(w))]
        for k, value in enumerate(values):
            reader.store(w.state, (k, w.thread), value)

    @staticmethod
    def number(reader: Reader, cell: Cell) -> Number:
        """What a variable of the record holds."""
        return Number(cell.kind, reader.builder.load(cell.pointer))

    @staticmethod
    def keep_results(reader: Reader, w: Any, values: Sequence[Any]) -> None:
        for k, value in enumerate(values):
            reader.store(w.results, (k, w.thread), value)


def _place(names: Sequence[str], name: str) -> int:
    """Number of a name among others, from 1; 0 where it is not."""
    return names.index(name) + 1 if name in names else 0
