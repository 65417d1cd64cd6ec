"""What a step of Moreau's method did, as events: impacts, and lasting contacts that begin and end.

A light contact may miss a step or two, since it rests where free flight would have closed the gap within a step. Its
record goes on; it ends when the contact has not acted for as many steps as it counts as having acted lately.
"""

from __future__ import annotations

from gudgeon.assemble.contact.events import FRONT
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.impact.collision import CLOSED, OPENING, RESTS, note_impacts, of_pair, put_on, set_impulses
from gudgeon.methods.march import columns
from gudgeon.methods.march.loop import AT_REST, note_event
from gudgeon.methods.march.memory import RATE, March
from gudgeon.methods.stepping.impulses import BOUNCED, DID, FREE, LASTS, LIFTED


@kernel
def lasts(did: float) -> bool:
    """Whether a contact counts as lasting: it acts, or has acted lately and counts down in halves."""
    return did == LASTS or did != float(int(did))


@kernel
def count_down(did: float) -> float:
    """What a contact did, after a step without an impulse."""
    return LIFTED if did == LASTS else max(did - 1.0, FREE)


@kernel
def take_notes(h: float, hit: int, w: March) -> int:
    """Events at the end of a step: impacts, and where lasting contact begins and ends.

    An impact leaves its wall, or came faster than the loads of a step make it; a contact that has neither lasts, until
    it has not acted for four steps.
    """
    contacts, each, busy, impacts = w.contacts, w.rows_per_contact, hit > 0, 0
    for c in range(contacts):
        busy = busy or w.m[FRONT * c + DID] > FREE
    if not busy:
        return 0
    evaluate(w.gaps_at, w.t, w.y, w.p, w.m, w.gap)
    for c in range(contacts):
        did = w.m[FRONT * c + DID]
        loaded = w.impulse[each * c] > 0.0
        leaves = loaded and w.crest[c] < 0.0
        lasted = lasts(did)
        if lasted and (leaves or (not loaded and count_down(did) == FREE)):
            note_event(w, c, columns.RELEASE)
        hard = did != LASTS and -of_pair(w, c, OPENING) > max(w.slope[c], AT_REST)
        w.place[c, 2] = RESTS if loaded and not leaves and not lasted else CLOSED
        w.m[FRONT * c + DID] = count_down(did) if not loaded else BOUNCED if leaves else LASTS
        w.target[each * c] = w.gap_within[c, RATE]
        if not (loaded and (leaves or hard)):
            set_impulses(w, c, 0.0)
        else:
            impacts += 1
    if impacts > 0:
        put_on(w, 1.0)
        note_impacts(w)
    for c in range(contacts):
        if w.place[c, 2] == RESTS:
            w.peak_force[c], w.peak_time[c], w.peak_depth[c] = 0.0, w.t, 0.0
            note_event(w, c, columns.ONSET)
            continue
        force = w.kept[each * c] / h
        # the blow that ends the bouncing is no force, nor are blows that pass through a lasting contact
        if impacts == 0 and w.m[FRONT * c + DID] == LASTS and force > w.peak_force[c]:
            w.peak_force[c], w.peak_time[c] = force, w.t
    return 0
