"""Race P2: a spatial four-bar with one loose ball, as plain numbers that every opponent shares.

Lengths, masses and moments of inertia are those of Flores et al. 2006, Table 1; the axes of crank and rocker are the
race's own: the crank turns about x at the origin and starts along y, the rocker turns about y at D and starts along z.
All is at rest, the ball in the middle of its socket; weight along -z.  Bodies have their centre of mass at mid-length;
coupler and rocker are axisymmetric about their line.  Force law: F = max(0, K delta^1.5 (1 + a delta_dot / v0)),
a = 0.75 (1 - e^2), v0 the rate delta_dot at the onset of the contact; no friction.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from .problem import SLOWEST_ONSET

DURATION = 0.1  # s, with 16 onsets
ERROR = 4e-8  # m, allowed at the end
# 1/s, an error of a velocity over that of a position that weighs as much in the floor: of 1, 3, 10, ... 1000 the ones
# at 3, 30 and 300 meet the accuracy with the fewest evaluations, 15 % fewer than the others
PACE = 30.0


@dataclass(frozen=True)
class FourBar:
    """Data of the mechanism in SI units."""

    crank: float = 0.02
    rocker: float = 0.074
    pivot: tuple[float, float, float] = (0.06859, 0.08859, 0.0)  # D
    crank_mass: float = 0.0196
    coupler_mass: float = 0.1416
    rocker_mass: float = 0.0316
    crank_inertia: tuple[float, float, float] = (3.92e-5, 1.97e-5, 1.97e-5)
    coupler_inertia: tuple[float, float] = (1.7743e-3, 3.51e-5)  # across and along its line
    rocker_inertia: tuple[float, float] = (1.456e-4, 2.9e-6)
    clearance: float = 0.5e-3
    stiffness: float = 6.61e10
    restitution: float = 0.9
    gravity: float = 9.81

    @property
    def tip(self) -> np.ndarray:
        """Where the crank's ball starts."""
        return np.array([0.0, self.crank, 0.0])

    @property
    def ball(self) -> np.ndarray:
        """Where the loose ball and its socket start."""
        return np.array(self.pivot) + np.array([0.0, 0.0, self.rocker])

    @property
    def coupler(self) -> float:
        """Length of the coupler, 0.122 m."""
        return float(np.linalg.norm(self.ball - self.tip))

    @property
    def line(self) -> np.ndarray:
        """Direction of the coupler at the start."""
        return (self.ball - self.tip) / self.coupler

    @property
    def hysteresis(self) -> float:
        """The factor a of the dissipative term."""
        return 0.75 * (1.0 - self.restitution**2)

    @property
    def crank_about_axis(self) -> float:
        return self.crank_inertia[0] + self.crank_mass * self.crank**2 / 4

    @property
    def rocker_about_axis(self) -> float:
        return self.rocker_inertia[0] + self.rocker_mass * self.rocker**2 / 4

    @property
    def start(self) -> tuple[float, ...]:
        """Angles of crank and rocker, Euler parameters that take y to the coupler's line, velocities."""
        x, y, z = self.line
        half = sqrt((1.0 + y) / 2.0)
        return (0.0, 0.0, half, z / (2.0 * half), 0.0, -x / (2.0 * half), *[0.0] * 5)

    @property
    def numbers(self) -> tuple[float, ...]:
        """The parameters in the order in which the compiled floor reads them."""
        return (self.crank, self.coupler, self.rocker, *self.pivot[:2], self.clearance, self.stiffness, self.hysteresis,
                SLOWEST_ONSET, self.coupler_mass, self.crank_mass, self.crank_about_axis, *self.coupler_inertia,
                self.rocker_mass, self.rocker_about_axis, self.gravity, PACE)  # fmt: skip

    def points(self, theta: float, psi: float, line: np.ndarray) -> np.ndarray:
        """Crank pin, loose ball and socket."""
        pin = self.crank * np.array([0.0, np.cos(theta), np.sin(theta)])
        socket = np.array(self.pivot) + self.rocker * np.array([np.sin(psi), 0.0, np.cos(psi)])
        return np.array([pin, pin + self.coupler * line, socket])


P2 = FourBar()
