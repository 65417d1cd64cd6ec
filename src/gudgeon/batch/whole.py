"""The time loop of an explicit method compiled for one mechanism: its equations, its laws and the loop as one function.

The loop that all mechanisms share calls their functions by address, and keeps its numbers in memory. Here they are
known when the loop is compiled, so that states and slopes stay in registers: a step takes two thirds of the time. It
costs about a second for each new structure of a mechanism, nothing for other numbers, and is kept on disk. Which loop a
run takes is decided in tiers.py; the result is the same to the last bit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from llvmlite import ir

from gudgeon.assemble import System
from gudgeon.batch.memory import arrays_of, march_bundle, record_bundle
from gudgeon.compile.native.record import RecordClass
from gudgeon.compile.python import target
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.unit import CompilationUnit
from gudgeon.compile.python.values import DOUBLE, LONG, Array, Bundle, Cell, Number
from gudgeon.methods.contract import Method, step_kernels
from gudgeon.methods.march import columns
from gudgeon.methods.march import loop as march
from gudgeon.methods.march.driver import TAPE_ROWS
from gudgeon.methods.march.memory import EVENT_ROWS, March

__all__ = ["Whole", "expected_cost", "is_made", "key_of", "unfit", "whole"]

NAME = "march_of_mechanism"
# arrays that are held in variables during a visit; the others are used where they lie
HELD = ("y", "m", "k", "atol", "gap", "peak_force", "peak_time", "peak_depth", "slope", "crest")
LARGEST, MOST_CONTACTS = 3000, 4  # operations of the equations, contacts: beyond, compiling takes too long
# Operations of equations that are written in place at each call; larger ones are called, in code for the same states
IN_PLACE = 150


def operations(system: System) -> int:
    return int(system.module.functions["rhs"].size)


def loop(w: Any) -> int:
    """What precedes the first step, where none was made yet, and the time loop."""
    if w.steps + w.rejected == 0:
        march.begin(w)
    return march.loop(w)


def code(system: System, method: Method) -> str:
    """The loop of this mechanism as LLVM code: march(address of the record) gives the status."""
    unit = CompilationUnit(instead=step_kernels(method), in_place=True)
    function = ir.Function(unit.module, ir.FunctionType(LONG, [LONG]), NAME)
    reader = Reader(unit, function)
    record = function.args[0]
    shapes = arrays_of(system, system.states, method.rows)
    held = {name: reader.array("real", *shape) for name, shape in shapes.items()}
    width = system.states + system.memory
    large = {"p": (len(system.p),), "tape": (TAPE_ROWS, 1 + width), "events": (EVENT_ROWS, columns.HEADER + width)}
    outside = {name: _outside(reader, record, name, shape) for name, shape in large.items()}
    functions = system.module.functions
    in_place = operations(system) <= IN_PLACE
    known: dict[str, Any] = {
        f"{name}_at": unit.system(functions[name], name, in_place=in_place) for name in ("rhs", "gaps", "project")
    }
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
    reader.builder.ret(status.value)
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
                b.store(b.load(cell.pointer), slot)
            else:
                b.store(b.load(slot), cell.pointer)


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

    def __init__(self, system: System, method: Method, key: str) -> None:
        made = target.compiled(key, lambda: code(system, method), effort=1)
        addresses, self._kept = target.load(made, [NAME])
        self._loop = ctypes.CFUNCTYPE(ctypes.c_longlong, ctypes.c_longlong)(addresses[NAME])

    def __call__(self, w: March) -> int:
        return int(self._loop(w.address))


_made: dict[str, Whole] = {}


def unfit(system: System, method: Method) -> str:
    """Why there is no loop for this mechanism alone; empty where there can be one."""
    if not method.explicit:
        return f"it integrates with explicit methods, and {method.title} is none"
    if system.module is None or not {"rhs", "gaps", "project"} <= system.module.functions.keys():
        return f'"{system.mechanism.name}" is too large to be written out as one piece of code'
    if operations(system) > LARGEST or system.events > MOST_CONTACTS:
        has = f'"{system.mechanism.name}" has {system.events} contacts and {operations(system)} operations'
        return f"{has}, which would be compiled for long; up to {MOST_CONTACTS} and {LARGEST} are possible"
    return ""


def key_of(system: System, method: Method) -> str:
    """What the code of a loop depends on, beside the sources, the processor and the versions; it is short and the code
    need not be made for it."""
    sizes = (system.states, system.controlled, system.memory, system.positions, system.velocities, system.rows,
             system.events, system.projected, len(system.p), *system.bristles.tolist())  # fmt: skip
    return f"own loop {type(method).__module__} {system.module.digest} {sizes}"


def expected_cost(system: System, method: Method) -> float:
    """About how long the loop compiles [s]."""
    return (0.1 + 0.001 * min(operations(system), IN_PLACE)) * method.rows


def whole(system: System, method: Method) -> Whole:
    """The loop of this mechanism, the same for all with the same equations."""
    key = key_of(system, method)
    if key not in _made:
        _made[key] = Whole(system, method, key)
    return _made[key]


def is_made(key: str) -> bool:
    """Whether a loop lies in memory or on disk."""
    return key in _made or target.is_compiled(key)
