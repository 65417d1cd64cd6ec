"""Mechanisms of Flores, Ambrosio, Claro, Lankarani 2006."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case
from gudgeon.quantity import quantity
from gudgeon.space.spatial import Rotation, Vector
from gudgeon.space.spatial.geometry.rotation import parameters_of
from gudgeon.space.spatial.geometry.triad import triad

__all__ = ["PUBLISHED", "four_bar"]

Size: TypeAlias = Any  # a number in SI, or a text such as "0.5 mm"
Point: TypeAlias = tuple[float, float, float]

SOCKET, RESTITUTION = 0.010, 0.9  # radius [m]
YOUNG, POISSON = 207e9, 0.3
A: Point = (0.0, 0.0, 0.0)
B: Point = (0.0, 0.0, 0.02)
C: Point = (-0.075, -0.085, 0.065)
D: Point = (-0.04, -0.085, 0.0)

# Table 1: mass [kg], moments of inertia [kg m^2]
CRANK = (0.0196, (3.92e-5, 1.97e-5, 1.97e-5))
COUPLER = (0.1416, (1.7743e-3, 3.51e-5, 1.7743e-3))
ROCKER = (0.0316, (1.456e-4, 2.9e-6, 1.456e-4))

# what the article prints
PUBLISHED = {"reaction / contact force": 0.60}


def stiffness(clearance: float, *, socket: bool = False) -> float:
    """K of Eq 18 [N/m^1.5] for steel, as printed or for a socket."""
    ball = SOCKET - clearance
    sigma = (1.0 - POISSON**2) / YOUNG
    return 4.0 / (6.0 * sigma) * math.sqrt(SOCKET * ball / (clearance if socket else SOCKET + ball))


@case("four-bar in space, 0.5 mm of play in a ball", duration=0.3)
def four_bar(radial_clearance: Size | None = "0.5 mm", *, socket: bool = False) -> gd.Mechanism:
    """Fig 7: crank about x, rocker about y, a coupler with two balls; released from rest.

    Play between coupler (ball) and rocker (socket); None: no play.
    """
    m = gd.Mechanism("four-bar of Flores 2006", planar=False, gravity=(0.0, 0.0, -9.81))
    crank = m.body("crank", mass=CRANK[0], inertia=CRANK[1], at=_middle(A, B))
    # the second axis of these lies along the link
    coupler = m.body("coupler", mass=COUPLER[0], inertia=COUPLER[1], at=_middle(B, C), orientation=_along(B, C))
    rocker = m.body("rocker", mass=ROCKER[0], inertia=ROCKER[1], at=_middle(D, C), orientation=_along(D, C))
    m.revolute("main", journal=crank, bearing=m.ground, at=A, axis=(1.0, 0.0, 0.0))
    m.spherical("big", journal=coupler, bearing=crank, at=B)
    m.spherical("ball", journal=coupler, bearing=rocker, at=C, radius=SOCKET)
    m.revolute("pivot", journal=rocker, bearing=m.ground, at=D, axis=(0.0, 1.0, 0.0))
    if radial_clearance is None:
        return m
    gap = quantity(radial_clearance, "m", "radial_clearance")
    wall = gd.LankaraniNikravesh(stiffness=stiffness(gap, socket=socket), restitution=RESTITUTION, ratio_limit="above",
                                 clip=True)  # fmt: skip
    return m.refit(ball=gd.Clearance(gap, wall=wall))


def _middle(a: Point, b: Point) -> Point:
    x, y, z = ((p + q) / 2 for p, q in zip(a, b, strict=True))
    return (x, y, z)


def _along(a: Point, b: Point) -> tuple[float, ...]:
    """Orientation of axes whose second is the line from a to b."""
    line = Vector(*b) - Vector(*a)
    h, t, axis = triad(line * (1.0 / math.hypot(*line)))
    return parameters_of(Rotation.of_columns(t, axis, h))
