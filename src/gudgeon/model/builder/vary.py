"""The same mechanism with one thing changed: other fits, or one number at a dotted path."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gudgeon.model.fits import Fit, Ideal
from gudgeon.model.names import about, unknown
from gudgeon.model.parts.joint import Joint
from gudgeon.quantity import GudgeonError, closest, in_words

if TYPE_CHECKING:
    from gudgeon.model.builder.mechanism import Mechanism

__all__ = ["VariedNumber", "copied", "locked", "numbers", "refit", "tightened", "vary"]

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


class VariedNumber(NamedTuple):
    """One number of a mechanism: what it is [SI] and how to make the mechanism with another one."""

    value: float
    put: Callable[[Any], Mechanism]


def refit(mechanism: Mechanism, fits: Mapping[str, Fit | Mapping[str, Fit]]) -> Mechanism:
    """A new mechanism with other fits."""
    other = copied(mechanism)
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
    known = numbers(mechanism)
    if path not in known:
        raise _unknown_path(mechanism, path, known)
    with about(f'vary "{path}"'):
        return known[path].put(value)


def locked(mechanism: Mechanism) -> Mechanism:
    """The mechanism at a standstill: drives hold their joints where they start, controllers ask for no speed."""
    other = copied(mechanism)
    for name, drive in other.drives.items():
        other._drives[name] = replace(drive, speed=0.0, motion=None, unit=None)
    for name, controller in other.controllers.items():
        other._controllers[name] = replace(controller, speed=0.0)
    return other


def tightened(mechanism: Mechanism) -> Mechanism | None:
    """The mechanism with ideal joints in place of those with play; None where none has. Rubber mounts and contacts from
    outside stay what they are: ideal, a mount would weld its bodies together."""
    loose = [j.name for j in mechanism.joints.values() if any(not f.ideal and not f.reserved for f in j.fit.values())]
    return refit(mechanism, dict.fromkeys(loose, Ideal())) if loose else None


def numbers(mechanism: Mechanism) -> dict[str, VariedNumber]:
    """Every number that can be varied, by path."""
    paths: dict[str, VariedNumber] = {}
    for group, names in _GROUPS.items():
        for part_name, part in getattr(mechanism, group).items():
            for name in names:
                value = getattr(part, name, None)
                if isinstance(value, float):
                    put = _part_putter(mechanism, group, part_name, name)
                    paths[f"{part_name}.{name}"] = VariedNumber(value, put)
    for body in mechanism.bodies.values() if not mechanism.planar else ():
        for field, words in _VECTORS.items():
            for k, (word, value) in enumerate(zip(words, getattr(body, field), strict=False)):
                paths[f"{body.name}.{field}.{word}"] = VariedNumber(
                    value, _component_putter(mechanism, body.name, field, k)
                )
    for beam in mechanism.beams.values():
        for item in fields(beam.section) if mechanism.planar else ():
            put = _section_putter(mechanism, beam.name, item.name)
            paths[f"{beam.name}.{item.name}"] = VariedNumber(getattr(beam.section, item.name), put)
    for joint in mechanism.joints.values():
        paths |= _fit_numbers(mechanism, joint)
    return paths


def copied(mechanism: Mechanism) -> Mechanism:
    """The parts are immutable and stay shared; the tables are not."""
    other = copy.copy(mechanism)
    for name, value in vars(mechanism).items():
        if isinstance(value, dict):
            setattr(other, name, dict(value))
    return other


def _part_putter(mechanism: Mechanism, group: str, part: str, field: str) -> Callable[[Any], Mechanism]:
    def put(value: Any) -> Mechanism:
        other = copied(mechanism)
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
        other = copied(mechanism)
        old = other._beams[beam]
        other._beams[beam] = replace(old, section=replace(old.section, **{field: value}))
        return other

    return put


def _fit_numbers(mechanism: Mechanism, joint: Joint) -> dict[str, VariedNumber]:
    """Numbers of the fits: joint.field, or joint.mate.field where two mates have it."""
    every = [(mate, number) for mate, fit in joint.fit.items()
             for number in fit.numbers(joint.mates[mate], joint.pair(mate))]  # fmt: skip
    names = [number.name for _, number in every]
    paths = {}
    for mate, number in every:
        several = names.count(number.name) > 1
        path = f"{joint.name}.{mate}.{number.name}" if several else f"{joint.name}.{number.name}"
        paths[path] = VariedNumber(number.value, _fit_putter(mechanism, joint.name, mate, number.changed))
    return paths


def _fit_putter(
    mechanism: Mechanism, joint: str, mate: str, change: Callable[[Any], Fit]
) -> Callable[[Any], Mechanism]:
    return lambda value: refit(mechanism, {joint: {mate: change(value)}})


def _unknown_path(mechanism: Mechanism, path: str, known: Mapping[str, VariedNumber]) -> GudgeonError:
    start = f'vary "{path}"'
    name, _, field = str(path).partition(".")
    own = [other for other in known if other.startswith(f"{name}.")]
    if field.endswith("friction") and name in mechanism.joints:
        return GudgeonError(
            f'{start}: joint "{name}" has no friction law; '
            "refit it with Ideal(friction=ModifiedCoulomb(...)) or Clearance(..., friction=...) first"
        )
    joint = mechanism.joints.get(name)
    if joint is not None and all(fit.ideal for fit in joint.fit.values()) and path not in known:
        return GudgeonError(
            f'{start}: joint "{name}" is ideal and has no "{field}"; give it a fit first, in a file '
            "fit: {clearance: {radial_clearance: 0.1 mm, wall: ...}}, in Python "
            f'refit({name}=Clearance("0.1 mm", wall=...))'
        )
    if not own:
        names = dict.fromkeys(other.partition(".")[0] for other in known)
        return GudgeonError(f"{start}: {unknown('part', name, names)}")
    likely = closest(path, own)
    hint = f'did you mean "{likely}"? ' if likely else ""
    return GudgeonError(f"{start}: unknown parameter; {hint}possible: {in_words(own)}")
