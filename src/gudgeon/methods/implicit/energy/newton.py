"""The equations of a step, solved by Newton's method: their matrix, their residuals, and how close is close enough.

The equations of stage s are, times h² (see the package),

    rows of velocities     M (Σ A_sr ψ_r - B_s h v) + h² (F_s + L_s) = 0      F_s with -J_sᵀ λ, J_s secant slopes of g
    rows of constraints    h² (J_0 ψ_0 + ... + J_s ψ_s + left over)  = 0      of the first of two stages h³ J v_j = 0
    rows of internal       h (Σ U_sr δ_r - h z')                     = 0      states z

(where masses change with the position, inertia.py adds to the first). The unknowns of every stage are laid out in the
same order: nv positions, then the multipliers of the constraints, then the internal states; stage s begins at
s * unknowns. `right[position[k]]` is row k of the right-hand side, in the order in which the sparse matrix is
eliminated; after `solve` it is the correction of unknown k.

The unknowns are the positions x_r at the ends of the stages, but what is stored are the steps ψ_r = x_r - x_(r-1): x_r
is in two of them, so that for any coefficients C_sr (A, U or S)

    d/dx_r  Σ_q C_sq ψ_q = C_sr - C_s(r+1)      (no second term in the last stage)

and a correction of x_r is added to ψ_r and taken off ψ_(r+1).
"""

from __future__ import annotations

import math

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.implicit.energy.blocks import (
    add_block,
    add_internal,
    add_product,
    add_start,
    clear_multipliers,
    share_multipliers,
)
from gudgeon.methods.implicit.energy.constraints import BRIEF, find_start_residuals, push_at_start, sum_changes
from gudgeon.methods.implicit.energy.inertia import add_inertia, add_inertia_block
from gudgeon.methods.implicit.energy.memory import StageMemory
from gudgeon.methods.implicit.energy.states import set_middle, set_pair, set_weights
from gudgeon.methods.implicit.energy.steps import balance_gyration, find_psi
from gudgeon.methods.implicit.walls.sharing import factor_shared
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import March

MOST_ITERATIONS = 14
# Corrections that may be left of a position, relative to the typical velocity times h (CLOSE) and to the typical
# position (ROUNDING, where elastic forces rule it: in brief steps inertia does, which rounding hardly reaches)
CLOSE, ROUNDING = 1e-13, 5e-16
LEFT = 10.0  # times the sum of both
FINE = 1e-12  # corrections of multipliers left, where the ledger is to close
LITTLE = 1e-6  # internal states count as this at least
KEEP = 0.1  # factors are kept while corrections fall by this
POOR = 0.3  # with old factors an iteration is given up where corrections fall by less
DIVERGES = 2.0  # and with new ones where they grow by this
STALLED = 0.3  # corrections of new factors that are small and fall by less are rounding
SMALL, SMALL_AFRESH = 10.0, 1000.0  # what is small then, relative to what may be left; with factors of its own each
LOST = 1e100  # a correction beyond this is no number


@kernel
def predict(w: March, own: StageMemory, h: float) -> int:
    """Steps by the mean accelerations of the last one, which fast vibrations do not reach; multipliers as they were.

    With a constant acceleration a the step is h v + h² a / 2. Of two stages (method.py) the first is the jump
    ψ_0 = -h (v_f - v_j) / 6, and v_f - v_j = h a where velocities do not jump; the second is the rest.
    """
    y, steps, mean, instant, last = w.y, own.steps, own.mean_accelerations, own.instant, own.stages - 1
    nq, nv = instant.positions, instant.velocities
    for i in range(nv):
        whole = h * (y[nq + i] + 0.5 * h * mean[i])
        steps[0, i] = whole
        if own.stages > 1:
            steps[0, i] = -h * h * mean[i] / 6.0
            steps[1, i] = whole - steps[0, i]
    for s in range(own.stages):
        for i in range(instant.internal):
            own.internal_steps[s, i] = h * w.k[0, nq + nv + i] if s == last else 0.0
        for i in range(instant.constraints):
            own.multipliers[s, i] = y[instant.multipliers + i] if s == last else 0.0
    return 0


@kernel
def linearise(w: March, own: StageMemory, h: float) -> bool:
    """The matrix of a step of length h at the present steps, times h², and its factors. False: it is singular."""
    stages, state, tangent, values = own.stages, own.state, own.tangent, own.factors.values
    for i in range(values.shape[0]):
        values[i] = 0.0
    find_psi(own)
    for s in range(stages):
        for r in range(stages):
            inner = r < stages - 1  # x_r is also the start of the next stage
            if r == s or r == s - 1:  # x_r is the end, or the start, of the pair of states of stage s
                end = set_pair(w, own, s, h)
                set_weights(state, 1.0 if r == s else 0.0, 0.0 if r == s else 1.0, 0.0)
                evaluate(own.conservative_tangent_at, end, state.whole, w.p, w.m, tangent)
                if inner:
                    share_multipliers(own, s, r, h)
                add_block(own, s, r, h * h, tangent)
            # changes with x_r of the inertia, of h u_s, and of the position of the dissipative forces
            mass, speed, share = own.a[s, r], own.u[s, r], own.s[s, r]
            if inner:
                mass, speed, share = mass - own.a[s, r + 1], speed - own.u[s, r + 1], share - own.s[s, r + 1]
            end = set_middle(w, own, s, h)
            set_weights(state, 0.5, share, speed / h)
            evaluate(own.dissipative_tangent_at, end, state.whole, w.p, w.m, tangent)
            if inner:
                clear_multipliers(own)
            add_block(own, s, r, h * h, tangent)
            add_internal(own, s, r, h * speed)
            if stages > 1:
                add_start(own, s, r, speed, h)
            add_block(own, s, r, mass, own.mass)
            if own.inertia_at > 0:
                add_inertia_block(w, own, h, s, r)
    w.jacobians += 1
    w.factorisations += 1
    own.factors_step, own.stale, own.fresh = h, 0, 1
    return factor_shared(own.sharing, own.factors)


@kernel
def stage_residual(w: March, own: StageMemory, h: float, s: int) -> int:
    """The equations of stage s, times h², with the other sign onto the right-hand side."""
    y, instant, forces, losses, inertia, state = w.y, own.instant, own.forces, own.losses, own.inertia, own.state
    nq, nv, internal = instant.positions, instant.velocities, instant.internal
    first_internal, unknowns = nv + instant.constraints, nv + instant.constraints + internal
    right, position = own.factors.right, own.factors.position
    end = set_pair(w, own, s, h)
    evaluate(own.conservative_at, end, state.whole, w.p, w.m, forces)
    for i in range(own.works.shape[0]):
        own.works[i] += forces[first_internal + i]  # behind the rows of the constraints
    sum_changes(own, s)
    if own.stages > 1:
        push_at_start(own, s)
    end = set_middle(w, own, s, h)
    evaluate(own.dissipative_at, end, state.whole, w.p, w.m, losses)
    for i in range(own.works.shape[0]):
        own.works[i] += losses[nv + internal + i]  # behind the internal rates
    for i in range(nv):
        inertia[i] = -own.b[s] * h * y[nq + i]
        for r in range(own.stages):
            inertia[i] += own.a[s, r] * own.psi[r, i]
        forces[i] += losses[i]
    if s > 0:
        balance_gyration(own, h)
    for i in range(first_internal):
        forces[i] *= h * h
    add_product(own, forces, inertia, 1.0, own.mass)
    if own.inertia_at > 0:
        add_inertia(w, own, h, s)
    for i in range(instant.constraints if own.sharing.softness.shape[0] > 0 else 0):
        forces[nv + i] += own.sharing.softness[s * instant.constraints + i] * own.multipliers[s, i]
    for i in range(first_internal):
        right[position[s * unknowns + i]] = -forces[i]
    for i in range(internal):
        total = -h * losses[nv + i]
        for r in range(own.stages):
            total += own.u[s, r] * own.internal_steps[r, i]
        right[position[s * unknowns + first_internal + i]] = -h * total
    return 0


@kernel
def take_correction(w: March, own: StageMemory, h: float) -> float:
    """Add a correction, which lies on the right-hand side, to steps and multipliers; gives its size: the root mean
    square of corrections relative to what may be left. atol / rtol is the typical size of a state.

    A position at the end of a stage is that at the start of the next, so that what one step gains the next one loses.
    """
    y, atol, rtol, instant, stages = w.y, w.atol, w.rtol, own.instant, own.stages
    nq, nv, rows, internal, place = (instant.positions, instant.velocities, instant.constraints, instant.internal,
                                     instant.coordinates.place)  # fmt: skip
    steps, inner, multipliers, right, position = (own.steps, own.internal_steps, own.multipliers, own.factors.right,
                                                  own.factors.position)  # fmt: skip
    first_internal, unknowns = nv + rows, nv + rows + internal
    square, rounding = 0.0, ROUNDING * min(1.0, h / BRIEF)
    multiplier_changes, multiplier_sizes = 0.0, 1e-300
    for s in range(stages):
        for i in range(nv):
            change = right[position[s * unknowns + i]]
            steps[s, i] += change
            if s + 1 < stages:
                steps[s + 1, i] -= change
            square += (change / (LEFT / rtol * (CLOSE * h * atol[nq + i] + rounding * atol[place[i]]))) ** 2
        for i in range(rows):
            change = right[position[s * unknowns + nv + i]]
            multipliers[s, i] += change
            multiplier_changes += abs(change)
            multiplier_sizes += abs(multipliers[s, i])
        for i in range(internal):
            change, x = right[position[s * unknowns + first_internal + i]], y[nq + nv + i]
            inner[s, i] += change
            if s + 1 < stages:
                inner[s + 1, i] -= change
            square += (change / (CLOSE * (abs(x) + abs(inner[s, i]) + LITTLE))) ** 2
    own.multiplier_change = multiplier_changes / multiplier_sizes
    return math.sqrt(square / (stages * (nv + internal))) / own.loose


@kernel
def correct(w: March, own: StageMemory, h: float) -> float:
    """One correction of steps and multipliers; gives its size relative to what may be left."""
    find_psi(own)
    if own.stages > 1:
        find_start_residuals(w, own, h)
    for i in range(own.works.shape[0]):
        own.works[i] = 0.0
    for s in range(own.stages):
        stage_residual(w, own, h, s)
    w.evaluations += 2 * own.stages
    solve(own.factors)
    return take_correction(w, own, h)


@kernel
def refine(w: March, own: StageMemory, h: float) -> int:
    """What is kept, and its ledger, to the last digits: also the multipliers, which positions may not tell of."""
    before = 1e300
    for _ in range(MOST_ITERATIONS):
        correct(w, own, h)
        if own.multiplier_change > KEEP * before:
            own.rate = 1.0  # the next step gets new factors
        if own.multiplier_change < FINE or own.multiplier_change > 0.5 * before:
            break
        before = own.multiplier_change
    return 0


@kernel
def iterate(w: March, own: StageMemory, h: float, factor_each: bool) -> bool:
    """Newton's method for the steps, with the factors there are; `factor_each`: with new ones in every iteration.
    True: converged.

    Corrections fall by θ = |Δ_k| / |Δ_(k-1)| each, so that what is left after correction k is θ / (1 - θ) |Δ_k| (Hairer
    and Wanner 1996, IV.8); sizes are relative to what may be left.
    """
    before, rate = 1e300, 1.0
    old = own.fresh == 0  # what old factors leave is not rounding
    for iteration in range(MOST_ITERATIONS):
        if factor_each and iteration > 0 and not linearise(w, own, h):
            return False
        size = correct(w, own, h)
        if not size < LOST:
            return False
        if iteration > 0:
            theta = size / before
            rate = theta / (1.0 - min(theta, 0.99))
            if theta > STALLED and size < (SMALL_AFRESH if factor_each else SMALL) and not old:
                rate = 0.001  # nothing but rounding is left
            elif theta > (POOR if old else DIVERGES) and iteration > 1 and not factor_each:
                return False
        before = max(size, 1e-300)
        if max(rate, 1e-4) * size <= 1.0:
            own.rate = rate
            refine(w, own, h)
            return True
    return False


@kernel
def solve_step(w: March, own: StageMemory, h: float) -> bool:
    """The steps of all stages; where old factors do not do, new ones, and then new ones for every iteration."""
    solved, factor_each = False, False
    while not solved:
        predict(w, own, h)
        regular = True
        if own.stale > 0 or own.factors_step != h or factor_each:
            regular = linearise(w, own, h)
        if regular:
            solved = iterate(w, own, h, factor_each)
        if not solved:
            own.stale = 1  # the next try has new factors ...
            if own.fresh > 0:  # ... which this one had already
                if factor_each:
                    break
                factor_each = True
    return solved
