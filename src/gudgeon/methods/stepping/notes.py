"""What a step of Moreau's method did, as events: impacts, and lasting contacts that begin and end.

A light contact may miss a step or two, since it rests where free flight would have closed the gap within a step. Its
record goes on; it ends when the contact has not acted for as many steps as it counts as having acted lately.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.complementarity.problem import CLOSED, RESTS
from gudgeon.methods.impact.contacts import apply_impulses, clear_impulses, note_impacts
from gudgeon.methods.march import columns
from gudgeon.methods.march.loop import AT_REST, note_event
from gudgeon.methods.march.memory import March
from gudgeon.methods.march.modes import latch, set_latch
from gudgeon.methods.stepping.impulses import BOUNCED, FREE, LASTS, LIFTED, acted_lately
from gudgeon.methods.stepping.memory import MoreauMemory


@kernel
def counts_as_lasting(did: float) -> bool:
    """Whether a contact counts as lasting: it acts, or has acted lately and counts down in halves."""
    return did == LASTS or did != float(int(did))


@kernel
def count_down(did: float) -> float:
    """What a contact did, after a step without an impulse."""
    return LIFTED if did == LASTS else max(did - 1.0, FREE)


@kernel
def note_contacts(w: March, own: MoreauMemory) -> int:
    """Sort the impulses of a step: releases are noted, contacts that begin to last get the role RESTS, impulses that
    are no impacts are cleared. Gives the number of impacts.

    An impact leaves its wall, or came faster than the loads of a step make it; a contact that has neither lasts, until
    it has not acted for four steps.
    """
    hard, impacts = own.hard, 0
    for c in range(hard.contacts):
        did, normal = latch(w, c), hard.rows_per_contact * c
        loaded = hard.impulse[normal] > 0.0
        leaves, lasted = loaded and own.rebound[c] < 0.0, counts_as_lasting(did)
        if lasted and (leaves or (not loaded and count_down(did) == FREE)):
            note_event(w, c, columns.RELEASE)
        fast = did != LASTS and -hard.row_speeds[normal] > max(own.load_speed[c], AT_REST)
        hard.role[c] = RESTS if loaded and not leaves and not lasted else CLOSED
        set_latch(w, c, count_down(did) if not loaded else BOUNCED if leaves else LASTS)
        hard.speeds_after[normal] = own.opening_after[c]
        if loaded and (leaves or fast):
            impacts += 1
        else:
            clear_impulses(hard, c)
    return impacts


@kernel
def note_step(w: March, own: MoreauMemory, h: float) -> int:
    """Events at the end of a step: impacts, and where lasting contact begins and ends."""
    hard, busy = own.hard, own.struck > 0
    for c in range(hard.contacts):
        busy = busy or acted_lately(w, c)
    if not busy:
        return 0
    evaluate(w.gaps_at, w.t, w.y, w.p, w.m, w.gap)
    impacts = note_contacts(w, own)
    if impacts > 0:
        apply_impulses(hard, 1.0)
        note_impacts(w, hard)
    for c in range(hard.contacts):
        if hard.role[c] == RESTS:
            w.peak_force[c], w.peak_time[c], w.peak_depth[c] = 0.0, w.t, 0.0
            note_event(w, c, columns.ONSET)
            continue
        force = own.step_impulse[hard.rows_per_contact * c] / h
        # the impulse that ends the bouncing is no force, nor are impulses that pass through a lasting contact
        if impacts == 0 and latch(w, c) == LASTS and force > w.peak_force[c]:
            w.peak_force[c], w.peak_time[c] = force, w.t
    return 0
