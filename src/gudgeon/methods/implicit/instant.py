"""Equations in residual form at one instant: accelerations a and multipliers λ, for which they are linear but for
friction.

    r(t, q, v, a, λ) = M a - F(t, q, v) - Jt λ = 0        J a - γ(t, q, v) = 0        x' - g(t, q, v, x) = 0

(assemble.residual.form). Alpha solves them at the end of each step with the matrix of the step; the energy methods at
the ends of steps, where the matrix is that of the instant alone. Velocities jump by the same matrix: with M and J, an
impulse in place of a force gives a change of velocity in place of an acceleration (walls/).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gudgeon.compile.native.kernel import evaluate, kernel, record_at
from gudgeon.compile.native.record import Floats, Record
from gudgeon.methods.implicit.coordinates import Coordinates, coordinates_of, normalise
from gudgeon.methods.implicit.walls.memory import HardWalls, hard_walls
from gudgeon.methods.implicit.walls.sharing import Sharing, factor_shared, sharing_of
from gudgeon.methods.linear.sparse import SparseFactors, solve, sparse_factors
from gudgeon.methods.march.memory import March
from gudgeon.quantity import GudgeonError

ENDLESS = 1e30  # no entry of the matrix of a mechanism in SI units comes near
# corrections at an instant: one that solves linear equations and one for its rounding; with friction of hard walls,
# whose loads are multipliers; with that of ideal joints, whose loads are the sizes of several of them (Newton's method)
LINEAR, BY_WALLS, BY_REACTIONS = 2, 3, 7


class Instant(Record):
    """What a system has in residual form: sizes, places in y, functions, and room for one linear system.

    Unknowns are the accelerations, then the multipliers, then the rates of the internal states. The last rows of the
    constraints belong to hard walls.
    """

    positions: int
    velocities: int
    constraints: int
    internal: int
    # places in y, and there the weights (c_a, c_v, c_q) of the matrix c_a dr/da + c_v dr/dv + c_q dr/dq
    accelerations: int
    multipliers: int
    weights: int
    # functions of the system
    residual_at: int
    tangent_at: int
    project_at: int
    coordinates: Coordinates
    factors: SparseFactors
    walls: HardWalls
    sharing: Sharing
    residual: Floats
    rates: Floats  # of the internal states
    corrections: int  # of accelerations and multipliers at an instant until their equations are solved
    change: Floats  # of coordinates or velocities, for one use
    # what `project` gives: nothing for positions and velocities, then residuals of the constraints at both levels
    projection: Floats
    position_residuals: Floats  # parts of it
    velocity_residuals: Floats


class ResidualMemory(Record):
    """The record of a method that takes equations in residual form begins with this."""

    instant: Instant


def instant_of(system: Any, title: str) -> Instant:
    """The record of a system; `title` names the method that needs it."""
    if system.residual is None:
        raise GudgeonError(f"{title} needs the residual form; assemble(..., method.needs())")
    layout, address = system.residual.layout, system.addresses
    states, rows = layout.positions + layout.velocities, layout.rows
    projection = np.zeros(states + 2 * rows)
    return Instant(
        positions=layout.positions, velocities=layout.velocities, constraints=rows, internal=layout.internal,
        accelerations=layout.accelerations, multipliers=layout.multipliers, weights=layout.factors,
        residual_at=address["residual"], tangent_at=address["tangent"], project_at=address["project"],
        coordinates=coordinates_of(system), factors=sparse_factors(system.residual.plan), walls=hard_walls(system),
        sharing=sharing_of(layout, system.residual.plan),
        residual=np.zeros(layout.size), rates=np.zeros(layout.internal), change=np.zeros(layout.velocities),
        corrections=BY_REACTIONS if system.report.frictions else BY_WALLS if system.residual.rubs else LINEAR,
        projection=projection, position_residuals=projection[states : states + rows],
        velocity_residuals=projection[states + rows :],
    )  # fmt: skip


@kernel
def linearise(w: March, instant: Instant, t: float, y: Floats, velocity: float, position: float) -> bool:
    """Factors of the matrix at y, where a unit of acceleration brings so much velocity and position; none at an
    instant. False where it is singular."""
    c, values = instant.weights, instant.factors.values
    y[c], y[c + 1], y[c + 2] = 1.0, velocity, position
    evaluate(instant.tangent_at, t, y, w.p, w.m, values)
    for i in range(values.shape[0]):
        if not abs(values[i]) < ENDLESS:
            values[i] = 0.0  # where a law has no derivative
    w.jacobians += 1
    w.factorisations += 1
    return factor_shared(instant.sharing, instant.factors)


@kernel
def correct(w: March, instant: Instant, t: float, y: Floats) -> int:
    """One correction of accelerations, multipliers and internal rates; it stays on the right-hand side."""
    nv, rows, internal = instant.velocities, instant.constraints, instant.internal
    residual, rates, right, position = instant.residual, instant.rates, instant.factors.right, instant.factors.position
    evaluate(instant.residual_at, t, y, w.p, w.m, residual)
    w.evaluations += 1
    for i in range(instant.sharing.softness.shape[0]):
        residual[nv + i] += instant.sharing.softness[i] * y[instant.multipliers + i]
    for i in range(nv + rows):
        right[position[i]] = -residual[i]
    for i in range(internal):
        right[position[nv + rows + i]] = residual[nv + rows + i] - rates[i]
    solve(instant.factors)
    for i in range(nv):
        y[instant.accelerations + i] += right[position[i]]
    for i in range(rows):
        y[instant.multipliers + i] += right[position[nv + i]]
    for i in range(internal):
        rates[i] += right[position[nv + rows + i]]
    return 0


@kernel
def clear_right(instant: Instant) -> int:
    """A right-hand side of zeros."""
    right = instant.factors.right
    for i in range(right.shape[0]):
        right[i] = 0.0
    return 0


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic through both ends; accelerations and multipliers are linear between them."""
    instant = record_at(w.method_at, ResidualMemory).instant
    y, new, out, k, last = w.y, w.new, w.out, w.k, w.k.shape[0] - 1
    a, c = instant.accelerations, w.controlled
    for i in range(y.shape[0]):
        jump = new[i] - y[i]
        if a <= i < c:
            out[i] = y[i] + x * jump
        else:
            bend = (1.0 - 2.0 * x) * (-jump) + (1.0 - x) * h * k[0, i] - x * h * k[last, i]
            out[i] = y[i] + x * (jump + (1.0 - x) * bend)
    normalise(instant.coordinates, out)
    return 0.0
