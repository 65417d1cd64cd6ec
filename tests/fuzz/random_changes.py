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
from random_laws import homogeneous, is_part, rescaled
from random_mechanism import GROUPS, Description, build, external, mates_of

Back = Callable[[np.ndarray, np.ndarray], np.ndarray]  # times and positions (times, 3) of the changed motion, back
Changed = tuple[Description, dict[str, str], Back]

POINTS = {"bodies": ("at", "a", "b"), "joints": ("at",), "springs": ("at_i", "at_j"), "forces": ("at",)}
VECTORS = {"bodies": ("velocity", "up"), "joints": ("axis", "arm"), "forces": ("value",)}
# vectors along which something turns: they change their sign in a mirror once more
TURNS = {"bodies": ("spin",), "torques": ("value",)}
SIGNALLED = ("forces", "torques", "motors", "controllers")


def _same_names(whole: Description) -> dict[str, str]:
    return {name: name for name in whole["bodies"]}


def _map(
    whole: Description, place: Callable[[np.ndarray], np.ndarray], turn: np.ndarray, sign: float = 1.0
) -> Description:
    """A copy with every point, vector and rotation mapped."""
    other = copy.deepcopy(whole)
    other["gravity"] = (turn @ other["gravity"]).tolist()
    other["boost"] = (turn @ other["boost"]).tolist()
    for table, rule in ((POINTS, place), (VECTORS, lambda x: turn @ x), (TURNS, lambda x: sign * (turn @ x))):
        for group, names in table.items():
            for part in other[group].values():
                for name in names:
                    if name in part:
                        part[name] = rule(np.array(part[name])).tolist()
    for force in other["forces"].values():
        if "centre" in force["signal"]:
            force["signal"]["centre"] = place(np.array(force["signal"]["centre"])).tolist()
    return other


def another_frame(whole: Description, rng: random.Random) -> Changed:
    """Turned and shifted as a whole."""
    axis = np.array([0, 0, 1.0]) if whole["planar"] else np.array([rng.gauss(0, 1) for _ in range(3)])
    turn = rotation(axis, rng.uniform(-3, 3))
    shift = whole["length"] * np.array([rng.uniform(-3, 3) for _ in range(3)])
    shift *= np.array([1, 1, 0]) if whole["planar"] else 1
    other = _map(whole, lambda x: turn @ x + shift, turn)
    for body in other["bodies"].values():
        if "turn" in body:
            body["turn"] = (turn @ np.array(body["turn"])).tolist()
    return other, _same_names(whole), lambda t, x: (x - shift) @ turn


def moving_frame(whole: Description, rng: random.Random) -> Changed | None:
    """The ground becomes a heavy body that a drive moves at a constant speed; None where something may touch it from
    outside."""
    if any(external(whole["planar"], j["kind"]) and j["bearing"] == "ground" for j in whole["joints"].values()):
        return None
    time = math.sqrt(whole["length"] / 9.81)
    speed = rng.uniform(0.2, 2.0) * whole["length"] / time
    angle = rng.uniform(-3, 3)
    along = np.array([math.cos(angle), math.sin(angle), 0.0 if whole["planar"] else rng.uniform(-1, 1)])
    along /= np.linalg.norm(along)
    other = copy.deepcopy(whole)
    move = speed * along
    other["boost"] = move.tolist()
    mass = sum(body["mass"] for body in other["bodies"].values())
    for body in other["bodies"].values():
        body["velocity"] = (np.array(body["velocity"]) + move).tolist()
    for group, ends in {"joints": ("journal", "bearing"), "springs": ("i", "j")}.items():
        for part in other[group].values():
            for end in ends:
                if part[end] == "ground":
                    part[end] = "carrier"
    inertia = mass * whole["length"] ** 2
    other["bodies"]["carrier"] = {
        "type": "rigid",
        "mass": mass,
        "at": [0.0, 0.0, 0.0],
        "velocity": move.tolist(),
        "spin": [0.0, 0.0, 0.0],
        "inertia": [inertia] if whole["planar"] else [inertia] * 3,
        "turn": np.eye(3).tolist(),
    }
    other["joints"]["rail"] = {
        "kind": "translational",
        "journal": "carrier",
        "bearing": "ground",
        "at": [0.0, 0.0, 0.0],
        "sizes": {},
        "fits": {},
        "stops": {},
        "tree": True,
        "axis": along.tolist(),
        "strips": 1,
    }
    other["drives"]["rail"] = {"way": "translation", "speed": speed, "wave": 0.0, "motion": False}
    return other, _same_names(whole), lambda t, x: x - np.outer(t, move)


def _reversed_signal(signal: dict[str, Any], way: str = "rotation") -> None:
    """The rotation of a joint that a signal reads has the other sign."""
    if signal.get("way") == way:
        signal["size"] *= -1


def mirrored(whole: Description, rng: random.Random) -> Changed:
    """Through the plane y = 0: what turns to the left turns to the right."""
    flip = np.diag([1.0, -1.0, 1.0])
    other = _map(whole, lambda x: flip @ x, flip, -1.0)
    for body in other["bodies"].values():
        if "turn" in body:
            body["turn"] = (flip @ np.array(body["turn"]) @ flip).tolist()
    for joint in other["joints"].values():
        # in space the axis, along which slides count, is mirrored as a vector; then a turn about it counts backwards
        stop = joint["stops"].get("rotation")
        if stop is not None:
            stop |= {"lower": -stop["upper"], "upper": -stop["lower"]}
        if "pitch" in joint["sizes"]:
            joint["sizes"]["pitch"] *= -1
        for fit in joint["fits"].values():
            if fit[0] == "Elastic":
                signs = np.array([1, -1, 1, -1, 1, -1.0])
                for name in ("stiffness", "damping"):
                    fit[1][name] = (np.array(fit[1][name]) * np.outer(signs, signs)).tolist()
    for group in SIGNALLED:
        for part in other[group].values():
            _reversed_signal(part["signal"])
    for drive in other["drives"].values():
        drive["speed"] *= -1.0 if drive["way"] == "rotation" else 1.0
    for motor in other["motors"].values():
        motor["voltage"] *= -1
    for control in other["controllers"].values():
        control["speed"] *= -1
    return other, _same_names(whole), lambda t, x: x @ flip


def renamed(whole: Description, rng: random.Random) -> Changed:
    """Bodies and joints under other names and in another order."""
    other = copy.deepcopy(whole)
    bodies = list(other["bodies"])
    names = dict(zip(bodies, rng.sample([f"part_{k}" for k in range(len(bodies))], len(bodies)), strict=True)) | {
        "ground": "ground"
    }
    joints = {name: f"z_{len(other['joints']) - k}" for k, name in enumerate(other["joints"])}
    for group, fields in {
        "joints": ("journal", "bearing"),
        "springs": ("i", "j"),
        "forces": ("body",),
        "torques": ("body", "reaction"),
    }.items():
        for part in other[group].values():
            for field in fields:
                if field in part:
                    part[field] = names[part[field]]
    for part in other["torsion_springs"].values():
        part["joint"] = joints[part["joint"]]
    for group in SIGNALLED:
        for part in other[group].values():
            if "joint" in part["signal"]:
                part["signal"]["joint"] = joints[part["signal"]["joint"]]
    tables = {group: {name: name for name in other[group]} for group in GROUPS}
    tables |= {"bodies": names, "joints": joints, "drives": joints, "motors": joints, "controllers": joints}
    for group, table in tables.items():
        items = [(table[name], part) for name, part in other[group].items()]
        rng.shuffle(items)
        other[group] = dict(items)
    return other, {name: names[name] for name in bodies}, lambda t, x: x


# powers of mass and length of what is not a pure number; time stays
COMMON: dict[str, tuple[float, float]] = {
    "mass": (1, 0), "at": (0, 1), "a": (0, 1), "b": (0, 1), "at_i": (0, 1), "at_j": (0, 1), "velocity": (0, 1),
}  # fmt: skip
UNITS: dict[str, dict[str, tuple[float, float]]] = {
    "bodies": {"EI": (1, 3)},
    "springs": {"stiffness": (1, 0), "damping": (1, 0)},
    "torsion_springs": {"stiffness": (1, 2), "damping": (1, 2)},
    "forces": {"value": (1, 1)},
    "torques": {"value": (1, 2)},
    "motors": {"voltage": (0.5, 1), "back_emf": (0.5, 1), "rotor_inertia": (1, 2)},
    "controllers": {"gain": (1, 2), "integral": (1, 2), "limit": (1, 2)},
}


def other_units(whole: Description, rng: random.Random) -> Changed | None:
    """Lengths and masses in other units; the numbers of laws follow by their dimension. None with a law whose own
    formula is not the same in other units."""
    m = build(whole)
    for name, joint in whole["joints"].items():
        for mate, fit in joint["fits"].items():
            for value in fit[1].values():
                if is_part(value) and "restitution" in value[1] and not homogeneous(value, m.joints[name].pair(mate)):
                    return None
    mass, length = (1e-3, 1e3) if rng.random() < 0.4 else (10 ** rng.uniform(-3, 3), 10 ** rng.uniform(-1.5, 3))
    other = copy.deepcopy(whole)

    def scaled(value: Any, powers: tuple[float, float]) -> Any:
        factor = mass ** powers[0] * length ** powers[1]
        return [x * factor for x in value] if isinstance(value, list) else value * factor

    for name in ("gravity", "boost", "length"):
        other[name] = scaled(other[name], (0, 1))
    for group in UNITS:
        table = COMMON | UNITS[group]
        for part in other[group].values():
            for name, value in part.items():
                if name in table and value is not None:
                    part[name] = scaled(value, table[name])
    for body in other["bodies"].values():
        if body["type"] == "beam":
            each = [(1, 1)] * 2 + [(1, 3)] if whole["planar"] else [(1, 1)] * 3 + [(1, 3)] * 3
            line = [(1, -1), (1, 1)] if whole["planar"] else [(1, -1)] * 3 + [(1, 1)] * 3
            body["stiffness"] = [scaled(x, p) for x, p in zip(body["stiffness"], each, strict=True)]
            body["inertia"] = [scaled(x, p) for x, p in zip(body["inertia"], line, strict=True)]
        elif "inertia" in body:
            body["inertia"] = scaled(body["inertia"], (1, 2))
    for group in SIGNALLED:
        for part in other[group].values():
            signal = part["signal"]
            if signal["kind"] in ("drag", "field"):
                signal["size"] *= mass
                signal |= {"centre": scaled(signal["centre"], (0, 1))} if "centre" in signal else {}
            elif signal.get("way") == "translation":
                signal["size"] *= length
    for joint in other["joints"].values():
        joint["at"] = scaled(joint["at"], (0, 1))
        joint["sizes"] = {name: scaled(x, (0, 1)) for name, x in joint["sizes"].items()}
        pairs = mates_of(whole["planar"], joint["kind"])
        joint["fits"] = {n: fit_scaled(fit, mass, length, pairs[n].angular) for n, fit in joint["fits"].items()}
        for way, stop in joint["stops"].items():
            slides = way == "translation"
            stop["wall"] = rescaled(stop["wall"], mass, length, angular=not slides)
            for side in ("lower", "upper"):
                stop[side] = scaled(stop[side], (0, 1 if slides else 0))
    for drive in other["drives"].values():
        drive["speed"] = scaled(drive["speed"], (0, 1 if drive["way"] == "translation" else 0))
    return other, _same_names(whole), lambda t, x: x / length


def fit_scaled(fit: Any, mass: float, length: float, angular: bool) -> Any:
    """A fit in other units; on a pair that turns, walls and liners are those of a rotation, friction is not."""
    name, values = fit
    if not angular:
        return rescaled(fit, mass, length)
    other = rescaled([name, {k: x for k, x in values.items() if k != "friction"}], mass, length, angular=True)
    if "friction" in values:
        other[1]["friction"] = None if values["friction"] is None else rescaled(values["friction"], mass, length)
    return other


FLAT = ("revolute", "translational", "rigid", "contact")  # kinds that are the same in space


def in_space(whole: Description, rng: random.Random) -> Changed | None:
    """A planar mechanism as one of space, loops too, whose rows out of the plane are then redundant; None where its
    fits mean something else there."""
    same = all(
        joint["kind"] in FLAT and (not joint["fits"] or _same_in_space(joint)) for joint in whole["joints"].values()
    )
    rigid = all(body["type"] == "rigid" for body in whole["bodies"].values())
    if not whole["planar"] or not same or not rigid:
        return None
    other = copy.deepcopy(whole)
    other["planar"] = False
    for body in other["bodies"].values():
        moment = body["inertia"][0]
        body["inertia"] = [0.7 * moment, 0.8 * moment, moment]
    for joint in other["joints"].values():
        joint["strips"] = 1
        if joint["kind"] != "translational":
            joint["axis"] = [0.0, 0.0, 1.0]
        x, y, _ = joint["axis"]
        joint["arm"] = [-y, x, 0.0] if joint["kind"] == "translational" else [1.0, 0.0, 0.0]
        kept = ("radius", "journal_radius") if joint["kind"] == "contact" else ("radius", "length")
        joint["sizes"] = {k: v for k, v in joint["sizes"].items() if k in kept}
    return other, _same_names(whole), lambda t, x: x


def _same_in_space(joint: dict[str, Any]) -> bool:
    """Round bodies that touch from outside, without a law that knows lines of contact."""
    walls = [fit[1].get("wall") for fit in joint["fits"].values()]
    friction = [fit[1].get("friction") for fit in joint["fits"].values()]
    own = all(wall is not None and ("material" not in wall[1] or wall[1].get("stiffness")) for wall in walls)
    return joint["kind"] == "contact" and own and not any(friction)


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


CHANGES: dict[str, Callable[[Description, random.Random], Changed | None]] = {
    "another frame": another_frame,
    "moving frame": moving_frame,
    "mirrored": mirrored,
    "renamed": renamed,
    "other units": other_units,
    "in space": in_space,
}
