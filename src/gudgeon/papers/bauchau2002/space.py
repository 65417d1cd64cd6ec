"""Section 7.2 of Bauchau, Rodriguez 2002: the crank-slider with a spatial clearance joint.

The mechanism of section 7.1 in space: beams of 30 mm in the plane and 10 mm across. At point A, between arm and slider,
the inner race is two thin disks 15 mm apart on the arm, the outer one a bore in the slider; the arm is free to shift
along the bore's axis and to tilt in it. The article leaves open, and here it is assumed:
  - Each disk has the stiffness 64 GN/m^1.5 of section 7.1, and so has the stop of the axial motion, +-0.25 mm.
  - The triangular pulse of 10 N over 0.3 s acts at point B, between crank and arm, out of the plane, from the start on.
  - The slider does not turn: its guide is ideal. Its inertia does not matter then.
  - The start is that of section 7.1, and so are the motor and its voltage.
"""

from __future__ import annotations

from typing import Any

import gudgeon as gd
from gudgeon.model import Formula, SpatialSection
from gudgeon.papers.bauchau2002 import cases as plane
from gudgeon.papers.bauchau2002 import parts
from gudgeon.papers.bauchau2002.parts import driven, motored

__all__ = ["crank_slider", "pulse", "spatial_A1", "spatial_A2", "spatial_A3"]

DISKS = 0.015  # apart [m]
SHIFT = 0.00025  # to either side [m]
PULSE, PULSE_TIME = 10.0, 0.3  # [N] and [s]
RACE = 1e-4  # mass [kg] of what slides along the bore of an ideal joint: 10 g would cost 0.2 rpm of the critical speed
PUBLISHED = {"force A2 to A3": -0.40, "critical speed": 126.0}


def pulse() -> Formula:
    """The lateral force [N] as a function of time: a triangle, (x + |x|)/2 of x = 1 - |2 t/T - 1|."""
    x = f"(1 - sqrt((t/{PULSE_TIME / 2} - 1)**2))"
    return Formula(f"{PULSE / 2}*({x} + sqrt({x}**2))")


def crank_slider(*, tip: str = "disks", stops: bool = True, voltage: float | None = None, speed: float = parts.SPEED,
                 damping: float = parts.DAMPING, elements: int = 4, order: int = 3, width: float = 0.010,
                 height: float = 0.030, stiffness: float = parts.STIFFNESS, pushed: bool = True
                 ) -> gd.Mechanism:  # fmt: skip
    """The mechanism of section 7.2, driven at `speed` [rad/s] or by the motor at a `voltage` [V].

    tip: what joins arm and slider, "disks" in a bore, an ideal revolute joint "fixed" out of the plane, or an ideal one
    that leaves shift and tilt "free"; `stops` of the axial motion; width [m] of the section out of the plane and height
    in it; stiffness [N/m^1.5] of each contact; `pushed` out of the plane by the pulse, or not.
    """
    m = gd.Mechanism("spatial crank-slider of Bauchau 2002", planar=False)
    end, pace, axis = plane.CRANK + plane.ARM, speed * plane.CRANK, (0.0, 0.0, 1.0)
    more: dict[str, Any] = {
        "section": SpatialSection.rectangle(width, height, plane.STEEL), "damping": damping, "elements": elements,
        "order": order, "up": (0.0, 1.0, 0.0), "velocity": (0.0, pace / 2, 0.0),
    }  # fmt: skip
    crank = m.beam("crank", a=(0.0, 0.0, 0.0), b=(plane.CRANK, 0.0, 0.0), spin=(0.0, 0.0, speed), **more)
    arm = m.beam("arm", a=(plane.CRANK, 0.0, 0.0), b=(end, 0.0, 0.0), spin=(0.0, 0.0, -pace / plane.ARM), **more)
    slider = m.body("slider", mass=plane.SLIDER, inertia=(1.0, 1.0, 1.0), at=(end, 0.0, 0.0))
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0, 0.0), axis=axis)
    m.revolute("elbow", journal=crank, bearing=arm, at=(plane.CRANK, 0.0, 0.0), axis=axis)
    _join(m, tip, arm, slider, (end, 0.0, 0.0), stiffness, stops)
    m.translational("guide", journal=slider, bearing=m.ground, at=(end, 0.0, 0.0), axis=(1.0, 0.0, 0.0))
    if voltage is None:
        m.drive("main", speed=speed)
    else:
        m.motor("main", voltage=voltage, **parts.MOTOR)
    if pushed:
        m.force(arm, (0.0, 0.0, pulse()), at=(plane.CRANK, 0.0, 0.0), name="pulse")
    return m


def _join(m: gd.Mechanism, tip: str, arm: Any, slider: Any, at: Any, stiffness: float, stops: bool) -> None:
    """Point A."""
    axis = (0.0, 0.0, 1.0)
    if tip == "disks":
        # strips share a law evenly
        fit = gd.Clearance(parts.PLAY, wall=gd.Hertz(stiffness=2.0 * stiffness))
        m.cylindrical("pin", journal=arm, bearing=slider, at=at, axis=axis, radius=parts.RADIUS, length=2.0 * DISKS,
                      journal_length=DISKS, short=True, strips=2, fit=fit)  # fmt: skip
        if stops:
            m.stop("pin", lower=-SHIFT, upper=SHIFT, wall=gd.Hertz(stiffness=stiffness), direction="translation")
    elif tip == "fixed":
        m.revolute("pin", journal=arm, bearing=slider, at=at, axis=axis)
    else:
        race = m.body("race", mass=RACE, inertia=(1e-5, 1e-5, 1e-5), at=at)
        m.spherical("pin", journal=arm, bearing=race, at=at)
        m.translational("bore", journal=race, bearing=slider, at=at, axis=axis)


@driven("flexible crank-slider in space, pushed aside", rtol=1e-6)
def spatial_A1() -> gd.Mechanism:
    """Case A1 of section 7.2: crank at 150 rpm, no clearance, pushed out of the plane."""
    return crank_slider(tip="fixed")


@driven("the same, two disks in a bore, stops", rtol=1e-6)
def spatial_A2() -> gd.Mechanism:
    """Case A2 of section 7.2: two disks in a bore at point A, with stops along its axis."""
    return crank_slider()


@motored("the same on a motor", rtol=1e-6)
def spatial_A3(voltage: float = 225.0) -> gd.Mechanism:
    """Case A3 of section 7.2: as A2, driven by a motor."""
    return crank_slider(voltage=voltage)
