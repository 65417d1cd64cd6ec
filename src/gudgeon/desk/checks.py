"""Proposals of the surface, put to the test: runs at the proposal are counted, a worse one is tried where they fail.

A proposal is proved where the exact lower end of the share that keeps the limits reaches the required one. There are
at most three tries of each, and each may be wrong with a third of the doubt only, so that what is proved in the end
holds with the required confidence. The proposal is chosen such that the test succeeds four times in five if
the surface is right; where it was wrong at one proposal, the next one allows for as much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import beta

from gudgeon.analysis.statistics.proportion import Proportion, proportion
from gudgeon.desk.survey import Survey

__all__ = ["Target", "check", "needed"]

TRIES = 3
SUCCESS = 0.8
LARGEST, WORSE = 1500, 0.005  # runs of one proposal; share that the next proposal must be better by
Kept = Callable[[Any], np.ndarray]


@dataclass
class Target:
    """Something to prove. `propose`, given a share, gives what the fits are to be, what it is, and the share that the
    surface has there; None where there is no such thing."""

    propose: Callable[[float], tuple[Mapping[str, Any], Any, float] | None]
    proposal: tuple[Mapping[str, Any], Any, float] | None = None
    value: Any = None
    kept: Proportion | None = None
    off: float = 0.0
    open: bool = True


def needed(share: float, count: int, confidence: float) -> float:
    """The true share at which `count` runs prove a share four times in five."""
    doubt = (1.0 - confidence) / TRIES
    low, high = int(share * count), count
    if proportion(count, count, 1.0 - doubt, sides=1).low < share:
        return 1.0
    while low < high:
        middle = (low + high) // 2
        enough = proportion(middle, count, 1.0 - doubt, sides=1).low >= share
        low, high = (low, middle) if enough else (middle + 1, high)
    return float(beta.ppf(SUCCESS, low, count - low + 1)) if low < count else float(SUCCESS ** (1.0 / count))


def check(survey: Survey, targets: list[Target], kept: Kept, share: float, confidence: float, budget: int) -> int:
    """Prove the targets with about so many runs; gives how many runs had no result."""
    doubt, failed = (1.0 - confidence) / TRIES, 0
    least = int(np.ceil(np.log(doubt) / np.log(share))) + 1
    for attempt in range(1, TRIES + 1):
        count = int(np.clip(budget // max(len([target for target in targets if target.open]), 1), least, LARGEST))
        wanted = needed(share, count, confidence)
        for target in targets:
            if target.open:
                target.proposal = target.propose(min(wanted + target.off, 1.0))
                target.open = target.proposal is not None
        tried = [target for target in targets if target.open]
        if not tried:
            break
        rows = [survey.around(count, target.proposal[0], 10 * attempt + 3) for target in tried
                if target.proposal is not None]  # fmt: skip
        table = survey.run(f"checks-{attempt}", np.concatenate(rows))
        good = np.where(table.status == "done", kept(table), False).reshape(len(tried), count)
        failed += int((table.status != "done").sum())
        for target, row in zip(tried, good, strict=True):
            assert target.proposal is not None
            hits = int(row.sum())
            if proportion(hits, count, 1.0 - doubt, sides=1).low >= share:
                target.value, target.kept, target.open = target.proposal[1], proportion(hits, count, confidence), False
            else:
                target.off += max(target.proposal[2] - hits / count, WORSE)
    return failed
