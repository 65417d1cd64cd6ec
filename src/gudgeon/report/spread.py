"""What comes out of chaos is one sample of many: peaks and shares with their range over nearby runs.

Nearby runs differ by their tolerance, as the twin of the trust horizon does. Up to the horizon they agree; beyond it
each is another sample of the same motion. They are made where a run was quick. Where it was not, a peak beyond the
horizon, or after so many contacts that nobody can tell, is said to be one sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from gudgeon.draw.channels import motion_names
from gudgeon.methods import methods
from gudgeon.model.run_settings import RunSettings
from gudgeon.quantity import GudgeonError
from gudgeon.report.source import ModelSource, method_name
from gudgeon.report.text import grouped
from gudgeon.results import Run
from gudgeon.simulation import whole_run

__all__ = ["comes_again", "is_one_sample", "nearby_runs", "range_text"]

QUICK = 0.2  # [s] of computing: a run that took longer is not repeated
TIGHTER = (0.9, 0.7, 0.5, 0.3)  # tolerances of nearby runs over that of the run
SAME = 0.01  # of the value: runs that agree so closely tell the same
AGAIN = 1e-4  # of the value: what comes again so closely repeats itself
MANY = 20  # contacts: after more, nothing is said to be a prediction unless it was looked at


def nearby_runs(source: ModelSource, settings: RunSettings, run: Run) -> list[Run]:
    """The run at other tolerances, where it was quick and may be chaotic: it has contacts."""
    if not run.complete or not run.contacts or run.evidence.wall_time > QUICK:
        return []
    method = methods().get(method_name(source.mechanism, settings))
    if method is not None and not method.adaptive:
        # another step would show the error of the method
        return []
    like = replace(settings, trust=False, channels=motion_names(run))
    try:
        return [whole_run(source.mechanism, replace(like, rtol=share * run.evidence.rtol))
                for share in TIGHTER]  # fmt: skip
    except GudgeonError:
        # one of them may meet what the run did not
        return []


def range_text(value: Callable[[Run], float], run: Run, nearby: Sequence[Run], digits: int = 4) -> str:
    """The range of a number over a run and nearby ones; empty where all tell the same, or there are none."""
    values = [value(each) for each in (run, *nearby)]
    low, high = min(values), max(values)
    return f"{grouped(low, digits)} to {grouped(high, digits)}" if high - low > SAME * abs(high) else ""


def is_one_sample(t: float, horizon: float | None, onsets: Iterable[float]) -> bool:
    """Whether what happened at time t [s] can be no prediction, or nobody has looked: beyond the trust horizon; where
    that is not known, after many contacts."""
    if horizon is not None:
        return t > horizon
    return int(np.sum(np.asarray(list(onsets)) < t)) > MANY


def comes_again(t: np.ndarray, values: np.ndarray) -> bool:
    """Whether the largest magnitude is the same in both halves of the time: then it belongs to a regular motion."""
    second = t > 0.5 * (t[0] + t[-1])
    if second.all() or not second.any():
        return False
    first, last = np.abs(values[~second]).max(), np.abs(values[second]).max()
    return bool(abs(first - last) <= AGAIN * max(first, last))
