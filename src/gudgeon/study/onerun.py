"""One run from its start, asked like a settled motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = ["OneRun"]


class OneRun:
    """The run of a study with `revolutions` or `duration`: what measures of a motion can be had from it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.turns = float((run.t[-1] - run.t[0]) / run.period) if run.period else 1.0

    def rms(self, channel: str) -> float:
        """Root mean square over time."""
        t, x = self.run.t, self.run[channel]
        return math.sqrt(float(np.trapezoid(x.astype(float) ** 2, t)) / float(t[-1] - t[0]))

    def __getattr__(self, name: str) -> Any:
        raise GudgeonError(f"{name} is asked of a settled motion; give the study transient= and turns= instead")
