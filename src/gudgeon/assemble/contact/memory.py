"""The memory m of contacts: what a march keeps of each beside the states, and at which place.

Every contact has a pair of numbers, its mode and a latch:

    mode    1 while it touches, or is held at a hard wall; 0 while it is free
    latch   under a force law the speed of first touch; at hard walls with multipliers -1 where it is held
            (contact/multipliers.py); with time stepping what the contact did lately (methods/stepping)

Hard contacts with events (contact/events.py) have more behind the pairs of all contacts, see HardContactMemory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PER_CONTACT = 2
MODE, LATCH = range(PER_CONTACT)


def modes(m: np.ndarray, contacts: int) -> np.ndarray:
    """The modes of all contacts, as a part of m."""
    return m[MODE : PER_CONTACT * contacts : PER_CONTACT]


def latches(m: np.ndarray, contacts: int) -> np.ndarray:
    """The latches of all contacts, as a part of m."""
    return m[LATCH : PER_CONTACT * contacts : PER_CONTACT]


def touching(m: np.ndarray, contacts: int) -> list[int]:
    """The contacts that touch, or last at a hard wall."""
    return [int(c) for c in np.flatnonzero(modes(m, contacts) > 0.0)]


class HardContactMemory(NamedTuple):
    """Places in m of what hard contacts have behind their modes, for all contacts one after the other."""

    stick: range  # 1 where the contact sticks
    drag: range  # coefficient of friction where it slides; a slip of one component gives it its sign
    applied: range  # forces or impulses put on from outside, one along each row
    slip_seed: range  # where the slip is a vector: one that is added to it (methods/impact/vector_friction.py)

    @property
    def size(self) -> int:
        """Numbers of m in all."""
        return self.slip_seed.stop


def hard_contact_memory(contacts: int, rows_per_contact: int) -> HardContactMemory:
    """The places for so many contacts with so many rows each: the opening and the components of the slip."""
    seeds = rows_per_contact - 1 if rows_per_contact > 2 else 0
    stops, stop = [], PER_CONTACT * contacts
    for size in (1, 1, rows_per_contact, seeds):
        stops.append(range(stop, stop := stop + size * contacts))
    return HardContactMemory(*stops)
