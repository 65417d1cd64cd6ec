"""Random mechanisms: a seed gives a description in plain numbers, from which a Mechanism is built.

The description holds everything in world coordinates of the described position, three components also in the plane, so
that turning, shifting, mirroring, renaming and other units are changes of numbers (`random_changes`). Joint kinds,
fits, laws and methods are drawn from their registries. What the model itself refuses is drawn again; its sentences are
kept in "declined", for a person to read.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import random_laws
from random_laws import make, ours

import gudgeon as gd
from gudgeon.methods import methods
from gudgeon.model.fits import Fit
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS
from gudgeon.model.signals import AT_ORIGIN
from gudgeon.space.planar import MATES
from gudgeon.space.spatial import SPATIAL_MATES

Description = dict[str, Any]
GROUPS = ("springs", "torsion_springs", "forces", "torques", "drives", "motors", "controllers")
USUAL = ("revolute", "translational", "spherical", "cylindrical")  # kinds that mechanisms are mostly made of
MANY = 6  # bodies, above which few joints have anything but ideal fits: each is a contact to watch


@cache
def kinds(planar: bool) -> dict[str, Any]:
    """The joint kinds by name."""
    return {kind.name: kind for kind in (KINDS if planar else SPATIAL_KINDS).values()}


def mates_of(planar: bool, kind: str) -> dict[str, Any]:
    known = MATES if planar else SPATIAL_MATES
    return {name: known[name] for name in kinds(planar)[kind].mates}


def external(planar: bool, kind: str) -> bool:
    return any(mate.external for mate in mates_of(planar, kind).values())


@cache
def taken(planar: bool, kind: str) -> int:
    """Motions that an ideal joint takes: the rows of its mates."""
    at = AT_ORIGIN[planar]
    return sum(len(mate.rows(at, at)) for mate in mates_of(planar, kind).values())


def takes_fit(kind: str, mate: Any, fit: type[Fit]) -> bool:
    if mate.takes:
        return fit.__name__ in mate.takes
    return not fit.reserved and (not fit.filmed or bool(mate.film_shape))


# -- drawing ------------------------------------------------------------------------------------------------


def describe(seed: int, most: int = 12) -> Description:
    """A random mechanism of 1 to `most` bodies."""
    rng = random.Random(seed)
    planar = rng.random() < 0.5
    length = 10 ** rng.uniform(-2, 0.3)
    time = math.sqrt(length / 9.81)
    extreme = rng.random() < 0.2
    whole: Description = {
        "seed": seed,
        "planar": planar,
        "length": length,
        "duration": time * rng.uniform(0.3, 2.0) * (10.0 if rng.random() < 0.03 else 1.0),
        "gravity": _vector(rng, planar, 9.81) if rng.random() < 0.8 else [0.0, 0.0, 0.0],
        "method": rng.choice(sorted(methods())) if rng.random() < 0.35 else None,
        "step": time / 4000,  # of methods that do not choose one
        "boost": [0.0, 0.0, 0.0],  # speed of a moving frame, for loads that depend on place and speed
        "declined": [],
        "bodies": {},
        "joints": {},
        **{group: {} for group in GROUPS},
    }
    flexible = rng.choice(("modal", "modal", "beam") if planar else ("beam",)) if rng.random() < 0.15 else None
    count = min(most, 1 + int(rng.expovariate(0.35)))
    if flexible == "beam":
        count = min(count, 3)
        whole["duration"] = min(whole["duration"], 0.5 * time)
    freedoms = 0
    for k in range(count):
        freedoms += _grow(rng, whole, k, length * (10 ** rng.uniform(-1.5, 0.3) if extreme else 1.0), extreme, flexible)
    for k in range(rng.choice((0, 0, 0, 1, 1, 2))):
        freedoms -= _close(rng, whole, k, length, freedoms)
    for k in range(rng.choice((0, 0, 0, 0, 1, 2))):
        _touch(rng, whole, f"x{k}")
    _starts(rng, whole, time)
    _fits(rng, whole, length, time)
    _loads(rng, whole, length, time)
    _moves(rng, whole, time, freedoms)
    return whole


def attempt(whole: Description, change: Callable[[Description], None]) -> bool:
    """Change a description, unless the model refuses what comes out."""
    other = copy.deepcopy(whole)
    try:
        change(other)
        build(other)
    except gd.GudgeonError as refusal:
        whole["declined"].append(str(refusal))
        return False
    whole.update(other)
    return True


def _vector(rng: random.Random, planar: bool, size: float) -> list[float]:
    if planar:
        angle = rng.uniform(-math.pi, math.pi)
        return [size * math.cos(angle), size * math.sin(angle), 0.0]
    x = np.array([rng.gauss(0, 1) for _ in range(3)])
    return [float(v) for v in size * x / np.linalg.norm(x)]


def _across(rng: random.Random, axis: list[float]) -> list[float]:
    """A unit vector perpendicular to another."""
    other = np.cross(axis, _vector(rng, False, 1.0))
    return (other / np.linalg.norm(other)).tolist()


def _grow(rng: random.Random, whole: Description, k: int, length: float, extreme: bool, flexible: str | None) -> int:
    """One more body, on the ground, on an earlier body or free; gives the freedoms it adds."""
    planar, bodies = whole["planar"], whole["bodies"]
    all_freedoms = 3 if planar else 6
    parent = "ground" if not bodies or rng.random() < 0.15 else rng.choice(list(bodies))
    origin = np.array(bodies[parent]["at"]) if parent != "ground" else np.array(_vector(rng, planar, length))
    place = origin + _vector(rng, planar, length * rng.uniform(0.3, 1.0))
    if parent != "ground" and bodies[parent]["type"] != "rigid":
        place = _on_link(rng, bodies[parent])
    spread = rng.uniform(-4.0, 2.0) if extreme else rng.uniform(-1.5, 1.0)
    mass = 10**spread * max(whole["length"], 0.05) ** 2 * 10
    name = f"b{k}"
    bend = flexible is not None and (k == 0 or rng.random() < 0.4)
    bodies[name] = (_link if bend else _rigid)(rng, whole, place, length, mass, flexible)
    if rng.random() < 0.08 and not bend:
        return all_freedoms
    rare = rng.random() < 0.45
    names = [kind for kind in kinds(planar) if not external(planar, kind) and (rare or kind in USUAL)]
    for _ in range(5):
        kind = rng.choice(names)
        if attempt(whole, lambda other, kind=kind: _joint(rng, other, f"j{k}", kind, name, parent, place.tolist())):
            return all_freedoms - taken(planar, kind)
    return all_freedoms


def _on_link(rng: random.Random, link: dict[str, Any]) -> np.ndarray:
    a, b = np.array(link["a"]), np.array(link["b"])
    return a + (b - a) * rng.choice((1.0, 0.5, rng.uniform(0.1, 0.9)))


def _rigid(
    rng: random.Random, whole: Description, place: np.ndarray, length: float, mass: float, _: Any
) -> dict[str, Any]:
    planar = whole["planar"]
    centre = place + _vector(rng, planar, length * rng.uniform(0.1, 1.0))
    gyration = length * rng.uniform(0.1, 0.5)
    body: dict[str, Any] = {"type": "rigid", "mass": mass, "at": centre.tolist()}
    body |= {"velocity": [0.0] * 3, "spin": [0.0] * 3}
    if planar:
        return body | {"inertia": [mass * gyration**2], "turn": _turn([0, 0, 1], rng.uniform(-3, 3))}
    moments = sorted(mass * gyration**2 * rng.uniform(0.4, 1.0) for _ in range(2))
    third = rng.uniform(moments[1] - moments[0], moments[0] + moments[1])  # a body has no other moments
    third = min(moments[1] - moments[0] + 0.9 * third + 1e-3 * moments[1], 0.999 * sum(moments))
    return body | {"inertia": [*moments, third], "turn": _turn(_vector(rng, False, 1.0), rng.uniform(0, 3))}


def _link(
    rng: random.Random, whole: Description, place: np.ndarray, length: float, mass: float, flexible: Any
) -> dict[str, Any]:
    """A link with modes, or a beam, whose first frequency is well above the motion's."""
    planar, time = whole["planar"], math.sqrt(whole["length"] / 9.81)
    long = length * rng.uniform(0.5, 1.5)
    end = place + _vector(rng, planar, long)
    rate = 10 ** rng.uniform(0.7, 1.8) / time
    bending = mass / long * (rate * long**2 / math.pi**2) ** 2
    link: dict[str, Any] = {
        "type": flexible,
        "at": (0.5 * (place + end)).tolist(),
        "a": place.tolist(),
        "b": end.tolist(),
        "velocity": [0.0] * 3,
        "spin": [0.0] * 3,
        "mass": mass,
        "damping": rng.choice((0.0, 0.02)),
    }
    if flexible == "modal":
        axes = rng.choice(("chord", "tangent", "mean"))
        return link | {"EI": bending, "modes": rng.randint(1, 3), "axes": axes}
    slender = rng.uniform(20, 100)  # length over radius of gyration
    stretch = bending * (slender / long) ** 2
    link["damping"] *= 1.0 / rate
    line, about = mass / long, mass / long * (long / slender) ** 2
    if planar:
        stiffness, inertia = [stretch, 0.4 * stretch, bending], [line, about]
    else:
        wide = rng.uniform(0.5, 2.0)
        stiffness = [stretch, 0.4 * stretch, 0.4 * stretch, 0.5 * bending, bending, wide * bending]
        inertia = [line] * 3 + [about * (1 + wide), about, wide * about]
        link["up"] = _across(rng, (end - place).tolist())
    return link | {
        "stiffness": stiffness,
        "inertia": inertia,
        "elements": rng.randint(1, 3 if planar else 2),
        "order": rng.randint(1, 3 if planar else 2),
    }


def _joint(
    rng: random.Random, whole: Description, name: str, kind: str, journal: str, bearing: str, at: list[float]
) -> None:
    planar, length = whole["planar"], whole["length"]
    radius = length * rng.uniform(0.02, 0.08)
    mates = mates_of(planar, kind).values()
    sizes = {size for mate in mates for size in (*mate.sizes, *mate.fit_needs, *mate.wall_needs, *mate.slide_needs)}
    drawn = {
        "radius": radius,
        "length": radius * rng.uniform(1.0, 3.0),
        "width": 2 * radius,
        "pitch": length * rng.uniform(0.02, 0.2),
    }
    joint = {
        "kind": kind,
        "journal": journal,
        "bearing": bearing,
        "at": at,
        "sizes": {size: value for size, value in drawn.items() if size in sizes},
        "fits": {},
        "stops": {},
        "tree": True,
    }
    if any(mate.axial for mate in mates) or not planar:
        joint["axis"] = _vector(rng, planar, 1.0)
    if not planar:
        # where it matters in which direction an arm lies, or else sometimes
        points = any(mate.strips > 2 or mate.takes for mate in mates) or kinds(planar)[kind].cross
        if points or rng.random() < 0.5:
            joint["arm"] = _across(rng, joint["axis"])
        elif "key" in mates_of(planar, kind):  # it lies somewhere, which matters where its shaft is loose
            joint["arm"] = _across(random.Random(whole["seed"]), joint["axis"])
        joint["strips"] = max(*(mate.strips for mate in mates), rng.choice((1, 2, 3)))
    whole["joints"][name] = joint


def _turn(axis: list[float], angle: float) -> list[list[float]]:
    """Rotation matrix by Rodrigues' formula."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross).tolist()


def _close(rng: random.Random, whole: Description, k: int, length: float, freedoms: int) -> int:
    """A closed loop, by a joint or in space by a rod between two bodies; gives the freedoms it takes."""
    planar, bodies = whole["planar"], whole["bodies"]
    names = list(bodies)
    a = names[-1] if rng.random() < 0.6 else rng.choice(names)
    b = rng.choice(["ground", *[n for n in names if n != a]])
    joined = [{j["journal"], j["bearing"]} for j in whole["joints"].values()]
    if {a, b} in joined or any(bodies[n]["type"] != "rigid" for n in (a, b) if n != "ground"):
        return 0
    here = np.array(bodies[a]["at"]) + _vector(rng, planar, 0.6 * length)
    if planar or rng.random() < 0.3:
        able = [kind for kind in kinds(planar) if not external(planar, kind) and taken(planar, kind) < freedoms]
        if not able:
            return 0
        kind = "revolute" if planar and "revolute" in able and rng.random() < 0.6 else rng.choice(able)
        if not attempt(whole, lambda other: _joint(rng, other, f"c{k}", kind, a, b, here.tolist())):
            return 0
        whole["joints"][f"c{k}"]["tree"] = False
        return taken(planar, kind)
    if freedoms < 2:
        return 0
    there = (np.array(bodies[b]["at"]) if b != "ground" else np.zeros(3)) + _vector(rng, planar, 0.6 * length)
    mass = rng.uniform(0.2, 1.0) * bodies[a]["mass"]
    moment = mass * length**2 * 0.08
    bodies[f"r{k}"] = {
        "type": "rigid",
        "mass": mass,
        "at": (0.5 * (here + there)).tolist(),
        "velocity": [0.0] * 3,
        "spin": [0.0] * 3,
        "inertia": [moment, 1.1 * moment, 0.5 * moment],
        "turn": _turn(_vector(rng, False, 1.0), 1.0),
    }
    _joint(rng, whole, f"c{k}a", "spherical", f"r{k}", a, here.tolist())
    _joint(rng, whole, f"c{k}b", "spherical", f"r{k}", b, there.tolist())
    whole["joints"][f"c{k}b"]["tree"] = False
    return 0


def _touch(rng: random.Random, whole: Description, name: str) -> None:
    """Two round bodies that may touch from outside; they begin apart."""
    planar, bodies = whole["planar"], whole["bodies"]
    solid = [n for n, body in bodies.items() if body["type"] == "rigid"]
    outer = [kind for kind in kinds(planar) if external(planar, kind)]
    if not solid or not outer:
        return
    a = rng.choice(solid)
    b = rng.choice(["ground", *[n for n in solid if n != a]])
    here = np.array(bodies[a]["at"])
    there = np.array(bodies[b]["at"]) if b != "ground" else here + _vector(rng, planar, whole["length"])
    apart = float(np.linalg.norm(here - there))
    share, gap = rng.uniform(0.2, 0.8), 1.0 - 10 ** rng.uniform(-3, -0.7)

    def add(other: Description) -> None:
        _joint(rng, other, name, rng.choice(outer), a, b, there.tolist())
        joint = other["joints"][name]
        joint |= {"tree": False, "centres": True}
        joint["sizes"] |= {"radius": share * gap * apart, "journal_radius": (1 - share) * gap * apart}
        _draw_fits(rng, other, name)

    any(attempt(whole, add) for _ in range(3))


# -- how it starts, fits, loads, drives ---------------------------------------------------------------------


def _starts(rng: random.Random, whole: Description, time: float) -> None:
    """An open tree on a single pin of the ground may begin as one turning body; others with any speeds."""
    joints, planar = whole["joints"], whole["planar"]
    roots = [j for j in joints.values() if "ground" in (j["journal"], j["bearing"])]
    one = all(j["tree"] for j in joints.values()) and len(joints) == len(whole["bodies"]) and len(roots) == 1
    if one and roots[0]["kind"] in ("revolute", "spherical"):
        axis = np.array([0, 0, 1.0] if planar else roots[0]["axis"])
        spin = rng.choice((0.0, rng.uniform(-5, 5))) / time * axis
        for body in whole["bodies"].values():
            body["spin"] = spin.tolist()
            body["velocity"] = np.cross(spin, np.array(body["at"]) - np.array(roots[0]["at"])).tolist()
    elif rng.random() < 0.4:
        for body in whole["bodies"].values():
            body["velocity"] = _vector(rng, planar, rng.uniform(0, 1) * whole["length"] / time)
            turn = rng.uniform(-2, 2) / time
            body["spin"] = [0.0, 0.0, turn] if planar else _vector(rng, False, turn)


def _fits(rng: random.Random, whole: Description, length: float, time: float) -> None:
    """Play, rubber, oil, friction and stops, in a third of the joints."""
    share = 0.4 if len(whole["bodies"]) <= MANY else 0.12
    for name, joint in list(whole["joints"].items()):
        kind = kinds(whole["planar"])[joint["kind"]]
        if joint.get("centres"):
            continue
        needy = any("Elastic" in mate.takes for mate in mates_of(whole["planar"], joint["kind"]).values())
        if needy or rng.random() < share:
            any(attempt(whole, lambda other, name=name: _draw_fits(rng, other, name)) for _ in range(3))
        for way in kind.directions:
            if rng.random() < 0.1:
                attempt(whole, lambda other, name=name, way=way: _stop(rng, other, name, way))


def _scale(whole: Description, joint: dict[str, Any]) -> dict[str, float]:
    bodies = [whole["bodies"][n] for n in (joint["journal"], joint["bearing"]) if n != "ground"]
    length = whole["length"]
    return {
        "mass": min(body["mass"] for body in bodies),
        "length": length,
        "time": math.sqrt(length / 9.81),
        **{"radius": 0.05 * length, **joint["sizes"]},
    }


def _draw_fits(rng: random.Random, whole: Description, name: str) -> None:
    """A fit for one or all contact pairs of a joint."""
    joint, planar = whole["joints"][name], whole["planar"]
    mates = mates_of(planar, joint["kind"])
    for mate_name, mate in mates.items():
        able = [fit for fit in ours(Fit.registry) if takes_fit(joint["kind"], mate, fit)]
        real = [fit for fit in able if not fit.ideal]
        if not real or (len(mates) > 1 and rng.random() < 0.4):
            continue
        kind = rng.choice(able if mate.slides else real)
        joint["fits"][mate_name] = random_laws.fit(rng, kind, mate, joint["sizes"], _scale(whole, joint))


def _stop(rng: random.Random, whole: Description, name: str, way: str) -> None:
    joint = whole["joints"][name]
    scale = _scale(whole, joint)
    length, mass, turns = scale["length"], scale["mass"], way == "rotation"
    reach = rng.uniform(0.02, 1.0) * (1.0 if turns else length)
    rate = 10 ** rng.uniform(1.5, 3) / scale["time"]
    size, deep = (mass * length**2 if turns else mass), 0.01 * reach
    wall = random_laws.law(rng, gd.ContactLaw, random_laws.Pair(None, None, None, name), deep, size * rate**2 * deep,
                           1.0 / rate)  # fmt: skip
    joint["stops"][way] = {"lower": -reach, "upper": reach * rng.uniform(0.5, 1.5), "wall": wall}


def _signal(rng: random.Random, whole: Description, time: float, body: str | None = None) -> dict[str, Any]:
    """How a load changes: not at all, with the time, with a joint, or for a body's force with its place and speed."""
    choice = rng.random()
    if choice < 0.35:
        return {"kind": "constant"}
    if choice < 0.6:
        return {"kind": "wave", "rate": rng.uniform(0.5, 5) / time}
    moving = [(n, way) for n, j in whole["joints"].items() for way in kinds(whole["planar"])[j["kind"]].directions]
    if moving and (choice < 0.8 or body is None or whole["bodies"][body]["type"] != "rigid"):
        name, way = rng.choice(moving)
        place = kinds(whole["planar"])[whole["joints"][name]["kind"]].directions.index(way)
        size = rng.uniform(0.2, 2.0) * (1.0 if way == "rotation" else whole["length"])
        made = {"kind": "joint", "joint": name, "channel": ("travel", "turn")[place], "way": way, "size": size}
        return made | ({"kind": "rate", "size": size / time} if rng.random() < 0.3 else {})
    if body is None or whole["bodies"][body]["type"] != "rigid":
        return {"kind": "constant"}
    mass = whole["bodies"][body]["mass"]
    if choice < 0.9:
        return {"kind": "drag", "size": mass / time * rng.uniform(0.05, 1.0)}
    return {"kind": "field", "size": mass / time**2 * rng.uniform(0.1, 5), "centre": list(whole["bodies"][body]["at"])}


def _reach(whole: Description, name: str) -> float:
    """A length [m] over which the weight of a body turns it as fast as it falls: not beyond its radius of gyration."""
    body = whole["bodies"][name]
    if body["type"] != "rigid":
        return 0.3 * float(np.linalg.norm(np.array(body["a"]) - np.array(body["b"])))
    return math.sqrt(min(body["inertia"]) / body["mass"])


def _loads(rng: random.Random, whole: Description, length: float, time: float) -> None:
    planar, bodies = whole["planar"], list(whole["bodies"])

    def weight(*names: str) -> float:
        """Of the lightest of some bodies."""
        return 9.81 * min(whole["bodies"][n]["mass"] for n in names if n != "ground")

    for k in range(rng.choice((0, 0, 1, 2))):
        a, b = rng.choice(bodies), rng.choice(["ground", *bodies])
        if a == b:
            continue
        ends = []
        for name in (a, b):
            body = whole["bodies"].get(name)
            if body is not None and body["type"] != "rigid":
                ends.append(_on_link(rng, body).tolist())
            else:
                middle = np.zeros(3) if body is None else np.array(body["at"])
                ends.append((middle + _vector(rng, planar, 0.3 * length)).tolist())
        stiffness = weight(a, b) / length * 10 ** rng.uniform(-1, 2)
        spring = {"i": a, "j": b, "at_i": ends[0], "at_j": ends[1], "stiffness": stiffness,
                  "damping": stiffness * time * rng.choice((0.0, 0.01, 0.3))}  # fmt: skip
        attempt(whole, lambda other, k=k, spring=spring: other["springs"].update({f"s{k}": spring}))
    for k in range(rng.choice((0, 0, 1, 2))):
        name = rng.choice(bodies)
        body = whole["bodies"][name]
        signal = _signal(rng, whole, time, name)
        at = np.array(body["at"]) if body["type"] == "rigid" else _on_link(rng, body)
        if signal["kind"] not in ("drag", "field") and body["type"] == "rigid":
            at = at + _vector(rng, planar, 0.3 * length)
        force = {
            "body": name,
            "at": at.tolist(),
            "value": _vector(rng, planar, weight(name) * rng.uniform(0.1, 3)),
            "signal": signal,
            "frame": "world" if signal["kind"] in ("drag", "field") else rng.choice(("world", "body")),
        }
        attempt(whole, lambda other, k=k, force=force: other["forces"].update({f"f{k}": force}))
    for k in range(rng.choice((0, 0, 1))):
        solid = [n for n in bodies if whole["bodies"][n]["type"] != "beam"]
        if solid:
            name = rng.choice(solid)
            moment = weight(name) * _reach(whole, name) * rng.uniform(0.05, 0.5)
            value = [0.0, 0.0, moment] if planar else _vector(rng, False, moment)
            torque = {"body": name, "value": value, "signal": _signal(rng, whole, time)}
            others = [n for n in solid if n != torque["body"]]
            if others and rng.random() < 0.3:
                torque["reaction"] = rng.choice(others)
            attempt(whole, lambda other, k=k, torque=torque: other["torques"].update({f"t{k}": torque}))
    turning = [n for n, j in whole["joints"].items() if "rotation" in kinds(planar)[j["kind"]].directions]
    if turning and rng.random() < 0.25:
        name = rng.choice(turning)
        ends = [n for n in (whole["joints"][name]["journal"], whole["joints"][name]["bearing"]) if n != "ground"]
        moment = min(weight(n) * _reach(whole, n) for n in ends)
        spring = {
            "joint": name,
            "stiffness": moment * rng.uniform(0.1, 5),
            "damping": moment * time * rng.choice((0.0, 0.05)),
        }
        attempt(whole, lambda other: other["torsion_springs"].update(ts=spring))


def _moves(rng: random.Random, whole: Description, time: float, freedoms: int) -> None:
    """Drives, motors and controllers on joints of a tree."""
    planar = whole["planar"]
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        free = [(n, way) for n, j in whole["joints"].items() for way in kinds(planar)[j["kind"]].directions
                if j["tree"] and not any(n in whole[g] for g in ("drives", "motors", "controllers"))]  # fmt: skip
        if not free or freedoms < 1:
            return
        name, way = rng.choice(free)
        joint = whole["joints"][name]
        unit = 1.0 if way == "rotation" else 0.3 * whole["length"]
        speed = rng.choice((-1, 1)) * rng.uniform(0.3, 6.0) / time * unit
        ends = [n for n in (joint["journal"], joint["bearing"]) if n != "ground"]
        power = min(9.81 * whole["bodies"][n]["mass"] * _reach(whole, n) for n in ends) * abs(speed)
        choice = rng.random()
        group, part = "drives", {"way": way, "speed": speed, "wave": 0.0, "motion": False}
        if way == "rotation" and choice < 0.25:
            group, part = "motors", {
                "voltage": math.copysign(10.0, speed),
                "signal": _signal(rng, whole, time),
                "resistance": 100.0 / power / rng.uniform(1, 5),
                "back_emf": 10.0 / abs(speed),
                "inductance": rng.choice((0.0, 0.05 * time * 100 / power)),
                "rotor_inertia": rng.choice((0.0, 0.01 * power / abs(speed) * time**2)),
                "gear": rng.choice((1.0, 1.0, 5.0, -2.0)),
            }
        elif way == "rotation" and choice < 0.5:
            gain = power / speed**2 * rng.uniform(0.2, 3)
            group, part = "controllers", {
                "speed": speed,
                "signal": _signal(rng, whole, time),
                "gain": gain,
                "integral": gain / time * rng.choice((0.0, 1.0)),
                "limit": rng.choice((None, 2 * power / abs(speed))),
            }
        elif choice < 0.8:
            part |= {"wave": rng.uniform(0.5, 5) / time, "motion": rng.random() < 0.5}
        if group == "drives":
            freedoms -= 1
        attempt(whole, lambda other, g=group, n=name, p=part: other[g].update({n: p}))


# -- from a description to a Mechanism ----------------------------------------------------------------------


def build(whole: Description) -> gd.Mechanism:
    """The Mechanism of a description."""
    planar = whole["planar"]
    n = 2 if planar else 3
    m = gd.Mechanism(whole.get("name", f"random {whole['seed']}"), planar=planar, gravity=tuple(whole["gravity"][:n]))
    for name, body in whole["bodies"].items():
        _build_body(m, name, body, n)
    for name, joint in whole["joints"].items():
        _build_joint(m, whole, name, joint, n)
    for name, s in whole["springs"].items():
        places = {"at_i": tuple(s["at_i"][:n]), "at_j": tuple(s["at_j"][:n])}
        m.spring(name, s["i"], s["j"], stiffness=s["stiffness"], damping=s["damping"], **places)
    for name, s in whole["torsion_springs"].items():
        m.torsion_spring(name, s["joint"], stiffness=s["stiffness"], damping=s["damping"])
    for name, f in whole["forces"].items():
        value = np.array(f["value"])
        if f["frame"] == "body":
            value = axes_of(whole, f["body"]).T @ value
        parts = _components(whole, f["signal"], value, f["body"])
        m.force(f["body"], tuple(parts[:n]), at=tuple(f["at"][:n]), frame=f["frame"], name=name)
    for name, t in whole["torques"].items():
        parts = [_text(float(x), t["signal"]) for x in t["value"]]
        m.torque(t["body"], parts[2] if planar else tuple(parts), reaction=t.get("reaction"), name=name)
    for name, drive in whole["drives"].items():
        more = {} if planar else {"direction": drive["way"]}
        size, rate = drive["speed"], drive["wave"]
        if drive["motion"]:
            m.drive(name, motion=f"{size / rate!r}*sin({rate!r}*t)", **more)
        else:
            m.drive(name, speed=f"{size!r}*cos({rate!r}*t)" if rate else size, **more)
    for name, motor in whole["motors"].items():
        given = {k: x for k, x in motor.items() if k not in ("voltage", "signal")}
        m.motor(name, voltage=_text(motor["voltage"], motor["signal"]), **given)
    for name, control in whole["controllers"].items():
        given = {k: x for k, x in control.items() if k not in ("speed", "signal")}
        m.controller(name, speed=_text(control["speed"], control["signal"]), **given)
    m.check()
    return m


def axes_of(whole: Description, name: str) -> np.ndarray:
    """Axes of a body in the described position, by columns; those of a link go along it."""
    body = whole["bodies"][name]
    if body["type"] == "rigid":
        return np.array(body["turn"])
    along = np.array(body["b"]) - np.array(body["a"])
    along = along / np.linalg.norm(along)
    if whole["planar"]:
        return np.array([[along[0], -along[1], 0], [along[1], along[0], 0], [0, 0, 1.0]])
    across = np.array(body["up"]) - along * (along @ np.array(body["up"]))
    across /= np.linalg.norm(across)
    return np.array([along, across, np.cross(along, across)]).T


def _text(size: float, signal: dict[str, Any]) -> Any:
    """A number, or a formula that a file can hold."""
    if signal["kind"] == "constant" or size == 0.0:
        return size
    if signal["kind"] == "wave":
        return f"{size!r}*cos({signal['rate']!r}*t)"
    channel = f"'{signal['joint']}.{signal['channel']}'"
    inner = channel if signal["kind"] == "joint" else f"rate({channel})"
    return f"{size!r}*tanh({inner}/({signal['size']!r}))"


def _components(whole: Description, signal: dict[str, Any], value: np.ndarray, body: str) -> list[Any]:
    axes = "xyz"
    if signal["kind"] == "drag":
        return [f"-({signal['size']!r})*('{body}.v{a}' - ({whole['boost'][k]!r}))" for k, a in enumerate(axes)]
    if signal["kind"] == "field":
        places = [f"{c!r} + ({u!r})*t" for c, u in zip(signal["centre"], whole["boost"], strict=True)]
        return [f"-({signal['size']!r})*('{body}.{a}' - ({place}))" for a, place in zip(axes, places, strict=True)]
    return [_text(float(x), signal) for x in value]


def _build_body(m: gd.Mechanism, name: str, body: dict[str, Any], n: int) -> None:
    planar = n == 2
    spin = body["spin"][2] if planar else tuple(body["spin"])
    moves: dict[str, Any] = {"velocity": tuple(body["velocity"][:n]), "spin": spin}
    if body["type"] == "rigid":
        turn = np.array(body["turn"])
        if planar:
            moves |= {"inertia": body["inertia"][0], "angle": math.atan2(turn[1][0], turn[0][0])}
        else:
            moves |= {"inertia": tuple(body["inertia"]), "orientation": quaternion(turn)}
        m.body(name, mass=body["mass"], at=tuple(body["at"][:n]), **moves)
        return
    ends = {"a": tuple(body["a"][:n]), "b": tuple(body["b"][:n]), "damping": body["damping"]}
    if body["type"] == "modal":
        m.modal_link(name, EI=body["EI"], mass=body["mass"], modes=body["modes"], axes=body["axes"], **ends, **moves)
        return
    section: Any = gd.Section(*body["stiffness"], *body["inertia"]) if planar else gd.SpatialSection(
        tuple(body["stiffness"]), tuple(body["inertia"]))  # fmt: skip
    more = {} if planar else {"up": tuple(body["up"])}
    m.beam(name, section=section, elements=body["elements"], order=body["order"], **ends, **moves, **more)


def _build_joint(m: gd.Mechanism, whole: Description, name: str, joint: dict[str, Any], n: int) -> None:
    kind, planar = joint["kind"], whole["planar"]
    options: dict[str, Any] = dict(joint["sizes"])
    if joint.get("centres"):
        options["journal_point"] = (0.0,) * n
        options["bearing_point"] = tuple(joint["at"][:n]) if joint["bearing"] == "ground" else (0.0,) * n
    else:
        options["at"] = tuple(joint["at"][:n])
        if kinds(planar)[kind].cross:
            options |= {"journal_axis": tuple(joint["axis"]), "bearing_axis": tuple(joint["arm"])}
        elif "axis" in joint and not _along_beam(whole, joint):
            options["axis"] = tuple(joint["axis"][:n])
            options |= {"arm": tuple(joint["arm"])} if "arm" in joint else {}
    if not planar and any(mate.strips for mate in mates_of(planar, kind).values()):
        options["strips"] = joint["strips"]
    if joint["fits"]:
        options["fit"] = {mate: make(fit) for mate, fit in joint["fits"].items()}
    m.joint(kind, name, journal=joint["journal"], bearing=joint["bearing"], **options)
    for way, stop in joint["stops"].items():
        more = {} if planar else {"direction": way}
        m.stop(name, lower=stop["lower"], upper=stop["upper"], wall=make(stop["wall"]), **more)


def _along_beam(whole: Description, joint: dict[str, Any]) -> bool:
    """Whether a joint slides along a flexible link, which is its own axis."""
    rails = kinds(whole["planar"])[joint["kind"]].rails
    return rails and whole["bodies"].get(joint["bearing"], {"type": "rigid"})["type"] == "beam"


def quaternion(turn: np.ndarray) -> tuple[float, float, float, float]:
    """Euler parameters of a rotation matrix, scalar first."""
    t = np.asarray(turn)
    squares = [
        1 + t[0, 0] + t[1, 1] + t[2, 2],
        1 + t[0, 0] - t[1, 1] - t[2, 2],
        1 - t[0, 0] + t[1, 1] - t[2, 2],
        1 - t[0, 0] - t[1, 1] + t[2, 2],
    ]
    k = int(np.argmax(squares))
    e = 0.5 * math.sqrt(squares[k])
    if k == 0:
        q = (e, (t[2, 1] - t[1, 2]) / (4 * e), (t[0, 2] - t[2, 0]) / (4 * e), (t[1, 0] - t[0, 1]) / (4 * e))
    elif k == 1:
        q = ((t[2, 1] - t[1, 2]) / (4 * e), e, (t[0, 1] + t[1, 0]) / (4 * e), (t[0, 2] + t[2, 0]) / (4 * e))
    elif k == 2:
        q = ((t[0, 2] - t[2, 0]) / (4 * e), (t[0, 1] + t[1, 0]) / (4 * e), e, (t[1, 2] + t[2, 1]) / (4 * e))
    else:
        q = ((t[1, 0] - t[0, 1]) / (4 * e), (t[0, 2] + t[2, 0]) / (4 * e), (t[1, 2] + t[2, 1]) / (4 * e), e)
    return tuple(float(x) for x in q)  # type: ignore[return-value]
