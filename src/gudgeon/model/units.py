"""Units of the fields of a mechanism by their paths, for tables and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_type_hints

from gudgeon.model import Mechanism
from gudgeon.quantity import Part, _unit_of

__all__ = ["unit_of"]

# entries of the matrices of a mount, by how many of their two motions are rotations, and of what a body has in space
BLOCK = {"stiffness": ("N/m", "N/rad", "N m/rad"), "damping": ("N s/m", "N s/rad", "N m s/rad")}
VECTORS = {"inertia": "kg m^2", "velocity": "m/s", "spin": "rad/s"}


def unit_of(mechanism: Mechanism, path: str) -> str:
    """The SI unit of the field at a path; empty where it has none or none is known."""
    name, _, field = path.partition(".")
    whole, _, entry = field.partition(".")
    if entry and name in mechanism.joints and whole in BLOCK:
        # two rotations, a rotation and a shift, two shifts
        turns = sum(motion.startswith("r") for motion in (entry.split(".") * 2)[:2])
        return BLOCK[whole][turns]
    if entry and name in mechanism.bodies and whole in VECTORS:
        return VECTORS[whole]
    field = field.rpartition(".")[2]
    if name in mechanism.drives and field == "speed":
        return "rad/s" if mechanism.joints[name].kind.free == "rotation" else "m/s"
    signals = {"voltage": (mechanism.motors, "V"), "speed": (mechanism.controllers, "rad/s")}
    if field in signals and name in signals[field][0]:
        return signals[field][1]
    groups = (mechanism.bodies, mechanism.springs, mechanism.torsion_springs, mechanism.joints, mechanism.motors,
              mechanism.controllers)  # fmt: skip
    for group in groups:
        part: Any = group.get(name)
        for piece in _pieces(part) if isinstance(part, Part) else ():
            hints = get_type_hints(type(piece), include_extras=True)
            if field in hints and getattr(piece, field, None) is not None:
                unit, _ = _unit_of(hints[field])
                if unit is not None:
                    return "" if unit.unit == "1" else unit.unit
    return ""


def _pieces(part: Any) -> Iterator[Any]:
    """A part and the parts inside it: fits, and the laws of fits."""
    yield part
    for fit in getattr(part, "fit", {}).values() if hasattr(part, "fit") else ():
        yield fit
        for item in fields(fit):
            inner = getattr(fit, item.name)
            if isinstance(inner, Part):
                yield inner
