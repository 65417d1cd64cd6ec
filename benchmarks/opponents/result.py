"""What every opponent hands back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


class Unavailable(RuntimeError):
    """The opponent cannot run on this machine; the message says what is missing."""


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    name: str
    tolerance: float
    cpu_s: float  # CPU time of the solution alone
    evaluations: int  # of the right-hand side
    steps: int  # accepted steps
    onsets: int | None  # contact onsets, None where the opponent does not report them

    @property
    def ns_per_evaluation(self) -> float:
        """CPU time per evaluation of the right-hand side in nanoseconds."""
        return 1e9 * self.cpu_s / self.evaluations


@dataclass(frozen=True)
class RaceResult(Cost):
    """One run of race P1: its cost and its samples."""

    t: np.ndarray
    phi: np.ndarray
    xs: np.ndarray
    rejections: int = 0


@dataclass(frozen=True)
class SpatialResult(Cost):
    """One run of race P2: its cost, and where crank pin, loose ball and socket are at the end."""

    points: np.ndarray
    rejections: int = 0


@dataclass(frozen=True)
class FlexibleResult(Cost):
    """One run of race P3: its cost, mesh and steps in words, factorisations, and the peaks of torque and force."""

    words: str
    factorisations: int
    peaks: np.ndarray
