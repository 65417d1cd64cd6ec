"""`States`: the one allocator of places in the state y = (coordinates, velocities, internal states, integrals)."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from gudgeon.compile.graph import Graph, Scalar


class States:
    """Hands out internal states (of friction laws, drives and motors) and, behind them, integrals that ride along.

    Internal states take part in error control; integrals do not. A place that has been handed out never moves.
    """

    def __init__(self, graph: Graph, positions: int, velocities: int) -> None:
        self.graph, self.positions, self.velocities = graph, positions, velocities
        self.names: list[str] = []
        self.starts: list[float] = []
        self._rates: dict[int, Scalar] = {}
        self.integrals: dict[str, Scalar] = {}

    def add(self, name: str, start: float = 0.0) -> tuple[Scalar, int]:
        """An internal state: its symbol and its place in y. All of them come before the first integral."""
        (index,) = self.reserve([name], start)
        return self.graph.input("y", index), index

    def reserve(self, names: Iterable[str], start: float = 0.0) -> list[int]:
        """Places of internal states whose symbols are made later."""
        assert not self.integrals
        first = self.controlled
        self.names += names
        self.starts += [start] * (self.controlled - first)
        return list(range(first, self.controlled))

    def reserve_constants(self, names: Iterable[str]) -> list[int]:
        """The same of states that time does not change by itself: a method sets them."""
        places = self.reserve(names)
        for place in places:
            self.set_rate(place, self.graph.zero)
        return places

    def with_starts(self, other: States) -> States:
        """The same states with the values that those of another start with; without integrals."""
        made = copy(self)
        made.starts, made.integrals = other.starts, {}
        return made

    def symbols(self, places: Iterable[int]) -> list[Scalar]:
        return [self.graph.input("y", place) for place in places]

    def index(self, name: str) -> int:
        """Place of an internal state in y."""
        return self.positions + self.velocities + self.names.index(name)

    def set_rate(self, index: int, rate: Scalar) -> None:
        self._rates[index] = rate

    def rate(self, index: int) -> Scalar:
        return self._rates[index]

    def integrate(self, name: str, rate: Scalar) -> None:
        """Accumulate a power over time."""
        self.integrals[name] = rate

    def integral(self, name: str) -> Scalar:
        return self.graph.input("y", self.controlled + list(self.integrals).index(name))

    @property
    def controlled(self) -> int:
        return self.positions + self.velocities + len(self.names)

    @property
    def total(self) -> int:
        return self.controlled + len(self.integrals)

    @property
    def rates(self) -> list[Scalar]:
        start = self.positions + self.velocities
        return [self._rates[start + k] for k in range(len(self.names))] + list(self.integrals.values())
