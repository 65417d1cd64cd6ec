"""The order in which a sparse system is eliminated, found once at assembly, and where its factors are.

The matrix has symmetric structure and is factorised without exchanging rows:

    [ S  -Jt ]      S: inertia with its share of damping and stiffness, positive in every direction
    [ J   0  ]      J: rows of the constraints, independent

A constraint has no pivot of its own, but after all velocities in it are eliminated it has one, J S^-1 Jt > 0. So the
next is always the unknown with the fewest neighbours left (minimum degree), constraints only after all of theirs. A
velocity without inertia has no pivot in S, but one by the constraints it stands in: it comes after these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Plan:
    """A matrix of `size` by its entries (row, column) in the order of their values, and its factors by rows.

    position   of each unknown in the order of elimination
    starts     of each row of the factors, in that order; its columns are columns[starts[i]:starts[i + 1]], ascending
    diagonal   where the pivot of each row is
    places     of each entry of the matrix among the factors
    """

    size: int
    rows: np.ndarray
    columns_of: np.ndarray
    position: np.ndarray
    starts: np.ndarray
    columns: np.ndarray
    diagonal: np.ndarray
    places: np.ndarray

    def dense(self, values: np.ndarray) -> np.ndarray:
        """The matrix, for small systems in Python."""
        matrix = np.zeros((self.size, self.size))
        np.add.at(matrix, (self.rows, self.columns_of), values)
        return matrix


def plan(size: int, entries: Iterable[tuple[int, int]], late: Collection[int],
         last: Collection[int] = ()) -> Plan:  # fmt: skip
    """Order and factors of a matrix with these entries; the unknowns `late` have no pivot before their neighbours, and
    the unknowns `last` have none before those of their neighbours that are `late` and have other neighbours."""
    listed = list(entries)
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for i, j in listed:
        if i != j:
            neighbours[i].add(j)
            neighbours[j].add(i)
    order, upper = _eliminate(neighbours, late, last)
    position = np.zeros(size, dtype=np.int64)
    position[order] = np.arange(size)
    rows: list[list[int]] = [[k] for k in range(size)]
    for k, u in enumerate(order):
        for other in upper[u]:
            rows[k].append(int(position[other]))
            rows[int(position[other])].append(k)
    columns = [sorted(row) for row in rows]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in columns])]).astype(np.int64)
    where = {(i, j): int(starts[i]) + k for i, row in enumerate(columns) for k, j in enumerate(row)}
    diagonal = [where[i, i] for i in range(size)]
    places = [where[int(position[i]), int(position[j])] for i, j in listed]
    flat = [j for row in columns for j in row]
    i_of, j_of = (np.array([pair[k] for pair in listed], dtype=np.int64) for k in (0, 1))
    lists = (np.array(x, dtype=np.int64) for x in (flat, diagonal, places))
    return Plan(size, i_of, j_of, position, starts, *lists)


def _eliminate(neighbours: list[set[int]], given: Collection[int],
               ending: Collection[int]) -> tuple[list[int], list[set[int]]]:  # fmt: skip
    """Minimum degree: the order, and what each unknown is still connected with when its turn comes."""
    late, last = set(given), set(ending)
    waiting = {u: {k for k in neighbours[u] if k not in late and k not in last} for u in late}
    alone = {u for u, others in waiting.items() if not others}  # such as the drive of a velocity without inertia
    waiting |= {u: {k for k in neighbours[u] if k in last} for u in alone}
    waiting |= {u: {k for k in neighbours[u] if k in late and k not in alone} for u in last}
    left, order, upper = set(range(len(neighbours))), [], list(neighbours)
    while left:
        ready = [u for u in left if not waiting.get(u)]
        best = min(ready, key=lambda u: (len(neighbours[u]), u))
        around = set(neighbours[best])
        upper[best] = around
        for other in around:
            neighbours[other] = (neighbours[other] | around) - {other, best}
        for wait in waiting.values():
            wait.discard(best)
        left.discard(best)
        order.append(best)
    return order, upper
