"""A settled start: every loose journal rests where the load presses it at the start.

The load is the reaction of the joint in the ideal twin at the start, its size and its direction. Journals are moved
there, with their bodies, until the force of their walls or films is that reaction; velocities are those at which the
offset follows the reaction as it turns. All loose joints are placed at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gudgeon.assemble import System, call_address
from gudgeon.assemble.contact.memory import PER_CONTACT
from gudgeon.methods.contract import Method
from gudgeon.methods.march import driver
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.results.evaluate import evaluate
from gudgeon.results.run import State

__all__ = ["loose_joints", "settle"]

AXES = "xyz"
CLOSE = 1e-6  # of the reaction: what may be missing in the force of a journal at rest
TRIES = 60
AHEAD = 1e-7  # [s] over which the direction of the reaction is seen to turn
NUDGE = 1e-7  # of the size of the mechanism, for differences


def loose_joints(system: System) -> list[str]:
    """Joints whose journal has play in all directions of their offset, walled or filled with oil."""
    names = [c.joint for c in system.event_contacts if c.kind == "wall"] + [film.joint for film in system.films]
    known = {channel.name for channel in system.channels}
    return [name for name in dict.fromkeys(names) if f"{name}.ex" in known and f"{name}.fx" in known]


@dataclass
class _Offsets:
    """Offsets and forces of loose joints as functions of the state."""

    system: System
    joints: list[str]

    def __post_init__(self) -> None:
        index = {channel.name: k for k, channel in enumerate(self.system.channels)}
        self.axes = [(j, a) for j in self.joints for a in AXES if f"{j}.e{a}" in index and f"{j}.f{a}" in index]
        self.places = [index[f"{j}.e{a}"] for j, a in self.axes]
        self.forces = [index[f"{j}.f{a}"] for j, a in self.axes]
        self.own = [np.array([k for k, (j, _) in enumerate(self.axes) if j == name]) for name in self.joints]
        self.depths = [index[f"{c.name}.depth"] for c in self.system.event_contacts]

    def memory(self, values: np.ndarray) -> np.ndarray:
        """The memory of contacts that touch where their depth is positive."""
        m = np.zeros(self.system.memory)
        for k, place in enumerate(self.depths):
            m[PER_CONTACT * k] = float(values[place] > 0.0)
        return m

    def channels(self, y: np.ndarray) -> np.ndarray:
        m = np.zeros(self.system.memory)
        values = evaluate(self.system, np.concatenate([[0.0], y, m])[None, :])[0]
        m = self.memory(values)
        return np.asarray(evaluate(self.system, np.concatenate([[0.0], y, m])[None, :])[0])

    def offset(self, y: np.ndarray) -> np.ndarray:
        return self.channels(y)[self.places]

    def rates(self, y: np.ndarray, nudge: float) -> np.ndarray:
        """How fast the offsets change, by a small step along the motion."""
        system, out = self.system, np.zeros(self.system.states)
        call_address(system.addresses["rhs"], 0.0, y, system.p, np.zeros(system.memory), out)
        ahead, behind, q = y.copy(), y.copy(), system.positions
        ahead[:q] += nudge * out[:q]
        behind[:q] -= nudge * out[:q]
        none = np.zeros(system.memory)
        values = evaluate(system, np.array([[nudge, *ahead, *none], [-nudge, *behind, *none]]))
        return np.asarray((values[0] - values[1])[self.places] / (2.0 * nudge))

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
        """The state with these offsets on the constraints, by the least change of coordinates."""
        q, rows = self.system.positions, self.system.rows
        step = NUDGE * self.system.size

        def values(state: np.ndarray) -> np.ndarray:
            return np.concatenate([self.constraints(state)[:rows], self.offset(state) - wanted])

        for _ in range(8):
            y = self._newton(y, values, slice(0, q), step)
        return y

    def turned(self, y: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The state with these rates of the offsets, by the least change of velocities."""
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


def settle(system: System, ideal: System, method: Method, start: State) -> tuple[State, str]:
    """The start with loose journals at rest under the reactions of the ideal twin, and a sentence about it."""
    offsets = _Offsets(system, loose_joints(system))
    if not offsets.joints:
        return start, ""
    loads, later = _reactions(ideal, method, offsets, AHEAD)
    y = start.y.copy()
    place = np.zeros(len(offsets.axes))
    # where a journal meets a surface first: behind the gap that of a liner, where there is one, else the wall
    clearance = {film.joint: film.clearance for film in system.films}
    for contact in system.event_contacts:
        clearance[contact.joint] = min(contact.gap, clearance.get(contact.joint, np.inf))
    films = {film.joint for film in system.films}
    said = []
    for name, own in zip(offsets.joints, offsets.own, strict=True):
        size = float(np.linalg.norm(loads[own]))
        if name in films or not size > 0.0:
            said.append(name)
            place[own] = offsets.offset(y)[own]
            continue
        way = -loads[own] / size
        depth, low, high = 1e-6 * clearance[name], 0.0, np.inf
        for _ in range(TRIES):
            place[own] = (clearance[name] + depth) * way
            y = offsets.moved(y, place)
            force = float(np.linalg.norm(offsets.channels(y)[offsets.forces][own]))
            if abs(force - size) <= CLOSE * size:
                break
            low, high = (depth, high) if force < size else (low, depth)
            depth = 0.5 * (low + high) if np.isfinite(high) else 2.0 * depth
        else:
            raise GudgeonError(
                f'start="settled": joint "{name}" has no position in which its wall carries the {size:.4g} N of the '
                'ideal joint; start without it, or leave the start out with after='
            )
    turning = np.zeros(len(place))
    for own in offsets.own:
        first, second = (x[own] / max(np.linalg.norm(x[own]), 1e-300) for x in (loads, later))
        turning[own] = -float(np.linalg.norm(place[own])) * (second - first) / AHEAD
    y = offsets.turned(y, turning)
    rest = [joint for joint in offsets.joints if joint not in said]
    words = [f"pressed onto the wall by the load: {in_words(rest)}"] if rest else []
    words += [f"as described, for a film or without a load: {in_words(said)}"] if said else []
    return replace(start, y=y), f"settled start: {'; '.join(words)}"


def _reactions(ideal: System, method: Method, offsets: _Offsets, span: float) -> tuple[np.ndarray, np.ndarray]:
    """Forces on the journals of the ideal twin at the start and a little later [N]."""
    index = {channel.name: k for k, channel in enumerate(ideal.channels)}
    columns = [index[f"{joint}.f{axis}"] for joint, axis in offsets.axes]
    tape = driver.run(ideal, method, 0.0, span, on_rows=lambda rows: None)
    rows = np.array([[0.0, *ideal.y0, *np.zeros(ideal.memory)], [tape.t, *tape.y, *tape.m]])
    first, second = evaluate(ideal, rows)[:, columns]
    return first, second
