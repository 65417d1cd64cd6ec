"""The one writer of a store: takes outcomes from an engine and makes them safe, twice a second and at the end."""

from __future__ import annotations

import time

from gudgeon.progress import counter
from gudgeon.study.engines.engine import Crash, Engine
from gudgeon.study.engines.job import DONE, Job, Outcome
from gudgeon.study.storage.disk import StoreError
from gudgeon.study.storage.store import OPEN, Store

__all__ = ["drive"]

EVERY = 0.25  # seconds between two commits
MOST_BYTES = 16_000_000  # of traces in one chunk


def drive(store: Store, job: Job, engine: Engine, progress: bool | None) -> None:
    """Compute what is left of a study."""
    counts = store.counts()
    total = sum(counts.values())
    finished, bad = total - counts[OPEN], total - counts[OPEN] - counts[DONE]
    todo = store.todo()
    if not todo:
        return
    waiting: list[Outcome] = []
    since, size = time.monotonic(), 0
    stream = engine.outcomes(job, todo)
    with counter(progress, "runs", finished) as tell:
        try:
            for item in stream:
                if isinstance(item, Outcome):
                    waiting.append(item)
                    size += sum(values.nbytes for values in item.traces.values())
                    finished, bad = finished + 1, bad + (item.status != DONE)
                elif isinstance(item, Crash):
                    store.crash(item.index, item.crashes, item.reason, item.final)
                    finished, bad = finished + item.final, bad + item.final
                if waiting and (engine.prompt or size > MOST_BYTES or time.monotonic() - since > EVERY):
                    _keep(store, waiting)
                    since, size = time.monotonic(), 0
                if tell is not None:
                    tell(finished, total, f"{bad} without result" if bad else "")
        finally:
            # also after Ctrl-C: what has arrived is kept
            stream.close()  # type: ignore[attr-defined]
            _keep(store, waiting)


def _keep(store: Store, waiting: list[Outcome]) -> None:
    """Write down what waits; what the disk did not take is not tried twice."""
    taken = list(waiting)
    waiting.clear()
    try:
        store.record(taken)
    except StoreError as error:
        counts = store.counts()
        done = sum(counts.values()) - counts[OPEN]
        raise StoreError(f"{error}\n   {done} of {sum(counts.values())} runs are kept in {store.path}") from None
