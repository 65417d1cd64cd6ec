"""Which of several independent inputs has how much influence on a number: Sobol indices, shares of its variance.

`paired_indices` takes samples that were made for it, in which one input changes at a time; `binned_indices` takes
any sample.
"""

# With f = f(x_1 ... x_k) and independent x_i, the first-order index S_i = V(E[f | x_i]) / V(f) is the share of the
# variance that would go, on average, if x_i were known. The total index T_i = E[V(f | all but x_i)] / V(f) is the share
# that would be left if all others were known: x_i by itself and in interaction. What no input explains, such as the
# chaos of a motion, is in every T_i, since two runs never share it, and in no S_i. So it is at most the least T_i, and
# at most 1 - S_1 - ... - S_k.
#
# Twins measure it: runs whose inputs differ by less than anybody could tell. With f' the result of a twin of f, the
# noise is N = E[(f - f')^2] / 2V, and T_i - N is what the input does without it: of f = g(x) + noise, S_i and T_i - N
# are shares of V(f) that g has in x_i.

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

import numpy as np

from gudgeon.quantity import GudgeonError

__all__ = ["Share", "SobolIndex", "SobolIndices", "binned_indices", "paired_indices"]

REPLICATES = 2000  # of the bootstrap
GROUPS = 2000  # that it draws from; of more samples some are taken together
FEWEST = 32  # samples, or pairs of them: with 16 the intervals hold the true index in 80 to 90 % only
MOST_BINS = 200  # of one input: within so many, a line keeps 1 / 40,000 of its variance


@dataclass(frozen=True)
class Share:
    """A share of a variance and its confidence interval. Estimates may lie a little outside 0 to 1."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        value, low, high = (100.0 * min(max(x, 0.0), 1.0) for x in (self.value, self.low, self.high))
        return f"{value:.0f} % ({low:.0f} to {high:.0f})"


@dataclass(frozen=True)
class SobolIndex:
    """What one input does: by itself, and with all its interactions where the samples can tell; of samples with twins
    without the noise."""

    name: str
    first: Share
    total: Share | None


@dataclass(frozen=True)
class SobolIndices:
    """Sobol indices of every input, in the order of the inputs.

    noise         share of the variance that is between runs that nothing tells apart: chaos; None without twins
    unexplained   with the same confidence, the share that no input explains is at most this: noise, chaos. It is a
                  bound, since interactions are in it as well
    samples       pairs of samples, or samples, that it is computed from
    paired        whether the samples were made for it; else first-order indices are estimated, and there are no others
    """

    reference: ClassVar[str] = "Saltelli et al. 2010; Jansen 1999; Plischke, Borgonovo, Smith 2013"
    works: ClassVar[tuple[str, ...]] = ("saltelli2010", "jansen1999", "plischke2013")

    parts: tuple[SobolIndex, ...]
    unexplained: float
    samples: int
    paired: bool
    confidence: float
    noise: Share | None = None

    def __getitem__(self, name: str) -> SobolIndex:
        for part in self.parts:
            if part.name == name:
                return part
        raise GudgeonError(f'influence: "{name}" is none of {", ".join(part.name for part in self.parts)}')


def paired_indices(names: Sequence[str], values: np.ndarray, *, confidence: float = 0.95,
                   seed: int = 0) -> SobolIndices:  # fmt: skip
    """Indices from a row for each pair of samples A and B: f(A), f(B), then f(A with input i from B) for each i, and
    where there is one more column that of a twin of A.

    First order by the estimator of Saltelli et al. 2010 (table 2 b), total by that of Jansen 1999; confidence intervals
    by resampling the rows.
    """
    values, count = _enough(values, slice(2)), len(names)
    middle = 0.5 * (values[:, 0].mean() + values[:, 1].mean())  # taken off everywhere: it changes the error only
    a, b, mixed = (values[:, columns] - middle for columns in (0, 1, slice(2, None)))
    products = np.column_stack([
        0.5 * (a + b), 0.5 * (a**2 + b**2), b[:, None] * (mixed[:, :count] - a[:, None]),
        0.5 * (a[:, None] - mixed) ** 2,
    ])  # fmt: skip
    found, again = products.mean(axis=0), _resampled(products, seed)
    found, scatter = _indices(found), _indices(again[_variance(again) > 0.0])
    # each of these bounds holds by itself; the least of them is taken, so the doubt is shared between them
    bounds = np.column_stack([scatter[:, count : 2 * count], 1.0 - scatter[:, :count].sum(axis=1)])
    most = np.quantile(bounds, 1.0 - (1.0 - confidence) / (count + 1), axis=0).min()
    if values.shape[1] == count + 3:
        for each in (found, scatter):
            each[..., count : 2 * count] -= each[..., -1:]
    doubt = (1.0 - confidence) / 2.0
    ends = np.quantile(scatter, [doubt, 1.0 - doubt], axis=0)
    shares = [Share(*map(float, each)) for each in zip(found, *ends, strict=True)]
    parts = tuple(SobolIndex(*each) for each in zip(names, shares[:count], shares[count : 2 * count], strict=True))
    noise = shares[-1] if len(shares) > 2 * count else None
    return SobolIndices(parts, _share(most), len(values), True, confidence, noise)


def binned_indices(names: Sequence[str], inputs: Sequence[np.ndarray], values: np.ndarray, *,
                   confidence: float = 0.95) -> SobolIndices:  # fmt: skip
    """First-order indices from any sample: the variance between bins of an input, which hold as many runs each.

    Of n runs about sqrt(n) bins: what is lost within them falls with the square of their number. Inputs of few values,
    or of words, have a bin for each. What the means of bins scatter by chance is taken off, as in the analysis of
    variance. Confidence intervals are those of a normal distribution.
    """
    known = np.isfinite(values)
    inputs = [x[known] for x in inputs]
    f = _enough(values[:, None], slice(1))[:, 0]
    n = len(f)
    f = f - f.mean()
    total = float(np.mean(f**2))
    parts, slopes, chance, first = [], np.zeros(n), 0.0, 0.0
    far = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    for name, x in zip(names, inputs, strict=True):
        bins = _bins(x)
        counts = np.bincount(bins)
        apart = f - (np.bincount(bins, f) / counts)[bins]
        within, many = float(np.mean(apart**2)), len(counts)
        index = 1.0 - within / total * (n - 1) / (n - many)
        # how the index changes with the weight of a run, and what the means of bins add where it does not
        slope = (within / total * f**2 - apart**2) / total
        random = 2.0 * (many - 1) / n**2
        error = math.sqrt(float(np.mean(slope**2)) / n + random)
        parts.append(SobolIndex(name, Share(index, index - far * error, index + far * error), None))
        slopes, chance, first = slopes + slope, chance + random, first + index
    error = math.sqrt(float(np.mean(slopes**2)) / n + chance)
    most = 1.0 - first + NormalDist().inv_cdf(confidence) * error
    return SobolIndices(tuple(parts), _share(most), n, False, confidence)


def _enough(values: np.ndarray, drawn: slice) -> np.ndarray:
    """The rows in which every number is known; refuses where the columns that were drawn say nothing."""
    known = values[np.isfinite(values).all(axis=1)]
    if len(known) < FEWEST:
        raise GudgeonError(f"influence: {len(known)} samples with all results are too few; give {FEWEST} or more")
    if not np.ptp(known[:, drawn]) > 1e-12 * np.abs(known).max():
        raise GudgeonError(
            "influence: the value is the same in all runs; vary what it depends on, or measure something else"
        )
    return known


def _indices(means: np.ndarray) -> np.ndarray:
    """First-order indices, then total ones, from means of the products along the last axis."""
    return np.asarray(means[..., 2:] / _variance(means)[..., None])


def _variance(means: np.ndarray) -> np.ndarray:
    return np.asarray(means[..., 1] - means[..., 0] ** 2)


def _resampled(products: np.ndarray, seed: int) -> np.ndarray:
    """Means of as many rows, drawn from them with replacement."""
    rng = np.random.default_rng(seed)
    groups = np.array_split(products[rng.permutation(len(products))], min(len(products), GROUPS))
    sums, sizes = np.array([g.sum(axis=0) for g in groups]), np.array([float(len(g)) for g in groups])
    drawn = np.array([np.bincount(rng.integers(len(groups), size=len(groups)), minlength=len(groups))
                      for _ in range(REPLICATES)])  # fmt: skip
    return np.asarray((drawn @ sums) / (drawn @ sizes)[:, None])


def _bins(x: np.ndarray) -> np.ndarray:
    """The bin of each run, counted from 0."""
    many = min(MOST_BINS, round(math.sqrt(len(x))))
    known, bins = np.unique(x, return_inverse=True)
    if len(known) <= many:
        return bins
    place = np.empty(len(x), dtype=int)
    place[np.argsort(x, kind="stable")] = np.arange(len(x))
    return np.asarray(place * many // len(x))


def _share(x: float) -> float:
    return float(min(max(x, 0.0), 1.0))
