"""Calls inside a function that is read: builtins, functions of math, helpers, functions of a system."""

from __future__ import annotations

import ast
import math
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.compile.native.kernel import evaluate, evaluate_row, record_at
from gudgeon.compile.python import mathematics
from gudgeon.compile.python.arithmetic import is_known
from gudgeon.compile.python.source import source_of
from gudgeon.compile.python.values import DOUBLE, INT, LONG, Address, Array, Bundle, Number

if TYPE_CHECKING:
    from gudgeon.compile.python.expressions import Expressions
    from gudgeon.compile.python.reader import Reader

__all__ = ["call"]

INSTRUCTIONS = {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "copysign": "copysign"}
WHOLE = ("floor", "ceil")  # of math they give integers


def call(frame: Expressions, node: ast.expr, function: Any, arguments: Sequence[Any],
         named: dict[Any, Any] | None = None) -> Any:  # fmt: skip
    """The value of function(*arguments, **named)."""
    reader = frame.reader
    function = reader.unit.instead.get(function, function)
    if function in (evaluate, evaluate_row):
        return _evaluate(reader, arguments)
    if function is record_at:
        return arguments[0]  # where compiled code has an address, there is a bundle here
    if function in BUILTINS:
        return BUILTINS[function](reader, *arguments)
    if isinstance(function, types.FunctionType):
        return _inlined(frame, node, function, arguments, named or {})
    name = getattr(function, "__name__", "")
    if (getattr(math, name, None) is function or getattr(np, name, None) is function) and not named:
        return _mathematics(frame, node, name, function, arguments)
    frame.source.refuse(node, f"{ast.unparse(node)} is not known")


def _inlined(frame: Expressions, node: ast.expr, function: Any, arguments: Sequence[Any], named: dict[Any, Any]) -> Any:
    try:
        bound = source_of(function).signature.bind(*arguments, **named)
    except TypeError as error:
        frame.source.refuse(node, f"{ast.unparse(node)}: {error}")
    bound.apply_defaults()
    return frame.reader.inline(function, dict(bound.arguments))


def _evaluate(reader: Reader, arguments: Sequence[Any]) -> None:
    """A function of a system on arrays; `evaluate_row` writes into a row of a matrix."""
    address, t, *arrays = arguments
    assert isinstance(address, Address)
    if len(arrays) == 5:
        matrix, row = arrays[3], arrays.pop()
        arrays[3] = Array(matrix.kind, reader.pointer(matrix, (row, 0)), matrix.shape[1:])
    reader.builder.call(address.function, [reader.real(t), *(array.pointer for array in arrays)])


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


def _exponent(reader: Reader, x: Any) -> Any:
    """The exponent of a positive normal number: x = m 2^e with 1 <= m < 2."""
    b = reader.builder
    bits = b.bitcast(reader.real(x), LONG)
    high = b.trunc(b.lshr(bits, LONG(52)), INT)
    return Number("int", b.sub(b.and_(high, INT(2047)), INT(1023)))


def _scaled(reader: Reader, x: Any, k: Any) -> Any:
    """x 2^k, for -1022 <= k <= 1023."""
    b = reader.builder
    wide = b.sext(reader.as_kind(k, "int"), LONG)
    factor = b.bitcast(b.shl(b.add(wide, LONG(1023)), LONG(52)), DOUBLE)
    return Number("real", b.fmul(reader.real(x), factor))


BUILTINS: dict[Any, Callable[..., Any]] = {
    abs: lambda r, x: r.magnitude(x),
    max: lambda r, *x: r.extreme("Gt", x),
    min: lambda r, *x: r.extreme("Lt", x),
    pow: _power, math.pow: _power, int: _whole, float: _floating, range: _range,
    len: lambda r, x: x.shape[0] if isinstance(x, Array | np.ndarray) else len(x),
    mathematics.exponent: _exponent, mathematics.scaled: _scaled,
}  # fmt: skip
