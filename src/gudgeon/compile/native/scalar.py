"""Opaque scalar functions: plain Python compiled once to machine code, called by address.

A law is written as a plain function of floats; helpers it calls by name are compiled with it. Built-in laws and a
user's own law take the same road, so they run at the same speed.
"""

from __future__ import annotations

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


def _compile(function: Callable[..., float], arguments: int, block: bool) -> tuple[int, Any]:
    """Machine address of an opaque function, and what must be kept for it to stay."""
    from llvmlite import ir

    double = ir.DoubleType()
    unit = python.CompilationUnit()
    kind = ir.FunctionType(double, [*[double] * arguments, *[double.as_pointer()] * block])
    unit.c_function(function, kind, NAME)
    return python.host(str(unit.module), NAME)
