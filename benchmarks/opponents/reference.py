"""The converged solution of revolution 1 that errors are measured against.

It is the C floor in extended precision (rtol 1e-16), which agrees with its own run at 1e-15 to 1e-10 m over
the revolution; without a C compiler it is the Numba floor at 1e-13.  `cross_check` compares it with SciPy's
DOP853, which shares no code with it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicHermiteSpline

from . import floor, floor_numba
from .problem import P1, SLOWEST_ONSET
from .result import RaceResult

FINE = 20_000  # samples of the revolution; cubic interpolation between them errs by some 1e-11 m


@cache
def _curves() -> CubicHermiteSpline:
    """phi and xs of revolution 1 as functions of time."""
    if floor.compiler() is None:
        _, _, times, states = floor_numba.march(1, 1e-13, FINE)
    else:
        rtol = 1e-16 if np.finfo(np.longdouble).eps < 1e-18 else 1e-13
        _, _, times, states = floor.march(1, rtol, FINE, floor.EXTENDED)
    return CubicHermiteSpline(times, states[:, :2], states[:, 2:])


def distances(t: np.ndarray, phi: np.ndarray, xs: np.ndarray) -> np.ndarray:
    """max(|d xs|, L |d phi|) against the reference at times of revolution 1."""
    true = _curves()(t)
    return np.maximum(np.abs(xs - true[:, 1]), P1.rod * np.abs(phi - true[:, 0]))


def errors(result: RaceResult) -> tuple[float, float]:
    """Largest error in metres over revolution 1 and over its first half."""
    inside = result.t <= P1.period * (1 + 1e-12)
    t = np.minimum(result.t[inside], P1.period)
    found = distances(t, result.phi[inside], result.xs[inside])
    return float(found.max()), float(found[t <= P1.period / 2].max())


def _pin(t: float, y: np.ndarray) -> tuple[float, float, float, float]:
    """Pin relative to the bore: x, y, distance and rate of the distance."""
    theta = P1.speed * t
    x = P1.crank * np.cos(theta) + P1.rod * np.cos(y[0]) - y[1]
    z = P1.crank * np.sin(theta) + P1.rod * np.sin(y[0])
    vx = -P1.crank * P1.speed * np.sin(theta) - P1.rod * np.sin(y[0]) * y[2] - y[3]
    vz = P1.crank * P1.speed * np.cos(theta) + P1.rod * np.cos(y[0]) * y[2]
    distance = np.hypot(x, z)
    return x, z, distance, (x * vx + z * vz) / distance if distance > 0 else 0.0


def _motion(t: float, y: np.ndarray, onset_rate: float | None) -> list[float]:
    """Right-hand side from the equations of motion as written in S3; onset_rate None means free flight."""
    inertia = P1.rod_mass * P1.rod**2 / 3
    normal = np.array([-np.sin(y[0]), np.cos(y[0])])
    pin = -P1.crank * P1.speed**2 * np.array([np.cos(P1.speed * t), np.sin(P1.speed * t)])
    force = np.zeros(2)
    if onset_rate is not None:
        x, z, distance, rate = _pin(t, y)
        depth = max(distance - P1.clearance, 0.0)
        size = P1.stiffness * depth**1.5 * (1 + P1.hysteresis * rate / onset_rate)
        force = max(size, 0.0) * np.array([x, z]) / distance
    turn = -(P1.rod_mass * P1.rod / 2 * normal @ pin + P1.rod * normal @ force) / inertia
    return [y[2], y[3], turn, force[0] / P1.slider_mass]


def cross_check(rtol: float = 1e-13, samples: int = 400) -> tuple[float, float]:
    """Largest distance of SciPy's DOP853 from the reference over revolution 1 and over its first half."""

    def gap(t, y, _):
        return _pin(t, y)[2] - P1.clearance

    gap.terminal = True
    grid = np.linspace(0.0, P1.period, samples + 1)
    t, y, onset_rate, states = 0.0, np.array(P1.start), None, []
    while t < P1.period:
        gap.direction = 1.0 if onset_rate is None else -1.0
        wanted = grid[len(states) :]
        piece = solve_ivp(
            _motion,
            (t, P1.period),
            y,
            "DOP853",
            dense_output=True,
            events=gap,
            rtol=rtol,
            atol=rtol * np.array([1.0, 0.1, 1e3, 100.0]),
            args=(onset_rate,),
            first_step=1e-8,
        )
        t, y = piece.t[-1], piece.y[:, -1]
        states.extend(piece.sol(wanted[wanted <= t]).T)
        onset_rate = max(_pin(t, y)[3], SLOWEST_ONSET) if onset_rate is None else None
    found = distances(grid, *np.array(states).T[:2])
    return float(found.max()), float(found[: samples // 2 + 1].max())
