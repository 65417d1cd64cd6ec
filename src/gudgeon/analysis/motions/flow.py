"""`Flow`: a mechanism as a map of its state. Marches from strobe to strobe, without the apparatus of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import System, assemble, call_address
from gudgeon.assemble.contact.memory import modes
from gudgeon.assemble.support import Coordinates
from gudgeon.batch.distance import length_units, lengths
from gudgeon.methods.march import driver
from gudgeon.methods.march.memory import DEPTH, GAP_COLUMNS, HARD_GAP_COLUMNS
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, closest, quantity
from gudgeon.results.evaluate import evaluate
from gudgeon.results.run import State
from gudgeon.simulation import MOST_STEPS, Watch, choose_method, default_method, period_of

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method

__all__ = ["Flow", "Ruler", "clearance", "period_for", "turned"]

SHORTEST = 20  # steps per period at least, so that no swing of a drive is overlooked
FINE = 32  # rows in a period where the extent of the motion is looked for


def period_for(mechanism: Mechanism, period: float | str | None) -> float:
    """The period as given [s], or the turn of the joint that is driven at constant speed."""
    seconds = period_of(mechanism) if period is None else quantity(period, "s", "period")
    if seconds is None:
        raise GudgeonError(
            f'no rotation of "{mechanism.name}" is driven at a constant speed; give period= [s] of its drive or load'
        )
    if not seconds > 0.0:
        raise GudgeonError(f"period {seconds:g} s must be positive; give the time of one cycle of the drive or load")
    return seconds


@dataclass(frozen=True)
class Flow:
    """A system with a method and the period [s] that its drives and loads repeat after."""

    system: System
    method: Method
    period: float

    @classmethod
    def of(cls, mechanism: Mechanism, *, method: str | Method | None = None, rtol: float | None = None,
           period: float | str | None = None, coordinates: Coordinates = "auto") -> Flow:  # fmt: skip
        turn, chosen = period_for(mechanism, period), choose_method(method or default_method(mechanism), rtol)
        system = assemble(mechanism, chosen.needs(), coordinates=coordinates)
        return cls(system, chosen, turn)

    def tighter(self, factor: float) -> Flow:
        """The same at a smaller tolerance."""
        return replace(self, method=replace(self.method, rtol=max(self.method.rtol / factor, 1e-13)))

    @property
    def start(self) -> State:
        return State(0.0, self.system.y0.copy(), np.zeros(self.system.memory))

    def march(self, state: State, turns: float, per: int = 0) -> tuple[np.ndarray, State]:
        """So many periods on: rows (t, y, m), `per` of them in a period after the first, and the end.

        A row lies where it is asked for by the method's own interpolation within the step; per = 0: none but the first.
        """
        span = turns * self.period
        blocks: list[np.ndarray] = []
        watch = Watch(state.t, span, MOST_STEPS)
        tape = driver.run(self.system, self.method, state.t, state.t + span, y=state.y, m=state.m,
                          output=self.period / per if per else 2.0 * span, longest=self.period / SHORTEST,
                          on_rows=blocks.append, on_visit=watch)  # fmt: skip
        if not tape.complete or not np.isfinite(tape.y).all():
            why = watch.why or (
                "its step became too small" if tape.stuck else tape.stopped or "its state is not finite"
            )
            raise GudgeonError(
                f'"{self.system.mechanism.name}" stopped at {tape.t * 1e3:.6g} ms: {why}; simulate() reports the cause'
            )
        return np.concatenate(blocks), State(tape.t, tape.y, tape.m)

    def channels(self, rows: np.ndarray, names: Sequence[str]) -> np.ndarray:
        """Columns of the named channels on rows (t, y, m)."""
        index = {channel.name: k for k, channel in enumerate(self.system.channels)}
        for name in names:
            if name not in index:
                likely = closest(name, index)
                raise GudgeonError(f'channel "{name}" is not known' + (f'; did you mean "{likely}"?' if likely else ""))
        return evaluate(self.system, rows)[:, [index[name] for name in names]]

    def onto(self, state: State) -> State:
        """The state brought back onto the constraints, positions first, then velocities."""
        system, y = self.system, state.y.copy()
        if system.rows == 0 or system.residual is not None:
            # the residual form has residuals only, and the first step of its methods mends them
            return state
        for _ in range(3):
            moved = system.positions + system.velocities
            fix = np.zeros(moved + 2 * system.rows)
            call_address(system.addresses["project"], state.t, y, system.p, state.m, fix)
            y[:moved] += fix[:moved]
        return State(state.t, y, state.m)

    def depths(self, state: State) -> np.ndarray:
        """Depth of each contact that has onset and release."""
        columns = HARD_GAP_COLUMNS if self.system.needs.delassus else GAP_COLUMNS
        out = np.zeros((max(1, self.system.events), columns))
        if self.system.events:
            call_address(self.system.addresses["gaps"], state.t, state.y, self.system.p, state.m, out)
        return out[: self.system.events, DEPTH]

    def fits(self, state: State) -> bool:
        """Whether every contact has the depth that its mode says; a hard one that lasts has none."""
        touching, depths = modes(state.m, self.system.events) > 0.0, self.depths(state)
        right = touching | (depths <= 0.0) if self.system.needs.delassus else (depths >= 0.0) == touching
        return bool(right.all())

    def released(self, state: State) -> State:
        """The state without contacts that are apart: what a changed size may leave behind."""
        m = state.m.copy()
        if self.system.needs.delassus:
            # hard contacts begin again by themselves
            m[:] = 0.0
        for k, depth in enumerate(self.depths(state)):
            if depth <= 0.0:
                modes(m, self.system.events)[k] = 0.0
        return State(state.t, state.y, m)


class Ruler:
    """Distances between states, in one length [m]: by default the smallest clearance, else the extent of the motion in
    the period from `state` on.

    What each state counts is said in `batch.distance`. Whole turns do not count: angles differ by less than half a
    turn, and Euler parameters of either sign are one orientation.
    """

    def __init__(self, flow: Flow, state: State, length: float | None = None) -> None:
        system, n = flow.system, flow.system.positions
        to_length = lengths(system.size, flow.period / (2.0 * np.pi))
        arm = np.array([to_length[unit] for unit in length_units(system)])
        self.length = length or clearance(system) or _extent(flow, state, arm[:n]) or system.size
        self.weights = np.zeros(system.states)
        self.weights[: len(arm)] = arm / self.length
        self._positions = n
        self._kinds = [*system.units[:n], *[""] * (system.states - n)]

    def difference(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """States, or rows of them, less others, each in its own unit; whole turns are none."""
        return turned(a, b, self._kinds)

    def vectors(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """States, or rows of them, as vectors of this ruler from others."""
        return self.difference(a, b) * self.weights

    def apart(self, a: np.ndarray, b: np.ndarray) -> Any:
        """Distance of states, or of rows of states."""
        return np.sqrt((self.vectors(a, b) ** 2).sum(axis=-1))

    def points(self, states: np.ndarray) -> np.ndarray:
        """Positions of states as points seen from the first."""
        return self.vectors(states, states[0])[:, : self._positions]


def turned(a: np.ndarray, b: np.ndarray, units: Sequence[str]) -> np.ndarray:
    """Difference of coordinates, the last axis, by their units, less whole turns."""
    kinds, difference = np.array(units), a - b
    turns = np.where(kinds == "rad", np.round(difference / (2.0 * np.pi)), 0.0)
    difference = difference - 2.0 * np.pi * turns
    for k in np.flatnonzero(kinds == "1").reshape(-1, 4):
        opposite = (a[..., k] * b[..., k]).sum(axis=-1, keepdims=True) < 0.0
        difference[..., k] = np.where(opposite, a[..., k] + b[..., k], difference[..., k])
    return difference


def clearance(system: System) -> float | None:
    """The smallest clearance of the loose joints [m]."""
    return min(clearances(system), default=None)


def clearances(system: System) -> list[float]:
    """The clearance of each loose joint [m]."""
    return [c.gap for c in system.event_contacts if c.kind == "wall" and c.gap > 0.0]


def _extent(flow: Flow, state: State, arm: np.ndarray) -> float:
    """The longest way of a coordinate in a period [m]."""
    rows, _ = flow.march(state, 1, per=FINE)
    positions = rows[:, 1 : 1 + flow.system.positions] * arm
    return float((positions.max(axis=0) - positions.min(axis=0)).max())
