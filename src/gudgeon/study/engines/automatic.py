"""The engine "auto": the fastest that can do a study on this computer.

Threads do ten times as many runs as processes, because nothing of Python is around a march; but a program for the
mechanism is compiled first, and they cannot do everything (`Gpu.check`). So a study of some size goes to threads where
they can do it, else to processes. Results differ by rounding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gudgeon.quantity import GudgeonError
from gudgeon.study.engines.engine import Crash, Engine, Task
from gudgeon.study.engines.job import Job, Outcome
from gudgeon.study.engines.local import Local
from gudgeon.study.engines.threads import Threads

__all__ = ["Automatic"]

FEW = 64  # runs: fewer are done by processes before a program for threads is compiled


class Automatic(Engine):
    """Threads, and processes for what they cannot do. `runs`: how many there are."""

    def __init__(self, runs: int) -> None:
        self.threads, self.processes = Threads(), Local(None)
        self.by_threads = runs >= FEW

    @property
    def words(self) -> str:  # type: ignore[override]
        return self.threads.words if self.by_threads else self.processes.words

    def check(self, job: Job) -> None:
        if self.by_threads:
            try:
                self.threads.check(job)
            except GudgeonError:
                self.by_threads = False

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        left = {task[0]: task for task in todo}
        if self.by_threads:
            try:
                for item in self.threads.outcomes(job, todo):
                    if isinstance(item, Outcome):
                        del left[item.index]
                    yield item
            except GudgeonError:
                self.by_threads = False  # the mechanism is none for threads: such as one with hard walls
        if not self.by_threads:
            yield from self.processes.outcomes(job, list(left.values()))
