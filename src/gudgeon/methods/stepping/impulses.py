"""Impulses of a step of Moreau's method: those of its contacts in the middle, and those that take them out of walls.

A step is flight to the middle, impulses there, flight to the end. Impulses are pairs at the places where the contacts
are, so that momenta change by nothing, and their work is the mean of the speeds before and after them.
"""

from __future__ import annotations

import math
from typing import Any

from gudgeon.assemble.contact.events import FRONT
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.complementarity.sweeps import row_speed
from gudgeon.methods.impact.collision import (
    APART,
    COULOMB,
    OPENING,
    RESTITUTION,
    book_work,
    of_pair,
    pair_place,
    pair_up,
    push,
    put_on,
    row_speeds,
)
from gudgeon.methods.march.events import close_to_zero
from gudgeon.methods.march.loop import AT_REST
from gudgeon.methods.march.memory import DEPTH, FORCE, RATE, SECOND, March
from gudgeon.methods.stepping.flight import BEHIND, FROM, START, TURNS, drift, land

# what a contact did lately, in m beside its mode, which stays 0: here impulses do what modes do elsewhere; from the
# last impulse on it counts down to FREE, by whole numbers from a bounce, by halves from a contact that lasted
DID = 1
FREE, LIFTED, BOUNCED, LASTS = 0.0, 3.5, 4.0, 5.0
STRUCK, COORDINATES = TURNS + 1, TURNS + 2  # places in `control`: impulses in this step, coordinates in y
OPENS = FORCE  # place in `gap_within` here: opening speed in the middle, after impulses
# `slope` and `crest` of the record are here the closing speed by the loads of a step, and e u_old


@kernel
def pair_up_with(t: float, velocities: Any, w: March) -> int:
    """W and the row speeds in the middle, with the velocities of another state."""
    for i in range(w.positions, w.positions + w.velocities):
        w.out[i] = velocities[i]
    pair_up(t, w.out, w)
    return 0


@kernel
def take_aim(t: float, h: float, w: March) -> int:
    """The row speeds without impulses plus e u_old; `pairs` is left with the speeds of the old velocities, `kept` with
    those of the middle."""
    each = w.rows_per_contact
    pair_up(t, w.out, w)
    row_speeds(w, w.kept)
    pair_up_with(t, w.new, w)
    row_speeds(w, w.target)
    pair_up_with(t, w.y, w)
    for c in range(w.contacts):
        old, second = of_pair(w, c, OPENING), w.gap_within[c, SECOND]
        if old < 0.0:
            # speed at the wall itself, before or after the middle of the step: u² + a (h u - 2 depth)
            late = -h * old - 2.0 * w.gap_within[c, DEPTH]
            old = -math.sqrt(max(old * old + second * late, 0.0))
            w.delassus[pair_place(w, c) + OPENING] = old
        given, loads = of_pair(w, c, RESTITUTION) * old, h * second
        if w.m[FRONT * c + DID] > FREE or abs(old) <= AT_REST or (old < 0.0 and -2.0 * given < loads):
            given = 0.0
        w.slope[c], w.crest[c] = loads, given
        w.target[each * c] += given
    return 0


@kernel
def go_half(h: float, w: March) -> int:
    """The middle of the step into `out` and into row FROM; `new` keeps the velocities of the whole flight."""
    n, nq, nv = w.y.shape[0], w.positions, w.velocities
    for i in range(nv):
        w.k[BEHIND, i] = w.new[nq + i]
    # the flight has left y in row FROM
    drift(w.rhs_at, w.t, 0.5 * h, w.out, w.new, w.p, w.m, w.k, START, w)
    for i in range(n):
        w.k[FROM, i] = w.out[i]
    for i in range(nv):
        w.new[nq + i] = w.k[BEHIND, i]
    return 0


@kernel
def go_on(h: float, w: March) -> int:
    """From row FROM, where the velocities have jumped by `jump`, to the end of the step, without contacts."""
    nq, t = w.positions, w.t + 0.5 * h
    for i in range(w.velocities):
        w.k[FROM, nq + i] += w.jump[i]
    for i in range(w.y.shape[0]):
        w.out[i] = w.k[FROM, i]
    put_on(w, 0.0)
    land(w.rhs_at, t, w.out, w.p, w.m, w.k, BEHIND, w)
    drift(w.rhs_at, t, 0.5 * h, w.new, w.out, w.p, w.m, w.k, BEHIND, w)
    return 0


@kernel
def book_drives(w: March) -> int:
    """What drives and other moving rows do in a jump in the middle."""
    if w.place[w.contacts, 0] >= 0:
        w.k[FROM, w.place[w.contacts, 0]] += w.jump[w.jump.shape[0] - 1]
    return 0


@kernel
def book(w: March) -> int:
    """The work of the impulses in the middle, where `kept` are the row speeds before them."""
    contacts, each = w.contacts, w.rows_per_contact
    for r in range(each * contacts):
        w.target[r] = row_speed(w.delassus, w.impulse, w.kept, each * contacts, r)
    for c in range(contacts):
        w.gap_within[c, OPENS] = w.target[each * c]
        book_work(c, w.kept, w.target, w.k[FROM], w.impulse, w.place, each)
    book_drives(w)
    return 0


@kernel
def strike(h: float, w: March) -> int:
    """Impulses of the chosen contacts, and the step with them in `new`; gives the number of contacts with one.

    Then m holds the mean forces, `kept` the impulses, and the place of the rate in `gap_within` the opening speed after
    them.
    """
    t, each, hit = w.t + 0.5 * h, w.rows_per_contact, 0
    go_half(h, w)
    take_aim(t, h, w)
    if push(t, w.out, w) == 0:
        # friction that jams may not let all contacts rebound; that none does is always possible
        for c in range(w.contacts):
            w.target[each * c] -= w.crest[c]
            w.crest[c] = 0.0
        push(t, w.out, w)
    for c in range(w.contacts):
        hit += w.impulse[each * c] > 0.0
        after = row_speed(w.delassus, w.impulse, w.target, each * w.contacts, each * c) - w.crest[c]
        w.gap_within[c, RATE] = after
    book(w)
    go_on(h, w)
    for r in range(w.impulse.shape[0]):
        w.kept[r] = w.impulse[r]
    put_on(w, 1.0 / h)
    return hit


@kernel
def put_back(h: float, w: March) -> int:
    """The impulses once more at the end of the step, with the other sign, and their work."""
    t, nq, contacts, each = w.t + h, w.positions, w.contacts, w.rows_per_contact
    evaluate(w.gaps_at, t, w.new, w.p, w.m, w.gap_new)
    put_on(w, -1.0)
    evaluate(w.velocity_jump_at, t, w.new, w.p, w.m, w.jump)
    for i in range(w.velocities):
        w.new[nq + i] += w.jump[i]
    for c in range(contacts):
        w.gap_within[c, OPENS] = -w.gap_new[c, RATE]
    evaluate(w.gaps_at, t, w.new, w.p, w.m, w.gap_new)
    for c in range(contacts):
        if w.place[c, 0] >= 0:
            opens = w.gap_within[c, OPENS] - w.gap_new[c, RATE]
            w.new[w.place[c, 0]] += 0.5 * w.impulse[each * c] * opens
    if w.place[contacts, 0] >= 0:
        w.new[w.place[contacts, 0]] += w.jump[w.jump.shape[0] - 1]
    return 0


@kernel
def move_out(h: float, w: March) -> int:
    """Out of the walls: a second impulse in the middle, and the same back at the end, by the same inequalities.

    Gaps instead of speeds, no friction. Both are pairs of forces of the contact at the place where it is, so that no
    momentum is left over, as it would be by a shift of the positions. The mean forces are put back into m.
    """
    contacts, each, deep = w.contacts, w.rows_per_contact, False
    evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    for c in range(contacts):
        depth = w.gap_new[c, DEPTH]
        if depth <= h * w.gap_within[c, RATE]:
            # its rebound takes it out within a step
            w.place[c, 2] = APART
        deep = deep or (w.place[c, 2] != APART and depth > close_to_zero(w, 0.0))
        for k in range(each):
            w.target[each * c + k] = 0.0 if k else -2.0 * depth / h
    if not deep:
        return 0
    for c in range(contacts):
        w.delassus[pair_place(w, c) + COULOMB] = 0.0
    for i in range(w.out.shape[0]):
        w.out[i] = w.k[FROM, i]
    push(w.t + 0.5 * h, w.out, w)
    for c in range(contacts):
        if w.place[c, 0] >= 0:
            # with an impulse the speed has grown by -aim
            mean = w.gap_within[c, OPENS] - 0.5 * w.target[each * c]
            w.k[FROM, w.place[c, 0]] -= w.impulse[each * c] * mean
    book_drives(w)
    go_on(h, w)
    put_back(h, w)
    for r in range(w.impulse.shape[0]):
        w.impulse[r] = w.kept[r]
    put_on(w, 1.0 / h)
    return 1
