"""Kernels: plain Python functions with annotated arguments, compiled when they are first used.

    @kernel
    def advance(w: March, h: float) -> float:
        w.t += h
        return w.t

Called from Python a kernel is compiled by our own compiler (compile/python) with the types of its annotations and kept
on disk. Called by another kernel it becomes part of that one, with whatever types it is given, so helpers may leave
arguments open (`Any`): functions among them, which are then compiled in. Declaring a kernel compiles nothing: whoever
only wants to know what a method is called imports its module for nothing. The plain function stays at `py_func`.

Kernels own no memory: what they work on lies in records (record.py) and arrays made in Python.
"""

from __future__ import annotations

import ctypes
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, update_wrapper
from typing import Any

import numpy as np

from gudgeon.compile import python
from gudgeon.compile.native.record import ARRAYS, Floats, Matrix, Record, unfit

__all__ = ["CompiledKernel", "Kernel", "compile_kernels", "evaluate", "evaluate_row", "evaluate_rows", "kernel",
           "record_at"]  # fmt: skip


class Kernel:
    """A function that is compiled when it is first used."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.entry(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.label}>"

    @property
    def label(self) -> str:
        return f"{self.py_func.__module__}.{self.py_func.__qualname__}"

    @cached_property
    def entry(self) -> CompiledKernel:
        """Compiled with the types of the annotations and kept on disk: to be called from Python."""
        return compile_kernels([self])[0]

    @property
    def address(self) -> int:
        """Machine address of the compiled function, as C would call it."""
        return self.entry.address


kernel = Kernel


class CompiledKernel:
    """A compiled kernel, called from Python: records by their address, arrays by address and lengths. Python's lock is
    released while it runs."""

    def __init__(self, function: Kernel, address: int, kept: Any) -> None:
        self.address, self._kept, self.__name__ = address, kept, function.label
        hints = typing.get_type_hints(function.py_func, include_extras=True)
        result = hints.pop("return")
        names = function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount]
        kinds = [hints[name] for name in names]
        self._convert = [_converter(kind) for kind in kinds]
        c_types = [t for kind in kinds for t in _c_types(kind)]
        c_result = {float: ctypes.c_double, type(None): None}.get(result, ctypes.c_int64)
        self._function = ctypes.CFUNCTYPE(c_result, *c_types)(address)
        self._bool = result is bool

    def __call__(self, *arguments: Any) -> Any:
        if len(arguments) != len(self._convert):
            raise TypeError(f"{self.__name__} takes {len(self._convert)} arguments, not {len(arguments)}")
        passed: list[Any] = []
        for convert, value in zip(self._convert, arguments, strict=True):
            convert(value, passed)
        result = self._function(*passed)
        return bool(result) if self._bool else result


def _c_types(kind: Any) -> list[Any]:
    if kind is float:
        return [ctypes.c_double]
    if kind is bool:
        return [ctypes.c_bool]
    return [ctypes.c_int64] * (1 + (0 if isinstance(kind, type) else ARRAYS[kind.__metadata__[0]][1]))


begin: Callable[[Any], Any] = ctypes.c_char.from_buffer
address_of = ctypes.addressof


def _converter(kind: Any) -> Callable[[Any, list[Any]], None]:
    """How an argument becomes those of the C function."""
    if isinstance(kind, type) and issubclass(kind, Record):

        def record(value: Any, passed: list[Any]) -> None:
            if not isinstance(value, kind):
                raise TypeError(f"a record {kind.__name__} is expected, not {value!r}")
            passed.append(value.address)

        return record
    if kind in (float, int, bool):
        return lambda value, passed: passed.append(value)
    dtype, axes = ARRAYS[kind.__metadata__[0]]

    def array(value: Any, passed: list[Any]) -> None:
        if not (isinstance(value, np.ndarray) and value.dtype == dtype and value.ndim == axes and value.flags.carray):
            raise TypeError(unfit("a kernel", "an argument", value, dtype, axes))
        passed.append(address_of(begin(value)) if value.size else 0)  # a third of the time of value.ctypes
        passed.extend(value.shape)

    return array


def compile_kernels(kernels: Sequence[Kernel], instead: Mapping[Kernel, Kernel] | None = None) -> list[CompiledKernel]:
    """Kernels compiled together, from disk if they were before. `instead` names functions that take the place of others
    in them."""
    replaced = instead or {}
    names = [f"kernel_{k}" for k in range(len(kernels))]

    def text() -> str:
        unit = python.CompilationUnit(instead=replaced)
        for name, function in zip(names, kernels, strict=True):
            unit.export(function.py_func, name)
        return str(unit.module)

    labels = [f.label for f in kernels] + [f"{a.label}={b.label}" for a, b in replaced.items()]
    ours = all(f.py_func.__module__.startswith("gudgeon.") for f in (*kernels, *replaced.values()))
    # what others write may change while the cache stays: it is found again by its code
    what = " ".join(labels) if ours else text()
    # more effort takes a third more time for the long kernels of methods, whose code is then up to 5 % faster
    code = python.compiled(f"{what} with effort 1", text, effort=1)
    addresses, kept = python.load(code, names)
    return [CompiledKernel(f, addresses[name], kept) for f, name in zip(kernels, names, strict=True)]


class Intrinsic:
    """A function that only compiled code can call; compile/python/calls.py says what it does."""

    def __init__(self, name: str, meaning: str) -> None:
        self.__name__, self.__doc__ = name, meaning

    def __repr__(self) -> str:
        return f"<{self.__name__} of compiled code>"


evaluate: Any = Intrinsic("evaluate", "Call the function of a system at an address: f(t, y, p, m, out).")
evaluate_row: Any = Intrinsic("evaluate_row", "The same, writing into a row of a matrix.")
record_at: Any = Intrinsic("record_at", "The record of a class at a machine address.")


@kernel
def evaluate_rows(address: int, rows: Matrix, y: Floats, m: Floats, p: Floats, result: Floats, out: Matrix) -> None:
    """Evaluate a function of a system on every row (t, y, m) of a tape; y, m and result are scratch."""
    for k in range(rows.shape[0]):
        for i in range(y.shape[0]):
            y[i] = rows[k, 1 + i]
        for i in range(m.shape[0]):
            m[i] = rows[k, 1 + y.shape[0] + i]
        evaluate(address, rows[k, 0], y, p, m, result)
        for i in range(out.shape[1]):
            out[k, i] = result[i]
