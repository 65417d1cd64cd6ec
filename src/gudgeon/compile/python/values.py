"""What the compiler of this room computes with: numbers known at run time, arrays, and bundles of them.

Whatever else turns up while a function is read, a Python number for instance, is known at compile time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from llvmlite import ir

__all__ = ["BIT", "DOUBLE", "LONG", "Address", "Array", "Bundle", "Cell", "Number", "Reference"]

LONG, BIT = ir.IntType(64), ir.IntType(1)
DOUBLE = ir.DoubleType()


@dataclass(frozen=True)
class Number:
    """A value that only the running code knows; kind is "real" (a double), "int" or "bool"."""

    kind: str
    value: ir.Value


@dataclass(frozen=True)
class Array:
    """Numbers of one kind in memory, seen by index. `fixed` holds elements that never change, by their flat index."""

    kind: str
    pointer: ir.Value
    shape: tuple[Any, ...]
    fixed: Mapping[int, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Address:
    """A function of a system, f(t, y, p, m, out), where the time loop has a machine address."""

    function: ir.Function


@dataclass(frozen=True)
class Reference:
    """A record (compile.record) where it lies in memory: its fields are read and written there."""

    record: Any
    pointer: ir.Value  # to its first slot


@dataclass(frozen=True)
class Cell:
    """A number in memory under a name of a bundle: a variable that the functions that are read may change."""

    kind: str
    pointer: ir.Value


class Bundle:
    """Values by name, as a record has them: numbers that are known, cells, arrays, other bundles."""

    def __init__(self, **parts: Any) -> None:
        self.__dict__.update(parts)
