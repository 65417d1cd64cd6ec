"""`Members`: the parts of one kind, and the tables of places that a loop over them needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gudgeon.assemble.looped.inventory import Inventory, LoopedPart
from gudgeon.assemble.looped.kind import WORKSPACE, Kind, Result
from gudgeon.compile.graph.loop import Loop


class Members:
    """Groups of places, by name: one row per part."""

    def __init__(self, inventory: Inventory, kind: Kind, parts: Sequence[LoopedPart]) -> None:
        self.kind, self.parts, self.count = kind, parts, len(parts)
        nq, nv = inventory.nq, inventory.nv
        self.bodies = np.array([part.bodies for part in parts], dtype=np.int64).reshape(self.count, -1)
        self.coordinates = spread(self.bodies, nq)
        self.velocities = spread(self.bodies, nv)
        self.groups: dict[str, np.ndarray] = {"rates": self.coordinates}
        self.groups["accelerations"] = inventory.positions + self.velocities
        states = np.array([part.states for part in parts], dtype=np.int64).reshape(self.count, -1)
        self.groups["states"] = states
        self.groups["integrals"] = self._integrals(inventory)
        events = len([c for c in kind.trace.contacts if c.index is not None])
        first = np.array([part.event for part in parts])[:, None]
        self.groups["gaps"] = 3 * first + np.arange(3 * events)
        self.places = {
            "y": np.hstack([self.coordinates, inventory.positions + self.velocities, states, self.groups["integrals"]]),
            "p": np.array([part.parameters for part in parts], dtype=np.int64).reshape(self.count, -1),
            "m": 2 * first + np.arange(2 * events),
        }

    def _integrals(self, inventory: Inventory) -> np.ndarray:
        """Places in y of what the kind counts as its integrals. A shared one that no part of the mechanism adds to is
        no state: its place is neither read nor written, and is 0 to fill the table."""
        place = {name: inventory.controlled + k for k, name in enumerate(inventory.integrals)}
        places = np.zeros((self.count, len(self.kind.integral_names)), dtype=np.int64)
        for k, name in enumerate(self.kind.integral_names):
            what, dot, number = name.partition(".")
            for e, part in enumerate(self.parts):
                places[e, k] = place[f"{what}.{int(number) + part.contact}"] if dot else place.get(name, 0)
        return places

    def add(self, group: str, places: np.ndarray) -> Members:
        self.groups[group] = np.asarray(places, dtype=np.int64).reshape(self.count, -1)
        return self

    def loop(self, functions: dict[str, list[Result]], prepared: int, *, given: bool = False) -> Loop:
        """The loop over these parts; `prepared` is where in p its derived parameters may be."""
        element = self.kind.element(functions, given=given)
        results = {
            name: np.column_stack([self.groups[x.group][:, x.index] for x in results])
            for name, results in functions.items()
            if results
        }
        nothing = {group: np.zeros((self.count, self.kind.widths[group]), dtype=np.int64) for group in WORKSPACE}
        local = np.hstack([self.groups.get(group, nothing[group]) for group in WORKSPACE])
        return Loop(element, {**self.places, "w": local}, results, prepared)


def spread(bodies: np.ndarray, width: int) -> np.ndarray:
    """Places of `width` numbers for each body of each row."""
    return (bodies[:, :, None] * width + np.arange(width)).reshape(len(bodies), -1)
