"""Rigid contacts at an instant: which take part, their impulses, and the jump of the velocities."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.assemble.contact.events import FRONT, NORMAL
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats, Matrix, Table
from gudgeon.methods.complementarity.sweeps import row_speed, solve
from gudgeon.methods.march import columns
from gudgeon.methods.march.memory import (
    March,
)

# what `pairs` holds of each contact behind W
RESTITUTION, COULOMB, OPENING, SLIPPING = range(4)  # more components of the slip come behind the first
# marks in place[c, 2]: takes no part in an impact, takes part, takes part and rests afterwards
APART, CLOSED, RESTS = -1, 0, 1
HALVINGS = 50  # of the interval in which the share of the restitution lies that leaves no energy behind
NOTHING = 1e-12  # of the energies of a blow: no gain, but rounding


@kernel
def of_pair(w: March, contact: int, what: int) -> float:
    return w.delassus[pair_place(w, contact) + what]


@kernel
def pair_place(w: March, contact: int) -> int:
    """Where in `pairs` the numbers of a contact begin."""
    rows = w.rows_per_contact * w.contacts
    return rows * rows + (OPENING + w.rows_per_contact) * contact


@kernel
def put_on(w: March, scale: float) -> int:
    """Impulses times `scale` into m, as forces or impulses from outside."""
    contacts, each = w.contacts, w.rows_per_contact
    for c in range(contacts):
        place = FRONT * contacts + (NORMAL + each) * c + NORMAL
        for k in range(each):
            w.m[place + k] = scale * w.impulse[each * c + k]
    return 0


@kernel
def set_impulses(w: March, c: int, value: float) -> int:
    """The same number for all impulses of a contact."""
    for r in range(w.rows_per_contact * c, w.rows_per_contact * (c + 1)):
        w.impulse[r] = value
    return 0


@kernel
def pair_up(t: float, state: Floats, w: March) -> int:
    """W and the row speeds at a state."""
    evaluate(w.delassus_at, t, state, w.p, w.m, w.delassus)
    return 0


@kernel
def row_speeds(w: March, found: Any) -> int:
    """The row speeds that `pairs` holds, one behind the other."""
    for c in range(w.contacts):
        for k in range(w.rows_per_contact):
            found[w.rows_per_contact * c + k] = of_pair(w, c, OPENING + k)
    return 0


# Impulses of a blow are taken as growing together, so that each does its work at the mean of the row speed before it
# (u) and after it (u + W s). Coulomb's law knows the slip behind the blow only. Where the blow has turned the slip
# round, or brought it to rest from the other side, the mean slip is along the impulse of friction s_T, which would give
# energy. It never does: what turned the slip round is the normal impulse, and the work of the two, one blow, is known.
# So the share of friction is max(-s_T·mean, 0), and the contact has the rest.
@kernel
def book_work(c: int, before: Floats, after: Floats, ledger: Floats, impulse: Floats, place: Table, each: int) -> int:
    """What the impulses of a contact take, into the ledger; with all row speeds before and after them."""
    lost, rubbed = 0.0, 0.0
    for r in range(each * c, each * (c + 1)):
        taken = -0.5 * impulse[r] * (before[r] + after[r])
        if r == each * c:
            lost = taken
        else:
            rubbed += taken
    if place[c, 0] >= 0:
        ledger[place[c, 0]] += lost + min(rubbed, 0.0)
    if place[c, 1] >= 0:
        ledger[place[c, 1]] += max(rubbed, 0.0)
    return 0


@kernel
def aim_at(pairs: Floats, aim: Floats, place: Table, each: int, share: float) -> int:
    """What the row speeds of all contacts would be without impulses, with a share of their restitution on top; those
    marked RESTS do not rebound."""
    rows = aim.shape[0]
    for c in range(rows // each):
        first = rows * rows + (OPENING + each) * c
        opening = pairs[first + OPENING]
        restitution = 0.0 if place[c, 2] == RESTS else share * pairs[first + RESTITUTION]
        aim[each * c] = opening + restitution * min(opening, 0.0)
        for k in range(1, each):
            aim[each * c + k] = pairs[first + OPENING + k]
    return 0


@kernel
def brought(share: float, pairs: Floats, impulse: Floats, aim: Floats, before: Floats, place: Table, dense: Matrix, each: int) -> float:
    """Impulses of the active contacts with a share of their restitution. Gives the energy that they bring, relative to
    the largest that a row has a part in; `before`: the row speeds without them. 1: none obey the laws."""
    rows, energy, largest = impulse.shape[0], 0.0, 1e-300
    aim_at(pairs, aim, place, each, share)
    if solve(pairs, impulse, aim, place, dense, rows // each, each) == 0 and share > 0.0:
        return 1.0
    aim_at(pairs, before, place, each, 0.0)
    for r in range(rows):
        after = row_speed(pairs, impulse, before, rows, r)
        energy += 0.5 * impulse[r] * (before[r] + after)
        largest = max(largest, abs(impulse[r] * before[r]), abs(impulse[r] * after))
    return energy / largest


# Newton's law asks for a speed, whatever it costs: where the normal impulse turns the slip round, friction helps it,
# and with a high restitution energy would appear (Kane and Levinson 1985). Without restitution none ever does: there
#   2 (T' - T) = s (u' + u) = 2 s u' - s W s,     u' = u + W s,     s u' <= 0
# So of the restitution as much is taken as leaves no energy behind; what no impulses obey counts as too much. With the
# aim a = u + e u the laws say u' = u - a + r, where the rest r = a + W s is zero for contacts that act.
@kernel
def hit(pairs: Floats, impulse: Floats, aim: Floats, before: Floats, place: Table, dense: Matrix, each: int) -> int:
    """Impulses of the active contacts by Newton's and Coulomb's laws, and without energy from nothing; `before`: the
    row speeds without them, `aim`: those behind them."""
    if brought(1.0, pairs, impulse, aim, before, place, dense, each) > NOTHING:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            share = 0.5 * (low + high)
            if brought(share, pairs, impulse, aim, before, place, dense, each) > NOTHING:
                high = share
            else:
                low = share
        brought(low, pairs, impulse, aim, before, place, dense, each)
    for r in range(impulse.shape[0]):
        rest = row_speed(pairs, impulse, aim, impulse.shape[0], r)
        if r % each == 0 and abs(rest) < NOTHING * abs(before[r]):
            rest = 0.0  # it is rounding
        aim[r] = before[r] - aim[r] + rest
    return 0


@kernel
def jump(t: float, state: Any, w: March) -> int:
    """Impulses into m, and the jump of the velocities by them."""
    put_on(w, 1.0)
    evaluate(w.velocity_jump_at, t, state, w.p, w.m, w.jump)
    return 0


@kernel
def push(t: float, state: Floats, w: March) -> int:
    """Impulses of the active contacts for what `aim` says, put into m, and the jump of the velocities by them; gives
    0 if no impulses obey the laws."""
    found = solve(w.delassus, w.impulse, w.target, w.place, w.dense, w.contacts, w.rows_per_contact)
    jump(t, state, w)
    return found


@kernel
def kick(t: float, state: Floats, w: March) -> int:
    """Impulses of the active contacts at this state, and their effect on its velocities and on the energy ledger.

    `pairs` must be those of the state. Contacts marked RESTS do not rebound. Gives the number of contacts with an
    impulse; `aim` then holds the row speeds after them.
    """
    contacts, each, struck = w.contacts, w.rows_per_contact, 0
    hit(w.delassus, w.impulse, w.target, w.kept, w.place, w.dense, each)
    jump(t, state, w)
    for i in range(w.velocities):
        state[w.positions + i] += w.jump[i]
    for c in range(contacts):
        struck += w.impulse[each * c] > 0.0
        book_work(c, w.kept, w.target, state, w.impulse, w.place, each)
    if w.place[contacts, 0] >= 0:
        state[w.place[contacts, 0]] += w.jump[w.jump.shape[0] - 1]
    return struck


@kernel
def note_impacts(w: March) -> int:
    """A row for each contact with an impulse, with the impulses in m; then they are taken out of m."""
    contacts, n, together, each = w.contacts, w.y.shape[0], 0, w.rows_per_contact
    rows = each * contacts
    for c in range(contacts):
        first = each * c
        if w.impulse[first] <= 0.0:
            continue
        together += 1
        row = w.events_recorded
        w.events[row, columns.TIME], w.events[row, columns.CONTACT], w.events[row, columns.KIND] = w.t, c, columns.IMPACT
        w.events[row, columns.RATE], w.events[row, columns.REBOUND] = -of_pair(w, c, OPENING), w.target[first]
        w.events[row, columns.IMPULSE], w.events[row, columns.RUB] = w.impulse[first], w.impulse[first + 1]
        if each > 2:
            square = 0.0
            for k in range(1, each):
                square += w.impulse[first + k] ** 2
            w.events[row, columns.RUB] = -math.sqrt(square)
        w.events[row, columns.MASS] = 1.0 / w.delassus[first * rows + first]
        for i in range(n):
            w.events[row, columns.HEADER + i] = w.y[i]
        for i in range(w.m.shape[0]):
            w.events[row, columns.HEADER + n + i] = w.m[i]
        w.events_recorded += 1
    w.impacts += together
    if together > 1:
        w.together += 1
    put_on(w, 0.0)
    return 0
