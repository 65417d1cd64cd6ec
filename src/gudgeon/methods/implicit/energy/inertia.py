"""Steps of links whose mass changes with the position: momenta at the ends of stages, see assemble.modal_steps.

With the states k of the stages, v_k = Σ V_kr ψ_r / h + c v, stage s has

    (Σ P_sk p_k - Σ P_sk p) / h + K_s

in place of M (Σ A_sr ψ_r - B_s h v) / h², where p without index is at the start of the step. Of nodes of space momenta
of turns lie along their own axes; what turns them has the weights w_t of ψ and w_w of the velocity of a pair
(assemble.spatial_steps).
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate_at, floats_at, inlined, integers_at, kernel
from gudgeon.methods.contract import STEP
from gudgeon.methods.implicit.energy.parts import add_block, pair
from gudgeon.methods.implicit.energy.table import (
    C_OLD,
    CARRIED,
    CHANGE,
    CHANGES,
    F_AT,
    FORCE,
    G_AT,
    INERTIA,
    INERTIA_TANGENT,
    INTERNAL,
    MOST_STAGES,
    NQ,
    NV,
    PLACE,
    STAGES,
    STATES,
    T_AT,
    TURNS,
    C,
    P,
    U,
)


@inlined
def share(k: int, r: int, T: Any, G: Any) -> float:
    """V_kr."""
    found = 0.0
    if r < T[STAGES]:
        found = G[C + r] if k == T[STAGES] - 1 else G[U + k * MOST_STAGES + r]
    return found


@kernel(STEP)
def stand(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """Both states of pair x with their velocities, and the factors of their changes with x_r, r = rtol. Of the first of
    two pairs both have the velocity of its end; of a single one the first has that of the start."""
    T, G = integers_at(int(control[T_AT])), floats_at(int(control[G_AT]))
    nq, nv, stages, s, r = T[NQ], T[NV], T[STAGES], int(x), int(rtol)
    z, turn = int(control[PLACE]), int(control[TURNS])
    behind = z + T[STATES] + nq + 2 + T[INTERNAL]
    end = pair(s, t, h, y, control, T, G)
    for side in range(2):
        at, state = (z + nq, s) if side == 0 else (behind, 0 if s == 0 and stages > 1 else s - 1)
        old = 1.0 if state < 0 else G[C_OLD] if state == stages - 1 else 0.0
        for i in range(nv):
            G[at + i] = old * y[nq + i]
        change = 0.0
        if state >= 0:
            for q in range(stages):
                for i in range(nv):
                    G[at + i] += share(state, q, T, G) * G[turn + q * nv + i] / h
            change = (share(state, r, T, G) - share(state, r + 1, T, G)) / h
        G[z + T[CHANGES] + 2 if side == 0 else behind + nv + 2] = change
    G[z + T[CHANGES]], G[z + T[CHANGES] + 1] = 1.0 if r == s else 0.0, 1.0 if r == s - 1 else 0.0
    return end


@inlined
def weights(s: int, r: int, h: float, w: int, T: Any, G: Any) -> int:
    """Of pair r in stage s: of its momenta, of K, and of what turns momenta, by ψ in the last stage."""
    last = T[STAGES] - 1
    G[w], G[w + 1] = G[P + s * MOST_STAGES + r], h if r == s else 0.0
    G[w + 3], G[w + 4] = 1.0 if s == last else 0.0, h if r == s and s < last else 0.0
    return 0


@kernel(STEP)
def carry(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """Add the inertia of stage x to its forces, times h²."""
    T, G = integers_at(int(control[T_AT])), floats_at(int(control[G_AT]))
    z, found, start, nv, s = int(control[PLACE]), int(control[CARRIED]), int(control[G_AT]), T[NV], int(x)
    w, total = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + nv, 0.0
    for r in range(T[STAGES] + 1):
        if r < T[STAGES]:
            stand(rhs, t, h, y, new, out, p, m, k, control, atol, 0.0, float(r))
            weights(s, r, h, w, T, G)
            total += G[w]
        else:
            for i in range(T[NQ] + nv):
                G[z + i] = y[i]
            G[w], G[w + 1], G[w + 3], G[w + 4] = -total, 0.0, 0.0, 0.0
        evaluate_at(T[INERTIA], t, start + 8 * z, p, m, start + 8 * found)
        for i in range(nv):
            G[int(control[FORCE]) + i] += h * G[found + i]
    return 0.0


@kernel(STEP)
def add_carried(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """Add the changes of the inertia of stage x with x_r, r = rtol, to the matrix of the step."""
    T, F, G = integers_at(int(control[T_AT])), floats_at(int(control[F_AT])), floats_at(int(control[G_AT]))
    z, change, start, s = int(control[PLACE]), int(control[CHANGE]), int(control[G_AT]), int(x)
    w = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + T[NV]
    for r in range(T[STAGES]):
        stand(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, float(r))
        weights(s, r, h, w, T, G)
        evaluate_at(T[INERTIA_TANGENT], t, start + 8 * z, p, m, start + 8 * change)
        add_block(s, int(rtol), h, change, T, F, G)
    return 0.0


@kernel(STEP)
def weigh_end(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """The mass of these links at the end of the step, by entries, into G[CARRIED:]."""
    T, G = integers_at(int(control[T_AT])), floats_at(int(control[G_AT]))
    z, start = int(control[PLACE]), int(control[G_AT])
    w, c = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + T[NV], z + T[CHANGES]
    stand(rhs, t, h, y, new, out, p, m, k, control, atol, 0.0, float(T[STAGES] - 1))
    G[w], G[w + 1], G[w + 2], G[w + 3], G[w + 4] = 1.0, 0.0, 0.0, 0.0, 0.0
    G[c], G[c + 1], G[c + 2] = 0.0, 0.0, 1.0
    evaluate_at(T[INERTIA_TANGENT], t, start + 8 * z, p, m, start + 8 * int(control[CARRIED]))
    return 0.0
