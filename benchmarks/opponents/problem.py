"""Race P1: the planar slider-crank with one clearance joint, as plain numbers that every opponent shares.

Crank angle theta = omega t, crank pin B = r (cos theta, sin theta), rod tip P = B + L (cos phi, sin phi),
slider at (xs, 0).  The pin P moves in the slider's bore with radial clearance c; contact begins where
|P - S| = c.  Force law: F = max(0, K delta^1.5 (1 + a delta_dot / v0)), a = 0.75 (1 - e^2), v0 the rate
delta_dot at the onset of the contact.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

REVOLUTIONS = 10
ERROR_REVOLUTION = 1e-5  # m, allowed over revolution 1
ERROR_HALF = 1e-6  # m, allowed over its first half
SAMPLES = 200  # output samples per revolution in the race
SLOWEST_ONSET = 1e-6  # m/s, lower bound of the latched rate, guards the division


@dataclass(frozen=True)
class SliderCrank:
    """Data of the mechanism in SI units."""

    crank: float = 0.05
    rod: float = 0.12
    rod_mass: float = 0.145
    slider_mass: float = 0.145
    speed: float = 523.6
    clearance: float = 0.5e-3
    stiffness: float = 65.8e9
    restitution: float = 0.95

    @property
    def hysteresis(self) -> float:
        """The factor a of the dissipative term."""
        return 0.75 * (1.0 - self.restitution**2)

    @property
    def period(self) -> float:
        """Duration of one revolution."""
        return 2.0 * pi / self.speed

    @property
    def start(self) -> tuple[float, float, float, float]:
        """phi, xs and their rates at top dead centre: pin centred, at rest relative to the bore."""
        return (0.0, self.crank + self.rod, -self.crank * self.speed / self.rod, 0.0)

    @property
    def numbers(self) -> tuple[float, ...]:
        """The parameters in the order in which the compiled floors read them."""
        return (
            self.crank,
            self.rod,
            self.rod_mass,
            self.slider_mass,
            self.speed,
            self.clearance,
            self.stiffness,
            self.hysteresis,
            SLOWEST_ONSET,
        )


P1 = SliderCrank()
