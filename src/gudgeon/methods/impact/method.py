"""Impact: hard walls, impacts as instants, lasting contact as a constraint (Schwab et al. 2002, section 4).

Between events the mechanism moves smoothly, by DOP853, with the modes of its contacts fixed. An event (events.py) ends
the step, and then

  touch     velocities jump by the collision of all contacts that are closed (collision.py). If the bounces that would
            follow last less than `capture` together (`capture_bounces`), or are lower than rounding lets one see,
            one impact without rebound ends them and the contact lasts. An impact may also lift a contact that lasted,
            which soon closes again and lifts the first: a body rocks, ever faster. Once that is as brief, both are held
  release   of a lasting contact, whose force has vanished
  friction  sliding has come to rest, or sticking reaches its limit

After each of them the contacts that are closed and at rest are decided anew: which of them last, stick and slide
follows from forces that obey the laws of contact with accelerations in place of speeds (`resolve_lasting_contacts`).
With the opening g of a contact (negative its depth) and its normal force λ,

    g = 0, ġ = 0:      g̈ >= 0,   λ >= 0,   λ g̈ = 0        a contact lasts where λ > 0

and Coulomb's law for the friction force, with the slip's acceleration in place of the slip where it is at rest.

Signs: gap[c, DEPTH] is the depth, positive inside the wall; gap[c, RATE] and gap[c, SECOND] are its first and second
derivative, positive where the contact closes; gap[c, FORCE] is λ, positive where it presses.

Roles (complementarity/problem.py) are the same three numbers for impulses and for forces. In an impact CLOSED takes
part with its restitution, RESTS without; among forces RESTS has lasted before, CLOSED is new; APART takes no part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, kernel, record_at
from gudgeon.methods.complementarity.problem import APART, CLOSED, RESTS
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit import dop853
from gudgeon.methods.impact import scalar_friction, vector_friction
from gudgeon.methods.impact.contacts import (
    HardContacts,
    apply_collision,
    evaluate_delassus,
    hold,
    note_impacts,
    without_rounding,
)
from gudgeon.methods.impact.events import FRICTION_EVENT, NORMAL_EVENT, shorten_to_event
from gudgeon.methods.impact.memory import ImpactMemory
from gudgeon.methods.march import columns
from gudgeon.methods.march.events import close_to_zero, try_step
from gudgeon.methods.march.loop import LATE, first_row, keep_gaps, note_event, ready, record, reject, round_end, sample
from gudgeon.methods.march.memory import DEPTH, DONE, FORCE, FRICTION, GO, RATE, SECOND, March
from gudgeon.methods.march.method_steps import commit, restart
from gudgeon.methods.march.modes import set_free, set_touching, touches
from gudgeon.quantity import GudgeonError

UNSEEN = 30.0  # times the rounding of positions: a lower hop cannot be distinguished from rest
WEIGHTLESS = 1e-10  # of the typical acceleration speed² / size: an opening acceleration that is smaller is none
HOP_STEP = 1.3  # times the duration of a hop: the step after an impact, so that its end is located at once


@kernel
def evaluate_gaps(w: March) -> int:
    """Gaps, speeds, forces and accelerations of the contacts now."""
    evaluate(w.gaps_at, w.t, w.y, w.p, w.m, w.gap)
    return 0


@kernel
def closed(w: March, c: int) -> bool:
    """Whether a contact has no gap now."""
    return w.gap[c, DEPTH] >= -close_to_zero(w, w.gap[c, RATE])


@kernel
def begin_lasting(w: March, c: int, later: float) -> int:
    """Note that a contact lasts from now on, or from a little later [s]."""
    set_touching(w, c)
    w.peak_force[c], w.peak_time[c], w.peak_depth[c] = 0.0, w.t, 0.0
    note_event(w, c, columns.ONSET)
    w.events[w.events_recorded - 1, columns.TIME] += later
    return 0


@kernel
def select_resting(w: March, hard: HardContacts, released: int) -> int:
    """Roles of the contacts: RESTS if it lasts, CLOSED if it is closed and at rest, APART of others and of contact
    `released`. All are set free, so that accelerations are those without any contact force."""
    for c in range(hard.contacts):
        lasts = touches(w, c)
        candidate = c != released and (lasts or (closed(w, c) and without_rounding(w, w.gap[c, RATE]) == 0.0))
        hard.role[c] = (RESTS if lasts else CLOSED) if candidate else APART
        set_free(w, c)
        hard.stick[c] = hard.drag[c] = 0.0
    return 0


@kernel
def resolve_lasting_contacts(w: March, hard: HardContacts, released: int) -> int:
    """Decide which of the closed contacts at rest last, stick and slide from now on; contact `released`, of which the
    force has just vanished, does not (-1: none). After `solve_forces` hard.impulse has forces instead of impulses."""
    least_acceleration = WEIGHTLESS * w.speed * w.speed / w.size
    evaluate_gaps(w)
    if not hard.slip_is_scalar:
        vector_friction.set_rest_speeds(w, hard)
    select_resting(w, hard, released)
    evaluate_gaps(w)
    evaluate_delassus(w, hard, w.t, w.y)
    if hard.slip_is_scalar:
        scalar_friction.solve_forces(w, hard, least_acceleration)
    else:
        vector_friction.solve_forces(w, hard, least_acceleration)
    for c in range(hard.contacts):
        lasted, normal_force = hard.role[c] == RESTS, hard.impulse[hard.rows_per_contact * c]
        if hard.role[c] == APART or normal_force <= 0.0:
            if lasted:
                note_event(w, c, columns.RELEASE)
            continue
        set_touching(w, c)
        if hard.slip_is_scalar:
            scalar_friction.stick_or_slide(hard, c)
        else:
            vector_friction.stick_or_slide(hard, c)
        if not lasted:
            begin_lasting(w, c, 0.0)
    evaluate_gaps(w)
    if not hard.slip_is_scalar and not vector_friction.all_hold(w, hard):
        vector_friction.release_at_limit(w, hard)
        evaluate_gaps(w)
    return 0


@kernel
def select_closed(w: March, own: ImpactMemory) -> int:
    """Roles of the contacts in an impact: those without a gap take part."""
    for c in range(w.contacts):
        located = c == w.located and own.located_kind == NORMAL_EVENT
        own.hard.role[c] = CLOSED if located or touches(w, c) or closed(w, c) else APART
    return 0


# A contact k that strikes lifts another c by the share W_ck / W_kk of its speed; c comes back and lifts k by the share
# W_kc / W_cc. In the mean each impact leaves r = |W_ck| / √(W_cc W_kk) <= 1 of it, and all hops last hop / (1 - r).
@kernel
def rocking_share(hard: HardContacts, c: int) -> float:
    """How much of a rocking motion between contact c and another of the impact is left by each impact, at most."""
    square, each = 0.0, hard.rows_per_contact
    for k in range(hard.contacts):
        if k != c and hard.role[k] != APART:
            a, b = each * c, each * k
            square = max(square, hard.delassus[a, b] ** 2 / (hard.delassus[a, a] * hard.delassus[b, b]))
    return min(math.sqrt(square), 1.0)


@kernel
def suppose_resting(w: March, own: ImpactMemory) -> int:
    """Accelerations as if just those contacts of the impact lasted that it left at rest: they are `held`."""
    hard = own.hard
    for c in range(w.contacts):
        own.lasted[c] = 1 if touches(w, c) else 0
        own.held[c] = 1 if hard.role[c] != APART and without_rounding(w, w.gap[c, RATE]) == 0.0 else 0
        if own.held[c] > 0:
            set_touching(w, c)
        else:
            set_free(w, c)
            hard.stick[c] = hard.drag[c] = 0.0
    return evaluate_gaps(w)


@kernel
def end_rocking(w: March, own: ImpactMemory) -> int:
    """Hold those contacts of the impact closed that it has opened for less than `capture` in all, together with those
    that rest; gives their number."""
    hard, together, opened = own.hard, 0, 0
    for c in range(hard.contacts):
        together += 1 if hard.role[c] != APART else 0
    if together < 2:
        return 0
    suppose_resting(w, own)
    for c in range(hard.contacts):
        if own.lasted[c] > 0:
            set_touching(w, c)
        else:
            set_free(w, c)
        if hard.role[c] == APART or own.held[c] > 0:
            continue
        hop, share = hop_duration(w, c), max(rocking_share(hard, c), hard.restitution[c])
        height = -0.25 * hop * w.gap[c, RATE]
        if hop > 0.0 and (hop < own.capture * (1.0 - share) or height < UNSEEN * close_to_zero(w, 0.0)):
            own.held[c] = 1
            opened += 1
    if opened > 0:
        hold(w, hard, own.held, w.t, w.y)
    evaluate_gaps(w)
    return opened


@kernel
def release_opened(w: March) -> int:
    """Lasting contacts that an impact has opened are free."""
    for c in range(w.contacts):
        if touches(w, c) and without_rounding(w, -w.gap[c, RATE]) > 0.0:
            note_event(w, c, columns.RELEASE)
            set_free(w, c)
    return 0


# A contact that opens with u under a constant inward acceleration a closes again after the hop 2 u / a, at the speed u,
# having been u² / (2 a) = u hop / 4 away. It then opens with e u: all hops together last
#   2 u / a (1 + e + e² + ...) = hop / (1 - e)
@kernel
def hop_duration(w: March, c: int) -> float:
    """Time until a contact that has just opened closes again, as the accelerations are now; negative for never."""
    opening, inward = -w.gap[c, RATE], w.gap[c, SECOND]
    return 2.0 * max(opening, 0.0) / inward if inward > 0.0 else -1.0


@kernel
def capture_bounces(w: March, own: ImpactMemory) -> int:
    """Let those contacts of the impact rest that would bounce for less than `capture` in all, or to a height that
    rounding hides; gives their number. own.bounce_time is what the bounces left out would have lasted."""
    hard, captured = own.hard, 0
    for c in range(hard.contacts):
        if hard.role[c] == APART or touches(w, c):
            continue
        hop, e = hop_duration(w, c), hard.restitution[c]
        height = -0.25 * hop * w.gap[c, RATE]
        if hop >= 0.0 and (hop < own.capture * (1.0 - e) or height < UNSEEN * close_to_zero(w, 0.0)):
            hard.role[c] = RESTS
            own.bounce_time[c] = hop / (1.0 - e) if e < 1.0 else 0.0
            captured += 1
    return captured


@kernel
def handle_touch(w: March, own: ImpactMemory) -> int:
    """The collision of the closed contacts, then capture of those that hardly bounce any more."""
    t, hard, state_before = w.t, own.hard, w.out
    select_closed(w, own)
    for i in range(w.y.shape[0]):
        state_before[i] = w.y[i]
    evaluate_delassus(w, hard, t, w.y)
    apply_collision(w, hard, t, w.y)
    evaluate_gaps(w)
    if capture_bounces(w, own) > 0:
        # once more from before the impact, without rebound of those that are captured
        for i in range(w.y.shape[0]):
            w.y[i] = state_before[i]
        apply_collision(w, hard, t, w.y)
    note_impacts(w, hard)
    evaluate_gaps(w)
    end_rocking(w, own)
    release_opened(w)
    for c in range(hard.contacts):
        if hard.role[c] == RESTS:
            # the contact lasts from where the bounces left out would have come to an end
            begin_lasting(w, c, own.bounce_time[c])
    return resolve_lasting_contacts(w, hard, -1)


@kernel
def handle_event(w: March, own: ImpactMemory) -> int:
    """What the located event does: of a free contact it is a touch, of a lasting one the end of its force, or a
    change between sliding and sticking."""
    c, hard = w.located, own.hard
    if not touches(w, c):
        w.touch_error = max(w.touch_error, abs(w.gap[c, DEPTH]))
        return handle_touch(w, own)
    if own.located_kind == NORMAL_EVENT:
        note_event(w, c, columns.RELEASE)
        set_free(w, c)
        return resolve_lasting_contacts(w, hard, c)
    friction_before, stuck = w.gap[c, FRICTION], hard.stick[c] > 0.0
    resolve_lasting_contacts(w, hard, -1)
    if stuck and hard.stick[c] > 0.0:
        # at the limit the forces alone would let it stick on: it breaks loose against the force that held it
        if hard.slip_is_scalar:
            scalar_friction.break_loose(hard, c, friction_before)
        else:
            vector_friction.break_loose(w, hard, c)
        evaluate_gaps(w)
    return 0


@kernel
def watch_forces(w: March) -> int:
    """The largest force of lasting contacts, at the ends of steps."""
    for c in range(w.contacts):
        force = w.gap[c, FORCE]
        if touches(w, c) and force > w.peak_force[c]:
            w.peak_force[c], w.peak_time[c] = force, w.t
    return 0


@kernel
def step_after_event(w: March) -> float:
    """The first step after an event [s]: a hop should fill most of its step, its end is then located at once."""
    h = w.h_max
    for c in range(w.contacts):
        opens = without_rounding(w, -w.gap[c, RATE]) > 0.0
        hop = hop_duration(w, c) if opens and not touches(w, c) else -1.0
        if hop > 0.0 and w.gap[c, DEPTH] >= -close_to_zero(w, 0.0):
            h = min(h, HOP_STEP * hop)
    return h


@kernel
def accept_step(w: March, own: ImpactMemory, error: float, event_after: float) -> int:
    """Accept the step that lies in `new`, and handle the event that ended it after so many seconds; 0: none did."""
    tried, t = w.h, w.t
    h = event_after if event_after > 0.0 else tried
    if w.output_step <= 0.0:
        record(w, t + h, w.new)
    elif w.output_next <= t + h + LATE * w.output_step:
        sample(w, h)
    factor = commit(w, h, error)
    w.t = t + h
    for i in range(w.y.shape[0]):
        w.y[i] = w.new[i]
    keep_gaps(w)
    w.steps += 1
    watch_forces(w)
    w.h = tried * factor
    if event_after > 0.0:
        handle_event(w, own)
        restart(w)
        w.h = step_after_event(w)
        if w.output_step <= 0.0:
            record(w, w.t, w.y)
    return 0


@kernel
def march(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    own, budget = record_at(w.method_at, ImpactMemory), w.steps + w.rejected + w.budget
    while w.t < w.t_end:
        status = ready(w, budget)
        if status != GO:
            return status
        if not own.hard.slip_is_scalar:
            w.h = vector_friction.limit_step(w, own.hard, w.h)
        error = try_step(w, w.h, 1.0)
        if not error <= 1.0:
            reject(w, error)
            continue
        event_after = shorten_to_event(w, own) if w.contacts > 0 else 0.0
        accept_step(w, own, error, event_after)
        round_end(w)
    return DONE


@kernel
def first(w: March) -> int:
    """Before the first step: contacts that are closed already collide, or rest."""
    own = record_at(w.method_at, ImpactMemory)
    if w.contacts > 0:
        evaluate_delassus(w, own.hard, w.t, w.y)
        evaluate_gaps(w)
        collides = False
        for c in range(w.contacts):
            collides = collides or (not touches(w, c) and closed(w, c) and w.gap[c, RATE] >= 0.0)
        if collides:
            own.located_kind = FRICTION_EVENT  # `select_closed` then asks the gaps alone
            handle_touch(w, own)
    return first_row(w)


@dataclass(frozen=True)
class Impact(Method):
    """Event-driven: rigid walls, impacts by Newton's and Coulomb's laws, lasting contact as a constraint; DOP853
    between events.

    capture [s]: bounces that last less than this in all are ended by one impact without rebound
    """

    title = "Impact"
    reference = "Schwab, Meijaard, Meijers 2002, section 4; Newton's impact law; DOP853 between impacts"
    works = ("schwab2002", "hairer1993")
    order = 8
    rows = dop853.Dop853.rows
    record = ImpactMemory
    first = first
    march = march

    capture: float = 1e-9

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1e-12 <= self.capture <= 1.0:
            raise GudgeonError(f"Impact: capture {self.capture!r} must lie between 1e-12 and 1 [s]; 1e-9 is usual")

    def needs(self) -> Needs:
        return Needs(contact="event", sticking=True)

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return dop853.Dop853().functions()

    def connect(self, system: Any, w: March) -> Any:
        own = super().connect(system, w)
        own.hard, own.capture = HardContacts.of_system(system, w.m), self.capture
        own.bounce_time = np.zeros(system.events)
        own.dismissed = np.zeros(2 * system.events, dtype=np.int64)
        own.held, own.lasted = (np.zeros(system.events, dtype=np.int64) for _ in range(2))
        return own
