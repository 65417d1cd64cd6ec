"""The sparse factorisation of large mechanisms: right answers, and an order that fills in little."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.assemble import call_address
from gudgeon.assemble.looped import factor as looped_factor
from gudgeon.assemble.looped.factor import Factor
from gudgeon.assemble.looped.order import elimination
from gudgeon.compile.graph import llvm
from gudgeon.compile.graph.loop import link

Coupling = list[set[int]]


def chain(n: int) -> Coupling:
    return [{k for k in (i - 1, i + 1) if 0 <= k < n} for i in range(n)]


def ring(n: int) -> Coupling:
    return [{(i - 1) % n, (i + 1) % n} for i in range(n)]


def star(n: int) -> Coupling:
    return [set(range(1, n)), *({0} for _ in range(1, n))]


def ladder(n: int) -> Coupling:
    """Two chains side by side with rungs."""
    coupled = [set(x) for x in chain(n)] + [{k + n for k in x} for x in chain(n)]
    for i in range(n):
        coupled[i].add(i + n)
        coupled[i + n].add(i)
    return coupled


def tangle(n: int) -> Coupling:
    rng = np.random.default_rng(5)
    coupled: Coupling = [set() for _ in range(n)]
    for a, b in rng.integers(0, n, (3 * n, 2)):
        if a != b:
            coupled[a].add(int(b))
            coupled[b].add(int(a))
    return coupled


GRAPHS = {"chain": chain(30), "ring": ring(17), "star": star(9), "ladder": ladder(8), "tangle": tangle(12)}


def filled(factor: Factor) -> int:
    """Entries of the factor."""
    return sum(factor.sizes[x.block] * factor.width(x) for x in factor.pivots)


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("rights", [1, 2])
@pytest.mark.parametrize("wide", [0, 20, 700])
def test_factors_solve_the_system(name, rights, wide, monkeypatch):
    """Also with all fronts, or some, not written out."""
    monkeypatch.setattr(looped_factor, "WIDE", wide)
    coupled = GRAPHS[name]
    rng = np.random.default_rng(3)
    sizes = [int(x) for x in rng.integers(1, 4, len(coupled))]
    ends = np.cumsum([0, *sizes])
    matrix = np.zeros((ends[-1], ends[-1]))
    factor = Factor(sizes, coupled, 0)
    w = np.zeros(factor.entries + rights * factor.rows)
    part = [slice(ends[k], ends[k + 1]) for k in range(len(sizes))]
    for a in range(len(sizes)):
        for b in (k for k in coupled[a] if k > a):
            block = rng.normal(size=(sizes[a], sizes[b]))
            matrix[part[a], part[b]], matrix[part[b], part[a]] = block, block.T
            w[factor.between(a, b)] = block.ravel()
            assert np.array_equal(w[factor.between(b, a)], block.T.ravel())
        own = rng.normal(size=(sizes[a], sizes[a]))
        matrix[part[a], part[a]] = own @ own.T + 30.0 * np.eye(sizes[a])
        w[factor.diagonal(a)] = matrix[part[a], part[a]][np.tril_indices(sizes[a])]
    right = rng.normal(size=(rights, ends[-1]))
    starts = [factor.entries + k * factor.rows for k in range(rights)]
    for k, start in enumerate(starts):
        for block, place in factor.row.items():
            w[start + place : start + place + sizes[block]] = right[k, part[block]]
    linked = link({"solve": factor.steps(starts)}, workspace=0)
    call_address(linked.addresses["solve"], 0.0, np.zeros(1), w, np.zeros(1), np.zeros(1))
    for k, start in enumerate(starts):
        x = np.concatenate([w[start + factor.row[b] : start + factor.row[b] + n] for b, n in enumerate(sizes)])
        assert np.allclose(matrix @ x, right[k], rtol=0.0, atol=1e-12)


def test_a_chain_fills_in_nothing_and_goes_from_both_ends():
    pivots = elimination([2] * 40, chain(40))
    assert {p.block for p in pivots[:2]} == {0, 39}
    assert max(p.level for p in pivots) == 20
    assert sum(len(p.neighbours) for p in pivots) == 39


def test_a_level_waits_for_no_other():
    for coupled in GRAPHS.values():
        pivots = elimination([1] * len(coupled), coupled)
        level = {p.block: p.level for p in pivots}
        assert sorted(level) == list(range(len(coupled)))
        for p in pivots:
            assert all(level[k] > p.level for k in p.neighbours)


@pytest.mark.parametrize(("graph", "most"), [(chain, 1), (ring, 2), (star, 1), (ladder, 3)])
def test_fill_grows_with_the_length(graph, most):
    for n in (10, 100, 1000):
        coupled = graph(n)
        factor = Factor([2] * len(coupled), coupled, 0)
        assert max(len(x.neighbours) for x in factor.pivots) <= most
        assert filled(factor) <= 4 * most * len(coupled)


def test_code_does_not_grow_with_the_fronts():
    """A body with many joints makes a dense matrix."""
    n = 60
    factor = Factor([2] * n, [set(range(n)) - {k} for k in range(n)], 0)
    before = llvm.compilations
    link({"solve": factor.steps([factor.entries])}, workspace=0)
    assert llvm.compilations - before <= 2 * looped_factor.SHAPES
    assert filled(factor) == 4 * n * (n - 1) // 2


def test_a_longer_chain_compiles_nothing_new():
    counts = []
    for n in (10, 100):
        factor = Factor([2] * n, chain(n), 0)
        link({"solve": factor.steps([factor.entries])}, workspace=0)
        counts.append(llvm.compilations)
    assert counts[1] == counts[0]
    assert factor.written == {(2, 2), (2, 0)}
