"""Moreau: time stepping that lets impacts fall within steps (Moreau 1988, Jean 1999); nothing is located.

A step of length h, with θ = 1/2. Contacts that are closed in the middle act by one impulse s over the step, which is
both the force of lasting contact and the impulse of an impact:

    (q, v)         flies to (q_mid, v_mid)                     h/2 without contacts (flight.py)
    v_mid          jumps by P Rᵀ s                             W, R at q_mid (assemble/contact/events.py)
    u_free + W s + e u_old ≥ 0   ⊥   s ≥ 0                     Newton's law, with friction see methods/complementarity
    (q_mid, v_mid) flies to (q_new, v_new)                     the other half

u_free are the row speeds of the velocities to which flight without contacts leads at the end of the step. Impulses
act where the bodies are, so that momenta and the energy ledger pass through them to the last digits; then contacts that
rest are moved out of the walls, and everything onto the ideal joints. Motion through impacts is of first order in h,
flight of second, in space of fourth.
u_old is the speed at the wall itself, met up to a step before or after the middle: with the speed of the middle a ball
would gain by being late as much as it loses, and never come to rest.
Rebounds within a few steps cannot be distinguished from rest: with the inward acceleration a of the free motion a
contact gets no restitution if 2 e |u_old| < h a, nor if it acted in the last four steps. Nor can a contact that acts
again within four steps be distinguished from one that lasts: it is noted as one (notes.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, evaluate_row, kernel, record_at
from gudgeon.methods.complementarity.problem import APART, CLOSED, RESTS
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit import rk4
from gudgeon.methods.impact.contacts import apply_impulses, clear_impulses
from gudgeon.methods.march.events import close_to_zero, project
from gudgeon.methods.march.loop import LATE, first_row, ready, record, round_end, sample
from gudgeon.methods.march.memory import DEPTH, DONE, GO, RATE, SECOND, March
from gudgeon.methods.march.modes import set_free, set_latch, touches
from gudgeon.methods.stepping.flight import ROWS, evaluate_slope, fly_step
from gudgeon.methods.stepping.impulses import LASTS, acted_lately, move_out, strike
from gudgeon.methods.stepping.memory import MoreauMemory
from gudgeon.methods.stepping.notes import note_step


@kernel
def restart(w: March) -> float:
    evaluate_row(w.rhs_at, w.t, w.y, w.p, w.m, w.k, 0)
    w.evaluations += 1
    w.order = 2.0
    return 0.0


@kernel
def attempt(w: March, h: float) -> float:
    fly_step(w, record_at(w.method_at, MoreauMemory), h)
    evaluate_slope(w, w.t + h, w.new, w.k[w.k.shape[0] - 1])
    return 0.0


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic; in a step with impulses the old velocities up to the middle and the new ones from there."""
    y, new, out, k = w.y, w.new, w.out, w.k
    own = record_at(w.method_at, MoreauMemory)
    if own.struck == 0:
        return rk4.interpolate(w, h, x)
    for i in range(y.shape[0]):
        out[i] = y[i] if x < 0.5 else new[i]
    for i in range(w.positions):
        out[i] += x * h * k[0, i] if x < 0.5 else (x - 1.0) * h * k[k.shape[0] - 1, i]
    return 0.0


@kernel
def select_closed(w: March, own: MoreauMemory, h: float) -> int:
    """Roles of the contacts in the step that was flown; gives how many take part."""
    hard, chosen, active = own.hard, 0, False
    further = 0.5 * (w.h_max * w.h_max - h * h)  # the last step may be short
    evaluate(w.gaps_at, w.t + 0.5 * h, w.out, w.p, w.m, w.gap_within)
    for c in range(hard.contacts):
        active = active or acted_lately(w, c)
        clear_impulses(hard, c)
    if active:
        evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    for c in range(hard.contacts):
        depth, rate, second = w.gap_within[c, DEPTH], w.gap_within[c, RATE], w.gap_within[c, SECOND]
        hard.role[c] = APART
        if depth >= -close_to_zero(w, rate):
            hard.role[c] = CLOSED
            w.touch_error = max(w.touch_error, depth)
        elif acted_lately(w, c) and w.gap_new[c, DEPTH] >= -further * max(second, 0.0):
            hard.role[c] = RESTS
        chosen += hard.role[c] != APART
    return chosen


@kernel
def select_more(w: March, own: MoreauMemory, h: float) -> int:
    """Let contacts take part that acted lately and that the impulses of others have closed; gives their number."""
    hard, more = own.hard, 0
    evaluate(w.gaps_at, w.t + h, w.new, w.p, w.m, w.gap_new)
    for c in range(hard.contacts):
        if hard.role[c] == APART and acted_lately(w, c) and w.gap_new[c, DEPTH] >= 0.0:
            hard.role[c] = RESTS
            more += 1
    return more


@kernel
def accept_step(w: March, own: MoreauMemory, h: float) -> int:
    """Accept the step that lies in `new`; the rows of its time have the mean forces in m, the slope at its end not."""
    hard, t = own.hard, w.t
    if own.struck > 0:
        apply_impulses(hard, 0.0)
        evaluate_slope(w, t + h, w.new, w.k[w.k.shape[0] - 1])
        apply_impulses(hard, 1.0 / h)
    if w.output_step <= 0.0:
        record(w, t + h, w.new)
    elif w.output_next <= t + h + LATE * w.output_step:
        sample(w, h)
    w.t = t + h
    for i in range(w.y.shape[0]):
        w.y[i], w.k[0, i] = w.new[i], w.k[w.k.shape[0] - 1, i]
    w.steps += 1
    if w.contacts > 0:
        apply_impulses(hard, 0.0)
        note_step(w, own, h)
    w.h = w.h_max
    return 0


@kernel
def step(w: March, own: MoreauMemory, h: float) -> int:
    """A step into `new`; gives the number of contacts with an impulse."""
    struck = 0
    fly_step(w, own, h)
    if w.contacts > 0 and select_closed(w, own, h) > 0:
        struck = strike(w, own, h)
        if struck > 0 and w.contacts > 1 and select_more(w, own, h) > 0:
            apply_impulses(own.hard, 0.0)
            fly_step(w, own, h)
            struck = strike(w, own, h)
    if struck > 0:
        move_out(w, own, h)
    else:
        evaluate_slope(w, w.t + h, w.new, w.k[w.k.shape[0] - 1])
    project(w, w.t + h)
    return struck


@kernel
def march(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    own, budget = record_at(w.method_at, MoreauMemory), w.steps + w.rejected + w.budget
    while w.t < w.t_end:
        status = ready(w, budget)
        if status != GO:
            return status
        # sums of steps are rounded: no sliver at the end
        left, h = w.t_end - w.t, w.h
        h = left if left < h * (1.0 + 1e-6) else h
        own.struck = step(w, own, h)
        accept_step(w, own, h)
        round_end(w)
    return DONE


@kernel
def first(w: March) -> int:
    """Before the first step: a run that was event-driven may have left contacts that last."""
    hard = record_at(w.method_at, MoreauMemory).hard
    for c in range(w.contacts):
        if touches(w, c):
            set_latch(w, c, LASTS)
        set_free(w, c)
        hard.stick[c] = hard.drag[c] = 0.0
    return first_row(w)


@dataclass(frozen=True)
class Moreau(Method):
    """Time stepping of Moreau and Jean with a fixed step: rigid walls, Newton's and Coulomb's laws for the impulses of
    each step; no event is located, and any number of contacts may act at once.
    """

    title = "Moreau"
    reference = "Moreau 1988; Jean 1999; projection onto walls and joints after every step"
    works = ("moreau1988", "jean1999")
    order = 1
    rows = ROWS
    record = MoreauMemory
    first = first
    march = march
    adaptive = False

    def needs(self) -> Needs:
        return Needs(contact="impulse")

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, rk4.commit

    def connect(self, system: Any, w: March) -> Any:
        own = MoreauMemory.of_system(system, w.m)
        w.method_at = own.address
        return own
