"""Sparse factors with a fixed pattern against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.assemble.solve.ordering import plan
from gudgeon.compile.native.kernel import floats_at, integers_at, kernel
from gudgeon.methods.linear import sparse as sparse_lu


@kernel
def factor_and_solve(integers: int, floats: int) -> float:
    T, F = integers_at(integers), floats_at(floats)
    regular = sparse_lu.factor(T, F)
    if regular > 0.0:
        sparse_lu.solve(T, F)
    return regular


def chain(n, rows, rng):
    """A banded matrix S and rows J, as of a chain of bodies with constraints; entries in any order."""
    entries = {(i, j): rng.normal() for i in range(n) for j in range(n) if abs(i - j) <= 3}
    for i in range(n):
        entries[i, i] = 12.0 + rng.random()
    for k in range(rows):
        for i in rng.choice(n, 3, replace=False):
            entries[n + k, int(i)] = rng.normal()
            entries[int(i), n + k] = -entries[n + k, int(i)]
    listed = list(entries)
    rng.shuffle(listed)
    order = [(int(i), int(j)) for i, j in listed]
    return order, np.array([entries[pair] for pair in order])


@pytest.mark.parametrize("n, rows", [(1, 0), (5, 1), (30, 6), (200, 40)])
def test_solutions_are_those_of_dense_algebra(n, rows):
    rng = np.random.default_rng(n)
    entries, values = chain(n, rows, rng) if n > 2 else ([(0, 0)], np.array([2.0]))
    found = plan(n + rows, entries, range(n, n + rows))
    matrix, right = found.dense(values), rng.normal(size=n + rows)
    integers, floats = sparse_lu.table(found, [], 0)
    begin, b = integers[sparse_lu.VALUES], integers[sparse_lu.RIGHT]
    floats[begin : begin + len(values)] = values
    floats[b + found.position] = right
    assert factor_and_solve(integers.ctypes.data, floats.ctypes.data) == 1.0
    assert floats[b + found.position] == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-11)


def test_the_order_keeps_a_chain_banded():
    entries, _ = chain(300, 0, np.random.default_rng(1))
    found = plan(300, entries, range(300, 300))
    assert len(found.columns) < 1.3 * len(entries)


def test_constraints_wait_for_their_neighbours():
    entries, _ = chain(40, 8, np.random.default_rng(2))
    found = plan(48, entries, range(40, 48))
    for i, j in entries:
        if i >= 40 > j:
            assert found.position[i] > found.position[j]


def test_a_singular_matrix_is_reported():
    found = plan(2, [(0, 0), (0, 1), (1, 0), (1, 1)], range(2, 2))
    integers, floats = sparse_lu.table(found, [], 0)
    floats[integers[sparse_lu.VALUES] :][:4] = [1.0, 2.0, 2.0, 4.0]
    assert factor_and_solve(integers.ctypes.data, floats.ctypes.data) == 0.0
