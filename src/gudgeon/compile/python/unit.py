"""`CompilationUnit`: functions of a mechanism, its laws and a kernel as one piece of LLVM code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.graph.llvm import Emitter
from gudgeon.compile.graph.module import Function
from gudgeon.compile.python import mathematics
from gudgeon.compile.python.arithmetic import Retype
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.source import plain, source_of
from gudgeon.compile.python.values import DOUBLE, Address, Array, Number

__all__ = ["CompilationUnit"]

FLAGS = ("contract", "nsz")  # as for the time loop of one run


class CompilationUnit:
    """A module in the making. `instead` maps functions to those that take their place in the kernel."""

    def __init__(self, *, instead: dict[Any, Any] | None = None) -> None:
        self.module = ir.Module(name="trajectories")
        self.flags, self.instead = FLAGS, instead or {}
        self._scalars: dict[Any, ir.Function] = {}
        self._tables: dict[Any, Array] = {}

    def system(self, function: Function, name: str) -> Address:
        """A function of a system, f(t, y, p, m, out)."""
        emitter = Emitter(self.module, function, self.flags, name=name, library=self._library,
                          callee=self._callee)  # fmt: skip
        emitter.emit()
        return Address(_inside(emitter.ir))

    def scalar(self, function: Callable[..., float], arguments: int, *, block: bool) -> ir.Function:
        """A law or an elementary function, double f(double x arguments[, double* p]), from its source."""
        key = (function, arguments, block)
        if key not in self._scalars:
            kinds: dict[Any, str] = {}
            while True:
                try:
                    self._scalars[key] = self._read(function, arguments, block, kinds)
                    break
                except Retype as error:
                    kinds[error.key] = "real"
        return self._scalars[key]

    def _read(self, function: Any, arguments: int, block: bool, kinds: dict[Any, str]) -> ir.Function:
        pointers = [DOUBLE.as_pointer()] if block else []
        kind = ir.FunctionType(DOUBLE, [*[DOUBLE] * arguments, *pointers])
        made = ir.Function(self.module, kind, self.module.get_unique_name("f_" + function.__name__))
        reader = Reader(self, made, kinds)
        given: list[Any] = [Number("real", x) for x in made.args[:arguments]]
        if block:
            given.append(Array("real", made.args[arguments], (0,)))
        function = plain(function)
        try:
            value = reader.inline(function, dict(zip(_parameters(function), given, strict=True)))
        except Retype:
            # what was begun is left without callers; a body makes it a whole function
            _close(made, reader)
            raise
        reader.builder.ret(reader.real(value))
        reader.finish()
        return _inside(made)

    def _library(self, name: str) -> ir.Function:
        if name == "sqrt":
            return self.module.declare_intrinsic("llvm.sqrt", (DOUBLE,))
        return self.scalar(getattr(mathematics, name), 1, block=False)

    def _callee(self, opaque: Any, kind: ir.FunctionType) -> ir.Function:
        block = bool(kind.args) and isinstance(kind.args[-1], ir.PointerType)
        return self.scalar(opaque.function, len(kind.args) - block, block=block)

    def table(self, values: np.ndarray) -> Array:
        """Numbers known at compile time, where the place of the one that is read is not."""
        key = (values.shape, values.tobytes())
        if key not in self._tables:
            flat = [float(x) for x in values.reshape(-1)]
            kind = ir.ArrayType(DOUBLE, len(flat))
            held = ir.GlobalVariable(self.module, kind, self.module.get_unique_name("table"))
            held.linkage, held.global_constant = "internal", True
            held.initializer = ir.Constant(kind, flat)
            zero = ir.Constant(ir.IntType(32), 0)
            self._tables[key] = Array("real", held.gep([zero, zero]), values.shape)
        return self._tables[key]


def _parameters(function: Any) -> list[str]:
    return list(source_of(function).signature.parameters)


def _inside(function: ir.Function) -> ir.Function:
    """Only for this unit: what is written in place leaves nothing behind."""
    function.linkage = "internal"
    function.attributes.add("alwaysinline")
    return function


def _close(function: ir.Function, reader: Reader) -> None:
    function.linkage = "internal"
    function.blocks.clear()
    ir.IRBuilder(function.append_basic_block("unused")).unreachable()
