"""Mechanisms of Schwab, Meijaard, Meijers 2002."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case

__all__ = [
    "BASES", "PUBLISHED", "bearing", "elastic", "elastic_elements", "film", "hertz", "ideal", "impact", "sphere",
]  # fmt: skip

Size: TypeAlias = Any  # a number in SI, or a text such as "0.5 mm"

STEEL = gd.Material("steel of Schwab 2002", 206e9, 0.3, 7800.0)
RADIUS = 0.010  # of the sleeve [m]
CRANK, ROD = 0.05, 0.12  # lengths [m]
MASS = 0.145  # of rod, slider and sphere [kg]
SPEED = 523.6  # of the crank [rad/s]
SPIN = 163.62  # of the journal in the bearing of section 3.2 [rad/s]
VISCOSITY = 0.1  # of the lubricant [Pa s]
BENDING = 6214.6  # EI of the elastic rod [N m^2]
BASES: dict[str, tuple[int, int | None]] = {"modes2": (2, None), "fem2": (4, 2)}  # modes, elements

# what the article prints in words; its figures are not read here
PUBLISHED = {
    "stiffness": 65.8e9,  # N/m^1.5, Fig 2 and section 5.1
    "velocity error, e >= 0.75": 0.10,  # below, section 3.1
    "dissipation error, e >= 0.75": 0.25,  # below
    "peak slider acceleration": 180e3,  # m/s^2, Fig 5, quoted in section 5.3
    "peak driving torque": 1350.0,  # N m, Fig 6, quoted in section 5.3
    "peak slider acceleration, elastic": 120e3,  # m/s^2, Fig 9
    "peak driving torque, elastic": 850.0,  # N m, Fig 10
    "first bending frequency": 49e3,  # rad/s, section 5.3
    "second bending frequency": 197e3,
    "axial frequency": 268e3,
}


@case("a sphere meets a concave socket at 5 m/s", duration=3e-4)
def sphere(restitution: float = 0.95, *, speed: Size = "5 m/s",
           radial_clearance: Size = "0.5 mm") -> gd.Mechanism:  # fmt: skip
    """Section 3.1, Fig 2: a sphere of 0.145 kg meets a concave socket of radius 10 mm at 5 m/s.

    The sphere starts at the centre of the socket, which is the loose joint `pin`, and flies to the wall.
    """
    m = gd.Mechanism("sphere in a socket", start="given")
    inertia = 0.4 * MASS * RADIUS**2
    ball = m.body("sphere", mass=MASS, inertia=inertia, at=(0.0, 0.0), velocity=(speed, 0.0))
    wall = gd.LankaraniNikravesh(STEEL, restitution=restitution)
    fit = gd.Clearance(radial_clearance, wall=wall)
    m.revolute("pin", journal=ball, bearing=m.ground, at=(0.0, 0.0), radius=RADIUS, fit=fit)
    return m


@case("slider-crank at 523.6 rad/s, ideal joints", revolutions=2)
def ideal(modes: int = 0, elements: int | None = None) -> gd.Mechanism:
    """Section 5: the slider-crank from top dead centre at constant speed, without clearance.

    With modes the rod is elastic, see `elastic`.
    """
    m = gd.Mechanism("slider-crank of Schwab 2002")
    crank = m.body("crank", mass=MASS, inertia=MASS * CRANK**2 / 12, at=(CRANK / 2, 0.0))
    if modes:
        rod = m.modal_link("rod", a=(CRANK, 0.0), b=(CRANK + ROD, 0.0), EI=BENDING, mass=MASS, modes=modes,
                           elements=elements, damping=0.01)  # fmt: skip
    else:
        rod = m.body("rod", mass=MASS, inertia=MASS * ROD**2 / 12, at=(CRANK + ROD / 2, 0.0))
    slider = m.body("slider", mass=MASS, inertia=1e-4, at=(CRANK + ROD, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0.0), radius=RADIUS, length="20 mm")
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0.0), axis=(1.0, 0.0))
    m.drive("main", speed=SPEED)
    return m


@case("slider-crank, 0.5 mm of play in the slider pin", revolutions=2)
def hertz(radial_clearance: Size = "0.5 mm", restitution: float = 0.95) -> gd.Mechanism:
    """Section 5.1, Figs 5 and 6: the same with play between rod and slider, Hertz contact with loss."""
    return ideal().refit(pin=_play(radial_clearance, restitution))


def _play(radial_clearance: Size, restitution: float) -> gd.Clearance:
    return gd.Clearance(radial_clearance, wall=gd.LankaraniNikravesh(STEEL, restitution=restitution))


@case("slider-crank with play, rod with two bending modes", revolutions=2)
def elastic(radial_clearance: Size = "0.5 mm", restitution: float = 0.95, basis: str = "modes2") -> gd.Mechanism:
    """Section 5.3, Figs 9 and 10: the joint of section 5.1 and an elastic connecting rod, which bends between its pins
    by the first two modes of a supported beam.

    basis "modes2": two sines; "fem2": the two beam elements of the article, which have four modes.
    """
    if basis not in BASES:
        raise gd.GudgeonError(f'basis "{basis}" is not known; choose from {", ".join(BASES)}')
    return ideal(*BASES[basis]).refit(pin=_play(radial_clearance, restitution))


@case("the same, the rod of two beam elements", revolutions=2)
def elastic_elements() -> gd.Mechanism:
    """Section 5.3 with the article's own basis: the elastic rod as two beam elements."""
    return elastic(basis="fem2")


@case("the same with rigid walls, impacts as events", revolutions=2, method="impact")
def impact(radial_clearance: Size = "0.5 mm", restitution: float = 0.95) -> gd.Mechanism:
    """Section 5.2, Figs 7 and 8: the joint of section 5.1, to be run with method="impact": hard walls, Newton's law."""
    return hertz(radial_clearance, restitution)


@case("slider-crank, 0.5 mm of play filled with oil", revolutions=3)
def film(radial_clearance: Size = "0.5 mm", viscosity: Size = VISCOSITY) -> gd.Mechanism:
    """Section 5.4, Figs 11 to 14: the same with a lubricated pin, by the impedances of Moes, Sikkes and Bosma."""
    return ideal().refit(pin=gd.Lubricated(radial_clearance, film=gd.Moes(viscosity), shear=False))


def bearing(ratios: Iterable[float], spin: float = SPIN) -> list[tuple[float, float]]:
    """Section 3.2, Fig 3: force [N] on a journal that turns with `spin` [rad/s] and is held at x/c, and the angle of
    that force from x [rad], for each ratio x/c. The film only sees the sweep -spin/2 x."""
    pin = film().joints["pin"]
    law: Any = pin.fit["pin"].film  # type: ignore[attr-defined]
    p, gap = list(law.pack(pin.pair("pin")).values()), pin.gap("pin")
    curve = []
    for ratio in ratios:
        radial, across = (f(ratio, 0.0, -0.5 * spin * ratio * gap, p) for f in (law.radial, law.tangential))
        curve.append((math.hypot(radial, across), math.atan2(across, radial)))
    return curve
