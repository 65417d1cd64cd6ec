"""What the mechanisms of Bauchau and Rodriguez 2002 have in common: motor, joints with play, damping."""

from __future__ import annotations

import math
from functools import partial

import gudgeon as gd
from gudgeon.papers.case import case

__all__ = ["DAMPING", "MOTOR", "PLAY", "RADIUS", "SPEED", "STIFFNESS", "clearance", "driven", "motored"]

SPEED = 150.0 * math.pi / 30.0  # of the crank [rad/s]
DAMPING = 1e-4  # of strain rates [s]
RADIUS, PLAY = 0.010, 0.0005  # of the bearing and in it [m]
STIFFNESS = 64e9  # of the contact [N/m^1.5]
MOTOR = {"resistance": 0.15, "inductance": 100e-6, "torque_constant": 17.80, "back_emf": 14.70}

# built-in cases of three revolutions; with a motor they take 1.23 s
driven = partial(case, revolutions=3, method="alpha", output=2e-5)
motored = partial(case, duration=1.25, method="alpha", output=2e-5)


def clearance(stiffness: float = STIFFNESS) -> gd.Clearance:
    """A dry joint with play; stiffness of the contact [N/m^1.5]."""
    return gd.Clearance(PLAY, wall=gd.Hertz(stiffness=stiffness))
