"""What may stand in a model file: the keys of every part, read off the classes that the parts are made of.

Reader, writer and schema share these entries, so a new field or a new law is in all of them at once.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, Law, LinerLaw, Material, material
from gudgeon.model.files.words import WORDS
from gudgeon.model.fits import Fit, Loose
from gudgeon.model.fits.elastic import Elastic, Matrix
from gudgeon.model.fits.stop import Stop
from gudgeon.model.joint_kinds import UNITS, JointKind
from gudgeon.model.parts import (
    SpatialBeam,
    SpatialBody,
    SpatialDrive,
    SpatialForce,
    SpatialJoint,
    SpatialSection,
    SpatialSpring,
    SpatialTorque,
)
from gudgeon.model.parts.beam import Beam
from gudgeon.model.parts.body import Body
from gudgeon.model.parts.controller import Controller
from gudgeon.model.parts.drive import Drive
from gudgeon.model.parts.joint import Joint
from gudgeon.model.parts.loads import Force, Spring, Torque, TorsionSpring
from gudgeon.model.parts.modal import ModalLink
from gudgeon.model.parts.motor import Motor
from gudgeon.model.parts.section import Section
from gudgeon.model.run_settings import RunSettings
from gudgeon.quantity import Part, Unit, _checked_fields, _unit_of

__all__ = [
    "BY_JOINT", "FAMILIES", "PLACES", "SECTIONS", "SPATIAL_SECTIONS", "Entry", "entries_of", "fits_by_word",
    "iso_entries", "iso_fits", "material_names", "run_entries", "section_entries", "shape_entries", "top_entries",
]  # fmt: skip

FAMILIES: dict[str, type[Law]] = {
    "contact": ContactLaw, "friction": FrictionLaw, "liner": LinerLaw, "film": FilmLaw,
}  # fmt: skip

_POINT_UNITS = {"velocity": "m/s", "spin": "rad/s", "axis": "", "arm": "", "up": "", "misalignment": "rad"}
_SIGNAL_UNITS: dict[tuple[type, str], tuple[str, ...]] = {
    (Drive, "speed"): ("rad/s", "m/s"),
    (Motor, "voltage"): ("V",),
    (Controller, "speed"): ("rad/s",),
    (Force, "components"): ("N",),
    (Torque, "value"): ("Nm",),
}
# vectors of one size or another: the sizes, and the unit of each size
_VECTORS: dict[tuple[type, str], tuple[tuple[int, ...], tuple[str, ...]]] = {
    (SpatialBody, "inertia"): ((3, 6), ("kg m^2", "kg m^2")),
    (SpatialBody, "orientation"): ((4, 3), ("", "rad")),
}
_OWN_WORDS: dict[tuple[type, str], str] = {
    (SpatialBody, "inertia"): "principal moments, or xx, yy, zz, xy, xz, yz, about the centre of mass",
    (SpatialJoint, "journal"): "the body with the shaft, ball or pad",
    (SpatialJoint, "bearing"): "the body with the bore, socket or plates",
    (SpatialJoint, "axis"): "the joint's axis in the world",
    (SpatialJoint, "radius"): "radius of the bore, socket or pad",
    (SpatialJoint, "length"): "length of the bearing",
    (Elastic, "stiffness"): "6 rows of 6 along x, y, z, rx, ry, rz in N/m, N/rad, N m/rad; or the diagonal alone",
    (Elastic, "damping"): "6 rows of 6 in N s/m, N s/rad, N m s/rad; or the diagonal alone",
    (SpatialForce, "components"): "force along x, y and z: numbers, or formulas; see `gudgeon show formula`",
    (SpatialTorque, "value"): "torque about x, y and z: numbers, or formulas; see `gudgeon show formula`",
    (SpatialTorque, "frame"): "whether the components rotate with the body",
    (Motor, "voltage"): "number, or formula; see `gudgeon show formula`",
    (Controller, "speed"): "number, or formula; see `gudgeon show formula`",
    (Beam, "velocity"): "velocity of its middle at the start",
    (Beam, "damping"): "damping time: section forces are those of strain + time x strain rate",
    (ModalLink, "velocity"): "velocity of its middle at the start",
    (ModalLink, "damping"): "ratio of the first mode",
    (ModalLink, "mass"): "mass of the whole link, together with EI instead of a section",
    (ModalLink, "elements"): "number of elements for computing the shapes; default: sines, or 16",
    (SpatialBeam, "velocity"): "velocity of its middle at the start",
    (SpatialBeam, "damping"): "damping time: section forces are those of strain + time x strain rate",
    (SpatialSection, "stiffness"): "of stretch, two shears, twist and two bendings, SI: a diagonal, or 6 rows",
    (SpatialSection, "inertia"): "per length, of three velocities and three spins, SI: a diagonal, or 6 rows",
    (Section, "mass"): "mass per length",
    (Section, "inertia"): "rotary inertia per length",
    (Torque, "point"): "point of a beam, from the middle of the beam along and across it",
}


_KNOWN: dict[type, dict[str, Entry]] = {}


@dataclass(frozen=True)
class Entry:
    """One key: its kind of value, what bounds it, whether it must be given, and words for people.

    kind: quantity, either, point, points, vector, signal, signals, formula, numbers, matrix, text, flag, count, choice,
    law, material, fit, stop, body, joint, list or any. sizes: how many components a point, vector or signals have.
    """

    name: str
    kind: str
    required: bool = False
    unit: Unit | None = None
    units: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (2,)
    choices: tuple[str, ...] = ()
    family: str = ""
    words: str = ""
    default: Any = None


def _plain(hint: Any) -> Any:
    """The type without None."""
    if get_origin(hint) in (Union, UnionType):
        rest = [option for option in get_args(hint) if option is not type(None)]
        if len(rest) == 1:
            return rest[0]
    return hint


def _sorted(cls: type, name: str, hint: Any) -> Entry:
    unit, _ = _unit_of(hint)
    if unit is not None:
        return Entry(name, "quantity", unit=unit, units=(unit.unit,))
    kind = _plain(hint)
    for base in cls.__mro__:
        if (base, name) in _SIGNAL_UNITS:
            size = 3 if cls in _IN_SPACE else 2
            many = name == "components" or cls is SpatialTorque
            return Entry(name, "signals" if many else "signal", units=_SIGNAL_UNITS[base, name], sizes=(size,))
    if (cls, name) in _VECTORS:
        sizes, units = _VECTORS[cls, name]
        return Entry(name, "vector", units=units, sizes=sizes)
    if (cls, name) == (SpatialDrive, "direction"):
        return Entry(name, "choice", choices=tuple(UNITS))
    if get_origin(kind) is Callable or kind is Callable or "Callable" in str(kind):
        return Entry(name, "formula")
    if kind is bool:
        return Entry(name, "flag")
    if kind is int:
        return Entry(name, "count", unit=Unit("", above=0.0))
    if kind is JointKind:
        return Entry(name, "choice", choices=tuple(cls.kinds))  # type: ignore[attr-defined]
    if get_origin(kind) is Literal:
        return Entry(name, "choice", choices=get_args(kind))
    for word, family in FAMILIES.items():
        if kind is family:
            return Entry(name, "law", family=word)
    if kind in (Section, SpatialSection):
        return Entry(name, "beam_section", family="space" if kind is SpatialSection else "plane")
    if kind is Stop or (cls is SpatialJoint and name == "stop"):
        return Entry(name, "stop")
    if get_origin(kind) is not None and issubclass(_origin(kind), Mapping):
        return Entry(name, "fit")
    if Material in get_args(kind) or kind is Material:
        return Entry(name, "material")
    if kind in (tuple[float, float], tuple[float, float, float]):
        unit_name = _POINT_UNITS.get(name, "m")
        return Entry(name, "point", units=(unit_name,), unit=Unit(unit_name), sizes=(len(get_args(kind)),))
    if kind in (tuple[tuple[float, float], ...], tuple[tuple[float, float, float], ...]):
        return Entry(name, "points", units=("m",), unit=Unit("m"), sizes=(len(get_args(get_args(kind)[0])),))
    if kind == Matrix:
        return Entry(name, "matrix", sizes=(6,))
    if kind == tuple[float, ...]:
        return Entry(name, "numbers")
    if kind is float:
        return Entry(name, "either", units=("rad", "m") if cls is Stop else ())
    return Entry(name, "text" if kind is str else "any")


def _origin(kind: Any) -> type:
    origin = get_origin(kind)
    return origin if isinstance(origin, type) else object


def entries_of(cls: type[Part]) -> dict[str, Entry]:
    """The keys of one class, in the order people write them."""
    if cls not in _KNOWN:
        _KNOWN[cls] = _entries(cls)
    return _KNOWN[cls]


def _entries(cls: Any) -> dict[str, Entry]:
    hints = get_type_hints(cls, include_extras=True)
    entries = []
    for item in fields(cls):
        if item.name == "name" or not item.compare:
            continue
        needed = item.default is MISSING and item.default_factory is MISSING
        entry = _sorted(cls, item.name, hints[item.name])
        needed = needed or item.name in getattr(cls, "needed", ())
        words, unit = _words(cls, item.name)
        if entry.unit is None and not entry.units and unit not in ("", "-"):
            words = f"{words} [{unit}]".strip()
        default = item.default if isinstance(item.default, bool | float | str) else None
        entries.append(replace(entry, required=needed, words=words, default=default))
    # what a law needs comes before its options
    entries.sort(key=lambda entry: entry.name in ("ratio_limit", "clip"))
    return {entry.name: entry for entry in entries}


def _words(cls: type, name: str) -> tuple[str, str]:
    """What the docstrings say of a field, and in which unit."""
    if (cls, name) in _OWN_WORDS:
        return _OWN_WORDS[cls, name], ""
    for base in cls.__mro__:
        match = re.search(rf"^\s*{name} \[([^\]]*)\](?::\s*(.*))?$", base.__doc__ or "", re.MULTILINE)
        if match:
            return (match[2] or WORDS.get(name, "")).strip(), match[1]
    return WORDS.get(name, ""), ""


def fits_by_word() -> dict[str, type[Fit]]:
    """Fits by the word that names them in a file."""
    return {name.lower(): cls for name, cls in Fit.registry.items()}


def iso_fits() -> list[type[Loose]]:
    """Fits that may have an ISO name, those without a key of their own first."""
    return sorted((cls for cls in Fit.registry.values() if issubclass(cls, Loose)), key=lambda cls: cls.iso_key)


def iso_entries(cls: type[Loose]) -> dict[str, Entry]:
    """Keys of a fit of this class by its ISO name."""
    own = {name: entry for name, entry in entries_of(cls).items() if name not in ("iso", "radial_clearance")}
    iso = Entry("iso", "text", required=True, words=WORDS["iso"])
    limit = Entry("limit", "choice", choices=("minimum", "mean", "maximum"), words="which clearance of the fit; "
        "default mean")
    return {"iso": iso, "limit": limit, **own}


def material_names() -> dict[str, Material]:
    """Materials of gudgeon by name."""
    return {value.name: value for value in vars(material).values() if isinstance(value, Material)}


def shape_entries() -> dict[str, dict[str, Entry]]:
    """Keys of a beam's section by its shape."""
    metre, plain = Unit("m", above=0.0), Unit("", above=0.0)
    sizes = {
        "rectangle": {"width": "across the plane", "height": "in the plane, where it bends"},
        "circle": {"diameter": "diameter"}, "tube": {"outer": "outer diameter", "inner": "inner diameter"},
    }  # fmt: skip
    common = (
        Entry("material", "material", words="a name, or give E, nu or G, and rho"),
        Entry("E", "quantity", unit=Unit("Pa", above=0.0), units=("Pa",), words="Young's modulus"),
        Entry("G", "quantity", unit=Unit("Pa", above=0.0), units=("Pa",), words="shear modulus"),
        Entry("nu", "quantity", unit=Unit("", above=-1.0, maximum=0.5), words="Poisson's ratio, in the place of G"),
        Entry("rho", "quantity", unit=Unit("kg/m^3", above=0.0), units=("kg/m^3",), words="density"),
        Entry("shear_factor", "quantity", unit=plain, words="share of the area that carries shear"),
    )
    shapes = {}
    for shape, own in sizes.items():
        needed = [Entry(k, "quantity", required=True, unit=metre, units=("m",), words=w) for k, w in own.items()]
        shapes[shape] = {entry.name: entry for entry in (*needed, *common)}
    return shapes


# a place in the world, and the body-fixed points it stands for
_ENDS: dict[str, tuple[str, ...]] = {"at_i": ("point_i",), "at_j": ("point_j",)}
PLACES: dict[str, dict[str, tuple[str, ...]]] = {
    "joints": {"at": ("journal_point", "bearing_point")}, "springs": _ENDS, "dampers": _ENDS,
    "forces": {"at": ("point",)},
}  # fmt: skip

# section of the file -> the class of its parts
SECTIONS: dict[str, type[Part]] = {
    "bodies": Body, "modal_links": ModalLink, "beams": Beam, "joints": Joint, "drives": Drive, "motors": Motor,
    "controllers": Controller, "springs": Spring, "dampers": Spring, "torsion_springs": TorsionSpring, "forces": Force,
    "torques": Torque,
}  # fmt: skip
# sections whose parts have the name of the joint that they move
BY_JOINT = ("drives", "motors", "controllers")
# the same in a file with planar: false
SPATIAL_SECTIONS: dict[str, type[Part]] = {
    **{name: cls for name, cls in SECTIONS.items() if cls is not ModalLink}, "bodies": SpatialBody,
    "beams": SpatialBeam, "joints": SpatialJoint, "drives": SpatialDrive, "springs": SpatialSpring,
    "dampers": SpatialSpring, "forces": SpatialForce, "torques": SpatialTorque,
}  # fmt: skip
_IN_SPACE = set(SPATIAL_SECTIONS.values()) - set(SECTIONS.values())


@cache
def section_entries(section: str, planar: bool = True) -> dict[str, Entry]:
    """Keys of a part of the section: those of its class, with places that may be given in the world."""
    entries = dict(entries_of((SECTIONS if planar else SPATIAL_SECTIONS)[section]))
    size = (2,) if planar else (3,)
    for name in ("journal", "bearing", "body", "body_i", "body_j", "reaction"):
        if name in entries:
            entries[name] = replace(entries[name], kind="body")
    if section in BY_JOINT:
        del entries["joint"]
    if "joint" in entries:
        entries["joint"] = replace(entries["joint"], kind="joint")
    for at, points in PLACES.get(section, {}).items():
        for point in points:
            entries[point] = replace(entries[point], required=False, words="body-fixed, from the centre of mass")
        entries[at] = Entry(at, "point", units=("m",), unit=Unit("m"), sizes=size, words="in the world")
    if section == "joints" and not planar:
        del entries["width"]
        for side in ("journal_axis", "bearing_axis"):
            entries[side] = Entry(side, "point", units=("",), unit=Unit(""), sizes=size, words=WORDS[side])
    if section == "dampers":
        entries = {name: e for name, e in entries.items() if name not in ("stiffness", "free_length", "preload")}
        entries["damping"] = replace(entries["damping"], required=True)
    return entries


def run_entries() -> dict[str, Entry]:
    """Keys of `run`, the fields of RunSettings as a file can hold them."""
    # methods lie above the model and are found by their files: they are loaded when a file is read
    methods = tuple(importlib.import_module("gudgeon.methods").methods())
    words = RunSettings.words() | {"method": "integration method; default dopri5, with beams alpha"}
    special = {"rtol": Unit("", above=0.0, maximum=1.0, example="1e-9"), "after": Unit("s", minimum=0.0),
               "revolutions": Unit("", above=0.0, example="2")}
    entries = {name: Entry(name, "quantity", unit=special.get(name, Unit(unit.unit, above=0.0, word=unit.word)))
               for name, unit, _ in _checked_fields(RunSettings)}  # fmt: skip
    entries |= {
        "method": Entry("method", "choice", choices=methods), "channels": Entry("channels", "list"),
        "start": Entry("start", "choice", choices=("settled",)),
        "stabilisation": Entry("stabilisation", "vector", units=("1/s",)), "trust": Entry("trust", "flag"),
    }  # fmt: skip
    return {item.name: replace(entries[item.name], words=words[item.name]) for item in fields(RunSettings)}


def top_entries(planar: bool = True) -> dict[str, Entry]:
    """Keys of the file itself."""
    gravity = Entry("gravity", "point", unit=Unit("m/s^2"), units=("m/s^2",),
                    words="in the world, [0, -9.81] for a machine that stands upright")  # fmt: skip
    entries = [
        Entry("name", "text", required=True, words="name of the mechanism"),
        Entry("planar", "flag", required=not planar, words="true: in a plane; false: in space", default=planar),
        replace(gravity, sizes=(2,) if planar else (3,)),
        Entry("start", "choice", choices=("ideal", "given"), words="initial state: as with ideal joints, or as "
                                                                   "described"),
        Entry("materials", "section", words="materials of your own, by name"),
    ]
    sections = SECTIONS if planar else SPATIAL_SECTIONS
    entries += [Entry(name, "section", required=name == "bodies") for name in sections]
    return {entry.name: entry for entry in [*entries, Entry("run", "run", words="settings of a run")]}
