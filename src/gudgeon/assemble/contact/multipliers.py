"""Hard walls by multipliers, for the equations left unsolved: one-sided constraints instead of laws.

The unilateral condition of rigid races, opening >= 0, λ >= 0 and λ times opening = 0 (Bauchau and Rodriguez 2002,
Eq 18, have it with a slack variable, opening = r²), has two branches. Which one holds is the contact's mode, changed at
located events only, so that every step is smooth:

    held   opening = 0, a row like those of joints, until its multiplier λ would pull
    open   λ = 0, until the opening is zero; then an impact with the wall's restitution, after which it is held where it
           would leave too slowly (methods.implicit.walls)

While it is held, friction acts by its law with λ as the normal force; a law's state advances while the contact is
held, and begins anew with each contact. Impacts have Coulomb's law, as those of `impact` (methods.collision): function
"blows" gives the rows that impulses act along, those of openings and slips, and the numbers of assemble.contact_rows.

Memory (mode, x) of a contact: x = -1 where it is held, so that -mode x masks its row. Events are found as those of
other contacts, by a depth that becomes negative: of a held one that is λ, in the unit of a length.
"""

from __future__ import annotations

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.rows import ContactRows, slips_of
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar

SOFTNESS = 1e-12  # [m/N] by which the multiplier of a held contact counts as a depth
MARGIN = 1e-12  # [m] an open contact counts as touching from this depth on: one that just opened must not touch again


def hard_contacts(trace: Trace) -> list[Contact]:
    """The contacts of a trace that have no laws."""
    return [c for c in trace.contacts.list if c.index is not None] if trace.contacts.rigid else []


def bristles(trace: Trace) -> int:
    """How many internal states the friction of hard walls adds."""
    rubbing = [c for c in hard_contacts(trace) if c.friction_law is not None]
    return sum(c.friction_law.states * len(slips_of(c)) for c in rubbing)


class Walls:
    """The hard walls of a trace: rows, masks and multipliers; the contacts learn their forces."""

    def __init__(self, trace: Trace, place: int) -> None:
        """`place` in y of the first multiplier."""
        self.trace, self.contacts, graph = trace, hard_contacts(trace), trace.graph
        self.multipliers = graph.inputs("y", len(self.contacts), place)
        self.masks: list[Scalar] = []
        self.openings = [-c.depth for c in self.contacts]
        self._rows = ContactRows(trace, self.contacts)
        for contact, multiplier in zip(self.contacts, self.multipliers, strict=True):
            mode, held = graph.inputs("m", 2, 2 * (contact.index or 0))
            mask = -(mode * held)
            self.masks.append(mask)
            contact.normal = mask * multiplier
            contact.absorbed = contact.normal * contact.rate
            row = trace.equations.gradient(contact.depth)
            contact.forces.append({k: -contact.normal * x for k, x in row.items()})
            if contact.friction_law is not None:
                trace.contacts.rub(contact, contact.friction_law, contact.friction_block, (mask, contact.normal))

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

    def blows(self) -> list[Scalar]:
        """What impacts need: the entries of all rows, see `places`, then the numbers of assemble.contact_rows."""
        return [*(x for row in self._rows.rows for x in row.values()), *self._rows.numbers()]

    @property
    def places(self) -> list[list[int]]:
        """The velocities that each row of `blows` has entries for."""
        return [list(row) for row in self._rows.rows]
