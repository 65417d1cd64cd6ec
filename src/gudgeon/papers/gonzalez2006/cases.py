"""Mechanisms of Gonzalez, Dopico, Lugris, Cuadrado 2006."""

from __future__ import annotations

import math
from typing import TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case

__all__ = ["ANDREWS", "andrews", "bricard", "four_bars", "governor", "pendulum"]

Point: TypeAlias = tuple[float, float]

GRAVITY = 9.81
POINT = 1e-6  # moment of inertia of a point mass [kg m^2]


@case("benchmark A01: a point mass on a bar", duration=10.0)
def pendulum() -> gd.Mechanism:
    """A01: a point mass on a massless bar, released where the bar is horizontal."""
    m = gd.Mechanism("pendulum, benchmark A01", gravity=(0.0, -GRAVITY))
    m.body("bob", mass=1.0, inertia=POINT, at=(-1.0, 0.0))
    m.revolute("pivot", journal="bob", bearing=m.ground, at=(0.0, 0.0))
    return m


@case("benchmark A02: two four-bars through a singular position", duration=10.0, method="rk4", step=1e-3)
def four_bars(count: int = 2) -> gd.Mechanism:
    """A02: upright cranks side by side, joined by couplers; the motion passes where all bars lie in one line.

    `count` four-bars have 2 count + 1 bars of 1 m and 1 kg; the tops start with 1 m/s.
    """
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise gd.GudgeonError(f"count {count!r} must be a whole number, 1 or more, of four-bars")
    m = gd.Mechanism(f"{count} four-bars, benchmark A02", gravity=(0.0, -GRAVITY))
    for k in range(count + 1):
        m.body(f"crank_{k}", mass=1.0, inertia=1.0 / 12.0, at=(k, 0.5), angle=math.pi / 2,
               velocity=(0.5, 0.0), spin=-1.0)  # fmt: skip
        m.revolute(f"foot_{k}", journal=f"crank_{k}", bearing=m.ground, at=(k, 0.0))
    for k in range(count):
        m.body(f"coupler_{k}", mass=1.0, inertia=1.0 / 12.0, at=(k + 0.5, 1.0), velocity=(1.0, 0.0))
        m.revolute(f"left_{k}", journal=f"coupler_{k}", bearing=f"crank_{k}", at=(k, 1.0))
        m.revolute(f"right_{k}", journal=f"coupler_{k}", bearing=f"crank_{k + 1}", at=(k + 1, 1.0))
    return m


# A03 -----------------------------------------------------------------------------------------------------------------
#
# Angles beta, Theta, gamma, Phi, delta, Omega, epsilon as in Hairer, Wanner, VII.7. The bars, by the angle of
# their axes: 1 beta; 2 beta + Theta; 3 (the triangle B, D, E) gamma; 4 Phi + delta; 5 delta; 6 Omega + epsilon;
# 7 epsilon. With d = 28, e = 20, rr = 7, ss = 35, sc = 18, sd = 20, zt = 40, zf = 20, u = 40 mm:
#
#   F = rr (cos beta, sin beta)                 E = F - d (cos(beta + Theta), sin(beta + Theta))
#   E = B + ss (sin gamma, -cos gamma)          D = B + (sd cos gamma + sc sin gamma, sd sin gamma - sc cos gamma)
#   G = A + zt (cos delta, sin delta)           E = G + e (sin(Phi + delta), -cos(Phi + delta))
#   H = A + u (sin epsilon, -cos epsilon)       E = H + zf (cos(Omega + epsilon), sin(Omega + epsilon))

ANDREWS = {  # at the start [rad]
    "beta": -0.0617138900142764496, "Theta": 0.0, "gamma": 0.455279819163070380, "Phi": 0.222668390165885885,
    "delta": 0.487364979543842550, "Omega": -0.222668390165885885, "epsilon": 1.23054744454982119,
}  # fmt: skip
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
SPRING, FREE, TORQUE = 4530.0, 0.07785, 0.033  # [N/m], [m], [N m]

# mass [kg], moment of inertia [kg m^2], and the centre of mass seen along and across the bar from where it begins [m]
BARS = {
    "crank": (0.04325, 2.194e-6, (0.00092, 0.0)),
    "link": (0.00365, 4.410e-7, (-0.0115, 0.0)),
    "triangle": (0.02373, 5.255e-6, (0.01043, -0.01874)),
    "upper": (0.00706, 5.667e-7, (0.0, -(0.020 - 0.01421))),
    "right": (0.07050, 1.169e-5, (0.02308, 0.00916)),
    "lower": (0.00706, 5.667e-7, (0.020 - 0.01421, 0.0)),
    "left": (0.05498, 1.912e-5, (-0.00449, -0.01228)),
}


@case("benchmark A03: the squeezer of Andrews, seven bars", duration=0.03)
def andrews() -> gd.Mechanism:
    """A03: seven bars, three fixed points and a spring, driven by a torque: some 16 rad of the crank in 30 ms."""
    q = ANDREWS
    angles = {
        "crank": q["beta"], "link": q["beta"] + q["Theta"], "triangle": q["gamma"], "upper": q["Phi"] + q["delta"],
        "right": q["delta"], "lower": q["Omega"] + q["epsilon"], "left": q["epsilon"],
    }  # fmt: skip
    f = _along((0.0, 0.0), angles["crank"], 0.007, 0.0)
    e = _along(f, angles["link"], -0.028, 0.0)
    d = _along(B, angles["triangle"], 0.020, -0.018)
    g = _along(A, angles["right"], 0.040, 0.0)
    h = _along(A, angles["left"], 0.0, -0.040)
    begins = {"crank": (0.0, 0.0), "link": f, "triangle": B, "upper": g, "right": A, "lower": h, "left": A}
    m = gd.Mechanism("squeezer of Andrews, benchmark A03")
    for name, (mass, inertia, centre) in BARS.items():
        m.body(name, mass=mass, inertia=inertia, angle=angles[name], at=_along(begins[name], angles[name], *centre))
    for name, journal, bearing, at in (
        ("O", "crank", m.ground, (0.0, 0.0)), ("B", "triangle", m.ground, B), ("A", "right", m.ground, A),
        ("A_left", "left", m.ground, A), ("F", "link", "crank", f), ("E", "triangle", "link", e),
        ("G", "upper", "right", g), ("H", "lower", "left", h), ("E_upper", "upper", "link", e),
        ("E_lower", "lower", "link", e),
    ):  # fmt: skip
        m.revolute(name, journal=journal, bearing=bearing, at=at)
    m.spring("spring", "triangle", m.ground, at_i=d, at_j=C, stiffness=SPRING, free_length=FREE)
    m.torque("crank", TORQUE, name="motor")
    return m


def _along(start: Point, angle: float, along: float, across: float) -> Point:
    """A point seen from the start of a bar that stands at an angle."""
    c, s = math.cos(angle), math.sin(angle)
    return start[0] + c * along - s * across, start[1] + s * along + c * across


CORNERS = ((0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1))
AXES = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))


@case("benchmark A04: five rods in space, overconstrained", duration=10.0)
def bricard(width: float = 0.1) -> gd.Mechanism:
    """A04: five rods on edges of a cube and six hinges, mobile although counting says that it is not.

    Rods of 1 m and 1 kg with a square section of `width` [m]; released from rest.
    """
    m = gd.Mechanism("Bricard, benchmark A04", planar=False, gravity=(0.0, -GRAVITY, 0.0))
    for k in range(5):
        a, b = CORNERS[k], CORNERS[k + 1]
        sides = [max(abs(q - p), width) for p, q in zip(a, b, strict=True)]
        whole = sum(side**2 for side in sides)
        m.body(f"rod_{k}", mass=1.0, inertia=tuple((whole - side**2) / 12.0 for side in sides),
               at=tuple((p + q) / 2 for p, q in zip(a, b, strict=True)))  # fmt: skip
    m.revolute("hinge_0", journal="rod_0", bearing=m.ground, at=CORNERS[0], axis=AXES[0])
    for k in range(1, 5):
        m.revolute(f"hinge_{k}", journal=f"rod_{k}", bearing=f"rod_{k - 1}", at=CORNERS[k], axis=AXES[k])
    m.revolute("hinge_5", journal=m.ground, bearing="rod_4", at=CORNERS[5], axis=AXES[5])
    return m


# A05: lengths [m], masses [kg]
ARM, REACH, HEIGHT, BALL, BAR, SLIDER = 0.05, 1.0, 1.0, 5.0, 0.3, 3.0
THICK, CUBE = 0.01, 0.1
HANG, TURNING = math.pi / 6, 2.0 * math.pi  # angle of the rods below the horizontal [rad], speed [rad/s]
STIFFNESS, DAMPING, LENGTH = 8e5, 4e4, 0.5  # of the coupling [N/m], [N s/m], [m]
CENTRE = (BAR * REACH / 2 + BALL * REACH) / (BAR + BALL)  # of rod and ball, from the hinge [m]
# of rod and ball about that centre: along the rod, across it [kg m^2]
INERTIA = (
    BAR * 2 * THICK**2 / 12,
    BAR * (REACH**2 + THICK**2) / 12 + BAR * (CENTRE - REACH / 2) ** 2 + BALL * (REACH - CENTRE) ** 2,
)


@case("benchmark A05: a flyball governor, stiff", duration=2.0, output=1e-3)
def governor() -> gd.Mechanism:
    """A05: a shaft with two rods that carry balls, and a slider that stiff spring-dampers tie to the rods: stiff."""
    m = gd.Mechanism("flyball governor, benchmark A05", planar=False, gravity=(0.0, 0.0, -GRAVITY))
    spin, side, slim = (0.0, 0.0, TURNING), BAR * (HEIGHT**2 + THICK**2) / 12, BAR * 2 * THICK**2 / 12
    m.body("shaft", mass=BAR, inertia=(side, side, slim), at=(0.0, 0.0, HEIGHT / 2), spin=spin)
    m.body("slider", mass=SLIDER, inertia=(SLIDER * CUBE**2 / 6,) * 3, at=(0.0, 0.0, 0.5), spin=spin)
    m.revolute("bearing", journal="shaft", bearing=m.ground, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    m.translational("guide", journal="slider", bearing="shaft", at=(0.0, 0.0, 0.5), axis=(0.0, 0.0, 1.0))
    for name, sign in (("right", 1.0), ("left", -1.0)):
        out, down = math.cos(HANG), math.sin(HANG)
        x = sign * (ARM + CENTRE * out)
        m.body(name, mass=BAR + BALL, inertia=(INERTIA[0], INERTIA[1], INERTIA[1]),
               at=(x, 0.0, HEIGHT - CENTRE * down), spin=spin, velocity=(0.0, TURNING * x, 0.0),
               orientation=(0.0, HANG if sign > 0.0 else math.pi - HANG, 0.0))  # fmt: skip
        m.revolute(f"hinge_{name}", journal=name, bearing="shaft", at=(sign * ARM, 0.0, HEIGHT), axis=(0.0, 1.0, 0.0))
        middle = (sign * (ARM + REACH / 2 * out), 0.0, HEIGHT - REACH / 2 * down)
        m.spring(f"rod_{name}", "slider", name, at_i=(sign * ARM, 0.0, 0.5), at_j=middle, stiffness=STIFFNESS,
                 damping=DAMPING, free_length=LENGTH)  # fmt: skip
    return m
