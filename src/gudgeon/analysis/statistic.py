"""Means and their standard errors from values that are not independent of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Mean", "certainty", "mean_of"]

BATCH = 10  # values whose mean is taken as independent of the next batch's


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    value: float
    error: float

    def distance(self, other: Mean) -> float:
        """How many combined standard errors lie between them."""
        apart, error = abs(self.value - other.value), math.hypot(self.error, other.error)
        return apart / error if error else (math.inf if apart else 0.0)

    def __mul__(self, factor: float) -> Mean:
        return Mean(self.value * factor, self.error * abs(factor))

    def __str__(self) -> str:
        if self.error < 1e-5 * abs(self.value):
            return f"{self.value:.6g}"
        digits = max(0, 1 - math.floor(math.log10(self.error))) if 0.0 < self.error < 10.0 else 0
        return f"{self.value:.{digits}f} ± {self.error:.{digits}f}"


def mean_of(values: np.ndarray | Sequence[float], batch: int = BATCH) -> Mean:
    """Mean of values in the order of time; its error from single values or from batches, whichever is larger."""
    x = np.asarray(values, dtype=float)
    if len(x) < 2:
        return Mean(float(x.mean()) if len(x) else math.nan, math.nan)
    error = float(x.std(ddof=1)) / math.sqrt(len(x))
    batches = len(x) // batch
    if batches >= 5:
        means = x[: batches * batch].reshape(batches, batch).mean(axis=1)
        error = max(error, float(means.std(ddof=1)) / math.sqrt(batches))
    return Mean(float(x.mean()), error)


def certainty(distance: float) -> float:
    """Probability that a normal variable lies below `distance` standard deviations."""
    return 0.5 * (1.0 + math.erf(distance / math.sqrt(2.0)))
