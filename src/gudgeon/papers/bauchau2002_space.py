"""Bauchau, Rodriguez 2002: modeling of joints with clearance in flexible multibody systems.

International Journal of Solids and Structures 39, 41-63; section 7.2, the crank-slider with a spatial clearance joint.

The mechanism of section 7.1 (`bauchau2002`, where its ambiguities are settled) in space: beams of 30 mm in the plane
and 10 mm across. At point A, between arm and slider, the inner race is two thin disks 15 mm apart on the arm, the outer one
a bore in the slider; the arm is free to shift along the bore's axis and to tilt in it. What the article leaves open:
  - Each disk has the stiffness 64 GN/m^1.5 of section 7.1, and so has the stop of the axial motion, +-0.25 mm.
  - The triangular pulse of 10 N over 0.3 s acts at point B, between crank and arm, out of the plane, from the start on.
  - The slider does not turn: its guide is ideal. Its inertia does not matter then.
  - The start is that of section 7.1, and so are the motor and its voltage.
"""

from __future__ import annotations

from typing import Any

import gudgeon as gd
from gudgeon.model import SpatialSection
from gudgeon.papers import bauchau2002 as plane

__all__ = ["A1", "A2", "A3", "crank_slider", "pulse"]

DISKS = 0.015  # apart [m]
SHIFT = 0.00025  # to either side [m]
PULSE, PULSE_TIME = 10.0, 0.3  # [N] and [s]
PUBLISHED = {"force A2 to A3": -0.40, "critical speed": 126.0}


def pulse(t: Any) -> Any:
    """The lateral force [N] at time t [s]: a triangle."""
    half = PULSE_TIME / 2
    up = 1.0 - gd.sqrt((t / half - 1.0) ** 2)
    return PULSE * 0.5 * (up + gd.sqrt(up**2))


def crank_slider(*, loose: bool = True, stops: bool = True, voltage: float | None = None, speed: float = plane.SPEED,
                 damping: float = plane.DAMPING, elements: int = 4, order: int = 3, width: float = 0.010,
                 height: float = 0.030, push: bool = True, stiffness: float = plane.STIFFNESS,
                 disks: int = 2) -> gd.Mechanism:  # fmt: skip
    """The mechanism of section 7.2, driven at `speed` [rad/s] or by the motor at a `voltage` [V].

    loose: disks in a bore at point A, else an ideal revolute joint; `stops` of the axial motion; push: the pulse at
    point B; width [m] of the section out of the plane and height in it; stiffness [N/m^1.5] of each contact.
    """
    m = gd.Mechanism("spatial crank-slider of Bauchau 2002", planar=False)
    end, tip, axis = plane.CRANK + plane.ARM, speed * plane.CRANK, (0.0, 0.0, 1.0)
    more: dict[str, Any] = {
        "section": SpatialSection.rectangle(width, height, plane.STEEL), "damping": damping, "elements": elements,
        "order": order, "up": (0.0, 1.0, 0.0), "velocity": (0.0, tip / 2, 0.0),
    }  # fmt: skip
    crank = m.beam("crank", a=(0.0, 0.0, 0.0), b=(plane.CRANK, 0.0, 0.0), spin=(0.0, 0.0, speed), **more)
    arm = m.beam("arm", a=(plane.CRANK, 0.0, 0.0), b=(end, 0.0, 0.0), spin=(0.0, 0.0, -tip / plane.ARM), **more)
    slider = m.body("slider", mass=plane.SLIDER, inertia=(1.0, 1.0, 1.0), at=(end, 0.0, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=axis)
    m.revolute("elbow", journal=crank, bearing=arm, at=(plane.CRANK, 0.0, 0.0), axis=axis)
    if loose:
        # strips share a law evenly
        fit = gd.Clearance(plane.PLAY, wall=gd.Hertz(stiffness=disks * stiffness))
        m.cylindrical("pin", journal=arm, bearing=slider, at=(end, 0.0, 0.0), axis=axis, radius=plane.RADIUS,
                      length=2.0 * DISKS, journal_length=DISKS, short=True, strips=disks, fit=fit)  # fmt: skip
        if stops:
            m.stop("pin", lower=-SHIFT, upper=SHIFT, wall=gd.Hertz(stiffness=stiffness), direction="translation")
    else:
        m.revolute("pin", journal=arm, bearing=slider, at=(end, 0.0, 0.0), axis=axis)
    m.translational("guide", journal=slider, bearing=m.ground, at=(end, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    if voltage is None:
        m.drive("main", speed=speed)
    else:
        m.motor("main", voltage=voltage, **plane.MOTOR)
    if push:
        m.force(arm, (0.0, 0.0, pulse), at=(plane.CRANK, 0.0, 0.0), name="pulse")
    return m


def A1() -> gd.Mechanism:
    """Case A1 of section 7.2: crank at 150 rpm, no clearance, pushed out of the plane."""
    return crank_slider(loose=False)


def A2() -> gd.Mechanism:
    """Case A2 of section 7.2: two disks in a bore at point A, with stops along its axis."""
    return crank_slider()


def A3(voltage: float = 225.0) -> gd.Mechanism:
    """Case A3 of section 7.2: as A2, driven by a motor."""
    return crank_slider(voltage=voltage)
