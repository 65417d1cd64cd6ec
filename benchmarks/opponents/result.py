"""What every opponent hands back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class Unavailable(RuntimeError):
    """The opponent cannot run on this machine; the message says what is missing."""


@dataclass(frozen=True)
class RaceResult:
    """One run of the race: its cost and its samples."""

    name: str
    tolerance: float
    cpu_s: float  # CPU time of the solution alone
    evaluations: int  # of the right-hand side
    steps: int  # accepted steps
    onsets: int | None  # contact onsets, None where the opponent does not report them
    t: np.ndarray
    phi: np.ndarray
    xs: np.ndarray
    rejections: int = 0

    @property
    def ns_per_evaluation(self) -> float:
        """CPU time per evaluation of the right-hand side in nanoseconds."""
        return 1e9 * self.cpu_s / self.evaluations
