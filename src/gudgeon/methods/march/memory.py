"""The arrays of a march, bundled: allocated once in Python, changed in place by the compiled loop.

A march can be left and entered again at any step, so Python can report progress, empty the tape and stop.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from gudgeon.compile.native.kernel import INTEGERS, MATRIX, TABLE, VECTOR

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


LINE = 8  # numbers in a line of the cache


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

    @property
    def sizes(self) -> tuple[int, ...]:
        """As `allocate` takes them."""
        return (len(self.y), len(self.m), len(self.place) - 1, len(self.k), len(self.fix), len(self.tape),
                len(self.control), len(self.jump), int(self.count[EACH]))  # fmt: skip


WORK = types.NamedTuple(
    [INTEGERS, VECTOR, INTEGERS, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR,
     VECTOR, MATRIX, INTEGERS, VECTOR, MATRIX, MATRIX, VECTOR, VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, TABLE],
    Work,
)  # fmt: skip


_spare: dict[tuple[int, ...], list[Work]] = {}  # arrays of marches that are over, by their sizes
SPARE = 4  # of each size


def give_back(w: Work) -> None:
    """The march is over, and nothing of its arrays is read any more: the next one of the same size takes them, which
    saves a tenth of a short run."""
    waiting = _spare.setdefault(w.sizes, [])
    if len(waiting) < SPARE:
        waiting.append(w)


def allocate(states: int, memory: int, contacts: int, rows: int, fix: int, p: np.ndarray, tape: int,
             control: int, jump: int = 0, each: int = 2) -> Work:  # fmt: skip
    """Arrays of a march of this size; `tape` is the number of rows recorded between two visits of Python, `jump` the
    length of what a kick gives where contacts are rigid, `each` their number of rows."""
    fix, jump = max(1, fix), max(1, jump)
    try:
        w = _spare[states, memory, contacts, rows, fix, tape, control, jump, each].pop()
    except (KeyError, IndexError):
        w = _made(states, memory, contacts, rows, fix, tape, control, jump, each, p)
    for buffer in (w.clock.base, w.count.base):  # all but the large arrays are parts of these
        buffer.fill(0)
    w.place.fill(-1)
    w.count[EACH] = each
    return w if w.p is p else w._replace(p=p)


def _made(states: int, memory: int, contacts: int, rows: int, fix: int, tape: int, control: int, jump: int, each: int,
          p: np.ndarray) -> Work:  # fmt: skip
    """New arrays, the small ones as parts of two."""
    width, rigid, touching = 1 + states + memory, jump > 1, max(1, contacts)
    gaps, pair = max(1, (RIGID_STRIDE if rigid else STRIDE) * contacts), each * contacts if rigid else 1
    floats: dict[str, tuple[int, ...]] = {
        "clock": (CLOCK_SIZE,), "y": (states,), "new": (states,), "out": (states,), "m": (memory,), "k": (rows, states),
        "control": (control,), "atol": (states,), "gap": (gaps,), "gap_new": (gaps,), "gap_within": (gaps,),
        "peak": (touching, PEAK_SIZE), "fix": (fix,), "pairs": (pair * pair + 2 * pair,), "impulse": (pair,),
        "aim": (pair,), "jump": (jump,), "dense": (3 * contacts + 1, 3 * contacts + 3), "kept": (pair,),
    }  # fmt: skip
    integers: dict[str, tuple[int, ...]] = {
        "address": (6,), "count": (COUNT_SIZE,), "bristle": (2 * touching,), "place": (contacts + 1, 3),
    }  # fmt: skip
    parts: dict[str, np.ndarray] = {}
    for shapes, kind in ((floats, np.float64), (integers, np.int64)):
        # every part begins on a line of its own of the cache
        starts = np.cumsum([0, *(-(-math.prod(shape) // LINE) * LINE for shape in shapes.values())])
        whole = np.zeros(starts[-1], kind)
        for start, (name, shape) in zip(starts, shapes.items(), strict=False):
            parts[name] = whole[start : start + math.prod(shape)].reshape(shape)
    # the large ones are written before they are read
    parts |= {"tape": np.empty((tape, width)), "events": np.empty((4096, E_SIZE + width - 1))}
    return Work(p=p, **parts)
