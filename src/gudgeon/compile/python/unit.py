"""`CompilationUnit`: functions of a mechanism, its laws and kernels as one piece of LLVM code.

A kernel gets into the code in one of two ways. As a function of this unit (`CompilationUnit.call`), which takes
numbers, arrays and records by their types; other arguments, such as functions, are part of what it is; LLVM decides
where to write it in place. Or, with `in_place`, written where it is called (`Reader.inline`) with whatever is known of
its arguments while compiling: in programs of one mechanism, whose arrays become registers. Plain functions, such as
helpers of laws, are always written where they are called.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.graph.llvm import Emitter
from gudgeon.compile.graph.module import Function
from gudgeon.compile.processor import fuses
from gudgeon.compile.python import mathematics
from gudgeon.compile.python.arithmetic import Retype, is_known
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.source import plain, source_of
from gudgeon.compile.python.values import BIT, DOUBLE, LONG, Address, Array, Number, Reference

__all__ = ["CARD", "PORTABLE", "CompilationUnit", "Platform"]

FLAGS = ("contract", "nsz")  # on a card: more products may be fused, another order of operations is not allowed
RESULTS: dict[Any, str] = {float: "real", int: "int", bool: "bool"}  # by annotation


@dataclass(frozen=True)
class Platform:
    """What code is written for.

    integers  bits of an integer
    fused     products that are added are not rounded before; None: where this processor can
    library   whether there is a C library; without one elementary functions are our own (mathematics.py)
    flags     of every operation: what LLVM may do beyond
    """

    integers: int = 64
    fused: bool | None = None
    library: bool = True
    flags: tuple[str, ...] = ()


CARD = Platform(integers=32, fused=True, library=False, flags=FLAGS)
PORTABLE = Platform(fused=False, library=False)  # for any processor and for browsers: the same result on all of them


class CompilationUnit:
    """A module in the making. `instead` maps functions to those that take their place in the kernel; `in_place`:
    kernels are written where they are called; `kinds` holds what is known of the kinds of variables from an earlier
    reading."""

    def __init__(self, *, instead: Mapping[Any, Any] | None = None, in_place: bool = False,
                 platform: Platform = Platform(), kinds: dict[Any, str] | None = None) -> None:  # fmt: skip
        self.module = ir.Module(name="gudgeon")
        self.platform, self.flags = platform, platform.flags
        self.fused = fuses() if platform.fused is None else platform.fused
        self.integer, self.in_place = ir.IntType(platform.integers), in_place
        self.instead = {plain(function): other for function, other in (instead or {}).items()}
        self.kinds: dict[Any, str] = {} if kinds is None else kinds
        self._scalars: dict[Any, ir.Function] = {}
        self._functions: dict[Any, ir.Function | None] = {}
        self._tables: dict[Any, Array] = {}

    # -- functions of a mechanism ---------------------------------------------------------------------------

    def system(self, function: Function, name: str, *, in_place: bool = True) -> Address:
        """A function of a system, f(t, y, p, m, out), written where it is called or once."""
        emitter = Emitter(self.module, function, name=name, fused=self.fused, flags=self.flags,
                          library=None if self.platform.library else self._library, callee=self._callee)  # fmt: skip
        emitter.emit()
        if in_place:
            return Address(_inside(emitter.ir))
        emitter.ir.linkage = "internal"
        emitter.ir.attributes.add("noinline")
        return Address(emitter.ir)

    def _library(self, name: str) -> ir.Function:
        if name == "sqrt":
            return self.module.declare_intrinsic("llvm.sqrt", (DOUBLE,))
        return self.scalar(getattr(mathematics, name), 1, block=False)

    def _callee(self, opaque: Any, kind: ir.FunctionType) -> ir.Function:
        block = bool(kind.args) and isinstance(kind.args[-1], ir.PointerType)
        return self.scalar(opaque.function, len(kind.args) - block, block=block)

    # -- laws -----------------------------------------------------------------------------------------------

    def scalar(self, function: Callable[..., float], arguments: int, *, block: bool) -> ir.Function:
        """A law or an elementary function, double f(double x arguments[, double* p]), from its source."""
        key = (function, arguments, block)
        if key not in self._scalars:
            kind = ir.FunctionType(DOUBLE, [*[DOUBLE] * arguments, *[DOUBLE.as_pointer()] * block])
            self._scalars[key] = _inside(self.c_function(function, kind, f"f_{function.__name__}"))
        return self._scalars[key]

    def c_function(self, function: Callable[..., Any], kind: ir.FunctionType, name: str) -> ir.Function:
        """A plain function as one of C with numbers and pointers, which gives a real number or nothing."""
        plainly = plain(function)

        def write(reader: Reader, made: ir.Function) -> None:
            names = _parameters(plainly)
            if len(names) != len(made.args):
                source_of(plainly).refuse(None, f"it takes {len(names)} arguments, and is given {len(made.args)}")
            value = reader.inline(plainly, {x: _of_c(arg) for x, arg in zip(names, made.args, strict=True)})
            if isinstance(kind.return_type, ir.VoidType):
                reader.builder.ret_void()
                return
            if not (isinstance(value, Number) or is_known(value)):
                source_of(plainly).refuse(None, "it does not give a number")
            reader.builder.ret(reader.real(value))

        return self._written(kind, name, write)

    # -- kernels --------------------------------------------------------------------------------------------

    def call(self, reader: Reader, function: Any, arguments: Mapping[str, Any]) -> Any:
        """The value of a call of a kernel, as a call of a function of this unit."""
        hints = _hints(function)
        passed: list[ir.Value] = []
        what: list[Any] = []
        for name, value in arguments.items():
            what.append(_passed(reader, function, name, hints.get(name), value, passed))
        key = (function, *what)
        if self._functions.get(key, 0) is None:
            source_of(function).refuse(None, "it calls itself")
        if key not in self._functions:
            self._functions[key] = None
            self._functions[key] = self._function(function, tuple(arguments), what, [x.type for x in passed])
        b, value = reader.builder, reader.builder.call(self._functions[key], passed)
        result = _result(function)
        if isinstance(result, tuple):
            return tuple(Number(kind, b.extract_value(value, k)) for k, kind in enumerate(result))
        return None if result is None else Number(result, value)

    def _function(self, function: Any, names: tuple[str, ...], what: list[Any], types: list[ir.Type]) -> ir.Function:
        result = _result(function)

        def write(reader: Reader, made: ir.Function) -> None:
            places, b = iter(made.args), reader.builder
            value = reader.inline(function, {n: _received(w, places) for n, w in zip(names, what, strict=True)})
            if result is None:
                b.ret_void()
                return
            kinds = result if isinstance(result, tuple) else (result,)
            parts = value if isinstance(value, tuple) else (value,)
            if len(parts) != len(kinds) or not all(map(reader.can_be, parts, kinds)):
                source_of(function).refuse(None, f"it does not give {_hints(function)['return']}")
            codes = [reader.as_kind(part, kind) for part, kind in zip(parts, kinds, strict=True)]
            if not isinstance(result, tuple):
                b.ret(codes[0])
                return
            whole = ir.Constant(self._type(result), ir.Undefined)
            for k, code in enumerate(codes):
                whole = b.insert_value(whole, code, k)
            b.ret(whole)

        made = self._written(ir.FunctionType(self._type(result), types), function.__name__, write)
        made.linkage = "internal"
        return made

    def _type(self, result: Any) -> ir.Type:
        """What a function that gives this gives in LLVM."""
        if isinstance(result, tuple):
            return ir.LiteralStructType([self._type(kind) for kind in result])
        kinds = {None: ir.VoidType(), "real": DOUBLE, "int": self.integer, "bool": BIT}
        return kinds[result]

    def export(self, function: Any, name: str) -> None:
        """A kernel as C calls it: records by their address, arrays by address and lengths; all integers of 64 bits."""
        hints = _hints(function)
        what = [_described(function, x, hints.get(x)) for x in _parameters(function)]
        types = [kind for x in what for kind in _c_types(x)]
        result = RESULTS.get(hints.get("return"))

        def write(reader: Reader, made: ir.Function) -> None:
            places = iter(made.args)
            given = {x: _received(kind, places) for x, kind in zip(_parameters(function), what, strict=True)}
            value = self.call(reader, function, given)
            if result is None:
                reader.builder.ret_void()
            else:
                reader.builder.ret(value.value if result == "real" else reader.builder.zext(value.value, LONG)
                                   if result == "bool" else reader.widened(value.value))  # fmt: skip

        kinds = {None: ir.VoidType(), "real": DOUBLE}
        self._written(ir.FunctionType(kinds.get(result, LONG), types), name, write)

    # -- both -----------------------------------------------------------------------------------------------

    def _written(self, kind: ir.FunctionType, name: str, write: Callable[[Reader, ir.Function], None]) -> ir.Function:
        """A function whose code `write` writes; again where a variable turned out to be of a wider kind."""
        made = ir.Function(self.module, kind, self.module.get_unique_name(name))
        while True:
            reader = Reader(self, made)
            try:
                write(reader, made)
            except Retype as error:
                self.kinds[error.key] = error.kind
                made.blocks.clear()
                continue
            reader.finish()
            return made

    def table(self, values: np.ndarray) -> Array:
        """Numbers known at compile time, where the place of the one that is read is not."""
        whole = values.dtype.kind in "iub"
        key = (whole, values.shape, values.tobytes())
        if key not in self._tables:
            element = LONG if whole else DOUBLE
            flat = [int(x) if whole else float(x) for x in values.reshape(-1)]
            kind = ir.ArrayType(element, len(flat))
            held = ir.GlobalVariable(self.module, kind, self.module.get_unique_name("table"))
            held.linkage, held.global_constant = "internal", True
            held.initializer = ir.Constant(kind, flat)
            zero = ir.Constant(ir.IntType(32), 0)
            self._tables[key] = Array("int" if whole else "real", held.gep([zero, zero]), values.shape)
        return self._tables[key]


# How an argument is passed: ("number", kind), ("array", kind, lengths known or None), ("record", class), or
# ("known", value) for what is part of the function.


def _passed(reader: Reader, function: Any, name: str, hint: Any, value: Any, passed: list[ir.Value]) -> Any:
    """How an argument is passed; what of it only the running code knows is appended to `passed`."""
    if isinstance(value, Number) or is_known(value):
        kind = RESULTS.get(hint) or reader.kind(value)
        if not reader.fits(value, kind):
            source_of(function).refuse(None, f"its argument {name} is handed a real number")
        passed.append(reader.as_kind(value, kind))
        return ("number", kind)
    if isinstance(value, Array):
        passed.append(value.pointer)
        passed.extend(x.value for x in value.shape if isinstance(x, Number))
        return ("array", value.kind, tuple(None if isinstance(x, Number) else x for x in value.shape))
    if isinstance(value, Reference):
        passed.append(value.pointer)
        return ("record", value.record)
    return ("known", value)


def _received(what: Any, places: Any) -> Any:
    """The argument inside the function; the reverse of `_passed`."""
    match what:
        case ("number", kind):
            return Number(kind, next(places))
        case ("array", kind, lengths):
            pointer = next(places)
            return Array(kind, pointer, tuple(Number("int", next(places)) if x is None else x for x in lengths))
        case ("record", record):
            return Reference(record, next(places))
    return what[1]


def _of_c(argument: ir.Argument) -> Any:
    """An argument of a function of C: a number, or an array of any length."""
    if isinstance(argument.type, ir.PointerType):
        return Array("real" if argument.type.pointee == DOUBLE else "int", argument, (0,))
    return Number("real" if argument.type == DOUBLE else "int", argument)


ARRAYS = {"floats": ("real", 1), "integers": ("int", 1), "matrix": ("real", 2), "table": ("int", 2)}


def _described(function: Any, name: str, hint: Any) -> Any:
    """How an argument of an exported kernel is passed, by its annotation."""
    if hint in RESULTS:
        return ("number", RESULTS[hint])
    if hasattr(hint, "layout"):
        return ("record", hint)
    for mark in getattr(hint, "__metadata__", ()):
        if mark in ARRAYS:
            kind, axes = ARRAYS[mark]
            return ("array", kind, (None,) * axes)
    source_of(function).refuse(None, f"its argument {name} has no type that can be called from outside")


def _c_types(what: Any) -> list[ir.Type]:
    match what:
        case ("number", kind):
            return [{"real": DOUBLE, "int": LONG, "bool": BIT}[kind]]
        case ("array", kind, lengths):
            return [(DOUBLE if kind == "real" else LONG).as_pointer(), *[LONG] * len(lengths)]
    return [LONG.as_pointer()]


def _hints(function: Any) -> dict[str, Any]:
    source = source_of(function)
    if source.hints is None:
        source.hints = typing.get_type_hints(function, include_extras=True)
    return source.hints


def _result(function: Any) -> Any:
    """The kind of what a kernel gives, by its annotation; a tuple of kinds, or None."""
    hint = _hints(function).get("return")
    if typing.get_origin(hint) is tuple:
        return tuple(RESULTS[part] for part in typing.get_args(hint))
    return RESULTS.get(hint)


def _parameters(function: Any) -> list[str]:
    return list(source_of(function).signature.parameters)


def _inside(function: ir.Function) -> ir.Function:
    """Only for this unit: what is written in place leaves nothing behind."""
    function.linkage = "internal"
    function.attributes.add("alwaysinline")
    return function
