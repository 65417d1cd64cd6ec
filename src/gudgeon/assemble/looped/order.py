"""The order of elimination of a sparse symmetric matrix of small blocks, and what it fills in.

Minimum degree says what to fill in: the block with the fewest rows around it goes first. Of all orders with that fill
the one with the fewest rounds is taken (Jess and Kees 1982): in each round every block goes whose neighbours all know
each other, as far as they are not neighbours themselves. So a chain is eliminated from both ends, which fills in
nothing and makes two recursions that do not wait for each other; a tree from its leaves.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Pivot:
    """One block: its number, and the blocks it is coupled with when it is eliminated, in order of their elimination.
    Pivots of equal `level` do not touch each other's blocks."""

    block: int
    neighbours: tuple[int, ...]
    level: int


def elimination(sizes: Sequence[int], coupled: Sequence[set[int]]) -> list[Pivot]:
    """Pivots in order; `coupled[i]` are the blocks that block i shares entries with."""
    around = _filled(sizes, coupled)
    pivots: list[tuple[int, set[int], int]] = []
    candidates, level = set(range(len(sizes))), 0
    while candidates:
        blocked: set[int] = set()
        chosen = []
        for block in sorted(candidates, key=lambda k: (len(around[k]), k)):
            near = around[block]
            if block not in blocked and all(b in around[a] for a, b in combinations(near, 2)):
                chosen.append(block)
                blocked |= near
                pivots.append((block, near, level))
        candidates &= blocked  # others must wait until a neighbour goes
        for block in chosen:
            for k in around[block]:
                around[k].discard(block)
                candidates.add(k)
        candidates.difference_update(chosen)
        level += 1
    position = {block: k for k, (block, _, _) in enumerate(pivots)}
    return [Pivot(block, tuple(sorted(near, key=position.__getitem__)), level) for block, near, level in pivots]


def _filled(sizes: Sequence[int], coupled: Sequence[set[int]]) -> list[set[int]]:
    """What is coupled when all is filled in, by minimum degree; of equal ones the one disturbed longest ago."""
    around = [set(x) - {i} for i, x in enumerate(coupled)]
    filled = [set(x) for x in around]
    heap = [(sum(sizes[k] for k in x), i, i) for i, x in enumerate(around)]
    heapq.heapify(heap)
    stamp, clock = list(range(len(sizes))), len(sizes)
    while heap:
        _, mark, block = heapq.heappop(heap)
        if mark != stamp[block]:
            continue
        near = around[block]
        for k in near:
            around[k] |= near
            around[k] -= {k, block}
            filled[k] |= around[k]
            stamp[k], clock = clock, clock + 1
            heapq.heappush(heap, (sum(sizes[i] for i in around[k]), stamp[k], k))
        stamp[block] = -1
    return filled
