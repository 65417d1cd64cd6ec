"""The same mechanism described otherwise: in another frame, mirrored, under other names, in other units, in space.

Each change takes a description and gives another, with what brings positions of the other motion back.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from random_mechanism import Description

Back = Callable[[np.ndarray], np.ndarray]  # positions (times, 3) of the changed motion in the first frame
Changed = tuple[Description, dict[str, str], Back]

POINTS = {"bodies": ("at",), "joints": ("at",), "springs": ("at_i", "at_j"), "forces": ("at",)}
VECTORS = {"bodies": ("velocity",), "joints": ("axis", "arm"), "forces": ("value",)}
# vectors along which something turns: they change their sign in a mirror once more
TURNS = {"bodies": ("spin",), "torques": ("value",)}


def _same_names(whole: Description) -> dict[str, str]:
    return {name: name for name in whole["bodies"]}


def _map(
    whole: Description, place: Callable[[np.ndarray], np.ndarray], turn: np.ndarray, sign: float = 1.0
) -> Description:
    """A copy with every point, vector and rotation mapped."""
    other = copy.deepcopy(whole)
    other["gravity"] = (turn @ other["gravity"]).tolist()
    for table, rule in ((POINTS, place), (VECTORS, lambda x: turn @ x), (TURNS, lambda x: sign * (turn @ x))):
        for group, names in table.items():
            for part in other[group].values():
                for name in names:
                    if name in part:
                        part[name] = rule(np.array(part[name])).tolist()
    return other


def another_frame(whole: Description, rng: random.Random) -> Changed:
    """Turned and shifted as a whole."""
    axis = np.array([0, 0, 1.0]) if whole["planar"] else np.array([rng.gauss(0, 1) for _ in range(3)])
    turn = rotation(axis, rng.uniform(-3, 3))
    shift = (
        whole["length"]
        * np.array([rng.uniform(-3, 3) for _ in range(3)])
        * (np.array([1, 1, 0]) if whole["planar"] else 1)
    )
    other = _map(whole, lambda x: turn @ x + shift, turn)
    for body in other["bodies"].values():
        body["turn"] = (turn @ np.array(body["turn"])).tolist()
    return other, _same_names(whole), lambda x: (x - shift) @ turn


def mirrored(whole: Description, rng: random.Random) -> Changed:
    """Through the plane y = 0: what turns to the left turns to the right."""
    flip = np.diag([1.0, -1.0, 1.0])
    other = _map(whole, lambda x: flip @ x, flip, -1.0)
    for body in other["bodies"].values():
        body["turn"] = (flip @ np.array(body["turn"]) @ flip).tolist()
    for joint in other["joints"].values():
        # in space the axis, along which slides count, is mirrored as a vector; then a turn about it counts backwards
        turning = joint["kind"] == "revolute"
        if turning and joint["stop"] is not None:
            joint["stop"] |= {"lower": -joint["stop"]["upper"], "upper": -joint["stop"]["lower"]}
        if "pitch" in joint:
            joint["pitch"] *= -1
    for name, drive in other["drives"].items():
        drive["speed"] *= -1.0 if other["joints"][name]["kind"] == "revolute" else 1.0
    for motor in other["motors"].values():
        motor["voltage"] *= -1
    return other, _same_names(whole), lambda x: x @ flip


def renamed(whole: Description, rng: random.Random) -> Changed:
    """Bodies and joints under other names and in another order."""
    other = copy.deepcopy(whole)
    bodies = list(other["bodies"])
    names = dict(zip(bodies, rng.sample([f"part_{k}" for k in range(len(bodies))], len(bodies)), strict=True)) | {
        "ground": "ground"
    }
    joints = {name: f"z{len(other['joints']) - k}" for k, name in enumerate(other["joints"])}
    for group, fields in {
        "joints": ("journal", "bearing"),
        "springs": ("i", "j"),
        "forces": ("body",),
        "torques": ("body",),
    }.items():
        for part in other[group].values():
            for field in fields:
                part[field] = names[part[field]]
    for part in other["torsion_springs"].values():
        part["joint"] = joints[part["joint"]]
    for group, table in (("bodies", names), ("joints", joints), ("drives", joints), ("motors", joints)):
        items = [(table[name], part) for name, part in other[group].items()]
        rng.shuffle(items)
        other[group] = dict(items)
    return other, {name: names[name] for name in bodies}, lambda x: x


# powers of mass and length of what is not a pure number; time stays
UNITS: dict[str, tuple[float, float]] = {
    "mass": (1, 0),
    "at": (0, 1),
    "at_i": (0, 1),
    "at_j": (0, 1),
    "velocity": (0, 1),
    "radius": (0, 1),
    "length": (0, 1),
    "width": (0, 1),
    "pitch": (0, 1),
    "clearance": (0, 1),
    "inertia": (1, 2),
    "viscosity": (1, -1),
    "voltage": (0.5, 1),
    "back_emf": (0.5, 1),
    "v0": (0, 1),
    "v1": (0, 1),
    "stribeck_speed": (0, 1),
    "gravity": (0, 1),
}


def other_units(whole: Description, rng: random.Random) -> Changed | None:
    """Lengths and masses in other units; the numbers of laws follow by their dimension. None with the wall of a key,
    whose one stiffness stands for a force and for a moment."""
    if any(joint["fit"] and "angle" in joint["fit"] for joint in whole["joints"].values()):
        return None
    mass, length = 10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-1.5, 3)
    other = copy.deepcopy(whole)

    def scaled(value: Any, powers: tuple[float, float]) -> Any:
        factor = mass ** powers[0] * length ** powers[1]
        return [x * factor for x in value] if isinstance(value, list) else value * factor

    other["gravity"], other["length"] = scaled(other["gravity"], (0, 1)), other["length"] * length
    special = {
        "springs": {"stiffness": (1, 0), "damping": (1, 0)},
        "torsion_springs": {"stiffness": (1, 2), "damping": (1, 2)},
        "forces": {"value": (1, 1)},
        "torques": {"value": (1, 2)},
    }
    for group in ("bodies", "joints", "springs", "torsion_springs", "forces", "torques", "motors"):
        table = UNITS | special.get(group, {})
        for part in other[group].values():
            for name, value in part.items():
                if name in table and value is not None:
                    part[name] = scaled(value, table[name])
    for name, joint in other["joints"].items():
        slides = joint["kind"] == "translational"
        if joint["stop"] is not None:
            joint["stop"] = _stop_scaled(joint["stop"], slides, scaled)
        if joint["fit"] is not None:
            joint["fit"] = _fit_scaled(joint["fit"], scaled)
        if slides and name in other["drives"]:
            other["drives"][name]["speed"] = scaled(other["drives"][name]["speed"], (0, 1))
    return other, _same_names(whole), lambda x: x / length


def _stop_scaled(stop: dict[str, Any], slides: bool, scaled: Callable[..., Any]) -> dict[str, Any]:
    law, numbers = stop["wall"]
    length, stiffness = ((0, 1), (1, 0)) if slides else ((0, 0), (1, 2))
    numbers = {k: scaled(v, stiffness) for k, v in numbers.items()}
    return {"lower": scaled(stop["lower"], length), "upper": scaled(stop["upper"], length), "wall": (law, numbers)}


def _fit_scaled(fit: dict[str, Any], scaled: Callable[..., Any]) -> dict[str, Any]:
    fit = {k: scaled(v, UNITS[k]) if k in UNITS else v for k, v in fit.items()}
    if fit["type"] == "Bushing":
        fit |= {"stiffness": scaled(fit["stiffness"], (1, 0)), "damping": scaled(fit["damping"], (1, 0))}
    if fit.get("wall"):
        law, numbers = fit["wall"]
        stiffness = (1.0, 0.0) if law == "KelvinVoigt" else (1.0, -0.5)
        powers = {"stiffness": stiffness, "damping": (1.0, 0.0)}
        fit["wall"] = (law, {k: scaled(v, powers.get(k, (0, 0))) for k, v in numbers.items()})
    if fit.get("friction"):
        law, numbers = fit["friction"]
        powers = UNITS | {"stiffness": (0, -1), "damping": (0, -1), "viscous": (0, -1)}
        fit["friction"] = (law, {k: scaled(v, powers.get(k, (0, 0))) for k, v in numbers.items()})
    return fit


def in_space(whole: Description, rng: random.Random) -> Changed | None:
    """A planar mechanism as one of space; None where its fits mean something else there, or loops become redundant."""
    if not whole["planar"] or not all(j["tree"] and j["fit"] is None for j in whole["joints"].values()):
        return None
    other = copy.deepcopy(whole)
    other["planar"] = False
    for body in other["bodies"].values():
        moment = body["inertia"][0]
        body["inertia"] = [0.7 * moment, 0.8 * moment, moment]
    for joint in other["joints"].values():
        if joint["kind"] == "revolute":
            joint["axis"] = [0.0, 0.0, 1.0]
    return other, _same_names(whole), lambda x: x


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


CHANGES: dict[str, Callable[[Description, random.Random], Changed | None]] = {
    "another frame": another_frame,
    "mirrored": mirrored,
    "renamed": renamed,
    "other units": other_units,
    "in space": in_space,
}
