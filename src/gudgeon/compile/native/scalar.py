"""Opaque scalar functions: plain Python compiled once to machine code, called by address.

A law is written as a plain function of floats; helpers it calls by name are compiled with it. Built-in laws and a
user's own law take the same road, so they run at the same speed.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from gudgeon.compile.graph import Opaque
from gudgeon.compile.native import cache
from gudgeon.compile.native.tangent import tangent
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

        _known[key] = Opaque(label, function, address, _Partials(function, arguments, block, label), held=held)
    return _known[key]


class _Partials(Sequence[Opaque | float]):
    """Derivatives of an opaque function, each made when it is first asked for."""

    def __init__(self, function: Callable[..., float], arguments: int, block: bool, label: str) -> None:
        self._function, self._arguments, self._block, self._label = function, arguments, block, label
        self._found: dict[int, Opaque | float] = {}

    def __len__(self) -> int:
        return self._arguments

    def __getitem__(self, k: Any) -> Any:
        if not 0 <= k < self._arguments:
            raise IndexError(k)
        if k not in self._found:
            slope = tangent(self._function, k)
            name = f"{self._label}_by_{k}"
            self._found[k] = 0.0 if slope is None else opaque(slope, self._arguments, block=self._block, name=name)
        return self._found[k]


def _compile(function: Callable[..., float], arguments: int, block: bool, label: str) -> Any:
    import numba

    from gudgeon.compile.native.kernel import OPTIONS, in_cache

    pointer = [numba.types.CPointer(numba.float64)] if block else []
    signature = numba.float64(*[numba.float64] * arguments, *pointer)
    # a derivative's file is named by all that is in it; a user's own may call what Numba's cache does not watch
    places = [str(place) for place in (cache.PACKAGE, cache.directory()) if place is not None]
    ours = function.__code__.co_filename.startswith(tuple(places))
    resolved = _with_compiled_helpers(function, {})
    options = {k: v for k, v in OPTIONS.items() if k != "nogil"}
    try:
        if not ours:
            return numba.cfunc(signature, **options)(resolved)
        return in_cache(lambda cached: numba.cfunc(signature, cache=cached, **options)(resolved))
    except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
        code = function.__code__
        lines = [line.strip() for line in str(error).splitlines()]
        # what is wrong stands before where it was noticed
        reason = next(line for line in [*lines, "unknown"] if line and not line.startswith(("Failed in", "During:")))
        raise GudgeonError(
            f"{label} ({code.co_filename}:{code.co_firstlineno}) cannot be compiled: {reason}; "
            "use only float arithmetic, branches, loops and functions of math"
        ) from error


def _with_compiled_helpers(function: Any, seen: dict[Any, Any]) -> Any:
    """The same function with the plain functions it calls by global name replaced by compiled ones."""
    import numba

    from gudgeon.compile.native.kernel import OPTIONS

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
