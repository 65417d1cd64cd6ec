"""Impulses of contacts with friction in two directions: all laws hold on problems drawn at random."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gudgeon.methods.complementarity.problem import ImpulseProblem
from gudgeon.methods.complementarity.solver import solve

FRICTION = (0.0, 0.05, 0.3, 0.6)


class Problem:
    """Contacts with so many components of slip on a mechanism of unit mass; with three they lie in a plane."""

    def __init__(self, seed: int, contacts: int, components: int, freedoms: int, restitution: float) -> None:
        rng = np.random.default_rng(seed)
        self.contacts, self.rows_per_contact = contacts, 1 + components
        rows = rng.normal(size=(contacts, self.rows_per_contact, freedoms))
        if components == 3:
            for block in rows:
                normal = rng.normal(size=3)
                normal /= np.linalg.norm(normal)
                block[1:] -= np.outer(normal, normal @ block[1:])
        rows = rows.reshape(-1, freedoms)
        self.before = rows @ rng.normal(size=freedoms)
        self.delassus = rows @ rows.T
        self.friction = rng.choice(FRICTION, size=contacts)
        self.target = self.before.copy()
        self.target[:: self.rows_per_contact] *= 1.0 + restitution

    def solve(self) -> tuple[np.ndarray, int]:
        problem = ImpulseProblem.of_size(self.contacts, self.rows_per_contact, delassus=self.delassus,
                                         friction=self.friction, target=self.target)  # fmt: skip
        solved = solve(problem)
        return problem.impulse, solved

    def violation(self, impulse: np.ndarray) -> float:
        """The worst breach of a law, relative to the largest impulse and speed."""
        speed = (self.delassus @ impulse + self.target).reshape(-1, self.rows_per_contact)
        impulse = impulse.reshape(-1, self.rows_per_contact)
        push, fast = max(np.abs(impulse).max(), 1e-300), np.abs(self.target).max()
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
    impulse, solved = problem.solve()
    assert solved == 1
    assert problem.violation(impulse) < 1e-9


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 4))
def test_along_one_line_it_is_the_law_of_the_line(seed: int, contacts: int) -> None:
    """A second component without any row beside the first: the impulses of the planar solver."""
    flat = Problem(seed, contacts, 1, 2 * contacts + 1, 0.3)
    wide = Problem(seed, contacts, 2, 2, 0.0)
    n = contacts
    keep = np.array([3 * c + k for c in range(n) for k in (0, 1)])
    wide.delassus, wide.target = np.zeros((3 * n, 3 * n)), np.zeros(3 * n)
    wide.delassus[np.ix_(keep, keep)], wide.target[keep] = flat.delassus, flat.target
    wide.friction = flat.friction
    ours, solved = wide.solve()
    theirs, _ = flat.solve()
    assert solved == 1
    speeds = [p.delassus @ x + p.target for p, x in ((flat, theirs), (wide, ours))]
    assert speeds[1][keep] == pytest.approx(speeds[0], abs=1e-8 * np.abs(flat.target).max())


@settings(max_examples=100, deadline=None)
@given(seeds, st.integers(1, 5), st.sampled_from([2, 3]))
def test_no_energy_without_rebound(seed: int, contacts: int, components: int) -> None:
    problem = Problem(seed, contacts, components, 2 * contacts, 0.0)
    impulse, _ = problem.solve()
    work = impulse @ problem.before + 0.5 * impulse @ problem.delassus @ impulse
    assert work <= 1e-9 * abs(impulse @ problem.before) + 1e-15
