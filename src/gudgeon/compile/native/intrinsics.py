"""What kernels do beyond arithmetic, written as LLVM code for Numba: calls of machine code by address, and arrays that
lie at an address. `kernel.py` has these under their names without loading Numba."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import lower_constant
from numba.extending import intrinsic, models, register_model
from numba.np.arrayobj import populate_array

FLOAT, INT = types.float64, types.int64
VECTOR, MATRIX = types.Array(FLOAT, 1, "C"), types.Array(FLOAT, 2, "C")
INTEGERS, TABLE = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")

class KernelType(types.Dispatcher):
    """The type of a kernel in other kernels. Handed over as an argument it has no value, only the type says which it
    is, so that what calls it can be kept on disk."""


register_model(KernelType)(models.OpaqueModel)
lower_constant(KernelType)(lambda context, builder, kind, value: context.get_dummy_value())

_D, _P = ir.DoubleType(), ir.DoubleType().as_pointer()
_SYSTEM = ir.FunctionType(ir.VoidType(), [_D, _P, _P, _P, _P])


@intrinsic
def evaluate(context: Any, address: Any, t: Any, y: Any, p: Any, m: Any, out: Any) -> Any:
    """Call the function at `address` of a system: f(t, y, p, m, out); `out` is a vector, or a matrix filled by rows."""
    signature = types.void(INT, FLOAT, VECTOR, VECTOR, VECTOR, out)

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
def pointer_to(context: Any, array: Any) -> Any:
    """The numbers of an array as a pointer. An index is taken as it is; in arrays a negative one counts from the end,
    and asking for its sign takes a third of the time of loops whose indices are read from memory."""
    kind = types.CPointer(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return kind(array), generate


def array_at(context: Any, builder: Any, kind: Any, address: Any, shape: list[Any]) -> Any:
    """An array of numbers or integers that lie at a machine address, row by row; nothing counts references to it."""
    made, size = context.make_array(kind)(context, builder), context.get_constant(types.intp, 8)
    strides = [size] if len(shape) == 1 else [builder.mul(size, shape[1]), size]
    data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return made._getvalue()


def _by_address(result: Any, builder: Any, args: Any) -> Any:
    function = ir.FunctionType(result, [x.type for x in args[1:]])
    return builder.call(builder.inttoptr(args[0], function.as_pointer()), args[1:])


@intrinsic
def call_restart(context: Any, address: Any, w: Any) -> Any:
    """Call restart(w) of a method by its address."""
    return FLOAT(INT, w), lambda context, builder, signature, args: _by_address(_D, builder, args)


@intrinsic
def call_attempt(context: Any, address: Any, w: Any, h: Any) -> Any:
    """Call attempt(w, h) of a method by its address."""
    return FLOAT(INT, w, FLOAT), lambda context, builder, signature, args: _by_address(_D, builder, args)


@intrinsic
def call_at(context: Any, address: Any, w: Any, h: Any, x: Any) -> Any:
    """Call interpolate(w, h, x) or commit(w, h, error) of a method by its address."""
    return FLOAT(INT, w, FLOAT, FLOAT), lambda context, builder, signature, args: _by_address(_D, builder, args)
