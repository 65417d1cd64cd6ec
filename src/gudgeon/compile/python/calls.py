"""Calls inside a function that is read: builtins, functions of math, helpers, functions of a system."""

from __future__ import annotations

import ast
import math
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir

from gudgeon.compile.native.kernel import Kernel, evaluate, evaluate_row, record_at
from gudgeon.compile.python import mathematics
from gudgeon.compile.python.arithmetic import is_known
from gudgeon.compile.python.source import plain, source_of
from gudgeon.compile.python.values import DOUBLE, LONG, Address, Array, Bundle, Number, Reference

if TYPE_CHECKING:
    from gudgeon.compile.python.expressions import Expressions
    from gudgeon.compile.python.reader import Reader

__all__ = ["call"]

INSTRUCTIONS = {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "trunc": "trunc",
                "copysign": "copysign"}  # fmt: skip
WHOLE = ("floor", "ceil", "trunc")  # of math they give integers
# names that NumPy has for functions of math
NUMPY = {"absolute": "fabs", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2",
         "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "power": "pow"}  # fmt: skip
SYSTEM = ir.FunctionType(ir.VoidType(), [DOUBLE, *[DOUBLE.as_pointer()] * 4]).as_pointer()  # f(t, y, p, m, out)


def call(frame: Expressions, node: ast.expr, function: Any, arguments: Sequence[Any],
         named: dict[Any, Any] | None = None) -> Any:  # fmt: skip
    """The value of function(*arguments, **named)."""
    reader = frame.reader
    called = reader.unit.instead.get(plain(function), function)
    function = plain(called)
    if function in (evaluate, evaluate_row):
        return _evaluate(reader, arguments)
    if function is record_at:
        return _record(reader, *arguments)
    if function in BUILTINS:
        return BUILTINS[function](reader, *arguments)
    if isinstance(function, types.FunctionType):
        bound = _bound(frame, node, function, arguments, named or {})
        if isinstance(called, Kernel) and not reader.unit.in_place:
            return reader.unit.call(reader, function, bound)
        return reader.inline(function, bound)
    name = getattr(function, "__name__", "")
    if (getattr(math, name, None) is function or getattr(np, name, None) is function) and not named:
        return _mathematics(frame, node, NUMPY.get(name, name), function, arguments)
    frame.source.refuse(node, f"{ast.unparse(node)} is not known")


def _bound(frame: Expressions, node: ast.expr, function: Any, arguments: Sequence[Any],
           named: dict[Any, Any]) -> dict[str, Any]:  # fmt: skip
    """The arguments of a call by their names."""
    try:
        bound = source_of(function).signature.bind(*arguments, **named)
    except TypeError as error:
        frame.source.refuse(node, f"{ast.unparse(node)}: {error}")
    bound.apply_defaults()
    return dict(bound.arguments)


def _record(reader: Reader, address: Any, record: Any) -> Any:
    """The record at an address; a bundle in the place of an address is that record already."""
    if isinstance(address, Bundle):
        return address
    return Reference(record, reader.builder.inttoptr(reader.widened(address.value), LONG.as_pointer()))


def _evaluate(reader: Reader, arguments: Sequence[Any]) -> None:
    """A function of a system on arrays; `evaluate_row` writes into a row of a matrix."""
    address, t, *arrays = arguments
    if len(arrays) == 5:
        matrix, row = arrays[3], arrays.pop()
        arrays[3] = Array(matrix.kind, reader.pointer(matrix, (row, 0)), matrix.shape[1:])
    function = address.function if isinstance(address, Address) else reader.builder.inttoptr(address.value, SYSTEM)
    reader.builder.call(function, [reader.real(t), *(array.pointer for array in arrays)])


def _mathematics(frame: Expressions, node: ast.expr, name: str, function: Any, arguments: Sequence[Any]) -> Any:
    reader, b = frame.reader, frame.reader.builder
    if all(is_known(x) for x in arguments):
        return function(*arguments)
    if name in INSTRUCTIONS:
        result = Number("real", reader.intrinsic(INSTRUCTIONS[name], [reader.real(x) for x in arguments]))
        return Number("int", reader.as_kind(result, "int")) if name in WHOLE else result
    if name in ("isnan", "isfinite", "isinf"):
        x = reader.real(arguments[0])
        if name == "isnan":
            return Number("bool", b.fcmp_unordered("!=", x, x))
        size = reader.intrinsic("fabs", [x])
        endless = reader.constant("real", math.inf)
        return Number("bool", b.fcmp_ordered("<" if name == "isfinite" else "==", size, endless))
    ours = getattr(mathematics, name, None)
    if ours is None or name.startswith("_"):
        frame.source.refuse(node, f"math.{name} is not known there")
    compiled = reader.unit.scalar(ours, len(arguments), block=False)
    return Number("real", b.call(compiled, [reader.real(x) for x in arguments]))


def _power(reader: Reader, x: Any, n: Any) -> Any:
    if isinstance(n, int) and 0 < n <= 16:
        product, square = None, x
        while n:
            if n % 2:
                product = square if product is None else reader.binary("Mult", product, square)
            n //= 2
            square = reader.binary("Mult", square, square) if n else square
        return product
    if isinstance(n, int) and -16 <= n < 0:
        return reader.binary("Div", 1.0, _power(reader, x, -n))
    compiled = reader.unit.scalar(mathematics.pow, 2, block=False)
    return Number("real", reader.builder.call(compiled, [reader.real(x), reader.real(n)]))


def _range(reader: Reader, *bounds: Any) -> Any:
    if all(is_known(x) for x in bounds):
        return range(*bounds)
    start, stop = (0, bounds[0]) if len(bounds) == 1 else bounds[:2]
    step = bounds[2] if len(bounds) == 3 else 1
    assert isinstance(step, int)
    return Bundle(start=start, stop=stop, step=step)


def _whole(reader: Reader, x: Any) -> Any:
    return Number("int", reader.as_kind(x, "int")) if isinstance(x, Number) else int(x)


def _floating(reader: Reader, x: Any) -> Any:
    return Number("real", reader.real(x)) if isinstance(x, Number) else float(x)


def _truth(reader: Reader, x: Any) -> Any:
    return reader.truth(x) if isinstance(x, Number) else bool(x)


def _round(reader: Reader, x: Any) -> Any:
    """The nearest integer, halves to the even one."""
    if not isinstance(x, Number):
        return round(x)
    return Number("int", reader.as_kind(Number("real", reader.intrinsic("rint", [reader.real(x)])), "int"))


def _exponent(reader: Reader, x: Any) -> Any:
    """The exponent of a positive normal number: x = m 2^e with 1 <= m < 2."""
    b = reader.builder
    bits = b.bitcast(reader.real(x), LONG)
    high = b.sub(b.and_(b.lshr(bits, LONG(52)), LONG(2047)), LONG(1023))
    return Number("int", high if reader.integer == LONG else b.trunc(high, reader.integer))


def _scaled(reader: Reader, x: Any, k: Any) -> Any:
    """x 2^k, for -1022 <= k <= 1023."""
    b = reader.builder
    wide = reader.widened(reader.as_kind(k, "int"))
    factor = b.bitcast(b.shl(b.add(wide, LONG(1023)), LONG(52)), DOUBLE)
    return Number("real", b.fmul(reader.real(x), factor))


BUILTINS: dict[Any, Callable[..., Any]] = {
    abs: lambda r, x: r.magnitude(x),
    max: lambda r, *x: r.extreme("Gt", x),
    min: lambda r, *x: r.extreme("Lt", x),
    np.maximum: lambda r, *x: r.extreme("Gt", x), np.minimum: lambda r, *x: r.extreme("Lt", x),
    pow: _power, math.pow: _power, int: _whole, float: _floating, bool: _truth, range: _range, round: _round,
    len: lambda r, x: x.shape[0] if isinstance(x, Array | np.ndarray) else len(x),
    mathematics.exponent: _exponent, mathematics.scaled: _scaled,
}  # fmt: skip
