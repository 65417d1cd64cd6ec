"""One run from its start, asked like a settled motion."""

from __future__ import annotations

from typing import Any

from gudgeon.analysis.motions.motion import Motion
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = ["OneRun"]


class OneRun:
    """The run of a study with `revolutions` or `duration`: what measures of a motion can be had from it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.turns = float((run.t[-1] - run.t[0]) / run.period) if run.period else 1.0

    def rms(self, channel: str) -> float:
        return self.run.rms(channel)

    def __getattr__(self, name: str) -> Any:
        word = name.replace("_", " ") if hasattr(Motion, name) else name
        raise GudgeonError(f"{word} needs a settled motion; give the study transient= and turns= instead")
