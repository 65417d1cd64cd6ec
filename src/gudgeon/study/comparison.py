"""Two studies beside each other: their percentiles, how often each keeps a limit, and which has the larger values.

    print(compare(before, after, "peak pin.force", limit="5 kN"))

Runs of one study are taken as independent of those of the other: where both were drawn with the same seed, intervals
of differences are as a rule wider than necessary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.analysis.statistics.percentiles import Percentile, percentiles_of
from gudgeon.analysis.statistics.proportion import Proportion, proportion
from gudgeon.analysis.statistics.sobol_indices import Share
from gudgeon.draw.scale import scale_for
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.study.chance import CONFIDENCE, chance_values

if TYPE_CHECKING:
    from gudgeon.study.table import Table

__all__ = ["Comparison", "compare", "compare_values", "exceeds"]

SHARES = (0.5, 0.95, 0.99)
REPLICATES = 400  # of the bootstrap
FEWEST = 20  # runs of each study


@dataclass(frozen=True)
class Comparison:
    """One measure of two studies, with 95 % confidence.

    percentiles   of each, for the same shares
    differences   of these percentiles, the second less the first [SI]
    kept          how often each keeps the limit; None without one
    exceeds       the probability that a run of the second has the larger value; one half where nothing differs
    """

    measure: str
    unit: str
    names: tuple[str, str]
    percentiles: tuple[tuple[Percentile, ...], tuple[Percentile, ...]]
    differences: tuple[Share, ...]
    exceeds: Share
    limit: float | None = None
    kept: tuple[Proportion, Proportion] | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(_lines(self))

    def __str__(self) -> str:
        return "\n".join(self.lines)


def compare(first: Table, second: Table, measure: str, limit: Any = None,
            names: tuple[str, str] | None = None) -> Comparison:  # fmt: skip
    """A measure that both studies have; the limit as in `Table.judge`."""
    for table in (first, second):
        table[measure]  # says what is like it
    unit, other = first.units.get(measure, ""), second.units.get(measure, "")
    if unit != other:
        raise GudgeonError(f'compare: "{measure}" is in {unit or "no unit"} and in {other or "no unit"}')
    bound = None if limit is None else abs(quantity(limit, unit, f'limit "{measure}"'))
    titles = names or ((first.name, second.name) if first.name != second.name else ("first", "second"))
    return compare_values(measure, unit, titles, chance_values(first, measure), chance_values(second, measure), bound)


def compare_values(measure: str, unit: str, names: tuple[str, str], first: np.ndarray, second: np.ndarray,
                   limit: float | None = None) -> Comparison:  # fmt: skip
    """The same from values by themselves."""
    pair = (first, second)
    for name, values in zip(names, pair, strict=True):
        if len(values) < FEWEST:
            raise GudgeonError(f'compare: {len(values)} runs of "{name}" are too few; give {FEWEST} or more')
    kept = None
    if limit is not None:
        one, two = (proportion(int((np.abs(values) <= limit).sum()), len(values), CONFIDENCE) for values in pair)
        kept = one, two
    return Comparison(
        measure, unit, names, (percentiles_of(first, SHARES), percentiles_of(second, SHARES)),
        _differences(first, second), exceeds(first, second), limit, kept,
    )  # fmt: skip


def exceeds(first: np.ndarray, second: np.ndarray, confidence: float = CONFIDENCE) -> Share:
    """P(second > first) + P(equal) / 2 of independent runs, with a normal interval.

    With n and m values it is the mean of placements: of each value the share of the other sample below it. Its variance
    is V(placements of the first) / n + V(placements of the second) / m (DeLong and others 1988).
    """
    places = []
    for values, others in ((second, first), (first, second)):
        ordered = np.sort(others)
        below, upto = (np.searchsorted(ordered, values, side=side) for side in ("left", "right"))
        places.append(0.5 * (below + upto) / len(others))
    value = float(places[0].mean())
    error = float(np.sqrt(sum(place.var(ddof=1) / len(place) for place in places)))
    far = NormalDist().inv_cdf((1.0 + confidence) / 2.0) * error
    return Share(value, max(value - far, 0.0), min(value + far, 1.0))


def _differences(first: np.ndarray, second: np.ndarray) -> tuple[Share, ...]:
    """Second less first, with intervals by resampling both."""
    rng, doubt = np.random.default_rng(0), (1.0 - CONFIDENCE) / 2.0
    values = np.quantile(second, SHARES) - np.quantile(first, SHARES)
    drawn = np.array([
        np.quantile(rng.choice(second, len(second)), SHARES) - np.quantile(rng.choice(first, len(first)), SHARES)
        for _ in range(REPLICATES)
    ])  # fmt: skip
    ends = np.quantile(drawn, [doubt, 1.0 - doubt], axis=0)
    return tuple(Share(*map(float, each)) for each in zip(values, *ends, strict=True))


def _lines(found: Comparison) -> Iterator[str]:
    one, two = found.names
    values = [part.value for side in found.percentiles for part in side]
    scale = scale_for(found.unit, *values, found.limit or 0.0)

    def text(value: float) -> str:
        return f"{value * scale.factor:.4g}"

    unit = f" {scale.unit}".rstrip()
    for left, right, change in zip(*found.percentiles, found.differences, strict=True):
        yield (f"{100 * left.share:g} % are below {text(left.value)} in {one} and {text(right.value)}{unit} in {two}: "
               f"{_signed(text(change.value))} ({_signed(text(change.low))} to {_signed(text(change.high))}){unit}")
    if found.kept is not None and found.limit is not None:
        left_kept, right_kept = found.kept
        yield f"up to {text(found.limit)}{unit}: {left_kept} of {one}, {right_kept} of {two}"
    side = found.exceeds
    if side.low > 0.5:
        yield f"{two} has the larger value with a probability of {side}"
    elif side.high < 0.5:
        less = Share(1.0 - side.value, 1.0 - side.high, 1.0 - side.low)
        yield f"{two} has the smaller value with a probability of {less}"
    else:
        yield f"neither has larger values: {two} has with a probability of {side}"


def _signed(text: str) -> str:
    return text if text.startswith("-") else f"+{text}"

