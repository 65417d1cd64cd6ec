"""Tests on a series of points: repetition, the 0-1 test for chaos, recurrence; and the spectrum of a channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gudgeon.analysis.sections import resampled
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = ["Recurrence", "Repetition", "Spectrum", "recurrence", "repetition", "spectrum", "zero_one"]

SAME = 1e-3  # points closer than this, in lengths of the ruler, are the same
LONGEST = 32  # period that is looked for


@dataclass(frozen=True)
class Repetition:
    """How well a series repeats: the smallest n whose residual is small, 0 where none is.

    `residual` is the largest way from a point to that n later, over the second half; where nothing repeats, the
    smallest of all n up to the longest, and `nearest` that n. `trend` is the residual of the second half over that of
    the first.
    """

    period: int
    residual: float
    nearest: int
    trend: float


def repetition(points: np.ndarray, *, longest: int = LONGEST, same: float = SAME) -> Repetition:
    """Look for the smallest n with x(k + n) = x(k); points (k, coordinate)."""
    x = np.asarray(points, dtype=float)
    x = x[:, None] if x.ndim == 1 else x
    longest = min(longest, len(x) // 4)
    if longest < 1:
        raise GudgeonError(f"{len(x)} points are too few to look for a period; give 4 or more")
    middle = len(x) // 2
    residuals = np.array([_way(x[middle:], n) for n in range(1, longest + 1)])
    small = np.flatnonzero(residuals < same)
    n = int(small[0] if len(small) else residuals.argmin()) + 1
    residual, earlier = float(residuals[n - 1]), _way(x[:middle], n)
    return Repetition(n if len(small) else 0, residual, n, residual / earlier if earlier > 0.0 else 1.0)


def _way(x: np.ndarray, n: int) -> float:
    """Largest distance of points n apart."""
    return float(np.sqrt(((x[n:] - x[:-n]) ** 2).sum(axis=1)).max())


def zero_one(series: np.ndarray, *, frequencies: int = 100, seed: int = 1) -> float:
    """K of the 0-1 test for chaos (Gottwald, Melbourne 2004, 2009): near 0 regular, near 1 chaotic."""
    # p(n), q(n) = sum over j <= n of x(j) cos jc, x(j) sin jc with x less its mean; D(n) = mean square way of (p, q) in
    # n steps, which grows with n where they wander and stays bounded where they do not.
    # K(c) is the correlation of D(n) with n, K the median over random c.
    x = np.asarray(series, dtype=float)
    count = len(x)
    if count < 40:
        raise GudgeonError(f"{count} points are too few for the 0-1 test; give 40 or more")
    if float(x.std()) <= 1e-12 * (1.0 + float(np.abs(x).max())):
        return 0.0  # a series that stands still is regular
    x = x - x.mean()
    c = np.random.default_rng(seed).uniform(np.pi / 5, 4 * np.pi / 5, frequencies)
    angles = np.outer(c, np.arange(1, count + 1))
    p, q = np.cumsum(x * np.cos(angles), axis=1), np.cumsum(x * np.sin(angles), axis=1)
    n = np.arange(1, count // 10 + 1)
    base = count - len(n)
    way = np.stack([((p[:, k : k + base] - p[:, :base]) ** 2 + (q[:, k : k + base] - q[:, :base]) ** 2).mean(axis=1)
                    for k in n], axis=1)  # fmt: skip
    centred, straight = way - way.mean(axis=1, keepdims=True), n - n.mean()
    size = np.sqrt((centred**2).sum(axis=1) * (straight**2).sum())
    return float(np.median(centred @ straight / np.where(size > 0.0, size, 1.0)))


@dataclass(frozen=True)
class Recurrence:
    """Measures of the plot of recurrences (Marwan et al. 2007): share of near pairs, of them on diagonals (determinism)
    and on verticals (laminarity) of two or more, and the mean length of the diagonals."""

    reference: ClassVar[str] = "Marwan, Romano, Thiel, Kurths 2007, Phys. Rep. 438, 237"
    works: ClassVar[tuple[str, ...]] = ("marwan2007",)

    rate: float
    determinism: float
    laminarity: float
    mean_line: float
    radius: float


def recurrence(points: np.ndarray, *, radius: float | None = None, least: int = 2) -> Recurrence:
    """Recurrences of a series; `radius` defaults to a tenth of the largest distance."""
    x = np.asarray(points, dtype=float)
    x = x[:, None] if x.ndim == 1 else x
    squares = (x**2).sum(axis=1)
    apart = np.sqrt(np.maximum(squares[:, None] + squares[None, :] - 2.0 * x @ x.T, 0.0))
    limit = 0.1 * float(apart.max()) if radius is None else radius
    near = apart <= limit
    count = len(x)
    diagonals = np.concatenate([_runs(near.diagonal(k)) for k in range(1, count)])
    verticals = np.concatenate([_runs(np.delete(near[k], k)) for k in range(count)])
    total, upright = float(diagonals.sum()), float(verticals.sum())
    long, tall = diagonals[diagonals >= least], verticals[verticals >= least]
    return Recurrence(
        2.0 * total / (count * (count - 1)), float(long.sum()) / total if total else 0.0,
        float(tall.sum()) / upright if upright else 0.0, float(long.mean()) if len(long) else 0.0, limit,
    )  # fmt: skip


def _runs(flags: np.ndarray) -> np.ndarray:
    """Lengths of the stretches of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(np.int8), [0]])))
    lengths: np.ndarray = edges[1::2] - edges[::2]
    return lengths


@dataclass(frozen=True)
class Spectrum:
    """Power density of a channel [unit²/Hz] over frequency [Hz], by Welch's mean of overlapping windows: a statistic,
    which chaos does not spoil; `error` is its relative standard error where the windows are independent."""

    frequency: np.ndarray
    density: np.ndarray
    channel: str
    error: float

    @property
    def peak(self) -> float:
        """The frequency with the largest density [Hz]."""
        return float(self.frequency[int(self.density.argmax())])


def spectrum(run: Run, channel: str, *, windows: int = 8, rows: int | None = None) -> Spectrum:
    """Spectrum of a channel after its mean is taken away. Rows that are not evenly spaced are brought to a spacing of
    their mean by straight lines, which damps what is faster than that spacing."""
    from scipy.signal import welch

    count = rows or len(run.t)
    if count < 8 * windows:
        raise GudgeonError(f'spectrum of "{channel}": {count} rows are too few for {windows} windows; run longer')
    spacing, values = resampled(run, channel, count)
    length = 2 * count // (windows + 1)
    frequency, density = welch(values, 1.0 / spacing, nperseg=length, detrend="constant")
    return Spectrum(frequency, density, channel, 1.0 / windows**0.5)
