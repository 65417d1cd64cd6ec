"""Which runs of a study keep given limits, and for which values of what was varied: what a designer asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.scale import scale_for
from gudgeon.quantity import GudgeonError, in_words, quantity

if TYPE_CHECKING:
    from gudgeon.study.table import Table

__all__ = ["Verdict", "judge", "read_limit"]

ROWS = 24  # combinations of the other paths that are told, at most


@dataclass(frozen=True)
class Verdict:
    """`within[k]`: whether row k of the table keeps every limit [SI]; a run without a result keeps none. `lines`
    say it."""

    limits: dict[str, float | str]
    within: np.ndarray
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def read_limit(text: str) -> tuple[str, str]:
    """Measure and limit of a text such as "peak pin.force = 5 kN" or "regime = periodic"."""
    # the last sign: a name may have one too
    match = re.fullmatch(r"\s*(\S.*?)\s*(?:<=|<|=)\s*([^<=]*[^<=\s])\s*", text, re.DOTALL)
    if match is None:
        raise GudgeonError(f'limit "{text}": write MEASURE=VALUE, for instance "peak pin.force=5 kN"')
    return " ".join(match[1].split()), match[2]


def judge(table: Table, limits: Mapping[str, Any]) -> Verdict:
    """Hold the measures of a table against limits: numbers are kept up to the limit in magnitude, words by being it."""
    if not limits:
        raise GudgeonError('judge: there are no limits; give for instance {"peak pin.force": "5 kN"}')
    read = {name: _limit(table, name, value) for name, value in limits.items()}
    known = np.asarray(table.status == "done")
    if not known.any():
        raise GudgeonError(f'judge: no run of "{table.name}" has a result; `gudgeon study resume DIR` goes on')
    kept = {name: known & _keeps(table[name], limit) for name, limit in read.items()}
    within = np.logical_and.reduce(list(kept.values()))
    lines = [
        "limits: " + "; ".join(f"{name} {_said(table, name, limit)}" for name, limit in read.items()),
        f"{int(within.sum())} of {len(table)} runs keep {'it' if len(read) == 1 else 'all of them'}"
        + (f", {int((~known).sum())} have no result" if not known.all() else ""),
        *_breaches(table, read, kept, known),
        *_ranges(table, within),
    ]
    return Verdict(read, within, tuple(lines))


def _limit(table: Table, name: str, value: Any) -> float | str:
    if name not in table.measures:
        table[name]  # says what is like it
        raise GudgeonError(f'limit "{name}": this is what was varied; give a limit of {in_words(table.measures)}')
    if table[name].dtype.kind == "U":
        return str(value)
    return abs(quantity(value, table.units.get(name, ""), f'limit "{name}"'))


def _keeps(values: np.ndarray, limit: float | str) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return values == limit if isinstance(limit, str) else np.abs(values) <= limit


def _said(table: Table, name: str, limit: float | str) -> str:
    return f"is {limit}" if isinstance(limit, str) else f"up to {_text(table, name, limit)}"


def _text(table: Table, name: str, value: Any) -> str:
    """A value in the unit that suits its column."""
    if isinstance(value, str):
        return value
    scale = scale_for(table.units.get(name, ""), table[name])
    return f"{float(value) * scale.factor:.4g} {scale.unit}".rstrip()


def _breaches(table: Table, limits: Mapping[str, float | str], kept: Mapping[str, np.ndarray],
              known: np.ndarray) -> Iterator[str]:  # fmt: skip
    """Each limit that some run breaks, with the worst of them."""
    for name, limit in limits.items():
        broken = np.flatnonzero(known & ~kept[name])
        if not len(broken):
            continue
        worst = broken[0] if isinstance(limit, str) else broken[np.nanargmax(np.abs(table[name][broken]))]
        where = ", ".join(f"{path} {_text(table, path, table[path][worst].item())}" for path in table.paths)
        value = _text(table, name, table[name][worst].item())
        yield f"{name} is beyond its limit in {len(broken)}, {'for instance' if isinstance(limit, str) else 'most'} " \
              f"{value} at {where}"  # fmt: skip


def _ranges(table: Table, within: np.ndarray) -> Iterator[str]:
    """Of a grid: where along the longest path the limits are kept, for each combination of the others."""
    if table.shape is None:
        return
    numbers = [k for k, path in enumerate(table.paths) if table[path].dtype.kind != "U"]
    if not numbers:
        return
    main = max(numbers, key=lambda k: table.shape[k])  # type: ignore[index]
    path = table.paths[main]
    kept = np.moveaxis(within.reshape(table.shape), main, -1).reshape(-1, table.shape[main])
    index = np.moveaxis(np.arange(len(table)).reshape(table.shape), main, -1).reshape(kept.shape)
    for row, good in list(zip(index, kept, strict=True))[:ROWS]:
        others = [f"{p} {_text(table, p, table[p][row[0]].item())}" for p in table.paths if p != path]
        order = np.argsort(table[path][row])
        yield f"{', '.join([*others, path])}: {_stretches(table, path, table[path][row][order], good[order])}"
    if len(kept) > ROWS:
        yield f"... and {len(kept) - ROWS} more combinations"


def _stretches(table: Table, path: str, values: np.ndarray, good: np.ndarray) -> str:
    """ "kept from a to b" for each unbroken stretch of values."""
    if good.all():
        return "kept at every value"
    if not good.any():
        return "kept at no value"
    edges = np.flatnonzero(np.diff(np.concatenate([[0], good.astype(int), [0]])))
    said = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        low, high = (_text(table, path, values[k].item()) for k in (first, last))
        said.append(low if first == last else f"{low} to {high}")
    border = "; more than one interval: the border is not sharp" if len(said) > 1 else ""
    return f"kept {'at' if len(said) == 1 and ' to ' not in said[0] else 'from'} {' and '.join(said)}{border}"
