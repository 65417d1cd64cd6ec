"""The equations of a step, solved by Newton's method: their matrix, their residuals, and how close is close enough."""

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
from gudgeon.methods.linear.sparse import factor, solve
from gudgeon.methods.march.memory import March

MOST_ITERATIONS = 14
CLOSE, ROUNDING = 1e-13, 5e-16  # corrections left: of velocities, and of positions where elastic forces rule them: in
# brief steps inertia does, which rounding hardly reaches
FINE = 1e-12  # corrections of multipliers left, where the ledger is to close
LITTLE = 1e-6  # internal states count as this at least
KEEP = 0.1  # factors are kept while corrections fall by this
POOR = 0.3  # of bodies of space old factors are given up within a step where corrections fall by less


@kernel
def predict(w: March, own: StageMemory, h: float) -> int:
    """Steps by the mean accelerations of the last one, which fast vibrations do not reach; multipliers as they were."""
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
            inner = r < stages - 1  # positions at the end of this stage are those at the start of the next
            if r == s or r == s - 1:
                end = set_pair(w, own, s, h)
                set_weights(state, 1.0 if r == s else 0.0, 0.0 if r == s else 1.0, 0.0)
                evaluate(own.conservative_tangent_at, end, state.whole, w.p, w.m, tangent)
                if inner:
                    share_multipliers(own, s, r, h)
                add_block(own, s, r, h * h, tangent)
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
    return factor(own.factors)


@kernel
def stage_residual(w: March, own: StageMemory, h: float, s: int) -> int:
    """The equations of stage s, times h², with the other sign onto the right-hand side."""
    y, instant, forces, losses, inertia, state = w.y, own.instant, own.forces, own.losses, own.inertia, own.state
    nq, nv, internal = instant.positions, instant.velocities, instant.internal
    held, n = nv + instant.constraints, nv + instant.constraints + internal
    right, position = own.factors.right, own.factors.position
    end = set_pair(w, own, s, h)
    evaluate(own.conservative_at, end, state.whole, w.p, w.m, forces)
    for i in range(own.works.shape[0]):
        own.works[i] += forces[held + i]
    sum_changes(own, s)
    if own.stages > 1:
        push_at_start(own, s)
    end = set_middle(w, own, s, h)
    evaluate(own.dissipative_at, end, state.whole, w.p, w.m, losses)
    for i in range(own.works.shape[0]):
        own.works[i] += losses[nv + internal + i]
    for i in range(nv):
        inertia[i] = -own.b[s] * h * y[nq + i]
        for r in range(own.stages):
            inertia[i] += own.a[s, r] * own.psi[r, i]
        forces[i] += losses[i]
    if s > 0:
        balance_gyration(own, h)
    for i in range(held):
        forces[i] *= h * h
    add_product(own, forces, inertia, 1.0, own.mass)
    if own.inertia_at > 0:
        add_inertia(w, own, h, s)
    for i in range(held):
        right[position[s * n + i]] = -forces[i]
    for i in range(internal):
        total = -h * losses[nv + i]
        for r in range(own.stages):
            total += own.u[s, r] * own.internal_steps[r, i]
        right[position[s * n + held + i]] = -h * total
    return 0


@kernel
def take_correction(w: March, own: StageMemory, h: float) -> float:
    """Add a correction, which lies on the right-hand side, to steps and multipliers; gives its size. A position at the
    end of a stage is that at the start of the next, so that what one step gains the next one loses."""
    y, atol, rtol, instant, stages = w.y, w.atol, w.rtol, own.instant, own.stages
    nq, nv, rows, internal, place = (instant.positions, instant.velocities, instant.constraints, instant.internal,
                                     instant.coordinates.place)  # fmt: skip
    steps, inner, multipliers, right, position = (own.steps, own.internal_steps, own.multipliers, own.factors.right,
                                                  own.factors.position)  # fmt: skip
    held, n = nv + rows, nv + rows + internal
    size, left, most, rounding = 0.0, 0.0, 1e-300, ROUNDING * min(1.0, h / BRIEF)
    for s in range(stages):
        for i in range(nv):
            change = right[position[s * n + i]]
            steps[s, i] += change
            if s + 1 < stages:
                steps[s + 1, i] -= change
            size += (change / (10.0 / rtol * (CLOSE * h * atol[nq + i] + rounding * atol[place[i]]))) ** 2
        for i in range(rows):
            change = right[position[s * n + nv + i]]
            multipliers[s, i] += change
            left, most = left + abs(change), most + abs(multipliers[s, i])
        for i in range(internal):
            change, x = right[position[s * n + held + i]], y[nq + nv + i]
            inner[s, i] += change
            if s + 1 < stages:
                inner[s + 1, i] -= change
            size += (change / (CLOSE * (abs(x) + abs(inner[s, i]) + LITTLE))) ** 2
    own.multiplier_change = left / most
    return math.sqrt(size / (stages * (nv + internal))) / own.loose


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
            own.theta = 1.0  # the next step gets new factors
        if own.multiplier_change < FINE or own.multiplier_change > 0.5 * before:
            break
        before = own.multiplier_change
    return 0


@kernel
def iterate(w: March, own: StageMemory, h: float, anew: bool) -> bool:
    """Newton's method for the steps, with the factors there are; `anew`: with new ones each time. True: converged."""
    before, rate = 1e300, 1.0
    old = own.fresh == 0  # what old factors leave is not rounding
    for iteration in range(MOST_ITERATIONS):
        if anew and iteration > 0 and not linearise(w, own, h):
            return False
        size = correct(w, own, h)
        if not size < 1e100:
            return False
        if iteration > 0:
            theta = size / before
            rate = theta / (1.0 - min(theta, 0.99))
            if theta > 0.3 and size < (1000.0 if anew else 10.0) and not old:
                rate = 0.001  # nothing but rounding is left
            elif theta > (POOR if old else 2.0) and iteration > 1 and not anew:
                return False
        before = max(size, 1e-300)
        if max(rate, 1e-4) * size <= 1.0:
            own.theta = rate
            refine(w, own, h)
            return True
    return False


@kernel
def solve_step(w: March, own: StageMemory, h: float) -> bool:
    """The steps of all stages; where old factors do not do, new ones, and then new ones for every iteration."""
    solved, anew = False, False
    while not solved:
        predict(w, own, h)
        regular = True
        if own.stale > 0 or own.factors_step != h or anew:
            regular = linearise(w, own, h)
        if regular:
            solved = iterate(w, own, h, anew)
        if not solved:
            own.stale = 1
            if own.fresh > 0:
                if anew:
                    break
                anew = True
    return solved
