"""The progress bar of a run: simulated time, share, contacts, pace and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Tally", "bar", "clock", "counter"]

PATIENCE = 1.0  # a shorter run shows no bar unless it is asked for [s]
WIDTH = 16  # so that all fits in 80 columns
LINES = 10.0  # seconds between two lines of progress where there is no terminal


class Tally(Protocol):
    """What a march has done so far."""

    steps: int
    onsets: int


@contextmanager
def bar(wanted: bool | None, t0: float, t1: float, tally: Tally) -> Iterator[Callable[[float], None] | None]:
    """A bar on the terminal, once the run has taken a second; it is told the time and reads the tally."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    shown = Progress(TextColumn("t = {task.fields[now]}"), BarColumn(WIDTH), TextColumn("{task.percentage:>3.0f} %"),
                     TextColumn("{task.description}"), console=Console(stderr=True))  # fmt: skip
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


@contextmanager
def counter(wanted: bool | None, total: int, done: int) -> Iterator[Callable[[int, int], None]]:
    """Progress of a study: it is told how many runs are finished and how many of them have no result.

    A bar on a terminal; where stderr is none and progress is wanted, a line now and then.
    """
    began, first = time.perf_counter(), done

    def text(finished: int, bad: int) -> str:
        spent = time.perf_counter() - began
        failed = f" · {bad} without result" if bad else ""
        pace = (finished - first) / spent if spent > 0.0 else 0.0
        if not pace:
            return f"{finished} of {total} runs{failed}"
        return f"{finished} of {total} runs{failed} · {pace:.3g} runs/s · {clock((total - finished) / pace)} left"

    terminal = sys.stderr.isatty()
    if wanted is False or (wanted is None and not terminal):
        yield lambda finished, bad: None
    elif terminal:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        shown = Progress(BarColumn(WIDTH), TextColumn("{task.percentage:>3.0f} %"), TextColumn("{task.description}"),
                         console=Console(stderr=True))  # fmt: skip
        task = shown.add_task(text(done, 0), total=total, completed=done)
        with shown:
            yield lambda finished, bad: shown.update(task, completed=finished, description=text(finished, bad))
    else:
        told, last = began, done

        def line(finished: int, bad: int) -> None:
            nonlocal told, last
            now = time.perf_counter()
            if finished != last and (finished == total or now - told > LINES):
                told, last = now, finished
                print(text(finished, bad), file=sys.stderr, flush=True)

        yield line
