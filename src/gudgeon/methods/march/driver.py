"""Runs a march: allocates its arrays, enters the compiled loop, empties the tape, watches for the end."""

from __future__ import annotations

import math
import threading

# what the module signal wraps in enumerations, which cost more than the steps of a short march
from _signal import SIGINT, signal  # type: ignore[import-not-found]
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from gudgeon.assemble import System
from gudgeon.methods.contract import (
    AFTER,
    CONTROL_SIZE,
    CONTROLLED,
    DEPTH_NOISE,
    EVALUATIONS,
    FACTORISATIONS,
    JACOBIAN,
    JACOBIANS,
    Method,
)
from gudgeon.methods.march import memory as W
from gudgeon.methods.march.scales import SHARE, measure
from gudgeon.quantity import GudgeonError, in_words

TAPE_ROWS = 4096
BUDGET = 20_000  # steps between two visits of Python
OFTEN = 1e-7  # looser than this, every step is projected; tighter, every fourth


class StopMarch(Exception):
    """Raised by a receiver of rows or progress to end the march; what was computed is kept."""


class _CtrlC:
    """Holds Ctrl-C back while results are handed over, so that none is lost or doubled; a second one is not held."""

    def __enter__(self) -> _CtrlC:
        self.asked = False
        self._held = threading.current_thread() is threading.main_thread()
        if self._held:
            self._before = signal(SIGINT, self._note)
        return self

    def _note(self, *_: object) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

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
    peaks: np.ndarray = field(default_factory=lambda: np.zeros((0, W.PEAK_SIZE)))
    interrupted: bool = False
    stopped: str = ""
    jacobians: int = 0
    factorisations: int = 0


def run(system: System, method: Method, t0: float, t1: float, *, y: np.ndarray | None = None,
        m: np.ndarray | None = None, output: float = 0.0, longest: float | None = None,
        on_rows: Callable[[np.ndarray], None], on_progress: Callable[[float], None] | None = None,
        on_visit: Callable[[float, int, list[np.ndarray]], None] | None = None,
        loop: Callable[[W.Work], int] | None = None) -> Tape:  # fmt: skip
    """March from t0 to t1 [s]. `output` [s] is the spacing of the rows, 0 for every step; no step is longer
    than `longest` [s].

    Rows are handed to `on_rows` in blocks, so memory does not grow with the length of the run; a KeyboardInterrupt
    between blocks ends the march and keeps what was computed. `on_visit` gets the time, the steps tried so far and
    the blocks of events, each time Python has the word. `loop` takes the place of the loop of the method.
    """
    w = _work(system, method, t0, t1, y, m, output, longest)
    march = loop or method.march()
    kept = method.connect(system, w.control)
    w.control[DEPTH_NOISE], w.control[AFTER] = method.noise * method.rtol * system.size, method.after
    if loop is None:
        method.prepare(w)
    events: list[np.ndarray] = []
    status, interrupted, stopped = W.PAUSED, False, ""
    try:
        while status in (W.PAUSED, W.FULL) and not interrupted:
            with _CtrlC() as ctrl_c:
                status = march(w)
                _empty(w, events, on_rows)
            interrupted = ctrl_c.asked
            if on_visit is not None:
                on_visit(float(w.clock[W.T]), int(w.count[W.STEPS] + w.count[W.REJECTED]), events)
            if on_progress is not None:
                on_progress(float(w.clock[W.T]))
    except KeyboardInterrupt:
        interrupted = True
    except StopMarch as reason:
        stopped = str(reason)
    del kept
    found = events[0] if len(events) == 1 else np.concatenate([np.zeros((0, w.events.shape[1])), *events])
    clock, count, control = w.clock.tolist(), w.count.tolist(), w.control.tolist()
    tape = Tape(
        found, clock[W.T], w.y.copy(), w.m.copy(),
        status == W.DONE, status == W.STUCK, count[W.STEPS], count[W.REJECTED],
        int(control[EVALUATIONS]), count[W.LOCATIONS], clock[W.DRIFT], clock[W.SPEED_DRIFT], clock[W.TOUCH_ERROR],
        count[W.IMPACTS], count[W.TOGETHER],
        [c for c in range(system.events) if w.m[2 * c] > 0.0], w.peak.copy(), interrupted, stopped,
        int(control[JACOBIANS]), int(control[FACTORISATIONS]),
    )  # fmt: skip
    W.give_back(w)
    return tape


def _empty(w: W.Work, events: list[np.ndarray], on_rows: Callable[[np.ndarray], None]) -> None:
    """Hand over what the march has left so far; events first, since a receiver of rows may end the march."""
    if w.count[W.EVENTS]:
        events.append(w.events[: w.count[W.EVENTS]].copy())
        w.count[W.EVENTS] = 0
    if w.count[W.TAPE]:
        on_rows(w.tape[: w.count[W.TAPE]].copy())
        w.count[W.TAPE] = 0


def _work(system: System, method: Method, t0: float, t1: float, y: np.ndarray | None, m: np.ndarray | None,
          output: float, longest: float | None) -> W.Work:  # fmt: skip
    _check(system, method)
    velocities = system.velocities
    fix = system.positions + velocities + 2 * system.rows
    jump = velocities + len(system.report.constraint_names) + 1 if system.needs.delassus else 0
    w = W.allocate(system.states, system.memory, system.events, method.work_rows(system.states), fix, system.p,
                   TAPE_ROWS, CONTROL_SIZE, jump, system.rows_per_contact)  # fmt: skip
    w.address[:] = system.table
    if system.needs.delassus:
        w.place[:, :2] = system.ledger_places
    w.y[:] = system.y0 if y is None else y
    if m is not None:
        w.m[:] = m
    w.bristle[:] = system.bristles
    # errors are averaged over all states, those that are constant and left out among them
    reduction = system.layout.reduction
    share = math.sqrt((reduction.shared if reduction else system.controlled) / max(1, system.controlled))
    speed = measure(system, w.y, SHARE * method.rtol, w.atol)
    w.atol[:] *= share
    w.clock[W.T], w.clock[W.T_END], w.clock[W.RTOL] = t0, t1, share * method.rtol
    w.clock[W.OUT_STEP] = output
    w.clock[W.SIZE], w.clock[W.SPEED] = system.size, speed
    longest = method.step or longest or (t1 - t0) / 20
    w.clock[W.H_MAX] = longest
    w.clock[W.H] = longest if not method.adaptive else min(1e-7 * max(t1 - t0, 1e-3), longest)
    for place, value in (
        (W.POSITIONS, system.positions), (W.VELOCITIES, velocities),
        (W.ROWS, system.rows), (W.CONTACTS, system.events), (W.BUDGET, BUDGET), (W.FIXED, int(system.projected)),
        (W.PROJECT_EVERY, 4 if method.rtol < OFTEN else 1),
    ):  # fmt: skip
        w.count[place] = value
    w.control[CONTROLLED] = system.controlled
    w.control[JACOBIAN] = system.addresses.get("jacobian", 0)
    return w


def _check(system: System, method: Method) -> None:
    missing = system.needs.lacks(method.needs(), contacts=system.events > 0)
    if missing:
        raise GudgeonError(f"{method.title} needs {in_words(missing)}; assemble(..., method.needs())")
