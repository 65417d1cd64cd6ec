"""Opaque scalar functions: plain Python compiled once to machine code, called by address.

A law is written as a plain function of floats; helpers it calls by name are compiled with it. Built-in laws and a
user's own law take the same road, so they run at the same speed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from typing import Any

from gudgeon.compile import python
from gudgeon.compile.graph import Opaque
from gudgeon.compile.native.tangent import tangent

NAME = "law"
_known: dict[tuple[Any, int, bool], Opaque] = {}


def opaque(function: Callable[..., float], arguments: int, *, block: bool = True, name: str = "",
           held: bool = False) -> Opaque:  # fmt: skip
    """The opaque form of double f(double x arguments[, double* p]); the same object for the same function."""
    key = (function, arguments, block)
    if key not in _known:
        label = name or function.__qualname__.replace(".", "_").replace("<", "").replace(">", "")
        compiled: list[tuple[int, Any]] = []

        def address() -> int:
            if not compiled:
                compiled.append(_compile(function, arguments, block))
            return int(compiled[0][0])

        _known[key] = Opaque(label, function, address, _Partials(function, arguments, block, label), held=held,
                             identity=lambda: _identity(function, arguments, block))  # fmt: skip
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


def _compile(function: Callable[..., float], arguments: int, block: bool) -> tuple[int, Any]:
    """Machine address of an opaque function, and what must be kept for it to stay."""
    code = python.compiled(_identity(function, arguments, block), lambda: _text(function, arguments, block))
    addresses, kept = python.load(code, [NAME])
    return addresses[NAME], kept


OURS = ("gudgeon.", "gudgeon_tangent_")  # modules whose sources name the cache, or whose name is a hash of their text


def _identity(function: Callable[..., float], arguments: int, block: bool) -> str:
    """Where one of our functions is found; of others, which may change while the cache stays, a hash of their code."""
    place: Any = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        place = getattr(place, name, None)
    if function.__module__.startswith(OURS) and getattr(place, "__func__", place) is function:
        return f"{function.__module__}.{function.__qualname__} {arguments} {block}"
    return hashlib.sha256(_text(function, arguments, block).encode()).hexdigest()


def _text(function: Callable[..., float], arguments: int, block: bool) -> str:
    """An opaque function as LLVM code."""
    from llvmlite import ir

    double = ir.DoubleType()
    unit = python.CompilationUnit()
    kind = ir.FunctionType(double, [*[double] * arguments, *[double.as_pointer()] * block])
    unit.c_function(function, kind, NAME)
    return str(unit.module)
