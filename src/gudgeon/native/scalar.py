"""Opaque scalar functions: plain Python compiled once to machine code, called by address.

A law is written as a plain function of floats; helpers it calls by name are compiled with it. Built-in laws and a
user's own law take the same road, so they run at the same speed.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from gudgeon.graph import Opaque
from gudgeon.native.cache import PACKAGE
from gudgeon.quantity import GudgeonError

_known: dict[tuple[Any, int, bool], Opaque] = {}


def opaque(function: Callable[..., float], arguments: int, *, block: bool = True, name: str = "",
           held: bool = False) -> Opaque:  # fmt: skip
    """The opaque form of double f(double x arguments[, double* p]); the same object for the same function."""
    key = (function, arguments, block)
    if key not in _known:
        label = name or function.__qualname__.replace(".", "_").replace("<", "").replace(">", "")
        compiled: list[Any] = []

        def address() -> int:
            if not compiled:
                compiled.append(_compile(function, arguments, block, label))
            return int(compiled[0].address)

        _known[key] = Opaque(label, function, address, held=held)
    return _known[key]


def _compile(function: Callable[..., float], arguments: int, block: bool, label: str) -> Any:
    import numba

    from gudgeon.native.kernel import OPTIONS, in_cache

    pointer = [numba.types.CPointer(numba.float64)] if block else []
    signature = numba.float64(*[numba.float64] * arguments, *pointer)
    ours = str(PACKAGE) in function.__code__.co_filename
    resolved = _with_compiled_helpers(function, {})
    options = {k: v for k, v in OPTIONS.items() if k != "nogil"}
    try:
        if not ours:
            return numba.cfunc(signature, **options)(resolved)
        return in_cache(lambda cached: numba.cfunc(signature, cache=cached, **options)(resolved))
    except numba.core.errors.NumbaError as error:
        code = function.__code__
        reason = str(error).strip().splitlines()[-1]
        raise GudgeonError(
            f"{label} ({code.co_filename}:{code.co_firstlineno}) cannot be compiled: {reason}; "
            "use only float arithmetic, branches, loops and functions of math"
        ) from error


def _with_compiled_helpers(function: Any, seen: dict[Any, Any]) -> Any:
    """The same function with the plain functions it calls by global name replaced by compiled ones."""
    import numba

    from gudgeon.native.kernel import OPTIONS

    if function in seen:
        return seen[function]
    scope = dict(function.__globals__)
    copy = types.FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    seen[function] = copy
    for name in function.__code__.co_names:
        value = scope.get(name)
        if isinstance(value, types.FunctionType):
            scope[name] = numba.njit(**OPTIONS)(_with_compiled_helpers(value, seen))
    return copy


