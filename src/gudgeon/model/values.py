"""Values that wait for their unit: rad or m by the joint's free direction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gudgeon.model.names import shown
from gudgeon.quantity import GudgeonError, example_of, quantity

__all__ = ["read_either", "size_text"]

_BARE = re.compile(r"\s*[-+\d.eE]+\s*")


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


def size_text(size: float) -> str:
    """A length in the unit people use for it: 0.01 -> "10 mm"."""
    for unit, scale in (("m", 1.0), ("mm", 1e3)):
        if abs(size) * scale >= 0.1:
            return f"{size * scale:g} {unit}"
    return f"{size * 1e6:g} um"
