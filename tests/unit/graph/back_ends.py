"""Running a module by either back end, at a point given as plain numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from gudgeon.assemble import call_address
from gudgeon.compile.graph import Graph, Module, Opaque, Scalar, llvm, python
from gudgeon.compile.graph.module import PREPARE

_kept = []  # callbacks must outlive the machine code that calls them


@dataclass(frozen=True)
class Point:
    """Values of the inputs of a module."""

    t: float = 0.25
    y: tuple[float, ...] = (0.75, -1.25, 0.5)
    p: tuple[float, ...] = (1.5, -0.625, 2.25)
    m: tuple[float, ...] = (0.0, 0.0)

    @property
    def values(self) -> list[float]:
        return [self.t, *self.y, *self.p]


def symbols(graph: Graph, point: Point) -> list[Scalar]:
    """The inputs of `point.values`, as symbols."""
    return [graph.input("t"), *graph.inputs("y", len(point.y)), *graph.inputs("p", len(point.p))]


def run_python(module: Module, point: Point, name: str = "f") -> np.ndarray:
    functions = python.compile_module(module)
    return _run(module, point, name, lambda name, *args: functions[name](*args))


def run_llvm(module: Module, point: Point, name: str = "f", *, exact: bool = True) -> np.ndarray:
    addresses = llvm.compile_module(module, exact=exact)
    return _run(module, point, name, lambda name, *args: call_address(addresses[name], *args))


def _run(module: Module, point: Point, name: str, call: Callable[..., None]) -> np.ndarray:
    p = np.zeros(module.parameters + module.prepared + 1)
    p[: module.parameters] = point.p[: module.parameters]
    y, m = np.array([*point.y, 0.0]), np.array([*point.m, 0.0])
    out = np.zeros(len(module.functions[name].outputs) + 1)
    call(PREPARE, 0.0, y, p, m, p[module.parameters :])
    call(name, point.t, y, p, m, out)
    return out[:-1]


def value(node: Scalar, point: Point | None = None) -> float:
    """One node, by the Python back end."""
    point = point or Point()
    return float(run_python(Module(node.graph, {"f": [node]}, len(point.p)), point)[0])


def python_opaque(function: Callable[..., float], arguments: int, *, block: bool = False, name: str = "",
                  partials: Sequence[Opaque | None] = ()) -> Opaque:  # fmt: skip
    """An opaque function whose machine address leads back to the Python function."""
    pointer = [ctypes.POINTER(ctypes.c_double)] if block else []
    callback = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * arguments, *pointer)(function)
    _kept.append(callback)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    return Opaque(name or function.__name__.strip("<>"), function, lambda: address, partials)
