"""Is contact lost where the ideal motion says so? Random four-bars with one loose pin, each rule against a simulation.

python -m benchmarks.contact_loss run [--designs 105000] [--threads 1] [--out out/contact-loss]
python -m benchmarks.contact_loss run --designs 2250 --depth 0.002 --out out/contact-loss-stiff
python -m benchmarks.contact_loss tables [--out out/contact-loss] [--log benchmarks/logs/contact_loss.json]

`run` can be stopped in any way; the same call goes on, and a second one beside it with --from-end meets it. `tables`
makes the log that the page of the docs is made from.
What was decided before any result was seen:

- *Mechanism*: a crank-rocker after Grashof, transmission angle never below 30 deg, crank driven at constant speed. One
  of the pins crank/coupler, coupler/rocker and rocker/frame, in turn, has a clearance. The others are ideal. No
  friction. Lengths, mass, speed, centres of mass, inertias, a constant torque on the rocker and the clearance are drawn
  at random (`Designs`).
- *Wall*: linear spring and damper, so that the root mean square of the ideal load presses the journal 0.02 clearances
  deep, with 0.2 of the critical damping of the mass that the joint feels: an impact returns about half the speed.
- *Start*: the journal is seated at the wall where the ideal load presses it, and goes with the load, at the instant at
  which that is easiest. Three turns from there.
- *Contact is lost* when the gap opens in turn 2 or 3. What happens in the first turn is kept besides.
- *Rules* see the ideal motion alone. A number is largest somewhere in the cycle; where a work does not give its limit,
  or we did not see it, the limit that would have made the fewest errors is taken, in favour of the rule.

Three turns instead of four, 0.02 clearances instead of 0.01 and the least clearance were set for speed, after 180
designs had been looked at. Added after the first 18,000 designs were seen: some of them with a wall ten times as stiff,
to know what the verdicts depend on; and γ'/R in the units of each machine, to know whether it is the units that fail.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from benchmarks.report import machine
from gudgeon.analysis.contact_loss.following import Follower, Load
from gudgeon.assemble import System, assemble
from gudgeon.batch.batch import Batch
from gudgeon.batch.inputs import described
from gudgeon.batch.kinds import Trajectories
from gudgeon.batch.machine import Host
from gudgeon.batch.program import Wanted
from gudgeon.batch.trajectory import DONE
from gudgeon.methods.explicit.dopri5 import Dopri5

JOINTS = ("crank_pin", "pin", "pivot")
TURNS, PIECE, INSTANTS = 3, 750, 480
DEPTH, DAMPING = 0.02, 0.2  # of the clearance, of critical
RTOL, TRIES = 1e-7, 400_000
LENGTHS, TRANSMISSION = (1.2, 6.0), math.sin(math.radians(30.0))
CRANK, SPEED, MASS = (0.02, 0.2), (60.0, 3000.0), (0.05, 5.0)  # [m], [rpm], [kg] of the coupler
CLEARANCE = (2e-4, 1e-2)  # of the crank
PERIOD = 2.0 * math.pi
GRAVITY = 9.81


@dataclass(frozen=True)
class Designs:
    """Random four-bars in units of the crank, the coupler's mass and the crank's speed: arrays, one place a design.

    coupler, rocker, frame  lengths, each log-uniform in LENGTHS, drawn again until the crank turns
    g3, h3, j3              the coupler's centre of mass along (0.2 to 0.8 of it) and across (-0.2 to 0.2), inertia
                            about it: radius 0.2 to 0.4
    m4, g4, h4, j4          the rocker: mass 0.2 to 5, centre of mass 0 to 0.8 and -0.2 to 0.2, inertia about it:
                            radius 0.2 to 0.5, and in half of the designs what it drives, 0.01 to 10 m4 rocker²
    torque                  in half of the designs ± 0.03 to 10, on the rocker
    gravity                 of the size that crank length and speed give it, in any direction
    clearance               log-uniform in CLEARANCE
    force                   the unit of force [N], and of time [s]
    """

    coupler: np.ndarray
    rocker: np.ndarray
    frame: np.ndarray
    g3: np.ndarray
    h3: np.ndarray
    j3: np.ndarray
    m4: np.ndarray
    g4: np.ndarray
    h4: np.ndarray
    j4: np.ndarray
    torque: np.ndarray
    gravity: np.ndarray
    clearance: np.ndarray
    force: np.ndarray
    second: np.ndarray

    def __len__(self) -> int:
        return len(self.coupler)


def drawn(seed: int, count: int) -> Designs:
    """So many designs."""
    rng = np.random.default_rng(seed)

    def log_uniform(low: float, high: float) -> np.ndarray:
        return np.exp(rng.uniform(math.log(low), math.log(high), count))

    lengths = np.empty((count, 3))
    missing = np.arange(count)
    while len(missing):
        b, r, f = np.exp(rng.uniform(*np.log(LENGTHS), (3, len(missing))))
        closest, farthest = f - 1.0, f + 1.0  # of the crank pin from the rocker's pivot
        fits = (closest > np.abs(b - r)) & (farthest < b + r)
        for d in (closest, farthest):
            cosine = np.clip((b * b + r * r - d * d) / (2.0 * b * r), -1.0, 1.0)
            fits &= np.sqrt(1.0 - cosine**2) >= TRANSMISSION
        lengths[missing[fits]] = np.stack([b, r, f], axis=1)[fits]
        missing = missing[~fits]
    b, r, f = lengths.T
    size, rpm, mass = log_uniform(*CRANK), log_uniform(*SPEED), log_uniform(*MASS)
    spin = rpm * math.pi / 30.0
    m4 = log_uniform(0.2, 5.0)
    driven = rng.integers(0, 2, count) * log_uniform(0.01, 10.0)
    torque = rng.integers(0, 2, count) * rng.choice([-1.0, 1.0], count) * log_uniform(0.03, 10.0)
    down = rng.uniform(0.0, PERIOD, count)
    weight = GRAVITY / (size * spin**2)
    return Designs(
        b, r, f, b * rng.uniform(0.2, 0.8, count), b * rng.uniform(-0.2, 0.2, count),
        (b * rng.uniform(0.2, 0.4, count)) ** 2, m4, r * rng.uniform(0.0, 0.8, count),
        r * rng.uniform(-0.2, 0.2, count), m4 * r * r * (rng.uniform(0.2, 0.5, count) ** 2 + driven), torque,
        np.stack([weight * np.cos(down), weight * np.sin(down)], axis=1), log_uniform(*CLEARANCE),
        mass * size * spin**2, 1.0 / spin)  # fmt: skip


def _turned(x: np.ndarray) -> np.ndarray:
    return np.stack([-x[..., 1], x[..., 0]], axis=-1)


def _along(angle: np.ndarray, x: Any, y: Any = 0.0) -> np.ndarray:
    """A vector (x, y) of a body at an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x * c - y * s, x * s + y * c], axis=-1)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a * b).sum(axis=-1))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


@dataclass(frozen=True)
class Motion:
    """Angles, their rates and second derivatives (design, instant), by the crank's angle; ideal joints."""

    crank: np.ndarray
    angles: tuple[np.ndarray, np.ndarray]  # coupler, rocker
    rates: tuple[np.ndarray, np.ndarray]
    accelerations: tuple[np.ndarray, np.ndarray]


def motion(d: Designs, crank: np.ndarray) -> Motion:
    """In closed form: where two circles meet, and the loop's two equations for rates."""
    b, r, f = d.coupler[:, None], d.rocker[:, None], d.frame[:, None]
    a = _along(crank, 1.0)
    across = np.stack([f - a[..., 0], -a[..., 1]], axis=-1)
    distance = np.sqrt(_dot(across, across))
    along = (b * b - r * r + distance**2) / (2.0 * distance)
    high = np.sqrt(b * b - along**2)
    e3 = (along[..., None] * across + high[..., None] * _turned(across)) / distance[..., None]
    e4 = e3 - across
    e1, t3, t4 = a, _turned(e3), _turned(e4)
    # e1 + e3 - e4 = frame, differentiated: t1 + t3 φ' - t4 ψ' = 0
    det = _cross(t3, t4)
    known = _turned(e1)
    phi, psi = -_cross(known, t4) / det, -_cross(known, t3) / det
    known = -e1 - e3 * phi[..., None] ** 2 + e4 * psi[..., None] ** 2
    phi2, psi2 = -_cross(known, t4) / det, -_cross(known, t3) / det
    return Motion(crank, (np.arctan2(e3[..., 1], e3[..., 0]), np.arctan2(e4[..., 1], e4[..., 0])), (phi, psi),
                  (phi2, psi2))  # fmt: skip


def load(d: Designs, x: Motion, joint: str) -> tuple[np.ndarray, np.ndarray]:
    """P (design, instant, 2) on the journal of a joint and W (design, instant, 3), in closed form."""
    (phi, psi), (phi1, psi1), (phi2, psi2) = x.angles, x.rates, x.accelerations
    column = {name: getattr(d, name)[:, None] for name in d.__dataclass_fields__}
    e3, e4 = _along(phi, column["coupler"]), _along(psi, column["rocker"])
    c3, c4 = _along(phi, column["g3"], column["h3"]), _along(psi, column["g4"], column["h4"])
    a3 = -_along(x.crank, 1.0) + _turned(c3) * phi2[..., None] - c3 * phi1[..., None] ** 2
    a4 = _turned(c4) * psi2[..., None] - c4 * psi1[..., None] ** 2
    g, m4 = d.gravity[:, None, :], column["m4"]
    # the force C of the coupler on the rocker, from the moments about the ends that do not know it
    right3 = -(column["j3"] * phi2 + _cross(c3, a3 - g))
    right4 = column["j4"] * psi2 + m4 * _cross(c4, a4 - g) - column["torque"]
    det = _cross(e3, e4)
    c = (e4 * right3[..., None] - e3 * right4[..., None]) / det[..., None]
    b = (a3 - g) + c
    dd = m4[..., None] * (a4 - g) - c
    i3, i4 = column["j3"] + _dot(c3, c3), column["j4"] + m4 * _dot(c4, c4)
    t3, t4 = _turned(e3), _turned(e4)
    if joint == "pin":
        return c, _outer(t3, t3) / i3[..., None] + _outer(t4, t4) / i4[..., None]
    if joint == "crank_pin":  # coupler and rocker swing about the pivot
        h = c3 - e3
        m44, m33, m43 = i4 + _dot(e4, e4), column["j3"] + _dot(h, h), _dot(e4, h)
        first, second, force = t4, -t3, b
    else:  # coupler and rocker swing about the crank pin
        h = c4 - e4
        m44, m33, m43 = i3 + m4 * _dot(e3, e3), column["j4"] + m4 * _dot(h, h), m4 * _dot(e3, h)
        first, second, force = t3, -t4, -dd
    det = m44 * m33 - m43**2
    w = m33[..., None] * _outer(first, first) + m44[..., None] * _outer(second, second)
    w -= m43[..., None] * (_outer(first, second) + _outer(second, first))
    return force, w / det[..., None]


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """xx, xy and yy."""
    return np.stack([a[..., 0] * b[..., 0], a[..., 0] * b[..., 1], a[..., 1] * b[..., 1]], axis=-1)


def mechanism(joint: str) -> gd.Mechanism:
    """The structure: a four-bar whose numbers are all replaced."""
    crank, coupler, rocker, frame, start = 1.02, 3.1, 2.3, 3.3, 0.7
    a = (crank * math.cos(start), crank * math.sin(start))
    dx, dy = frame - a[0], -a[1]
    distance = math.hypot(dx, dy)
    along = (coupler**2 - rocker**2 + distance**2) / (2 * distance)
    high = math.sqrt(coupler**2 - along**2)
    e = (a[0] + (along * dx - high * dy) / distance, a[1] + (along * dy + high * dx) / distance)
    m = gd.Mechanism("four-bar", gravity=(0.3, -0.2))
    bodies = [
        m.body("crank", mass=0.5, inertia=0.04, at=(0.5 * a[0] + 0.01, 0.5 * a[1] - 0.02), angle=start),
        m.body("coupler", mass=0.6, inertia=0.26, at=(0.47 * a[0] + 0.53 * e[0], 0.47 * a[1] + 0.53 * e[1] - 0.04),
               angle=math.atan2(e[1] - a[1], e[0] - a[0])),
        m.body("rocker", mass=1.5, inertia=0.36, at=(0.5 * (frame + e[0]) - 0.05, 0.5 * e[1] + 0.06),
               angle=math.atan2(e[1], e[0] - frame)),
    ]  # fmt: skip
    one, two, three = bodies
    size = {"radius": 0.05, "length": 0.11}
    m.revolute("main", journal=one, bearing=m.ground, at=(0, 0))
    m.revolute("crank_pin", journal=one, bearing=two, at=a, **size)
    m.revolute("pin", journal=two, bearing=three, at=e, **size)
    m.revolute("pivot", journal=three, bearing=m.ground, at=(frame, 0), **size)
    m.drive("main", speed=1.01)
    m.torque(three, 0.77)
    return m.refit(**{joint: gd.Clearance(1e-3, wall=gd.KelvinVoigt(1e5, 37.0))})


@dataclass(frozen=True)
class Seat:
    """Where each design begins: the crank's angle, the journal's place relative to the bearing and its velocity."""

    crank: np.ndarray
    offset: np.ndarray
    velocity: np.ndarray


def columns(system: System, base: np.ndarray, d: Designs, joint: str, seat: Seat, stiffness: np.ndarray,
            damping: np.ndarray) -> tuple[dict[int, np.ndarray], np.ndarray]:  # fmt: skip
    """Inputs that differ between designs, and the states at the start (row, design)."""
    names = system.code.parameter_names[: system.module.parameters]
    given = {
        "coupler.mass": 1.0, "coupler.inertia": d.j3, "rocker.mass": d.m4, "rocker.inertia": d.j4,
        "main.journal.angle": seat.crank, "main.speed": 1.0, "rocker_torque": d.torque, "pivot.bearing.x": d.frame,
        "crank_pin.bearing.x": -d.g3, "crank_pin.bearing.y": -d.h3, "pin.journal.x": d.coupler - d.g3,
        "pin.journal.y": -d.h3, "pin.bearing.x": d.rocker - d.g4, "pin.bearing.y": -d.h4, "pivot.journal.x": -d.g4,
        "pivot.journal.y": -d.h4, f"{joint}.radial_clearance": d.clearance, f"{joint}.wall.stiffness": stiffness,
        f"{joint}.wall.damping": damping, "gravity.x": d.gravity[:, 0], "gravity.y": d.gravity[:, 1],
        "main.journal.x": -0.5, "main.journal.y": 0.0, "crank_pin.journal.x": 0.5, "crank_pin.journal.y": 0.0,
    }  # fmt: skip
    table = {names.index(name): np.broadcast_to(np.asarray(value, dtype=float), len(d)).copy()
             for name, value in given.items()}  # fmt: skip
    x = motion(d, seat.crank[:, None])
    phi, psi = (angle[:, 0] for angle in x.angles)
    a, at1 = _along(seat.crank, 1.0), _turned(_along(seat.crank, 1.0))
    for _ in range(8):  # e1 + e3 - e4 - frame = offset, whichever pin is loose
        e3, e4 = _along(phi, d.coupler), _along(psi, d.rocker)
        left = a + e3 - e4 - seat.offset
        left[:, 0] -= d.frame
        det = _cross(_turned(e3), _turned(e4))
        phi = phi - _cross(left, _turned(e4)) / det
        psi = psi - _cross(left, _turned(e3)) / det
    e3, e4 = _along(phi, d.coupler), _along(psi, d.rocker)
    det = _cross(_turned(e3), _turned(e4))
    phi1 = -_cross(at1 - seat.velocity, _turned(e4)) / det
    psi1 = -_cross(at1 - seat.velocity, _turned(e3)) / det
    c3, c4 = _along(phi, d.g3, d.h3), _along(psi, d.g4, d.h4)
    start3, v3 = (a - seat.offset, at1 - seat.velocity) if joint == "crank_pin" else (a, at1)
    start4 = np.stack([d.frame, np.zeros(len(d))], axis=1)
    v4 = np.zeros_like(start4)
    if joint == "pivot":
        start4, v4 = start4 + seat.offset, v4 + seat.velocity
    places = [0.5 * a, seat.crank, start3 + c3, phi, start4 + c4, psi]
    speeds = [0.5 * at1, np.ones(len(d)), v3 + _turned(c3) * phi1[:, None], phi1, v4 + _turned(c4) * psi1[:, None],
              psi1]  # fmt: skip
    states = np.zeros((len(base), len(d)))
    states[2:20] = np.concatenate([part if part.ndim == 2 else part[:, None] for part in (*places, *speeds)], axis=1).T
    return table, states


RESULTS = ("joint", "status", "steps", "first", "later", "depth", "N", "A", "gamma", "kept", "turn", "least", "near",
           "mean", "clearance", "weight")  # fmt: skip


def computed(seed: int, count: int, joint: str, host: Host, batches: dict[str, Any],
             depth: float = DEPTH) -> dict[str, np.ndarray]:  # fmt: skip
    """A piece of designs: rules and simulation."""
    d = drawn(seed, count)
    crank = np.arange(INSTANTS) * (PERIOD / INSTANTS)
    forces, mobilities = load(d, motion(d, np.broadcast_to(crank, (count, INSTANTS))), joint)
    found = {name: np.full(count, np.nan) for name in RESULTS}
    offset, velocity, begin = np.zeros((count, 2)), np.zeros((count, 2)), np.zeros(count)
    stiffness, damping = np.zeros(count), np.zeros(count)
    for k in range(count):
        c = float(d.clearance[k])
        follower = Follower(Load(crank, forces[k], mobilities[k], PERIOD), c)
        way = follower.way(cycles=TURNS)
        quiet = follower.quietest
        angle, spin = follower.seated(quiet, c)[:2]
        mean = float(np.sqrt(np.mean(follower.turning.size**2)))
        u = forces[k] / follower.turning.size[:, None]
        w = mobilities[k]
        normal = 1.0 / (w[:, 0] * u[:, 0] ** 2 + 2.0 * w[:, 1] * u[:, 0] * u[:, 1] + w[:, 2] * u[:, 1] ** 2)
        stiffness[k] = mean / (depth * c)
        damping[k] = 2.0 * DAMPING * math.sqrt(stiffness[k] * float(np.mean(normal)))
        deep = c + float(follower.turning.size[quiet]) / stiffness[k]
        begin[k] = crank[quiet]
        offset[k] = deep * math.cos(angle), deep * math.sin(angle)
        velocity[k] = -offset[k, 1] * spin, offset[k, 0] * spin
        worst = follower.near_extremes
        number = worst.number(c)
        largest = int(np.argmax(number))
        found["N"][k] = number[largest]
        found["gamma"][k] = worst.rate_by_force.max() / (d.force[k] * d.second[k])
        found["A"][k] = (worst.mass * c * np.abs(worst.acceleration) / worst.size).max()
        found["least"][k], found["mean"][k] = way.least, mean
        found["kept"][k] = way.lost is None
        found["turn"][k] = 0.0 if way.lost is None else 1 + int((way.lost - way.begin) / PERIOD)
        other = follower.way(clearance=(0.5 if way.lost is not None else 2.0) * c, cycles=TURNS)
        found["near"][k] = (other.lost is None) != (way.lost is None)
    if joint not in batches:
        system = assemble(mechanism(joint), Dopri5(RTOL).needs())
        inputs, state = described(system, rtol=RTOL, period=PERIOD, longest=PERIOD / 50)
        parameters = range(system.module.parameters)
        batches[joint] = system, state, inputs, Batch(host, Trajectories, system, inputs, parameters,
                                                      Wanted(extremes=(f"{joint}.depth",)), Dopri5(RTOL))  # fmt: skip
    system, state, inputs, batch = batches[joint]
    table, states = columns(system, state, d, joint, Seat(begin, offset, velocity), stiffness, damping)
    every = {k: table.get(k, np.full(count, inputs[k])) for k in range(system.module.parameters)}
    out = batch.run(every, {"state": states}, TURNS, TRIES)
    lowest = out["extremes"][:, 1, :]
    found["status"], found["steps"] = out.results["status"], out.results["steps"]
    found["first"], found["later"] = lowest[0] < 0.0, (lowest[1:] < 0.0).any(axis=0)
    found["depth"] = lowest[1:].min(axis=0) / d.clearance
    found["clearance"], found["weight"] = d.clearance, np.hypot(*d.gravity.T)
    found["joint"][:] = JOINTS.index(joint)
    return found


def run(designs: int, threads: int, folder: Path, depth: float, from_end: bool) -> None:
    """Piece by piece, each written when it is done; pieces that are there are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    batches: dict[str, Any] = {}
    host, begun = Host(threads), time.time()
    pieces = -(-designs // PIECE)
    for piece in reversed(range(pieces)) if from_end else range(pieces):
        path = folder / f"piece_{piece:04d}.npz"
        if path.exists():
            continue
        found = computed(piece, PIECE, JOINTS[piece % len(JOINTS)], host, batches, depth)
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, **{name: value.astype(np.float32) for name, value in found.items()})
        part.replace(path)
        lost = found["later"].mean()
        print(f"{piece + 1}/{pieces}  {time.time() - begun:.0f} s  {JOINTS[piece % 3]}  lost {100 * lost:.1f} %  "
              f"given up {int((found['status'] != DONE).sum())}", flush=True)  # fmt: skip


NUMBERS = {"N": "N = m c γ'² / R", "A": "m c |γ''| / R", "gamma": "γ'/R [rad/(N s)]",
           "own units": "γ'/R, by mass, clearance and speed of each machine"}  # fmt: skip
LIMITS = {"N": 1.0, "gamma": 1.0}  # tried besides
RATIOS, ANGLES = (1.0, 3.0, 10.0, 30.0), (-45.0, 0.0, 45.0, 90.0)  # of masses; [deg]
EDGES = tuple(10.0 ** (k / 4) for k in range(-8, 13))  # of N


def border(ratio: float, angle: float) -> float:
    """N at which one passage of the load near zero, P = (b, t), loses contact from rest. The mass across the path by
    which the load passes and that along it are `ratio` apart, turned by `angle`: heavy along the path at 0."""
    light = np.array([math.cos(angle), math.sin(angle)])
    inverse = np.outer(light, light) * (1.0 - 1.0 / ratio) + np.eye(2) / ratio
    clearance = 1e-3
    times = np.linspace(-25.0, 25.0, 2501) * (clearance * math.sqrt(ratio)) ** (1.0 / 3.0)
    mobility = np.tile([inverse[0, 0], inverse[0, 1], inverse[1, 1]], (len(times), 1))

    def passage(b: float) -> Follower:
        return Follower(Load(times, np.stack([np.full_like(times, b), times], axis=1), mobility), clearance)

    low, high = 1e-3 * times[-1], 2.0 * times[-1]
    while high > (1.0 + 1e-4) * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if passage(middle).way(k=0).lost is not None else (low, middle)
    return float(passage(low).near_extremes.number(clearance).max())


def mass_ratios(pieces: int) -> list[float]:
    """Quartiles of how many times the mass that the joint feels differs between directions, where the load is least."""
    found = []
    for seed in range(pieces):
        d, crank = drawn(seed, PIECE), np.arange(INSTANTS) * (PERIOD / INSTANTS)
        forces, w = load(d, motion(d, np.broadcast_to(crank, (PIECE, INSTANTS))), JOINTS[seed % len(JOINTS)])
        least = np.argmin(_dot(forces, forces), axis=1)
        xx, xy, yy = w[np.arange(PIECE), least].T
        half, root = 0.5 * (xx + yy), np.hypot(0.5 * (xx - yy), xy)
        found.append((half + root) / (half - root))
    return [float(x) for x in np.quantile(np.concatenate(found), [0.25, 0.5, 0.75])]


def collected(folder: Path) -> dict[str, np.ndarray]:
    """All pieces of a run, and γ'/R in units of each machine."""
    pieces = []
    for path in sorted(folder.glob("piece_????.npz")):
        with np.load(path) as kept:
            piece = {name: kept[name].astype(float) for name in kept.files}
        d = drawn(int(path.stem[-4:]), len(piece["N"]))
        piece["own units"] = piece["gamma"] * d.force * d.second * d.clearance
        pieces.append(piece)
    if not pieces:
        raise SystemExit(f"{folder} has no piece; run first: python -m benchmarks.contact_loss run --out {folder}")
    found = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    good = found["status"] == DONE
    return {name: values[good] for name, values in found.items()} | {"given up": np.array([np.sum(~good)])}


def counts(predicted: np.ndarray, lost: np.ndarray) -> dict[str, int]:
    """Hits and misses."""
    return {
        "lost, predicted": int((lost & predicted).sum()), "lost, not predicted": int((lost & ~predicted).sum()),
        "kept, predicted lost": int((~lost & predicted).sum()), "kept, predicted kept": int((~lost & ~predicted).sum()),
    }  # fmt: skip


def best_limit(values: np.ndarray, lost: np.ndarray) -> float:
    """The limit with the fewest errors."""
    order = np.argsort(values)
    sorted_lost = lost[order]
    # limit at place k: those from k on are predicted lost
    missed = np.concatenate([[0], np.cumsum(sorted_lost)])
    wrong = np.concatenate([np.cumsum(~sorted_lost[::-1])[::-1], [0]])
    k = int(np.argmin(missed + wrong))
    return float(values[order[min(k, len(values) - 1)]])


def judged(found: dict[str, np.ndarray]) -> dict[str, Any]:
    """Every rule against what the simulations did."""
    lost, followed = found["later"] > 0.0, found["kept"] == 0.0
    every: dict[str, np.ndarray] = {"the journal followed": followed}
    rules = [{"rule": "the journal followed", "limit": None, **counts(followed, lost)}]
    curves = {}
    for name, words in NUMBERS.items():
        best = best_limit(found[name], lost)
        for limit in (best, *([LIMITS[name]] if name in LIMITS else [])):
            rules.append({"rule": words, "limit": limit, "best": limit == best, **counts(found[name] >= limit, lost)})
        every[words] = found[name] >= best
        grid = best * np.logspace(-3, 3, 61)
        curves[name] = [[float(x / best), float(np.mean((found[name] >= x) != lost))] for x in grid]
    at_once = found["first"] > 0.0
    limit = best_limit(found["N"], at_once)
    first = [{"rule": "the journal followed", "limit": None, **counts(found["turn"] == 1.0, at_once)},
             {"rule": NUMBERS["N"], "limit": limit, "best": True, **counts(found["N"] >= limit, at_once)}]
    near = found["near"] > 0.0
    pairs = []
    for words, other in list(every.items())[1:]:
        mine = int(((followed != lost) & (other == lost)).sum())
        theirs = int(((followed == lost) & (other != lost)).sum())
        pairs.append({"rule": words, "only followed wrong": mine, "only this wrong": theirs})
    zones = []
    for low, high in zip((0.0, *EDGES), (*EDGES, math.inf), strict=True):
        inside = (found["N"] >= low) & (found["N"] < high)
        zones.append({
            "from": low, "to": None if math.isinf(high) else high, "count": int(inside.sum()),
            "lost": int(lost[inside].sum()), "followed right": int((lost == followed)[inside].sum()),
        })  # fmt: skip
    own = [found["joint"] == k for k in range(len(JOINTS))]
    return {
        "designs": len(lost), "given up": int(found["given up"][0]), "lost": int(lost.sum()), "rules": rules,
        "first turn": first,
        "joints": [{"joint": x, **counts(followed[k], lost[k])} for x, k in zip(JOINTS, own, strict=True)],
        "near": counts(followed[near], lost[near]), "away": counts(followed[~near], lost[~near]), "pairs": pairs,
        "zones": zones, "curves": curves,
    }  # fmt: skip


def tables(folder: Path, log: Path) -> str:
    """The log, and its main lines."""
    result: dict[str, Any] = {"machine": machine(), "date": time.strftime("%Y-%m-%d"), "version": gd.__version__}
    result["borders"] = [[ratio, angle, border(ratio, math.radians(angle))] for ratio in RATIOS for angle in ANGLES]
    result["mass ratios"] = mass_ratios(2 * len(JOINTS))
    for name in ("", "-stiff"):
        other = folder.with_name(folder.name + name)
        if other.exists():
            result[name.strip("-") or "main"] = judged(collected(other))
    log.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    lines = []
    for name, part in result.items():
        if isinstance(part, dict):
            lines += [f"{name}: {part['designs']} designs, {part['lost']} lost, {part['given up']} given up"]
            lines += [str(rule) for rule in part["rules"]]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "tables"))
    parser.add_argument("--designs", type=int, default=105_000)
    parser.add_argument("--depth", type=float, default=DEPTH)
    parser.add_argument("--from-end", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/contact-loss"))
    parser.add_argument("--log", type=Path, default=Path("benchmarks/logs/contact_loss.json"))
    given = parser.parse_args()
    if given.what == "run":
        run(given.designs, given.threads, given.out, given.depth, given.from_end)
    else:
        print(tables(given.out, given.log))


if __name__ == "__main__":
    main()
