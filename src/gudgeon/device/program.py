"""`Program`: the trajectory kernel of one mechanism as LLVM code.

What is the same in all trajectories is written into the code as numbers; what differs comes in as rows of a table, one
column per trajectory, so that neighbouring threads read neighbouring numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.device.reader import Reader
from gudgeon.device.trajectory import INSTEAD, trajectory
from gudgeon.device.unit import Unit
from gudgeon.device.values import LONG, Array, Bundle, Number
from gudgeon.graph.module import PREPARE, Function
from gudgeon.methods import work as W
from gudgeon.methods.contract import CONTROL_SIZE, CONTROLLED, FREE
from gudgeon.methods.runner import OFTEN

__all__ = ["EXTRA", "RESULTS", "Program", "Wanted"]

# what a trajectory needs besides its parameters and tolerances
EXTRA = ("period", "size", "speed", "longest", "first")
RESULTS = ("status", "steps", "rejected", "locations", "touch error", "drift", "speed drift")
NAME = "trajectories"


@dataclass(frozen=True)
class Wanted:
    """What is kept of each trajectory, beside the state at its end and what its contacts do.

    extremes  channels whose largest and smallest value is kept, for every period
    squares   channels whose square is integrated over time
    strobe    channels whose value at the end of every period is kept
    states    places in y kept at the end of every period
    """

    extremes: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    strobe: tuple[str, ...] = ()
    states: tuple[int, ...] = ()

    @property
    def channels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.extremes, *self.squares, *self.strobe)))


@dataclass
class Program:
    """The kernel for trajectories of `system`.

    inputs   numbers of the base trajectory: parameters, tolerances, then EXTRA
    varying  places of those that differ between trajectories: rows of the table that comes in
    """

    system: System
    inputs: np.ndarray
    varying: tuple[int, ...]
    wanted: Wanted
    rtol: float
    single: bool = False
    names: dict[str, int] = field(default_factory=dict)

    @property
    def parameters(self) -> int:
        return int(self.system.module.parameters)

    @property
    def state_rows(self) -> int:
        """Rows of the state that goes in and comes out: time, step, y, m."""
        return 2 + self.system.controlled + self.system.memory

    @property
    def result_names(self) -> list[str]:
        contacts = range(self.system.events)
        squares = [f"square {name}" for name in self.wanted.squares]
        return [*RESULTS, *(f"touched {c}" for c in contacts), *(f"onsets {c}" for c in contacts), *squares]

    def code(self, *, gpu: bool) -> str:
        """The text of the kernel for a GPU, or of a loop over trajectories for the processor."""
        unit = Unit(single=self.single, instead=INSTEAD)
        real = unit.real.as_pointer()
        # count, table, state, results, section, strobe, extremes, turns, most
        kinds = [LONG, real, real, real, real, real, real, LONG, LONG]
        one = ir.Function(unit.module, ir.FunctionType(ir.VoidType(), [LONG, *kinds]), "one")
        self._one(unit, one)
        one.linkage = "internal"
        one.attributes.add("alwaysinline")
        whole = ir.Function(unit.module, ir.FunctionType(ir.VoidType(), kinds), NAME)
        (_gpu_entry if gpu else _host_entry)(whole, one)
        return str(unit.module)

    def _one(self, unit: Unit, function: ir.Function) -> None:
        reader = Reader(unit, function, {})
        thread, count, table, state, results, section, strobe, extremes, turns, most = function.args
        total = Number("int", count)
        rows = Bundle(
            table=Array("real", table, (len(self.varying), total)), state=Array("real", state, (self.state_rows, total)),
            results=Array("real", results, (len(self.result_names), total)),
            section=Array("real", section, (0, len(self.wanted.states), total)),
            strobe=Array("real", strobe, (0, len(self.wanted.strobe), total)),
            extremes=Array("real", extremes, (0, 2 * len(self.wanted.extremes), total)),
        )  # fmt: skip
        w = self._work(reader, unit, rows, Number("int", thread))
        short = [Number("int", reader.builder.trunc(x, ir.IntType(32))) for x in (turns, most)]
        status = reader.inline(trajectory, {"w": w, "turns": short[0], "most": short[1]})
        self._keep(reader, w, rows, status)
        reader.builder.ret_void()
        reader.finish()

    def _value(self, reader: Reader, rows: Any, thread: Any, place: int) -> Any:
        """A number of the inputs: written into the code, or read from the table."""
        if place in self.varying:
            return reader.load(rows.table, (self.varying.index(place), thread))
        return float(self.inputs[place])

    def _work(self, reader: Reader, unit: Unit, rows: Any, thread: Number) -> Bundle:
        """The arrays of `methods.work.Work` as variables of the thread."""
        system, states, events = self.system, self.system.controlled, self.system.events
        inputs = [self._value(reader, rows, thread, k) for k in range(len(self.inputs))]
        extra = dict(zip(EXTRA, inputs[self.parameters + states :], strict=True))
        channels = self.wanted.channels
        functions = self._functions(unit, channels)
        gaps, contacts = max(1, W.STRIDE * events), max(1, events)
        fix = system.positions + system.velocities + 2 * system.rows
        w = Bundle(
            address=Array("int", None, (5,), {W.RHS: functions["rhs"], W.GAPS: functions["gaps"],
                                              W.PROJECT: functions["project"]}),
            clock=reader.array("real", W.CLOCK_SIZE, fixed={W.RTOL: self.rtol, W.OUT_STEP: 1.0, W.SIZE: extra["size"],
                                                            W.SPEED: extra["speed"], W.H_MAX: extra["longest"]}),
            count=reader.array("int", W.COUNT_SIZE, fixed=self._counts()),
            y=reader.array("real", states), new=reader.array("real", states), out=reader.array("real", states),
            p=reader.array("real", len(system.p)), m=reader.array("real", system.memory),
            k=reader.array("real", 7, states), control=reader.array("real", FREE, fixed={CONTROLLED: float(states)}),
            atol=reader.array("real", states, fixed=dict(enumerate(inputs[self.parameters : self.parameters + states]))),
            gap=reader.array("real", gaps), gap_new=reader.array("real", gaps), gap_within=reader.array("real", gaps),
            peak=reader.array("real", contacts, W.PEAK_SIZE), fix=reader.array("real", max(1, fix)),
            bristle=Array("int", None, (contacts,), dict(enumerate(int(x) for x in system.bristles))),
            jump=Array("real", None, (1,)), thread=thread, period=extra["period"],
            turn=reader.array("int", 1), touched=reader.array("real", contacts), onsets=reader.array("real", contacts),
            watched=len(channels), channels=functions.get("watched"), seen=reader.array("real", max(1, len(channels))),
            before=reader.array("real", max(1, len(channels)), 4), highest=reader.array("real", max(1, len(channels))),
            lowest=reader.array("real", max(1, len(channels))), square=reader.array("real", max(1, len(channels))),
            wants=tuple((_place(self.wanted.extremes, name), _place(self.wanted.squares, name),
                         _place(self.wanted.strobe, name)) for name in channels),
            section=rows.section, strobe=rows.strobe, extremes=rows.extremes, section_states=self.wanted.states,
        )  # fmt: skip
        self._start(reader, w, rows, inputs, extra)
        prepared = Array("real", reader.pointer(w.p, (self.parameters,)), (0,))  # type: ignore[attr-defined]
        reader.builder.call(functions[PREPARE].function, [
            reader.real(0.0), *(x.pointer for x in (w.y, w.p, w.m)), prepared.pointer])  # type: ignore[attr-defined]  # fmt: skip
        return w

    def _counts(self) -> dict[int, int]:
        system = self.system
        return {
            W.POSITIONS: system.positions, W.VELOCITIES: system.velocities, W.ROWS: system.rows,
            W.CONTACTS: system.events, W.FIXED: int(system.projected), W.PROJECT_EVERY: 4 if self.rtol < OFTEN else 1,
        }  # fmt: skip

    def _functions(self, unit: Unit, channels: Sequence[str]) -> dict[str, Any]:
        module, states = self.system.module, self.system.controlled
        rhs: Function = module.functions["rhs"]
        found = {"rhs": unit.system(Function("rhs", rhs.code, rhs.outputs[:states]), "rhs")}
        for name in ("gaps", "project", PREPARE):
            found[name] = unit.system(module.functions[name], name)
        if channels:
            index = {channel.name: k for k, channel in enumerate(self.system.channels)}
            every: Function = module.functions["channels"]
            outputs = tuple(every.outputs[index[name]] for name in channels)
            found["watched"] = unit.system(Function("watched", every.code, outputs), "watched")
        return found

    def _start(self, reader: Reader, w: Any, rows: Any, inputs: list[Any], extra: dict[str, Any]) -> None:
        """Variables at the start of a march."""
        states, memory = self.system.controlled, self.system.memory
        for array in (w.clock, w.count, w.control, w.peak, w.k, w.turn, w.touched, w.onsets, w.square, w.fix, w.gap,
                      w.gap_new, w.gap_within, w.new, w.out):  # fmt: skip
            size = array.shape[0] * (array.shape[1] if len(array.shape) == 2 else 1)
            for k in range(size):
                index = (k,) if len(array.shape) == 1 else divmod(k, array.shape[1])
                reader.store(array, index, 0)
        for k in range(self.parameters):
            reader.store(w.p, (k,), inputs[k])
        for k in range(self.parameters, len(self.system.p)):
            reader.store(w.p, (k,), 0.0)
        start = [reader.load(rows.state, (k, w.thread)) for k in range(self.state_rows)]
        w.turns_start = start[0]
        reader.store(w.clock, (W.T,), start[0])
        first = reader.compare("Gt", start[1], 0.0)
        reader.store(w.clock, (W.H,), reader.choose(first, start[1], extra["first"]))
        for k in range(states):
            reader.store(w.y, (k,), start[2 + k])
        for k in range(memory):
            reader.store(w.m, (k,), start[2 + states + k])

    def _keep(self, reader: Reader, w: Any, rows: Any, status: Any) -> None:
        """What comes back."""
        system, thread = self.system, w.thread
        for k, place in enumerate((W.T, W.H)):
            reader.store(rows.state, (k, thread), reader.load(w.clock, (place,)))
        for k in range(system.controlled):
            reader.store(rows.state, (2 + k, thread), reader.load(w.y, (k,)))
        for k in range(system.memory):
            reader.store(rows.state, (2 + system.controlled + k, thread), reader.load(w.m, (k,)))
        kept = [status, *(reader.load(w.count, (k,)) for k in (W.STEPS, W.REJECTED, W.LOCATIONS))]
        kept += [reader.load(w.clock, (k,)) for k in (W.TOUCH_ERROR, W.DRIFT, W.SPEED_DRIFT)]
        kept += [reader.load(w.touched, (c,)) for c in range(system.events)]
        kept += [reader.load(w.onsets, (c,)) for c in range(system.events)]
        kept += [reader.load(w.square, (self.wanted.channels.index(name),)) for name in self.wanted.squares]
        for k, value in enumerate(kept):
            reader.store(rows.results, (k, thread), value)


def _place(names: Sequence[str], name: str) -> int:
    """Number of a name among others, from 1; 0 where it is not."""
    return names.index(name) + 1 if name in names else 0


def _gpu_entry(kernel: ir.Function, one: ir.Function) -> None:
    kernel.calling_convention = "ptx_kernel"
    b = ir.IRBuilder(kernel.append_basic_block("entry"))
    word = ir.IntType(32)

    def register(name: str) -> ir.Value:
        read = ir.Function(kernel.module, ir.FunctionType(word, []), f"llvm.nvvm.read.ptx.sreg.{name}")
        return b.zext(b.call(read, []), LONG)

    block, size, place = register("ctaid.x"), register("ntid.x"), register("tid.x")
    thread = b.add(b.mul(block, size), place)
    with b.if_then(b.icmp_signed("<", thread, kernel.args[0])):
        b.call(one, [thread, *kernel.args])
    b.ret_void()


def _host_entry(loop: ir.Function, one: ir.Function) -> None:
    entry, test, body, end = (loop.append_basic_block(name) for name in ("entry", "test", "body", "end"))
    b = ir.IRBuilder(entry)
    b.branch(test)
    b.position_at_end(test)
    thread = b.phi(LONG)
    thread.add_incoming(LONG(0), entry)
    b.cbranch(b.icmp_signed("<", thread, loop.args[0]), body, end)
    b.position_at_end(body)
    b.call(one, [thread, *loop.args])
    thread.add_incoming(b.add(thread, LONG(1)), b.block)
    b.branch(test)
    b.position_at_end(end)
    b.ret_void()
