"""The order of elimination of a sparse symmetric matrix of small blocks, and what it fills in.

Minimum degree: the block with the fewest rows around it goes first, of equal ones the one that was disturbed longest
ago. So a chain is eliminated from both ends in turn, which fills in nothing and makes two recursions that do not wait
for each other; a ring by every other block; a tree from its leaves.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Pivot:
    """One block: its number, and the blocks it is coupled with when it is eliminated, in order of their elimination.
    Pivots of equal `level` do not touch each other's blocks."""

    block: int
    neighbours: tuple[int, ...]
    level: int


def minimum_degree(sizes: Sequence[int], coupled: Sequence[set[int]]) -> list[Pivot]:
    """Pivots in an order of elimination; `coupled[i]` are the blocks that block i shares entries with."""
    around = [set(x) - {i} for i, x in enumerate(coupled)]
    degree = [sum(sizes[k] for k in x) for x in around]
    heap = [(d, i, i) for i, d in enumerate(degree)]
    heapq.heapify(heap)
    stamp, clock = list(range(len(sizes))), len(sizes)
    found: list[tuple[int, tuple[int, ...]]] = []
    gone = [False] * len(sizes)
    while heap:
        _, mark, block = heapq.heappop(heap)
        if gone[block] or mark != stamp[block]:
            continue
        gone[block] = True
        near = sorted(around[block])
        found.append((block, tuple(near)))
        for k in near:
            around[k].discard(block)
            around[k].update(near)
            around[k].discard(k)
            degree[k] = sum(sizes[i] for i in around[k])
            stamp[k], clock = clock, clock + 1
            heapq.heappush(heap, (degree[k], stamp[k], k))
    return _levelled(found)


def _levelled(found: Sequence[tuple[int, tuple[int, ...]]]) -> list[Pivot]:
    position = {block: k for k, (block, _) in enumerate(found)}
    level = [0] * len(found)
    pivots = []
    for block, near in found:
        ordered = tuple(sorted(near, key=position.__getitem__))
        pivots.append(Pivot(block, ordered, level[block]))
        for k in near:
            level[k] = max(level[k], level[block] + 1)
    return sorted(pivots, key=lambda pivot: pivot.level)  # stable: within a level as found
