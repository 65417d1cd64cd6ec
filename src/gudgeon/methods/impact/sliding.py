"""Sliding and sticking of rigid contacts in space, where the slip is a vector s.

A contact that slides has the friction -mu N s / |s|. It comes to rest where |s| vanishes; there the direction is
singular, and with it the equations, and nothing changes its sign. Every step is therefore kept shorter than the time
that is left, |s| / -|s|', so that each takes away most of what remains, until |s| is at the level of rounding (STOP):
that is crossed as any other event is. Whether the contact then sticks is decided by the forces. If all contacts at rest
stick, with forces that the equations share evenly, and none exceeds its limit, they do; otherwise forces on the cone
(`cone`) tell which of them are at their limit.

A contact that breaks loose has no slip yet. It starts into the direction d of its acceleration, which the forces on the
cone know: u = W f + b = -f |u| / (mu N). To tell the equations, a small vector is added to the slip,

    s_eff = s + g,     g = d SEED x typical speed,    friction = -mu N s_eff / |s_eff|

of exact size, and of exact direction as long as s goes along d; what turns it meanwhile is felt with an error of |g| at
most. g is dropped when |s_eff| is FORGET times as large. Of several contacts that hold one body some may be at their
limit and yet held by the others: their friction stays where it is.

Across the slip friction is stiff, with the rate mu N W / |s|: steps are kept within what an explicit method bears.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.assemble.contact.events import DRAG, FRONT, MODE, NORMAL, STICK
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.complementarity.cone import cone
from gudgeon.methods.impact.collision import APART, COULOMB, OPENING, SLIPPING, of_pair
from gudgeon.methods.march.memory import FORCE, FRICTION, SLIP, SLIP_SECOND, March

STOP = 1e-11  # of the typical speed: slower slip is rest
MOMENT = 1e-12  # [s] and so is one that ends within this time
SEED = 1e-8  # of the typical speed: slip lent to a contact that starts
FORGET = 1e4  # times the slip lent: it is taken back
SHARE = 0.8  # of the time that is left to a stop
STIFF = 4.0  # rate times step that DOP853 bears
BELOW = 1e-7  # of the limit: forces that leave less are left to the cone
HELD = 1e-6  # of the acceleration by friction: what slips with less is held by others, or has just begun
INSTANT = 1e-9  # [s] accelerations are not felt within this time: what slips keeps its direction


@kernel
def behind(w: March, c: int) -> int:
    """Where in m the numbers of a contact begin that lie behind those of all contacts."""
    return FRONT * w.contacts + (NORMAL + w.rows_per_contact) * c


@kernel
def lent(w: March, c: int) -> int:
    """Where in m the vector lies that is added to the slip of a contact."""
    return behind(w, w.contacts) + (w.rows_per_contact - 1) * c


@kernel
def rest_speed(w: March, gap: Any, c: int) -> float:
    """Slower slip is rest [m/s]."""
    return STOP * w.speed + MOMENT * abs(gap[c, SLIP_SECOND])


@kernel
def lend(w: March, c: int, size: float) -> int:
    """Start a contact that has no slip against its force in `impulse`, by slip of a size; 0: take it back."""
    each, place, square = w.rows_per_contact, lent(w, c), 0.0
    for k in range(1, each):
        square += w.impulse[each * c + k] ** 2
    scale = size / math.sqrt(square) if square > 0.0 and size > 0.0 else 0.0
    for k in range(1, each):
        own = of_pair(w, c, OPENING + k) if size > 0.0 else 0.0
        w.m[place + k - 1] = -scale * w.impulse[each * c + k] - own
    return 0


@kernel
def mark_rest(w: March) -> int:
    """Into `kept`: the speed of each contact below which it is at rest, with what has been lent to it."""
    for c in range(w.contacts):
        square, place = 0.0, lent(w, c)
        for k in range(w.rows_per_contact - 1):
            square += w.m[place + k] ** 2
        w.kept[c] = 2.0 * (rest_speed(w, w.gap, c) + math.sqrt(square))
    return 0


@kernel
def slip_of(w: March, c: int) -> float:
    """Speed of a contact's slip, from `pairs` [m/s]."""
    square = 0.0
    for k in range(SLIPPING, OPENING + w.rows_per_contact):
        square += of_pair(w, c, k) ** 2
    return math.sqrt(square)


@kernel
def forces_on_cone(floor: float, w: March) -> int:
    """Forces of the contacts in question, from the accelerations without any; what slips keeps its direction."""
    contacts, each = w.contacts, w.rows_per_contact
    evaluate(w.row_accelerations_at, w.t, w.y, w.p, w.m, w.target)
    for c in range(contacts):
        first, moves = each * c, slip_of(w, c) > w.kept[c]
        w.target[first] = w.target[first] if abs(w.target[first]) > floor else 0.0
        for k in range(1, each):
            w.target[first + k] += of_pair(w, c, OPENING + k) / INSTANT if moves else 0.0
    return cone(w.delassus, w.impulse, w.target, w.place, contacts, each)


@kernel
def opens(w: March, c: int) -> bool:
    return w.place[c, 2] == APART or w.impulse[w.rows_per_contact * c] <= 0.0


@kernel
def hold(w: March, c: int) -> int:
    """A contact that lasts slides on or, if it is at rest, sticks from now on."""
    mu, place = of_pair(w, c, COULOMB), behind(w, c)
    if mu > 0.0:
        lend(w, c, 0.0)
        slides = slip_of(w, c) > w.kept[c]
        w.m[place + DRAG], w.m[place + STICK] = mu if slides else 0.0, 0.0 if slides else 1.0
    return 0


@kernel
def all_hold(w: March) -> bool:
    """Whether every contact that sticks can, by the forces in `gap`."""
    found = True
    for c in range(w.contacts):
        force, friction = w.gap[c, FORCE], w.gap[c, FRICTION]
        if w.m[behind(w, c) + STICK] > 0.0:
            found = found and abs(friction) < of_pair(w, c, COULOMB) * force * (1.0 - BELOW)
        elif w.m[FRONT * c + MODE] > 0.0:
            found = found and force > 0.0
    return found


@kernel
def break_loose(w: March, c: int) -> int:
    """A contact at its limit starts against the force that held it."""
    place = behind(w, c)
    w.m[place + STICK], w.m[place + DRAG] = 0.0, of_pair(w, c, COULOMB)
    lend(w, c, SEED * w.speed)
    return 0


@kernel
def start(w: March, c: int) -> int:
    """Let a contact at rest go if its force in `impulse` is at the limit."""
    each, mu, place, square = w.rows_per_contact, of_pair(w, c, COULOMB), behind(w, c), 0.0
    for k in range(1, each):
        square += w.impulse[each * c + k] ** 2
    if w.m[place + STICK] > 0.0 and math.sqrt(square) >= mu * w.impulse[each * c] * (1.0 - 1e-9):
        break_loose(w, c)
    return 0


@kernel
def pace(h: float, w: March) -> float:
    """A step [s] that neither passes a stop nor is unstable across the slip; takes back what need not be lent."""
    contacts, each = w.contacts, w.rows_per_contact
    rows = each * contacts
    for c in range(contacts):
        drag = w.m[behind(w, c) + DRAG]
        if w.m[FRONT * c + MODE] <= 0.0 or drag <= 0.0:
            continue
        speed, rate = w.gap[c, SLIP], w.gap[c, SLIP_SECOND]
        place, trace, square = lent(w, c), 0.0, 0.0
        for k in range(1, each):
            r = each * c + k
            trace, square = trace + w.delassus[r * rows + r], square + w.m[place + k - 1] ** 2
        if square > 0.0 and speed > FORGET * math.sqrt(square):
            for k in range(each - 1):
                w.m[place + k] = 0.0
        stiffness = drag * max(w.gap[c, FORCE], 0.0) * trace
        if rate < 0.0:
            h = min(h, -SHARE * speed / rate)
        if stiffness * h > STIFF * speed and abs(rate) > HELD * stiffness:
            h = STIFF * speed / stiffness
    return h
