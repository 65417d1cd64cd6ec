"""Compile all methods now, so that no run waits for it.

The compiled code is kept in ~/.cache/gudgeon, or where the variable GUDGEON_CACHE says.

\b
Example:
  gudgeon warmup
"""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator

from gudgeon.cli import screen
from gudgeon.compile.native import cache
from gudgeon.methods import methods
from gudgeon.papers import schwab2002
from gudgeon.simulation import simulate

__all__ = ["command"]


def command() -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    page = Console(stderr=True)
    columns = (TextColumn("{task.description:<17}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    began, seconds = time.perf_counter(), {}
    # stdout stays as it is: the bar would otherwise send it to stderr
    with Progress(*columns, console=page, transient=True, disable=not page.is_terminal, redirect_stdout=False,
                  redirect_stderr=False) as bar:  # fmt: skip
        task = bar.add_task("", total=len(methods()))
        for name in methods():
            # drawn now: nothing else runs while machine code is made
            bar.update(task, description=f"compiling {name}", refresh=True)
            started = time.perf_counter()
            compile_method(name)
            seconds[name] = time.perf_counter() - started
            bar.advance(task)
    for name, spent in seconds.items():
        print(f"{name:<8} ready  {spent:5.1f} s")
    screen.say(f"all methods ready in {time.perf_counter() - began:.1f} s; the code is kept in {cache.directory()}")


def compile_method(name: str) -> None:
    """A short run with the method."""
    step = None if methods()[name].adaptive else 1e-7
    with silent():
        simulate(schwab2002.sphere(), duration=1e-6, method=name, rtol=1e-6, step=step, progress=False)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Without the notice that compiling takes time: the bar says it."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield
