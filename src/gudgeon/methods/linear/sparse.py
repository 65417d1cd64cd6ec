"""Sparse linear systems inside kernels: LU factors with a pattern and an order that are known beforehand.

Rows are eliminated in the order of the plan (assemble.solve.ordering) without exchanges, each against the rows above it
that it has entries with. Right-hand side and solution share one array, in that order: unknown i is at position[i].

A plan that is not too long has code of its own (written.py); the loops here do the same for those that are.
"""

from __future__ import annotations

import numpy as np

from gudgeon.assemble.solve.ordering import Plan
from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats, Integers, Record
from gudgeon.methods.linear.written import written


class SparseFactors(Record):
    """A matrix by its entries, its factors by rows, and one right-hand side."""

    factor_at: int  # code of this plan, by its address; 0: there is none
    solve_at: int
    position: Integers  # of each unknown in the order of elimination
    starts: Integers  # of each row of the factors, in that order
    columns: Integers  # of its entries, ascending
    diagonal: Integers  # where the pivot of each row is
    places: Integers  # of each entry of the matrix among the factors
    values: Floats  # of the entries of the matrix
    factors: Floats
    inverse: Floats  # of the pivots
    scratch: Floats  # the row that is being eliminated, by columns
    right: Floats  # the right-hand side, then the solution


def sparse_factors(plan: Plan) -> SparseFactors:
    """Room for the factors of a matrix with this plan."""
    inverse, scratch, right = (np.zeros(plan.size) for _ in range(3))
    addresses = written(plan)
    return SparseFactors(
        factor_at=addresses.get("factor", 0), solve_at=addresses.get("solve", 0),
        position=plan.position, starts=plan.starts, columns=plan.columns, diagonal=plan.diagonal, places=plan.places,
        values=np.zeros(len(plan.places)), factors=np.zeros(len(plan.columns)),
        inverse=inverse, scratch=scratch, right=right,
    )  # fmt: skip


@kernel
def factor(a: SparseFactors) -> bool:
    """Factors of the matrix with these values. False where a pivot is zero or no number."""
    lu, inverse, row = a.factors, a.inverse, a.scratch
    starts, columns, diagonal = a.starts, a.columns, a.diagonal
    values, places = a.values, a.places
    if a.factor_at != 0:
        evaluate(a.factor_at, 0.0, values, inverse, row, lu)
        regular = True
        for i in range(inverse.shape[0]):
            regular = regular and 1e-300 < abs(inverse[i]) < 1e300
        return regular
    for k in range(a.factors.shape[0]):
        lu[k] = 0.0
    for k in range(values.shape[0]):
        lu[places[k]] += values[k]
    for i in range(a.inverse.shape[0]):
        first, last, pivot = starts[i], starts[i + 1], diagonal[i]
        for k in range(first, last):
            row[columns[k]] = lu[k]
        for k in range(first, pivot):
            c = columns[k]
            share = row[c] * inverse[c]
            row[c] = share
            if share != 0.0:
                for j in range(diagonal[c] + 1, starts[c + 1]):
                    row[columns[j]] -= share * lu[j]
        for k in range(first, last):
            lu[k] = row[columns[k]]
        if not 0.0 < abs(lu[pivot]) < 1e300:
            return False
        inverse[i] = 1.0 / lu[pivot]
    return True


@kernel
def solve(a: SparseFactors) -> int:
    """Solve in place of the right-hand side."""
    n, lu, inverse, b = a.right.shape[0], a.factors, a.inverse, a.right
    starts, columns, diagonal = a.starts, a.columns, a.diagonal
    if a.solve_at != 0:
        evaluate(a.solve_at, 0.0, a.values, inverse, lu, b)
        return 0
    for i in range(n):
        total = b[i]
        for k in range(starts[i], diagonal[i]):
            total -= lu[k] * b[columns[k]]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for k in range(diagonal[i] + 1, starts[i + 1]):
            total -= lu[k] * b[columns[k]]
        b[i] = total * inverse[i]
    return 0
