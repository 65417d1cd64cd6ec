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
            consecutive in p for each element. `given` names nodes that another loop has computed: they are read from
            the workspace (sine and cosine of a body, once per body instead of once per joint).
`Loop`      the places: {"y": (elements, local count)} and so on, {function: (elements, results)}. What depends on
            parameters alone is computed once per run as in `Module`: from `prepared` on p must have `loop.derived`
            free places, and the step `loop.step(PREPARE)` fills them.
`link`      steps in order as one function f(t, y, p, m, out) per name, the form that all methods take. The workspace w
            is p[workspace:], so that two runs with their own p never share it. All code that is new is compiled there,
            in one go. `sequence` makes one step of many, for lists that grow with the mechanism.

Machine code is kept by what it does: it holds no sizes and no tables, so that a thousand elements compile what ten do.
Places that are near each other in every element (x, y and angle of a body) share one column of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.graph import llvm
from gudgeon.compile.graph.grades import machine_code
from gudgeon.compile.graph.graph import Graph
from gudgeon.compile.graph.module import PREPARE, Function, Module
from gudgeon.compile.graph.scalar import Scalar

_DOUBLE, _INT, _POINTER = ir.DoubleType(), ir.IntType(64), ir.DoubleType().as_pointer()
_PLACE = ir.IntType(32)
_TABLE = _PLACE.as_pointer()
_LOOP = ir.FunctionType(ir.VoidType(), [_DOUBLE, *[_POINTER] * 5, _TABLE, _INT])
_SYSTEM = ir.FunctionType(ir.VoidType(), [_DOUBLE, *[_POINTER] * 4])

NEAR = 16  # places at most so far apart in every element share a column: larger offsets would depend on the sizes


@dataclass(frozen=True)
class Output:
    """A result of an element: its formula, the array it goes to ("out", "w" or "p"), stored there or added."""

    value: Scalar
    array: str = "out"
    add: bool = False


class Element:
    """A kind of element: functions traced once, with local inputs."""

    def __init__(self, graph: Graph, functions: Mapping[str, Sequence[Output]], parameters: int,
                 given: Mapping[int, tuple[str, int]] | None = None) -> None:  # fmt: skip
        """`parameters`: how many local elements of p the description sets; `given`: nodes by id that other loops have
        computed, with their local place, such as ("w", 3)."""
        values: dict[str, Sequence[Scalar]] = {name: [x.value for x in outputs] for name, outputs in functions.items()}
        self.module = Module(graph, values, parameters, given)
        self.outputs = {name: [(x.array, x.add) for x in outputs] for name, outputs in functions.items()}
        self.outputs[PREPARE] = [("p", False)] * self.module.prepared

    @cached_property
    def size(self) -> int:
        """Operations of one element in all functions, those of the preparation aside."""
        return sum(f.size for name, f in self.module.functions.items() if name != PREPARE)


@dataclass(frozen=True)
class Code:
    """A function as a loop over a table: where its inputs and results are, by column and offset."""

    function: Function
    inputs: tuple[tuple[tuple[str, int], tuple[int, int]], ...]
    ends: tuple[tuple[str, int, int, bool], ...]
    columns: int


@dataclass(frozen=True)
class Step:
    """Code of the form loop(t, y, p, m, w, out, table, count) with its table; for `link`, which compiles it. Code that
    is compiled already is given by its address."""

    code: Code | str | int
    table: np.ndarray
    count: int
    steps: tuple[Step, ...] = ()


class Loop:
    """An element kind and its elements. Places at most `near` apart in every element share a column."""

    def __init__(self, element: Element, places: Mapping[str, np.ndarray], results: Mapping[str, np.ndarray],
                 prepared: int = 0, near: int = NEAR) -> None:  # fmt: skip
        self.near = near
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
        layout = _Layout(self._places, self.count, self.near)
        inputs = tuple((wanted, layout.place(*wanted)) for wanted in _inputs(function))
        targets = self._results[name]
        assert targets.shape[1] == len(outputs)
        ends = tuple((array, *layout.add(array, targets[:, k]), add) for k, (array, add) in enumerate(outputs))
        return Step(Code(function, inputs, ends, max(len(layout.columns), 1)), layout.table, self.count)


def _inputs(function: Function) -> list[tuple[str, int]]:
    """What a function reads, by array and local index; of a block of parameters its first."""
    places = {i.data: None for i in function.code if i.op == "input" and i.data[0] != "t"}
    places |= {("p", i.data[1]): None for i in function.code if i.op == "call" and i.data[1] >= 0}
    return list(places)


class _Layout:
    """Columns of a table, and which column and offset each argument has."""

    def __init__(self, places: Mapping[str, np.ndarray], count: int, near: int) -> None:
        self.places, self.count, self.near = places, count, near
        self.columns: list[tuple[str, np.ndarray]] = []

    def place(self, array: str, index: int) -> tuple[int, int]:
        return self.add(array, self.places[array][:, index])

    def add(self, array: str, wanted: np.ndarray) -> tuple[int, int]:
        """Column and offset of a list of places, one per element."""
        for k, (name, column) in enumerate(self.columns):
            if name == array and self.count:
                offset = int(wanted[0] - column[0])
                if abs(offset) <= self.near and bool((wanted - column == offset).all()):
                    return k, offset
        self.columns.append((array, wanted))
        return len(self.columns) - 1, 0

    @property
    def table(self) -> np.ndarray:
        columns = [column for _, column in self.columns]
        return np.ascontiguousarray(np.column_stack(columns or [np.zeros(self.count)]).astype(np.int32))


class _LoopEmitter(llvm.Emitter):
    """Writes a function of an element kind as a loop over a table of places."""

    signature = _LOOP
    arrays = {"y": 1, "p": 2, "m": 3, "w": 4, "out": 5}  # noqa: RUF012
    attributes = ()

    def __init__(self, unit: ir.Module, name: str, code: Code) -> None:
        super().__init__(unit, replace(code.function, name=name))
        self.ir.attributes.add("noinline")
        self.inputs, self.ends, self.columns = dict(code.inputs), code.ends, code.columns
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
            b.store(b.fadd(b.load(place), value) if add else value, place)
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
    return Step("clear", np.array([start], dtype=np.int32), count)


def sequence(steps: Sequence[Step]) -> Step:
    """Many steps as one, for lists that grow with the mechanism: code addresses, tables and counts are data."""
    return Step("sequence", np.zeros((len(steps), 3), dtype=np.int64), len(steps), tuple(steps))


def _emit_clear(unit: ir.Module, name: str) -> None:
    function = ir.Function(unit, _LOOP, name)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    start = b.gep(function.args[4], [b.sext(b.load(function.args[6]), _INT)])
    byte, flag = ir.IntType(8), ir.IntType(1)
    fill = unit.declare_intrinsic("llvm.memset", (byte.as_pointer(), _INT))
    length = b.mul(function.args[7], ir.Constant(_INT, 8))
    b.call(fill, [b.bitcast(start, byte.as_pointer()), ir.Constant(byte, 0), length, ir.Constant(flag, 0)])
    b.ret_void()


def _emit_sequence(unit: ir.Module, name: str) -> None:
    function = ir.Function(unit, _LOOP, name)
    entry, head, done = (function.append_basic_block(x) for x in ("entry", "head", "done"))
    b = ir.IRBuilder(entry)
    plan = b.bitcast(function.args[6], _INT.as_pointer())
    b.cbranch(b.icmp_signed(">", function.args[7], ir.Constant(_INT, 0)), head, done)
    b.position_at_end(head)
    k = b.phi(_INT)
    k.add_incoming(ir.Constant(_INT, 0), entry)
    row = b.gep(plan, [b.mul(k, ir.Constant(_INT, 3))])
    address, table, count = (b.load(b.gep(row, [ir.Constant(_INT, i)])) for i in range(3))
    code = b.inttoptr(address, _LOOP.as_pointer())
    b.call(code, [*function.args[:6], b.inttoptr(table, _TABLE), count])
    following = b.add(k, ir.Constant(_INT, 1))
    k.add_incoming(following, head)
    b.cbranch(b.icmp_signed("<", following, function.args[7]), head, done)
    b.position_at_end(done)
    b.ret_void()


_FIXED = {"clear": _emit_clear, "sequence": _emit_sequence}
_known: dict[Code | str, int] = {}


@dataclass(frozen=True)
class Linked:
    """Machine addresses of f(t, y, p, m, out) by name. `keep` holds the tables: keep it as long as the addresses."""

    addresses: dict[str, int]
    keep: Any


def link(programs: Mapping[str, Sequence[Step | int]], workspace: int) -> Linked:
    """Steps in order as one function per name; w is p[workspace:]. A number is the address of a function f(t, y, p, m,
    out) to call."""
    steps = [step for program in programs.values() for step in program if isinstance(step, Step)]
    inner = [step for outer in steps for step in outer.steps]
    codes = dict.fromkeys(step.code for step in (*steps, *inner) if not isinstance(step.code, int))
    fresh = {code: f"loop{k}" for k, code in enumerate(codes) if code not in _known}
    unit = ir.Module(name="linked")
    for code, name in fresh.items():
        if isinstance(code, str):
            _FIXED[code](unit, name)
        else:
            llvm.compilations += 1
            _LoopEmitter(unit, name, code).emit()
    for name, program in programs.items():
        _emit_program(unit, f"program_{name}", program, workspace, fresh)
    addresses = machine_code(unit, [*fresh.values(), *(f"program_{name}" for name in programs)])
    _known.update({code: addresses[name] for code, name in fresh.items()})
    for step in steps:
        for row, each in zip(step.table, step.steps, strict=False):
            row[:] = _address(each), each.table.ctypes.data, each.count
    return Linked({name: addresses[f"program_{name}"] for name in programs}, (steps, inner))


def _address(step: Step) -> int:
    return step.code if isinstance(step.code, int) else _known[step.code]


def _emit_program(unit: ir.Module, name: str, steps: Sequence[Step | int], workspace: int,
                  fresh: Mapping[Any, str]) -> None:  # fmt: skip
    function = ir.Function(unit, _SYSTEM, name)
    b = ir.IRBuilder(function.append_basic_block("entry"))
    t, y, p, m, out = function.args
    w = b.gep(p, [ir.Constant(_INT, workspace)])
    for step in steps:
        if isinstance(step, int):
            b.call(b.inttoptr(ir.Constant(_INT, step), _SYSTEM.as_pointer()), function.args)
            continue
        if not step.count:
            continue
        code: Any = (
            unit.get_global(fresh[step.code])
            if step.code in fresh
            else b.inttoptr(ir.Constant(_INT, _address(step)), _LOOP.as_pointer())
        )
        table = b.inttoptr(ir.Constant(_INT, step.table.ctypes.data), _TABLE)
        b.call(code, [t, y, p, m, w, out, table, ir.Constant(_INT, step.count)])
    b.ret_void()
