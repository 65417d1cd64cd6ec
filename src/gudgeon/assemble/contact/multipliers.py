"""Hard walls by multipliers, for the equations in residual form: one-sided constraints instead of laws.

The unilateral condition of rigid races, opening >= 0, λ >= 0 and λ times opening = 0 (Bauchau and Rodriguez 2002,
Eq 18, have it with a slack variable, opening = r²), has two branches. Which one holds is the contact's mode, changed at
located events only, so that every step is smooth:

    held   opening = 0, a row like those of joints, until its multiplier λ would pull
    open   λ = 0, until the opening is zero; then an impact with the wall's restitution, after which it is held where it
           would leave too slowly (methods.implicit.walls)

While it is held, friction acts by its law with λ as the normal force; a law's state advances while the contact is
held, and begins anew with each contact. Impacts have Coulomb's law (methods/impact/collision.py): function
"impact_rows" gives the rows that impulses act along, those of openings and slips, and the numbers of contact/rows.py.

Memory (mode, x) of a contact: x = -1 where it is held, so that -mode x masks its row. Events are found as those of
other contacts, by a depth that becomes negative: of a held one that is λ, in the unit of a length.
"""

from __future__ import annotations

from dataclasses import replace

from gudgeon.assemble.contact.contacts import Contact, ContactBuilder
from gudgeon.assemble.contact.rows import ContactRows
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar

SOFTNESS = 1e-12  # [m/N] by which the multiplier of a held contact counts as a depth
MARGIN = 1e-12  # [m] an open contact counts as touching from this depth on: one that just opened must not touch again


def hard_contacts(trace: Trace) -> list[Contact]:
    """The contacts of a trace that have no laws."""
    return [c for c in trace.contacts if c.index is not None] if trace.contact == "multiplier" else []


class MultiplierWalls:
    """The hard walls of a trace: rows, masks and multipliers, and the trace with contacts that know their forces."""

    def __init__(self, trace: Trace, bristles: dict[str, list[int]], multipliers: list[int]) -> None:
        """Places in y: `bristles` of the states of friction laws by contact, `multipliers` of those of all hard
        walls."""
        graph, self.contacts = trace.graph, hard_contacts(trace)
        self.multipliers = trace.states.symbols(multipliers)
        self.masks: list[Scalar] = []
        self.openings = [-c.depth for c in self.contacts]
        self._rows = ContactRows(trace, self.contacts)
        builder = ContactBuilder(trace.equations, trace.parameters, trace.states)
        for k, (contact, multiplier) in enumerate(zip(self.contacts, self.multipliers, strict=True)):
            mode, held = graph.inputs("m", 2, 2 * (contact.index or 0))
            mask = -(mode * held)
            self.masks.append(mask)
            normal = mask * multiplier
            absorbed = normal * contact.rate
            row = trace.equations.gradient(contact.depth)
            own = {k: -normal * x for k, x in row.items()}
            loaded = replace(contact, normal=normal, absorbed=absorbed, forces=(own,))
            if contact.friction_law is not None:
                loaded = builder.rub(loaded, contact.friction_law, contact.friction_block, (mask, normal),
                                     bristles[contact.name])  # fmt: skip
            self.contacts[k] = loaded
        self.trace = trace.with_contacts(self.contacts)

    @property
    def rubbing(self) -> list[int]:
        """Places of those with friction."""
        return [k for k, contact in enumerate(self.contacts) if contact.friction_law is not None]

    def gaps(self) -> list[Scalar]:
        """What tells onset and release."""
        rows: list[Scalar] = []
        for contact, mask in zip(self.contacts, self.masks, strict=True):
            depth = (1.0 - mask) * (contact.depth - MARGIN) + SOFTNESS * contact.normal
            rows += [depth, (1.0 - mask) * contact.rate, contact.normal]
        return rows

    def impact_rows(self) -> list[Scalar]:
        """What impacts need: the entries of all rows, see `places`, then the numbers of assemble.contact.rows."""
        return [*(x for row in self._rows.rows for x in row.values()), *self._rows.numbers()]

    @property
    def places(self) -> list[list[int]]:
        """The velocities that each row of `impact_rows` has entries for."""
        return [list(row) for row in self._rows.rows]
