"""The progress bar of a run: simulated time, share, contacts, pace and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

__all__ = ["Pace", "Tally", "bar", "clock", "counter"]

PATIENCE = 1.0  # a shorter run shows no bar unless it is asked for [s]
WIDTH = 16  # so that all fits in 80 columns
LINES = 10.0  # seconds between two lines of progress where there is no terminal


class Tally(Protocol):
    """What a march has done so far."""

    steps: int
    onsets: int


def _bar(before: str, *after: str) -> Any:
    """A bar of `rich` on the terminal's second stream, with a text before it and others after."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(TextColumn(before), BarColumn(WIDTH), *map(TextColumn, after), console=Console(stderr=True))


@contextmanager
def bar(wanted: bool | None, t0: float, t1: float, tally: Tally) -> Iterator[Callable[[float], None] | None]:
    """A bar on the terminal, once the run has taken a second; it is told the time and reads the tally."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
        return
    shown = _bar("t = {task.fields[now]}", "{task.percentage:>3.0f} %", "{task.description}")
    task = shown.add_task("", total=t1 - t0, now=span_text(t0))
    began, started = time.perf_counter(), False

    def update(t: float) -> None:
        nonlocal started
        spent = time.perf_counter() - began
        said = words(t - t0, t1 - t, spent, tally)
        shown.update(task, completed=t - t0, now=span_text(t), description=said)
        if not started and (wanted or spent > PATIENCE):
            shown.start()
            started = True

    try:
        yield update
    finally:
        if started:
            shown.stop()


class Pace:
    """How many things a second, from those that are finished. Engines hand them over in bursts, the first one after
    what is prepared once: so it is counted from the end of the first burst to that of the last one that has ended."""

    GAP = 0.5  # seconds without a thing that end a burst

    def __init__(self, first: int) -> None:
        self.begin: tuple[float, int] | None = None  # end of the first burst: when, and how many were done
        self.end: tuple[float, int] = (0.0, first)
        self._burst: tuple[float, int] | None = None  # when the present burst began, and what was done last

    def count(self, spent: float, done: int) -> float | None:
        """So many are done after so long [s]: the pace [1/s], None while nobody knows."""
        if done > self.end[1]:
            if self._burst is None or spent - self.end[0] > self.GAP:
                self.begin = self.begin or (self.end if self._burst is not None else None)
                known = self._of(self.end)
                self._burst, self.end = (spent, done), (spent, done)
                return known
            self.end = (spent, done)
        if self.begin is None and self._burst is not None:
            # they come one by one; a burst, however long, is short beside the work before it
            began = self._burst[0]
            if self.end[0] - began > max(self.GAP, 0.5 * began):
                self.begin = self._burst
        return self._of(self.end)

    def _of(self, end: tuple[float, int]) -> float | None:
        if self.begin is None or not end[0] > self.begin[0]:
            return None
        return (end[1] - self.begin[1]) / (end[0] - self.begin[0])


@contextmanager
def counter(wanted: bool | None, noun: str, first: int = 0) -> Iterator[Callable[..., None] | None]:
    """A bar that counts things of which each takes about as long as the others; it is told how many of all are done,
    and a remark. `first` were done before. Wanted where there is no terminal, it is a line now and then."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
        return
    began, started, reported, last = time.perf_counter(), False, 0.0, first
    measured = Pace(first)
    shown = task = None
    if sys.stderr.isatty():
        shown = _bar(f"{{task.completed}} of {{task.total}} {noun}", "{task.percentage:>3.0f} % · {task.description}")
        task = shown.add_task("", total=None)

    def update(done: int, total: int, remark: str = "") -> None:
        nonlocal started, reported, last
        spent = time.perf_counter() - began
        pace = measured.count(spent, done)
        left = "0:00" if done >= total else clock((total - done) / pace) if pace else "?"
        rate = pace if pace else (done - first) / max(spent, 1e-9)
        said = f"{rate:.3g}/s · {left} left{f' · {remark}' * bool(remark)}"
        if shown is not None and task is not None:
            shown.update(task, completed=done, total=total, description=said)
            if not started and (wanted or spent > PATIENCE):
                shown.start()
                started = True
        elif done != last and (done == total or spent - reported > LINES):
            reported, last = spent, done
            print(f"{done} of {total} {noun} · {said}", file=sys.stderr, flush=True)

    try:
        yield update
    finally:
        if started and shown is not None:
            shown.stop()


def words(done: float, left: float, spent: float, tally: Tally) -> str:
    """Contacts, pace and the time left, from the simulated times done and left and the computing time spent [s]."""
    contacts = f"{tally.onsets} contact{'' if tally.onsets == 1 else 's'}"
    if not (done > 0.0 and spent > 0.0):
        # a march that stands still has a pace in steps only
        return f"{contacts} · {tally.steps / max(spent, 1e-9):.3g} steps/s"
    pace = done / spent
    return f"{contacts} · {span_text(pace)}/s · {clock(max(left, 0.0) / pace)} left"


def span_text(t: float) -> str:
    """A simulated time."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(t) >= size:
            return f"{t / size:.4g} {unit}"
    return f"{t * 1e9:.3g} ns" if t else "0 s"


def clock(seconds: float) -> str:
    """A time to wait: 0:42, 3:05:00, or days."""
    if seconds >= 100 * 3600.0:
        return f"{seconds / 86400.0:.3g} days"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
