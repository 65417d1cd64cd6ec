"""Impact: hard walls, impacts as instants, lasting contact as a constraint (Schwab et al. 2002, section 4).

Between events the mechanism moves smoothly, with the modes of its contacts fixed. An event is located on the step:

  touch     impulses by Newton's law u⁺ = -e u⁻ and Coulomb's law for all contacts that are closed; if the bounces
            that would follow last less than `capture` together, h∞ = 2 u⁺ / (a (1 - e)), or are lower than rounding
            lets one see, one impact without rebound ends them and the contact lasts
  release   the force of a lasting contact becomes negative
  friction  sliding comes to rest, or sticking breaks loose
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.contact.events import DRAG, FRONT, MODE, STICK
from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, kernel
from gudgeon.methods.complementarity.sweeps import OPEN, STICKS, solve, state_of
from gudgeon.methods.contract import Method
from gudgeon.methods.explicit import dop853
from gudgeon.methods.impact.collision import (
    APART,
    CLOSED,
    COULOMB,
    RESTITUTION,
    RESTS,
    kick,
    note_impacts,
    of_pair,
    pair_up,
)  # fmt: skip
from gudgeon.methods.impact.events import PRIMARY, STILL, end_of_modes
from gudgeon.methods.impact.sliding import (
    INSTANT,
    all_hold,
    behind,
    break_loose,
    forces_on_cone,
    hold,
    mark_rest,
    opens,
    pace,
    start,
)  # fmt: skip
from gudgeon.methods.march import columns
from gudgeon.methods.march.events import close_to_zero, try_step
from gudgeon.methods.march.generic import attempt, commit, interpolate, restart
from gudgeon.methods.march.loop import LATE, first_row, keep_gaps, note_event, ready, record, reject, round_end, sample
from gudgeon.methods.march.memory import (
    DEPTH,
    DONE,
    FORCE,
    FRICTION,
    GO,
    RATE,
    SECOND,
    SLIP,
    SLIP_SECOND,
    March,
)
from gudgeon.quantity import GudgeonError

UNSEEN = 30.0  # times the rounding of positions: a lower hop cannot be told from rest
WEIGHTLESS = 1e-10  # of the typical acceleration: nothing is pressed by less


@kernel
def look(w: March) -> int:
    """Gaps, speeds, forces and accelerations of the contacts now."""
    evaluate(w.gaps_at, w.t, w.y, w.p, w.m, w.gap)
    return 0


@kernel
def begin_lasting(w: March, c: int, later: float) -> int:
    """Note that a contact lasts from now on, or from a little later."""
    w.m[FRONT * c + MODE] = 1.0
    w.peak_force[c], w.peak_time[c], w.peak_depth[c] = 0.0, w.t, 0.0
    note_event(w, c, columns.ONSET)
    w.events[w.events_recorded - 1, columns.TIME] += later
    return 0


@kernel
def snapped(w: March, speed: float) -> float:
    """A speed without what is rounding."""
    return speed if abs(speed) > STILL * w.speed else 0.0


@kernel
def choose_resting(w: March, out: int) -> int:
    """Mark the contacts that may go on lasting, all but `out`: closed and at rest; take their forces off."""
    contacts = w.contacts
    for c in range(contacts):
        depth, rate = w.gap[c, DEPTH], w.gap[c, RATE]
        at_rest = depth >= -close_to_zero(w, rate) and snapped(w, rate) == 0.0
        w.place[c, 2] = CLOSED if c != out and (w.m[FRONT * c + MODE] > 0.0 or at_rest) else APART
        w.place[c, 2] = RESTS if w.place[c, 2] == CLOSED and w.m[FRONT * c + MODE] > 0.0 else w.place[c, 2]
        place = behind(w, c)
        w.m[FRONT * c + MODE] = w.m[place + STICK] = w.m[place + DRAG] = 0.0
    return 0


@kernel
def settle_across(floor: float, w: March) -> int:
    """The same decision in space, of contacts that are chosen, with accelerations and `pairs` as they are now."""
    forces_on_cone(floor, w)
    for c in range(w.contacts):
        lasted = w.place[c, 2] == RESTS
        if opens(w, c):
            if lasted:
                note_event(w, c, columns.RELEASE)
            continue
        w.m[FRONT * c + MODE] = 1.0
        hold(w, c)
        if not lasted:
            begin_lasting(w, c, 0.0)
    look(w)
    if not all_hold(w):
        for c in range(w.contacts):
            start(w, c)
        look(w)
    return 0


# The forces of lasting contacts are a complementarity problem like impulses, with accelerations in place of speeds; a
# slip that is not zero keeps its direction, which a very large "acceleration" along it says.
@kernel
def settle(out: int, w: March) -> int:
    """Which of the closed contacts at rest last, stick and slide from now on; contact `out` does not."""
    contacts = w.contacts
    look(w)
    if w.rows_per_contact > 2:
        mark_rest(w)
    choose_resting(w, out)
    look(w)
    pair_up(w.t, w.y, w)
    floor = WEIGHTLESS * w.speed * w.speed / w.size
    if w.rows_per_contact > 2:
        return settle_across(floor, w)
    for c in range(contacts):
        opening = -w.gap[c, SECOND]
        w.target[2 * c] = opening if abs(opening) > floor else 0.0
        w.target[2 * c + 1] = w.gap[c, SLIP_SECOND] + snapped(w, w.gap[c, SLIP]) / INSTANT
    solve(w.delassus, w.impulse, w.target, w.place, w.dense, contacts, 2)
    for c in range(contacts):
        state, place = state_of(w.delassus, w.impulse, w.place, contacts, c), behind(w, c)
        lasted = w.place[c, 2] == RESTS
        if state == OPEN:
            if lasted:
                note_event(w, c, columns.RELEASE)
            continue
        w.m[FRONT * c + MODE] = 1.0
        mu = of_pair(w, c, COULOMB)
        if state == STICKS:
            w.m[place + STICK] = 1.0
        elif mu > 0.0:
            w.m[place + DRAG] = -mu if w.impulse[2 * c + 1] > 0.0 else mu
        if not lasted:
            begin_lasting(w, c, 0.0)
    return look(w)


@kernel
def choose_closed(w: March) -> int:
    """Mark the contacts that take part in an impact: those without a gap."""
    for c in range(w.contacts):
        depth, rate = w.gap[c, DEPTH], w.gap[c, RATE]
        located = c == w.located and w.located_kind == PRIMARY
        closed = located or w.m[FRONT * c + MODE] > 0.0 or depth >= -close_to_zero(w, rate)
        w.place[c, 2] = CLOSED if closed else APART
    return 0


@kernel
def part(w: March) -> int:
    """Lasting contacts that an impact has opened."""
    for c in range(w.contacts):
        if w.m[FRONT * c + MODE] > 0.0 and snapped(w, -w.gap[c, RATE]) > 0.0:
            note_event(w, c, columns.RELEASE)
            w.m[FRONT * c + MODE] = 0.0
    return 0


@kernel
def flight(w: March, c: int) -> float:
    """Time until a contact that has just opened closes again, as the accelerations are now; negative for never."""
    opening, inward = -w.gap[c, RATE], w.gap[c, SECOND]
    return 2.0 * max(opening, 0.0) / inward if inward > 0.0 else -1.0


@kernel
def catch(w: March) -> int:
    """Which of the contacts that took part will bounce for less than `capture` in all; these rest from now on."""
    caught = 0
    for c in range(w.contacts):
        if w.place[c, 2] == APART or w.m[FRONT * c + MODE] > 0.0:
            continue
        hop, e = flight(w, c), of_pair(w, c, RESTITUTION)
        height = -0.25 * hop * w.gap[c, RATE]
        if hop >= 0.0 and (hop < w.capture * (1.0 - e) or height < UNSEEN * close_to_zero(w, 0.0)):
            w.place[c, 2] = RESTS
            w.slope[c] = hop / (1.0 - e) if e < 1.0 else 0.0
            caught += 1
    return caught


@kernel
def collide(w: March) -> int:
    """A touch: impulses, then capture of contacts that hardly bounce any more."""
    t = w.t
    w.touch_error = max(w.touch_error, abs(w.gap[w.located, DEPTH]))
    choose_closed(w)
    for i in range(w.y.shape[0]):
        w.out[i] = w.y[i]
    pair_up(t, w.y, w)
    kick(t, w.y, w)
    look(w)
    if catch(w) > 0:
        # once more, without rebound of those that are caught
        for i in range(w.y.shape[0]):
            w.y[i] = w.out[i]
        kick(t, w.y, w)
    note_impacts(w)
    look(w)
    part(w)
    for c in range(w.contacts):
        if w.place[c, 2] == RESTS:
            # the contact lasts from where the bounces left out would have come to an end
            begin_lasting(w, c, w.slope[c])
    return settle(-1, w)


@kernel
def happen(w: March) -> int:
    """What the located event does."""
    c, kind = w.located, w.located_kind
    if w.m[FRONT * c + MODE] <= 0.0:
        return collide(w)
    if kind == PRIMARY:
        note_event(w, c, columns.RELEASE)
        w.m[FRONT * c + MODE] = 0.0
        return settle(c, w)
    place, force = behind(w, c), w.gap[c, FRICTION]
    stuck = w.m[place + STICK] > 0.0
    settle(-1, w)
    if stuck and w.m[place + STICK] > 0.0:
        # at the limit: it breaks loose against the force that held it
        if w.rows_per_contact > 2:
            break_loose(w, c)
        else:
            mu = of_pair(w, c, COULOMB)
            w.m[place + STICK], w.m[place + DRAG] = 0.0, -mu if force > 0.0 else mu
        look(w)
    return 0


@kernel
def watch_forces(w: March) -> int:
    """The largest force of lasting contacts, at the ends of steps."""
    for c in range(w.contacts):
        force = w.gap[c, FORCE]
        if w.m[FRONT * c + MODE] > 0.0 and force > w.peak_force[c]:
            w.peak_force[c], w.peak_time[c] = force, w.t
    return 0


@kernel
def move_on(w: March, error: float, ended: float) -> int:
    """Accept the step that lies in `new`, and let happen what ended it."""
    asked, t = w.h, w.t
    h = ended if ended > 0.0 else asked
    if w.output_step <= 0.0:
        record(w, t + h, w.new)
    elif w.output_next <= t + h + LATE * w.output_step:
        sample(interpolate, w, h)
    factor = commit(w, h, error)
    w.t = t + h
    for i in range(w.y.shape[0]):
        w.y[i] = w.new[i]
    keep_gaps(w)
    w.steps += 1
    watch_forces(w)
    w.h = asked * factor
    if ended > 0.0:
        happen(w)
        restart(w)
        w.h = w.h_max
        for c in range(w.contacts):
            # a hop should fill most of its step: its end is then found at once
            opens = snapped(w, -w.gap[c, RATE]) > 0.0
            hop = flight(w, c) if opens and w.m[FRONT * c + MODE] <= 0.0 else -1.0
            if hop > 0.0 and w.gap[c, DEPTH] >= -close_to_zero(w, 0.0):
                w.h = min(w.h, 1.3 * hop)
        if w.output_step <= 0.0:
            record(w, w.t, w.y)
    return 0


@kernel
def march(w: March) -> int:
    """Go on until the end, until the tape is full, or until the budget of steps is spent."""
    budget = w.steps + w.rejected + w.budget
    while w.t < w.t_end:
        status = ready(w, budget)
        if status != GO:
            return status
        if w.rows_per_contact > 2:
            w.h = pace(w.h, w)
        error = try_step(attempt, w, w.h, 1.0)
        if not error <= 1.0:
            reject(w, error)
            continue
        ended = end_of_modes(attempt, w) if w.contacts > 0 else 0.0
        move_on(w, error, ended)
        round_end(w)
    return DONE


@kernel
def first(w: March) -> int:
    """Before the first step: contacts that are closed already collide, or rest."""
    t = w.t
    if w.contacts > 0:
        pair_up(t, w.y, w)
        look(w)
        closed = False
        for c in range(w.contacts):
            depth, rate = w.gap[c, DEPTH], w.gap[c, RATE]
            closed = closed or (w.m[FRONT * c + MODE] <= 0.0 and depth >= -close_to_zero(w, rate) and rate >= 0.0)
        if closed:
            w.located_kind = 1
            collide(w)
    return first_row(restart, w)


@dataclass(frozen=True)
class Impact(Method):
    """Event-driven: hard walls, impacts by Newton's and Coulomb's laws, lasting contact as a constraint; between
    events DOP853.

    capture [s]: bounces that last less than this in all are ended by one impact without rebound
    """

    title = "Impact"
    reference = "Schwab, Meijaard, Meijers 2002, section 4; Newton's impact law; DOP853 between impacts"
    works = ("schwab2002", "hairer1993")
    order = 8
    rows = dop853.Dop853.rows
    record = dop853.Dop853.record
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
        w.capture = self.capture
        return super().connect(system, w)
