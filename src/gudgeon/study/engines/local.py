"""The local engine: worker processes on this computer, each with its own pipe.

Every outcome is sent as soon as it is there, so a worker that dies takes one run with it, and it is known which one. A
worker whose driver is gone ends itself; it never writes to the store.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from gudgeon.quantity import GudgeonError
from gudgeon.study.engines.engine import Crash, Engine, Task, batch_size
from gudgeon.study.engines.job import Job, Outcome

__all__ = ["Local", "can_be_sent", "cores"]

TICK = 0.25  # seconds between two looks at a quiet pool
STILLBORN = 3  # workers in a row that die before their first run
READY, BROKEN = "ready", "broken"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- in the worker ------------------------------------------------------------------------------------------


def serve(connection: Connection, payload: bytes) -> None:
    """The main loop of a worker: batches in, outcomes out, until the driver has gone."""
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with suppress(EOFError, ConnectionError):
        try:
            job: Job = pickle.loads(payload)
            _ = job.mechanism
        except BaseException as error:
            connection.send((BROKEN, f"{type(error).__name__}: {error}"))
            return
        connection.send((READY, ""))
        while True:
            for index, point in connection.recv():
                connection.send(job.compute(index, point))


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


# -- in the driver ------------------------------------------------------------------------------------------


class _Worker:
    """A process, its pipe, and the runs it was given and has not answered."""

    def __init__(self, context: Any, payload: bytes) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, payload), daemon=True)
        with _one_thread(), _alone(payload), _without_ctrl_c():
            self.process.start()
        theirs.close()
        self.given: deque[Task] = deque()
        self.ready = False

    def give(self, batch: Sequence[Task]) -> None:
        self.given.extend(batch)
        # where it is dead, the pipe will say so when it is read
        with suppress(OSError):
            self.pipe.send([(index, point) for index, point, _ in batch])

    def reason(self) -> str:
        """How it died."""
        self.process.join(10.0)
        code = self.process.exitcode
        if code is None:
            return "its worker closed its pipe"
        if code >= 0:
            return f"its worker ended with exit code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        return f"its worker was killed by {name}" + (" (by hand, or out of memory)" if name == "SIGKILL" else "")

    def stop(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join(1.0)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Ctrl-C is for the driver: a worker inherits from its first instruction on that it does not come, and the driver
    hears of it when the worker has got all that it needs."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which opens the mask again when it has to be started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Numeric libraries of a worker use one thread: the cores are taken, and the order of sums stays fixed."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _alone(payload: bytes) -> Iterator[None]:
    """A worker reads the user's script again only where the job needs something defined in it: a script that starts a
    study at its top level would otherwise start it in every worker too."""
    main = vars(sys.modules["__main__"])
    hide = () if b"__main__" in payload else ("__spec__", "__file__")
    hidden = {name: main.pop(name) for name in hide if name in main}
    main.setdefault("__spec__", None)
    try:
        yield
    finally:
        main.update(hidden)


class Local(Engine):
    """Worker processes; as many as there are cores unless said otherwise."""

    def __init__(self, processes: int | None = None) -> None:
        self.processes = cores() if processes is None else processes
        self.words = f"{self.processes} process{'es' * (self.processes != 1)}"

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        payload = _pickled(job)
        context = multiprocessing.get_context("spawn")
        queue = deque(todo)
        workers: list[_Worker] = []
        stillborn, done, spent = 0, 0, 0.0
        try:
            while queue or any(worker.given for worker in workers):
                while len(workers) < min(self.processes, len(queue) + sum(bool(w.given) for w in workers)):
                    workers.append(_Worker(context, payload))
                pace = spent / done if done else 0.0
                for worker in workers:
                    if worker.ready and not worker.given and queue:
                        size = batch_size(len(queue), self.processes, pace)
                        worker.give([queue.popleft() for _ in range(size)])
                pipes = {worker.pipe: worker for worker in workers}
                for pipe in wait(list(pipes), TICK):
                    worker = pipes[pipe]
                    try:
                        message = worker.pipe.recv()
                    except (EOFError, OSError, pickle.UnpicklingError):
                        workers.remove(worker)
                        stillborn = stillborn + 1 if not worker.ready else 0
                        yield from self._buried(worker, queue, stillborn)
                        continue
                    if isinstance(message, Outcome):
                        worker.given.popleft()
                        done, spent = done + 1, spent + message.seconds
                        yield message
                    elif message[0] == BROKEN:
                        raise GudgeonError(_sent(message[1]))
                    else:
                        worker.ready, stillborn = True, 0
                yield None
        finally:
            for worker in workers:
                worker.stop()

    def _buried(self, worker: _Worker, queue: deque[Task], stillborn: int) -> Iterator[Crash]:
        """What a dead worker leaves: the run it died in, and those it had not begun."""
        reason = worker.reason()
        worker.pipe.close()
        if stillborn >= STILLBORN:
            raise GudgeonError(
                f"{STILLBORN} workers in a row died before their first run: {reason.removeprefix('its ')}; "
                "a script that defines laws or functions and starts a study with them needs "
                '`if __name__ == "__main__":` around the start'
            )
        if not worker.given:
            return
        task = worker.given.popleft()
        queue.extendleft(reversed(worker.given))
        crash = self.crashed(task, reason)
        if not crash.final:
            # at the end, so that one bad run does not hold up the others
            queue.append((task[0], task[1], crash.crashes))
        yield crash


def can_be_sent(job: Job) -> bool:
    """Whether worker processes can have the job."""
    try:
        _pickled(job)
    except GudgeonError:
        return False
    return True


def _pickled(job: Job) -> bytes:
    try:
        return pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise GudgeonError(_sent(str(error))) from None


def _sent(reason: str) -> str:
    return (
        f"a measure or the mechanism cannot be sent to a worker process: {reason}; "
        "define functions at the top of a file, not inside others or in a notebook, or use processes=0"
    )
