"""What states count in the distance of two motions: one rule for runs one by one and for many trajectories at once.

Every state is turned into a length: angles by the size of the mechanism, Euler parameters by twice that, speeds by the
time 1/omega of the period. Bristles of friction are lengths, every component of them. Time-like states (angles of
drives given by their speed, turns of joints), currents and integrals do not count.
"""

from __future__ import annotations

from typing import Any

from gudgeon.assemble import System

__all__ = ["length_units", "lengths"]


def length_units(system: System) -> list[str]:
    """The unit by which each state under error control becomes a length; empty where it does not count."""
    units = [*system.units, *[""] * (system.controlled - len(system.units))]
    for contact in system.contacts:
        if contact.state is not None:
            units[contact.state : contact.state + contact.states] = ["m"] * contact.states
    return units


def lengths(size: Any, time: Any) -> dict[str, Any]:
    """What one of each unit is as a length [m], from the size [m] and the time [s]; numbers, or arrays of them."""
    return {"m": 1.0, "rad": size, "1": 2.0 * size, "m/s": time, "rad/s": size * time, "": 0.0}
