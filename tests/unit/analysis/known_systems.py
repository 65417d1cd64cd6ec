"""Systems whose motion is known, built of gudgeon's own parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import gudgeon as gd

G = 9.81


@dataclass(frozen=True)
class CubicWell(gd.LinerLaw):
    """linear [N/m], cubic [N/m^3]: a spring that may push away from its middle."""

    reference: ClassVar[str] = "Duffing 1918; Holmes 1979"
    validity: ClassVar[str] = "A model of tests."

    damping: float
    linear: float
    cubic: float

    @staticmethod
    def force(deflection, rate, p):
        return p[2] * deflection + p[3] * deflection * deflection * deflection


def on_a_rail(name: str, at: float = 0.0, speed: float = 0.0) -> gd.Mechanism:
    """1 kg on a rail along x."""
    m = gd.Mechanism(name, start="given")
    m.body("mass", mass=1.0, inertia=1.0, at=(at, 0.0), velocity=(speed, 0.0))
    m.translational("rail", journal="mass", bearing=m.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0))
    return m


def oscillator(omega0: float, damping: float, *loads, at: float = 0.1) -> gd.Mechanism:
    """x'' + damping x' + omega0² x = sum of a cos(omega t) over loads (a, omega)."""
    m = on_a_rail("oscillator", at)
    m.spring("spring", "mass", m.ground, stiffness=omega0**2, damping=damping, point_i=(0.0, 0.0),
             at_j=(-9.0, 0.0), free_length=9.0)  # fmt: skip
    for k, (a, omega) in enumerate(loads):
        m.force("mass", (lambda t, a=a, w=omega: a * gd.cos(w * t), 0.0), name=f"load{k}")
    return m


def duffing(linear: float, cubic: float, damping: float, force: float, omega: float, at: float = 1.0) -> gd.Mechanism:
    """x'' + damping x' + linear x + cubic x³ = force cos(omega t)."""
    m = on_a_rail("Duffing", at)
    m.revolute("well", journal="mass", bearing=m.ground, journal_point=(0.0, 0.0), bearing_point=(0.0, 0.0),
               fit=gd.Bushing(CubicWell(0.0, linear, cubic)))  # fmt: skip
    m.damper("damper", "mass", m.ground, damping=damping, point_i=(0.0, 0.0), at_j=(-9.0, 0.0))
    m.force("mass", (lambda t: force * gd.cos(omega * t), 0.0), name="load")
    return m


def bouncing_ball(gamma: float, restitution: float, omega: float = 200.0, stiffness: float = 1e11) -> gd.Mechanism:
    """A ball on a table A sin(omega t), A = gamma g / omega², started on the orbit that meets it once per period.

    The orbit meets the table at the phase with gamma cos(phase) = pi (1 - e) / (1 + e) and leaves with g pi / omega.
    """
    amplitude, period = gamma * G / omega**2, 2.0 * math.pi / omega
    phase = math.acos(min(1.0, math.pi * (1 - restitution) / (1 + restitution) / gamma))
    flown = period - phase / omega  # until the table is at phase 0 again
    speed = 0.5 * G * period - G * flown
    height = amplitude * math.sin(phase) + 0.5 * G * period * flown - 0.5 * G * flown**2
    m = gd.Mechanism("ball", gravity=(0.0, -G), start="given")
    m.body("table", mass=10.0, inertia=1.0, at=(0.0, 0.0), velocity=(0.0, amplitude * omega))
    m.body("ball", mass=0.1, inertia=1e-5, at=(0.0, height), velocity=(0.0, speed))
    points = {"journal_point": (0.0, 0.0), "bearing_point": (0.0, 0.0)}
    m.translational("guide", journal="table", bearing=m.ground, axis=(0.0, 1.0), **points)
    m.translational("flight", journal="ball", bearing="table", axis=(0.0, 1.0), **points)
    m.drive("guide", motion=lambda t: amplitude * gd.sin(omega * t))
    m.stop("flight", lower=-height, wall=gd.ExactRestitution(stiffness=stiffness, restitution=restitution))
    return m


def doubling(restitution: float) -> float:
    """The gamma at which the period-1 orbit of the bouncing ball doubles."""
    # The map from bounce to bounce (time t, speed v after it) about the orbit has the determinant e² and the trace
    # 1 + e² - (1 + e)² gamma sin(phase); it doubles where 1 + trace + det = 0, and gamma cos(phase) = pi (1-e)/(1+e).
    e = restitution
    return math.hypot(math.pi * (1 - e) / (1 + e), 2 * (1 + e * e) / (1 + e) ** 2)


def impact_oscillator(omega: float, restitution: float, force: float = 1.0, stiffness: float = 1e7) -> gd.Mechanism:
    """x'' + x = force cos(omega t) left of a stop at x = 0 that gives back a share of the speed (Shaw, Holmes 1983)."""
    m = oscillator(1.0, 0.0, (force, omega), at=-0.2)
    m.stop("rail", upper=0.2, wall=gd.ExactRestitution(stiffness=stiffness, restitution=restitution))
    return m
