"""Mechanisms of Flores, Ambrosio, Claro, Lankarani 2007."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case

__all__ = ["PUBLISHED", "four_bar", "slider_crank"]

Size: TypeAlias = Any  # a number in SI, or a text such as "0.5 mm"
Friction: TypeAlias = float | gd.FrictionLaw | None
Line: TypeAlias = tuple[tuple[float, float], tuple[float, float]]

RADIUS = 0.010  # of the bearing [m]
RESTITUTION = 0.9

# four-bar, Table 1: length [m], mass [kg], inertia [kg m^2]
GROUND = 0.150
LINKS = {
    "crank": (0.400, 3.120, 0.04225),
    "coupler": (0.260, 2.028, 0.01185),
    "follower": (0.460, 3.588, 0.06402),
}
FOUR_BAR_SPEED = 50.0 * math.pi  # [rad/s]

# slider-crank, Table 3
CRANK, ROD = 0.050, 0.120
SLIDER_CRANK_SPEED = -5000.0 * math.pi / 30.0  # clockwise [rad/s]

# what the article prints in numbers and words
PUBLISHED = {"stiffness": 6.6e10, "AP(alpha)": 50.82, "AP(M)": 38.32}  # N/m^1.5; %, c = 0.2 mm, section 6
REGIME_BY_CLEARANCE = {0.5: "chaotic", 0.2: "quasi-periodic", 0.1: "tends to be periodic", 0.01: "periodic"}
REGIME_BY_FRICTION = {
    0.01: "chaotic", 0.03: "from chaotic to quasi-periodic", 0.05: "quasi-periodic, even regular",
    0.10: "simply periodic",
}  # fmt: skip


def loose_fit(radial_clearance: Size, friction: Friction) -> gd.Clearance:
    """The fit of both examples: Lankarani-Nikravesh in steel, restitution 0.9, and friction if asked."""
    law = gd.ModifiedCoulomb(friction) if isinstance(friction, int | float) else friction
    wall = gd.LankaraniNikravesh(gd.STEEL, restitution=RESTITUTION)
    return gd.Clearance(radial_clearance, wall=wall, friction=law)


@case("drag-link, 0.2 mm of play at the follower", revolutions=2)
def four_bar(radial_clearance: Size | None = "0.2 mm", *, branch: int = -1, start_angle: float = 0.0,
             gravity: bool = False, friction: Friction = None) -> gd.Mechanism:  # fmt: skip
    """Section 6, Figs 5-8: a drag-link with play between coupler (pin) and follower (bore); None: no play.

    branch: which of the two ways the loop closes; start_angle of the crank from the line of ground [rad].
    """
    if branch not in (-1, 1):
        raise gd.GudgeonError(f"branch {branch!r} must be -1 or +1")
    lines = _close(start_angle, branch)
    m = gd.Mechanism("four-bar of Flores 2007", gravity=(0.0, -9.81 if gravity else 0.0))
    for name, (_, mass, inertia) in LINKS.items():
        (x, y), (u, v) = lines[name]
        angle = math.atan2(v - y, u - x)
        m.body(name, mass=mass, inertia=inertia, at=((x + u) / 2, (y + v) / 2), angle=angle)
    m.revolute("main", journal="crank", bearing=m.ground, at=lines["crank"][0])
    m.revolute("big", journal="crank", bearing="coupler", at=lines["crank"][1])
    m.revolute("pin", journal="coupler", bearing="follower", at=lines["coupler"][1], radius=RADIUS)
    m.revolute("rocker", journal="follower", bearing=m.ground, at=lines["follower"][0])
    m.drive("main", speed=FOUR_BAR_SPEED)
    return m if radial_clearance is None else m.refit(pin=loose_fit(radial_clearance, friction))


def _close(angle: float, branch: int) -> dict[str, Line]:
    """Both ends of each link: circles about the crank's tip and the follower's pivot meet in the pin."""
    crank, coupler, follower = (LINKS[name][0] for name in ("crank", "coupler", "follower"))
    tip = (crank * math.cos(angle), crank * math.sin(angle))
    x, y = tip[0] - GROUND, tip[1]
    reach = math.hypot(x, y)
    corner = math.acos((follower**2 + reach**2 - coupler**2) / (2.0 * follower * reach))
    phi = math.atan2(y, x) + branch * corner
    pin = (GROUND + follower * math.cos(phi), follower * math.sin(phi))
    return {"crank": ((0.0, 0.0), tip), "coupler": (tip, pin), "follower": ((GROUND, 0.0), pin)}


@case("slider-crank, 5000 rpm, 0.5 mm of play in the pin", revolutions=2)
def slider_crank(radial_clearance: Size | None = "0.5 mm", *, friction: Friction = None,
                 gravity: bool = False) -> gd.Mechanism:  # fmt: skip
    """Section 7, Figs 9-13: 5000 rpm clockwise from the stretched position.

    Play between rod (pin) and slider (bore); None: no play. friction: a coefficient or a law.
    """
    m = gd.Mechanism("slider-crank of Flores 2007", gravity=(0.0, -9.81 if gravity else 0.0))
    crank = m.body("crank", mass=0.300, inertia=1.0e-5, at=(CRANK / 2, 0.0))
    rod = m.body("rod", mass=0.210, inertia=2.5e-4, at=(CRANK + ROD / 2, 0.0))
    # the slider's inertia is not printed and does not matter in a straight guide
    slider = m.body("slider", mass=0.140, inertia=1.0e-4, at=(CRANK + ROD, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0.0), radius=RADIUS)
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0.0), axis=(1.0, 0.0))
    m.drive("main", speed=SLIDER_CRANK_SPEED)
    return m if radial_clearance is None else m.refit(pin=loose_fit(radial_clearance, friction))
