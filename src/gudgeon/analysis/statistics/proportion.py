"""A share of all parts, estimated from how many of a sample have something, with its exact confidence interval."""

# Of n parts k have it. The ends of the interval are the shares at which k or more, and k or fewer, would have it with
# half of the doubt (Clopper, Pearson 1934): quantiles of the beta distribution.

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.quantity import GudgeonError

__all__ = ["Proportion", "proportion"]


@dataclass(frozen=True)
class Proportion:
    """`hits` of `count`: the share, and the ends of its confidence interval."""

    reference: ClassVar[str] = "Clopper, Pearson 1934"
    works: ClassVar[tuple[str, ...]] = ("clopper1934",)

    hits: int
    count: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.hits / self.count

    def __str__(self) -> str:
        value, low, high = (f"{100.0 * x:.4g}" for x in (self.value, self.low, self.high))
        return f"{value} % ({low} to {high})"


def proportion(hits: int, count: int, confidence: float = 0.95, *, sides: int = 2) -> Proportion:
    """`sides` 1: each end by itself holds with this confidence, 2: both together."""
    from scipy.stats import beta

    if not 0 <= hits <= count or count < 1:
        raise GudgeonError(f"proportion: {hits} of {count} is no share; give 0 to {max(count, 1)} of 1 or more")
    doubt = (1.0 - confidence) / sides
    low = float(beta.ppf(doubt, hits, count - hits + 1)) if hits else 0.0
    high = float(beta.ppf(1.0 - doubt, hits + 1, count - hits)) if hits < count else 1.0
    return Proportion(int(hits), int(count), low, high)
