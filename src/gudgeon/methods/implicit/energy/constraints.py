"""The constraints over a step: what is made good, the impulse at the start of two stages, and the work of drives."""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.compile.native.record import Floats
from gudgeon.methods.implicit.energy.memory import StageMemory
from gudgeon.methods.implicit.instant import Instant, clear_right
from gudgeon.methods.implicit.walls.impacts import factors_at
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import March

BRIEF = 1e-5  # [s] briefer steps make good less: all of it would be a speed


@kernel
def know_start(w: March, own: StageMemory) -> int:
    """Two stages: the matrix of the instant at the start, with the rows of the constraints."""
    if own.start_known == 0 or own.instant.walls.has_friction > 0:
        factors_at(w, own.instant, w.t, w.y, True)
        own.start_known = 1
    for e in range(own.start_tangent.shape[0]):
        own.start_tangent[e] = own.instant.factors.values[e]
    return 0


@kernel
def find_left_over(w: March, own: StageMemory, h: float) -> int:
    """What a step has to make good of the residuals of the constraints at its start."""
    instant, whole = own.instant, own.state.whole
    for i in range(instant.positions + instant.velocities + instant.internal):
        whole[i] = w.y[i]
    evaluate(instant.project_at, w.t, whole, w.p, w.m, instant.projection)
    for i in range(instant.constraints):
        own.left_over[i] = min(1.0, h / BRIEF) * instant.position_residuals[i]
    return 0


@kernel
def find_start_residuals(w: March, own: StageMemory, h: float) -> int:
    """Two stages: what v_j breaks of the constraints at the start, times h."""
    y, state, instant = w.y, own.state, own.instant
    nq, nv = instant.positions, instant.velocities
    for i in range(nq):
        state.positions[i] = y[i]
    for i in range(nv):
        state.velocities[i] = 0.0
        for r in range(own.stages):
            state.velocities[i] += own.u[0, r] * own.psi[r, i] / h
    for k in range(instant.internal):
        state.internal[k] = y[nq + nv + k]
    evaluate(instant.project_at, w.t, state.whole, w.p, w.m, instant.projection)
    for i in range(instant.constraints):
        own.start_residuals[i] = h * instant.velocity_residuals[i]
    return 0


@kernel
def sum_changes(own: StageMemory, s: int) -> int:
    """The changes of the constraints over all stages, into the rows of the last, with what is to be made good."""
    nv, change, forces = own.instant.velocities, own.change, own.forces
    for i in range(change.shape[0]):
        change[i] = forces[nv + i] + (change[i] if s > 0 else own.left_over[i])
        forces[nv + i] = change[i]
    return 0


@kernel
def push_at_start(own: StageMemory, s: int) -> int:
    """Two stages: forces of the impulse μ at the start, and in the first its rows in place of the constraints."""
    nv, n = own.instant.velocities, own.instant.velocities + own.instant.constraints
    forces, start, impulse = own.forces, own.start_tangent, own.multipliers
    for k in range(own.instant.constraints if s == 0 else 0):
        forces[nv + k] = own.start_residuals[k]
    for e in range(start.shape[0]):
        i, j = own.entry_row[e], own.entry_column[e]
        if nv <= j < n and i < nv:
            forces[i] += own.u[s, 0] * start[e] * impulse[0, j - nv]
        elif s == 0 and nv <= j < n and i < n:
            forces[i] += start[e] * impulse[0, j - nv]
    return 0


@kernel
def make_tangent(w: March, instant: Instant, t: float, y: Floats, impulses: Floats) -> int:
    """Bring velocities onto the constraints, with the factors of the instant; keep the impulses."""
    nq, nv, right, position = instant.positions, instant.velocities, instant.factors.right, instant.factors.position
    evaluate(instant.project_at, t, y, w.p, w.m, instant.projection)
    clear_right(instant)
    for i in range(instant.constraints):
        right[position[nv + i]] = -instant.velocity_residuals[i]
    solve(instant.factors)
    for i in range(nv):
        y[nq + i] += right[position[i]]
    for i in range(instant.constraints):
        impulses[i] = right[position[nv + i]]
    return 0


@kernel
def find_own_rates(w: March, own: StageMemory, t: float, y: Floats) -> int:
    """Velocities with which the constraints move by themselves, as those of drives do: residuals at rest."""
    state, instant = own.state, own.instant
    nq, nv = instant.positions, instant.velocities
    for i in range(nq):
        state.positions[i] = y[i]
    for i in range(nv):
        state.velocities[i] = 0.0
    for k in range(instant.internal):
        state.internal[k] = y[nq + nv + k]
    evaluate(instant.project_at, t, state.whole, w.p, w.m, instant.projection)
    return 0


@kernel
def book_drives(w: March, own: StageMemory, h: float) -> int:
    """Two stages: work of the impulses s at both ends of the step on the constraints, s J v = -s dg/dt, which is that
    of drives. That at the start counts times h, as a force."""
    instant, residuals = own.instant, own.instant.velocity_residuals
    work = 0.0
    find_own_rates(w, own, w.t, w.y)
    for i in range(instant.constraints):
        work -= own.multipliers[0, i] * residuals[i]
    w.new[own.drive_work] += h * work
    work = 0.0
    find_own_rates(w, own, w.t + h, w.new)
    for i in range(instant.constraints):
        work -= own.start_residuals[i] * residuals[i]
    w.new[own.drive_work] += work
    return 0
