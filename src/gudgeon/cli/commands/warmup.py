"""gudgeon warmup: compile everything now instead of in the first run."""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Iterator

from gudgeon.cli import screen

__all__ = ["warmup"]


def warmup() -> None:
    """Compile all methods now, so that no run waits for it.

    The compiled code is kept in ~/.cache/gudgeon, or where the variable GUDGEON_CACHE says.

    \b
    Example:
      gudgeon warmup
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from gudgeon.cli.methods import METHODS
    from gudgeon.compile.native import cache

    page = Console(stderr=True)
    columns = (TextColumn("{task.description:<17}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    began, seconds = time.perf_counter(), {}
    # stdout stays as it is: the bar would otherwise send it to stderr
    with Progress(*columns, console=page, transient=True, disable=not page.is_terminal, redirect_stdout=False,
                  redirect_stderr=False) as bar:  # fmt: skip
        task = bar.add_task("", total=len(METHODS))
        for name in METHODS:
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
    from gudgeon.cli.cases import CASES
    from gudgeon.cli.methods import described
    from gudgeon.cli.source import Settings

    settings = Settings(duration=1e-6, method=name, rtol=1e-6, step=None if described(name).adaptive else 1e-7)
    with silent():
        settings.simulate(CASES["schwab2002/sphere"].mechanism(), False)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Without the notice that compiling takes time: the bar says it."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield
