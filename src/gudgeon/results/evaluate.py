"""The channels of a system on rows of the tape, and columns of channels that are made when they are read first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.native.kernel import evaluate_rows

__all__ = ["LazyColumns", "evaluate"]


class LazyColumns(MutableMapping[str, np.ndarray]):
    """Arrays by name; those that are given as functions are made when they are read first."""

    def __init__(self, given: Mapping[str, np.ndarray | Callable[[], np.ndarray]]) -> None:
        self._given = dict(given)

    @classmethod
    def of(cls, given: Mapping[str, np.ndarray]) -> LazyColumns:
        return given if isinstance(given, LazyColumns) else cls(given)

    def __getitem__(self, name: str) -> np.ndarray:
        found = self._given[name]
        if callable(found):
            found = self._given[name] = found()
        return found

    def __setitem__(self, name: str, values: np.ndarray | Callable[[], np.ndarray]) -> None:
        self._given[name] = values

    def __delitem__(self, name: str) -> None:
        del self._given[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def cut(self, part: slice) -> LazyColumns:
        """The same rows of each."""
        return LazyColumns({name: lambda name=name: self[name][part] for name in self._given})  # type: ignore[misc]

    def __reduce__(self) -> tuple[type[LazyColumns], tuple[dict[str, np.ndarray]]]:
        return LazyColumns, (dict(self),)


def evaluate(system: System, rows: np.ndarray) -> np.ndarray:
    """All channels of a system on rows (t, y, m)."""
    out = np.empty((len(rows), len(system.channels)))
    evaluate_rows(system.addresses["channels"], np.ascontiguousarray(rows), np.zeros(system.states),
                  np.zeros(system.memory), system.p, np.zeros(len(system.channels)), out)  # fmt: skip
    return out
