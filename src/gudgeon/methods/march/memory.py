"""The record of a march: everything the time loop knows, allocated once in Python, changed in place by compiled code.

A march can be left and entered again at any step, so Python can report progress, empty the tape and stop.
"""

from __future__ import annotations

import math

import numpy as np

from gudgeon.compile.native.record import Floats, Integers, Matrix, Record
from gudgeon.methods.march import columns

# columns of `gap`, one row per contact; those behind the force exist where contacts are hard: slip velocity, friction
# force, and the accelerations of the depth and of the slip
DEPTH, RATE, FORCE, SLIP, FRICTION, SECOND, SLIP_SECOND = range(7)
# how a visit of the time loop ends
DONE, STUCK, FULL, PAUSED, GO = range(5)
# what a step is tried for: to be accepted; to find where a mode ends; to be accepted as what the search came to; to be
# accepted since no mode ends in it. EVENT is no purpose: the step just tried ends at the event
ORDINARY_STEP, SEARCH_STEP, LAST_STEP, WHOLE_STEP, EVENT = range(5)

LINE = 8  # numbers in a line of the processor's cache
GAP_COLUMNS, HARD_GAP_COLUMNS = 3, 7
EVENT_ROWS = 4096  # events recorded between two visits of Python


class March(Record):
    """The state of a march, its settings, its functions and its arrays."""

    # time and step [s], tolerance, and what the march has seen of errors
    t: float
    h: float
    t_end: float
    h_max: float
    output_start: float
    output_step: float  # spacing of recorded rows [s]; 0: every step
    output_next: float
    rtol: float
    size: float  # of the mechanism [m]
    speed: float  # typical of it [m/s]
    drift: float  # largest residual of position constraints, and of velocity constraints
    speed_drift: float
    touch_error: float  # largest depth at which an onset was located [m]
    depth_noise: float  # an event is located when the depth is as small as this [m]
    after_event: float  # first step of a mode relative to the last of the old one; 0: as usual
    # sizes
    positions: int
    velocities: int
    constraints: int
    contacts: int
    controlled: int  # states under error control
    # settings
    budget: int  # steps until the next visit of Python
    projectable: int  # 1: there are constraints, unit lengths or lasting contacts to bring states back to
    projects: int  # 1: steps are projected onto them
    project_every: int  # so many steps
    hard: int  # 1: `restart` decides whether a contact that was touched opens at once
    # counts
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    factorisations: int
    locations: int  # steps tried to locate events
    impacts: int
    together: int  # impacts of several contacts at once
    outputs: int
    rows_recorded: int
    events_recorded: int
    located: int  # the contact whose event was located
    crossing: float  # where in the step, 0 to 1, the first mode seems to end
    # the search for an event: lengths of steps [s], the last two tries, and how the bracket shrinks
    purpose: int  # of the step that is tried
    searched: int  # the contact whose event is looked for
    search_tries: int
    crossed: int  # 1: an end of the bracket is known to lie behind the event
    search_limit: float
    search_low: float
    search_high: float
    search_last: float
    search_last_depth: float  # [m]
    search_depth: float
    search_width: float
    search_wider: float
    # step control: the power of the step in the error, and the logarithm of the last error
    order: float
    log_error: float
    # functions of the system f(t, y, p, m, out), by their addresses; 0: there is none
    rhs_at: int
    gaps_at: int
    project_at: int
    jacobian_at: int
    # the record of the method
    method_at: int
    # states at the start of the step, at its end, and scratch; parameters; memory of the contacts; slopes
    y: Floats
    new: Floats
    out: Floats
    p: Floats
    m: Floats
    k: Matrix
    atol: Floats
    # contacts: depth, rate, force ... at the start of the step, at its end, elsewhere
    gap: Matrix
    gap_new: Matrix
    gap_within: Matrix
    gap_before: Matrix
    # of each contact since its onset: largest force and when, largest depth; how the force changes; a peak lies within
    peak_force: Floats
    peak_time: Floats
    peak_depth: Floats
    slope: Floats
    crest: Floats
    # of each contact: place of its first friction state in y, and how many there are
    bristle_first: Integers
    bristle_count: Integers
    correction: Floats  # result of the projection
    tape: Matrix
    events: Matrix


_spare: dict[tuple[int, ...], list[tuple[March, tuple[np.ndarray, np.ndarray]]]] = {}
SPARE = 4  # of each size


class Memory:
    """A record of a march with its buffers. When the march is over, the next one of the same size takes them, which
    saves a tenth of a short run."""

    def __init__(self, states: int, memory: int, contacts: int, rows: int, correction: int, tape: int,
                 gap_columns: int = GAP_COLUMNS) -> None:  # fmt: skip
        """`tape` is the number of rows recorded between two visits of Python, `gap_columns` how many numbers the
        function of gaps gives of each contact."""
        self.sizes = (states, memory, contacts, rows, max(1, correction), tape, gap_columns)
        waiting = _spare.get(self.sizes)
        self.march, self.buffers = waiting.pop() if waiting else _allocate(*self.sizes)
        for buffer in self.buffers:  # all but the large arrays are parts of these
            buffer.fill(0)
        self.march.clear()

    def give_back(self) -> None:
        """Nothing of the march is read any more."""
        waiting = _spare.setdefault(self.sizes, [])
        if len(waiting) < SPARE:
            waiting.append((self.march, self.buffers))


def _allocate(states: int, memory: int, contacts: int, rows: int, correction: int, tape: int,
              gap_columns: int) -> tuple[March, tuple[np.ndarray, np.ndarray]]:  # fmt: skip
    """New arrays, the small ones as parts of two buffers."""
    width, touching = 1 + states + memory, max(1, contacts)
    gaps = (touching, gap_columns)
    floats: dict[str, tuple[int, ...]] = {
        "y": (states,), "new": (states,), "out": (states,), "m": (memory,), "k": (rows, states), "atol": (states,),
        "gap": gaps, "gap_new": gaps, "gap_within": gaps, "gap_before": gaps,
        "peak_force": (touching,), "peak_time": (touching,), "peak_depth": (touching,), "slope": (touching,),
        "crest": (touching,), "correction": (correction,),
    }  # fmt: skip
    integers: dict[str, tuple[int, ...]] = {"bristle_first": (touching,), "bristle_count": (touching,)}
    parts: dict[str, np.ndarray] = {}
    buffers = []
    for shapes, kind in ((floats, np.float64), (integers, np.int64)):
        # every part begins on a line of its own of the processor's cache
        starts = np.cumsum([0, *(-(-math.prod(shape) // LINE) * LINE for shape in shapes.values())])
        whole = np.zeros(starts[-1], kind)
        for start, (name, shape) in zip(starts, shapes.items(), strict=False):
            parts[name] = whole[start : start + math.prod(shape)].reshape(shape)
        buffers.append(whole)
    # the large ones are written before they are read
    parts |= {"tape": np.empty((tape, width)), "events": np.empty((EVENT_ROWS, columns.HEADER + width - 1))}
    return March(**parts), (buffers[0], buffers[1])
