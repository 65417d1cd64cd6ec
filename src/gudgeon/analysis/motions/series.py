"""Tests on a series of points: repetition and the 0-1 test for chaos; and the spectrum of a channel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.motions.sections import resampled
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = [
    "Repetition", "Spectrum", "repetition", "repetitions", "spectrum", "zero_one",
    "zero_ones",
]  # fmt: skip

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
    columns = repetitions((x[:, None] if x.ndim == 1 else x)[:, :, None], longest=longest, same=same)
    period, residual, nearest, trend = (column[0] for column in columns)
    return Repetition(int(period), float(residual), int(nearest), float(trend))


def repetitions(points: np.ndarray, *, longest: int = LONGEST, same: float = SAME) -> tuple[np.ndarray, ...]:
    """The same for many series, points (k, coordinate, series): period, residual, nearest and trend of each."""
    x = points
    longest = min(longest, len(x) // 4)
    if longest < 1:
        raise GudgeonError(f"{len(x)} points are too few to look for a period; give 4 or more")
    middle = len(x) // 2
    residuals = np.array([_way(x[middle:], n) for n in range(1, longest + 1)])
    small = residuals < same
    repeats, index = small.any(axis=0), np.arange(x.shape[2])
    n = np.where(repeats, small.argmax(axis=0), residuals.argmin(axis=0))
    earlier = np.array([_way(x[:middle], k) for k in range(1, longest + 1)])[n, index]
    residual = residuals[n, index]
    trend = np.divide(residual, earlier, out=np.ones(len(index)), where=earlier > 0.0)
    return np.where(repeats, n + 1, 0), residual, n + 1, trend


def _way(x: np.ndarray, n: int) -> np.ndarray:
    """Largest distance of points n apart."""
    return np.asarray(np.sqrt(((x[n:] - x[:-n]) ** 2).sum(axis=1)).max(axis=0))


def zero_one(series: np.ndarray, *, frequencies: int = 100, seed: int = 1) -> float:
    """K of the 0-1 test for chaos (Gottwald, Melbourne 2004, 2009): near 0 regular, near 1 chaotic."""
    return float(zero_ones(np.asarray(series, dtype=float)[:, None], frequencies=frequencies, seed=seed)[0])


def zero_ones(series: np.ndarray, *, frequencies: int = 100, seed: int = 1) -> np.ndarray:
    """The same for many, series (k, which)."""
    # p(n), q(n) = sum over j <= n of x(j) cos jc, x(j) sin jc with x less its mean; D(n) = mean square way of (p, q) in
    # n steps, which grows with n where they wander and stays bounded where they do not. The square of the way from j to
    # j + n is the sum over pairs of x(i) x(k) cos (i - k)c with j < i, k <= j + n, so that
    #   D(n) = sum over l < n of (2 - [l = 0]) cos lc R(n, l),
    # R(n, l) the mean over j of the sum of x(i) x(i + l), j < i <= j + n - l, which does not depend on c.
    # K(c) is the correlation of D(n) with n, K the median over random c.
    count = len(series)
    if count < 40:
        raise GudgeonError(f"{count} points are too few for the 0-1 test; give 40 or more")
    c = np.random.default_rng(seed).uniform(np.pi / 5, 4 * np.pi / 5, frequencies)
    n = np.arange(1, count // 10 + 1)
    base, straight = count - len(n), n - n.mean()
    cosines = np.cos(np.outer(c, np.arange(len(n)))) * np.where(np.arange(len(n)) > 0, 2.0, 1.0)
    k_of_series = np.zeros(series.shape[1])
    for start in range(0, series.shape[1], 4096):  # so that what is held at once stays small
        x = series[:, start : start + 4096]
        still = x.std(axis=0) <= 1e-12 * (1.0 + np.abs(x).max(axis=0))  # a series that stands still is regular
        x = x - x.mean(axis=0)
        sums = np.zeros((len(n), len(n), x.shape[1]))  # R by n and l
        for lag in range(len(n)):
            ahead = np.cumsum(np.concatenate([np.zeros((1, x.shape[1])), x[: count - lag] * x[lag:]]), axis=0)
            for k in range(lag, len(n)):
                later = n[k] - lag + 1
                sums[k, lag] = (ahead[later : later + base] - ahead[1 : 1 + base]).mean(axis=0)
        way = cosines @ sums  # D by n, c and series
        centred = way - way.mean(axis=0)
        size = np.sqrt((centred**2).sum(axis=0) * (straight**2).sum())
        k_of_c = np.einsum("n,ncs->cs", straight, centred) / np.where(size > 0.0, size, 1.0)
        k_of_series[start : start + 4096] = np.where(still, 0.0, np.median(k_of_c, axis=0))
    return k_of_series


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
    """Spectrum of a channel without its mean. Unevenly spaced values are interpolated linearly to their mean spacing,
    which damps components that are faster than that spacing.
    """
    from scipy.signal import welch

    count = rows or len(run.t)
    if count < 8 * windows:
        raise GudgeonError(f'spectrum of "{channel}": {count} recorded times are too few for {windows} windows; run '
                           'longer')
    spacing, values = resampled(run, channel, count)
    length = 2 * count // (windows + 1)
    frequency, density = welch(values, 1.0 / spacing, nperseg=length, detrend="constant")
    return Spectrum(frequency, density, channel, 1.0 / windows**0.5)
