"""Hard walls that hold the same thing twice, such as a block on three pads: how they share the force.

The rows of such walls depend on each other, and the matrix of a step is singular while all of them are held. Each then
yields a little: with the multiplier λ_k of wall k

    J_k a - γ_k + ε d λ_k = 0,        1/d the mean of 1/d_k,   d_k = Σ J_ki² / S_ii

(1/d_k is a mass) so that of the forces that are left open those of least norm Σ λ_k² are taken, as in redundant joints;
all others change by ε at most. Where rows are independent nothing yields. The matrix tells: the pivot of a dependent
row is rounding beside its d.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.assemble.solve.ordering import Plan
from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers, Record
from gudgeon.methods.linear.sparse import SparseFactors, factor

YIELDS = 1e-6  # ε: so much of what a wall would yield without any other
DEPENDENT = 1e-10  # of d: a pivot that is smaller is rounding


class Sharing(Record):
    """Places in one matrix of the rows of constraints, those of every stage: the pivot of each in the order of
    elimination, its diagonal entry (-1 where it is no wall), and of each entry its transpose and the velocity's own."""

    softness: Floats  # ε d of each row that yields, else 0
    pivot: Integers
    diagonal: Integers
    starts: Integers  # of the entries of each row
    entry: Integers
    transpose: Integers
    own: Integers


def sharing_of(layout: Any, plan: Plan, stages: int = 1) -> Sharing:
    """The record of a matrix with this plan, for a system in residual form with this layout: of no rows where there are
    no two hard walls."""
    first, held = layout.velocities, layout.rows if layout.walls > 1 else 0
    rows = [s * layout.size + first + k for s in range(stages) for k in range(held)]
    walls = {s * layout.size + first + k for s in range(stages) for k in range(held - layout.walls, held)}
    where = {(int(i), int(j)): e for e, (i, j) in enumerate(zip(plan.rows, plan.columns_of, strict=True))}
    by_row: dict[int, list[int]] = {k: [] for k in rows}
    for (i, j), _ in where.items():
        if i in by_row and (j, i) in where and (j, j) in where and j not in by_row:
            by_row[i].append(j)
    starts = np.cumsum([0, *(len(by_row[k]) for k in rows)])
    pairs = [(k, j) for k in rows for j in by_row[k]]
    lists: dict[str, Any] = {
        "pivot": [plan.position[k] for k in rows],
        "diagonal": [where.get((k, k), -1) if k in walls else -1 for k in rows], "starts": starts,
        "entry": [where[k, j] for k, j in pairs], "transpose": [where[j, k] for k, j in pairs],
        "own": [where[j, j] for _, j in pairs],
    }  # fmt: skip
    return Sharing(softness=np.zeros(len(rows)), **{k: np.array(x, dtype=np.int64) for k, x in lists.items()})


@kernel
def inverse_mass(s: Sharing, values: Floats, k: int) -> float:
    """d of a row of constraints: what its speed changes by a unit impulse, all others aside."""
    total = 0.0
    for e in range(s.starts[k], s.starts[k + 1]):
        own = values[s.own[e]]
        if own != 0.0:
            total += abs(values[s.entry[e]] * values[s.transpose[e]] / own)
    return total


@kernel
def factor_shared(s: Sharing, a: SparseFactors) -> bool:
    """Factors of the matrix with these values, in which walls yield where their rows depend on others. False where it
    is singular all the same."""
    regular, values, masses, held = factor(a), a.values, 0.0, 0
    dependent = not regular
    for k in range(s.softness.shape[0]):
        d = inverse_mass(s, values, k)
        dependent = dependent or (d > 0.0 and not abs(a.inverse[s.pivot[k]]) * DEPENDENT * d < 1.0)
        s.softness[k] = 0.0
        if s.diagonal[k] >= 0 and d > 0.0:
            s.softness[k], masses, held = 1.0, masses + 1.0 / d, held + 1
    for k in range(s.softness.shape[0]):
        s.softness[k] *= YIELDS * held / masses if dependent and held > 1 else 0.0
    if dependent and held > 1:
        for k in range(s.softness.shape[0]):
            if s.diagonal[k] >= 0:
                values[s.diagonal[k]] += s.softness[k]
        regular = factor(a)
        for k in range(s.softness.shape[0]):
            if s.diagonal[k] >= 0:
                values[s.diagonal[k]] -= s.softness[k]
    return regular
