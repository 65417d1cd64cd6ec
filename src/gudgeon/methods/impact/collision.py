"""A collision: impulses of all contacts that are closed at an instant, by Newton's and Coulomb's laws.

Contact c arrives with the opening speed u_c < 0 and should leave with -e_c u_c (Newton); friction obeys Coulomb's law
with the slip after the collision. Impulses s change the row speeds by W s. With the target speeds a = u + e min(u, 0)
of the openings, and a = u of the slips, this is the complementarity problem of methods/complementarity. All contacts of
a collision act at once.

`Collision` is the record of the problem. `impact` and `moreau` get W from the equations of motion (contacts.py),
implicit methods get it from the residual form; the laws, the bound on the energy and the energy ledger are those here.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers
from gudgeon.methods.complementarity.problem import RESTS, ImpulseProblem, row_speed
from gudgeon.methods.complementarity.solver import solve

HALVINGS = 50  # of the interval for the share of the restitution that brings no energy
NEGLIGIBLE = 1e-12  # of the energies of a collision: no gain, but rounding


class Collision(ImpulseProblem):
    """Hard contacts at an instant: their speeds before and after the impulses, and where the ledger books the work."""

    restitution: Floats  # of each contact
    row_speeds: Floats  # before the impulses
    speeds_after: Floats  # row speeds after them
    # places in y of the integrals of the energy ledger, -1 where there is none
    absorbed_at: Integers  # of each contact: what it absorbs
    rubbed_at: Integers  # of each contact: what friction takes
    drive_at: int  # work of drives

    @classmethod
    def of_size(cls, contacts: int, rows_per_contact: int, **fields: Any) -> Self:
        """A collision of this size; arrays that are not given are new, and nothing goes to the ledger."""
        rows = rows_per_contact * contacts
        ledger = {"absorbed_at": np.full(contacts, -1), "rubbed_at": np.full(contacts, -1), "drive_at": -1}
        sizes = {"restitution": contacts, "row_speeds": rows, "speeds_after": rows}
        new = {name: np.zeros(size) for name, size in sizes.items() if name not in fields}
        return super().of_size(contacts, rows_per_contact, **(ledger | new | fields))


def ledger_fields(system: Any) -> dict[str, Any]:
    """The fields of a collision that say where the ledger of a system books the work of its contacts."""
    absorbed, rubbed = system.ledger_places.T.copy()
    return {"absorbed_at": absorbed[:-1], "rubbed_at": rubbed[:-1], "drive_at": int(absorbed[-1])}


def impact_numbers(numbers: np.ndarray, contacts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Restitutions, coefficients of friction and row speeds, as parts of what a function of a system gives of its
    contacts (assemble/contact/rows.py)."""
    return numbers[:contacts], numbers[contacts : 2 * contacts], numbers[2 * contacts :]


@kernel
def set_targets(collision: Collision, share: float) -> int:
    """Target speeds with a share of the restitution; contacts that are to rest do not rebound."""
    speeds, target = collision.row_speeds, collision.target
    for c in range(collision.contacts):
        normal = collision.rows_per_contact * c
        restitution = 0.0 if collision.role[c] == RESTS else share * collision.restitution[c]
        target[normal] = speeds[normal] + restitution * min(speeds[normal], 0.0)
        for r in range(normal + 1, normal + collision.rows_per_contact):
            target[r] = speeds[r]
    return 0


@kernel
def energy_gain(collision: Collision, share: float) -> float:
    """Impulses with a share of the restitution. Gives the energy that they bring, relative to the largest that a row
    has a part in; 1: no impulses obey the laws."""
    before, impulse = collision.row_speeds, collision.impulse
    energy, largest = 0.0, 1e-300
    set_targets(collision, share)
    if solve(collision) == 0 and share > 0.0:
        return 1.0
    for r in range(impulse.shape[0]):
        after = row_speed(collision, before, r)
        energy += 0.5 * impulse[r] * (before[r] + after)
        largest = max(largest, abs(impulse[r] * before[r]), abs(impulse[r] * after))
    return energy / largest


# Newton's law asks for a speed, whatever it costs: where the normal impulse turns the slip round, friction helps it,
# and with a high restitution energy would appear (Kane and Levinson 1985). Without restitution none ever does: there
#   2 (T' - T) = s (u' + u) = 2 s u' - s W s,     u' = u + W s,     s u' <= 0
# So of the restitution as much is taken as brings no energy; what no impulses obey counts as too much. With the target
# a = u + e u the laws say u' = u - a + r, where the rest r = a + W s is zero for contacts that act.
@kernel
def solve_collision(collision: Collision) -> int:
    """Impulses by Newton's and Coulomb's laws that bring no energy, and the row speeds after them."""
    before, target, after = collision.row_speeds, collision.target, collision.speeds_after
    if energy_gain(collision, 1.0) > NEGLIGIBLE:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            share = 0.5 * (low + high)
            if energy_gain(collision, share) > NEGLIGIBLE:
                high = share
            else:
                low = share
        energy_gain(collision, low)
    for r in range(target.shape[0]):
        rest = row_speed(collision, target, r)
        if r % collision.rows_per_contact == 0 and abs(rest) < NEGLIGIBLE * abs(before[r]):
            rest = 0.0  # it is rounding
        after[r] = before[r] - target[r] + rest
    return 0


# Impulses of a collision are taken as growing together, so that each does its work at the mean of the row speed before
# it (u) and after it (u + W s). Coulomb's law knows the slip after the collision only. Where the collision has turned
# the slip round, or brought it to rest from the other side, the mean slip is along the impulse of friction s_T, which
# would give energy. It never does: what turned the slip round is the normal impulse, and the work of both together
# is known. So the share of friction is max(-s_T·mean, 0), and the contact has the rest.
@kernel
def book_work(collision: Collision, c: int, before: Floats, ledger: Floats) -> int:
    """What the impulses of a contact take, into the ledger; with all row speeds before them and `speeds_after`."""
    impulse, after, normal = collision.impulse, collision.speeds_after, collision.rows_per_contact * c
    lost, rubbed = -0.5 * impulse[normal] * (before[normal] + after[normal]), 0.0
    for r in range(normal + 1, normal + collision.rows_per_contact):
        rubbed -= 0.5 * impulse[r] * (before[r] + after[r])
    if collision.absorbed_at[c] >= 0:
        ledger[collision.absorbed_at[c]] += lost + min(rubbed, 0.0)
    if collision.rubbed_at[c] >= 0:
        ledger[collision.rubbed_at[c]] += max(rubbed, 0.0)
    return 0
