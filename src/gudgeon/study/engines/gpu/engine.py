"""The engine: pieces of a study one after the other on a card, the next while the last is written down.

What is given up there is done by single runs on the processor: a run fails only where a single run fails, and with its
cause.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from gudgeon.analysis.measures import MEASURES, Measure
from gudgeon.batch.machine import Machine, machine
from gudgeon.methods import methods
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.study.engines.engine import Crash, Engine, InProcess, Task
from gudgeon.study.engines.gpu.motions import Found, Motions
from gudgeon.study.engines.job import DONE, Job, Outcome, is_own, measure_names
from gudgeon.study.engines.local import Local, can_be_sent

__all__ = ["Gpu"]

PIECE = {"gpu": 1 << 17, "host": 16}  # runs at once: what is computed when a study is interrupted is lost
TICK = 0.02
LOCAL = 'use engine="local"'


class Gpu(Engine):
    """A graphics card of NVIDIA. device="host": the same code on the processor, for tests."""

    name = "gpu"
    marches = False
    ahead = 4  # pieces at once
    processes: int | None = None  # for what is given up; None: one for each core

    def __init__(self, device: str = "gpu", piece: int | None = None) -> None:
        self.machine: Machine = machine(device)
        self.piece = piece or PIECE[device]
        self.words = self.machine.name

    def check(self, job: Job) -> None:
        """Refuse what a card cannot do, before anything is computed."""
        method, who = job.settings["method"], f'engine "{self.name}"'
        explicit = explicit_methods()
        if method not in explicit:
            raise GudgeonError(f'{who} integrates with {in_words(explicit)}, not with "{method}"; {LOCAL}, or one of '
                               'these')
        for name in ("output", "after", "stabilisation"):
            if name in job.settings:
                raise GudgeonError(f"{who} does not support {name}=; {LOCAL}, or leave it out")
        if job.keep:
            raise GudgeonError(f"{who} keeps no traces (keep={list(job.keep)}); {LOCAL}, or leave keep out")
        for measure in job.measures:
            if not isinstance(measure, Measure) or not measure.for_many:
                kind = "makes its own runs" if is_own(measure) else "is a function of Python that needs the whole run"
                raise GudgeonError(
                    f'{who}: measure "{measure_names(measure)[0]}" {kind}; {LOCAL}, or one of the measures '
                    f"{', '.join(MEASURES)}"
                )

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        # several pieces at once: where one waits for its slowest trajectories the card has others, and answers are put
        # together meanwhile; this thread writes them down
        left: list[Task] = []
        with ThreadPoolExecutor(self.ahead) as pool:
            for words, tasks in _groups(todo).items():
                started = pool.submit(self._motions, job, words, tasks)
                yield from _waiting(started)
                motions = started.result()
                size = self.size(len(tasks))
                pieces = [tasks[k : k + size] for k in range(0, len(tasks), size)]
                ahead: deque[Future[tuple[list[Found], float]]] = deque()
                for k, piece in enumerate(pieces):
                    while len(ahead) < self.ahead and k + len(ahead) < len(pieces):
                        ahead.append(pool.submit(_timed, motions, pieces[k + len(ahead)]))
                    now = ahead.popleft()
                    yield from _waiting(now)
                    answers, seconds = now.result()
                    for task, answer in zip(piece, answers, strict=True):
                        if isinstance(answer, str):
                            left.append(task)
                        else:
                            yield Outcome(task[0], DONE, answer, "", seconds)
        if left:
            single = Local(self.processes) if can_be_sent(job) else InProcess()
            self.words = f"{self.words}; {len(left)} of {len(todo)} runs one by one, {single.words}"
            yield from single.outcomes(job, left)

    def size(self, count: int) -> int:
        """Runs in one piece where so many are to be done."""
        return self.piece

    def _motions(self, job: Job, words: tuple[object, ...], tasks: Sequence[Task]) -> Motions:
        """The trajectories of those runs that have these words on their paths."""
        fixed = [k for k, word in enumerate(words) if word is not None]
        return Motions(job, [point for _, point, _ in tasks], self.machine, words=fixed)


def explicit_methods() -> list[str]:
    """The methods whose time loop can be compiled for a card."""
    return [name for name, kind in methods().items() if kind(step=1.0).explicit]


def _waiting(future: Future[Any]) -> Iterator[None]:
    """Nothing, until it is done: what waits is written down meanwhile."""
    while not future.done():
        yield None
        time.sleep(TICK)


def _timed(motions: Motions, piece: Sequence[Task]) -> tuple[list[Found], float]:
    began = time.perf_counter()
    answers = motions.compute([point for _, point, _ in piece])
    return answers, (time.perf_counter() - began) / len(piece)


def _groups(todo: Sequence[Task]) -> dict[tuple[object, ...], list[Task]]:
    """Runs by the words on their paths, such as the name of a law: each combination has equations of its own."""
    by_words: dict[tuple[object, ...], list[Task]] = {}
    for task in todo:
        words = tuple(None if isinstance(x, int | float) and not isinstance(x, bool) else x for x in task[1])
        by_words.setdefault(tuple(map(_hashable, words)), []).append(task)
    return by_words


def _hashable(word: object) -> object:
    return word if word is None or isinstance(word, str | bool) else repr(word)
