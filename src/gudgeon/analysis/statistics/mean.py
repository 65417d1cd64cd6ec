"""Means and their standard errors from values that are not independent of each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

__all__ = ["Mean", "certainty", "mean_of", "means_of"]

BLOCKS = 6  # fewer say nothing about their scatter


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    reference: ClassVar[str] = "Flyvbjerg, Petersen 1989, J. Chem. Phys. 91, 461"
    works: ClassVar[tuple[str, ...]] = ("flyvbjerg1989",)

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


def mean_of(values: np.ndarray | Sequence[float]) -> Mean:
    """Mean of values in the order of time, and its standard error."""
    means, error = means_of(np.asarray(values, dtype=float)[:, None])
    return Mean(float(means[0]), float(error[0]))


def means_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of each column of values in the order of time. Its error is the largest that single values and means of
    blocks of 2, 4, 8 and so on give (Flyvbjerg, Petersen 1989): neighbours that know of each other make longer blocks
    scatter more."""
    x = values
    if len(x) < 2:
        return (x[0].copy() if len(x) else np.full(x.shape[1], math.nan)), np.full(x.shape[1], math.nan)
    finite = np.isfinite(x).all(axis=0)
    blocks = np.where(finite, x, 0.0)
    error = blocks.std(axis=0, ddof=1) / math.sqrt(len(x))
    while len(blocks) >= 2 * BLOCKS:
        blocks = blocks[: len(blocks) // 2 * 2].reshape(-1, 2, x.shape[1]).mean(axis=1)
        error = np.maximum(error, blocks.std(axis=0, ddof=1) / math.sqrt(len(blocks)))
    return x.mean(axis=0), np.where(finite, error, 0.0)


def certainty(distance: float) -> float:
    """Probability that a normal variable lies below `distance` standard deviations."""
    return 0.5 * (1.0 + math.erf(distance / math.sqrt(2.0)))
