"""The LLVM back end: a module as machine code, through llvmlite.

Compiled code is kept for the life of the process and found again by the module's key, so a mechanism that
differs from an earlier one in its numbers only compiles nothing.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from gudgeon.compile.graph.circle import sin_cos
from gudgeon.compile.graph.grades import machine_code
from gudgeon.compile.graph.module import Function, Instruction, Module
from gudgeon.compile.graph.regions import Region, regions
from gudgeon.compile.processor import fuses, multiply_add

if TYPE_CHECKING:
    import numpy as np

_DOUBLE, _INT = ir.DoubleType(), ir.IntType(64)
_ARRAYS = {"y": 1, "p": 2, "m": 3, "out": 4}
_INTRINSICS = ("sin", "cos", "sqrt", "exp", "log")

_VECTOR = ctypes.POINTER(ctypes.c_double)
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_double, _VECTOR, _VECTOR, _VECTOR, _VECTOR)

compilations = 0  # modules compiled in this process; tests and benchmarks read it

_compiled: dict[Any, dict[str, int]] = {}


def compile_module(module: Module, *, exact: bool = False, workspace: int = 0) -> dict[str, int]:
    """Machine addresses of void f(double t, double* y, double* p, double* m, double* out).

    `exact` results equal those of the Python back end bit for bit: nothing is fused, sine and cosine are those of the
    C library. The array "w" of a graph is p[workspace:], see graph.loop.
    """
    key = (module.key, exact, workspace)
    if key not in _compiled:
        global compilations
        compilations += 1
        unit = ir.Module(name="mechanism")
        for function in module.functions.values():
            Emitter(unit, function, workspace, exact=exact).emit()
        _compiled[key] = machine_code(unit, list(module.functions))
    return _compiled[key]


class Emitter:
    """Writes one function of a module into an LLVM unit.

    library   gives the function to call for an elementary one, by its name; default: that of the C library
    callee    gives what to call for an opaque function of a certain type; default: its machine address
    workspace of a module whose functions read "w": its place in p
    fused     products that are added are not rounded before; default: where the processor can
    flags     of every operation: what LLVM may do beyond, on a card
    exact     see `compile_module`
    """

    signature: ir.FunctionType | None = None  # default: f(t, y, p, m, out)
    arrays = _ARRAYS
    attributes: tuple[str, ...] = ("noalias",)

    def __init__(self, unit: ir.Module, function: Function, workspace: int = 0, *, name: str = "",
                 exact: bool = False, fused: bool | None = None, flags: tuple[str, ...] = (),
                 library: Callable[[str], ir.Function] | None = None,
                 callee: Callable[[Any, ir.FunctionType], ir.Value] | None = None) -> None:  # fmt: skip
        self.unit, self.function, self.flags, self.workspace = unit, function, flags, workspace
        self.exact, self.fused = exact, not exact and (fuses() if fused is None else fused)
        usual = ir.FunctionType(ir.VoidType(), [_DOUBLE, *[_DOUBLE.as_pointer()] * len(_ARRAYS)])
        self.ir = ir.Function(unit, self.signature or usual, name or function.name)
        for k in self.arrays.values():
            for attribute in self.attributes:
                self.ir.args[k].add_attribute(attribute)
        self.builder = ir.IRBuilder(self.ir.append_basic_block("entry"))
        self.values: dict[int, ir.Value] = {}
        self.circles: dict[int, tuple[ir.Value, ir.Value]] = {}
        self._library, self._callee = library or self._of_c, callee or self._by_address
        self.sure: int | None = None  # the only guard of the region that is being written

    def emit(self) -> None:
        self.run()
        for k, node in enumerate(self.function.outputs):
            self.builder.store(self.values[node], self._element("out", k))
        self.builder.ret_void()

    def run(self) -> None:
        """Compute every value, from inputs found by `_element`."""
        parts = regions(self.function)
        self.products = self._products(parts) if self.fused else {}
        for part in parts:
            if isinstance(part, Region):
                self._region(part)
            else:
                self.values[part.result] = self._value(part)

    def _products(self, parts: list[Instruction | Region]) -> dict[int, int]:
        """Which argument of a sum is a product that is added without being rounded. Where both are products, both are
        rounded, so that equal ones cancel. Only within one piece of the code, so that the factors are at hand."""
        outside = [part for part in parts if not isinstance(part, Region)]
        self.factors: dict[int, tuple[int, ...]] = {}
        chosen: dict[int, int] = {}
        for code in (outside, *(part.code for part in parts if isinstance(part, Region))):
            here = {i.result: i.args for i in code if i.op == "multiply"}
            self.factors |= here
            for i in code:
                if i.op in ("add", "subtract"):
                    found = [k for k in (0, 1) if i.args[k] in here]
                    if len(found) == 1:
                        chosen[i.result] = found[0]
        return chosen

    def _fused(self, i: Instruction, product: int) -> ir.Value:
        """A sum or difference whose argument number `product` is a product."""
        b = self.builder
        x, y = (self.values[a] for a in self.factors[i.args[product]])
        other = self.values[i.args[1 - product]]
        if i.op == "subtract":
            x, other = (b.fneg(x), other) if product else (x, b.fneg(other))
        return multiply_add(b, x, y, other, fused=True)

    def _region(self, region: Region) -> None:
        b = self.builder
        known = dict(self.circles)
        before, self.sure = b.block, region.guards[0] if len(region.guards) == 1 else None
        condition = self._positive(self.values[region.guards[0]])
        for guard in region.guards[1:]:
            condition = b.or_(condition, self._positive(self.values[guard]))
        with b.if_then(condition):
            for i in region.code:
                self.values[i.result] = self._value(i)
            inside = b.block
        self.circles, self.sure = known, None  # what was computed inside is not known outside
        for node in region.exports:
            self.values[node] = self._or_zero(self.values[node], inside, before)

    def _positive(self, guard: ir.Value) -> ir.Value:
        return self.builder.fcmp_ordered(">", guard, ir.Constant(guard.type, 0.0))

    def _or_zero(self, value: ir.Value, inside: ir.Block, before: ir.Block) -> ir.Value:
        """What was computed inside a branch, 0 where it was jumped over."""
        merged = self.builder.phi(value.type)
        merged.add_incoming(ir.Constant(value.type, 0.0), before)
        merged.add_incoming(value, inside)
        return merged

    def _element(self, array: str, index: int) -> ir.Value:
        if array == "w":
            array, index = "p", self.workspace + index
        return self.builder.gep(self.ir.args[self.arrays[array]], [ir.Constant(_INT, index)])

    def _value(self, i: Instruction) -> ir.Value:
        b, args = self.builder, [self.values[a] for a in i.args]
        match i.op:
            case "constant":
                return ir.Constant(_DOUBLE, i.data)
            case "input":
                return self._input(*i.data)
            case "add" | "subtract" if i.result in self.products:
                return self._fused(i, self.products[i.result])
            case "add":
                return b.fadd(*args, flags=self.flags)
            case "subtract":
                return b.fsub(*args, flags=self.flags)
            case "multiply":
                return b.fmul(*args, flags=self.flags)
            case "divide":
                return b.fdiv(*args, flags=self.flags)
            case "reciprocal":
                return b.fdiv(ir.Constant(args[0].type, 1.0), args[0], flags=self.flags)
            case "negate":
                return b.fneg(args[0])
            case "call":
                return self._call(i, args)
            case "sin" | "cos" if not self.exact:
                if i.args[0] not in self.circles:
                    once = self.fused or self._library == self._of_c
                    self.circles[i.args[0]] = sin_cos(b, args[0], fused=self.fused, rounded_once=once)
                return self.circles[i.args[0]][i.op == "cos"]
        return b.call(self._library(i.op), args)

    def _input(self, array: str, index: int) -> ir.Value:
        return self.ir.args[0] if array == "t" else self.builder.load(self._element(array, index))

    def _of_c(self, name: str) -> ir.Function:
        if name in _INTRINSICS:
            return self.unit.declare_intrinsic(f"llvm.{name}", (_DOUBLE,))
        known = self.unit.globals.get(name)
        return known or ir.Function(self.unit, ir.FunctionType(_DOUBLE, [_DOUBLE]), name)

    def _by_address(self, opaque: Any, kind: ir.FunctionType) -> ir.Value:
        return self.builder.inttoptr(ir.Constant(_INT, opaque.address), kind.as_pointer())

    def _call(self, i: Instruction, args: list[ir.Value]) -> ir.Value:
        """Call an opaque function, jumped over where a guard is not positive."""
        b = self.builder
        opaque, block, guards = i.data
        arguments = args[guards:] + ([self._element("p", block)] if block >= 0 else [])
        pointer = self._callee(opaque, ir.FunctionType(_DOUBLE, [a.type for a in arguments]))
        open_guards = [value for node, value in zip(i.args[:guards], args[:guards], strict=True) if node != self.sure]
        if not open_guards:
            return b.call(pointer, arguments)
        condition = self._positive(open_guards[0])
        for guard in open_guards[1:]:
            condition = b.and_(condition, self._positive(guard))
        before = b.block
        with b.if_then(condition):
            result = b.call(pointer, arguments)
            inside = b.block
        return self._or_zero(result, inside, before)


def call_address(address: int, t: float, y: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> None:
    """Call a compiled function once from Python."""
    CALLBACK(address)(t, *(x.ctypes.data_as(_VECTOR) for x in (y, p, m, out)))
