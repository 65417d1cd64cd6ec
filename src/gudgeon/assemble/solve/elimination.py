"""Solution of the constrained equations, unrolled into the graph.

    [ M  -Jᵀ ] [ a ]   [ F ]          S = J M⁻¹ Jᵀ = L D Lᵀ
    [ J   0  ] [ λ ] = [ γ ]          λ = S⁻¹ (γ - J M⁻¹ F),   a = M⁻¹ (F + Jᵀ λ)

Rows are sparse: {column: entry}. Zeros are never stored, so the elimination touches only what is there. The order of
elimination is fixed at assembly (`row_order`): rows with the fewest entries that change with the state come first
(drives and orientations), which keeps their factors constant and lets them be computed once per run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gudgeon.compile.graph import Direction, Graph, Scalar

Row = dict[int, Scalar]


class Factors:
    """L D Lᵀ of a symmetric matrix, given by its entries on and below the diagonal."""

    def __init__(self, graph: Graph, count: int, entry: Callable[[int, int], Scalar]) -> None:
        self.graph = graph
        self.lower: list[Row] = []
        self.inverse_pivot: list[Scalar] = []
        for i in range(count):
            self._factor_row(i, entry)

    def _factor_row(self, i: int, entry: Callable[[int, int], Scalar]) -> None:
        upper: Row = {}
        for j in range(i):
            x = entry(i, j)
            for k, factor in self.lower[j].items():
                if k in upper:
                    x = x - upper[k] * factor
            if x is not self.graph.zero:
                upper[j] = x
        pivot = entry(i, i)
        factors = {}
        for j, u in upper.items():
            factors[j] = u * self.inverse_pivot[j]
            pivot = pivot - u * factors[j]
        self.lower.append(factors)
        self.inverse_pivot.append(1.0 / pivot)

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """x with matrix x = right."""
        x = list(right)
        for i, factors in enumerate(self.lower):
            for j, factor in factors.items():
                x[i] = x[i] - factor * x[j]
        x = [value * inverse for value, inverse in zip(x, self.inverse_pivot, strict=True)]
        for i in range(len(x) - 1, -1, -1):
            for j, factor in self.lower[i].items():
                x[j] = x[j] - factor * x[i]
        return x


class Diagonal:
    """A mass matrix of separate bodies, by its inverse."""

    def __init__(self, inverse: Sequence[Scalar]) -> None:
        self.inverse = inverse

    def solve(self, force: Sequence[Scalar]) -> list[Scalar]:
        return [x * w for x, w in zip(force, self.inverse, strict=True)]

    def weighted(self, row: Row) -> Row:
        """M⁻¹ of a row."""
        return {k: x * self.inverse[k] for k, x in row.items()}

    def change(self, along: Direction, a: Sequence[Scalar]) -> list[Scalar]:
        """Change of M a along a direction, a held."""
        return [along(1.0 / w) * x for w, x in zip(self.inverse, a, strict=True)]


def product(matrix: dict[tuple[int, int], Any], vector: Sequence[Any]) -> list[Any]:
    """A symmetric matrix, by its entries on and above the diagonal, times a vector."""
    image: list[Any] = [0.0] * len(vector)
    for (k, m), x in matrix.items():
        image[k] = image[k] + x * vector[m]
        if m != k:
            image[m] = image[m] + x * vector[k]
    return image


class Symmetric:
    """A mass matrix that couples bodies of a tree, or the frame and the modes of a link: eliminated from the leaves
    and modes before their frame, where it stays as sparse as it is."""

    def __init__(self, graph: Graph, count: int, entry: Callable[[int, int], Scalar]) -> None:
        self.graph, self.count, self.entry = graph, count, entry
        last = count - 1
        self._factors = Factors(graph, count, lambda i, j: entry(last - j, last - i))

    def solve(self, force: Sequence[Scalar]) -> list[Scalar]:
        return self._factors.solve(force[::-1])[::-1]

    def weighted(self, row: Row) -> Row:
        """M⁻¹ of a row."""
        column = self.solve([row.get(k, self.graph.zero) for k in range(self.count)])
        return {k: x for k, x in enumerate(column) if x is not self.graph.zero}

    def change(self, along: Direction, a: Sequence[Scalar]) -> list[Scalar]:
        """Change of M a along a direction, a held."""
        changes = []
        for i in range(self.count):
            total = self.graph.zero
            for j, x in enumerate(a):
                total = total + along(self.entry(max(i, j), min(i, j))) * x
            changes.append(total)
        return changes


# Redundant rows make S singular, but S x = b is still solvable, and Jᵀ x is unique. Which rows follow from the others
# changes with the position: of coupling rods a quarter turn apart each holds where the other one cannot, so that no row
# can be left out for good (`start.loses_hold`). There all are kept, and S + D with D = SLACK diag(S) is factorised.
# From x = 0
#
#     x ← x + (S + D)⁻¹ (b - S x)
#
# takes away the part of x that S sees by SLACK / (σ + SLACK) in a step, σ being the least eigenvalue of S that is not
# 0, S scaled to a diagonal of ones; x goes to the solution of least norm. Off the constraints by d, as the stages of a
# step are, b contradicts itself by d, and d² / SLACK comes into the accelerations: a smaller SLACK is not better.
SLACK = 1e-5
REFINEMENTS = 4


class Schur:
    """The factorised S = J M⁻¹ Jᵀ of a set of rows; `softness` is added to its diagonal. `redundant`: some rows follow
    from others."""

    def __init__(self, graph: Graph, rows: Sequence[Row], mass: Diagonal | Symmetric, count: int,
                 softness: Sequence[Scalar] = (), *, redundant: bool = False) -> None:  # fmt: skip
        """`count` is that of the velocities."""
        self.graph, self.rows, self.mass, self.count = graph, rows, mass, count
        self.softness = softness or [graph.zero] * len(rows)
        self.weighted = [mass.weighted(row) for row in rows]
        self._refinements = REFINEMENTS if redundant else 0
        self._factors = Factors(graph, len(rows), self._slack_entry if redundant else self._entry)

    def _entry(self, i: int, j: int) -> Scalar:
        entry = _product(self.graph, self.weighted[i], self.rows[j])
        return entry + self.softness[i] if i == j else entry

    def _slack_entry(self, i: int, j: int) -> Scalar:
        entry = self._entry(i, j)
        return entry * (1.0 + SLACK) if i == j else entry

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """x with S x = right; where rows are redundant, the one of least norm."""
        x = self._factors.solve(right)
        for _ in range(self._refinements):
            image = self.weighted_product(self.transposed(x))
            left = [b - y - s * z for b, y, s, z in zip(right, image, self.softness, x, strict=True)]
            x = [z + change for z, change in zip(x, self._factors.solve(left), strict=True)]
        return x

    def respond(self, force: Sequence[Scalar], right: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """a and λ with M a - Jᵀ λ = force and J a = right."""
        free = self.weighted_product(force)
        multipliers = self.solve([g - f for g, f in zip(right, free, strict=True)])
        total = [f + c for f, c in zip(force, self.transposed(multipliers), strict=True)]
        return self.mass.solve(total), multipliers

    def weighted_product(self, vector: Sequence[Scalar]) -> list[Scalar]:
        """J M⁻¹ vector."""
        return [_product(self.graph, row, dict(enumerate(vector))) for row in self.weighted]

    def transposed(self, multipliers: Sequence[Scalar]) -> list[Scalar]:
        """Jᵀ multipliers."""
        total = [self.graph.zero] * self.count
        for row, multiplier in zip(self.rows, multipliers, strict=True):
            for k, x in row.items():
                total[k] = total[k] + x * multiplier
        return total


def _product(graph: Graph, a: Row, b: Row) -> Scalar:
    total = graph.zero
    for k, x in a.items():
        if k in b:
            total = total + x * b[k]
    return total


def eliminate(graph: Graph, matrix: Sequence[Sequence[Scalar]],
              right: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:  # fmt: skip
    """x with matrix x = right for a small dense matrix, without pivoting, and the pivots: they must not vanish."""
    a, x, n = [list(line) for line in matrix], list(right), len(right)
    for k in range(n):
        inverse = 1.0 / a[k][k]
        for i in range(k + 1, n):
            if a[i][k] is not graph.zero:
                factor = a[i][k] * inverse
                for j in range(k + 1, n):
                    a[i][j] = a[i][j] - factor * a[k][j]
                x[i] = x[i] - factor * x[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            x[k] = x[k] - a[k][j] * x[j]
        x[k] = x[k] / a[k][k]
    return x, [a[k][k] for k in range(n)]
