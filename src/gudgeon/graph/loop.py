"""Elements in a loop: a function traced once for a kind of element, run for every element of that kind.

A mechanism of many like parts is not unrolled. One joint, one body, one beam element is traced on local symbols, and a
table says for each element where its arguments are and where its results go::

    graph = Graph()
    q, k = graph.inputs("y", 2), graph.input("p")           # local: the element's own 0, 1, 2, ...
    pull = k * (q[1] - q[0])
    spring = Element(graph, {"force": [Output(pull, "w", add=True), Output(-pull, "w", add=True)]}, parameters=1)

    ends = np.array([[0, 1], [1, 2], [2, 0]])                # one row per element
    loop = Loop(spring, {"y": ends, "p": np.array([[0], [1], [2]])}, {"force": ends}, prepared=3)
    code = link({"rhs": [clear(0, 3), loop.step("force"), ...]}, workspace=...)

`Element`   functions as formulas of a graph whose inputs are "t" (the same for all), "y", "p", "m" and the workspace
            "w", all numbered locally. Each result says which array it goes to ("out", or "w" where later steps read
            it) and whether it is added to what is there. Blocks of opaque laws work as everywhere: a block must be
            consecutive in p for each element.
`Loop`      the places: {"y": (elements, local count)} and so on, {function: (elements, results)}. What depends on
            parameters alone is computed once per run as in `Module`: from `prepared` on p must have `loop.derived`
            free places, and the step `loop.step(PREPARE)` fills them.
`link`      steps in order as one function f(t, y, p, m, out) per name, the form that all methods take. The workspace w
            is p[workspace:], so that two runs with their own p never share it.

Machine code is kept by what it does: it holds no sizes and no tables, so that a thousand elements compile what ten do.
Places that are near each other in every element (x, y and angle of a body) share one column of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.graph import llvm
from gudgeon.graph.graph import Graph
from gudgeon.graph.module import PREPARE, Function, Module
from gudgeon.graph.scalar import Scalar

_DOUBLE, _INT, _POINTER = ir.DoubleType(), ir.IntType(64), ir.DoubleType().as_pointer()
_PLACE = ir.IntType(32)
_TABLE = _PLACE.as_pointer()
_LOOP = ir.FunctionType(ir.VoidType(), [_DOUBLE, *[_POINTER] * 5, _TABLE, _INT])
_SYSTEM = ir.FunctionType(ir.VoidType(), [_DOUBLE, *[_POINTER] * 4])

NEAR = 64  # places at most so far apart in every element share a column: larger offsets would depend on the sizes


@dataclass(frozen=True)
class Output:
    """A result of an element: its formula, the array it goes to ("out", "w" or "p"), stored there or added."""

    value: Scalar
    array: str = "out"
    add: bool = False


class Element:
    """A kind of element: functions traced once, with local inputs."""

    def __init__(self, graph: Graph, functions: Mapping[str, Sequence[Output]], parameters: int) -> None:
        """`parameters`: how many local elements of p the description sets."""
        values: dict[str, Sequence[Scalar]] = {name: [x.value for x in outputs] for name, outputs in functions.items()}
        self.module = Module(graph, values, parameters)
        self.outputs = {name: [(x.array, x.add) for x in outputs] for name, outputs in functions.items()}
        self.outputs[PREPARE] = [("p", False)] * self.module.prepared

    @property
    def size(self) -> int:
        """Operations of one element in all functions, those of the preparation aside."""
        return sum(f.size for name, f in self.module.functions.items() if name != PREPARE)


@dataclass(frozen=True)
class Step:
    """Machine code of the form loop(t, y, p, m, w, out, table, count), with its table; for `link`."""

    address: int
    table: np.ndarray
    count: int


class Loop:
    """An element kind and its elements."""

    def __init__(self, element: Element, places: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray],
                 prepared: int = 0) -> None:  # fmt: skip
        self.element, self.count = element, len(next(iter(results.values())))
        self.derived = element.module.prepared * self.count
        own = prepared + np.arange(self.derived, dtype=np.int64).reshape(self.count, element.module.prepared)
        self._places = {name: np.asarray(x, dtype=np.int64) for name, x in places.items()}
        given = self._places.get("p", np.zeros((self.count, 0), dtype=np.int64))
        assert given.shape[1] == element.module.parameters
        self._places["p"] = np.hstack([given, own])
        self._results = {name: np.asarray(x, dtype=np.int64) for name, x in results.items()}
        self._results[PREPARE] = own

    def step(self, name: str) -> Step:
        """One function for all elements, in the order of the tables."""
        function, outputs = self.element.module.functions[name], self.element.outputs[name]
        layout = _Layout(self._places, self.count)
        inputs = tuple((wanted, layout.place(*wanted)) for wanted in _inputs(function))
        targets = self._results[name]
        assert targets.shape[1] == len(outputs)
        ends = tuple((array, *layout.add(array, targets[:, k]), add) for k, (array, add) in enumerate(outputs))
        return Step(_compiled(function, inputs, ends, len(layout.columns)), layout.table, self.count)


def _inputs(function: Function) -> list[tuple[str, int]]:
    """What a function reads, by array and local index; of a block of parameters its first."""
    found = {i.data: None for i in function.code if i.op == "input" and i.data[0] != "t"}
    found |= {("p", i.data[1]): None for i in function.code if i.op == "call" and i.data[1] >= 0}
    return list(found)


class _Layout:
    """Columns of a table, and which column and offset each argument has."""

    def __init__(self, places: Mapping[str, np.ndarray], count: int) -> None:
        self.places, self.count = places, count
        self.columns: list[tuple[str, np.ndarray]] = []

    def place(self, array: str, index: int) -> tuple[int, int]:
        return self.add(array, self.places[array][:, index])

    def add(self, array: str, wanted: np.ndarray) -> tuple[int, int]:
        """Column and offset of a list of places, one per element."""
        for k, (name, column) in enumerate(self.columns):
            if name == array and self.count:
                offset = int(wanted[0] - column[0])
                if abs(offset) <= NEAR and bool((wanted - column == offset).all()):
                    return k, offset
        self.columns.append((array, wanted))
        return len(self.columns) - 1, 0

    @property
    def table(self) -> np.ndarray:
        columns = [column for _, column in self.columns]
        return np.ascontiguousarray(np.column_stack(columns or [np.zeros(self.count)]).astype(np.int32))


_known: dict[Any, int] = {}


def _compiled(function: Function, inputs: Any, ends: Any, columns: int) -> int:
    key = (function, inputs, ends, columns)
    if key not in _known:
        llvm.compilations += 1
        unit = ir.Module(name="elements")
        _LoopEmitter(unit, function, dict(inputs), ends, max(columns, 1)).emit()
        _known[key] = llvm.machine_code(str(unit), [function.name])[function.name]
    return _known[key]


class _LoopEmitter(llvm.Emitter):
    """Writes a function of an element kind as a loop over a table of places."""

    signature = _LOOP
    arrays = {"y": 1, "p": 2, "m": 3, "w": 4, "out": 5}  # noqa: RUF012
    attributes = ()

    def __init__(self, unit: ir.Module, function: Function, inputs: dict[tuple[str, int], tuple[int, int]],
                 ends: Sequence[tuple[str, int, int, bool]], columns: int) -> None:  # fmt: skip
        super().__init__(unit, function, llvm.CONTRACT)
        self.inputs, self.ends, self.columns = inputs, ends, columns
        self.places: dict[int, ir.Value] = {}

    def emit(self) -> None:
        b, entry = self.builder, self.builder.block
        head, done = self.ir.append_basic_block("head"), self.ir.append_basic_block("done")
        b.cbranch(b.icmp_signed(">", self.ir.args[7], ir.Constant(_INT, 0)), head, done)
        b.position_at_end(head)
        element, row = b.phi(_INT), b.phi(_TABLE)
        element.add_incoming(ir.Constant(_INT, 0), entry)
        row.add_incoming(self.ir.args[6], entry)
        for k in range(self.columns):
            self.places[k] = b.sext(b.load(b.gep(row, [ir.Constant(_INT, k)])), _INT)
        self.run()
        for node, (array, column, offset, add) in zip(self.function.outputs, self.ends, strict=True):
            place, value = self._at(array, column, offset), self.values[node]
            b.store(b.fadd(b.load(place), value, flags=self.flags) if add else value, place)
        following = b.add(element, ir.Constant(_INT, 1))
        element.add_incoming(following, b.block)
        row.add_incoming(b.gep(row, [ir.Constant(_INT, self.columns)]), b.block)
        b.cbranch(b.icmp_signed("<", following, self.ir.args[7]), head, done)
        b.position_at_end(done)
        b.ret_void()

    def _at(self, array: str, column: int, offset: int) -> ir.Value:
        start = self.builder.gep(self.ir.args[self.arrays[array]], [self.places[column]])
        return self.builder.gep(start, [ir.Constant(_INT, offset)])

    def _element(self, array: str, index: int) -> ir.Value:
        return self._at(array, *self.inputs[array, index])


def clear(start: int, count: int) -> Step:
    """The step that sets w[start : start + count] to zero."""
    if "clear" not in _known:
        _known["clear"] = llvm.machine_code(_clear_text(), ["clear"])["clear"]
    return Step(_known["clear"], np.array([start], dtype=np.int32), count)


def _clear_text() -> str:
    unit = ir.Module(name="clear")
    function = ir.Function(unit, _LOOP, "clear")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    start = b.gep(function.args[4], [b.sext(b.load(function.args[6]), _INT)])
    byte, flag = ir.IntType(8), ir.IntType(1)
    fill = unit.declare_intrinsic("llvm.memset", (byte.as_pointer(), _INT))
    length = b.mul(function.args[7], ir.Constant(_INT, 8))
    b.call(fill, [b.bitcast(start, byte.as_pointer()), ir.Constant(byte, 0), length, ir.Constant(flag, 0)])
    b.ret_void()
    return str(unit)


@dataclass(frozen=True)
class Linked:
    """Machine addresses of f(t, y, p, m, out) by name. `keep` holds the tables: keep it as long as the addresses."""

    addresses: dict[str, int]
    keep: Any


def link(programs: Mapping[str, Sequence[Step | int]], workspace: int) -> Linked:
    """Steps in order as one function per name; w is p[workspace:]. A number is the address of a function f(t, y, p, m,
    out) to call."""
    unit = ir.Module(name="linked")
    for name, steps in programs.items():
        function = ir.Function(unit, _SYSTEM, name)
        b = ir.IRBuilder(function.append_basic_block("entry"))
        t, y, p, m, out = function.args
        w = b.gep(p, [ir.Constant(_INT, workspace)])
        for step in steps:
            if isinstance(step, int):
                b.call(b.inttoptr(ir.Constant(_INT, step), _SYSTEM.as_pointer()), function.args)
            elif step.count:
                call = b.inttoptr(ir.Constant(_INT, step.address), _LOOP.as_pointer())
                table = b.inttoptr(ir.Constant(_INT, step.table.ctypes.data), _TABLE)
                b.call(call, [t, y, p, m, w, out, table, ir.Constant(_INT, step.count)])
        b.ret_void()
    addresses = llvm.machine_code(str(unit), list(programs))
    return Linked(addresses, [step for steps in programs.values() for step in steps])
