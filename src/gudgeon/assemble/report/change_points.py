"""Change points: positions in which ideal joints lose their hold, such as a parallelogram laid flat.

There the rows of the constraints depend on each other, though they are independent before and after. More than one
motion leads on, rounding chooses among them, and accelerations and reactions nearby are as large as rounding makes
them. How independent the rows are is the smallest singular value σ of the rows brought to length 1. It is looked at on
some rows of the run; it passes a change point as the size of a straight line, so that σ² of three neighbours gives a
parabola whose vertex tells when and how close.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.solve.start import Kinematics
from gudgeon.assemble.system import System
from gudgeon.assemble.trace.trace import Trace
from gudgeon.model.run_settings import period_of
from gudgeon.quantity import in_words

MANY_ROWS = 300  # of a large mechanism: to compare them all takes minutes
SAMPLES = 256  # positions looked at, at least while there are as many; at most twice as many are kept
PERIODS = 2.0  # of a mechanism that is driven periodically so many are looked at
CLOSE = 0.02  # σ relative to its median over time: closer to zero is a change point


def has_loops(system: System) -> bool:
    """Whether ideal joints close loops, without which nothing can lose its hold."""
    mechanism = system.mechanism
    if mechanism.beams or mechanism.modal_links or len(system.report.constraint_names) > MANY_ROWS:
        return False
    held = [joint for joint in mechanism.joints.values() if any(fit.ideal for fit in joint.fit.values())]
    return len(held) > len(mechanism.bodies)


def held_rows(system: System) -> list[int]:
    """Places of the constraints that the equations hold: all, or those that are not redundant."""
    out = set() if system.formulation == "absolute" and system.start.loses_hold else set(system.start.redundant)
    return [r for r in range(len(system.report.constraint_names)) if r not in out]


class Positions:
    """Positions of the bodies on some rows of a run, evenly spread, as they come."""

    def __init__(self, system: System) -> None:
        index = {channel.name: k for k, channel in enumerate(system.channels)}
        self._columns = [index[f"{body.name}.{x}"] for body in system.mechanism.bodies.values() for x in _axes(body)]
        period = period_of(system.mechanism)
        self._span = None if period is None else PERIODS * period
        self._first: float | None = None
        self._every, self._seen = 1, 0
        self.t: list[float] = []
        self.q: list[np.ndarray] = []

    def add(self, t: np.ndarray, channels: np.ndarray) -> None:
        if not len(t):
            return
        self._first = float(t[0]) if self._first is None else self._first
        until = len(t) if self._span is None else int(np.searchsorted(t, self._first + self._span, "right"))
        while until > 2 * SAMPLES * self._every:
            self._thin()
        for k in range(-self._seen % self._every, until, self._every):
            self.t.append(float(t[k]))
            self.q.append(channels[k, self._columns].copy())
        self._seen += until
        while len(self.t) > 2 * SAMPLES:
            self._thin()

    def _thin(self) -> None:
        self.t, self.q, self._every = self.t[::2], self.q[::2], 2 * self._every


def _axes(body: Any) -> tuple[str, ...]:
    return ("x", "y", "angle") if len(body.at) == 2 else ("x", "y", "z", "e0", "e1", "e2", "e3")


@dataclass(frozen=True)
class ChangePoint:
    """time [s], and the joints whose rows depend on each other then."""

    time: float
    joints: tuple[str, ...]


def change_points(system: System, positions: Positions) -> list[ChangePoint]:
    """In the order of time."""
    t, keep = np.unique(np.array(positions.t), return_index=True)
    if len(t) < 5:
        return []
    kinematics = Kinematics(Trace(system.mechanism, own_rows=bool(system.start.redundant), complete=False))
    kept, rank = held_rows(system), kinematics.count - len(system.start.redundant)
    owners = [kinematics.constraints[r].owner for r in kept]
    still, times, sigmas, shares = np.zeros(kinematics.velocities), [], [], []
    for time, k in zip(t, keep, strict=True):
        with np.errstate(all="ignore"):
            rows = kinematics.scaled(kinematics.rows(positions.q[k], still)[2][kept], system.size)
        if not np.isfinite(rows).all():
            continue  # an angle of exactly half a turn has no formula
        times.append(time)
        u, values, _ = np.linalg.svd(rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-300)[:, None])
        sigmas.append(values[rank - 1] if rank <= len(still) else 0.0)
        shares.append(np.abs(u[:, rank - 1]))
    t, sigma, passed, last = np.array(times), np.array(sigmas), list[ChangePoint](), 0
    # evenly in time: steps crowd where the rows lose their hold
    usual = float(np.median(np.interp(np.linspace(t[0], t[-1], SAMPLES), t, sigma))) if sigmas else 0.0
    for k in range(1, len(t) - 1):
        if not (sigma[k] <= sigma[k - 1] and sigma[k] < sigma[k + 1]):
            continue
        around = slice(k - 1, k + 2)
        bend, slope, _ = np.polyfit(t[around] - t[k], sigma[around] ** 2, 2)
        shift = float(np.clip(-0.5 * slope / bend, t[k - 1] - t[k], t[k + 1] - t[k])) if bend > 0.0 else 0.0
        least = min(float(sigma[k] ** 2), max(float(sigma[k] ** 2) + slope * shift + bend * shift**2, 0.0))
        held_between = not passed or sigma[last:k].max() > CLOSE * usual  # else it is the same one still
        if np.sqrt(least) < CLOSE * usual and held_between:
            last = k
            part = {owners[r]: None for r in np.flatnonzero(shares[k] > 0.1 * shares[k].max())}
            passed.append(ChangePoint(float(t[k]) + shift, tuple(part)))
    return passed


def change_warnings(system: System, positions: Positions) -> tuple[str, ...]:
    """What the evidence says of change points."""
    passed = change_points(system, positions)
    if not passed:
        return ()
    first = passed[0]
    more = len(passed) - 1
    others = f" and at {more} later time{'' if more == 1 else 's'}" if more else ""
    return (
        f"change point at {first.time * 1e3:.4g} ms{others}: the joints {in_words(first.joints)} come into a position "
        "(links in one line) from which more than one motion leads on; rounding chooses, and accelerations and "
        "reactions nearby mean nothing. Give one of these joints its real clearance or a bushing, carry it across with "
        "a second crank out of phase or a second drive, or stay short of it",
    )
