"""Rigid contacts at an instant: which take part, their impulses, and the jump of the velocities."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.assemble.contact.events import FRONT, NORMAL
from gudgeon.compile.native.kernel import FLOAT, INT, MATRIX, TABLE, VECTOR, evaluate, inlined, kernel
from gudgeon.methods.complementarity.sweeps import row_speed, solve
from gudgeon.methods.march.memory import (
    CONTACTS,
    E_CONTACT,
    E_IMPULSE,
    E_KIND,
    E_MASS,
    E_RATE,
    E_REBOUND,
    E_RUB,
    E_SIZE,
    E_TIME,
    EACH,
    EVENTS,
    IMPACT,
    IMPACTS,
    KICK,
    PAIRS,
    POSITIONS,
    TOGETHER,
    VELOCITIES,
    WORK,
    T,
)  # fmt: skip

# what `pairs` holds of each contact behind W
RESTITUTION, COULOMB, OPENING, SLIPPING = range(4)  # more components of the slip come behind the first
# marks in place[c, 2]: takes no part in an impact, takes part, takes part and rests afterwards
APART, CLOSED, RESTS = -1, 0, 1
HALVINGS = 50  # of the interval in which the share of the restitution lies that leaves no energy behind
NOTHING = 1e-12  # of the energies of a blow: no gain, but rounding


@inlined
def of_pair(w: Any, contact: int, what: int) -> float:
    return w.pairs[pair_place(w, contact) + what]


@inlined
def pair_place(w: Any, contact: int) -> int:
    """Where in `pairs` the numbers of a contact begin."""
    rows = w.count[EACH] * w.count[CONTACTS]
    return rows * rows + (OPENING + w.count[EACH]) * contact


@inlined
def put_on(w: Any, scale: float) -> int:
    """Impulses times `scale` into m, as forces or impulses from outside."""
    contacts, each = w.count[CONTACTS], w.count[EACH]
    for c in range(contacts):
        place = FRONT * contacts + (NORMAL + each) * c + NORMAL
        for k in range(each):
            w.m[place + k] = scale * w.impulse[each * c + k]
    return 0


@inlined
def set_impulses(w: Any, c: int, value: float) -> int:
    """The same number for all impulses of a contact."""
    for r in range(w.count[EACH] * c, w.count[EACH] * (c + 1)):
        w.impulse[r] = value
    return 0


@kernel(INT(FLOAT, VECTOR, WORK))
def pair_up(t: float, state: Any, w: Any) -> int:
    """W and the row speeds at a state."""
    evaluate(w.address[PAIRS], t, state, w.p, w.m, w.pairs)
    return 0


@inlined
def row_speeds(w: Any, found: Any) -> int:
    """The row speeds that `pairs` holds, one behind the other."""
    for c in range(w.count[CONTACTS]):
        for k in range(w.count[EACH]):
            found[w.count[EACH] * c + k] = of_pair(w, c, OPENING + k)
    return 0


# Impulses of a blow are taken as growing together, so that each does its work at the mean of the row speed before it
# (u) and after it (u + W s). Coulomb's law knows the slip behind the blow only. Where the blow has turned the slip
# round, or brought it to rest from the other side, the mean slip is along the impulse of friction s_T, which would give
# energy. It never does: what turned the slip round is the normal impulse, and the work of the two, one blow, is known.
# So the share of friction is max(-s_T·mean, 0), and the contact has the rest.
@kernel(INT(INT, VECTOR, VECTOR, VECTOR, VECTOR, TABLE, INT))
def book_work(c: int, before: Any, after: Any, ledger: Any, impulse: Any, place: Any, each: int) -> int:
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


@kernel(INT(VECTOR, VECTOR, TABLE, INT, FLOAT))
def aim_at(pairs: Any, aim: Any, place: Any, each: int, share: float) -> int:
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


@kernel(FLOAT(FLOAT, VECTOR, VECTOR, VECTOR, VECTOR, TABLE, MATRIX, INT))
def brought(share: float, pairs: Any, impulse: Any, aim: Any, before: Any, place: Any, dense: Any, each: int) -> float:
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
@kernel(INT(VECTOR, VECTOR, VECTOR, VECTOR, TABLE, MATRIX, INT))
def hit(pairs: Any, impulse: Any, aim: Any, before: Any, place: Any, dense: Any, each: int) -> int:
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


@inlined
def jump(t: float, state: Any, w: Any) -> int:
    """Impulses into m, and the jump of the velocities by them."""
    put_on(w, 1.0)
    evaluate(w.address[KICK], t, state, w.p, w.m, w.jump)
    return 0


@kernel(INT(FLOAT, VECTOR, WORK))
def push(t: float, state: Any, w: Any) -> int:
    """Impulses of the active contacts for what `aim` says, put into m, and the jump of the velocities by them; gives
    0 if no impulses obey the laws."""
    found = solve(w.pairs, w.impulse, w.aim, w.place, w.dense, w.count[CONTACTS], w.count[EACH])
    jump(t, state, w)
    return found


@kernel(INT(FLOAT, VECTOR, WORK))
def kick(t: float, state: Any, w: Any) -> int:
    """Impulses of the active contacts at this state, and their effect on its velocities and on the energy ledger.

    `pairs` must be those of the state. Contacts marked RESTS do not rebound. Gives the number of contacts with an
    impulse; `aim` then holds the row speeds after them.
    """
    contacts, each, struck = w.count[CONTACTS], w.count[EACH], 0
    hit(w.pairs, w.impulse, w.aim, w.kept, w.place, w.dense, each)
    jump(t, state, w)
    for i in range(w.count[VELOCITIES]):
        state[w.count[POSITIONS] + i] += w.jump[i]
    for c in range(contacts):
        struck += w.impulse[each * c] > 0.0
        book_work(c, w.kept, w.aim, state, w.impulse, w.place, each)
    if w.place[contacts, 0] >= 0:
        state[w.place[contacts, 0]] += w.jump[w.jump.shape[0] - 1]
    return struck


@kernel(INT(WORK))
def note_impacts(w: Any) -> int:
    """A row for each contact with an impulse, with the impulses in m; then they are taken out of m."""
    contacts, n, together, each = w.count[CONTACTS], w.y.shape[0], 0, w.count[EACH]
    rows = each * contacts
    for c in range(contacts):
        first = each * c
        if w.impulse[first] <= 0.0:
            continue
        together += 1
        row = w.count[EVENTS]
        w.events[row, E_TIME], w.events[row, E_CONTACT], w.events[row, E_KIND] = w.clock[T], c, IMPACT
        w.events[row, E_RATE], w.events[row, E_REBOUND] = -of_pair(w, c, OPENING), w.aim[first]
        w.events[row, E_IMPULSE], w.events[row, E_RUB] = w.impulse[first], w.impulse[first + 1]
        if each > 2:
            square = 0.0
            for k in range(1, each):
                square += w.impulse[first + k] ** 2
            w.events[row, E_RUB] = -math.sqrt(square)
        w.events[row, E_MASS] = 1.0 / w.pairs[first * rows + first]
        for i in range(n):
            w.events[row, E_SIZE + i] = w.y[i]
        for i in range(w.m.shape[0]):
            w.events[row, E_SIZE + n + i] = w.m[i]
        w.count[EVENTS] += 1
    w.count[IMPACTS] += together
    if together > 1:
        w.count[TOGETHER] += 1
    put_on(w, 0.0)
    return 0
