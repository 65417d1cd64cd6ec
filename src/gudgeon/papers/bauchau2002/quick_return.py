"""Section 7.3 of Bauchau, Rodriguez 2002: the quick-return mechanism.

A crank is pinned at R and carries a collar that slides along a flexible arm, which swings about B. A link joins the
end of the arm, point N, with a shuttle that moves horizontally. A direct-current motor turns the crank. Results are
those of the third revolution.

The figure that shows the geometry is not in the text of the article. Assumed here, each an option of `quick_return`:
  - B is the origin, R lies 0.4 m above it, and the shuttle moves along a line 1.0 m above B.
  - The start has crank and arm upright and the link level; rigid links at 150 rpm, undeformed, no current.
  - Point N joins arm and link.
  - The motor of Table 1 has 231 V, with which it turns at the 150 rpm of the article; with 225 V it is slower.
  - Inertias per length are in kg m, as for the arm; the crank's is printed in g m^2.
  - The stiffness of the contact is 64 GN/m^1.5, as in section 7.1.
Elements are those of the article, 24 cubic ones of the arm and 2 of crank and link. The moment at the quarter of the
arm needs them: the collar passes close by, and its force bends the arm inside an element; 8 give 3 % more there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.model import Section
from gudgeon.papers.bauchau2002.parts import DAMPING, MOTOR, PLAY, RADIUS, SPEED, clearance, motored

__all__ = [
    "CHANNELS", "PRINTED", "peaks", "quick_return", "quick_return_1", "quick_return_1b", "quick_return_2",
    "quick_return_3",
]  # fmt: skip

ARM, LINK, CRANK, DISTANCE = 1.0, 0.25, 0.20, 0.4  # lengths, and distance from B to R [m]
SHUTTLE, COLLAR, COLLAR_INERTIA = 2.5, 0.31, 0.27e-3  # masses [kg] and inertia [kg m^2]
FLEXIBLE, STIFF = 50e3, 5.0e6  # bending stiffness of the arm [N m^2], and of crank, link and the arm of case 1
VOLTAGE = 231.0  # [V]
CHANNELS = ("motor.torque", "motor.mechanical_power", "motor.travel", "shuttle.vx", "arm.25.moment", "arm.75.moment",
            "N.force", "B.force")  # fmt: skip

# relative changes of peaks from case 1 that section 7.3 prints
PRINTED = {"speed 3": 0.04, "moment 3": 0.34, "power 2": 0.33, "power 3": 0.66}


def section(bending: float, inertia: float) -> Section:
    """A section of this mechanism by its bending stiffness [N m^2] and inertia per length [kg m]."""
    return Section(EA=168e6, GA=54e6, EI=bending, mass=6.16, inertia=inertia)


def quick_return(*, arm_bending: float = FLEXIBLE, loose: tuple[str, ...] = (), voltage: float = VOLTAGE,
                 height: float = 1.0, elements: int = 24, others: int = 2,
                 damping: float = DAMPING) -> gd.Mechanism:  # fmt: skip
    """The mechanism with play in the joints `loose`, of "N" and "B".

    arm_bending: its stiffness [N m^2]; height of the shuttle's line above B [m]; elements of the arm and of each of the
    others. At the start the link points to +x, where the crank turns from +x to +y.
    """
    m = gd.Mechanism("quick return of Bauchau 2002")
    pin = (0.0, DISTANCE + CRANK)
    tip, turn = SPEED * CRANK, SPEED * CRANK / pin[1]
    lean = math.asin((height - ARM) / LINK)  # of the link
    end = (LINK * math.cos(lean), height)
    swing = -turn * ARM  # speed of N along x
    stiff = section(STIFF, 0.82e-3)
    crank = m.beam("crank", a=(0.0, DISTANCE), b=pin, section=stiff, damping=damping, elements=others,
                   velocity=(-tip / 2, 0.0), spin=SPEED)  # fmt: skip
    arm = m.beam("arm", a=(0.0, 0.0), b=(0.0, ARM), section=section(arm_bending, 2.1e-3), damping=damping,
                 elements=elements, velocity=(swing / 2, 0.0), spin=turn)  # fmt: skip
    link = m.beam("link", a=(0.0, ARM), b=end, section=stiff, damping=damping, elements=others, velocity=(swing, 0.0))
    collar = m.body("collar", mass=COLLAR, inertia=COLLAR_INERTIA, at=pin, angle=math.pi / 2, velocity=(-tip, 0.0),
                    spin=turn)  # fmt: skip
    shuttle = m.body("shuttle", mass=SHUTTLE, inertia=1.0, at=end, velocity=(swing, 0.0))
    sizes: dict[str, Any] = {"radius": RADIUS}
    m.revolute("motor", journal=crank, bearing=m.ground, at=(0.0, DISTANCE))
    m.revolute("B", journal=arm, bearing=m.ground, at=(0.0, 0.0), **sizes)
    m.revolute("pin", journal=collar, bearing=crank, at=pin)
    m.collar("slide", journal=collar, bearing=arm, at=pin)
    m.revolute("N", journal=arm, bearing=link, at=(0.0, ARM), **sizes)
    m.revolute("end", journal=link, bearing=shuttle, at=end)
    m.translational("guide", journal=shuttle, bearing=m.ground, at=end, axis=(1.0, 0.0))
    m.motor("motor", voltage=voltage, **MOTOR)
    fit = gd.Clearance(PLAY, wall=clearance().wall)
    return m.refit(**dict.fromkeys(loose, fit)) if loose else m


def peaks(run: gd.Run, revolution: int = 3) -> dict[str, float]:
    """Largest magnitudes of the channels in one revolution of the crank, counted from 1, and its mean speed [rpm]."""
    turn = run["motor.travel"]
    begin, end = (float(np.interp(2.0 * math.pi * k, turn, run.t)) for k in (revolution - 1, revolution))
    extremes = run.extremes.within(begin, end)
    largest = {name: abs(extremes.largest(name).value) for name in CHANNELS if name != "motor.travel"}
    return {**largest, "rpm": 60.0 / (end - begin)}


def last_revolution(run: gd.Run) -> dict[str, str]:
    """The largest magnitudes of the third revolution in words, nothing for a shorter run."""
    if not all(name in run for name in CHANNELS) or run["motor.travel"][-1] < 6.0 * math.pi:
        return {}
    words = [f"{name} {value:.6g}" for name, value in peaks(run).items()]
    return {"rev 3": "largest magnitudes: " + ", ".join(words)}


@motored("quick return on a motor, stiff arm, ideal joints", results=last_revolution)
def quick_return_1() -> gd.Mechanism:
    """Section 7.3, case 1: quick return with a stiff arm, ideal joints."""
    return quick_return(arm_bending=STIFF)


@motored("quick return on a motor, flexible arm", results=last_revolution)
def quick_return_1b() -> gd.Mechanism:
    """Section 7.3 between its cases 1 and 2: the flexible arm, ideal joints."""
    return quick_return()


@motored("on a motor with 0.5 mm of play at N", results=last_revolution)
def quick_return_2() -> gd.Mechanism:
    """Section 7.3, case 2: quick return with 0.5 mm of clearance at N."""
    return quick_return(loose=("N",))


@motored("on a motor with 0.5 mm of play at N and B", results=last_revolution)
def quick_return_3() -> gd.Mechanism:
    """Section 7.3, case 3: quick return with 0.5 mm of clearance at N and B."""
    return quick_return(loose=("N", "B"))
