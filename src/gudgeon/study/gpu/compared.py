"""`Compared`: trajectories in single precision, some of them done again in double to tell what the digits are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gudgeon.batch.machine import Machine
from gudgeon.study.agreement import DOUBLE, FINER, LEAST, SHARE
from gudgeon.study.design import Point
from gudgeon.study.gpu.motions import Found, Motions
from gudgeon.study.job import Job

__all__ = ["Compared"]


class Compared:
    """As `Motions`. Values of the runs that were chosen have those in double precision beside them, and those in double
    with half the tolerance: what the tolerance leaves open is what any precision is to be compared with."""

    def __init__(self, job: Job, points: Sequence[Point], machine: Machine, *, words: Sequence[int] = ()) -> None:
        self.single = Motions(job, points, machine, words=words)
        count = min(len(points), max(LEAST, int(SHARE * len(points))))
        places = np.unique(np.linspace(0, len(points) - 1, count).astype(int))
        self.chosen = {points[k] for k in places}
        settings = {name: value for name, value in job.settings.items() if name != "precision"}
        some = [points[k] for k in places]
        self.others = {
            word: Motions(replace(job, settings={**settings, "rtol": self.single.rtol * share}), some, machine,
                          words=words)
            for word, share in ((DOUBLE, 1.0), (FINER, 0.5))
        }  # fmt: skip

    def compute(self, points: Sequence[Point]) -> list[Found]:
        found = self.single.compute(points)
        places = [k for k, point in enumerate(points) if point in self.chosen and not isinstance(found[k], str)]
        if places:
            for word, motions in self.others.items():
                for k, other in zip(places, motions.compute([points[k] for k in places]), strict=True):
                    values: Any = found[k]
                    values[word] = other
        return found
