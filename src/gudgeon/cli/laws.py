"""Laws as they describe themselves: words, formula, parameters, validity, reference."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gudgeon.laws import Material
    from gudgeon.laws.law import Law

__all__ = ["Parameter", "families", "formula", "materials", "parameters", "sentence", "used"]

_PARAMETER = re.compile(r"^(\w+) \[([^\]]*)\](?:: (.*))?$")


@dataclass(frozen=True)
class Parameter:
    """One field of a law: its unit, its default as text ("" where it must be given), and its meaning."""

    name: str
    unit: str
    default: str
    words: str


def families() -> dict[str, dict[str, type[Law]]]:
    """Role in a fit -> laws by name."""
    from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw

    return {
        "wall": ContactLaw.registry,
        "friction": FrictionLaw.registry,
        "liner": LinerLaw.registry,
        "film": FilmLaw.registry,
    }


def materials() -> dict[str, Material]:
    """Materials that have a name, by the name that model files use."""
    from gudgeon import laws

    found = [value for value in vars(laws).values() if isinstance(value, laws.Material)]
    return {material.name: material for material in found}


def sentence(thing: type) -> str:
    """The first sentence of a class."""
    return (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def formula(law: type[Law]) -> str:
    """The description of the law's module, formulas set apart."""
    return (getattr(inspect.getmodule(law), "__doc__", None) or "").strip()


def parameters(law: type[Law]) -> list[Parameter]:
    """Every field with what the classes say about it."""
    said = {name: (unit, words) for cls in reversed(law.__mro__) for name, unit, words in _described(cls)}
    found = []
    for item in fields(law):  # type: ignore[arg-type]
        unit, words = said.get(item.name, ("-", ""))
        found.append(Parameter(item.name, unit, _default(item), words))
    # what must be given comes first
    return sorted(found, key=lambda parameter: parameter.default != "")


def _described(cls: type) -> Iterator[tuple[str, str, str]]:
    for line in (cls.__dict__.get("__doc__") or "").splitlines():
        match = _PARAMETER.match(line.strip())
        if match:
            yield match[1], match[2], match[3] or ""


def _default(item: Field[Any]) -> str:
    from gudgeon.laws import Material

    if item.default is MISSING:
        return "" if item.default_factory is MISSING else "…"
    if isinstance(item.default, Material):
        return item.default.name
    return "from the rest" if item.default is None else f"{item.default}"


def used(mechanism: Any) -> list[Any]:
    """The laws of a mechanism's fits and stops, in the order of its joints."""
    found = []
    for joint in mechanism.joints.values():
        holders = [*joint.fit.values(), *joint.stops.values()]
        for holder in holders:
            found += [getattr(holder, role, None) for role in families()]
    return [law for law in found if law is not None]
