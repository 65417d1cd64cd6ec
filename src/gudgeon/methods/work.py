"""The arrays of a march, bundled: allocated once in Python, changed in place by the compiled loop.

A march can be left and entered again at any step, so Python can report progress, empty the tape and stop.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from gudgeon.native.kernel import INTEGERS, MATRIX, TABLE, VECTOR

# places in `clock`
(T, H, T_END, H_MAX, OUT_START, OUT_STEP, OUT_NEXT, RTOL, DRIFT, SPEED_DRIFT, TOUCH_ERROR,
 SIZE, SPEED, CAPTURE, CLOCK_SIZE) = range(15)  # fmt: skip
# places in `count`
(STEPS, REJECTED, POSITIONS, VELOCITIES, ROWS, CONTACTS, TAPE, EVENTS, OUTPUTS, BUDGET,
 FIXED, LOCATIONS, PROJECT_EVERY, LOCATED, LOCATED_KIND, IMPACTS, TOGETHER, EACH, COUNT_SIZE) = range(19)  # fmt: skip
# places in `address`
RHS, GAPS, PROJECT, PAIRS, KICK, PULL = range(6)  # the last three where contacts are rigid
# what the function at GAPS gives for each contact: gap[STRIDE * contact + DEPTH] and so on
DEPTH, RATE, FORCE, STRIDE = range(4)
# and what it gives behind these where contacts are rigid
SLIP, FRICTION, SECOND, SLIP_SECOND, RIGID_STRIDE = range(3, 8)
# columns of `peak`, one row per contact: what happened since its onset
PEAK_FORCE, PEAK_TIME, PEAK_DEPTH, SLOPE, CREST, PEAK_SIZE = range(6)
# columns of an event before y and m
E_TIME, E_CONTACT, E_KIND, E_DEPTH, E_RATE, E_FORCE, E_FORCE_TIME, E_MAX_DEPTH, E_SIZE = range(9)
ONSET, RELEASE, IMPACT = 1.0, 0.0, 2.0
# what an impact has in the columns of a contact: opening speed after, impulses, effective mass
E_REBOUND, E_IMPULSE, E_MASS, E_RUB = E_DEPTH, E_FORCE, E_FORCE_TIME, E_MAX_DEPTH

# values of `status`
DONE, STUCK, FULL, PAUSED, GO = range(5)


class Work(NamedTuple):
    address: Any
    clock: Any
    count: Any
    y: Any
    new: Any
    out: Any
    p: Any
    m: Any
    k: Any
    control: Any
    atol: Any
    gap: Any  # depth, rate and normal force of each contact at the start of the step
    gap_new: Any  # the same at its end
    gap_within: Any  # the same elsewhere
    peak: Any
    bristle: Any  # of each contact: place of its first friction state in y, and how many there are
    fix: Any  # result of the projection
    tape: Any
    events: Any
    pairs: Any  # rigid contacts: W, then restitution, friction, opening speed and slip of each
    impulse: Any  # normal and tangential, of each
    aim: Any  # what the row speeds would be without impulses
    jump: Any  # result of a kick
    dense: Any  # a small linear system, or the tableau of methods.lemke
    kept: Any  # impulses put aside
    place: Any  # of each: two integrals of the energy ledger in y, or -1; then a scratch flag; last row: that of drives


WORK = types.NamedTuple(
    [INTEGERS, VECTOR, INTEGERS, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR,
     VECTOR, MATRIX, INTEGERS, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, TABLE],
    Work,
)  # fmt: skip


def allocate(states: int, memory: int, contacts: int, rows: int, fix: int, p: np.ndarray, tape: int,
             control: int, jump: int = 0, each: int = 2) -> Work:  # fmt: skip
    """Arrays of a march of this size; `tape` is the number of rows recorded between two visits of Python, `jump` the
    length of what a kick gives where contacts are rigid, `each` their number of rows."""
    width = 1 + states + memory
    gaps, pair = max(1, (RIGID_STRIDE if jump else STRIDE) * contacts), each * contacts if jump else 1
    made = Work(
        address=np.zeros(6, np.int64), clock=np.zeros(CLOCK_SIZE), count=np.zeros(COUNT_SIZE, np.int64),
        y=np.zeros(states), new=np.zeros(states), out=np.zeros(states), p=p, m=np.zeros(memory),
        k=np.zeros((rows, states)), control=np.zeros(control), atol=np.zeros(states),
        gap=np.zeros(gaps), gap_new=np.zeros(gaps), gap_within=np.zeros(gaps),
        peak=np.zeros((max(1, contacts), PEAK_SIZE)),
        bristle=np.zeros(2 * max(1, contacts), np.int64), fix=np.zeros(max(1, fix)),
        # written before they are read; making them zero would take longer than a short run
        tape=np.empty((tape, width)), events=np.empty((4096, E_SIZE + width - 1)),
        pairs=np.zeros(pair * pair + 2 * pair), impulse=np.zeros(pair), aim=np.zeros(pair), jump=np.zeros(max(1, jump)),
        dense=np.zeros((3 * contacts + 1, 3 * contacts + 3)), kept=np.zeros(pair),
        place=np.full((contacts + 1, 3), -1, np.int64),
    )  # fmt: skip
    made.count[EACH] = each
    return made
