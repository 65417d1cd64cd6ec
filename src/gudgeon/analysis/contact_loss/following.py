"""Whether a journal can follow the load that the ideal joint carries: the numbers, and its way along the wall.

To first order in the clearance c the place e of a journal in its bearing obeys

    e'' = W (F + P),        |e| <= c

F is the force of the wall on it, P(t) the load that the ideal joint carries (minus its reaction on the journal), W(t)
the inverse of the mass that the joint feels with all other constraints kept: 2 by 2, symmetric. At the wall
e = c u(θ), F = -λ u, and with the tangent τ = u',

    λ    = (u W P + c θ'²) / (u W u)                    the force of the wall, which must not become negative
    c θ'' = τ W P - λ τ W u

a pendulum of length c in the turning load. Where P points to γ, small swings about γ have the frequency
Ω = √(P / (m c)), m = (τ W⁻¹ τ), so that how fast the load turns counts by

    N = (γ' / Ω)² = m c γ'² / P.

Where P passes zero at a distance, P = (b, a t), the motion depends on β = b / (a² m c)^(1/3) alone if m is the same in
all directions, and N at the passage is β⁻³: the journal leaves the wall where N exceeds 30.90. Where m differs ten
times between two directions, that border is between 0.4 and 11 (docs/theory/contact-loss.md): no one limit of N.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Matrix

__all__ = ["Follower", "Load", "Turning", "WallMotion", "follow"]

SWING, PASSAGE = 0.3, 0.1  # longest step, as a phase of the swings and in the time scale of passages near zero
FINEST = 1 << 18  # rows of the load at most
CYCLES = 3  # of a periodic load that are followed
CALM, WILD, SMALLEST = 1e-2, 1e4, 1e-6  # N between which the largest clearance is sought, and the least part of c
SERIES, NEAR = 1.1, 1e-3  # between clearances that are tried, and how near it is found, relative
FINER = 65  # places around each extreme


@kernel
def follow(load: Matrix, clearance: float, h: float, first: int, steps: int, state: Floats) -> int:
    """The journal along the wall for so many steps of length h, by the classical Runge-Kutta method. Rows of `load`
    are half a step apart and begin again at the end: P and W. state: angle, its rate, then the least force of the wall
    so far and its row, which come back. Gives the step at whose start the wall would have to pull, or `steps`."""
    rows = load.shape[0]
    for step in range(steps):
        x, v = state[0], state[1]
        sum_x, sum_v, at_x, at_v = 0.0, 0.0, x, v
        for stage in range(4):
            row = first + 2 * step
            if stage == 3:
                row += 2
            elif stage > 0:
                row += 1
            row = row % rows
            px, py = load[row, 0], load[row, 1]
            a, b, d = load[row, 2], load[row, 3], load[row, 4]
            ux, uy = math.cos(at_x), math.sin(at_x)
            wx, wy = a * px + b * py, b * px + d * py
            sx, sy = a * ux + b * uy, b * ux + d * uy
            force = (ux * wx + uy * wy + clearance * at_v * at_v) / (ux * sx + uy * sy)
            if stage == 0:
                if force < state[2]:
                    state[2], state[3] = force, float(row)
                if force < 0.0:
                    return step
            turned = (ux * wy - uy * wx - force * (ux * sy - uy * sx)) / clearance
            weight = 1.0 if stage == 0 or stage == 3 else 2.0
            sum_x += weight * at_v
            sum_v += weight * turned
            share = h if stage == 2 else 0.5 * h
            if stage < 3:
                at_x, at_v = x + share * at_v, v + share * turned
        state[0], state[1] = x + h / 6.0 * sum_x, v + h / 6.0 * sum_v
    return steps


@dataclass(frozen=True)
class Load:
    """The load of an ideal joint at equal spacing: times [s], P (instant, 2) [N] and W (instant, 3) as xx, xy, yy
    [1/kg]. `period` [s]: of a cycle whose first instant follows its last; None: what was run is all there is."""

    times: np.ndarray
    force: np.ndarray
    mobility: np.ndarray
    period: float | None = None

    def __post_init__(self) -> None:
        times, values = self.times, np.hstack([self.force, self.mobility])
        if self.period is not None:
            times, values = np.append(times, times[0] + self.period), np.vstack([values, values[:1]])
        object.__setattr__(self, "_spline", CubicSpline(times, values,
                           bc_type="periodic" if self.period is not None else "not-a-knot"))  # fmt: skip

    def at(self, times: np.ndarray, derivative: int = 0) -> np.ndarray:
        """P and W (instant, 5) at other times, or their derivatives."""
        found: np.ndarray = self._spline(times, derivative)  # type: ignore[attr-defined]
        return found

    @property
    def span(self) -> float:
        return self.period if self.period is not None else float(self.times[-1] - self.times[0])


@dataclass(frozen=True)
class Turning:
    """The load of an ideal joint at some times: its size R [N], direction γ [rad], γ' and γ'', and the mass m [kg] that
    the joint feels across it."""

    times: np.ndarray
    size: np.ndarray
    direction: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray
    mass: np.ndarray

    @property
    def rate_by_force(self) -> np.ndarray:
        """|γ'| / R [rad/(N s)]."""
        return np.asarray(np.abs(self.rate) / self.size)

    def number(self, clearance: float) -> np.ndarray:
        """N = m c γ'² / R [-]."""
        return np.asarray(self.mass * clearance * self.rate**2 / self.size)


class Follower:
    """A journal with a clearance [m] in the load of an ideal joint."""

    def __init__(self, load: Load, clearance: float) -> None:
        self.load, self.clearance, self.times = load, clearance, load.times
        self.turning = self.turning_at(load.times)

    def turning_at(self, times: np.ndarray) -> Turning:
        values, slopes, bends = (self.load.at(times, k) for k in range(3))
        p, dp, ddp = values[:, :2], slopes[:, :2], bends[:, :2]
        size = np.maximum(np.hypot(p[:, 0], p[:, 1]), 1e-150)
        rate = _cross(p, dp) / size**2
        acceleration = _cross(p, ddp) / size**2 - 2.0 * rate * (p * dp).sum(axis=1) / size**2
        return Turning(times, size, np.arctan2(p[:, 1], p[:, 0]), rate, acceleration, tangential_mass(values))

    @property
    def near_extremes(self) -> Turning:
        """Around each instant at which the load is smaller than before and after, or turns faster: what is largest
        where the load passes near zero lies between the instants."""
        number, size = self.turning.number(self.clearance), self.turning.size
        ends = slice(None) if self.load.period is not None else slice(1, -1)
        among = np.arange(len(number))[ends]
        before, after = among - 1, (among + 1) % len(number)
        peaks = (number[among] >= number[before]) & (number[among] >= number[after])
        peaks |= (size[among] <= size[before]) & (size[among] <= size[after])
        shares = np.linspace(-1.0, 1.0, FINER) * (self.times[1] - self.times[0])
        return self.turning_at((self.times[among[peaks]][:, None] + shares).ravel())

    def rows(self, clearance: float) -> int:
        """Half steps between two instants of the load, so that swings and passages are resolved."""
        inertia = self.turning.mass * clearance
        swing = float(np.sqrt(self.turning.size / inertia).max()) / SWING
        slope = np.hypot(*self.load.at(self.times, 1)[:, :2].T)
        passage = float(np.cbrt(slope / inertia).max()) / PASSAGE
        spacing = float(self.times[1] - self.times[0])
        return max(2, min(2 * math.ceil(spacing * max(swing, passage)), FINEST // len(self.times)))

    @property
    def quietest(self) -> int:
        """The instant at which the journal follows most easily; of a load that does not repeat, of its first half."""
        number = self.turning.number(self.clearance)
        return int(np.argmin(number if self.load.period is not None else number[: len(number) // 2]))

    def seated(self, k: int, clearance: float) -> np.ndarray:
        """State of a journal that goes with the load at instant k: behind it by what its tangential acceleration
        needs."""
        x = self.turning
        behind = x.mass[k] * clearance * x.acceleration[k] / x.size[k]
        return np.array([x.direction[k] - float(np.clip(behind, -1.0, 1.0)), x.rate[k], np.inf, 0.0])

    def way(self, k: int | None = None, clearance: float | None = None, cycles: int = CYCLES) -> WallMotion:
        """Along the wall from instant k, the quietest unless given, through so many cycles or to the end."""
        c, begin = self.clearance if clearance is None else clearance, self.quietest if k is None else k
        parts, count = self.rows(c), len(self.times)
        half = float(self.times[1] - self.times[0]) / parts
        last = count if self.load.period is not None else count - 1
        table = np.ascontiguousarray(self.load.at(self.times[0] + np.arange(last * parts + 1) * half))
        steps = (last * parts - begin * parts) // 2
        if self.load.period is not None:
            table, steps = np.ascontiguousarray(table[:-1]), cycles * last * parts // 2
        state = self.seated(begin, c)
        reached = follow(table, c, 2.0 * half, begin * parts, steps, state)
        time = None if reached == steps else float(self.times[begin] + 2.0 * reached * half)
        return WallMotion(float(self.times[begin]), time, float(state[2]))

    def largest_clearance(self) -> float:
        """The clearance [m] below which contact lasts: clearances of a series are tried from below, then bisected.

        Beyond the first clearance that loses contact others may keep it for the few cycles that are followed, since
        what a passage leaves behind decides about the next. Infinite where none loses contact, 0 where all do."""
        number = float(self.near_extremes.number(self.clearance).max())
        low = self.clearance * (max(CALM / number, SMALLEST) if number > 0.0 else 1.0)
        if self.way(clearance=low).lost is not None:
            return 0.0
        high = low
        while self.way(clearance=high).lost is None:
            low, high = high, high * SERIES
            if number * high > WILD * self.clearance or number == 0.0:
                return math.inf
        while high > (1.0 + NEAR) * low:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self.way(clearance=middle).lost is not None else (middle, high)
        return low


@dataclass(frozen=True)
class WallMotion:
    """A journal along the wall: from when [s], when the wall would first have to pull (None: never), and the least
    force of the wall [N]."""

    begin: float
    lost: float | None
    least: float


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def tangential_mass(values: np.ndarray) -> np.ndarray:
    """m = τ W⁻¹ τ with τ across the load, where rows are P and W."""
    p, (a, b, d) = values[:, :2], values[:, 2:].T
    u = p / np.maximum(np.hypot(p[:, 0], p[:, 1]), 1e-300)[:, None]
    # τ W⁻¹ τ = u W u / det W, as τ is u turned by a right angle
    found: np.ndarray = (a * u[:, 0] ** 2 + 2.0 * b * u[:, 0] * u[:, 1] + d * u[:, 1] ** 2) / (a * d - b * b)
    return found
