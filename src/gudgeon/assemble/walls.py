"""Hard walls by multipliers, for the equations left unsolved: one-sided constraints instead of laws.

The unilateral condition of rigid races, opening >= 0, λ >= 0 and λ times opening = 0 (Bauchau and Rodriguez 2002,
Eq 18, have it with a slack variable, opening = r²), has two branches. Which one holds is the contact's mode, changed at
located events only, so that every step is smooth:

    held   opening = 0, a row like those of joints, until its multiplier λ would pull
    open   λ = 0, until the opening is zero; then an impact with the wall's restitution, after which it is held where it
           would leave too slowly (methods.wall_impacts)

While it is held, friction acts by its law with λ as the normal force. Impacts are without friction.

Memory (mode, x) of a contact: x = -1 where it is held, so that -mode x masks its row. Events are found as those of
other contacts, by a depth that becomes negative: of a held one that is λ, in the unit of a length.
"""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.contacts import Contact
from gudgeon.assemble.trace import Trace
from gudgeon.graph import Scalar
from gudgeon.quantity import GudgeonError

SOFTNESS = 1e-12  # [m/N] by which the multiplier of a held contact counts as a depth
MARGIN = 1e-12  # [m] an open contact counts as touching from this depth on: one that just opened must not touch again


def hard_contacts(trace: Trace) -> list[Contact]:
    """The contacts of a trace that have no laws."""
    return [c for c in trace.contacts.list if c.index is not None] if trace.contacts.rigid else []


class Walls:
    """The hard walls of a trace: rows, masks and multipliers; the contacts learn their forces."""

    def __init__(self, trace: Trace, multipliers: list[Scalar]) -> None:
        self.trace, self.multipliers, self.contacts = trace, multipliers, hard_contacts(trace)
        graph = trace.graph
        self.masks: list[Scalar] = []
        self.openings = [-c.depth for c in self.contacts]
        for contact, multiplier in zip(self.contacts, multipliers, strict=True):
            mode, held = graph.inputs("m", 2, 2 * (contact.index or 0))
            mask = -(mode * held)
            self.masks.append(mask)
            contact.normal = mask * multiplier
            contact.absorbed = contact.normal * contact.rate
            row = trace.equations.gradient(contact.depth)
            contact.forces.append({k: -contact.normal * x for k, x in row.items()})
            if contact.friction_law is not None:
                self._rub(contact)

    def _rub(self, contact: Contact) -> None:
        """Friction by its law, with the multiplier as the normal force."""
        law = contact.friction_law
        if law.states:
            raise GudgeonError(
                f'joint "{contact.joint}": {type(law).__name__} has a state, which hard walls by multipliers do not '
                "know; choose SmoothCoulomb, ModifiedCoulomb or Stribeck, or a method with contact laws"
            )
        self.trace.contacts.rub(contact, law, contact.friction_block, (contact.normal,))

    @property
    def rubbing(self) -> list[int]:
        """Places of those with friction."""
        return [k for k, contact in enumerate(self.contacts) if contact.friction_law is not None]

    def gaps(self) -> list[Scalar]:
        """What tells onset and release."""
        found: list[Scalar] = []
        for contact, mask in zip(self.contacts, self.masks, strict=True):
            depth = (1.0 - mask) * (contact.depth - MARGIN) + SOFTNESS * contact.normal
            found += [depth, (1.0 - mask) * contact.rate, contact.normal]
        return found

    def numbers(self) -> np.ndarray:
        """Restitution of each, the place in y of what it absorbs, room for a mark; then the place of the work of
        drives, -1 where there are none, whether there is friction, and room for a multiplier of each."""
        names, first = list(self.trace.states.integrals), self.trace.states.controlled
        order = [self.trace.contacts.list.index(c) for c in self.contacts]
        places = [first + names.index(f"absorbed.{k}") for k in order]
        bounces = []
        for contact in self.contacts:
            if contact.law.newton_restitution is None:
                raise GudgeonError(
                    f'joint "{contact.joint}": {type(contact.law).__name__} has no restitution, and a hard wall needs '
                    "one; choose a wall with restitution=..., such as ExactRestitution"
                )
            bounces.append(contact.law.newton_restitution)
        drive = first + names.index("drive") if "drive" in names else -1
        room = [0.0] * len(places)
        return np.array([*bounces, *places, *room, drive, float(bool(self.rubbing)), *room], dtype=float)
