"""Moreau: time stepping that lets impacts fall within steps (Moreau 1988, Jean 1999); nothing is located.

A step of length h, with θ = 1/2. Contacts that are closed in the middle act by one impulse s over the step, which is
both the force of lasting contact and the blow of an impact:

    (q, v)         flies to (q_mid, v_mid)                     h/2 without contacts (methods.flight)
    v_mid          jumps by P Rᵀ s                             W, R at q_mid (assemble.rigid)
    u_free + W s + e u_old ≥ 0   ⊥   s ≥ 0                     Newton's law, with friction see methods.complementarity
    (q_mid, v_mid) flies to (q_new, v_new)                     the other half

u_free are the row speeds of the velocities to which flight without contacts leads at the end of the step. Impulses
act where the bodies are, so that momenta and the energy ledger pass through them to the last digits; then contacts that
rest are moved out of the walls, and everything onto the ideal joints. Motion through impacts is of first order in h,
flight of second, in space of fourth.
u_old is the speed at the wall itself, met up to a step before or after the middle: with the speed of the middle a ball
would gain by being late as much as it loses, and never come to rest.
Rebounds within a few steps cannot be told from rest: with the inward acceleration a of the free motion a contact gets
no restitution if 2 e |u_old| < h a, nor if it acted in the last four steps. Nor can a contact that acts again within
four steps be told from one that lasts: it is noted as one (methods.moreau_notes).
"""

from __future__ import annotations

from dataclasses import dataclass

from gudgeon.assemble.contact.events import DRAG, FRONT, MODE, NORMAL, STICK
from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, evaluate_row, kernel
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit import rk4
from gudgeon.methods.impact.collision import APART, CLOSED, RESTS, put_on, set_impulses
from gudgeon.methods.march.events import close_to_zero, project
from gudgeon.methods.march.loop import LATE, first_row, ready, record, round_end, sample
from gudgeon.methods.march.memory import DEPTH, DONE, GO, RATE, SECOND, March
from gudgeon.methods.stepping.flight import END, ROWS, START, TURNS, fly, land
from gudgeon.methods.stepping.impulses import COORDINATES, DID, FREE, LASTS, STRUCK, move_out, strike
from gudgeon.methods.stepping.notes import take_notes


@kernel
def restart(w: March) -> float:
    rhs, t, y, p, m, k = w.rhs_at, w.t, w.y, w.p, w.m, w.k
    evaluate_row(rhs, t, y, p, m, k, 0)
    w.evaluations += 1
    w.order = 2.0
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, out, p, m, k = w.rhs_at, w.t, w.y, w.new, w.out, w.p, w.m, w.k
    fly(rhs, t, h, y, new, out, p, m, k, w)
    land(rhs, t + h, new, p, m, k, END, w)
    return 0.0


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic; in a step with impulses the old velocities up to the middle and the new ones from there."""
    y, new, out, k = w.y, w.new, w.out, w.k
    if w.control[STRUCK] == 0.0:
        return rk4.interpolate(w, h, x)
    for i in range(y.shape[0]):
        out[i] = y[i] if x < 0.5 else new[i]
    for i in range(int(w.control[COORDINATES])):
        out[i] += x * h * k[0, i] if x < 0.5 else (x - 1.0) * h * k[END, i]
    return 0.0


@kernel
def choose(h: float, w: March) -> int:
    """Mark the contacts that take part in the step that was flown, and count them."""
    contacts, chosen, held = w.contacts, 0, False
    further = 0.5 * (w.h_max * w.h_max - h * h)  # the last step may be short
    evaluate(w.gaps_at, w.t + 0.5 * h, w.out, w.p, w.m, w.gap_within)
    for c in range(contacts):
        held = held or w.m[FRONT * c + DID] > FREE
        set_impulses(w, c, 0.0)
    if held:
        evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    for c in range(contacts):
        depth, rate = w.gap_within[c, DEPTH], w.gap_within[c, RATE]
        second = w.gap_within[c, SECOND]
        w.place[c, 2] = APART
        if depth >= -close_to_zero(w, rate):
            w.place[c, 2] = CLOSED
            w.touch_error = max(w.touch_error, depth)
        elif w.m[FRONT * c + DID] > FREE and w.gap_new[c, DEPTH] >= -further * max(second, 0.0):
            w.place[c, 2] = RESTS
        chosen += w.place[c, 2] != APART
    return chosen


@kernel
def choose_more(h: float, w: March) -> int:
    """Mark the contacts that acted lately and that the impulses of others have closed; gives their number."""
    more = 0
    evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    for c in range(w.contacts):
        closed = w.gap_new[c, DEPTH] >= 0.0
        if w.place[c, 2] == APART and w.m[FRONT * c + DID] > FREE and closed:
            w.place[c, 2] = RESTS
            more += 1
    return more


@kernel
def move_on(w: March, h: float, hit: int) -> int:
    """Accept the step that lies in `new`; the rows of its time have the mean forces in m, the slope at its end not."""
    t = w.t
    if hit > 0:
        put_on(w, 0.0)
        land(w.rhs_at, t + h, w.new, w.p, w.m, w.k, END, w)
        put_on(w, 1.0 / h)
    w.control[STRUCK] = hit
    if w.output_step <= 0.0:
        record(w, t + h, w.new)
    elif w.output_next <= t + h + LATE * w.output_step:
        sample(interpolate, w, h)
    w.t = t + h
    for i in range(w.y.shape[0]):
        w.y[i], w.k[START, i] = w.new[i], w.k[END, i]
    w.steps += 1
    if w.contacts > 0:
        put_on(w, 0.0)
        take_notes(h, hit, w)
    w.h = w.h_max
    return 0


@kernel
def march(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    budget = w.steps + w.rejected + w.budget
    while w.t < w.t_end:
        status = ready(w, budget)
        if status != GO:
            return status
        # sums of steps are rounded: no sliver at the end
        left, h, hit = w.t_end - w.t, w.h, 0
        h = left if left < h * (1.0 + 1e-6) else h
        fly(w.rhs_at, w.t, h, w.y, w.new, w.out, w.p, w.m, w.k, w)
        if w.contacts > 0 and choose(h, w) > 0:
            hit = strike(h, w)
            if hit > 0 and w.contacts > 1 and choose_more(h, w) > 0:
                put_on(w, 0.0)
                fly(w.rhs_at, w.t, h, w.y, w.new, w.out, w.p, w.m, w.k, w)
                hit = strike(h, w)
        if hit > 0:
            move_out(h, w)
        else:
            land(w.rhs_at, w.t + h, w.new, w.p, w.m, w.k, END, w)
        project(w, w.t + h)
        move_on(w, h, hit)
        round_end(w)
    return DONE


@kernel
def first(w: March) -> int:
    """Before the first step: a run that was event-driven may have left contacts that last."""
    contacts = w.contacts
    for c in range(contacts):
        place = FRONT * contacts + (NORMAL + w.rows_per_contact) * c
        if w.m[FRONT * c + MODE] > 0.0:
            w.m[FRONT * c + DID] = LASTS
        w.m[FRONT * c + MODE] = w.m[place + STICK] = w.m[place + DRAG] = 0.0
    w.control[COORDINATES] = w.positions
    w.control[TURNS] = 1.0 if w.positions != w.velocities else 0.0
    return first_row(restart, w)


@dataclass(frozen=True)
class Moreau(Method):
    """Time stepping of Moreau and Jean with a fixed step: hard walls, Newton's and Coulomb's laws as inequalities on
    the impulse of each step; no event is located, and any number of contacts may act at once."""

    title = "Moreau"
    reference = "Moreau 1988; Jean 1999; projection onto walls and joints after every step"
    works = ("moreau1988", "jean1999")
    order = 1
    rows = ROWS
    first = first
    march = march
    compiled_in = True
    adaptive = False

    def needs(self) -> Needs:
        return Needs(contact="impulse")

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, rk4.commit
