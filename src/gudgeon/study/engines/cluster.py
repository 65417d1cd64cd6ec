"""The cluster engine: batches of runs as tasks of dask.distributed. A lost worker costs its batch, which runs again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from gudgeon.quantity import GudgeonError
from gudgeon.study.engines.engine import Crash, Engine, Task, batch_size
from gudgeon.study.engines.job import Job, Outcome
from gudgeon.study.points.design import Point

__all__ = ["Cluster"]

AHEAD = 3  # batches in flight for each worker thread
_one_at_a_time = threading.Lock()


def compute_batch(job: Job, batch: Sequence[tuple[int, Point]]) -> list[Outcome]:
    """In a dask worker: some runs, one after the other, whatever number of threads the worker has."""
    with _one_at_a_time:
        return [job.compute(index, point) for index, point in batch]


class Cluster(Engine):
    """A dask scheduler at an address such as "tcp://10.0.0.1:8786"; gudgeon must be installed on its workers."""

    patience = "20s"

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
            return self._dask.Client(self.address, timeout=self.patience, set_as_default=False)
        except (OSError, ValueError) as error:
            raise GudgeonError(f'no dask scheduler answers at "{self.address}": {error}') from None

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        queue = deque(todo)
        # dask suspects all that waited on a dead worker; alone, with nothing else in flight, it shows which run it was
        suspects: deque[Task] = deque()
        flying: dict[Any, list[Task]] = {}
        lone, done, spent = None, 0, 0.0
        with self._client() as client:
            while queue or suspects or flying:
                threads = max(1, sum(client.nthreads().values()))
                pace = spent / done if done else 0.0
                while queue and len(flying) < AHEAD * threads:
                    size = batch_size(len(queue), threads, pace)
                    self._submit(client, job, [queue.popleft() for _ in range(size)], flying)
                if suspects and not flying:
                    lone = self._submit(client, job, [suspects.popleft()], flying)
                for future in self._finished(client, flying):
                    for item in self._landed(future, flying.pop(future), suspects, future is lone):
                        if isinstance(item, Outcome):
                            done, spent = done + 1, spent + item.seconds
                        yield item
                yield None

    def _submit(self, client: Any, job: Job, batch: list[Task], flying: dict[Any, list[Task]]) -> Any:
        points = [(index, point) for index, point, _ in batch]
        # the job goes with each task: what is scattered is lost with the worker that holds it
        future = client.submit(compute_batch, job, points, pure=False)
        flying[future] = batch
        return future

    def _finished(self, client: Any, flying: dict[Any, list[Task]]) -> list[Any]:
        try:
            with client.as_current():
                return list(self._dask.wait(list(flying), timeout=1.0, return_when="FIRST_COMPLETED").done)
        except (TimeoutError, self._dask.TimeoutError):
            if client.status not in ("running", "connecting"):
                raise self._lost() from None
            return []
        except (self._dask.CancelledError, OSError):
            raise self._lost() from None

    def _landed(self, future: Any, batch: list[Task], suspects: deque[Task], alone: bool) -> Iterator[Outcome | Crash]:
        if future.status == "finished":
            try:
                yield from future.result()
            except (OSError, self._dask.CancelledError):
                # the worker that held the result is gone
                suspects.extend(batch)
            return
        if future.status in ("cancelled", "lost"):
            raise self._lost()
        error = future.exception()
        if not isinstance(error, self._dask.KilledWorker):
            raise GudgeonError(f"the workers of {self.address} cannot compute this study: {error}")
        if not alone:
            suspects.extend(batch)
            return
        crash = self.crashed(batch[0], f"it killed its workers at {self.address}")
        if not crash.final:
            suspects.append((batch[0][0], batch[0][1], crash.crashes))
        yield crash

    def _lost(self) -> GudgeonError:
        return GudgeonError(
            f"the scheduler at {self.address} is gone; every run that was finished before is kept: resume"
        )
