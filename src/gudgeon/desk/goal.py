"""What an optimiser is to make least: a measure, a percentile of it over many machines, the share that breaks a limit.

    "peak main.force"                    of one machine; of many that scatter their mean
    "most lowest main.fy"                as large as can be
    "95 % of peak pin.force"             the value that 95 % of all machines stay below
    "share of peak pin.force > 5 kN"     of all machines
    "weight.mass"                        one of the free numbers itself
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gudgeon.analysis.measures import named
from gudgeon.quantity import GudgeonError, quantity

__all__ = ["Goal", "read_goal"]

PERCENTILE = re.compile(r"(\d+(?:\.\d*)?) ?% of (.+)")
SHARE = re.compile(r"share of (.+?) ?([<>])=? ?(.+)")


@dataclass(frozen=True)
class Goal:
    """`measure` of runs, or the `path` of a free number; `sign` -1 where it is to be largest. `share`: a percentile;
    `above` or `below` [SI]: the share of machines beyond that."""

    text: str
    measure: str = ""
    path: str = ""
    sign: float = 1.0
    share: float | None = None
    bound: str = ""
    above: float | None = None
    below: float | None = None
    unit: str = ""

    @property
    def of_many(self) -> bool:
        """Whether it means something of many machines only."""
        return self.share is not None or bool(self.bound)

    def with_unit(self, unit: str) -> Goal:
        """With the unit of its measure, in which a bound is read."""
        if not self.bound:
            return replace(self, unit=unit)
        value = quantity(self.bound[1:], unit, f'goal "{self.text}"')
        above = self.bound[0] == ">"
        return replace(self, unit="", above=value if above else None, below=None if above else value)

    def of(self, values: np.ndarray) -> np.ndarray:
        """From values of machines along the last axis; nan where one of them has no result."""
        if self.share is not None:
            return np.asarray(np.quantile(values, self.share, axis=-1, method="median_unbiased"))
        if self.above is not None or self.below is not None:
            beyond = values > self.above if self.above is not None else values < self.below
            return np.where(np.isfinite(values).all(axis=-1), beyond.mean(axis=-1), np.nan)
        return np.asarray(values.mean(axis=-1))


def read_goal(text: str, free: Mapping[str, object]) -> Goal:
    """The goal that a text means; the names of free numbers are goals too."""
    words = " ".join(str(text).split())
    sign = -1.0 if words.startswith("most ") else 1.0
    rest = words.removeprefix("most ").removeprefix("least ")
    if rest in free:
        return Goal(words, path=rest, sign=sign)
    if match := PERCENTILE.fullmatch(rest):
        share = float(match[1]) / 100.0
        if not 0.0 < share < 1.0:
            raise GudgeonError(f'goal "{text}": a percentile lies between 0 and 100 %; write "95 % of {match[2]}"')
        return Goal(words, _measure(text, match[2]), sign=sign, share=share)
    if match := SHARE.fullmatch(rest):
        return Goal(words, _measure(text, match[1]), sign=sign, bound=match[2] + match[3])
    return Goal(words, _measure(text, rest), sign=sign)


def _measure(text: str, measure: str) -> str:
    try:
        found = named(measure)
    except GudgeonError as error:
        raise GudgeonError(f'goal "{text}": {error}') from None
    if measure not in found.names:
        raise GudgeonError(f'goal "{text}": it has {found.names}; ask for one number')
    return measure
