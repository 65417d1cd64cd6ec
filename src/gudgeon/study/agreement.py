"""How far the runs of a study in single precision are from the same runs in double, beside what the tolerance does."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["DOUBLE", "FINER", "LEAST", "SHARE", "Agreement", "Apart", "agreement"]

DOUBLE, FINER = "in double", "in double, half the tolerance"  # beside the measures of a run
LEAST, SHARE = 16, 0.01  # runs of a study that are done again


@dataclass(frozen=True)
class Apart:
    """One measure of the runs that were done again: relative differences, or of words how many are the same."""

    median: float
    worst: float
    same: int | None = None

    @classmethod
    def of(cls, pairs: Sequence[tuple[Any, Any]]) -> Apart:
        if any(isinstance(x, str) for pair in pairs for x in pair):
            same = sum(a == b for a, b in pairs)
            return cls(float("nan"), 1.0 - same / len(pairs), same)
        scale = max(abs(b) for _, b in pairs) * 1e-6
        ways = [0.0 if a == b else abs(a - b) / max(abs(b), scale) for a, b in pairs]
        return cls(statistics.median(ways), max(ways))

    def words(self, count: int) -> str:
        if self.same is not None:
            return f"{self.same} of {count} the same"
        return f"{self.median:.1e} in the middle, {self.worst:.1e} at most"


@dataclass(frozen=True)
class Agreement:
    """Of so many runs done again: what single precision changed, and what half the tolerance changed in double."""

    runs: int
    failed: int
    digits: dict[str, Apart]
    tolerance: dict[str, Apart]

    def lines(self) -> Iterator[str]:
        failed = f", {self.failed} of them without a result in double" if self.failed else ""
        yield f"{self.runs} runs again in double precision{failed}; relative differences:"
        for name, apart in self.digits.items():
            other = self.tolerance.get(name)
            beside = f"; half the tolerance: {other.words(self.runs - self.failed)}" if other is not None else ""
            yield f"{name}: {apart.words(self.runs - self.failed)}{beside}"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def agreement(rows: Iterable[Mapping[str, Any]], measures: Sequence[str]) -> Agreement | None:
    """From the values of runs; None where none was done again."""
    chosen = [row for row in rows if DOUBLE in row]
    if not chosen:
        return None
    whole = [row for row in chosen if all(isinstance(row.get(word), Mapping) for word in (DOUBLE, FINER))]

    def told(one: Any, other: str) -> dict[str, Apart]:
        found = {}
        for name in measures:
            pairs = [(one(row)[name], row[other][name]) for row in whole if name in row]
            if pairs:
                found[name] = Apart.of(pairs)
        return found

    return Agreement(len(chosen), len(chosen) - len(whole), told(lambda row: row, DOUBLE),
                     told(lambda row: row[FINER], DOUBLE))  # fmt: skip
