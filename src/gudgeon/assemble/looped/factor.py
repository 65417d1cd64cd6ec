"""Numeric factorisation S = L D Lᵀ of a sparse matrix of small blocks, in loops over pivots of equal shape.

A pivot of n rows, coupled with s rows that are eliminated later, is a dense front

    [ A  B ]     A = l d lᵀ (n x n),  V = l⁻¹ B (n x s),  W = d⁻¹ V
    [ Bᵀ C ]     C ← C - Vᵀ W,        z = d⁻¹ l⁻¹ r,      r_s ← r_s - Vᵀ z
                 backwards            x = l⁻ᵀ (z - W x_s)

traced once for each n, s and number of right sides, and run with a table of where A, B, C and r are. A and B lie
together in the workspace and are overwritten by l and W. Fronts that are wide or of a rare shape are not written out
but run through loops of their own (`native.front`), so that code does not grow with the mechanism.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import Any

import numpy as np

from gudgeon.assemble.looped.order import Pivot, elimination
from gudgeon.compile.graph import Graph, Scalar
from gudgeon.compile.graph.loop import Element, Loop, Output, Step, sequence
from gudgeon.compile.native import front as wide_fronts

WIDE = 700  # products of a front beyond which it is not written out, since compiling takes longer than it saves
SHAPES = 6  # the most shapes that are written out


def _products(n: int, s: int) -> int:
    """Products in the elimination of a front."""
    return n * n * n // 6 + n * n * s // 2 + n * s * s // 2


def _lower(i: int, j: int) -> int:
    """Place of entry (i, j) in a lower triangle stored by rows."""
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i


def triangle(n: int) -> int:
    return n * (n + 1) // 2


class Factor:
    """Layout of a symmetric matrix of blocks in the workspace, and the steps that factorise it and solve with it."""

    def __init__(self, sizes: Sequence[int], coupled: Sequence[set[int]], start: int) -> None:
        self.sizes, self.pivots = list(sizes), elimination(sizes, coupled)
        self.start = start
        self.position = {pivot.block: k for k, pivot in enumerate(self.pivots)}
        self.base, self.column = {}, {}  # of a block's front; of a neighbour within it
        place = start
        for pivot in self.pivots:
            self.base[pivot.block] = place
            width = 0
            for k in pivot.neighbours:
                self.column[pivot.block, k] = width
                width += sizes[k]
            place += triangle(sizes[pivot.block]) + sizes[pivot.block] * width
        self.entries = place - start
        # multipliers in order of elimination: neighbours in time are neighbours in memory
        self.row: dict[int, int] = {}
        self.rows = 0
        for pivot in self.pivots:
            self.row[pivot.block] = self.rows
            self.rows += sizes[pivot.block]

    def width(self, pivot: Pivot) -> int:
        """Rows that a pivot is coupled with."""
        return sum(self.sizes[k] for k in pivot.neighbours)

    def diagonal(self, block: int) -> list[int]:
        """Places of the lower triangle of a block's own matrix, by rows."""
        return list(range(self.base[block], self.base[block] + triangle(self.sizes[block])))

    def between(self, a: int, b: int) -> list[int]:
        """Places of the entries of blocks a and b, rows of a first."""
        turned = self.position[a] > self.position[b]
        first, second = (b, a) if turned else (a, b)
        n, near = self.sizes[first], self.pivots[self.position[first]]
        width, start = self.width(near), self.base[first] + triangle(n) + self.column[first, second]
        return [
            start + (j * width + i if turned else i * width + j)
            for i in range(self.sizes[a])
            for j in range(self.sizes[b])
        ]

    def steps(self, rights: Sequence[int]) -> tuple[Step, Step]:
        """Forward and backward steps for right sides at w[rights[k] + row], replaced by the solution."""
        runs = [list(run) for _, run in groupby(self.pivots, key=self._written)]
        forward = [self._step(run, rights, "forward") for run in runs]
        backward = [self._step(run[::-1], rights, "backward") for run in runs[::-1]]
        return sequence(forward), sequence(backward)

    def shape(self, pivot: Pivot) -> tuple[int, int]:
        return self.sizes[pivot.block], self.width(pivot)

    def _written(self, pivot: Pivot) -> tuple[int, int] | None:
        """The shape of a front that is written out, None for others."""
        return self.shape(pivot) if self.shape(pivot) in self.written else None

    @cached_property
    def written(self) -> set[tuple[int, int]]:
        """Shapes that are written out: one kernel each."""
        counts = Counter(shape for shape in map(self.shape, self.pivots) if _products(*shape) <= WIDE)
        return {shape for shape, _ in counts.most_common(SHAPES)}

    def _step(self, run: Sequence[Pivot], rights: Sequence[int], name: str) -> Step:
        if self._written(run[0]) is None:
            return self._wide(run, rights, name)
        n, s = self.shape(run[0])
        own = triangle(n) + n * s
        places = np.array([self._places(pivot, rights) for pivot in run], dtype=np.int64)
        ends = np.cumsum([own, n * len(rights), s * len(rights)])
        front, x, later, update = np.split(places, ends, axis=1)
        results = {"forward": np.hstack([front, x, update, later]), "backward": x}
        element = _front(n, s, len(rights))
        return Loop(element, {"w": np.hstack([front, x, later])}, results, near=own).step(name)

    def _wide(self, run: Sequence[Pivot], rights: Sequence[int], name: str) -> Step:
        table: list[int] = []
        for pivot in run:
            n, s = self.shape(pivot)
            table += [n, s, len(rights), self.base[pivot.block]]
            table += self._places(pivot, rights)[triangle(n) + n * s :]
        return Step(wide_fronts.addresses()[name], np.array(table, dtype=np.int32), len(run))

    def _places(self, pivot: Pivot, rights: Sequence[int]) -> list[int]:
        """Front, own right sides, right sides of the neighbours, and the neighbours' matrix that the front changes."""
        n, width, base = self.sizes[pivot.block], self.width(pivot), self.base[pivot.block]
        front = list(range(base, base + triangle(n) + n * width))
        own = [r + self.row[pivot.block] + i for r in rights for i in range(n)]
        later = [r + self.row[k] + i for r in rights for k in pivot.neighbours for i in range(self.sizes[k])]
        rows = [(k, i) for k in pivot.neighbours for i in range(self.sizes[k])]
        blocks: dict[tuple[int, int], list[int]] = {}
        update = []
        for a, (k, i) in enumerate(rows):
            for l, j in rows[: a + 1]:
                if k == l:
                    update.append(self.base[k] + _lower(i, j))
                    continue
                if (k, l) not in blocks:
                    blocks[k, l] = self.between(k, l)
                update.append(blocks[k, l][i * self.sizes[l] + j])
        return [*front, *own, *later, *update]

    @property
    def operations(self) -> int:
        """Operations of one factorisation and of a solution with one right side; two per product where not written."""
        return sum(
            2 * _products(*shape) if shape not in self.written else _front(*shape, 1).size
            for shape in map(self.shape, self.pivots)
        )


@cache
def _front(n: int, s: int, rights: int) -> Element:
    """The dense front of a pivot: local w = (A by rows of its lower triangle, B by rows, right sides, later ones)."""
    graph = Graph()
    a = graph.inputs("w", triangle(n))
    b = [graph.inputs("w", s, triangle(n) + s * i) for i in range(n)]
    start = triangle(n) + n * s
    x = [graph.inputs("w", n, start + n * r) for r in range(rights)]
    later = [graph.inputs("w", s, start + n * rights + s * r) for r in range(rights)]
    factor, inverse = _dense(graph, a, n)
    v = [list(row) for row in b]
    for i in range(n):
        for k in range(i):
            v[i] = [p - factor[i][k] * q for p, q in zip(v[i], v[k], strict=True)]
    w = [[p * inverse[i] for p in v[i]] for i in range(n)]
    z = []
    for right in x:
        u = list(right)
        for i in range(n):
            for k in range(i):
                u[i] = u[i] - factor[i][k] * u[k]
        z.append(u)
    scaled = [[p * d for p, d in zip(u, inverse, strict=True)] for u in z]
    stored: list[Scalar] = [factor[i][j] if j < i else inverse[i] for i in range(n) for j in range(i + 1)]
    stored += [p for row in w for p in row] + [p for u in scaled for p in u]
    forward = [Output(p, "w") for p in stored]
    for i in range(s):
        forward += [Output(-_sum(graph, [v[k][i] * w[k][j] for k in range(n)]), "w", add=True) for j in range(i + 1)]
    for u in z:
        forward += [Output(-_sum(graph, [w[k][i] * u[k] for k in range(n)]), "w", add=True) for i in range(s)]
    backward = []
    for right, known in zip(x, later, strict=True):
        # here a holds l below its diagonal, and b holds W
        u = [right[i] - _sum(graph, [b[i][j] * known[j] for j in range(s)]) for i in range(n)]
        for i in range(n - 1, -1, -1):
            for k in range(i + 1, n):
                u[i] = u[i] - a[_lower(k, i)] * u[k]
        backward += [Output(p, "w") for p in u]
    return Element(graph, {"forward": forward, "backward": backward}, 0)


def _dense(graph: Graph, a: Sequence[Scalar], n: int) -> tuple[list[list[Any]], list[Any]]:
    """l and d⁻¹ of a lower triangle."""
    factor: list[list[Any]] = []
    inverse: list[Any] = []
    for i in range(n):
        row: list[Any] = []
        pivot: Any = a[_lower(i, i)]
        for j in range(i):
            upper: Any = a[_lower(i, j)]
            for k in range(j):
                upper = upper - row[k][1] * factor[j][k]
            row.append((upper * inverse[j], upper))
        for scaled, upper in row:
            pivot = pivot - scaled * upper
        factor.append([scaled for scaled, _ in row])
        inverse.append(1.0 / pivot)
    return factor, inverse


def _sum(graph: Graph, terms: Sequence[Scalar]) -> Scalar:
    total = graph.zero
    for x in terms:
        total = total + x
    return total
