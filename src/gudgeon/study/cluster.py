"""The cluster engine: batches of runs as tasks of dask.distributed. A lost worker costs its batch, which runs again."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from gudgeon.quantity import GudgeonError
from gudgeon.study.design import Point
from gudgeon.study.engine import Crash, Engine, Task, batch_size
from gudgeon.study.job import Job, Outcome

__all__ = ["Cluster"]

AHEAD = 3  # batches in flight for each worker thread
_one_at_a_time = threading.Lock()


def compute_batch(job: Job, batch: Sequence[tuple[int, Point]]) -> list[Outcome]:
    """In a dask worker: some runs, one after the other, whatever number of threads the worker has."""
    with _one_at_a_time:
        return [job.compute(index, point) for index, point in batch]


class Cluster(Engine):
    """A dask scheduler at an address such as "tcp://10.0.0.1:8786"; gudgeon must be installed on its workers."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise GudgeonError(
                'engine "cluster" needs dask.distributed; install it with `pip install "gudgeon[cluster]"`'
            ) from None
        self._dask = distributed
        self.address = address
        self.words = f"cluster {address}"

    def _client(self) -> Any:
        try:
            return self._dask.Client(self.address, timeout="20s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise GudgeonError(f'no dask scheduler answers at "{self.address}": {error}') from None

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        queue = deque(todo)
        flying: dict[Any, list[Task]] = {}
        done, spent = 0, 0.0
        with self._client() as client:
            sent = client.scatter(job, broadcast=False, hash=False)
            alone: deque[Task] = deque()  # of batches that killed their workers
            while queue or alone or flying:
                threads = max(1, sum(client.nthreads().values()))
                pace = spent / done if done else 0.0
                while (queue or alone) and len(flying) < AHEAD * threads:
                    size = 1 if alone else batch_size(len(queue), threads, pace)
                    batch = [alone.popleft() if alone else queue.popleft() for _ in range(size)]
                    points = [(index, point) for index, point, _ in batch]
                    flying[client.submit(compute_batch, sent, points, pure=False, retries=0)] = batch
                for future in self._finished(client, flying):
                    batch = flying.pop(future)
                    for item in self._landed(future, batch, alone):
                        if isinstance(item, Outcome):
                            done, spent = done + 1, spent + item.seconds
                        yield item
                yield None

    def _finished(self, client: Any, flying: dict[Any, list[Task]]) -> list[Any]:
        try:
            return list(self._dask.wait(list(flying), timeout=1.0, return_when="FIRST_COMPLETED").done)
        except (TimeoutError, self._dask.TimeoutError):
            if client.status not in ("running", "connecting"):
                raise self._lost() from None
            return []
        except (self._dask.CancelledError, OSError):
            raise self._lost() from None

    def _landed(self, future: Any, batch: list[Task], alone: deque[Task]) -> Iterator[Outcome | Crash]:
        if future.status == "finished":
            try:
                yield from future.result()
            except (OSError, self._dask.CancelledError):
                # the worker that held the result is gone
                alone.extend(batch)
            return
        if future.status in ("cancelled", "lost"):
            raise self._lost()
        error = future.exception()
        if not isinstance(error, self._dask.scheduler.KilledWorker):
            raise GudgeonError(f"the workers of {self.address} cannot compute this study: {error}")
        if len(batch) > 1:
            # one of them did it; alone it will show
            alone.extend(batch)
            return
        index, point, crashes = batch[0]
        crash = self.crashed((index, point, crashes), f"it killed its workers at {self.address}")
        if not crash.final:
            alone.append((index, point, crash.crashes))
            time.sleep(0.1)
        yield crash

    def _lost(self) -> GudgeonError:
        return GudgeonError(
            f"the scheduler at {self.address} is gone; every run that was finished before is kept: resume"
        )
