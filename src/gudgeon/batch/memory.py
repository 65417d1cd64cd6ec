"""The record of a march (methods/march/memory.py) as variables of a function that is being compiled.

The same fields under the same names: numbers become variables, or are known while compiling; arrays become local ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gudgeon.assemble import System
from gudgeon.compile.native.record import RecordClass
from gudgeon.compile.python.reader import Reader
from gudgeon.compile.python.values import Array, Bundle, Cell
from gudgeon.methods.march.memory import GAP_COLUMNS, March

__all__ = ["arrays_of", "march_bundle", "record_bundle"]

KINDS = {"float": "real", "integer": "int", "floats": "real", "matrix": "real", "integers": "int", "table": "int"}


def arrays_of(system: System, states: int, rows: int) -> dict[str, tuple[int, ...]]:
    """Shapes of the arrays of a march of an explicit method with contacts that follow force laws."""
    contacts = max(1, system.events)
    gaps = (contacts, GAP_COLUMNS)
    correction = system.positions + system.velocities + 2 * system.rows
    return {
        "y": (states,), "new": (states,), "out": (states,), "m": (system.memory,), "k": (rows, states),
        "atol": (states,), "gap": gaps, "gap_new": gaps, "gap_within": gaps, "gap_before": gaps,
        "correction": (max(1, correction),), "peak_force": (contacts,), "peak_time": (contacts,),
        "peak_depth": (contacts,), "slope": (contacts,), "crest": (contacts,),
    }  # fmt: skip


def record_bundle(reader: Reader, record: RecordClass, known: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of a record: those that are known, and variables for the others."""
    return {
        name: known[name] if name in known else Cell(KINDS[field.kind], reader.variable(KINDS[field.kind]))
        for name, field in record.layout.items()
        if name in known or field.kind in ("float", "integer")
    }


def march_bundle(reader: Reader, system: System, known: Mapping[str, Any], arrays: Mapping[str, Any],
                 **more: Any) -> Bundle:  # fmt: skip
    """The record of a march of `system`; what is `known` is written into the code."""
    sizes = {
        "positions": system.positions, "velocities": system.velocities, "constraints": system.rows,
        "contacts": system.events, "controlled": system.controlled, "projects": int(system.projected),
        "projectable": int(system.rows > 0 or system.positions != system.velocities),
        "hard": 0, "after_event": 0.0,
    }  # fmt: skip
    first, count = system.bristles[::2].tolist(), system.bristles[1::2].tolist()
    fixed = {
        "bristle_first": Array("int", None, (len(first),), dict(enumerate(first))),
        "bristle_count": Array("int", None, (len(count),), dict(enumerate(count))),
    }  # fmt: skip
    return Bundle(**record_bundle(reader, March, sizes | dict(known)), **fixed, **arrays, **more)
