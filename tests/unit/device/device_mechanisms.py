"""Mechanisms of every kind that the device room computes, each with a time within which it can be predicted [s]."""

from dataclasses import dataclass
from typing import ClassVar

import gudgeon as gd
from gudgeon.papers import flores2006, flores2007, schwab2002


@dataclass(frozen=True)
class Cushion(gd.ContactLaw):
    """A law as a user would write it: helpers, a loop and a branch."""

    reference: ClassVar[str] = "this test"
    validity: ClassVar[str] = "none"

    stiffness: float
    damping: float

    @staticmethod
    def force(depth, rate, rate0, p):
        total = 0.0
        for k in range(1, 4):
            total += p[0] * depth**k / k
        return squeezed(total, 1.0 + p[1] * rate if rate > 0.0 else 1.0)


def squeezed(force, factor):
    return force * factor


def stop(wall):
    m = gd.Mechanism("pendulum", gravity=(0.0, -9.81))
    arm = m.body("arm", mass=2.0, inertia=0.01, at=(0.2, 0))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.stop("pivot", lower="-90 deg", wall=wall)
    return m


def film():
    m = gd.Mechanism("journal bearing", start="given")
    shaft = m.body("shaft", mass=1.0, inertia=1e-4, at=(0, 0), spin=100.0)
    fit = gd.Lubricated(20e-6, film=gd.Ocvirk(0.02))
    m.revolute("bore", journal=shaft, bearing=m.ground, at=(0, 0), radius=0.010, length=0.010, fit=fit)
    m.drive("bore", speed=100.0)
    m.force(shaft, (0.0, -50.0))
    return m


MECHANISMS = {
    "clearance": (lambda: schwab2002.hertz(), 4e-3),
    "friction": (lambda: flores2007.four_bar("0.2 mm", friction=0.1), 4e-3),
    "spatial": (lambda: flores2006.four_bar(5e-4, socket=True), 0.02),
    "bushing": (lambda: schwab2002.hertz().refit(pin=gd.Bushing(gd.LinearLiner(stiffness=2e7, damping=500.0))), 6e-3),
    "film": (film, 2e-4),
    "stop": (lambda: stop(gd.KelvinVoigt(stiffness=5e4, damping=20.0)), 0.4),
    "own law": (lambda: stop(Cushion(stiffness=5e4, damping=0.2)), 0.4),
}
