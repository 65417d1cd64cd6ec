"""The record of Moreau's method."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gudgeon.compile.native.record import Floats, Record
from gudgeon.methods.impact.contacts import HardContacts


class MoreauMemory(Record):
    """What a step of Moreau's method works with."""

    hard: HardContacts
    rotates_in_space: int  # 1: bodies have Euler parameters
    struck: int  # contacts with an impulse in the last step
    # flight: where it starts from, which is in the middle of a step the state after the impulses; slopes
    origin: Floats
    stage_slope: Floats
    middle_slope: Floats  # after the impulses
    free_velocities: Floats  # at the end of a step without contacts
    # along all rows
    middle_speeds: Floats  # in the middle, before the impulses
    step_impulse: Floats  # of the step
    # of each contact
    load_speed: Floats  # closing speed that the loads of a step give
    rebound: Floats  # e u_old: what restitution adds to the target speed, 0 or negative
    opening_after: Floats  # opening speed at the end of the step by its impulses
    opening_middle: Floats  # opening speed after the impulses where they act

    @classmethod
    def of_system(cls, system: Any, m: np.ndarray) -> Self:
        """The record for a march of a system with the memory m."""
        states, contacts, rows = system.states, system.events, system.rows_each * system.events
        sizes = {
            "origin": states, "stage_slope": states, "middle_slope": states, "free_velocities": system.velocities,
            "middle_speeds": rows, "step_impulse": rows, "load_speed": contacts, "rebound": contacts,
            "opening_after": contacts, "opening_middle": contacts,
        }  # fmt: skip
        return cls(
            hard=HardContacts.of_system(system, m), rotates_in_space=int(system.positions != system.velocities),
            **{name: np.zeros(size) for name, size in sizes.items()},
        )  # fmt: skip
