"""Section 7.1 of Bauchau, Rodriguez 2002: the crank-slider in the plane."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.laws import PinkusSternlicht
from gudgeon.model import Section
from gudgeon.papers.bauchau2002.parts import (
    DAMPING,
    MOTOR,
    PLAY,
    RADIUS,
    SPEED,
    STIFFNESS,
    clearance,
    driven,
    motored,
)
from gudgeon.results.extremes import HIGH, LOW

__all__ = [
    "A1", "A2", "A3", "A4", "A5", "B1", "B2", "B3", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "CHANNELS",
    "PUBLISHED", "crank_slider", "last_revolution", "peaks",
]  # fmt: skip

STEEL = gd.Material("steel of Bauchau 2002", 190e9, 0.33, 7850.0)
CRANK, ARM = 0.25, 0.75  # lengths [m]
SLIDER = 40.0  # mass [kg]
VISCOSITY, BEARING = 0.4, 0.015  # of the lubricant [Pa s] and length of the bearing [m]
CHANNELS = ("main.torque", "pin.force", "arm.50.moment")

# relative changes that section 7.1 prints: peaks of the torque, then of the contact force
PUBLISHED = {
    "torque A1 to A2": 0.35, "torque A1 to A3": 0.35, "torque A1 to A4": -0.33, "torque A4 to A5": 0.22,
    "force A2 to A5": -0.38, "torque B1 to B2": 0.77, "torque B1 to B3": 1.90,
    "force C5 to C6": 1.00, "force C5 to C7": 1.90,
}  # fmt: skip


def crank_slider(*, fit: Any = None, voltage: float | None = None, damping: float = DAMPING, stiffer: float = 1.0,
                 elements: int = 4, order: int = 3, width: float = 0.010, height: float = 0.030,
                 loose: str = "arm-slider", speed: float = SPEED) -> gd.Mechanism:  # fmt: skip
    """The mechanism with `fit` at point A, driven at `speed` [rad/s] or by the motor at a `voltage` [V].

    damping of strain rates [s]; every stiffness times `stiffer`; width [m] of the section out of the plane and height
    in it; `loose` names point A, "arm-slider" or "crank-arm".
    """
    m = gd.Mechanism("crank-slider of Bauchau 2002")
    section = Section.rectangle(width, height, STEEL).scaled(stiffer)
    tip = speed * CRANK
    more: dict[str, Any] = {"section": section, "damping": damping, "elements": elements, "order": order}
    crank = m.beam("crank", a=(0.0, 0.0), b=(CRANK, 0.0), velocity=(0.0, tip / 2), spin=speed, **more)
    arm = m.beam("arm", a=(CRANK, 0.0), b=(CRANK + ARM, 0.0), velocity=(0.0, tip / 2), spin=-tip / ARM, **more)
    slider = m.body("slider", mass=SLIDER, inertia=1.0, at=(CRANK + ARM, 0.0))
    sizes: dict[str, Any] = {"radius": RADIUS, "length": BEARING}
    m.revolute("main", journal=crank, bearing=m.ground, at=(0.0, 0.0))
    m.revolute("elbow", journal=crank, bearing=arm, at=(CRANK, 0.0), **sizes)
    m.revolute("pin", journal=arm, bearing=slider, at=(CRANK + ARM, 0.0), **sizes)
    m.translational("guide", journal=slider, bearing=m.ground, at=(CRANK + ARM, 0.0), axis=(1.0, 0.0))
    if voltage is None:
        m.drive("main", speed=speed)
    else:
        m.motor("main", voltage=voltage, **MOTOR)
    if fit is None:
        return m
    return m.refit(**{{"arm-slider": "pin", "crank-arm": "elbow"}[loose]: fit})


def peaks(run: gd.Run, revolution: int = 3) -> dict[str, tuple[float, float]]:
    """Largest and smallest torque [N m], force at point A [N] and moment in the middle of the arm [N m] in one
    revolution of the crank in a run, counted from 1."""
    turn = run["main.travel"] if "main.travel" in run else run.t * SPEED
    begin, end = (float(np.interp(2.0 * math.pi * k, turn, run.t)) for k in (revolution - 1, revolution))
    extremes = run.extremes.within(begin, end)
    return {name: (extremes.extreme(name, HIGH).value, extremes.extreme(name, LOW).value) for name in CHANNELS}


def last_revolution(run: gd.Run) -> dict[str, str]:
    """The extremes of the third revolution in words, nothing for a shorter run."""
    turns = (run["main.travel"] if "main.travel" in run else run.t * SPEED) / (2.0 * math.pi)
    if not all(name in run for name in CHANNELS) or turns[-1] < 3.0 - 1e-9:
        return {}
    words = [f"{name} {low:.6g} to {high:.6g}" for name, (high, low) in peaks(run).items()]
    return {"rev 3": ", ".join(words)}


@driven("flexible crank-slider, 150 rpm, ideal joints", results=last_revolution)
def A1() -> gd.Mechanism:
    """Case A1: crank at 150 rpm, no clearance."""
    return crank_slider()


@driven("the same with 0.5 mm of play, dry", results=last_revolution)
def A2() -> gd.Mechanism:
    """Case A2: 0.5 mm of clearance between arm and slider, dry."""
    return crank_slider(fit=clearance())


@driven("the same with 0.5 mm of play in oil", results=last_revolution)
def A3(film_end: float = 1e-3) -> gd.Mechanism:
    """Case A3: the clearance filled with oil, whose film is nowhere thinner than `film_end` of the clearance."""
    oil = PinkusSternlicht(VISCOSITY)
    wall = gd.Hertz(stiffness=STIFFNESS)
    fit = gd.Lubricated(PLAY, film=oil, wall=wall, minimum_film=2.0 * film_end * PLAY, shear=False)
    return crank_slider(fit=fit)


@motored("flexible crank-slider on a motor, ideal joints", results=last_revolution)
def A4(voltage: float = 225.0) -> gd.Mechanism:
    """Case A4: no clearance, driven by a motor."""
    return crank_slider(voltage=voltage)


@motored("on a motor with 0.5 mm of play, dry", results=last_revolution)
def A5(voltage: float = 225.0) -> gd.Mechanism:
    """Case A5: dry clearance, driven by a motor."""
    return crank_slider(fit=clearance(), voltage=voltage)


@driven("as A2", results=last_revolution)
def B1() -> gd.Mechanism:
    """Case B1: the same as A2."""
    return A2()


@driven("as A2, ten times as stiff", results=last_revolution)
def B2() -> gd.Mechanism:
    """Case B2: as A2, ten times as stiff."""
    return crank_slider(fit=clearance(), stiffer=10.0)


@driven("as A2, fifty times as stiff", results=last_revolution)
def B3() -> gd.Mechanism:
    """Case B3: as A2, fifty times as stiff."""
    return crank_slider(fit=clearance(), stiffer=50.0)


@driven("as A1, damping 1e-3 s", results=last_revolution)
def C1() -> gd.Mechanism:
    """Case C1: as A1 with damping of 1e-3 s."""
    return crank_slider(damping=1e-3)


@driven("as A1, damping 1e-4 s", results=last_revolution)
def C2() -> gd.Mechanism:
    """Case C2: the same as A1, damping of 1e-4 s."""
    return A1()


@driven("as A1, damping 1e-5 s", results=last_revolution)
def C3() -> gd.Mechanism:
    """Case C3: as A1 with damping of 1e-5 s."""
    return crank_slider(damping=1e-5)


@driven("as A1, no damping", results=last_revolution)
def C4() -> gd.Mechanism:
    """Case C4: as A1 without damping."""
    return crank_slider(damping=0.0)


@driven("as A2, damping 1e-3 s", results=last_revolution)
def C5() -> gd.Mechanism:
    """Case C5: as A2 with damping of 1e-3 s."""
    return crank_slider(fit=clearance(), damping=1e-3)


@driven("as A2, damping 1e-4 s", results=last_revolution)
def C6() -> gd.Mechanism:
    """Case C6: the same as A2, damping of 1e-4 s."""
    return A2()


@driven("as A2, damping 1e-5 s", results=last_revolution)
def C7() -> gd.Mechanism:
    """Case C7: as A2 with damping of 1e-5 s."""
    return crank_slider(fit=clearance(), damping=1e-5)


@driven("as A2, no damping", results=last_revolution)
def C8() -> gd.Mechanism:
    """Case C8: as A2 without damping."""
    return crank_slider(fit=clearance(), damping=0.0)
