"""Mechanisms of Flores, Leine, Glocker 2010."""

from __future__ import annotations

from typing import Any, TypeAlias

import gudgeon as gd
from gudgeon.papers.case import case

__all__ = ["slider_crank"]

Size: TypeAlias = Any  # a number in SI, or a text such as "1 mm"

CRANK, ROD = 0.153, 0.306  # lengths [m]
LENGTH, HEIGHT = 0.100, 0.050  # of the slider [m]
SPEEDS = (150.0, -75.0, 0.0)  # of crank, rod and slider at the start [rad/s]


@case("free slider-crank, 1 mm of play in the guide", duration=0.1)
def slider_crank(radial_clearance: Size = "1 mm", *, stiffness: float = 1e10, restitution: float = 0.4,
                 friction: float = 0.01, wall: gd.ContactLaw | None = None) -> gd.Mechanism:  # fmt: skip
    """The mechanism with loose `guide`; stiffness of each corner [N/m^1.5], or a whole law as `wall`."""
    m = gd.Mechanism("slider-crank of Flores 2010", gravity=(0.0, -9.81), start="given")
    one, two, three = SPEEDS
    tip, end = one * CRANK, one * CRANK + two * ROD
    crank = m.body("crank", mass=0.038, inertia=7.4e-5, at=(CRANK / 2, 0.0),
                   velocity=(0.0, tip / 2), spin=one)  # fmt: skip
    rod = m.body("rod", mass=0.038, inertia=5.9e-4, at=(CRANK + ROD / 2, 0.0),
                 velocity=(0.0, (tip + end) / 2), spin=two)  # fmt: skip
    slider = m.body("slider", mass=0.076, inertia=2.7e-6, at=(CRANK + ROD, 0.0),
                    velocity=(0.0, end), spin=three)  # fmt: skip
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("big", journal=crank, bearing=rod, at=(CRANK, 0.0))
    m.revolute("pin", journal=rod, bearing=slider, at=(CRANK + ROD, 0.0))
    law = wall or gd.ExactRestitution(restitution=restitution, stiffness=stiffness)
    rubbing = gd.ModifiedCoulomb(friction) if friction else None
    fit = gd.Clearance(radial_clearance, wall=law, friction=rubbing)
    width = HEIGHT + 2.0 * (fit.radial_clearance or 0.0)
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ROD, 0.0), axis=(1.0, 0.0),
                    length=LENGTH, width=width, fit=fit)  # fmt: skip
    return m
