"""Kernels: plain Python functions with annotated arguments, compiled by Numba when they are first used.

    @kernel
    def advance(w: March, h: float) -> float:
        w.t += h
        return w.t

Called from Python, or by its address, a kernel is compiled with the types of its annotations and kept on disk. Called
by another kernel it becomes part of that one, with whatever types it is given, so helpers may leave arguments open
(`Any`). Declaring a kernel compiles nothing and does not load Numba: whoever only wants to know what a method is called
imports its module for nothing. The plain function stays at `py_func`, where `compile.python` reads it.

Kernels own no memory: what they work on lies in records (record.py) and arrays made in Python.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any

from gudgeon.compile.collector import collector_paused
from gudgeon.compile.native import cache
from gudgeon.compile.native.record import Floats, Integers, Matrix, Record, Table, compiled_records

__all__ = [
    "Kernel", "call_at", "call_attempt", "call_restart", "evaluate", "evaluate_row", "evaluate_rows", "in_cache",
    "kernel", "pointer_to", "record_at",
]  # fmt: skip

# contraction to fused multiply-add is allowed, reordering is not: results do not depend on the vector width
OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": {"contract", "nsz"}, "nogil": True}
# kernels own no arrays; counting references to those they are given would cost more than the arithmetic
UNCOUNTED = {**OPTIONS, "_nrt": False}


def in_cache(compile_: Callable[[bool], Any]) -> Any:
    """Run compile_(cached) with Numba's cache pointed at our directory, uncached where none is writable."""
    import numba

    place = cache.directory()
    config = numba.core.config
    before = config.CACHE_DIR
    try:
        with collector_paused():
            if place is None:
                return compile_(False)
            config.CACHE_DIR = str(place)
            return compile_(True)
    finally:
        config.CACHE_DIR = before


class Kernel:
    """A function that is compiled when it is first used."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        return self.entry(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"  # type: ignore[attr-defined]

    @cached_property
    def entry(self) -> Any:
        """Compiled with the types of the annotations and kept on disk: to be called from Python."""
        import numba

        signature = self._signature()
        return in_cache(lambda cached: numba.njit(signature, cache=cached, **UNCOUNTED)(self.py_func))

    @cached_property
    def address(self) -> int:
        """Machine address of the compiled function, as C would call it."""
        from numba.experimental.function_type import _get_wrapper_address

        return int(_get_wrapper_address(self.entry, self._signature()))

    @cached_property
    def _numba_type_(self) -> Any:
        """What other kernels see: a function that is compiled with the types they call it with."""
        import numba

        from gudgeon.compile.native.intrinsics import KernelType

        self._dispatcher = numba.njit(**UNCOUNTED)(self.py_func)  # the type does not keep it alive
        return KernelType(self._dispatcher)

    def _signature(self) -> Any:
        kinds = typing.get_type_hints(self.py_func, include_extras=True)
        returned = _numba_kind(kinds.pop("return"))
        names = self.py_func.__code__.co_varnames[: self.py_func.__code__.co_argcount]
        return returned(*(_numba_kind(kinds[name]) for name in names))


def _numba_kind(annotation: Any) -> Any:
    """The type of Numba that an annotation means."""
    from numba import types

    from gudgeon.compile.native import intrinsics

    if isinstance(annotation, type) and issubclass(annotation, Record):
        return annotation.numba_type
    known = {
        float: intrinsics.FLOAT, int: intrinsics.INT, bool: types.boolean, type(None): types.void,
        Floats: intrinsics.VECTOR, Integers: intrinsics.INTEGERS, Matrix: intrinsics.MATRIX, Table: intrinsics.TABLE,
    }  # fmt: skip
    return known[annotation]


kernel = Kernel


class Intrinsic:
    """A name of `intrinsics.py` that loads it, and Numba with it, when a kernel that uses it is compiled."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target

        from gudgeon.compile.native import intrinsics

        made = compiled_records().get(self.__name__) or getattr(intrinsics, self.__name__)
        return cpu_target.typing_context.resolve_value_type(made)


evaluate: Any = Intrinsic("evaluate")
evaluate_row: Any = Intrinsic("evaluate_row")
pointer_to: Any = Intrinsic("pointer_to")
call_restart: Any = Intrinsic("call_restart")
call_attempt: Any = Intrinsic("call_attempt")
call_at: Any = Intrinsic("call_at")
record_at: Any = Intrinsic("record_at")


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
