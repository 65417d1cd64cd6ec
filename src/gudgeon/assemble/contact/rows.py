"""Contacts at rigid walls as rows: of each its opening, then the components of its slip, and what impacts ask of it.

Impulses act along the rows: an impulse along the opening parts the bodies, one along a component of the slip speeds it
up. All contacts of a mechanism have as many rows as the one with most; rows that a contact does not have are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.assemble.contact.contacts import Contact, slips_of, touch_gradient
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar


def rows_per_contact(contacts: Sequence[Contact]) -> int:
    """Rows of every contact: its opening and as many components as the slip of any with friction has."""
    rubbing = [c for c in contacts if c.index is not None and c.friction_law is not None]
    return 1 + max((len(slips_of(c)) for c in rubbing), default=1)


class ContactRows:
    """Rows by the velocities and row speeds of contacts, those of one contact behind those of the last."""

    def __init__(self, trace: Trace, contacts: Sequence[Contact]) -> None:
        self.trace, self.contacts, self.rows_per_contact = trace, contacts, rows_per_contact(contacts)
        eq, zero = trace.equations, trace.graph.zero
        # the rate of what a search has found counts in second derivatives
        eq.follow([c.touch.held for c in contacts if c.touch is not None and c.touch.held is not None])
        self.rows: list[Row] = []
        self.speeds: list[Scalar] = []
        for contact in contacts:
            assert contact.touch is not None
            gradient = {k: x * contact.touch.along for k, x in touch_gradient(eq, contact.touch).items()}
            self.rows.append({k: -x for k, x in gradient.items()})
            self.speeds.append(-contact.rate)
            rubs = contact.friction_law is not None
            slips = slips_of(contact) if rubs else (contact.slip,)
            for slip in (*slips, *[zero] * (self.rows_per_contact - 1 - len(slips))):
                self.rows.append(eq.velocity_gradient(slip) if rubs else {})
                self.speeds.append(slip)
        self._coefficients = {name: self.trace.parameters.number(name, value)
                              for name, value in newton_numbers(contacts).items()}  # fmt: skip

    def numbers(self) -> list[Scalar]:
        """Restitutions of all contacts, then their coefficients of friction, then all row speeds."""
        given = [self._of(contact) for contact in self.contacts]
        return [*(restitution for restitution, _ in given), *(friction for _, friction in given), *self.speeds]

    def _of(self, contact: Contact) -> tuple[Scalar, Scalar]:
        """Restitution and friction of a contact as parameters."""
        restitution, coefficient = _names(contact)
        return self._coefficients[restitution], self._coefficients[coefficient]


def newton_numbers(contacts: Sequence[Contact]) -> dict[str, float]:
    """Restitutions and coefficients of friction by name, one pair for all touches of a joint."""
    numbers: dict[str, float] = {}
    for contact in contacts:
        coulomb = contact.friction_law.coulomb if contact.friction_law else 0.0
        for name, value in zip(_names(contact), (contact.law.newton_restitution, coulomb), strict=True):
            numbers.setdefault(name, value)
    return numbers


def _names(contact: Contact) -> tuple[str, str]:
    of = f"{contact.joint}.{contact.kind}.newton"
    return f"{of}.restitution", f"{of}.coefficient"
