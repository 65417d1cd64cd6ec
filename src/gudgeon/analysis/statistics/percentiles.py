"""Percentiles of independent values, with confidence intervals that hold for every distribution."""

# Of n values, the number below the percentile q of share p is binomial (n, p), so that the r-th smallest value lies
# beyond q with the probability P(B < r), and the s-th smallest below it with P(B >= s). The interval from the largest
# r to the smallest s for which each of them is at most half of the doubt holds whatever the distribution is
# (Thompson 1936). There may be no such r or s: the smallest of n values is below q with 1 - (1 - p)^n only.

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gudgeon.quantity import GudgeonError

__all__ = ["SHARES", "Percentile", "percentiles_of"]

SHARES = (0.05, 0.5, 0.95, 0.99)


@dataclass(frozen=True)
class Percentile:
    """The value below which a share of all values lies, estimated from some of them. `low` and `high` are the ends of
    its confidence interval, None where the values are too few for that end; with `needed` values both are there."""

    reference: ClassVar[str] = "Thompson 1936"
    works: ClassVar[tuple[str, ...]] = ("thompson1936",)

    share: float
    value: float
    low: float | None
    high: float | None
    needed: int


def percentiles_of(values: np.ndarray | Sequence[float], shares: Sequence[float] = SHARES,
                   confidence: float = 0.95) -> tuple[Percentile, ...]:  # fmt: skip
    """A percentile for each share; the values are independent of each other, in any order."""
    known = np.sort(np.asarray(values, dtype=float))
    if not len(known) or not np.isfinite(known).all():
        raise GudgeonError(f"percentiles need finite numbers, not {'none' if not len(known) else 'nan or inf'}")
    for name, given in (("share", shares), ("confidence", (confidence,))):
        wrong = next((x for x in given if not 0.0 < x < 1.0), None)
        if wrong is not None:
            raise GudgeonError(f"percentiles: {name} {wrong!r} must lie between 0 and 1; write for instance 0.95")
    return tuple(_percentiles(known, shares, (1.0 - confidence) / 2.0))


def _percentiles(known: np.ndarray, shares: Sequence[float], doubt: float) -> Iterator[Percentile]:
    """`doubt` is the probability that is allowed beyond each end."""
    from scipy.stats import binom

    n = len(known)
    for share in shares:
        # ppf is the smallest count whose distribution function reaches its argument
        low = int(binom.ppf(doubt, n, share))
        high = int(binom.ppf(1.0 - doubt, n, share)) + 1
        rarer = min(share, 1.0 - share)
        yield Percentile(
            float(share),
            # unbiased for the median of the estimate, whatever the distribution (Hyndman, Fan 1996)
            float(np.quantile(known, share, method="median_unbiased")),
            float(known[low - 1]) if low >= 1 else None,
            float(known[high - 1]) if high <= n else None,
            math.ceil(math.log(doubt) / math.log1p(-rarer)),
        )
