"""The same mechanism with one thing changed: other fits, or one number at a dotted path."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gudgeon.model.fits import Bushing, Clearance, Fit, Lubricated, Touching
from gudgeon.model.fits.elastic import MOTIONS, Elastic
from gudgeon.model.names import about, unknown
from gudgeon.model.parts.joint import Joint
from gudgeon.quantity import GudgeonError, Part, closest, in_words

if TYPE_CHECKING:
    from gudgeon.model.builder.mechanism import Mechanism

__all__ = ["Slot", "locked", "refit", "slots", "vary"]

_GROUPS = {
    "_bodies": ("mass", "inertia", "spin"),
    "_modal_links": ("mass", "EI", "rotary", "damping", "spin"),
    "_beams": ("damping", "spin"),
    "_springs": ("stiffness", "free_length", "damping", "preload"),
    "_torsion_springs": ("stiffness", "free_angle", "damping"),
    "_joints": ("radius", "length", "width", "journal_radius", "journal_length", "pitch"),
    "_drives": ("speed",),
    "_motors": ("voltage", "resistance", "back_emf", "torque_constant", "inductance", "rotor_inertia", "gear",
                "current"),
    "_controllers": ("speed", "gain", "integral", "limit", "preset"),
}  # fmt: skip
# fields of bodies of space with several numbers, and how these are called
_VECTORS = {"inertia": ("xx", "yy", "zz", "xy", "xz", "yz"), "velocity": ("x", "y", "z"), "spin": ("x", "y", "z")}


class Slot(NamedTuple):
    """One number of a mechanism: what it is [SI] and how to make the mechanism with another one."""

    value: float
    put: Callable[[Any], Mechanism]


def refit(mechanism: Mechanism, fits: Mapping[str, Fit | Mapping[str, Fit]]) -> Mechanism:
    """A new mechanism with other fits."""
    other = _copy(mechanism)
    for name, fit in fits.items():
        if name not in other.joints:
            with about("refit"):
                raise unknown("joint", name, other.joints)
        joint = other.joints[name]
        merged: Any = {**joint.fit, **fit} if isinstance(fit, Mapping) else fit
        other._joints[name] = replace(joint, fit=merged)
    return other


def vary(mechanism: Mechanism, path: str, value: Any) -> Mechanism:
    """A new mechanism with the number at `path` changed."""
    known = slots(mechanism)
    if path not in known:
        raise _unknown_path(mechanism, path, known)
    with about(f'vary "{path}"'):
        return known[path].put(value)


def locked(mechanism: Mechanism) -> Mechanism:
    """The mechanism at a standstill: drives hold their joints where they start, controllers ask for no speed."""
    other = _copy(mechanism)
    for name, drive in other.drives.items():
        other._drives[name] = replace(drive, speed=0.0, motion=None, unit=None)
    for name, controller in other.controllers.items():
        other._controllers[name] = replace(controller, speed=0.0)
    return other


def slots(mechanism: Mechanism) -> dict[str, Slot]:
    """Every number that can be varied, by path."""
    found: dict[str, Slot] = {}
    for group, names in _GROUPS.items():
        for part_name, part in getattr(mechanism, group).items():
            for name in names:
                value = getattr(part, name, None)
                if isinstance(value, float):
                    put = _part_putter(mechanism, group, part_name, name)
                    found[f"{part_name}.{name}"] = Slot(value, put)
    for body in mechanism.bodies.values() if not mechanism.planar else ():
        for field, words in _VECTORS.items():
            for k, (word, value) in enumerate(zip(words, getattr(body, field), strict=False)):
                found[f"{body.name}.{field}.{word}"] = Slot(value, _component_putter(mechanism, body.name, field, k))
    for beam in mechanism.beams.values():
        for item in fields(beam.section) if mechanism.planar else ():
            put = _section_putter(mechanism, beam.name, item.name)
            found[f"{beam.name}.{item.name}"] = Slot(getattr(beam.section, item.name), put)
    for joint in mechanism.joints.values():
        found |= _fit_slots(mechanism, joint)
    return found


def _copy(mechanism: Mechanism) -> Mechanism:
    """The parts are immutable and stay shared; the tables are not."""
    other = copy.copy(mechanism)
    for name, value in vars(mechanism).items():
        if isinstance(value, dict):
            setattr(other, name, dict(value))
    return other


def _part_putter(mechanism: Mechanism, group: str, part: str, field: str) -> Callable[[Any], Mechanism]:
    def put(value: Any) -> Mechanism:
        other = _copy(mechanism)
        table = getattr(other, group)
        table[part] = replace(table[part], **{field: value})
        other.check()
        return other

    return put


def _component_putter(mechanism: Mechanism, body: str, field: str, k: int) -> Callable[[Any], Mechanism]:
    def put(value: Any) -> Mechanism:
        numbers = getattr(mechanism.bodies[body], field)
        return _part_putter(mechanism, "_bodies", body, field)((*numbers[:k], value, *numbers[k + 1 :]))

    return put


def _section_putter(mechanism: Mechanism, beam: str, field: str) -> Callable[[Any], Mechanism]:
    def put(value: Any) -> Mechanism:
        other = _copy(mechanism)
        old = other._beams[beam]
        other._beams[beam] = replace(old, section=replace(old.section, **{field: value}))
        return other

    return put


def _fit_slots(mechanism: Mechanism, joint: Joint) -> dict[str, Slot]:
    """Numbers of the fits: joint.field, or joint.mate.field where two mates have it."""
    numbers = [(mate, *number) for mate in joint.fit for number in _fit_numbers(joint, mate)]
    names = [name for _, name, _, _ in numbers]
    found = {}
    for mate, name, value, change in numbers:
        path = f"{joint.name}.{name}" if names.count(name) == 1 else f"{joint.name}.{mate}.{name}"
        found[path] = Slot(value, _fit_putter(mechanism, joint.name, mate, change))
    return found


def _fit_putter(
    mechanism: Mechanism, joint: str, mate: str, change: Callable[[Any], Fit]
) -> Callable[[Any], Mechanism]:
    return lambda value: refit(mechanism, {joint: {mate: change(value)}})


Number = tuple[str, float, Callable[[Any], Fit]]


def _fit_numbers(joint: Joint, mate: str) -> list[Number]:
    """Name, value and change of each number of one fit."""
    fit = joint.fit[mate]
    own: list[str] = []
    numbers: list[Number] = []
    if isinstance(fit, Clearance):
        own = [joint.clearances.get(mate, "radial_clearance"), "liner_thickness", "blend"]
        numbers = _law_numbers(joint, mate, fit, "wall", ("restitution", "stiffness", "exponent"), "")
        numbers += _law_numbers(joint, mate, fit, "liner", ("stiffness", "damping"), "liner_")
        numbers += _law_numbers(joint, mate, fit, "friction", ("coefficient",), "")
    elif isinstance(fit, Bushing):
        own = ["thickness", "blend"]
        prefix = "liner_" if fit.wall else ""
        numbers = _law_numbers(joint, mate, fit, "wall", ("restitution", "stiffness", "exponent"), "")
        numbers += _law_numbers(joint, mate, fit, "liner", ("stiffness", "damping"), prefix)
    elif isinstance(fit, Touching):
        numbers = _law_numbers(joint, mate, fit, "wall", ("restitution", "stiffness", "exponent"), "")
        numbers += _law_numbers(joint, mate, fit, "friction", ("coefficient",), "")
    elif isinstance(fit, Elastic):
        numbers = _matrix_numbers(fit)
    elif isinstance(fit, Lubricated):
        own = [joint.clearances.get(mate, "radial_clearance")]
        if fit.least_film is not None:
            # what the clearance gives is a number too
            numbers = [("minimum_film", fit.least_film, _changer(fit, "minimum_film"))]
        every = tuple(item.name for item in fields(fit.film))
        numbers += _law_numbers(joint, mate, fit, "film", every, "")
        numbers += _law_numbers(joint, mate, fit, "wall", ("restitution", "stiffness", "exponent"), "")
        numbers += _law_numbers(joint, mate, fit, "friction", ("coefficient",), "")
    given = [name for name in own if getattr(fit, name) is not None]
    return [(name, getattr(fit, name), _changer(fit, name)) for name in given] + numbers


def _matrix_numbers(fit: Elastic) -> list[Number]:
    """The diagonals and the couplings of a block, by the two motions that an entry joins."""
    numbers: list[Number] = []
    for field in ("stiffness", "damping"):
        matrix = getattr(fit, field)
        for a, b in itertools.combinations_with_replacement(range(6), 2):
            if a == b or matrix[a][b]:

                def change(new: Any, a: int = a, b: int = b, field: str = field, matrix: Any = matrix) -> Fit:
                    rows = [list(row) for row in matrix]
                    rows[a][b] = rows[b][a] = new
                    return replace(fit, **{field: rows})  # type: ignore[arg-type]

                name = MOTIONS[a] if a == b else f"{MOTIONS[a]}.{MOTIONS[b]}"
                numbers.append((f"{field}.{name}", matrix[a][b], change))
    return numbers


def _changer(fit: Fit, field: str) -> Callable[[Any], Fit]:
    return lambda value: replace(fit, **{field: value})  # type: ignore[type-var]


def _law_numbers(joint: Joint, mate: str, fit: Clearance | Bushing | Lubricated | Touching, role: str,
                 names: tuple[str, ...], prefix: str) -> list[Number]:  # fmt: skip
    law: Part | None = getattr(fit, role)
    if law is None:
        return []
    packed: dict[str, float] = law.pack(joint.pair(mate))  # type: ignore[attr-defined]
    numbers: list[Number] = []
    for item in fields(law):  # type: ignore[arg-type]
        # a stiffness from material and radii is a number too, once packed
        value = getattr(law, item.name)
        value = packed.get(item.name) if value is None else value
        if item.name in names and isinstance(value, float):

            def change(new: Any, field: str = item.name) -> Fit:
                return replace(fit, **{role: replace(law, **{field: new})})  # type: ignore[arg-type, type-var]

            name = "friction" if role == "friction" else prefix + item.name
            numbers.append((name, value, change))
    return numbers


def _unknown_path(mechanism: Mechanism, path: str, known: Mapping[str, Slot]) -> GudgeonError:
    start = f'vary "{path}"'
    name, _, field = str(path).partition(".")
    own = [other for other in known if other.startswith(f"{name}.")]
    if field.endswith("friction") and name in mechanism.joints:
        return GudgeonError(
            f'{start}: joint "{name}" has no friction law; '
            "refit it with Clearance(..., friction=ModifiedCoulomb(...)) first"
        )
    if name in mechanism.joints and not own:
        return GudgeonError(f'{start}: joint "{name}" is ideal and has no sizes; refit it with a Clearance first')
    if not own:
        names = dict.fromkeys(other.partition(".")[0] for other in known)
        return GudgeonError(f"{start}: {unknown('part', name, names)}")
    likely = closest(path, own)
    hint = f'did you mean "{likely}"? ' if likely else ""
    return GudgeonError(f"{start}: unknown parameter; {hint}possible: {in_words(own)}")
