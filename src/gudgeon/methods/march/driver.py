"""Runs a march: allocates its arrays, enters the compiled loop, empties the tape, watches for the end."""

from __future__ import annotations

import math
import threading
import time

# what the module signal wraps in enumerations, which cost more than the steps of a short march
from _signal import SIGINT, getsignal, signal  # type: ignore[import-not-found]
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from gudgeon.assemble import System
from gudgeon.assemble.contact.memory import touching
from gudgeon.compile.graph.grades import used
from gudgeon.ctrl_c import ends_the_program
from gudgeon.methods.contract import Method
from gudgeon.methods.march.memory import DONE, FULL, GAP_COLUMNS, HARD_GAP_COLUMNS, PAUSED, STUCK, March, Memory
from gudgeon.methods.march.scales import SHARE, measure
from gudgeon.quantity import GudgeonError

TAPE_ROWS = 4096
BUDGET = 20_000  # steps between two visits of Python, in the end; at first few, for better code may be worth its while
FIRST, FEWEST, WORK = 1_000, 100, 2_000_000  # steps before the first visit: of so many operations, but within limits
OFTEN = 1e-7  # looser than this, every step is projected; tighter, every fourth


class StopMarch(Exception):
    """Raised by a receiver of rows or progress to end the march; what was computed is kept."""


class _CtrlC:
    """Holds Ctrl-C back while results are handed over, so that none is lost or doubled; a second one is not held, nor
    one that ends the program."""

    def __enter__(self) -> _CtrlC:
        self.requested = False
        self._before = getsignal(SIGINT)
        main = threading.current_thread() is threading.main_thread()
        self._held = main and callable(self._before) and not ends_the_program()
        if self._held:
            signal(SIGINT, self._note)
        return self

    def _note(self, number: int, frame: object) -> None:
        if self.requested:
            self._before(number, frame)
        self.requested = True

    def __exit__(self, *_: object) -> None:
        if self._held:
            signal(SIGINT, self._before)


@dataclass
class Tape:
    """What a march leaves: rows (t, y, m), events and counts."""

    events: np.ndarray
    t: float
    y: np.ndarray
    m: np.ndarray
    complete: bool
    stuck: bool
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    locations: int = 0
    drift: float = 0.0
    speed_drift: float = 0.0
    touch_error: float = 0.0
    impacts: int = 0
    together: int = 0
    touching: list[int] = field(default_factory=list)
    peaks: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # of each contact: force, time, depth
    interrupted: bool = False
    stopped: str = ""
    jacobians: int = 0
    factorisations: int = 0


def run(system: System, method: Method, t0: float, t1: float, *, y: np.ndarray | None = None,
        m: np.ndarray | None = None, output: float = 0.0, longest: float | None = None,
        on_rows: Callable[[np.ndarray], None], on_progress: Callable[[float], None] | None = None,
        on_visit: Callable[[float, int, list[np.ndarray]], None] | None = None,
        loop: Callable[[March], int] | None = None, whole: bool = True) -> Tape:  # fmt: skip
    """March from t0 to t1 [s]. `output` [s] is the spacing of the rows, 0 for every step; no step is longer
    than `longest` [s].

    Rows are handed to `on_rows` in blocks, so memory does not grow with the length of the run. Ctrl-C ends the march
    between blocks: a KeyboardInterrupt, or, unless the `whole` is needed, the tape up to there. `on_visit` gets the
    time, the steps tried so far and the blocks of events, each time Python has the word. `loop` takes the place of the
    loop of the method.
    """
    memory = memory_for(system, method)
    w = memory.march
    begin(w, system, method, t0, t1, y, m, output, longest)
    kept = method.connect(system, w)
    march = loop or Shared(system, method)
    events: list[np.ndarray] = []
    status, interrupted, stopped = PAUSED, False, ""
    try:
        while status in (PAUSED, FULL) and not interrupted:
            with _CtrlC() as ctrl_c:
                status = march(w)
                w.budget = min(2 * w.budget, BUDGET)
                _empty(w, events, on_rows)
            interrupted = ctrl_c.requested
            if on_visit is not None:
                on_visit(w.t, w.steps + w.rejected, events)
            if on_progress is not None:
                on_progress(w.t)
    except KeyboardInterrupt:
        interrupted = True
    except StopMarch as reason:
        stopped = str(reason)
    del kept
    tape = Tape(
        events=events[0] if len(events) == 1 else np.concatenate([np.zeros((0, w.events.shape[1])), *events]),
        t=w.t, y=w.y.copy(), m=w.m.copy(), complete=status == DONE, stuck=status == STUCK,
        steps=w.steps, rejected=w.rejected, evaluations=w.evaluations, locations=w.locations,
        drift=w.drift, speed_drift=w.speed_drift, touch_error=w.touch_error, impacts=w.impacts, together=w.together,
        touching=touching(w.m, system.events),
        peaks=np.column_stack((w.peak_force, w.peak_time, w.peak_depth)),
        interrupted=interrupted, stopped=stopped, jacobians=w.jacobians, factorisations=w.factorisations,
    )  # fmt: skip
    memory.give_back()
    if interrupted and (whole or tape.complete):  # where nothing is left out, nobody would hear of it
        raise KeyboardInterrupt
    return tape


class Shared:
    """The loop of a method, which all mechanisms share; called with the record of a march it goes on. `seconds`: how
    long it did so the last time."""

    def __init__(self, system: System, method: Method) -> None:
        self._system = system
        self._first, self._march = method.compiled()

    def __call__(self, w: March) -> int:
        began = time.perf_counter()
        if w.steps + w.rejected == 0:
            self._first(w)
        status = int(self._march(w))
        self.seconds = time.perf_counter() - began
        used(self._system.addresses.values(), self.seconds)
        return status


def _empty(w: March, events: list[np.ndarray], on_rows: Callable[[np.ndarray], None]) -> None:
    """Hand over what the march has left so far; events first, since a receiver of rows may end the march."""
    if w.events_recorded:
        events.append(w.events[: w.events_recorded].copy())
        w.events_recorded = 0
    if w.rows_recorded:
        on_rows(w.tape[: w.rows_recorded].copy())
        w.rows_recorded = 0


def memory_for(system: System, method: Method) -> Memory:
    """Memory for marches of a system by a method."""
    _check(system, method)
    correction = system.positions + system.velocities + 2 * system.rows
    return Memory(system.states, system.memory, system.events, method.rows, correction, TAPE_ROWS,
                  HARD_GAP_COLUMNS if system.needs.delassus else GAP_COLUMNS)  # fmt: skip


def begin(w: March, system: System, method: Method, t0: float, t1: float, y: np.ndarray | None, m: np.ndarray | None,
           output: float, longest: float | None) -> None:  # fmt: skip
    """The record as a march starts with it."""
    at = system.addresses
    w.rhs_at, w.gaps_at, w.project_at = at["rhs"], at.get("gaps", 0), at.get("project", 0)
    w.jacobian_at = at.get("jacobian", 0)
    w.positions, w.velocities, w.constraints = system.positions, system.velocities, system.rows
    w.contacts, w.controlled, w.projects = system.events, system.controlled, int(system.projected)
    w.projectable = int(system.rows > 0 or system.positions != system.velocities or system.needs.delassus)
    w.budget = min(BUDGET, FIRST, max(FEWEST, WORK // max(1, max(system.code.operations.values()))))
    w.project_every = 4 if method.rtol < OFTEN else 1
    w.p = system.p
    w.y[:] = system.y0 if y is None else y
    if m is not None:
        w.m[:] = m
    w.bristle_first[:], w.bristle_count[:] = system.bristles[::2], system.bristles[1::2]
    # errors are averaged over all states, those that are constant and left out among them
    reduction = system.layout.reduction
    share = math.sqrt((reduction.controlled if reduction else system.controlled) / max(1, system.controlled))
    w.size, w.speed = system.size, measure(system, w.y, SHARE * method.rtol, w.atol)
    w.atol *= share
    w.rtol = share * method.rtol
    w.depth_noise, w.after_event = method.noise * method.rtol * system.size, method.after
    w.t, w.t_end, w.output_step = t0, t1, output
    w.h_max, w.h = method.step_lengths(t1 - t0, longest or (t1 - t0) / 20)


def _check(system: System, method: Method) -> None:
    missing = system.needs.lacks(method.needs(), contacts=system.events > 0)
    if missing:
        raise GudgeonError(f"{method.title} needs {' and '.join(missing)}; assemble(..., method.needs())")
