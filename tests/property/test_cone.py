"""Impulses of contacts with friction in two directions: all laws hold on problems drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gudgeon.methods.complementarity.sweeps import solve

FRICTION = (0.0, 0.05, 0.3, 0.6)


class Problem:
    """Contacts with so many components of slip on a mechanism of unit mass; with three they lie in a plane."""

    def __init__(self, seed: int, contacts: int, components: int, freedoms: int, restitution: float) -> None:
        rng = np.random.default_rng(seed)
        self.contacts, self.each = contacts, 1 + components
        rows = rng.normal(size=(contacts, self.each, freedoms))
        if components == 3:
            for block in rows:
                normal = rng.normal(size=3)
                normal /= np.linalg.norm(normal)
                block[1:] -= np.outer(normal, normal @ block[1:])
        rows = rows.reshape(-1, freedoms)
        self.before = rows @ rng.normal(size=freedoms)
        self.mobility = rows @ rows.T
        self.friction = rng.choice(FRICTION, size=contacts)
        self.aim = self.before.copy()
        self.aim[:: self.each] *= 1.0 + restitution

    def solve(self) -> tuple[np.ndarray, int]:
        n, each = self.contacts, self.each
        tail = np.column_stack([np.zeros(n), self.friction, np.zeros((n, each))])
        impulse, place = np.zeros(each * n), np.zeros((n, 3), dtype=np.int64)
        found = solve(np.concatenate([self.mobility.ravel(), tail.ravel()]), impulse, self.aim.copy(), place,
                      np.zeros((3 * n + 1, 3 * n + 3)), n, each)  # fmt: skip
        return impulse, found

    def violation(self, impulse: np.ndarray) -> float:
        """The worst breach of a law, relative to the largest impulse and speed."""
        speed = (self.mobility @ impulse + self.aim).reshape(-1, self.each)
        impulse = impulse.reshape(-1, self.each)
        push, fast = max(np.abs(impulse).max(), 1e-300), np.abs(self.aim).max()
        normal, rub, opening, slip = impulse[:, 0], impulse[:, 1:], speed[:, 0], speed[:, 1:]
        bound = self.friction * normal
        # what sliding takes is the most that it can: so the force lies against the slip, or the slip is none
        slides = np.abs(bound * np.linalg.norm(slip, axis=1) + (rub * slip).sum(axis=1)) / (push * fast)
        breaches = [-normal / push, -opening / fast, np.abs(normal * opening) / (push * fast),
                    (np.linalg.norm(rub, axis=1) - bound) / push, slides]  # fmt: skip
        return float(max(x.max() for x in breaches))


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=200, deadline=None)
@given(seeds, st.integers(1, 5), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.4]))
def test_all_laws_hold(seed: int, contacts: int, components: int, restitution: float) -> None:
    problem = Problem(seed, contacts, components, 3 * contacts + 2, restitution)
    impulse, found = problem.solve()
    assert found == 1
    assert problem.violation(impulse) < 1e-9


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 4))
def test_along_one_line_it_is_the_law_of_the_line(seed: int, contacts: int) -> None:
    """A second component without any row beside the first: the impulses of methods.complementarity."""
    flat = Problem(seed, contacts, 1, 2 * contacts + 1, 0.3)
    wide = Problem(seed, contacts, 2, 2, 0.0)
    n = contacts
    keep = np.array([3 * c + k for c in range(n) for k in (0, 1)])
    wide.mobility, wide.aim = np.zeros((3 * n, 3 * n)), np.zeros(3 * n)
    wide.mobility[np.ix_(keep, keep)], wide.aim[keep] = flat.mobility, flat.aim
    wide.friction = flat.friction
    ours, found = wide.solve()
    theirs, _ = flat.solve()
    assert found == 1
    speeds = [p.mobility @ x + p.aim for p, x in ((flat, theirs), (wide, ours))]
    assert speeds[1][keep] == pytest.approx(speeds[0], abs=1e-8 * np.abs(flat.aim).max())


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1, 5), st.sampled_from([2, 3]))
def test_no_energy_without_rebound(seed: int, contacts: int, components: int) -> None:
    problem = Problem(seed, contacts, components, 2 * contacts, 0.0)
    impulse, _ = problem.solve()
    work = impulse @ problem.before + 0.5 * impulse @ problem.mobility @ impulse
    assert work <= 1e-9 * abs(impulse @ problem.before) + 1e-15
