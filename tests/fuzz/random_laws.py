"""Laws and fits drawn from their registries, as plain data: a part is its class's name with its fields.

A law begins as one of its class's own examples and is brought to the size of the mechanism by the units of its fields,
so that a law that is registered tomorrow is drawn as well. Other units of a mechanism scale it in the same way.
"""

from __future__ import annotations

import math
import random
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

import gudgeon as gd
from gudgeon.laws import LAWS, Pair
from gudgeon.laws.law import Law
from gudgeon.model.fits import Fit
from gudgeon.quantity import _checked_fields, parse_unit

Item = list[Any]  # [name of a class, {field: number, text, list or another item}]

OWN_UNITS = {"depths": "m", "deflections": "m", "forces": "N"}  # of rows, whose fields have no unit of their own
EXAMPLE_SIZE, EXAMPLE_TIME = 1e-5, 1e-3  # depth [m] and time [s] that the examples of laws are made for
EXAMPLE_SPEED = 1e-3  # where friction of the examples passes zero [m/s]


def _classes() -> dict[str, Any]:
    return {**LAWS, **Fit.registry, "Material": gd.Material}


def ours(registry: dict[str, Any]) -> list[Any]:
    """The classes of a registry that gudgeon itself has; tests register others."""
    return [cls for _, cls in sorted(registry.items()) if cls.__module__.startswith("gudgeon.")]


def plain(value: Any) -> Any:
    """A part as plain data."""
    if is_dataclass(value) and not isinstance(value, type):
        return [type(value).__name__, {item.name: plain(getattr(value, item.name)) for item in fields(value)}]
    return [plain(x) for x in value] if isinstance(value, tuple) else value


def is_part(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[1], dict)


def make(item: Any) -> Any:
    """The part of plain data."""
    if is_part(item):
        return _classes()[item[0]](**{name: make(value) for name, value in item[1].items()})
    return tuple(make(x) for x in item) if isinstance(item, list) else item


# -- units --------------------------------------------------------------------------------------------------


def factor_of(unit: str, mass: float, length: float, time: float) -> float:
    """What a number of this unit is multiplied by when the units of mass, length and time become so much smaller."""
    powers = parse_unit(unit)[1] if unit else (0.0,) * 3
    return float(length ** powers[0] * mass ** powers[1] * time ** powers[2])


def rescaled(item: Item, mass: float, length: float, time: float = 1.0, angular: bool = False) -> Item:
    """A law or fit in other units. On a rotation its depths are angles and its forces moments."""
    name, values = item
    cls = _classes()[name]
    if angular:
        mass, length = mass * length**2, 1.0
    units = {field: unit.unit for field, unit, _ in _checked_fields(cls)}

    def changed(field: str, value: Any) -> Any:
        if value is None or isinstance(value, str | bool):
            return value
        if is_part(value):
            return rescaled(value, mass, length, time, field == "conical")
        if isinstance(value, list) and value and all(is_part(x) for x in value):
            return [rescaled(x, mass, length, time) for x in value]
        if name == "Elastic":
            return _matrix_rescaled(field, value, mass, length, time)
        if field == "coefficients":
            return [x * factor_of(f"N/m^{k + 1}", mass, length, time) for k, x in enumerate(value)]
        if field == "stiffness" and field not in units:  # of F = K depth^n
            return value * factor_of(f"N/m^{values['exponent']:g}", mass, length, time)
        unit = units.get(field, OWN_UNITS.get(field))
        if unit is None:
            raise AssertionError(f"{name}.{field} has no unit: give the field one, or name it in OWN_UNITS")
        factor = factor_of(unit, mass, length, time)
        return [x * factor for x in value] if isinstance(value, list) else value * factor

    return [name, {field: changed(field, value) for field, value in values.items()}]


def _matrix_rescaled(field: str, value: Any, mass: float, length: float, time: float) -> Any:
    each = np.array([1.0] * 3 + [length] * 3)
    rate = time ** (-2.0 if field == "stiffness" else -1.0)
    return (np.array(value) * np.outer(each, each) * mass * rate).tolist()


def homogeneous(item: Item, pair: Pair) -> bool:
    """Whether a contact law is the same law in other units; formulas with numbers that have units of their own, such as
    those in millimetres, are not."""
    mass, length = 3.0, 0.7
    other = rescaled(item, mass, length)
    sizes = [None if x is None else x * length for x in (pair.bearing_radius, pair.journal_radius, pair.length)]
    scaled = Pair(sizes[0], sizes[1], sizes[2], pair.name, external=pair.external)
    force = [
        type(law).force(1e-5 * factor, 1e-3 * factor, 2e-3 * factor, list(law.pack(sized).values()))
        for law, sized, factor in ((make(item), pair, 1.0), (make(other), scaled, length))
    ]
    return math.isclose(force[1], force[0] * mass * length, rel_tol=1e-9)


# -- laws ---------------------------------------------------------------------------------------------------


def _varied(rng: random.Random, item: Item) -> Item:
    """Every choice, ratio and switch of a law drawn again."""
    name, values = item
    cls, values = _classes()[name], dict(values)
    limits = {field: unit for field, unit, _ in _checked_fields(cls)}
    hints = get_type_hints(cls)
    louder = 10 ** rng.uniform(-1.0, 0.6)
    for field, value in values.items():
        unit = limits.get(field)
        if get_origin(hints[field]) is Literal:
            values[field] = rng.choice(get_args(hints[field]))
        elif isinstance(value, bool):
            values[field] = rng.random() < 0.5
        elif unit is not None and not unit.unit and isinstance(value, float):
            if unit.maximum == 1.0:
                values[field] = rng.choice((1.0, rng.uniform(0.1, 1.0)))
            elif "coefficient" in field:
                values[field] = value * louder
            elif field == "exponent":
                values[field] = rng.choice((1.5, 1.5, rng.uniform(1.0, 2.5)))
        elif unit is not None and unit.unit and value:
            values[field] = value * 10 ** rng.uniform(-0.3, 0.3)
    return [name, values]


def law(rng: random.Random, family: type[Law], pair: Pair, depth: float, force: float, time: float) -> Item:
    """A wall or a liner that answers a depth with a force, and damps within a time."""
    item = _varied(rng, plain(rng.choice(rng.choice(ours(family.registry)).examples())))
    cls = _classes()[item[0]]
    own_stiffness = "stiffness" in item[1] and "stiffness" not in {f for f, _, _ in _checked_fields(cls)}
    if own_stiffness and (rng.random() < 0.6 or pair.bearing_radius is None):
        item[1]["stiffness"] = 1e9
    item = rescaled(item, 1.0, depth / EXAMPLE_SIZE, time / EXAMPLE_TIME)
    made = make(item)
    numbers = list(made.pack(pair).values())
    at = (depth, 0.0, 1.0, numbers) if family is gd.ContactLaw else (depth, 0.0, numbers)
    return rescaled(item, force / float(type(made).force(*at)), 1.0)


def friction(rng: random.Random, speed: float, time: float) -> Item:
    """Friction that passes zero at a small part of the usual speeds."""
    item = _varied(rng, plain(rng.choice(rng.choice(ours(gd.FrictionLaw.registry)).examples())))
    slow = speed * 10 ** rng.uniform(-3, -1)
    seconds = 0.1 * time / EXAMPLE_TIME
    return rescaled(item, 1.0, slow / EXAMPLE_SPEED * seconds, seconds)


def film(rng: random.Random, shape: str, viscosity: float) -> Item:
    laws = [cls for cls in ours(gd.FilmLaw.registry) if cls.shape == shape]
    item = _varied(rng, plain(rng.choice(rng.choice(laws).examples())))
    item[1]["viscosity"] = viscosity
    return item


# -- fits ---------------------------------------------------------------------------------------------------


def fit(rng: random.Random, kind: Any, mate: Any, sizes: dict[str, Any], scale: dict[str, float]) -> Item:
    """A fit of one contact pair; `scale` has the mass, length, time and radius of what it holds."""
    mass, length, time, radius = (scale[name] for name in ("mass", "length", "time", "radius"))
    load = mass * 9.81 * (length if mate.angular else 1.0)
    gap = rng.uniform(0.002, 0.05) if mate.angular else radius * 10 ** rng.uniform(-3, -1)
    rate = 10 ** rng.uniform(1.8, 3.3) / time
    inertia = mass * length**2 if mate.angular else mass
    long = sizes.get("length")
    outside, within = (radius, scale.get("journal_radius", radius - gap)), (radius, radius - gap)
    radii = outside if mate.external else within if mate.round else (None, None)
    pair = Pair(*radii, long, "joint", external=mate.external)
    deep = 0.1 * gap

    def wall() -> Item:
        return law(rng, gd.ContactLaw, pair, deep, inertia * rate**2 * deep, 1.0 / rate)

    def liner(angular: bool = False) -> Item:
        stiff = load / (deep if not angular else 0.01) * 10 ** rng.uniform(-1, 1) * (length if angular else 1.0)
        far = 0.01 if angular else deep
        return law(rng, gd.LinerLaw, pair, far, stiff * far, time * 1e-3)

    def rubbing() -> Item | None:
        return friction(rng, length / time, time) if mate.rubs and rng.random() < 0.5 else None

    drawn: dict[str, Any] = {
        "wall": wall,
        "friction": rubbing,
        "radial_clearance": lambda: None if mate.angular else rng.choice((gap,) * 9 + (0.0,)),
        "angular_clearance": lambda: gap if mate.angular else None,
        "liner": liner,
        "liner_thickness": lambda: rng.uniform(0.5, 2.0) * gap,
        "thickness": lambda: rng.uniform(0.5, 2.0) * gap,
        "conical": lambda: liner(True) if "conical" in mate.angular_offsets else None,
        "minimum_film": lambda: rng.choice((None, 0.05 * gap)),
        "shear": lambda: rng.random() < 0.7,
        "stiffness": lambda: _matrix(rng, mass * (0.1 * rate) ** 2, length),
        "damping": lambda: _matrix(rng, 0.02 * mass * rate, length),
    }
    name = kind.__name__
    values: dict[str, Any] = {}
    for item in fields(kind):
        if item.name == "film":
            push = load * 10 ** rng.uniform(0, 2)
            shape = mate.film_shape
            around = radius**3 * (long or radius) if shape == "cylinder" else radius**4
            values["film"] = film(rng, shape, push * gap**2 * time / around)
        elif item.name in drawn:
            values[item.name] = drawn[item.name]()
    # what belongs together, and what is optional
    if name != "Ideal" and "liner" in values and "wall" in values:
        thick = "thickness" if "thickness" in values else "liner_thickness"
        if mate.angular or rng.random() < 0.8:
            values[thick] = values["liner" if thick == "liner_thickness" else "wall"] = None
    if "film" in values and rng.random() < 0.5:
        values |= {"wall": None, "friction": None, "minimum_film": None}
    if name == "Lubricated" or mate.angular:
        values.pop("iso", None)
    if "film" in values:
        values["radial_clearance"] = gap
    return [name, values]


def _matrix(rng: random.Random, size: float, length: float) -> list[list[float]]:
    """A positive definite matrix with couplings, of forces and moments over shifts and rotations."""
    root = np.array([[rng.gauss(0, 0.25) + 1.0 * (a == b) for b in range(6)] for a in range(6)])
    each = np.array([1.0] * 3 + [0.3 * length] * 3)
    return (size * (root @ root.T) * np.outer(each, each)).tolist()
