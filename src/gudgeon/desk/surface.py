"""A smooth surface through the results of many runs, to search on: which clearances keep the limits, and how often.

The logarithm of the utilisation z of the limits (the largest of value / limit) is a polynomial in the inputs, found by
least squares, of the degree that predicts best what it was not fitted to (Box, Wilson 1951; each run is left out once,
which needs no new fit: e_i / (1 - h_i), h the diagonal of the projection). What runs differ from it by, chaos included,
is taken as the same everywhere, so that

    P(z <= 1 | x) = share of these residuals that are at most -m(x).

A surface only proposes. What is reported as kept is counted in runs at the proposal.
"""

from __future__ import annotations

import itertools
from typing import ClassVar

import numpy as np

from gudgeon.quantity import GudgeonError

__all__ = ["ResponseSurface"]

DEGREES = (1, 2, 3)
CHUNK = 1 << 16  # rows at once


class ResponseSurface:
    """Inputs (run, input) should lie within about -1 to 1; z are utilisations of runs, all positive."""

    reference: ClassVar[str] = "Box, Wilson 1951"
    works: ClassVar[tuple[str, ...]] = ("box1951",)

    def __init__(self, inputs: np.ndarray, z: np.ndarray) -> None:
        known = np.isfinite(z)
        x, y = inputs[known], np.log(z[known])
        best = np.inf
        for degree in DEGREES:
            terms = _terms(x.shape[1], degree)
            if 3 * len(terms) > len(x):
                break
            features = _features(x, terms)
            q, r = np.linalg.qr(features)
            left = (y - q @ (q.T @ y)) / (1.0 - np.minimum((q * q).sum(axis=1), 0.999))
            size = float(np.mean(left**2))
            if size < 0.999 * best:
                best, self.degree, self.terms = size, degree, terms
                self.weights = np.linalg.lstsq(r, q.T @ y, rcond=None)[0]
                self.residuals = np.sort(left)
        if not hasattr(self, "terms"):
            raise GudgeonError(f"{len(x)} runs with all results are too few for {x.shape[1]} inputs; give more samples")
        spread = float(np.var(y))
        self.explained = 1.0 - best / spread if spread > 0.0 else 1.0  # share of the variance, of runs left out

    def mean(self, inputs: np.ndarray) -> np.ndarray:
        """The logarithm of the utilisation; any shape (..., input)."""
        rows = inputs.reshape(-1, inputs.shape[-1])
        parts = [_features(rows[k : k + CHUNK], self.terms) @ self.weights for k in range(0, len(rows), CHUNK)]
        return np.concatenate(parts).reshape(inputs.shape[:-1])

    def kept(self, inputs: np.ndarray) -> np.ndarray:
        """The probability that the limits are kept (...)."""
        return np.asarray(np.searchsorted(self.residuals, -self.mean(inputs), side="right") / len(self.residuals))


def _terms(inputs: int, degree: int) -> list[tuple[int, ...]]:
    """The inputs in each product."""
    return [term for d in range(degree + 1) for term in itertools.combinations_with_replacement(range(inputs), d)]


def _features(x: np.ndarray, terms: list[tuple[int, ...]]) -> np.ndarray:
    columns: dict[tuple[int, ...], np.ndarray] = {(): np.ones(len(x))}
    for term in terms[1:]:
        columns[term] = columns[term[:-1]] * x[:, term[-1]]
    return np.column_stack([columns[term] for term in terms])
