"""Sparse linear systems inside kernels: LU factors with a pattern and an order that are known beforehand.

All numbers lie at two machine addresses: integers `T` (the plan of assemble.ordering, see `table`) and floats `F`. Rows
are eliminated in the order of the plan without exchanges, each against the rows above it that it has entries with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import FloatsAt, IntegersAt, kernel

# places in T: sizes, then where lists begin in T and blocks begin in F; behind them the method may have its own
(SIZE, ENTRIES, FILLED, STARTS, COLUMNS, DIAGONAL, PLACES, POSITION,
 FACTORS, INVERSE, SCRATCH, RIGHT, VALUES, REST, OWN) = range(15)  # fmt: skip
OWN_SIZE = 24


def table(plan: Any, own: list[int], rest: int) -> tuple[np.ndarray, np.ndarray]:
    """T and F of a plan, with the method's own integers, and `rest` more floats behind."""
    head = OWN + OWN_SIZE
    lists = [plan.starts, plan.columns, plan.diagonal, plan.places, plan.position]
    begins = np.cumsum([head, *(len(x) for x in lists)])
    n, entries, filled = plan.size, len(plan.places), len(plan.columns)
    blocks = np.cumsum([0, filled, n, n, n, entries])
    first = [n, entries, filled, *begins[:5], *blocks, *own, *[0] * (OWN_SIZE - len(own))]
    integers = np.concatenate([np.array(first, dtype=np.int64), *lists]).astype(np.int64)
    return integers, np.zeros(int(blocks[-1]) + rest)


@kernel
def factor(T: IntegersAt, F: FloatsAt) -> float:
    """Factors of the matrix whose entries are at VALUES. Gives 0 where a pivot is zero or no number, else 1."""
    n, lu, inverse, row = T[SIZE], T[FACTORS], T[INVERSE], T[SCRATCH]
    starts, columns, diagonal = T[STARTS], T[COLUMNS], T[DIAGONAL]
    for k in range(T[FILLED]):
        F[lu + k] = 0.0
    for k in range(T[ENTRIES]):
        F[lu + T[T[PLACES] + k]] += F[T[VALUES] + k]
    for i in range(n):
        first, last, pivot = T[starts + i], T[starts + i + 1], T[diagonal + i]
        for k in range(first, last):
            F[row + T[columns + k]] = F[lu + k]
        for k in range(first, pivot):
            c = T[columns + k]
            share = F[row + c] * F[inverse + c]
            F[row + c] = share
            if share != 0.0:
                for j in range(T[diagonal + c] + 1, T[starts + c + 1]):
                    F[row + T[columns + j]] -= share * F[lu + j]
        for k in range(first, last):
            F[lu + k] = F[row + T[columns + k]]
        if not 0.0 < abs(F[lu + pivot]) < 1e300:
            return 0.0
        F[inverse + i] = 1.0 / F[lu + pivot]
    return 1.0


@kernel
def solve(T: IntegersAt, F: FloatsAt) -> float:
    """Solve in place of the right-hand side, which is in the order of elimination."""
    n, lu, inverse, b = T[SIZE], T[FACTORS], T[INVERSE], T[RIGHT]
    starts, columns, diagonal = T[STARTS], T[COLUMNS], T[DIAGONAL]
    for i in range(n):
        total = F[b + i]
        for k in range(T[starts + i], T[diagonal + i]):
            total -= F[lu + k] * F[b + T[columns + k]]
        F[b + i] = total
    for i in range(n - 1, -1, -1):
        total = F[b + i]
        for k in range(T[diagonal + i] + 1, T[starts + i + 1]):
            total -= F[lu + k] * F[b + T[columns + k]]
        F[b + i] = total * F[inverse + i]
    return 0.0
