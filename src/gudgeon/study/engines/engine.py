"""What an engine is: it takes a job and the runs to do, and gives outcomes as they come, in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gudgeon.study.engines.job import Job, Outcome
from gudgeon.study.points.design import Point

__all__ = ["RETRIES", "Crash", "Engine", "InProcess", "Task", "batch_size"]

RETRIES = 2  # a run that takes its worker with it is tried so many times again
LONGEST, LARGEST = 0.5, 256  # a batch: seconds, runs

Task = tuple[int, Point, int]  # index, point, crashes so far


@dataclass(frozen=True)
class Crash:
    """A worker died in this run; `final` when it will not be tried again."""

    index: int
    crashes: int
    reason: str
    final: bool


class Engine(ABC):
    """A way to compute runs."""

    words = ""
    prompt = False  # whether each outcome is written down at once
    marches = True  # whether it needs the compiled time loop

    def check(self, job: Job) -> None:
        """Refuse a job that it cannot do, before anything is computed; most can do any."""
        return

    @abstractmethod
    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        """What comes out, as it comes; None now and then, so that what came can be written down."""

    def crashed(self, task: Task, reason: str) -> Crash:
        index, _, crashes = task
        return Crash(index, crashes + 1, reason, crashes >= RETRIES)


class InProcess(Engine):
    """One run after the other in this process: for mechanisms and measures that no other process can have."""

    words = "in this process"
    prompt = True

    def outcomes(self, job: Job, todo: Sequence[Task]) -> Iterator[Outcome | Crash | None]:
        for index, point, _ in todo:
            yield job.compute(index, point)


def batch_size(left: int, workers: int, pace: float) -> int:
    """Runs to hand out at once: half a second of work, less towards the end so that no worker waits for another.
    pace: seconds per run so far, 0 when not known."""
    wanted = int(LONGEST / pace) if pace > 0.0 else 1
    return max(1, min(wanted, LARGEST, left // (2 * workers)))
