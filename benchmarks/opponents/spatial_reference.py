"""The converged end of race P2 that errors are measured against: SciPy's DOP853 on other coordinates than the floor's.

The coupler is the unit vector u along it: nothing turns it about its line, so it does not spin, and with the force F on
the ball and J = I_t + m L^2 / 4
    J u'' = (1 - u u^T) (L F + m L / 2 (g - a_B)) - J |u'|^2 u,   a_B = r theta'' e2 - r theta'^2 e1.
The acceleration theta'' follows from the same balance about the crank's axis, solved here as a linear system.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

from .problem import SLOWEST_ONSET
from .result import SpatialResult
from .spatial_problem import DURATION, P2

RTOL = 1e-13


def _places(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ball relative to socket, and its velocity; y = (theta, psi, u, theta', psi', u')."""
    (st, ct), (sp, cp) = ((np.sin(x), np.cos(x)) for x in y[:2])
    _, ball, socket = P2.points(y[0], y[1], y[2:5])
    speed = P2.crank * y[5] * np.array([0.0, -st, ct]) + P2.coupler * y[7:]
    return ball - socket, speed - P2.rocker * y[6] * np.array([cp, 0.0, -sp])


def _depth(_: float, y: np.ndarray, __: float | None) -> float:
    return float(np.linalg.norm(_places(y)[0])) - P2.clearance


def _motion(_: float, y: np.ndarray, onset_rate: float | None) -> np.ndarray:
    """Rates of the states; onset_rate None means free flight."""
    (st, ct), (sp, cp) = ((np.sin(x), np.cos(x)) for x in y[:2])
    e1, e2, t = np.array([0.0, ct, st]), np.array([0.0, -st, ct]), np.array([cp, 0.0, -sp])
    u, u_rate, weight, force = y[2:5], y[7:], np.array([0.0, 0.0, -P2.gravity]), np.zeros(3)
    if onset_rate is not None:
        d, v = _places(y)
        distance = np.linalg.norm(d)
        size = P2.stiffness * max(distance - P2.clearance, 0.0) ** 1.5
        force = -max(size * (1 + P2.hysteresis * (d @ v) / distance / onset_rate), 0.0) * d / distance
    m, r, arm = P2.coupler_mass, P2.crank, P2.coupler / 2
    inertia, across = P2.coupler_inertia[0] + m * arm**2, np.eye(3) - np.outer(u, u)
    # unknowns theta'', u''
    matrix, right = np.eye(4), np.zeros(4)
    matrix[0, 0], matrix[0, 1:] = P2.crank_about_axis + m * r**2, m * arm * r * e2
    right[0] = r * e2 @ (force + (m + P2.crank_mass / 2) * weight)
    matrix[1:, 0] = across @ (m * arm * r * e2) / inertia
    turning = P2.coupler * force + m * arm * (weight + r * y[5] ** 2 * e1)
    right[1:] = across @ turning / inertia - (u_rate @ u_rate) * u
    swing = np.linalg.solve(matrix, right)
    nod = P2.rocker * t @ (P2.rocker_mass / 2 * weight - force) / P2.rocker_about_axis
    return np.concatenate([y[5:], swing[:1], [nod], swing[1:]])


@cache
def end_points() -> np.ndarray:
    """Crank pin, loose ball and socket at the end of the race."""
    t, y, onset_rate = 0.0, np.concatenate([[0.0, 0.0], P2.line, np.zeros(5)]), None
    _depth.terminal = True
    while t < DURATION:
        _depth.direction = 1.0 if onset_rate is None else -1.0
        piece = solve_ivp(_motion, (t, DURATION), y, "DOP853", events=_depth, rtol=RTOL, atol=RTOL * 0.1,
                          args=(onset_rate,), first_step=1e-8)  # fmt: skip
        t, y = piece.t[-1], piece.y[:, -1]
        d, v = _places(y)
        onset_rate = max(d @ v / np.linalg.norm(d), SLOWEST_ONSET) if onset_rate is None else None
    return P2.points(y[0], y[1], y[2:5])


def error(result: SpatialResult) -> float:
    """Largest distance of the three points from where they should be [m]."""
    return float(np.linalg.norm(result.points - end_points(), axis=1).max())
