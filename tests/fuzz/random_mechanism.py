"""Random mechanisms: a seed gives a description in plain numbers, from which a Mechanism is built.

The description holds everything in world coordinates of the described position, three components also in the plane, so
that turning, shifting, mirroring, renaming and other units are changes of numbers (`random_changes`). A part is a
dictionary; a law is its name with its arguments.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

import gudgeon as gd

Description = dict[str, Any]
Law = tuple[str, dict[str, Any]]

PLANE = {"revolute": 2, "translational": 2, "rigid": 3}  # motions that a joint takes
SPACE = {"revolute": 5, "translational": 5, "spherical": 3, "universal": 4, "cylindrical": 4, "planar": 3, "screw": 5}
OF_ROTATION = ("revolute", "cylindrical", "screw")


def describe(seed: int, most: int = 12) -> Description:
    """A random mechanism of 1 to `most` bodies."""
    rng = random.Random(seed)
    planar = rng.random() < 0.5
    length = 10 ** rng.uniform(-2, 0.3)
    time = math.sqrt(length / 9.81)
    whole: Description = {
        "seed": seed,
        "planar": planar,
        "length": length,
        "duration": time * rng.uniform(0.3, 2.0),
        "gravity": _vector(rng, planar, 9.81) if rng.random() < 0.8 else [0.0, 0.0, 0.0],
        "bodies": {},
        "joints": {},
        "springs": {},
        "torsion_springs": {},
        "forces": {},
        "torques": {},
        "drives": {},
        "motors": {},
    }
    count = min(most, 1 + int(rng.expovariate(0.35)))
    freedoms = 0
    for k in range(count):
        freedoms += _grow(rng, whole, k, length)
    for k in range(rng.choice((0, 0, 0, 1, 1, 2))):
        freedoms -= _close(rng, whole, k, length, freedoms)
    _loads(rng, whole, length, time)
    _moves(rng, whole, time, freedoms)
    _spins(rng, whole, time)
    for name, joint in whole["joints"].items():
        _fit(rng, whole, name, joint, length, time)
    return whole


def _vector(rng: random.Random, planar: bool, size: float) -> list[float]:
    if planar:
        angle = rng.uniform(-math.pi, math.pi)
        return [size * math.cos(angle), size * math.sin(angle), 0.0]
    x = np.array([rng.gauss(0, 1) for _ in range(3)])
    return [float(v) for v in size * x / np.linalg.norm(x)]


def _grow(rng: random.Random, whole: Description, k: int, length: float) -> int:
    """One more body, on the ground or on an earlier body; gives the freedoms it adds."""
    planar, bodies = whole["planar"], whole["bodies"]
    parent = "ground" if not bodies or rng.random() < 0.15 else rng.choice(list(bodies))
    origin = np.array(bodies[parent]["at"]) if parent != "ground" else np.array(_vector(rng, planar, length))
    place = origin + _vector(rng, planar, length * rng.uniform(0.3, 1.0))
    centre = place + _vector(rng, planar, length * rng.uniform(0.1, 1.0))
    mass = 10 ** rng.uniform(-1.5, 1.0) * max(length, 0.05) ** 2 * 10
    gyration = length * rng.uniform(0.1, 0.5)
    name = f"b{k}"
    body: dict[str, Any] = {"mass": mass, "at": centre.tolist(), "velocity": [0.0] * 3, "spin": [0.0] * 3}
    if planar:
        body |= {"inertia": [mass * gyration**2], "turn": _turn([0, 0, 1], rng.uniform(-3, 3))}
    else:
        moments = sorted(mass * gyration**2 * rng.uniform(0.4, 1.0) for _ in range(2))
        third = rng.uniform(moments[1] - moments[0], moments[0] + moments[1])  # a body has no other moments
        turn = _turn(_vector(rng, False, 1.0), rng.uniform(0, 3))
        body |= {"inertia": [*moments, moments[1] - moments[0] + 0.9 * third + 1e-3 * moments[1]], "turn": turn}
        body["inertia"][2] = min(body["inertia"][2], 0.999 * sum(moments))
    bodies[name] = body
    kinds = ["revolute"] * 5 + ["translational"] * 2 + ["rigid"] if planar else list(SPACE) + ["revolute"] * 3
    kind = rng.choice(kinds)
    _joint(rng, whole, f"j{k}", kind, name, parent, place.tolist())
    return (3 - PLANE[kind]) if planar else (6 - SPACE[kind])


def _joint(
    rng: random.Random, whole: Description, name: str, kind: str, journal: str, bearing: str, at: list[float]
) -> None:
    planar, length = whole["planar"], whole["length"]
    radius = length * rng.uniform(0.02, 0.08)
    joint = {
        "kind": kind,
        "journal": journal,
        "bearing": bearing,
        "at": at,
        "radius": radius,
        "length": radius * rng.uniform(1.0, 3.0),
        "width": 2 * radius,
        "fit": None,
        "stop": None,
        "tree": True,
    }
    if kind == "translational" or not planar:
        joint["axis"] = _vector(rng, planar, 1.0)
    if kind == "universal":
        other = np.cross(joint["axis"], _vector(rng, False, 1.0))
        joint["arm"] = (other / np.linalg.norm(other)).tolist()
    if kind == "screw":
        joint["pitch"] = length * rng.uniform(0.02, 0.2)
    whole["joints"][name] = joint


def _turn(axis: list[float], angle: float) -> list[list[float]]:
    """Rotation matrix by Rodrigues' formula."""
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross).tolist()


def _close(rng: random.Random, whole: Description, k: int, length: float, freedoms: int) -> int:
    """A closed loop: in the plane by a pin, in space by a rod between two bodies; gives the freedoms it takes."""
    planar, bodies = whole["planar"], whole["bodies"]
    names = list(bodies)
    a = names[-1] if rng.random() < 0.6 else rng.choice(names)
    b = rng.choice(["ground", *[n for n in names if n != a]])
    joined = [{j["journal"], j["bearing"]} for j in whole["joints"].values()]
    if {a, b} in joined or freedoms < (3 if planar else 2):
        return 0
    here = np.array(bodies[a]["at"]) + _vector(rng, planar, 0.6 * length)
    if planar:
        _joint(rng, whole, f"c{k}", "revolute", a, b, here.tolist())
        whole["joints"][f"c{k}"]["tree"] = False
        return 2
    there = (np.array(bodies[b]["at"]) if b != "ground" else np.zeros(3)) + _vector(rng, planar, 0.6 * length)
    mass = rng.uniform(0.2, 1.0) * bodies[a]["mass"]
    moment = mass * length**2 * 0.08
    bodies[f"r{k}"] = {
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


def _loads(rng: random.Random, whole: Description, length: float, time: float) -> None:
    planar, bodies = whole["planar"], list(whole["bodies"])
    weight = 9.81 * whole["bodies"][bodies[0]]["mass"]
    for k in range(rng.choice((0, 0, 1, 2))):
        a, b = rng.choice(bodies), rng.choice(["ground", *bodies])
        if a == b:
            continue
        ends = [(np.array(whole["bodies"][n]["at"]) if n != "ground" else np.zeros(3)) for n in (a, b)]
        points = [(x + _vector(rng, planar, 0.3 * length)).tolist() for x in ends]
        stiffness = weight / length * 10 ** rng.uniform(-1, 2)
        whole["springs"][f"s{k}"] = {
            "i": a,
            "j": b,
            "at_i": points[0],
            "at_j": points[1],
            "stiffness": stiffness,
            "damping": stiffness * time * rng.choice((0.0, 0.01, 0.3)),
        }
    for k in range(rng.choice((0, 0, 1))):
        name = rng.choice(bodies)
        at = (np.array(whole["bodies"][name]["at"]) + _vector(rng, planar, 0.3 * length)).tolist()
        whole["forces"][f"f{k}"] = {
            "body": name,
            "at": at,
            "value": _vector(rng, planar, weight * rng.uniform(0.1, 3)),
            "rate": rng.choice((0.0, rng.uniform(0.5, 5) / time)),
            "frame": rng.choice(("world", "body")),
        }
    for k in range(rng.choice((0, 0, 1))):
        moment = weight * length * rng.uniform(0.05, 0.5)
        value = [0.0, 0.0, moment] if planar else _vector(rng, False, moment)
        whole["torques"][f"t{k}"] = {
            "body": rng.choice(bodies),
            "value": value,
            "rate": rng.choice((0.0, rng.uniform(0.5, 5) / time)),
        }
    turning = [n for n, j in whole["joints"].items() if j["kind"] == "revolute"]
    if turning and rng.random() < 0.25:
        whole["torsion_springs"]["ts"] = {
            "joint": rng.choice(turning),
            "stiffness": weight * length * rng.uniform(0.1, 5),
            "damping": weight * length * time * rng.choice((0.0, 0.05)),
        }


def _moves(rng: random.Random, whole: Description, time: float, freedoms: int) -> None:
    """A drive by speed or a motor on a joint to the ground."""
    free = [n for n, j in whole["joints"].items() if j["kind"] == "revolute" and j["bearing"] == "ground" and j["tree"]]
    if not free or freedoms < 1 or rng.random() < 0.5:
        return
    name = rng.choice(free)
    speed = rng.choice((-1, 1)) * rng.uniform(0.3, 6.0) / time
    if rng.random() < 0.7:
        whole["drives"][name] = {"speed": speed}
    else:
        power = 9.81 * whole["bodies"]["b0"]["mass"] * whole["length"] * abs(speed)
        whole["motors"][name] = {
            "voltage": math.copysign(10.0, speed),
            "resistance": 100.0 / power / rng.uniform(1, 5),
            "back_emf": 10.0 / abs(speed),
            "inductance": rng.choice((0.0, 0.05 * time * 100 / power)),
        }


def _spins(rng: random.Random, whole: Description, time: float) -> None:
    """An open tree on a single pin of the ground may begin as one turning body."""
    joints = whole["joints"]
    roots = [j for j in joints.values() if "ground" in (j["journal"], j["bearing"])]
    loops = [j for j in joints.values() if not j["tree"]]
    if loops or whole["drives"] or len(roots) != 1 or roots[0]["kind"] not in ("revolute", "spherical"):
        return
    turns = rng.choice((0.0, rng.uniform(-5, 5))) / time
    axis = np.array([0, 0, 1.0] if whole["planar"] else roots[0]["axis"])
    spin = turns * axis
    for body in whole["bodies"].values():
        body["spin"] = spin.tolist()
        body["velocity"] = np.cross(spin, np.array(body["at"]) - np.array(roots[0]["at"])).tolist()


def _wall(rng: random.Random, mass: float, depth: float, time: float) -> Law:
    """A contact law with K depth^1.5 such that an impact is much shorter than the motion, and not hopelessly so."""
    rate = 10 ** rng.uniform(2.0, 3.5) / time
    stiffness = mass * rate**2 / math.sqrt(depth)
    law = rng.choice(
        ("Hertz", "HuntCrossley", "LankaraniNikravesh", "Flores2011", "Gonthier", "ExactRestitution", "KelvinVoigt")
    )
    if law == "KelvinVoigt":
        return law, {"stiffness": mass * rate**2, "damping": rng.uniform(0.0, 0.4) * mass * rate}
    if law == "Hertz":
        return law, {"stiffness": stiffness}
    return law, {"stiffness": stiffness, "restitution": rng.uniform(0.2, 1.0)}


def _friction(rng: random.Random, speed: float) -> Law | None:
    mu, v0 = rng.uniform(0.01, 0.4), speed * 10 ** rng.uniform(-3, -1)
    return rng.choice(
        (
            None,
            ("ModifiedCoulomb", {"coefficient": mu, "v0": v0, "v1": 5 * v0}),
            ("SmoothCoulomb", {"coefficient": mu, "v0": v0}),
            ("Stribeck", {"coefficient": mu, "static_coefficient": 1.3 * mu, "stribeck_speed": 5 * v0, "v0": v0}),
            (
                "LuGre",
                {
                    "coefficient": mu,
                    "static_coefficient": 1.3 * mu,
                    "stribeck_speed": 5 * v0,
                    "stiffness": 30.0 / (v0 * 1e-2 / speed * 1e1 + v0) / 1.0 if v0 > 0 else 1e4,
                },
            ),
        )
    )


def _fit(rng: random.Random, whole: Description, name: str, joint: dict[str, Any], length: float, time: float) -> None:
    """Play, rubber, oil or a stop, in a third of the joints."""
    planar, kind = whole["planar"], joint["kind"]
    mass = whole["bodies"][joint["journal"]]["mass"]
    weight, speed = mass * 9.81, length / time
    allowed = {"revolute", "translational"} if planar else {"revolute", "spherical", "cylindrical", "translational"}
    if name in whole["drives"] or name in whole["motors"]:
        allowed = {"revolute"} if planar else set()
    if kind in allowed and rng.random() < 0.4:
        clearance = joint["radius"] * 10 ** rng.uniform(-3, -1)
        choice = rng.random()
        if choice < 0.6:
            joint["fit"] = {
                "type": "Clearance",
                "clearance": clearance,
                "wall": _wall(rng, mass, clearance, time),
                "friction": _friction(rng, speed),
            }
            if kind == "translational" and not planar:
                joint["fit"]["angle"] = rng.uniform(0.002, 0.05)
        elif choice < 0.85:
            stiffness = weight / length * 10 ** rng.uniform(2, 4)
            joint["fit"] = {
                "type": "Bushing",
                "stiffness": stiffness,
                "damping": stiffness * time * rng.uniform(0, 1e-2),
            }
        elif kind == "revolute" and planar:
            load = weight * 10 ** rng.uniform(0, 2)
            gap = joint["radius"] * 10 ** rng.uniform(-2.5, -1.5)
            viscosity = load * gap**2 * time / (joint["radius"] ** 3 * joint["length"])
            joint["fit"] = {"type": "Lubricated", "clearance": gap, "viscosity": viscosity}
    if kind in ("revolute", "translational") and name not in whole["drives"] and rng.random() < 0.12:
        reach = rng.uniform(0.02, 1.0) * (1.0 if kind == "revolute" else length)
        size = mass * length**2 if kind == "revolute" else mass
        rate = 10 ** rng.uniform(1.5, 3) / time
        joint["stop"] = {
            "lower": -reach,
            "upper": reach * rng.uniform(0.5, 1.5),
            "wall": ("KelvinVoigt", {"stiffness": size * rate**2, "damping": 0.2 * size * rate}),
        }


# -- from a description to a Mechanism ----------------------------------------------------------------------


def build(whole: Description) -> gd.Mechanism:
    """The Mechanism of a description; with "reverse" the parts are added in another order."""
    planar = whole["planar"]
    n = 2 if planar else 3
    m = gd.Mechanism(whole.get("name", f"random {whole['seed']}"), planar=planar, gravity=tuple(whole["gravity"][:n]))
    for name, body in whole["bodies"].items():
        turn = np.array(body["turn"])
        values: dict[str, Any] = {
            "mass": body["mass"],
            "at": tuple(body["at"][:n]),
            "velocity": tuple(body["velocity"][:n]),
        }
        if planar:
            values |= {
                "inertia": body["inertia"][0],
                "angle": math.atan2(turn[1][0], turn[0][0]),
                "spin": body["spin"][2],
            }
        else:
            values |= {"inertia": tuple(body["inertia"]), "orientation": quaternion(turn), "spin": tuple(body["spin"])}
        m.body(name, **values)
    for name, joint in whole["joints"].items():
        _build_joint(m, whole, name, joint, n)
    for name, s in whole["springs"].items():
        m.spring(
            name,
            s["i"],
            s["j"],
            stiffness=s["stiffness"],
            damping=s["damping"],
            at_i=tuple(s["at_i"][:n]),
            at_j=tuple(s["at_j"][:n]),
        )
    for name, s in whole["torsion_springs"].items():
        m.torsion_spring(name, s["joint"], stiffness=s["stiffness"], damping=s["damping"])
    for name, f in whole["forces"].items():
        value = np.array(f["value"])
        if f["frame"] == "body":
            value = np.array(whole["bodies"][f["body"]]["turn"]).T @ value
        m.force(
            f["body"],
            tuple(_signal(float(x), f["rate"]) for x in value[:n]),
            at=tuple(f["at"][:n]),
            frame=f["frame"],
            name=name,
        )
    for name, t in whole["torques"].items():
        parts = [_signal(float(x), t["rate"]) for x in t["value"]]
        m.torque(t["body"], parts[2] if planar else tuple(parts), name=name)
    for name, drive in whole["drives"].items():
        m.drive(name, speed=drive["speed"])
    for name, motor in whole["motors"].items():
        m.motor(name, **motor)
    return m


def _signal(size: float, rate: float) -> Any:
    return size if rate == 0.0 else lambda t: size * gd.cos(rate * t)


def _build_joint(m: gd.Mechanism, whole: Description, name: str, joint: dict[str, Any], n: int) -> None:
    kind, planar = joint["kind"], whole["planar"]
    options: dict[str, Any] = {"at": tuple(joint["at"][:n])}
    if "axis" in joint and kind not in ("spherical", "universal"):
        options["axis"] = tuple(joint["axis"][:n])
    if kind == "universal":
        options |= {"journal_axis": tuple(joint["axis"]), "bearing_axis": tuple(joint["arm"])}
    if kind == "screw":
        options["pitch"] = joint["pitch"]
    if planar and kind == "translational":
        options |= {"width": joint["width"], "length": joint["length"]}
    elif kind not in ("universal", "rigid"):
        options |= {"radius": joint["radius"]}
        if kind not in ("spherical", "planar"):
            options |= {"length": joint["length"]}
    if joint["fit"] is not None:
        options["fit"] = fit(joint["fit"])
    m.joint(kind, name, journal=joint["journal"], bearing=joint["bearing"], **options)
    if joint["stop"] is not None:
        stop = joint["stop"]
        m.stop(name, lower=stop["lower"], upper=stop["upper"], wall=law(stop["wall"]))


def law(item: Law | None) -> Any:
    return None if item is None else getattr(gd, item[0])(**item[1])


def fit(item: dict[str, Any]) -> Any:
    if item["type"] == "Clearance":
        angle = {"angular_clearance": item["angle"]} if "angle" in item else {}
        return gd.Clearance(item["clearance"], wall=law(item["wall"]), friction=law(item["friction"]), **angle)
    if item["type"] == "Bushing":
        return gd.Bushing(gd.LinearLiner(item["stiffness"], damping=item["damping"]))
    return gd.Lubricated(item["clearance"], film=gd.Moes(item["viscosity"]))


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
