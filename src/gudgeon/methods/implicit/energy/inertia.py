"""Steps of links whose mass changes with the position: momenta at the ends of stages, see assemble.modal_steps.

With the states k of the stages, v_k = Σ V_kr ψ_r / h + c v, stage s has

    (Σ P_sk p_k - Σ P_sk p) / h + K_s

in place of M (Σ A_sr ψ_r - B_s h v) / h², where p without index is at the start of the step. Of nodes of space momenta
of turns lie along their own axes; what turns them has the weights w_t of ψ and w_w of the velocity of a pair
(assemble.spatial_steps).
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate_at, floats_at, integers_at, kernel
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
from gudgeon.methods.march.memory import March


@kernel
def share(k: int, r: int, T: Any, G: Any) -> float:
    """V_kr."""
    found = 0.0
    if r < T[STAGES]:
        found = G[C + r] if k == T[STAGES] - 1 else G[U + k * MOST_STAGES + r]
    return found


@kernel
def stand(w: March, h: float, r: int, s: int) -> float:
    """Both states of pair s with their velocities, and the factors of their changes with x_r. Of the first of
    two pairs both have the velocity of its end; of a single one the first has that of the start."""
    t, y = w.t, w.y
    T, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[G_AT]))
    nq, nv, stages = T[NQ], T[NV], T[STAGES]
    z, turn = int(w.control[PLACE]), int(w.control[TURNS])
    behind = z + T[STATES] + nq + 2 + T[INTERNAL]
    end = pair(s, t, h, y, w, T, G)
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


@kernel
def weights(s: int, r: int, h: float, at: int, T: Any, G: Any) -> int:
    """Of pair r in stage s: of its momenta, of K, and of what turns momenta, by ψ in the last stage."""
    last = T[STAGES] - 1
    G[at], G[at + 1] = G[P + s * MOST_STAGES + r], h if r == s else 0.0
    G[at + 3], G[at + 4] = 1.0 if s == last else 0.0, h if r == s and s < last else 0.0
    return 0


@kernel
def carry(w: March, h: float, s: int) -> float:
    """Add the inertia of stage s to its forces, times h²."""
    t, y, p, m = w.t, w.y, w.p, w.m
    T, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[G_AT]))
    z, found, start, nv = int(w.control[PLACE]), int(w.control[CARRIED]), int(w.control[G_AT]), T[NV]
    at, total = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + nv, 0.0
    for r in range(T[STAGES] + 1):
        if r < T[STAGES]:
            stand(w, h, 0, r)
            weights(s, r, h, at, T, G)
            total += G[at]
        else:
            for i in range(T[NQ] + nv):
                G[z + i] = y[i]
            G[at], G[at + 1], G[at + 3], G[at + 4] = -total, 0.0, 0.0, 0.0
        evaluate_at(T[INERTIA], t, start + 8 * z, p, m, start + 8 * found)
        for i in range(nv):
            G[int(w.control[FORCE]) + i] += h * G[found + i]
    return 0.0


@kernel
def add_carried(w: March, h: float, q: int, s: int) -> float:
    """Add the changes of the inertia of stage s with x_q to the matrix of the step."""
    t, p, m = w.t, w.p, w.m
    T, F, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT])), floats_at(int(w.control[G_AT]))
    z, change, start = int(w.control[PLACE]), int(w.control[CHANGE]), int(w.control[G_AT])
    at = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + T[NV]
    for r in range(T[STAGES]):
        stand(w, h, q, r)
        weights(s, r, h, at, T, G)
        evaluate_at(T[INERTIA_TANGENT], t, start + 8 * z, p, m, start + 8 * change)
        add_block(s, q, h, change, T, F, G)
    return 0.0


@kernel
def weigh_end(w: March, h: float) -> float:
    """The mass of these links at the end of the step, by entries, into G[CARRIED:]."""
    t, p, m = w.t, w.p, w.m
    T, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[G_AT]))
    z, start = int(w.control[PLACE]), int(w.control[G_AT])
    at, c = z + T[STATES] + T[NQ] + 2 + T[INTERNAL] + T[NV], z + T[CHANGES]
    stand(w, h, 0, T[STAGES] - 1)
    G[at], G[at + 1], G[at + 2], G[at + 3], G[at + 4] = 1.0, 0.0, 0.0, 0.0, 0.0
    G[c], G[c + 1], G[c + 2] = 0.0, 0.0, 1.0
    evaluate_at(T[INERTIA_TANGENT], t, start + 8 * z, p, m, start + 8 * int(w.control[CARRIED]))
    return 0.0
