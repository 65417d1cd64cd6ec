"""`Parameters`: the numbers of a mechanism that stay free at run time."""

from __future__ import annotations

import numpy as np

from gudgeon.compile.graph import Graph, Scalar

STRUCTURAL = (0.0, 1.0, -1.0)


class Parameters:
    """Hands out symbols for numbers and remembers their names and values, in the order of the array p. Not `folded`,
    no number is structure."""

    def __init__(self, graph: Graph, *, folded: bool = True) -> None:
        self.graph, self.folded = graph, folded
        self.names: list[str] = []
        self._values: list[float] = []

    def number(self, name: str, value: float) -> Scalar:
        """A run-time parameter."""
        self.names.append(name)
        self._values.append(float(value))
        return self.graph.input("p", len(self.names) - 1)

    def geometry(self, name: str, value: float) -> Scalar:
        """The same, but 0, 1 and -1 are structure: they fold, so an axis along x costs no multiplication."""
        return self.graph.constant(value) if self.folded and value in STRUCTURAL else self.number(name, value)

    def block(self, prefix: str, packed: dict[str, float]) -> int:
        """Consecutive parameters of an opaque law; gives the offset of the block."""
        offset = len(self.names)
        for name, value in packed.items():
            self.number(f"{prefix}.{name}", value)
        return offset

    def matching(self, other: Parameters) -> dict[int, int]:
        """Where each parameter of another trace of the same mechanism is found here: by its name, and by its turn where
        a name comes again; what is not here is added."""
        places: dict[str, list[int]] = {}
        for k, name in enumerate(self.names):
            places.setdefault(name, []).append(k)
        match, seen = {}, dict.fromkeys(other.names, 0)
        for k, (name, value) in enumerate(zip(other.names, other._values, strict=True)):
            own = places.setdefault(name, [])
            turn, seen[name] = seen[name], seen[name] + 1
            if turn < len(own):
                match[k] = own[turn]
                continue
            same = [x for x in own if self._values[x] == value]
            if not same:
                self.number(name, value)
                own.append(len(self.names) - 1)
            match[k] = same[0] if same else own[-1]
        return match

    @property
    def values(self) -> np.ndarray:
        return np.array(self._values, dtype=float)

    def __len__(self) -> int:
        return len(self.names)
