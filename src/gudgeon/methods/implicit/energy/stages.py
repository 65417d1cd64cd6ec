"""A step of one or two stages as the time loop sees it: the kernels of the contract."""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import evaluate_row, kernel, record_at
from gudgeon.methods.contract import LOG_SMALL, growth
from gudgeon.methods.implicit.alpha import HALVED, STEADY, UNSOLVED
from gudgeon.methods.implicit.coordinates import ANGLE
from gudgeon.methods.implicit.energy.blocks import add_product
from gudgeon.methods.implicit.energy.constraints import book_drives, find_left_over, know_start, make_tangent
from gudgeon.methods.implicit.energy.inertia import find_end_mass
from gudgeon.methods.implicit.energy.memory import StageMemory
from gudgeon.methods.implicit.energy.newton import KEEP, solve_step
from gudgeon.methods.implicit.energy.steps import apply_all_steps, find_psi, rotation_lag
from gudgeon.methods.implicit.instant import BY_REACTIONS, correct, linearise
from gudgeon.methods.implicit.walls.impacts import absorb_across, factors_at, restart_at_walls
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import March

ESTIMATED = 3.0  # the power of the step in the estimate
MOST_GROWTH = 2.0  # of a step to the next


@kernel
def finish(w: March, own: StageMemory, h: float) -> int:
    """The state at the end of a step that is solved, its accelerations and multipliers, and the integrals."""
    y, new, instant, stages, t = w.y, w.new, own.instant, own.stages, w.t + h
    nq, nv = instant.positions, instant.velocities
    find_psi(own)
    for i in range(y.shape[0]):
        new[i] = y[i]
    apply_all_steps(w, own)
    for i in range(nv):
        speed = 0.0
        for s in range(stages):
            speed += own.c[s] * own.psi[s, i]
        new[nq + i] = speed / h + own.c_start * y[nq + i]
    for i in range(instant.constraints):
        new[instant.multipliers + i] = own.multipliers[stages - 1, i]
    for i in range(instant.internal):
        for s in range(stages):
            new[nq + nv + i] += own.internal_steps[s, i]
    for i in range(w.controlled, y.shape[0]):
        new[i] = y[i] + own.works[i - w.controlled]
    own.start_known = 0
    if stages == 1 and instant.walls.contacts > 0 and instant.walls.has_friction > 0:
        absorb_across(w, instant, t, new)
    if factors_at(w, instant, t, new, stages > 1):
        if stages > 1:
            make_tangent(w, instant, t, new, own.start_residuals)
            if instant.walls.has_friction > 0:
                linearise(w, instant, t, new, 0.0, 0.0)
            if own.drive_work >= 0:
                book_drives(w, own, h)
        correct(w, instant, t, new)
        for _ in range(instant.corrections if instant.corrections == BY_REACTIONS else 0):
            if linearise(w, instant, t, new, 0.0, 0.0):
                correct(w, instant, t, new)
    return 0


# A step with the mean velocity, ψ = h (v0 + v1) / 2, misses h³ a' / 12 = h² (a1 - a0) / 12 of the position (the error
# of the trapezoidal rule). Vibrations much faster than the step make that large, though it is not what they do. So it
# is filtered by the matrix of the step, S = filter M + h² K + ..., as Hairer and Wanner (1996, IV.8) do for Radau IIA:
#   defect = S⁻¹ filter M h² (a1 - a0) / 12
# is the same where h² K is small beside M, and fades where it is large.
@kernel
def filtered_defect(w: March, own: StageMemory, h: float) -> int:
    """The defect of the positions at the end of the step onto the right-hand side: the rows of the last stage."""
    nv, a, unknowns = own.instant.velocities, own.instant.accelerations, own.instant.residual.shape[0]
    right, position, inertia, forces = own.factors.right, own.factors.position, own.inertia, own.forces
    for i in range(nv):
        inertia[i], forces[i] = own.error * (w.new[a + i] - w.y[a + i]), 0.0
    add_product(own, forces, inertia, own.filter, own.mass)
    if own.inertia_at > 0:
        add_product(own, forces, inertia, own.filter, own.end_mass)
    for i in range(right.shape[0]):
        right[i] = 0.0
    for i in range(nv):
        right[position[(own.stages - 1) * unknowns + i]] = h * h * forces[i]
    solve(own.factors)
    return 0


@kernel
def estimate(w: March, own: StageMemory, h: float) -> float:
    """Error of a step relative to the tolerance: the root mean square over all positions of their defect, with what the
    steps of rotations lack (an angle turns by 2 atan(ψ/2), less than ψ)."""
    y, new, atol, rtol, table = w.y, w.new, w.atol, w.rtol, own.instant.coordinates
    right, position = own.factors.right, own.factors.position
    last = (own.stages - 1) * own.instant.residual.shape[0]  # where the unknowns of the last stage begin
    filtered_defect(w, own, h)
    total = 0.0
    for body in range(table.body_position.shape[0]):
        i, j, added = table.body_position[body], table.body_velocity[body], table.body_added[body]
        for c in range(added):
            defect = abs(right[position[last + j + c]])
            if table.kind[j + c] == ANGLE:
                turn = new[i + c] - y[i + c]
                defect += abs(2.0 * math.tan(0.5 * turn) - turn)
            total += (defect / (atol[i + c] + rtol * abs(new[i + c]))) ** 2
        for c in range(3 if table.body_rotates[body] > 0 else 0):
            defect = abs(right[position[last + j + added + c]])
            total += ((defect + rotation_lag(own, j + added, c)) / (atol[i + added + c] + rtol)) ** 2
    return math.sqrt(total / own.instant.velocities)


@kernel
def restart(w: March) -> float:
    own = record_at(w.method_at, StageMemory)
    # impacts make velocities tangent to the constraints; one stage gives back the energy that this takes, see `strike`
    parted = restart_at_walls(w, own.instant, own.stages == 1)
    for i in range(own.instant.velocities):
        own.mean_accelerations[i] = 0.0
    w.order, w.log_error = ESTIMATED, LOG_SMALL
    own.start_known, own.stale, own.fresh, own.failed, own.factors_step = 1, 1, 0, 0, 0.0
    return parted


@kernel
def attempt(w: March, h: float) -> float:
    own = record_at(w.method_at, StageMemory)
    error, w.order = UNSOLVED, HALVED
    own.fresh = 0
    if own.stages > 1:
        know_start(w, own)
    find_left_over(w, own, h)
    if solve_step(w, own, h):
        w.order = ESTIMATED
        finish(w, own, h)
        if own.inertia_at > 0:
            find_end_mass(w, own, h)
        error = estimate(w, own, h)
        evaluate_row(w.rhs_at, w.t + h, w.new, w.p, w.m, w.k, w.k.shape[0] - 1)
    if not error <= 1.0:
        own.failed = 1
    return error


@kernel
def commit(w: March, h: float, error: float) -> float:
    own = record_at(w.method_at, StageMemory)
    y, new, k, nq = w.y, w.new, w.k, own.instant.positions
    grown = min(MOST_GROWTH, growth(w, error))
    if own.failed > 0:
        grown = min(grown, 1.0)
    if 1.0 <= grown <= STEADY:
        grown = 1.0
    own.stale = 1 if own.rate > KEEP else 0
    for i in range(y.shape[0]):
        k[0, i] = k[k.shape[0] - 1, i]
    for i in range(own.instant.velocities):
        own.mean_accelerations[i] = (new[nq + i] - y[nq + i]) / h
    own.failed, own.start_known = 0, 1
    return grown
