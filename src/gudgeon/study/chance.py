"""What chance makes of a study: percentiles of its measures, and which varied number has how much influence on them.

Both need runs that were drawn by chance. Of a Latin hypercube or a Sobol sequence, which fill the space more evenly
than chance does, the confidence intervals are as a rule wider than they would have to be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.analysis.statistics.percentiles import SHARES, Percentile, percentiles_of
from gudgeon.analysis.statistics.sobol_indices import SobolIndices, binned_indices, paired_indices
from gudgeon.quantity import GudgeonError
from gudgeon.study.engines.job import DONE
from gudgeon.study.points.design import SAMPLED

if TYPE_CHECKING:
    from gudgeon.study.table import Table

__all__ = [
    "CONFIDENCE", "chance_values", "drawn_by_chance", "influence", "influence_lines", "percentile_lines", "percentiles",
    "unexplained_line",
]  # fmt: skip

CONFIDENCE = 0.95


def drawn_by_chance(table: Table) -> bool:
    """Whether percentiles and influences mean something; only the user knows it of a list."""
    return table.about.get("design") in SAMPLED


def chance_values(table: Table, measure: str) -> np.ndarray:
    """Of the runs that have a result; of the design "saltelli", the pairs of samples, as all other runs repeat parts
    of them."""
    values = _numbers(table, measure)
    if table.about.get("design") == "saltelli":
        values = values[table.index % _set_size(table) < 2]
    values = values[np.isfinite(values)]
    if not len(values):
        raise GudgeonError(f'no run of "{table.name}" has a result for "{measure}"')
    return np.asarray(values, dtype=float)


def percentiles(table: Table, measure: str, shares: Sequence[float]) -> tuple[Percentile, ...]:
    """Of the values by chance."""
    return percentiles_of(chance_values(table, measure), shares, CONFIDENCE)


def influence(table: Table, measure: str) -> SobolIndices:
    """Sobol indices; the design "saltelli" gives first-order and total ones, other samples estimates of the first."""
    values = _numbers(table, measure)
    if table.about.get("design") != "saltelli":
        return binned_indices(table.paths, [table[path] for path in table.paths], values, confidence=CONFIDENCE)
    # a set stands together in the order of the study, of which a shard or an unfinished study has some runs only
    size = _set_size(table)
    sets = np.full((int(table.index.max()) // size + 1, size), np.nan)
    sets[table.index // size, table.index % size] = values
    return paired_indices(table.paths, sets, confidence=CONFIDENCE)


def _set_size(table: Table) -> int:
    """Runs of a set of the design "saltelli"; the twin is missing in stores of earlier versions."""
    total, samples = table.about.get("total"), table.about.get("samples")
    return int(total) // int(samples) if total and samples else len(table.paths) + 3


def percentile_lines(table: Table, measure: str, shares: Sequence[float] = SHARES) -> Iterator[str]:
    """A line for each share, in the unit that suits the measure."""
    scale = table.quantity(measure).scale

    def text(value: float) -> str:
        return f"{value * scale.factor:.4g} {scale.unit}".rstrip()

    for each in percentiles(table, measure, shares):
        few = f"below {each.needed} samples"
        if each.low is not None and each.high is not None:
            said = f"{text(each.low)} to {text(each.high)}"
        elif each.low is not None:
            said = f"at least {text(each.low)}; there is no upper end {few}"
        elif each.high is not None:
            said = f"at most {text(each.high)}; there is no lower end {few}"
        else:
            said = f"there is no interval {few}"
        yield f"{100.0 * each.share:g} % of all are below {text(each.value)} ({said})"


def influence_lines(table: Table, measure: str) -> Iterator[str]:
    """A line for each varied path, and what none of them explains."""
    found = influence(table, measure)
    for part in found.parts:
        total = f", {part.total} with all interactions" if part.total is not None else ""
        yield f"{part.name}: {part.first} of the variance by itself{total}"
    if found.noise is not None:
        yield f"chaos: {found.noise} of the variance, between runs that nothing tells apart"
    yield unexplained_line(found, measure in table.one_sample())


def unexplained_line(found: SobolIndices, sample: bool) -> str:
    """What no varied number explains; `sample`: each value is one of many that a chaotic motion can give."""
    origin = f"{found.samples} pairs of samples" if found.paired else f"estimated from {found.samples} runs"
    chaos = "; each value is one sample of a motion that may be chaotic: its scatter looks like interaction"
    sample = sample and found.noise is None  # else it was said
    bound = f"at most {math.ceil(100.0 * found.unexplained)} % is explained by no varied number"
    return f"{bound}{'' if found.paired else ' alone'} ({origin}){chaos if sample else ''}"


def _numbers(table: Table, measure: str) -> np.ndarray:
    """The values of a measure, nan where a run has no result."""
    if measure not in table.measures:
        table[measure]  # says what is like it
        raise GudgeonError(f'"{measure}" is what was varied; give one of {", ".join(table.measures)}')
    if table.about.get("design") == "grid":
        raise GudgeonError(
            f'the runs of "{table.name}" are a grid, of which percentiles and influences are not those of the machine; '
            'give the study distributions and the design "random", "latin", "sobol" or "saltelli"'
        )
    if table[measure].dtype.kind == "U":
        raise GudgeonError(f'"{measure}" has words; percentiles and influences need numbers')
    return np.where(table.status == DONE, table[measure], np.nan)
