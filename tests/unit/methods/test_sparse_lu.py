"""Sparse factors with a fixed pattern against dense algebra."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.assemble.solve.ordering import plan
from gudgeon.methods.linear import written
from gudgeon.methods.linear.sparse import factor, solve, sparse_factors


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


@pytest.mark.parametrize("written_out", [True, False])
@pytest.mark.parametrize("n, rows", [(1, 0), (5, 1), (30, 6), (200, 40)])
def test_solutions_are_those_of_dense_algebra(n, rows, written_out, monkeypatch):
    monkeypatch.setattr(written, "MOST", 10**6 if written_out and n < 100 else -1)
    rng = np.random.default_rng(n)
    entries, values = chain(n, rows, rng) if n > 2 else ([(0, 0)], np.array([2.0]))
    found = plan(n + rows, entries, range(n, n + rows))
    matrix, right = found.dense(values), rng.normal(size=n + rows)
    factors = sparse_factors(found)
    assert (factors.factor_at != 0) == (written_out and n < 100)
    factors.values[:], factors.right[found.position] = values, right
    assert factor(factors)
    solve(factors)
    assert factors.right[found.position] == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-11)


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


def test_what_is_zero_by_the_entries_is_left_out():
    """Two stages, where the first does not depend on the second: half of a symmetric pattern."""
    n, rng = 12, np.random.default_rng(3)
    entries = [(i, j) for i in range(2 * n) for j in range(2 * n) if abs(i % n - j % n) < 2 and (i >= n or j < n)]
    values = np.array([rng.normal() + (8.0 if i == j else 0.0) for i, j in entries])
    found, right = plan(2 * n, entries, ()), rng.normal(size=2 * n)
    lower, upper, regular = written.pattern(found)
    assert regular and sum(map(len, (*lower, *upper))) + 2 * n < 0.8 * len(found.columns)
    factors = sparse_factors(found)
    factors.values[:], factors.right[found.position] = values, right
    assert factors.factor_at and factor(factors)
    solve(factors)
    assert factors.right[found.position] == pytest.approx(np.linalg.solve(found.dense(values), right), rel=1e-9)


@pytest.mark.parametrize("most", [6000, -1])
def test_a_singular_matrix_is_reported(most, monkeypatch):
    monkeypatch.setattr(written, "MOST", most)
    found = plan(2, [(0, 0), (0, 1), (1, 0), (1, 1)], range(2, 2))
    factors = sparse_factors(found)
    factors.values[:] = [1.0, 2.0, 2.0, 4.0]
    assert not factor(factors)
