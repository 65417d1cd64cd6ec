"""The time loop of an explicit method compiled for one mechanism: its equations, its laws and the loop as one function.

The loop that all mechanisms share calls their functions by address, and keeps its numbers in memory. Here they are
known when the loop is compiled, so that states and slopes stay in registers: a step takes two thirds of the time. It
costs some tenths of a second for each new structure of a mechanism, none for other numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.batch.memory import arrays_of, march_bundle, record_bundle
from gudgeon.batch.trajectory import after_event, end_of_step, going, next_step, start, trajectory, watch
from gudgeon.compile.native.record import RecordClass
from gudgeon.compile.python import target
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.source import plain
from gudgeon.compile.python.unit import CompilationUnit
from gudgeon.compile.python.values import DOUBLE, LONG, Array, Bundle, Cell, Number
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit.dop853 import Dop853
from gudgeon.methods.explicit.dopri5 import Dopri5, restart
from gudgeon.methods.march import columns
from gudgeon.methods.march.driver import TAPE_ROWS
from gudgeon.methods.march.loop import begin, ready
from gudgeon.methods.march.memory import EVENT_ROWS, March
from gudgeon.quantity import GudgeonError

__all__ = ["Whole", "whole"]

NAME = "march"
# arrays that are held in variables during a visit; the others are used where they lie
HELD = ("y", "m", "k", "atol", "gap", "peak_force", "peak_time", "peak_depth", "slope", "crest")
MOST_COUNTED = 2**30  # counts are 32 bits wide inside
METHODS: tuple[type[Method], ...] = (Dopri5, Dop853)
LARGEST, MOST_CONTACTS = 3000, 4  # operations of the equations, contacts: beyond, compiling takes too long


def _nothing(w: Any) -> int:
    """A march that was prepared before."""
    return 0


def _start(w: Any) -> int:
    """What precedes the first step, where none was made yet."""
    if w.steps + w.rejected == 0:
        begin(restart, w)
    return 0


def _unseen(interpolate: Any, w: Any, h: float) -> int:
    """Rows are recorded, no channels watched."""
    return 0


def _until_the_end(w: Any, turns: int) -> bool:
    return w.t < w.t_end


def _ready(w: Any, tries: int, most: int) -> int:
    return ready(w, most)


def loop(w: Any) -> int:
    """As `methods.march.loop`, with one place where a step is done."""
    return trajectory(w, 0, w.steps + w.rejected + w.budget)


INSTEAD = {start: _start, going: _until_the_end, next_step: _ready, after_event: _nothing, end_of_step: _nothing,
           watch: _unseen}  # fmt: skip


def code(system: System, method: Method) -> str:
    """The loop of this mechanism as LLVM code: march(address of the record) gives the status."""
    # the steps of the loop are those of dopri5; another method puts its own in their place
    own = zip(map(plain, Dopri5().functions()), map(plain, method.functions()), strict=True)
    unit = CompilationUnit(instead={**INSTEAD, **dict(own)})
    function = ir.Function(unit.module, ir.FunctionType(LONG, [LONG]), NAME)
    reader = Reader(unit, function, {})
    record = function.args[0]
    shapes = arrays_of(system, system.states, method.rows)
    held = {name: reader.array("real", *shape) for name, shape in shapes.items()}
    width = system.states + system.memory
    large = {"p": (len(system.p),), "tape": (TAPE_ROWS, 1 + width), "events": (EVENT_ROWS, columns.HEADER + width)}
    outside = {name: _outside(reader, record, name, shape) for name, shape in large.items()}
    functions = system.module.functions
    known: dict[str, Any] = {f"{name}_at": unit.system(functions[name], name) for name in ("rhs", "gaps", "project")}
    memory: dict[str, Any] = {}
    if method.record is not None:
        memory = record_bundle(reader, method.record, {})
        known["method_at"] = Bundle(**memory)
    w = march_bundle(reader, system, known, {**held, **outside})
    owned = _load(reader, _slot(reader, record, March, "method_at"))
    _move(reader, w, record, back=False)
    if method.record is not None:
        _numbers(reader, method.record, memory, owned, back=False)
    status = reader.inline(loop, {"w": w})
    _move(reader, w, record, back=True)
    if method.record is not None:
        _numbers(reader, method.record, memory, owned, back=True)
    reader.builder.ret(reader.builder.sext(status.value, LONG))
    reader.finish()
    return str(unit.module)


def _slot(reader: Reader, record: ir.Value, kind: RecordClass, name: str, element: Any = LONG) -> ir.Value:
    """Pointer to the slot of a field."""
    b = reader.builder
    return b.inttoptr(b.add(record, LONG(kind.layout[name].offset)), element.as_pointer())


def _load(reader: Reader, pointer: ir.Value) -> ir.Value:
    return reader.builder.load(pointer)


def _outside(reader: Reader, record: ir.Value, name: str, shape: tuple[int, ...]) -> Array:
    """An array of the record, where it lies."""
    pointer = reader.builder.inttoptr(_load(reader, _slot(reader, record, March, name)), DOUBLE.as_pointer())
    return Array("real", pointer, shape)


def _numbers(reader: Reader, kind: RecordClass, bundle: Mapping[str, Any], record: ir.Value, *, back: bool) -> None:
    """Numbers of a record into variables, or back."""
    b = reader.builder
    for name, cell in bundle.items():
        if isinstance(cell, Cell):
            whole = cell.kind == "int"
            slot = _slot(reader, record, kind, name, LONG if whole else DOUBLE)
            if back:
                value = b.load(cell.pointer)
                b.store(b.sext(value, LONG) if whole else value, slot)
            else:
                value = b.load(slot)
                b.store(b.trunc(value, ir.IntType(32)) if whole else value, cell.pointer)


def _move(reader: Reader, w: Any, record: ir.Value, *, back: bool) -> None:
    """Numbers and arrays in or out, one by one, so that they can live in registers."""
    b = reader.builder
    _numbers(reader, March, vars(w), record, back=back)
    for name in HELD:
        array = getattr(w, name)
        outside, width = _outside(reader, record, name, array.shape).pointer, array.shape[-1]
        for k in range(width * (array.shape[0] if len(array.shape) == 2 else 1)):
            index = (k,) if len(array.shape) == 1 else divmod(k, width)
            place = b.gep(outside, [LONG(k)])
            if back:
                b.store(reader.load(array, index).value, place)
            else:
                reader.store(array, index, Number("real", b.load(place)))


class Whole:
    """The compiled loop; called with the record of a march it goes on as `method.march` does."""

    def __init__(self, system: System, method: Method) -> None:
        address, self._kept = target.host(code(system, method), NAME)
        self._loop = ctypes.CFUNCTYPE(ctypes.c_longlong, ctypes.c_longlong)(address)
        self._method = method

    def __call__(self, w: March) -> int:
        if max(w.steps, w.rejected, w.locations, w.evaluations) > MOST_COUNTED:
            self._method.load(w)
            return int(self._method.march(w))
        return int(self._loop(w.address))


_made: dict[tuple[Any, ...], Whole] = {}
_known: WeakKeyDictionary[Any, dict[type[Method], Whole]] = WeakKeyDictionary()  # comparing code takes its time


def whole(system: System, method: Method) -> Whole:
    """The loop of this mechanism, made once for all with the same equations; refused where it cannot be made."""
    size, advice = system.module.functions["rhs"].size, 'leave loop="own" out'
    if type(method) not in METHODS:
        raise GudgeonError(f'loop "own" marches by dopri5 or dop853, not by {method.title}; {advice}')
    if system.events > MOST_CONTACTS or size > LARGEST:
        raise GudgeonError(
            f'loop "own": "{system.mechanism.name}" has {system.events} contacts and {size} operations, which would be '
            f"compiled for long; up to {MOST_CONTACTS} and {LARGEST} are possible, {advice}"
        )
    known = _known.setdefault(system.module, {})
    if type(method) not in known:
        key = (type(method), *system.module.key)
        if key not in _made:
            _made[key] = Whole(system, method)
        known[type(method)] = _made[key]
    return known[type(method)]
