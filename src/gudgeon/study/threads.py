"""The engine "threads": runs side by side in threads of this process.

The time loop lets go of Python's lock, so threads march at the same time and share what is compiled; what surrounds a
march, assembling and measuring, does not. It suits long runs, and laws and measures that no other process can have. A
run that takes the process with it takes all: `local` is the default.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from gudgeon.study.engine import Crash, Engine, Task
from gudgeon.study.job import Job, Outcome
from gudgeon.study.local import TICK, cores

__all__ = ["Threads"]


class Threads(Engine):
    """So many threads; default: one for each core."""

    prompt = True

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or cores()
        self.words = f"{self.threads} threads"

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        left = deque(todo)
        with ThreadPoolExecutor(self.threads, thread_name_prefix="gudgeon") as pool:
            running: set[Future[Outcome]] = set()
            try:
                while left or running:
                    while left and len(running) < self.threads:
                        index, point, _ = left.popleft()
                        running.add(pool.submit(job.compute, index, point))
                    done, running = wait(running, TICK, FIRST_COMPLETED)
                    yield from (future.result() for future in done)
                    if not done:
                        yield None
            finally:
                for future in running:
                    future.cancel()
