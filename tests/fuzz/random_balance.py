"""Newton and Euler for every rigid body of a run, from what it reports and what the description says, in plain NumPy.

Reported are the motion of the bodies, the force and moment on the journal of each joint and what drives and motors
give; springs, loads and gravity are calculated here. Where a channel has nothing to say of a moment, the moments of
that body are left out: those of flexible links and of what they carry.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from random_mechanism import Description, axes_of, kinds

import gudgeon as gd

CLOSE, ITERATED = 1e-6, 1e-5  # of the largest force or moment on the body
MOST_ROWS = 0.9  # of the rows of methods that iterate: where a law has a kink, a step ends before its forces are known
DRIFT = 4.0  # axes of a body are off by twice the drift of its Euler parameters, and so are arms and moments
LEAST = 1e-3  # of its weight: forces that are only rounding

Array = np.ndarray


class Motion:
    """How the bodies moved: places, velocities and axes at the recorded times."""

    def __init__(self, result: gd.Run, whole: Description) -> None:
        self.result, self.whole, self.planar = result, whole, whole["planar"]
        self.t = np.asarray(result.t)
        self.n = len(self.t)
        self.drift = 0.0  # of the length of Euler parameters, which methods of fixed steps keep to their own error
        self.axes = {name: self._axes(name) for name in whole["bodies"] if self.rigid(name)}
        self.spins = {name: self._spin(name) for name in self.axes}

    def rigid(self, name: str) -> bool:
        return name == "ground" or self.whole["bodies"][name]["type"] == "rigid"

    def vector(self, pattern: str) -> Array:
        """Three components by the names of their channels, 0 where there is none."""
        parts = [self.result[pattern.format(a)] if pattern.format(a) in self.result.channels else np.zeros(self.n)
                 for a in "xyz"]  # fmt: skip
        return np.array(parts).T

    def _axes(self, name: str) -> Array:
        if self.planar:
            return _about_z(np.asarray(self.result[f"{name}.angle"]))
        parameters = np.array([self.result[f"{name}.e{k}"] for k in range(4)])
        length = np.linalg.norm(parameters, axis=0)
        self.drift = max(self.drift, float(np.abs(length - 1.0).max()))
        e0, e1, e2, e3 = parameters / length
        rows = [
            [1 - 2 * (e2**2 + e3**2), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
            [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1**2 + e3**2), 2 * (e2 * e3 - e0 * e1)],
            [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1**2 + e2**2)],
        ]
        return np.moveaxis(np.array(rows), 2, 0)

    def _spin(self, name: str) -> Array:
        """In the world."""
        if self.planar:
            return np.outer(self.result[f"{name}.spin"], [0, 0, 1.0])
        return np.einsum("nij,nj->ni", self.axes[name], self.vector(name + ".w{}"))

    def turned(self, name: str, direction: Any) -> Array:
        """A direction fixed in a body, given in the described position."""
        if name == "ground":
            return np.tile(np.asarray(direction, float), (self.n, 1))
        return np.einsum("nij,j->ni", self.axes[name], axes_of(self.whole, name).T @ np.asarray(direction, float))

    def point(self, name: str, at: Any) -> tuple[Array, Array]:
        """Place and velocity of a point fixed to a body, given in the described position."""
        if name == "ground":
            return np.tile(np.asarray(at, float), (self.n, 1)), np.zeros((self.n, 3))
        arm = self.turned(name, np.array(at) - np.array(self.whole["bodies"][name]["at"]))
        velocity = self.vector(name + ".v{}") + np.cross(self.spins[name], arm)
        return self.vector(name + ".{}") + arm, velocity

    def spin(self, name: str) -> Array:
        return np.zeros((self.n, 3)) if name == "ground" else self.spins[name]


def _about_z(angle: Array) -> Array:
    c, s, o = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    return np.moveaxis(np.array([[c, -s, o], [s, c, o], [o, o, o + 1]]), 2, 0)


class Balance:
    """Forces and moments about the centre of mass on each rigid body, and the size of what was added."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        names = [name for name in motion.whole["bodies"] if motion.rigid(name)]
        self.force = {name: np.zeros((motion.n, 3)) for name in names}
        self.moment = {name: np.zeros((motion.n, 3)) for name in names}
        self.sizes = {name: [0.0, 0.0] for name in names}
        self.unknown: set[tuple[str, int]] = set()  # (body, 0 force or 1 moment) that cannot be added up

    def add(self, name: str, force: Array, place: Array, moment: Array | float = 0.0) -> None:
        if name not in self.force:
            return
        arm = place - self.motion.vector(name + ".{}")
        turning = np.cross(arm, force) + moment
        self.force[name] += force
        self.moment[name] += turning
        for k, part in enumerate((force, np.cross(arm, force))):
            self.sizes[name][k] = max(self.sizes[name][k], float(np.abs(part).max()))
        self.sizes[name][1] = max(self.sizes[name][1], float(np.abs(moment).max()))

    def couple(self, name: str, moment: Array) -> None:
        self.add(name, 0.0 * moment, 0.0 * moment, moment)

    def leave_out(self, *names: str, only: tuple[int, ...] = (0, 1)) -> None:
        self.unknown |= {(name, k) for name in names for k in only}


def balance_of_forces(base: gd.Run, tight: gd.Run, whole: Description, solved: bool) -> list[str]:
    """Where Newton's and Euler's equations of a body are not those of its run. With accelerations that are `solved` for
    they hold to rounding. Other methods find them by iteration or as means over steps: there runs recorded at their
    steps are given, which come closer with shorter ones and a closer tolerance until rounding ends that."""
    left = residuals(base, whole, 1.0 if solved else MOST_ROWS)
    closer = {} if solved else residuals(tight, whole, MOST_ROWS)
    failures = []
    for (name, k), (wrong, size) in left.items():
        if not solved:
            wrong, size = max(closer[name, k], (0.0, size)) if closer[name, k][0] > 0.7 * wrong else (0.0, size)
        if not wrong <= (CLOSE if solved else ITERATED) * size:
            unit = ("N", "Nm")[k]
            failures.append(f"{('Newton', 'Euler')[k]}: {name}: {wrong:.1e} {unit} of {size:.1e} {unit}")
    return failures


def residuals(result: gd.Run, whole: Description, share: float) -> dict[tuple[str, int], tuple[float, float]]:
    """What is left of Newton's (0) and Euler's (1) equations of each body in this share of the rows, and the largest
    part of them."""
    motion = Motion(result, whole)
    total = Balance(motion)
    for name in total.force:
        weight = np.tile(whole["bodies"][name]["mass"] * np.array(whole["gravity"]), (motion.n, 1))
        total.add(name, weight, motion.vector(name + ".{}"))
    for name, joint in whole["joints"].items():
        _joint(total, whole, name, joint)
    _springs(total, whole)
    _loads(total, whole)
    left: dict[tuple[str, int], tuple[float, float]] = {}
    for name in total.force:
        body = whole["bodies"][name]
        rate = body["mass"] * motion.vector(name + ".a{}")
        _left(left, total, name, 0, rate, share)
        if motion.planar:
            turn = np.outer(body["inertia"][0] * np.asarray(result[f"{name}.alpha"]), [0, 0, 1.0])
        else:
            inertia, spin = np.array(body["inertia"]), motion.vector(name + ".w{}")
            own = inertia * motion.vector(name + ".alpha{}") + np.cross(spin, inertia * spin)
            turn = np.einsum("nij,nj->ni", motion.axes[name], own)
        _left(left, total, name, 1, turn, share)
    return left


def _left(
    left: dict[tuple[str, int], tuple[float, float]], total: Balance, name: str, k: int, rate: Array, share: float
) -> None:
    if (name, k) in total.unknown:
        return
    parts = slice(2, 3) if total.motion.planar and k == 1 else slice(0, 2 if total.motion.planar else 3)
    given = (total.force, total.moment)[k][name]
    size = max(float(np.abs(rate).max()), total.sizes[name][k])
    weight, length = 9.81 * total.motion.whole["bodies"][name]["mass"], total.motion.whole["length"]
    size = max(size, LEAST * weight * (length if k else 1.0))
    if k == 1:  # a moment is known as well as its forces over the size of the mechanism
        size = max(size, 1e-3 * total.sizes[name][0] * length)
    rows = np.abs(rate - given)[:, parts].max(axis=1)
    left[name, k] = float(np.quantile(rows, share)), size * (1.0 + DRIFT / CLOSE * total.motion.drift)


def _joint(total: Balance, whole: Description, name: str, joint: dict[str, Any]) -> None:
    """The reported force and moment on the journal, about its point; drives and motors, which are reported apart."""
    motion, ends = total.motion, (joint["journal"], joint["bearing"])
    centre = joint.get("centres")
    carrier = ends[0] if ends[0] != "ground" else ends[1]
    force = motion.vector(name + ".f{}")
    if not motion.rigid(carrier):
        total.leave_out(*ends, only=(1,))
        place = np.zeros((motion.n, 3))
    elif centre and carrier != "ground":
        place = motion.point(carrier, whole["bodies"][carrier]["at"])[0]
    else:
        place = motion.point(carrier, joint["at"])[0]
    moment = motion.vector(name + ".m{}")
    if motion.planar and f"{name}.moment" in motion.result.channels:
        moment = np.outer(motion.result[f"{name}.moment"], [0, 0, 1.0])
    for end, sign in zip(ends, (1.0, -1.0), strict=True):
        total.add(end, sign * force, place, sign * moment)
    _actuators(total, whole, name, joint)


def _actuators(total: Balance, whole: Description, name: str, joint: dict[str, Any]) -> None:
    motion, ends = total.motion, (joint["journal"], joint["bearing"])
    loose = any(fit[0] != "Ideal" for fit in joint["fits"].values())
    turning = f"{name}.torque" in motion.result.channels
    sliding = f"{name}.drive_force" in motion.result.channels
    spring = next((s for s in whole["torsion_springs"].values() if s["joint"] == name), None)
    if not (turning or sliding or spring):
        return
    if not all(motion.rigid(end) for end in ends) or (loose and not motion.planar):
        total.leave_out(*ends)  # about which axis it turns then is not reported
        return
    axis = np.tile([0.0, 0.0, 1.0], (motion.n, 1)) if motion.planar else motion.turned(ends[1], joint["axis"])
    if sliding:
        along = motion.turned(ends[1], joint["axis"])
        push = along * np.asarray(motion.result[f"{name}.drive_force"])[:, None]
        place = motion.point(ends[0], joint["at"])[0]
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            total.add(end, sign * push, place)
    if turning:
        twist = axis * np.asarray(motion.result[f"{name}.torque"])[:, None]
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            total.couple(end, sign * twist)
    motor = whole["motors"].get(name)
    if motor is not None and motor["rotor_inertia"]:
        total.leave_out(*ends)  # what turns the rotor is not reported
    if spring is not None:
        directions = kinds(motion.planar)[joint["kind"]].directions
        angle = np.asarray(motion.result[f"{name}.{('travel', 'turn')[directions.index('rotation')]}"])
        rate = np.einsum("ni,ni->n", axis, motion.spin(ends[0]) - motion.spin(ends[1]))
        twist = axis * (-spring["stiffness"] * angle - spring["damping"] * rate)[:, None]
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            total.couple(end, sign * twist)


def _springs(total: Balance, whole: Description) -> None:
    motion = total.motion
    for s in whole["springs"].values():
        if not (motion.rigid(s["i"]) and motion.rigid(s["j"])):
            total.leave_out(s["i"], s["j"])
            continue
        (a, va), (b, vb) = motion.point(s["i"], s["at_i"]), motion.point(s["j"], s["at_j"])
        apart = np.linalg.norm(b - a, axis=1)
        along = (b - a) / apart[:, None]
        free = np.linalg.norm(np.array(s["at_j"]) - np.array(s["at_i"]))
        pull = s["stiffness"] * (apart - free) + s["damping"] * np.einsum("ni,ni->n", along, vb - va)
        total.add(s["i"], along * pull[:, None], a)
        total.add(s["j"], -along * pull[:, None], b)


def _loads(total: Balance, whole: Description) -> None:
    motion = total.motion
    for f in whole["forces"].values():
        name, signal = f["body"], f["signal"]
        if not motion.rigid(name):
            continue
        place = motion.point(name, f["at"])[0]
        if signal["kind"] == "drag":
            total.add(name, -signal["size"] * (motion.vector(name + ".v{}") - whole["boost"]), place)
        elif signal["kind"] == "field":
            centre = np.array(signal["centre"]) + np.outer(motion.t, whole["boost"])
            total.add(name, -signal["size"] * (motion.vector(name + ".{}") - centre), place)
        elif signal["kind"] == "rate":
            total.leave_out(name)  # speeds of joints are not reported
        else:
            value = motion.turned(name, f["value"]) if f["frame"] == "body" else np.array(f["value"])
            total.add(name, value * _strength(motion, signal), place)
    for torque in whole["torques"].values():
        ends = [torque["body"], *([torque["reaction"]] if "reaction" in torque else [])]
        if torque["signal"]["kind"] == "rate":
            total.leave_out(*ends)
            continue
        value = np.array(torque["value"]) * _strength(motion, torque["signal"])
        for end, sign in zip(ends, (1.0, -1.0), strict=False):
            total.couple(end, sign * np.broadcast_to(value, (motion.n, 3)))


def _strength(motion: Motion, signal: dict[str, Any]) -> Array:
    """What a load is multiplied by, as a column."""
    if signal["kind"] == "wave":
        return np.cos(signal["rate"] * motion.t)[:, None]
    if signal["kind"] == "joint":
        channel = np.asarray(motion.result[f"{signal['joint']}.{signal['channel']}"])
        return np.tanh(channel / signal["size"])[:, None]
    return np.ones((motion.n, 1))
