"""What the mechanisms of Bauchau and Rodriguez 2002 have in common: motor, joints with play, damping."""

from __future__ import annotations

import math

import gudgeon as gd

__all__ = ["DAMPING", "MOTOR", "PLAY", "RADIUS", "SPEED", "STIFFNESS", "clearance"]

SPEED = 150.0 * math.pi / 30.0  # of the crank [rad/s]
DAMPING = 1e-4  # of strain rates [s]
RADIUS, PLAY = 0.010, 0.0005  # of the bearing and in it [m]
STIFFNESS = 64e9  # of the contact [N/m^1.5]
MOTOR = {"resistance": 0.15, "inductance": 100e-6, "torque_constant": 17.80, "back_emf": 14.70}


def clearance(stiffness: float = STIFFNESS) -> gd.Clearance:
    """A dry joint with play; stiffness of the contact [N/m^1.5]."""
    return gd.Clearance(PLAY, wall=gd.Hertz(stiffness=stiffness))
