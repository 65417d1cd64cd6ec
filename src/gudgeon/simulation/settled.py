"""A settled start: loose journals and pairs that touch begin where the load at the start presses them.

The loads are those of the ideal twin, in which loose joints are ideal. Where pairs of it touch from outside (a roller
on its cam), they are pressed together first, as deep as keeps their distance from changing; that is the force of rigid
surfaces. A loose journal is then moved, with its bodies, until the force of its wall or of its film is the reaction of
the ideal joint; its velocity is that at which the offset follows the reaction as it turns. All joints are placed
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gudgeon.assemble import System, call_address
from gudgeon.assemble.contact.memory import PER_CONTACT
from gudgeon.methods.contract import Method
from gudgeon.methods.march import driver
from gudgeon.model import Mechanism, Touching
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.results.evaluate import evaluate
from gudgeon.results.run import State

__all__ = ["loose_joints", "settle", "touching_joints"]

AXES = "xyz"
CLOSE = 1e-6  # of the reaction: what may be missing in the force of a journal at rest
NEARLY = 1e-4  # of the reaction: the same in a film, whose force follows rates that are known to some 1e-10 m/s
TRIES = 60
AHEAD = 1e-7  # [s] over which the direction of the reaction is seen to turn
NUDGE = 1e-7  # of the size of the mechanism, for differences
NEAR = 1e-3  # of the size of the mechanism: a pair described farther apart is not put together
SMALL = 1e-9  # of the size of the mechanism: the first depth that is tried where a pair touches
SWEEPS = 20  # over pairs that touch and press each other


def loose_joints(system: System) -> list[str]:
    """Joints whose journal has play in all directions of their offset, walled or filled with oil."""
    names = [c.joint for c in system.event_contacts if c.kind == "wall"] + [film.joint for film in system.films]
    known = {channel.name for channel in system.channels}
    return [name for name in dict.fromkeys(names) if f"{name}.ex" in known and f"{name}.fx" in known]


def touching_joints(mechanism: Mechanism) -> list[str]:
    """Joints whose bodies touch from outside."""
    joints = mechanism.joints.items()
    return [name for name, joint in joints if any(isinstance(fit, Touching) for fit in joint.fit.values())]


@dataclass
class _Placement:
    """Channels `targets` of a system, such as the offsets of a joint, and states in which they have given values."""

    system: System
    targets: list[int]

    def __post_init__(self) -> None:
        index = {channel.name: k for k, channel in enumerate(self.system.channels)}
        self.depths = [index[f"{c.name}.depth"] for c in self.system.event_contacts]

    def memory(self, values: np.ndarray) -> np.ndarray:
        """The memory of contacts that touch where their depth is positive."""
        m = np.zeros(self.system.memory)
        for k, place in enumerate(self.depths):
            m[PER_CONTACT * k] = float(values[place] > 0.0)
        return m

    def channels(self, y: np.ndarray) -> np.ndarray:
        """All channels, with the forces of what touches."""
        m = self.memory(self._evaluated(y, np.zeros(self.system.memory)))
        return self._evaluated(y, m)

    def _evaluated(self, y: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.asarray(evaluate(self.system, np.concatenate([[0.0], y, m])[None, :])[0])

    def changes(self, y: np.ndarray, channels: Sequence[int], m: np.ndarray, nudge: float, states: int) -> np.ndarray:
        """How fast channels change, by a small step of the first `states` states along the motion."""
        system, out = self.system, np.zeros(self.system.states)
        call_address(system.addresses["rhs"], 0.0, y, system.p, m, out)
        ahead, behind = y.copy(), y.copy()
        ahead[:states] += nudge * out[:states]
        behind[:states] -= nudge * out[:states]
        values = evaluate(system, np.array([[nudge, *ahead, *m], [-nudge, *behind, *m]]))
        return np.asarray((values[0] - values[1])[channels] / (2.0 * nudge))

    def rates(self, y: np.ndarray, nudge: float) -> np.ndarray:
        """How fast the targets change; they are positions."""
        return self.changes(y, self.targets, np.zeros(self.system.memory), nudge, self.system.positions)

    def constraints(self, y: np.ndarray) -> np.ndarray:
        """Residuals of the constraints of positions, then of velocities."""
        system = self.system
        if not system.rows or not system.addresses.get("project"):
            return np.zeros(0)
        n = system.positions + system.velocities
        out = np.zeros(n + 2 * system.rows)
        call_address(system.addresses["project"], 0.0, y, system.p, np.zeros(system.memory), out)
        return out[n:]

    def moved(self, y: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The state with these targets on the constraints, by the least change of coordinates."""
        q, rows = self.system.positions, self.system.rows
        step = NUDGE * self.system.size

        def values(state: np.ndarray) -> np.ndarray:
            there = self._evaluated(state, np.zeros(self.system.memory))[self.targets]
            return np.concatenate([self.constraints(state)[:rows], there - wanted])

        for _ in range(8):
            y = self._newton(y, values, slice(0, q), step)
        return y

    def turned(self, y: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The state with these rates of the targets, by the least change of velocities."""
        q, n, rows = self.system.positions, self.system.velocities, self.system.rows

        def values(state: np.ndarray) -> np.ndarray:
            return np.concatenate([self.constraints(state)[rows:], self.rates(state, 1e-7) - wanted])

        for _ in range(3):
            y = self._newton(y, values, slice(q, q + n), 1e-3)
        return y

    def _newton(self, y: np.ndarray, values: object, part: slice, step: float) -> np.ndarray:
        assert callable(values)
        here = values(y)
        slopes = np.zeros((len(here), part.stop - part.start))
        for k in range(slopes.shape[1]):
            there = y.copy()
            there[part.start + k] += step
            slopes[:, k] = (values(there) - here) / step
        y = y.copy()
        y[part] -= np.linalg.lstsq(slopes, here, rcond=1e-9)[0]
        return y


class _Pressed(_Placement):
    """Pairs that touch from outside, pressed together as deep as keeps their distance from changing."""

    def __init__(self, system: System, joints: Sequence[str]) -> None:
        contacts = [c for c in system.event_contacts if c.joint in joints]
        index = {channel.name: k for k, channel in enumerate(system.channels)}
        super().__init__(system, [index[f"{c.name}.depth"] for c in contacts])
        self.closing = [index[f"{c.name}.rate"] for c in contacts]
        self.joints = [c.joint for c in contacts]

    def depths_under_load(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The state in which they rest on each other, and their depths [m]; NaN where a pair is not pressed together
        or was described apart."""
        apart = self._evaluated(y, np.zeros(self.system.memory))[self.targets] < -NEAR * self.system.size
        depths = np.where(apart, np.nan, 0.0)
        for _ in range(SWEEPS):
            before = depths.copy()
            for k in np.flatnonzero(~np.isnan(depths)):
                depths[k] = self._depth(y, depths, int(k))
            open_or_still = np.isnan(depths) | (np.abs(depths - before) <= CLOSE * np.abs(depths))
            if open_or_still.all():
                break
        return self._placed(y, depths), depths

    def _depth(self, y: np.ndarray, depths: np.ndarray, k: int) -> float:
        """The depth of one pair at which its closing is not accelerated; NaN where even without force it opens."""
        low, high, depth = 0.0, np.inf, depths[k] or SMALL * self.system.size
        if self._acceleration(y, _with(depths, k, 0.0), k) <= 0.0:
            return float("nan")
        for _ in range(2 * TRIES):
            closing = self._acceleration(y, _with(depths, k, depth), k)
            low, high = (depth, high) if closing > 0.0 else (low, depth)
            if np.isfinite(high) and high - low <= 0.1 * CLOSE * high:
                break
            depth = 0.5 * (low + high) if np.isfinite(high) else 2.0 * depth
        return depth

    def _acceleration(self, y: np.ndarray, depths: np.ndarray, k: int) -> float:
        """How fast the closing of pair k is accelerated [m/s^2]."""
        y = self._placed(y, depths)
        m = self.memory(self._evaluated(y, np.zeros(self.system.memory)))
        states = self.system.positions + self.system.velocities
        return float(self.changes(y, self.closing, m, AHEAD, states)[k])

    def _placed(self, y: np.ndarray, depths: np.ndarray) -> np.ndarray:
        kept = ~np.isnan(depths)
        held, wanted = _Placement(self.system, list(np.array(self.targets)[kept])), depths[kept]
        return held.turned(held.moved(y, wanted), np.zeros(len(wanted))) if len(wanted) else y


def _with(values: np.ndarray, k: int, value: float) -> np.ndarray:
    changed = values.copy()
    changed[k] = value
    return changed


def settle(system: System, ideal: System, method: Method, start: State) -> tuple[State, str]:
    """The start with loose journals and pairs that touch at rest under the loads of the ideal twin, and a sentence
    about it."""
    pressed = _Pressed(ideal, touching_joints(system.mechanism))
    ideal_y, depths = pressed.depths_under_load(ideal.y0) if pressed.joints else (ideal.y0, np.zeros(0))
    known = {joint: float(d) for joint, d in zip(pressed.joints, depths, strict=True) if not np.isnan(d)}
    journals = _Journals(system, loose_joints(system), known)
    journals.load(*_reactions(ideal, ideal_y, method, journals.axes, AHEAD))
    y, on_wall, in_oil = journals.settled(start.y.copy())
    left = [joint for joint in (*journals.joints, *pressed.joints) if joint not in (*on_wall, *in_oil, *known)]
    words = [f"pressed onto the wall by the load: {in_words(on_wall)}"] if on_wall else []
    words += [f"carried by its film: {in_words(in_oil)}"] if in_oil else []
    words += [f"pressed onto what it touches: {in_words(list(known))}"] if known else []
    words += [f"as described, since no load presses it or oil at rest carries none: {in_words(left)}"] if left else []
    return replace(start, y=y), f"settled start: {'; '.join(words)}"


class _Journals(_Placement):
    """Loose joints, placed so that walls and films carry the loads; pairs that touch are kept at their depths."""

    def __init__(self, system: System, joints: list[str], depths: dict[str, float]) -> None:
        index = {channel.name: k for k, channel in enumerate(system.channels)}
        self.joints = joints
        self.axes = [(j, a) for j in joints for a in AXES if f"{j}.e{a}" in index and f"{j}.f{a}" in index]
        pairs = [c for c in system.event_contacts if c.joint in depths]
        self.held = np.array([depths[c.joint] for c in pairs])
        super().__init__(system, [index[f"{j}.e{a}"] for j, a in self.axes] + [index[f"{c.name}.depth"] for c in pairs])
        self.forces = [index[f"{j}.f{a}"] for j, a in self.axes]
        self.own = [np.array([k for k, (j, _) in enumerate(self.axes) if j == name]) for name in joints]
        self.films = {film.joint: film.clearance for film in system.films}
        # where a journal meets a surface first: behind the gap that of a liner, where there is one, else the wall
        self.walls: dict[str, float] = {}
        for contact in system.event_contacts:
            if contact.joint in joints:
                self.walls[contact.joint] = min(contact.gap, self.walls.get(contact.joint, np.inf))

    def load(self, now: np.ndarray, later: np.ndarray) -> None:
        """The forces on the journals [N], and how fast their directions turn [rad/s]."""
        self.loads, self.spins = now, [_spin(now[own], later[own]) for own in self.own]

    def settled(self, y: np.ndarray) -> tuple[np.ndarray, list[str], list[str]]:
        """The settled state; which journals rest on a wall, and which are carried by oil."""
        place = self._evaluated(y, np.zeros(self.system.memory))[self.targets]
        place[len(self.axes):] = self.held
        on_wall, in_oil = [], []
        for k, name in enumerate(self.joints):
            if not float(np.linalg.norm(self.loads[self.own[k]])) > 0.0:
                continue
            if name in self.films:
                y, place, carried = self._in_film(y, place, k)
                if carried:
                    in_oil.append(name)
                    continue
            if name in self.walls:
                y, place = self._on_wall(y, place, k)
                on_wall.append(name)
        moving = [k for k, name in enumerate(self.joints) if name in (*on_wall, *in_oil)]
        return (self._at(y, place, moving) if self.targets else y), on_wall, in_oil

    def _at(self, y: np.ndarray, place: np.ndarray, moving: Sequence[int]) -> np.ndarray:
        """The state with these offsets, which turn with the loads where they are `moving`."""
        rates = np.zeros(len(place))
        for k in moving:
            own = self.own[k]
            rates[own] = np.cross(self.spins[k], _padded(place[own]))[: len(own)]
        return self.turned(self.moved(y, place), rates)

    def _carried(self, y: np.ndarray, k: int) -> np.ndarray:
        return np.asarray(self.channels(y)[self.forces][self.own[k]])

    def _on_wall(self, y: np.ndarray, place: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """With journal k pressed against its wall by its load."""
        own, name = self.own[k], self.joints[k]
        size, gap = float(np.linalg.norm(self.loads[own])), self.walls[name]
        way = -self.loads[own] / size
        from scipy.optimize import brentq

        def missing(depth: float) -> float:
            place[own] = (gap + depth) * way
            return float(np.linalg.norm(self._carried(self.moved(y, place), k))) - size

        depth = 1e-6 * gap
        for _ in range(TRIES):
            if missing(depth) >= 0.0:
                break
            depth *= 2.0
        else:
            raise GudgeonError(
                f'start="settled": joint "{name}" has no position in which its wall carries the {size:.4g} N of the '
                'ideal joint; start without it, or leave the start out with after='
            )
        # to rounding, so that the start is a smooth function of the numbers of the mechanism
        place[own] = (gap + brentq(missing, 0.0, depth, xtol=1e-15 * depth)) * way
        return self.moved(y, place), place

    def _in_film(self, y: np.ndarray, place: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, bool]:
        """With journal k where its film carries the load while the offset turns with it: the force of a film grows with
        the eccentricity and keeps its angle to it, so that one is bisected and the other turned. Not where the film
        carries too little, as without rotation."""
        own, name = self.own[k], self.joints[k]
        size = float(np.linalg.norm(self.loads[own]))
        end = min(self.films[name], self.walls.get(name, np.inf))
        way, described = -self.loads[own] / size, place.copy()
        low, high, share = 0.0, 1.0, 0.5
        for _ in range(TRIES):
            place[own] = share * end * way
            there = self._at(y, place, [k])
            force = self._carried(there, k)
            strength = float(np.linalg.norm(force))
            if strength > 0.0:
                way = _rotated(way, force / strength, self.loads[own] / size)
            if np.linalg.norm(force - self.loads[own]) <= NEARLY * size:
                return there, place, True
            if abs(strength - size) > 0.1 * NEARLY * size:
                low, high = (share, high) if strength < size else (low, share)
                share = 0.5 * (low + high)
            if high - low < 1e-14:
                break
        return y, described, False


def _padded(vector: np.ndarray) -> np.ndarray:
    """With three components."""
    return np.concatenate([vector, np.zeros(3 - len(vector))])


def _spin(now: np.ndarray, later: np.ndarray) -> np.ndarray:
    """The angular velocity of a direction [rad/s]."""
    first, second = (_padded(x / max(np.linalg.norm(x), 1e-300)) for x in (now, later))
    return np.asarray(np.cross(first, second) / AHEAD)


def _rotated(vector: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A vector under the smallest rotation from one unit vector to another."""
    v, a, b = _padded(vector), _padded(start), _padded(end)
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-12:
        return -vector
    turned = cosine * v + np.cross(axis, v) + axis * float(axis @ v) / (1.0 + cosine)
    return np.asarray(turned[: len(vector)])


def _reactions(ideal: System, y: np.ndarray, method: Method, axes: Sequence[tuple[str, str]],
               span: float) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Forces on the journals of the ideal twin at the start and a little later [N]."""
    index = {channel.name: k for k, channel in enumerate(ideal.channels)}
    columns = [index[f"{joint}.f{axis}"] for joint, axis in axes]
    if not columns:
        return np.zeros(0), np.zeros(0)
    here = _Placement(ideal, [])
    m = here.memory(here.channels(y))
    tape = driver.run(ideal, method, 0.0, span, y=y, m=m, on_rows=lambda rows: None)
    first, second = evaluate(ideal, np.array([[0.0, *y, *m], [tape.t, *tape.y, *tape.m]]))[:, columns]
    return first, second
