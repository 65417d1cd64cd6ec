"""Coulomb's law with a slip of two or three components: projections onto the friction cones themselves.

One contact after the other gets its impulses while those of all others are held (Jean 1999): the normal one that keeps
it closed, then the tangential ones nearest to s_T - u_T / r within the cone |s_T| ≤ μ s_N. Where nothing changes any
more all laws hold. r is the trace of the contact's own tangential block of W, which no direction exceeds, so that every
projection brings the impulses nearer. Components that are not independent, as the three of a ball's slip, need nothing
else.
"""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.complementarity.problem import ImpulseProblem, row_speed

SWEEPS = 20_000
CONVERGED = 1e-14  # relative change of a sweep that is the last
PROJECTIONS = 4  # of one contact before the next one
FULL_SWEEPS = 300  # from then on, where normal and tangential impulses chase each other, changes are halved


@kernel
def move(problem: ImpulseProblem, r: int, to: float, share: float) -> float:
    """Bring an impulse a share of the way; gives the size of the change."""
    change = share * (to - problem.impulse[r])
    problem.impulse[r] += change
    return abs(change)


@kernel
def project_contact(problem: ImpulseProblem, c: int, share: float) -> float:
    """Impulses of a contact while those of all others are held; gives their largest change."""
    delassus, impulse, wish, mu = problem.delassus, problem.impulse, problem.wish, problem.friction[c]
    normal = problem.rows_per_contact * c
    closing = impulse[normal] - row_speed(problem, problem.target, normal) / delassus[normal, normal]
    change, trace = move(problem, normal, max(0.0, closing), share), 0.0
    for r in range(normal + 1, normal + problem.rows_per_contact):
        trace += delassus[r, r]
    if mu <= 0.0 or trace <= 0.0:
        return change
    for k in range(problem.slip_components):  # all by the speeds before any of them changes
        r = normal + 1 + k
        wish[k] = impulse[r] - row_speed(problem, problem.target, r) / trace
    size = math.sqrt(wish[0] * wish[0] + wish[1] * wish[1] + wish[2] * wish[2])
    bound = mu * impulse[normal]
    scale = bound / size if size > bound else 1.0
    for k in range(problem.slip_components):
        change = max(change, move(problem, normal + 1 + k, scale * wish[k], share))
    return change


@kernel
def solve_on_cones(problem: ImpulseProblem) -> int:
    """Impulses by projections; 1 if they converge, 0: as far as the sweeps came."""
    impulse, role = problem.impulse, problem.role
    for r in range(impulse.shape[0]):
        impulse[r] = 0.0
    for turn in range(SWEEPS):
        change, largest, share = 0.0, 1e-300, 1.0 if turn < FULL_SWEEPS else 0.5
        for c in range(problem.contacts):
            if role[c] < 0:
                continue
            for _ in range(PROJECTIONS):
                change = max(change, project_contact(problem, c, share))
            largest = max(largest, impulse[problem.rows_per_contact * c])
        if change <= CONVERGED * largest:
            return 1
    return 0
