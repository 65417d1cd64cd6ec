"""Laws, materials and joints as they describe themselves: words, formula, parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

from gudgeon import laws
from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw, Material
from gudgeon.laws.law import Law
from gudgeon.model.builder.joints import JointMaker
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS

__all__ = ["Parameter", "families", "formula", "joint_words", "materials", "parameters", "sentence", "used"]

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
    return {
        "wall": ContactLaw.registry,
        "friction": FrictionLaw.registry,
        "liner": LinerLaw.registry,
        "film": FilmLaw.registry,
    }


def materials() -> dict[str, Material]:
    """Materials that have a name, by the name that model files use."""
    return {value.name: value for value in vars(laws).values() if isinstance(value, Material)}


def sentence(thing: type) -> str:
    """The first sentence of a class."""
    return (inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


def formula(law: type[Law]) -> str:
    """The description of the law's module, formulas set apart."""
    return (getattr(inspect.getmodule(law), "__doc__", None) or "").strip()


def parameters(law: type[Law]) -> list[Parameter]:
    """Every field of a law with its unit and meaning from the docstrings; what must be given comes first."""
    described = {name: (unit, words) for cls in reversed(law.__mro__) for name, unit, words in _described(cls)}
    rows = []
    for item in fields(law):  # type: ignore[arg-type]
        unit, words = described.get(item.name, ("-", ""))
        rows.append(Parameter(item.name, unit, _default(item), words))
    # what must be given comes first
    return sorted(rows, key=lambda parameter: parameter.default != "")


def _described(cls: type) -> Iterator[tuple[str, str, str]]:
    for line in (cls.__dict__.get("__doc__") or "").splitlines():
        match = _PARAMETER.match(line.strip())
        if match:
            yield match[1], match[2], match[3] or ""


def _default(item: Field[Any]) -> str:
    if item.default is MISSING:
        return "" if item.default_factory is MISSING else "…"
    if isinstance(item.default, Material):
        return item.default.name
    return "from the rest" if item.default is None else f"{item.default}"


def used(mechanism: Any) -> list[Any]:
    """The laws of a mechanism's fits and stops, in the order of its joints."""
    laws_used: list[Any] = []
    for joint in mechanism.joints.values():
        holders = [*joint.fit.values(), *joint.stops.values()]
        for holder in holders:
            laws_used += [getattr(holder, role, None) for role in families()]
    return [law for law in laws_used if law is not None]


def joint_words(name: str) -> str:
    """What a joint of this kind is, in a sentence."""
    kind = SPATIAL_KINDS[name] if name in SPATIAL_KINDS else KINDS[name]
    if kind.name != name:
        return f"Another name of {kind.name}."
    maker = getattr(JointMaker, kind.method or name)
    words = (maker.__doc__ or f"a {name} joint").split(";")[0].strip().removeprefix("Add ")
    text = " ".join(words.split()).rstrip(".") + "."
    return text[0].upper() + text[1:]
