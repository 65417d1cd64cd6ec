"""Compilation by Numba: kernels of the time loop, and the call of a mechanism's machine code by address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from gudgeon.compile.native import cache

# contraction to fused multiply-add is allowed, reordering is not: results do not depend on the vector width
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "nogil": True}

FLOAT, INT = types.float64, types.int64
VECTOR, MATRIX = types.Array(FLOAT, 1, "C"), types.Array(FLOAT, 2, "C")
INTEGERS = types.Array(INT, 1, "C")
TABLE = types.Array(INT, 2, "C")
FLOATS_AT, INTEGERS_AT = types.CPointer(FLOAT), types.CPointer(INT)


def in_cache(compile_: Callable[[bool], Any]) -> Any:
    """Run compile_(cached) with Numba's cache pointed at our directory, uncached where none is writable."""
    place = cache.directory()
    if place is None:
        return compile_(False)
    config = numba.core.config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(place)
    try:
        return compile_(True)
    finally:
        config.CACHE_DIR = before


# kernels own no arrays; counting references to those of the bundle would cost more than the arithmetic.
UNCOUNTED = {**OPTIONS, "_nrt": False}


def kernel(*signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of a compiled function with an explicit signature, cached on disk. It may not allocate."""

    def decorate(function: Callable[..., Any]) -> Any:
        return in_cache(lambda cached: numba.njit(*signature, cache=cached, **UNCOUNTED)(function))

    return decorate


def inlined(function: Callable[..., Any]) -> Any:
    """Decorator of a helper that becomes part of the kernels calling it: passing a bundle of arrays costs more than
    most helpers do."""
    return numba.njit(inline="always", **UNCOUNTED)(function)


_D, _P, _I = ir.DoubleType(), ir.DoubleType().as_pointer(), ir.IntType(64).as_pointer()
_SYSTEM = ir.FunctionType(ir.VoidType(), [_D, _P, _P, _P, _P])


@intrinsic
def evaluate(context: Any, address: Any, t: Any, y: Any, p: Any, m: Any, out: Any) -> Any:
    """Call the function at `address` of a system: f(t, y, p, m, out), all vectors."""
    signature = types.void(INT, FLOAT, VECTOR, VECTOR, VECTOR, VECTOR)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [context.make_array(signature.args[k])(context, builder, args[k]).data for k in (2, 3, 4, 5)]
        builder.call(builder.inttoptr(args[0], _SYSTEM.as_pointer()), [args[1], *arrays])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def evaluate_row(context: Any, address: Any, t: Any, y: Any, p: Any, m: Any, out: Any, row: Any) -> Any:
    """The same, writing into a row of a matrix."""
    signature = types.void(INT, FLOAT, VECTOR, VECTOR, VECTOR, MATRIX, INT)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [context.make_array(signature.args[k])(context, builder, args[k]).data for k in (2, 3, 4)]
        matrix = context.make_array(signature.args[5])(context, builder, args[5])
        width = builder.extract_value(matrix.shape, 1)
        start = builder.gep(matrix.data, [builder.mul(args[6], width)])
        builder.call(builder.inttoptr(args[0], _SYSTEM.as_pointer()), [args[1], *arrays, start])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def evaluate_into(context: Any, address: Any, t: Any, y: Any, p: Any, m: Any, place: Any) -> Any:
    """The same, writing at a machine address."""
    signature = types.void(INT, FLOAT, VECTOR, VECTOR, VECTOR, INT)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays = [context.make_array(signature.args[k])(context, builder, args[k]).data for k in (2, 3, 4)]
        out = builder.inttoptr(args[5], _P)
        builder.call(builder.inttoptr(args[0], _SYSTEM.as_pointer()), [args[1], *arrays, out])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def evaluate_at(context: Any, address: Any, t: Any, y: Any, p: Any, m: Any, place: Any) -> Any:
    """The same, also reading the states at a machine address."""
    signature = types.void(INT, FLOAT, INT, VECTOR, VECTOR, INT)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        p, m = (context.make_array(signature.args[k])(context, builder, args[k]).data for k in (3, 4))
        y, out = (builder.inttoptr(args[k], _P) for k in (2, 5))
        builder.call(builder.inttoptr(args[0], _SYSTEM.as_pointer()), [args[1], y, p, m, out])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def call_with(context: Any, address: Any, arrays: Any) -> Any:
    """Call the function at `address` with pointers to the numbers of arrays; it gives an integer."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args[1].types
        made = [context.make_array(kind)(context, builder, builder.extract_value(args[1], k)).data
                for k, kind in enumerate(kinds)]  # fmt: skip
        function = ir.FunctionType(ir.IntType(64), [x.type for x in made])
        return builder.call(builder.inttoptr(args[0], function.as_pointer()), made)

    return INT(INT, arrays), generate


@intrinsic
def floats_at(context: Any, address: Any) -> Any:
    """The numbers at a machine address, as a pointer that can be indexed."""
    return FLOATS_AT(INT), lambda context, builder, signature, args: builder.inttoptr(args[0], _P)


@intrinsic
def integers_at(context: Any, address: Any) -> Any:
    """The integers at a machine address."""
    return INTEGERS_AT(INT), lambda context, builder, signature, args: builder.inttoptr(args[0], _I)


def _array(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    """An array of numbers or integers that lie at a machine address, row by row; nothing counts references to it."""
    made, size = context.make_array(kind)(context, builder), context.get_constant(types.intp, 8)
    strides = [size] if len(shape) == 1 else [builder.mul(size, shape[1]), size]
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return made._getvalue()


@intrinsic
def vector_at(context: Any, address: Any, size: Any) -> Any:
    """The numbers at a machine address as a vector."""
    return VECTOR(INT, INT), lambda context, builder, signature, args: _array(
        context, builder, VECTOR, args[0], [args[1]]
    )


@intrinsic
def matrix_at(context: Any, address: Any, rows: Any, columns: Any) -> Any:
    """The same as a matrix."""
    return MATRIX(INT, INT, INT), lambda context, builder, signature, args: _array(
        context, builder, MATRIX, args[0], [args[1], args[2]]
    )


@intrinsic
def table_at(context: Any, address: Any, rows: Any, columns: Any) -> Any:
    """The integers at a machine address as a table."""
    return TABLE(INT, INT, INT), lambda context, builder, signature, args: _array(
        context, builder, TABLE, args[0], [args[1], args[2]]
    )


@kernel(types.void(INT, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX))
def evaluate_rows(address: int, rows: Any, y: Any, m: Any, p: Any, result: Any, out: Any) -> None:
    """Evaluate a function of a system on every row (t, y, m) of a tape; y, m and result are scratch."""
    for k in range(rows.shape[0]):
        for i in range(y.shape[0]):
            y[i] = rows[k, 1 + i]
        for i in range(m.shape[0]):
            m[i] = rows[k, 1 + y.shape[0] + i]
        evaluate(address, rows[k, 0], y, p, m, result)
        for i in range(out.shape[1]):
            out[k, i] = result[i]
