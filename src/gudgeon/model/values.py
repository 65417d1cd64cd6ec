"""Values that wait for their unit, rad or m by the joint's free direction, and values that change in time."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from gudgeon.model.names import shown
from gudgeon.quantity import GudgeonError, example_of, quantity

__all__ = ["Signal", "read_either", "read_function", "read_signal", "size_text"]

_BARE = re.compile(r"\s*[-+\d.eE]+\s*")

# a number, or a function of the time [s]
Signal: TypeAlias = float | Callable[[float], float]


def read_either(value: Any, units: Sequence[str], name: str) -> tuple[float, str | None]:
    """SI number and the one of `units` that a string named; None for a number without a unit."""
    if not isinstance(value, str):
        return quantity(value, " or ".join(units), name), None
    if _BARE.fullmatch(value):
        return quantity(value, units[0], name), None
    refusals = []
    for unit in units:
        try:
            return quantity(value, unit, name), unit
        except GudgeonError as error:
            refusals.append(error)
    plain = [error for error in refusals if "wrong dimension" not in str(error)]
    if plain:
        # where a symbol that was likely meant fits one of the units
        raise next((error for error in plain if "did you mean" in str(error)), plain[0])
    special = [error for error in refusals if "write for instance" not in str(error)]
    if special:
        raise special[0]
    expected = " or ".join(f"[{unit}]" for unit in units)
    examples = " or ".join(f'"{example_of(unit)}"' for unit in units)
    raise GudgeonError(
        f"{name} {shown(value)} has the wrong dimension: expected {expected}; write for instance {examples}"
    )


def read_function(value: Any, unit: str, name: str) -> tuple[Callable[[float], float], float]:
    """A function of time and its value at t = 0, where it must give a finite number."""
    try:
        start = value(0.0)
    except Exception as error:
        raise GudgeonError(
            f"{name} must be a function of the time alone: at t = 0 it raised {type(error).__name__}: {error}; "
            "it must have a finite value there"
        ) from error
    try:
        number = math.nan if isinstance(start, str) else float(start)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise GudgeonError(f"{name} gives {shown(start)} at t = 0; it must return a finite number [{unit}]")
    return value, number


def read_signal(value: Any, unit: str, name: str) -> Signal:
    """SI number from a number or a string, or a checked function of time."""
    return read_function(value, unit, name)[0] if callable(value) else quantity(value, unit, name)


def size_text(size: float) -> str:
    """A length in the unit people use for it: 0.01 -> "10 mm"."""
    for unit, scale in (("m", 1.0), ("mm", 1e3)):
        if abs(size) * scale >= 0.1:
            return f"{size * scale:g} {unit}"
    return f"{size * 1e6:g} um"
