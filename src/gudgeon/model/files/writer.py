"""Writes a mechanism as a model file that comes back the same to the last digit."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import MISSING, fields
from typing import Any

from gudgeon.laws import Law, Material
from gudgeon.model.builder.mechanism import Mechanism
from gudgeon.model.files.layout import BY_JOINT, entries_of, material_names
from gudgeon.model.files.parts import same_material
from gudgeon.model.files.source import scalar
from gudgeon.model.fits import Fit, Ideal, Loose
from gudgeon.model.fits.iso286 import clearance_of, iso_fit
from gudgeon.model.formula import Formula
from gudgeon.model.parts import SpatialJoint
from gudgeon.model.parts.body import Point
from gudgeon.model.parts.joint import Joint
from gudgeon.model.run_settings import RunSettings
from gudgeon.quantity import GudgeonError, Part

__all__ = ["SCHEMA_LINE", "dump"]

SCHEMA_LINE = "# yaml-language-server: $schema=gudgeon.schema.json"
_WIDEST = 110
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[ ./-][A-Za-z0-9_]+)*")


def dump(mechanism: Mechanism, run: RunSettings | None = None) -> str:
    """YAML text of a mechanism, and of run settings where given."""
    return "\n".join([SCHEMA_LINE, *_lines(_Describer(mechanism).file(run), 0), ""])


# -- a mechanism as mappings, lists, texts and numbers ------------------------------------------------------


class _Describer:
    """One mechanism; materials that gudgeon does not have are collected on the way."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.materials: dict[str, Material] = {}

    def file(self, run: RunSettings | None) -> dict[str, Any]:
        m = self.mechanism
        rigid = {name: body for name, body in m.bodies.items() if name not in m.modal_links}
        groups = {
            "bodies": rigid, "modal_links": m.modal_links, "beams": m.beams, "joints": m.joints, "drives": m.drives,
            "motors": m.motors, "controllers": m.controllers, "springs": m.springs,
            "torsion_springs": m.torsion_springs, "forces": m.forces, "torques": m.torques,
        }  # fmt: skip
        sections: dict[str, Any] = {}
        for section, parts in groups.items():
            described = {name: self.part(part, _title(part)) for name, part in parts.items()}
            if section in BY_JOINT:
                described = {name: self.drive(name, data) for name, data in described.items()}
            if described or section == "bodies":
                sections[section] = described
        own = {name: self.part(value, f'material "{name}"') for name, value in self.materials.items()}
        space = {} if m.planar else {"planar": False}
        head: dict[str, Any] = {"name": m.name, **space, "gravity": list(m.gravity)}
        head |= {} if m.start == "ideal" else {"start": m.start}
        head |= {"materials": own} if own else {}
        given = {} if run is None else run.arguments()
        return head | sections | ({"run": {name: _items(value) for name, value in given.items()}} if given else {})

    def part(self, part: Part, title: str) -> dict[str, Any]:
        """The fields that differ from their default."""
        defaults = {item.name: item.default for item in fields(part)}  # type: ignore[arg-type]
        data: dict[str, Any] = {}
        for name in entries_of(type(part)):
            value, default = getattr(part, name), defaults[name]
            if name == "fit" and isinstance(part, Joint):
                fit = self.fits(part)
                data |= {} if fit is None else {"fit": fit}
            elif name == "axis" and value is not None and len(value) == 2:
                data[name] = list(_unchanged(value))
            elif name == "stop" and isinstance(part, SpatialJoint):
                data |= self.stops(part)
            elif default is MISSING or repr(value) != repr(default) or self.tells(part, name):
                data[name] = self.value(value, title, name)
        return data

    def drive(self, joint: str, data: dict[str, Any]) -> dict[str, Any]:
        """Without what the name and the kind of the joint say."""
        plain = ("joint", "direction") if len(self.mechanism.joints[joint].kind.directions) == 1 else ("joint",)
        return {name: value for name, value in data.items() if name not in plain}

    def stops(self, joint: SpatialJoint) -> dict[str, Any]:
        """One stop where one direction is free, else by direction."""
        described = {side: self.part(stop, joint.title) for side, stop in joint.stops.items()}
        if not described:
            return {}
        return {"stop": described if len(joint.kind.directions) > 1 else next(iter(described.values()))}

    def tells(self, part: Part, name: str) -> bool:
        """A default that readers of the file want to see."""
        return name == "material" and getattr(part, "stiffness", None) is None

    def value(self, value: Any, title: str, name: str) -> Any:
        if isinstance(value, Material):
            return self.material(value)
        if isinstance(value, Law):
            return {"law": self.law(value, title), **self.part(value, f"{type(value).__name__} of {title}")}
        if isinstance(value, Part):
            return self.part(value, title)
        if isinstance(value, Formula):
            return value
        if isinstance(value, tuple | list):
            return [self.value(item, title, f"{name}[{k}]") for k, item in enumerate(value)]
        if hasattr(value, "mates"):
            return value.name
        if isinstance(value, bool | int | float | str):
            return value
        if callable(value):
            raise GudgeonError(
                f"{title}: {name} is a Python function, which a file cannot hold; "
                f'write {name}=Formula("100*sin(20*t)") from gudgeon.model, which may read channels such as bob.x'
            )
        raise GudgeonError(f"{title}: {name} {value!r} cannot be written to a file; use numbers and texts")

    def law(self, law: Law, title: str) -> str:
        name = type(law).__name__
        if type(law).registry.get(name) is not type(law):
            raise GudgeonError(f"{title}: the law {name} is not registered, so that no file could name it")
        return name

    def material(self, value: Material) -> Any:
        """A name where it is clear, all numbers where another material has it."""
        if material_names().get(value.name) == value:
            return value.name
        taken = [*material_names(), *(name for name, other in self.materials.items() if other != value)]
        if any(same_material(value.name, name) for name in taken):
            return {"name": value.name, **self.part(value, f'material "{value.name}"')}
        self.materials[value.name] = value
        return value.name

    def fits(self, joint: Joint) -> Any:
        given = {mate: fit for mate, fit in joint.fit.items() if fit != Ideal()}
        described = {mate: self.fit(fit, f'{joint.title}, contact pair "{mate}"') for mate, fit in given.items()}
        if not given:
            return None
        return described if len(joint.kind.mates) > 1 else next(iter(described.values()))

    def fit(self, fit: Fit, title: str) -> dict[str, Any]:
        data = self.part(fit, title)
        iso = data.get("iso")
        if isinstance(fit, Loose) and iso is not None:
            for limit in ("mean", "minimum", "maximum"):
                if _iso_clearance(iso, limit) == fit.radial_clearance:
                    rest = {name: value for name, value in data.items() if name not in ("iso", "radial_clearance")}
                    return {"iso": iso, **({} if limit == "mean" else {"limit": limit}), **rest}
        return {type(fit).__name__.lower(): data}


def _iso_clearance(iso: str, limit: Any) -> float | None:
    try:
        return clearance_of(iso_fit(iso), limit)
    except GudgeonError:
        return None


def _title(part: Part) -> str:
    return str(getattr(part, "title", type(part).__name__))


def _items(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _unchanged(axis: Point) -> Point:
    """A vector that a joint normalises to exactly this axis; dividing a unit vector again may move its last digit."""

    def normal(x: float, y: float) -> Point:
        size = math.hypot(x, y)
        return (x / size, y / size)

    x, y = axis
    for scale in itertools.chain((1.0,), (1.0 + k / 16 for k in range(1, 400))):
        for trial in ((x * scale, y * scale), *_neighbours(x * scale, y * scale)):
            if normal(*trial) == axis:
                return trial
    return axis


def _neighbours(x: float, y: float) -> list[Point]:
    xs, ys = ((math.nextafter(v, -math.inf), v, math.nextafter(v, math.inf)) for v in (x, y))
    return list(itertools.product(xs, ys))


# -- as text ------------------------------------------------------------------------------------------------


def _lines(data: dict[str, Any], indent: int) -> list[str]:
    """Block style; what fits into a line stands in one."""
    lines = []
    for name, value in data.items():
        start = f"{' ' * indent}{_text(name)}:"
        line = f"{start} {_flow(value)}"
        fits = len(line) <= _WIDEST and (_depth(value) <= 2 if indent else _depth(value) == 1)
        if isinstance(value, list) and value and all(isinstance(item, list) for item in value):
            # a matrix, row by row
            lines += [start, *(f"{' ' * indent}  - {_flow(item)}" for item in value)]
        elif not isinstance(value, dict) or not value or fits:
            lines.append(line)
        else:
            lines += [start, *_lines(value, indent + 2)]
    return lines


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max((_depth(item) for item in value.values()), default=0)
    return 9 if isinstance(value, list) and any(isinstance(item, list) for item in value) else 0


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)}: {_flow(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(float(value))
    return _quoted(value.text) if isinstance(value, Formula) else _text(value)


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise GudgeonError(f"the number {value} cannot be written to a file; check the sizes of the mechanism")
    whole = abs(value) < 1e6 and value.is_integer() and (value or math.copysign(1.0, value) > 0)
    if whole:
        return str(int(value))
    digits, _, power = f"{value:.16e}".partition("e")
    short = f"{float(digits)!r}e{int(power)}".replace(".0e", "e")
    return short if len(short) < len(repr(value)) and float(short) == value else repr(value)


def _text(value: str) -> str:
    """Bare where YAML reads the same text back."""
    return value if _PLAIN.fullmatch(value) and scalar(value) == value else _quoted(value)


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else _escape(c) for c in escaped) + '"'


def _escape(c: str) -> str:
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
