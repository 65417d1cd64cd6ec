"""Steps of links whose mass changes with the position: momenta at the ends of stages (assemble.residual.step.modal).

With the states k of the stages, v_k = Σ V_kr ψ_r / h + c v, stage s has

    (Σ P_sk p_k - Σ P_sk p) / h + K_s

in place of M (Σ A_sr ψ_r - B_s h v) / h², where p without index is at the start of the step. Of nodes of space momenta
of rotations lie along their own axes; what turns them has the weights w_t of ψ and w_w of the velocity of a pair
(assemble.residual.step.spatial_beam).
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate, kernel
from gudgeon.methods.implicit.energy.blocks import add_block
from gudgeon.methods.implicit.energy.memory import StageMemory, StepState
from gudgeon.methods.implicit.energy.states import set_pair, set_weights
from gudgeon.methods.march.memory import March


@kernel
def velocity_share(own: StageMemory, k: int, r: int) -> float:
    """V_kr, 0 beyond the stages."""
    if r >= own.stages:
        return 0.0
    return own.c[r] if k == own.stages - 1 else own.u[k, r]


@kernel
def set_states(w: March, own: StageMemory, h: float, s: int, r: int) -> float:
    """Both states of pair s with their velocities, and the factors of their changes with x_r. Of the first of two pairs
    both have the velocity of its end; of a single one the first has that of the start."""
    y, state, stages = w.y, own.state, own.stages
    nq, nv = own.instant.positions, own.instant.velocities
    end = set_pair(w, own, s, h)
    for side in range(2):
        velocities = state.velocities if side == 0 else state.start_velocities
        k = s if side == 0 else 0 if s == 0 and stages > 1 else s - 1  # the state at this side; -1: the start
        old = 1.0 if k < 0 else own.c_start if k == stages - 1 else 0.0
        for i in range(nv):
            velocities[i] = old * y[nq + i]
        change = 0.0
        if k >= 0:
            for q in range(stages):
                for i in range(nv):
                    velocities[i] += velocity_share(own, k, q) * own.psi[q, i] / h
            change = (velocity_share(own, k, r) - velocity_share(own, k, r + 1)) / h
        if side == 0:
            set_weights(state, 1.0 if r == s else 0.0, 1.0 if r == s - 1 else 0.0, change)
        else:
            state.inertia_weights[2] = change
    return end


@kernel
def weigh(state: StepState, momenta: float, forces: float, turned_by_step: float, turned_by_velocity: float) -> int:
    """The weights w_p of momenta, w_k of K, and w_t and w_w of what turns momenta."""
    weights = state.inertia_weights
    weights[0], weights[1], weights[3], weights[4] = momenta, forces, turned_by_step, turned_by_velocity
    return 0


@kernel
def weigh_pair(own: StageMemory, s: int, r: int, h: float) -> int:
    """Those of pair r in stage s; in the last stage momenta are turned by ψ."""
    last, here = s == own.stages - 1, h if r == s else 0.0
    return weigh(own.state, own.p[s, r], here, 1.0 if last else 0.0, 0.0 if last else here)


@kernel
def add_inertia(w: March, own: StageMemory, h: float, s: int) -> int:
    """Add the inertia of stage s to its forces, times h²."""
    state, nq, nv, total = own.state, own.instant.positions, own.instant.velocities, 0.0
    for r in range(own.stages + 1):
        if r < own.stages:
            set_states(w, own, h, r, 0)
            weigh_pair(own, s, r, h)
            total += own.p[s, r]
        else:
            for i in range(nq + nv):
                state.whole[i] = w.y[i]
            weigh(state, -total, 0.0, 0.0, 0.0)
        evaluate(own.inertia_at, w.t, state.whole, w.p, w.m, own.momenta)
        for i in range(nv):
            own.forces[i] += h * own.momenta[i]
    return 0


@kernel
def add_inertia_block(w: March, own: StageMemory, h: float, s: int, q: int) -> int:
    """Add the changes of the inertia of stage s with x_q to the matrix of the step."""
    for r in range(own.stages):
        set_states(w, own, h, r, q)
        weigh_pair(own, s, r, h)
        evaluate(own.inertia_tangent_at, w.t, own.state.whole, w.p, w.m, own.tangent)
        add_block(own, s, q, h, own.tangent)
    return 0


@kernel
def find_end_mass(w: March, own: StageMemory, h: float) -> int:
    """The mass of these links at the end of the step."""
    state = own.state
    set_states(w, own, h, own.stages - 1, 0)
    weigh(state, 1.0, 0.0, 0.0, 0.0)
    state.inertia_weights[2] = 0.0
    set_weights(state, 0.0, 0.0, 1.0)
    evaluate(own.inertia_tangent_at, w.t, state.whole, w.p, w.m, own.end_mass)
    return 0
