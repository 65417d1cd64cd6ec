"""Steps with an energy statement: the equations over a step in one or two stages, shared by energy and decay.

Stage s goes from the positions x_(s-1) to x_s, x_(-1) those of the start, by steps ψ_s (of angles as graph.secant has
them, of turns in space as assemble.moves: along the axes of the body, as its angular velocity is). With the forces F_s
along the secant slopes of its own pair of states and the other forces L at the middle of the last pair, with velocities
u_s,

    M (Σ A_sr ψ_r - B_s h v) / h² + F_s + L(u_s) = 0,      g(x_s) = 0,      u_s = Σ U_sr ψ_r / h
    velocities at the end:  Σ C_r ψ_r / h + c v

Internal states z (currents of motors, bristles, what drives given by speed have reached) take part as positions do,
with steps δ_s and rates of the same state as the other forces, so that what passes between them has one value:

    Σ U_sr δ_r / h = z'(u_s, z + Σ S_sr δ_r)

The unknowns are the positions x_s, internal states and multipliers; what is kept are the steps, since differences of
positions would lose digits when the step is short. So would those of g: its change is the sum of D g ψ_s, and it makes
good what rounding, or the margin of a hard wall, left of g at the start; of that a brief step makes good only the share
h / BRIEF, since all of it would be a speed there.
    With two stages the multipliers λ belong to both pairs: their work, λ (g(x_1) - g(x_0)) + λ (g(x_0) - g(x_(-1))), is
zero wherever x_0 is. In place of g(x_0) = 0 the velocity at the start of the step, v_j = Σ U_0r ψ_r / h, is tangent to
the constraints there, J v_j = 0, by an impulse Jt μ, which works with v_j and so does nothing: it enters stage s as
U_s0 Jt μ. So x_0 lies beside a curved constraint by as much as everything else jumps, and stiff parts that hang on a
body with such a path are not strained by it.

Velocities at the end are then brought onto the constraints, weighted by the mass, which takes kinetic energy only.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import evaluate_at, evaluate_row, floats_at, integers_at, kernel
from gudgeon.methods.contract import LOG_SMALL, growth
from gudgeon.methods.impact.wall_impacts import bare, impacts, rubs, settle
from gudgeon.methods.implicit import alpha, instant
from gudgeon.methods.implicit.energy.inertia import add_carried, carry, weigh_end
from gudgeon.methods.implicit.energy.parts import (
    add_block,
    add_own,
    add_start,
    drive_work,
    estimate,
    leave_multipliers,
    left_off,
    middle,
    move,
    onto,
    pair,
    predict,
    push_start,
    shared,
    start_rows,
    sum_rows,
    take,
    weigh,
)
from gudgeon.methods.implicit.energy.places import arrive, balance
from gudgeon.methods.implicit.energy.table import (
    BETWEEN,
    BETWEEN_TANGENT,
    BLOCKS,
    C_OLD,
    CHANGE,
    CHANGES,
    DRIVE,
    ENTRIES_EACH,
    ESTIMATED,
    F_AT,
    FAILED,
    FINE,
    FORCE,
    FRESH,
    G_AT,
    HELD,
    INERTIA,
    INNER,
    INTERNAL,
    KEEP,
    LAMBDA,
    LEFT,
    LOSSES,
    LOSSES_TANGENT,
    MASS,
    MEAN,
    MOST_ITERATIONS,
    MOST_STAGES,
    MOVED,
    MULTIPLIERS,
    NQ,
    NV,
    OTHER,
    PLACE,
    POOR,
    ROWS,
    SHARE,
    SHORT,
    STAGES,
    STALE,
    STARTING,
    T_AT,
    TANGENT,
    THETA,
    TURNS,
    A,
    B,
    C,
    U,
)
from gudgeon.methods.linear.sparse import POSITION, RIGHT, VALUES, factor, solve
from gudgeon.methods.march.memory import March

MOST = 2.0  # by which a step grows


@kernel
def linearise(w: March, h: float, x: float) -> float:
    """The matrix of a step of length h at the present steps, times h², and its factors. 0: it is singular."""
    t, y, p, m = w.t, w.y, w.p, w.m
    T, F, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT])), floats_at(int(w.control[G_AT]))
    stages, z, change = T[STAGES], int(w.control[PLACE]), int(w.control[CHANGE])
    here, there, c = int(w.control[G_AT]) + 8 * z, int(w.control[G_AT]) + 8 * change, z + T[CHANGES]
    blocks = T[BLOCKS] + 2 * (stages - 1) * (MOST_STAGES + 1)
    for i in range(T[blocks] + T[blocks + 1]):
        F[T[VALUES] + i] = 0.0
    move(h, y, w, T, G)
    for s in range(stages):
        for r in range(stages):
            if r == s or r == s - 1:
                end = pair(s, t, h, y, w, T, G)
                G[c], G[c + 1] = (1.0, 0.0) if r == s else (0.0, 1.0)
                evaluate_at(T[BETWEEN_TANGENT], end, here, p, m, there)
                if r < stages - 1:
                    shared(s, r, h, w, T, F, G)
                add_block(s, r, h * h, change, T, F, G)
            own, following = s * MOST_STAGES + r, s * MOST_STAGES + r + 1
            mass, speed = G[A + own], G[U + own]
            if r < stages - 1:
                mass, speed = mass - G[A + following], speed - G[U + following]
            end = middle(s, t, h, y, w, T, G)
            share = G[SHARE + own] - (G[SHARE + following] if r < stages - 1 else 0.0)
            G[c], G[c + 1], G[c + 2] = 0.5, share, speed / h
            evaluate_at(T[LOSSES_TANGENT], end, here, p, m, there)
            if r < stages - 1:
                leave_multipliers(change, T, G)
            add_block(s, r, h * h, change, T, F, G)
            add_own(s, r, h * speed, T, F)
            if stages > 1:
                add_start(s, r, speed, h, w, T, F, G)
            add_block(s, r, mass, int(w.control[MASS]), T, F, G)
            if T[INERTIA] > 0:
                add_carried(w, h, r, s)
    w.jacobians += 1
    w.factorisations += 1
    w.control[SHORT], w.control[STALE], w.control[FRESH] = h, 0.0, 1.0
    return factor(T, F)


@kernel
def correct(w: March, h: float, x: float) -> float:
    """One correction of steps and multipliers; gives its size relative to what may be left."""
    t, y, p, m, atol, rtol = w.t, w.y, w.p, w.m, w.atol, w.rtol
    T, F, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT])), floats_at(int(w.control[G_AT]))
    stages, nq, nv, rows, internal, b = T[STAGES], T[NQ], T[NV], T[ROWS], T[INTERNAL], T[RIGHT]
    z, force, other, moved, inner = (int(w.control[PLACE]), int(w.control[FORCE]), int(w.control[OTHER]),
                                     int(w.control[MOVED]), int(w.control[INNER]))  # fmt: skip
    start, held, n, works = int(w.control[G_AT]), nv + rows, nv + rows + internal, y.shape[0] - w.controlled
    move(h, y, w, T, G)
    if stages > 1:
        start_rows(t, h, y, p, m, w, T, G)
    for i in range(works):
        G[moved + nv + i] = 0.0
    for s in range(stages):
        end = pair(s, t, h, y, w, T, G)
        evaluate_at(T[BETWEEN], end, start + 8 * z, p, m, start + 8 * force)
        for i in range(works):
            G[moved + nv + i] += G[force + held + i]
        sum_rows(s, w, T, G)
        if stages > 1:
            push_start(s, w, T, G)
        end = middle(s, t, h, y, w, T, G)
        evaluate_at(T[LOSSES], end, start + 8 * z, p, m, start + 8 * other)
        for i in range(works):
            G[moved + nv + i] += G[other + nv + internal + i]
        for i in range(nv):
            G[moved + i] = -G[B + s] * h * y[nq + i]
            for r in range(stages):
                G[moved + i] += G[A + s * MOST_STAGES + r] * G[int(w.control[TURNS]) + r * nv + i]
            G[force + i] += G[other + i]
        if s > 0 and nq != nv:
            balance(h, w, T, G)
        for i in range(held):
            G[force + i] *= h * h
        weigh(force, moved, 1.0, int(w.control[MASS]), T, G)
        if T[INERTIA] > 0:
            carry(w, h, s)
        for i in range(held):
            F[b + T[T[POSITION] + s * n + i]] = -G[force + i]
        for i in range(internal):
            total = -h * G[other + nv + i]
            for r in range(stages):
                total += G[U + s * MOST_STAGES + r] * G[inner + r * internal + i]
            F[b + T[T[POSITION] + s * n + held + i]] = -h * total
    w.evaluations += 2 * stages
    solve(T, F)
    return take(h, y, w, atol, rtol, T, F, G)


@kernel
def finest(w: March, h: float, x: float) -> float:
    """What is kept, and its ledger, to the last digits: also the multipliers, which positions may not tell of."""
    before = 1e300
    for _ in range(MOST_ITERATIONS):
        correct(w, h, x)
        if w.control[LEFT] > KEEP * before:
            w.control[THETA] = 1.0  # the next step gets new factors
        if w.control[LEFT] < FINE or w.control[LEFT] > 0.5 * before:
            break
        before = w.control[LEFT]
    return 0.0


@kernel
def iterate(w: March, h: float, x: float) -> float:
    """Newton's method for the steps, with the factors there are; x > 0: with new ones each time. 1: converged."""
    before, rate = 1e300, 1.0
    old = w.control[FRESH] == 0.0  # what old factors leave is not rounding
    for iteration in range(MOST_ITERATIONS):
        if x > 0.0 and iteration > 0 and linearise(w, h, x) == 0.0:
            return 0.0
        size = correct(w, h, x)
        if not size < 1e100:
            return 0.0
        if iteration > 0:
            theta = size / before
            rate = theta / (1.0 - min(theta, 0.99))
            if theta > 0.3 and size < (1000.0 if x > 0.0 else 10.0) and not old:
                rate = 0.001  # nothing but rounding is left
            elif theta > (POOR if old else 2.0) and iteration > 1 and x == 0.0:
                return 0.0
        before = max(size, 1e-300)
        if max(rate, 1e-4) * size <= 1.0:
            w.control[THETA] = rate
            finest(w, h, x)
            return 1.0
    return 0.0


@kernel
def solve_step(w: March, h: float, x: float) -> float:
    """The steps of all stages; where old factors do not do, new ones, and then new ones for every iteration."""
    y, k = w.y, w.k
    T, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[G_AT]))
    solved, full = 0.0, 0.0
    while solved == 0.0:
        predict(h, y, k, w, T, G)
        regular = 1.0
        if w.control[STALE] > 0.0 or w.control[SHORT] != h or full > 0.0:
            regular = linearise(w, h, x)
        if regular > 0.0:
            solved = iterate(w, h, full)
        if solved == 0.0:
            w.control[STALE] = 1.0
            if w.control[FRESH] > 0.0:
                if full > 0.0:
                    break
                full = 1.0
    return solved


@kernel
def finish(t: float, h: float, y: Any, new: Any, p: Any, m: Any, k: Any, w: March, T: Any, G: Any) -> int:
    """The state at the end of a step that is solved, its accelerations and multipliers, and the integrals."""
    stages, nq, nv, rows = T[STAGES], T[NQ], T[NV], T[ROWS]
    turn, last = int(w.control[TURNS]), T[STAGES] - 1
    move(h, y, w, T, G)
    for i in range(y.shape[0]):
        new[i] = y[i]
    arrive(y, new, int(w.control[PLACE]), w, T, G)
    for i in range(nv):
        speed = 0.0
        for s in range(stages):
            speed += G[C + s] * G[turn + s * nv + i]
        new[nq + i] = speed / h + G[C_OLD] * y[nq + i]
    for i in range(rows):
        new[T[MULTIPLIERS] + i] = G[int(w.control[LAMBDA]) + last * rows + i]
    for i in range(T[INTERNAL]):
        for s in range(stages):
            new[nq + nv + i] += G[int(w.control[INNER]) + s * T[INTERNAL] + i]
    for i in range(w.controlled, y.shape[0]):
        new[i] = y[i] + G[int(w.control[MOVED]) + nv + i - w.controlled]
    w.control[HELD] = 0.0
    Q, E = integers_at(int(w.control[instant.T_AT])), floats_at(int(w.control[instant.F_AT]))
    if stages == 1 and rubs(w) > 0.0:
        settle(t + h, new, p, m, k, w, Q, E)
    if bare(t + h, new, p, m, w, Q, E, stages > 1) > 0.0:
        if stages > 1:
            onto(t + h, new, p, m, w, G)
            if rubs(w) > 0.0:
                instant.linearise(t + h, 0.0, new, p, m, w, Q, E)
            if T[DRIVE] >= 0:
                drive = w.controlled + T[DRIVE]
                new[drive] += h * drive_work(t, y, int(w.control[LAMBDA]), p, m, w, T, G)
                new[drive] += drive_work(t + h, new, int(w.control[STARTING]), p, m, w, T, G)
        instant.correct(t + h, new, p, m, k, w, Q, E)
    return 0


@kernel
def begin(t: float, y: Any, p: Any, m: Any, w: March, T: Any, G: Any) -> int:
    """Two stages: the rows of the constraints at the start, with factors of the equations left unsolved there."""
    Q, E = integers_at(int(w.control[instant.T_AT])), floats_at(int(w.control[instant.F_AT]))
    if w.control[HELD] == 0.0 or rubs(w) > 0.0:
        bare(t, y, p, m, w, Q, E, True)
        w.control[HELD] = 1.0
    for e in range(T[ENTRIES_EACH]):
        G[int(w.control[TANGENT]) + e] = E[Q[VALUES] + e]
    return 0


@kernel
def restart(w: March) -> float:
    rhs, t, y, p, m, k = w.rhs_at, w.t, w.y, w.p, w.m, w.k
    T, F = integers_at(int(w.control[instant.T_AT])), floats_at(int(w.control[instant.F_AT]))
    # of velocities across constraints one stage keeps the energy
    back = 1.0 if integers_at(int(w.control[T_AT]))[STAGES] == 1 else 0.0
    parted = impacts(rhs, t, y, p, m, k, w, T, F, back)
    for i in range(T[instant.VELOCITIES]):
        k[MEAN, i] = 0.0
    w.control[HELD] = 1.0
    w.order, w.log_error = ESTIMATED, LOG_SMALL
    w.control[STALE] = 1.0
    w.control[SHORT] = w.control[FRESH] = w.control[FAILED] = 0.0
    return parted


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, p, m, k, atol, rtol = w.rhs_at, w.t, w.y, w.new, w.p, w.m, w.k, w.atol, w.rtol
    error, w.order = alpha.UNSOLVED, alpha.HALVED
    w.control[FRESH] = 0.0
    T, F, G = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT])), floats_at(int(w.control[G_AT]))
    if T[STAGES] > 1:
        begin(t, y, p, m, w, T, G)
    left_off(t, h, y, p, m, w, T, G)
    if solve_step(w, h, 0.0) > 0.0:
        w.order = ESTIMATED
        finish(t, h, y, new, p, m, k, w, T, G)
        if T[INERTIA] > 0:
            weigh_end(w, h)
        error = estimate(h, y, new, w, atol, rtol, T, F, G)
        evaluate_row(rhs, t + h, new, p, m, k, k.shape[0] - 1)
    if not error <= 1.0:
        w.control[FAILED] = 1.0
    return error


@kernel
def commit(w: March, h: float, x: float) -> float:
    y, new, k = w.y, w.new, w.k
    grown = min(MOST, growth(w, x))
    if w.control[FAILED] > 0.0:
        grown = min(grown, 1.0)
    if 1.0 <= grown <= alpha.STEADY:
        grown = 1.0
    w.control[STALE] = 1.0 if w.control[THETA] > KEEP else 0.0
    for i in range(y.shape[0]):
        k[0, i] = k[k.shape[0] - 1, i]
    nq, nv = integers_at(int(w.control[T_AT]))[NQ], integers_at(int(w.control[T_AT]))[NV]
    for i in range(nv):
        k[MEAN, i] = (new[nq + i] - y[nq + i]) / h
    w.control[FAILED], w.control[HELD] = 0.0, 1.0
    return grown
