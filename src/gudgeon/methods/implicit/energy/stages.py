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

from gudgeon.compile.native.kernel import evaluate_at, evaluate_row, floats_at, inlined, integers_at, kernel
from gudgeon.methods.contract import (
    CONTROLLED,
    EVALUATIONS,
    FACTORISATIONS,
    JACOBIANS,
    LAST_ERROR,
    LOG_SMALL,
    ORDER,
    STEP,
    growth,
)
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

MOST = 2.0  # by which a step grows


@kernel(STEP)
def linearise(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """The matrix of a step of length h at the present steps, times h², and its factors. 0: it is singular."""
    T, F, G = integers_at(int(control[T_AT])), floats_at(int(control[F_AT])), floats_at(int(control[G_AT]))
    stages, z, change = T[STAGES], int(control[PLACE]), int(control[CHANGE])
    here, there, c = int(control[G_AT]) + 8 * z, int(control[G_AT]) + 8 * change, z + T[CHANGES]
    blocks = T[BLOCKS] + 2 * (stages - 1) * (MOST_STAGES + 1)
    for i in range(T[blocks] + T[blocks + 1]):
        F[T[VALUES] + i] = 0.0
    move(h, y, control, T, G)
    for s in range(stages):
        for r in range(stages):
            if r == s or r == s - 1:
                end = pair(s, t, h, y, control, T, G)
                G[c], G[c + 1] = (1.0, 0.0) if r == s else (0.0, 1.0)
                evaluate_at(T[BETWEEN_TANGENT], end, here, p, m, there)
                if r < stages - 1:
                    shared(s, r, h, control, T, F, G)
                add_block(s, r, h * h, change, T, F, G)
            own, following = s * MOST_STAGES + r, s * MOST_STAGES + r + 1
            mass, speed = G[A + own], G[U + own]
            if r < stages - 1:
                mass, speed = mass - G[A + following], speed - G[U + following]
            end = middle(s, t, h, y, control, T, G)
            share = G[SHARE + own] - (G[SHARE + following] if r < stages - 1 else 0.0)
            G[c], G[c + 1], G[c + 2] = 0.5, share, speed / h
            evaluate_at(T[LOSSES_TANGENT], end, here, p, m, there)
            if r < stages - 1:
                leave_multipliers(change, T, G)
            add_block(s, r, h * h, change, T, F, G)
            add_own(s, r, h * speed, T, F)
            if stages > 1:
                add_start(s, r, speed, h, control, T, F, G)
            add_block(s, r, mass, int(control[MASS]), T, F, G)
            if T[INERTIA] > 0:
                add_carried(rhs, t, h, y, new, out, p, m, k, control, atol, float(r), float(s))
    control[JACOBIANS] += 1.0
    control[FACTORISATIONS] += 1.0
    control[SHORT], control[STALE], control[FRESH] = h, 0.0, 1.0
    return factor(T, F)


@kernel(STEP)
def correct(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """One correction of steps and multipliers; gives its size relative to what may be left."""
    T, F, G = integers_at(int(control[T_AT])), floats_at(int(control[F_AT])), floats_at(int(control[G_AT]))
    stages, nq, nv, rows, internal, b = T[STAGES], T[NQ], T[NV], T[ROWS], T[INTERNAL], T[RIGHT]
    z, force, other, moved, inner = (int(control[PLACE]), int(control[FORCE]), int(control[OTHER]),
                                     int(control[MOVED]), int(control[INNER]))  # fmt: skip
    start, held, n, works = int(control[G_AT]), nv + rows, nv + rows + internal, y.shape[0] - int(control[CONTROLLED])
    move(h, y, control, T, G)
    if stages > 1:
        start_rows(t, h, y, p, m, control, T, G)
    for i in range(works):
        G[moved + nv + i] = 0.0
    for s in range(stages):
        end = pair(s, t, h, y, control, T, G)
        evaluate_at(T[BETWEEN], end, start + 8 * z, p, m, start + 8 * force)
        for i in range(works):
            G[moved + nv + i] += G[force + held + i]
        sum_rows(s, control, T, G)
        if stages > 1:
            push_start(s, control, T, G)
        end = middle(s, t, h, y, control, T, G)
        evaluate_at(T[LOSSES], end, start + 8 * z, p, m, start + 8 * other)
        for i in range(works):
            G[moved + nv + i] += G[other + nv + internal + i]
        for i in range(nv):
            G[moved + i] = -G[B + s] * h * y[nq + i]
            for r in range(stages):
                G[moved + i] += G[A + s * MOST_STAGES + r] * G[int(control[TURNS]) + r * nv + i]
            G[force + i] += G[other + i]
        if s > 0 and nq != nv:
            balance(h, control, T, G)
        for i in range(held):
            G[force + i] *= h * h
        weigh(force, moved, 1.0, int(control[MASS]), T, G)
        if T[INERTIA] > 0:
            carry(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, float(s))
        for i in range(held):
            F[b + T[T[POSITION] + s * n + i]] = -G[force + i]
        for i in range(internal):
            total = -h * G[other + nv + i]
            for r in range(stages):
                total += G[U + s * MOST_STAGES + r] * G[inner + r * internal + i]
            F[b + T[T[POSITION] + s * n + held + i]] = -h * total
    control[EVALUATIONS] += 2.0 * stages
    solve(T, F)
    return take(h, y, control, atol, rtol, T, F, G)


@inlined
def finest(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """What is kept, and its ledger, to the last digits: also the multipliers, which positions may not tell of."""
    before = 1e300
    for _ in range(MOST_ITERATIONS):
        correct(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x)
        if control[LEFT] > KEEP * before:
            control[THETA] = 1.0  # the next step gets new factors
        if control[LEFT] < FINE or control[LEFT] > 0.5 * before:
            break
        before = control[LEFT]
    return 0.0


@kernel(STEP)
def iterate(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """Newton's method for the steps, with the factors there are; x > 0: with new ones each time. 1: converged."""
    before, rate = 1e300, 1.0
    old = control[FRESH] == 0.0  # what old factors leave is not rounding
    for iteration in range(MOST_ITERATIONS):
        if x > 0.0 and iteration > 0 and linearise(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x) == 0.0:
            return 0.0
        size = correct(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x)
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
            control[THETA] = rate
            finest(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x)
            return 1.0
    return 0.0


@inlined
def solve_step(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    """The steps of all stages; where old factors do not do, new ones, and then new ones for every iteration."""
    T, G = integers_at(int(control[T_AT])), floats_at(int(control[G_AT]))
    solved, full = 0.0, 0.0
    while solved == 0.0:
        predict(h, y, k, control, T, G)
        regular = 1.0
        if control[STALE] > 0.0 or control[SHORT] != h or full > 0.0:
            regular = linearise(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x)
        if regular > 0.0:
            solved = iterate(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, full)
        if solved == 0.0:
            control[STALE] = 1.0
            if control[FRESH] > 0.0:
                if full > 0.0:
                    break
                full = 1.0
    return solved


@inlined
def finish(t: float, h: float, y: Any, new: Any, p: Any, m: Any, k: Any, control: Any, T: Any, G: Any) -> int:
    """The state at the end of a step that is solved, its accelerations and multipliers, and the integrals."""
    stages, nq, nv, rows = T[STAGES], T[NQ], T[NV], T[ROWS]
    turn, last = int(control[TURNS]), T[STAGES] - 1
    move(h, y, control, T, G)
    for i in range(y.shape[0]):
        new[i] = y[i]
    arrive(y, new, int(control[PLACE]), control, T, G)
    for i in range(nv):
        speed = 0.0
        for s in range(stages):
            speed += G[C + s] * G[turn + s * nv + i]
        new[nq + i] = speed / h + G[C_OLD] * y[nq + i]
    for i in range(rows):
        new[T[MULTIPLIERS] + i] = G[int(control[LAMBDA]) + last * rows + i]
    for i in range(T[INTERNAL]):
        for s in range(stages):
            new[nq + nv + i] += G[int(control[INNER]) + s * T[INTERNAL] + i]
    for i in range(int(control[CONTROLLED]), y.shape[0]):
        new[i] = y[i] + G[int(control[MOVED]) + nv + i - int(control[CONTROLLED])]
    control[HELD] = 0.0
    Q, E = integers_at(int(control[instant.T_AT])), floats_at(int(control[instant.F_AT]))
    if stages == 1 and rubs(control) > 0.0:
        settle(t + h, new, p, m, k, control, Q, E)
    if bare(t + h, new, p, m, control, Q, E, stages > 1) > 0.0:
        if stages > 1:
            onto(t + h, new, p, m, control, G)
            if rubs(control) > 0.0:
                instant.linearise(t + h, 0.0, new, p, m, control, Q, E)
            if T[DRIVE] >= 0:
                drive = int(control[CONTROLLED]) + T[DRIVE]
                new[drive] += h * drive_work(t, y, int(control[LAMBDA]), p, m, control, T, G)
                new[drive] += drive_work(t + h, new, int(control[STARTING]), p, m, control, T, G)
        instant.correct(t + h, new, p, m, k, control, Q, E)
    return 0


@inlined
def begin(t: float, y: Any, p: Any, m: Any, control: Any, T: Any, G: Any) -> int:
    """Two stages: the rows of the constraints at the start, with factors of the equations left unsolved there."""
    Q, E = integers_at(int(control[instant.T_AT])), floats_at(int(control[instant.F_AT]))
    if control[HELD] == 0.0 or rubs(control) > 0.0:
        bare(t, y, p, m, control, Q, E, True)
        control[HELD] = 1.0
    for e in range(T[ENTRIES_EACH]):
        G[int(control[TANGENT]) + e] = E[Q[VALUES] + e]
    return 0


@kernel(STEP)
def restart(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    T, F = integers_at(int(control[instant.T_AT])), floats_at(int(control[instant.F_AT]))
    # of velocities across constraints one stage keeps the energy
    back = 1.0 if integers_at(int(control[T_AT]))[STAGES] == 1 else 0.0
    parted = impacts(rhs, t, y, p, m, k, control, T, F, back)
    for i in range(T[instant.VELOCITIES]):
        k[MEAN, i] = 0.0
    control[HELD] = 1.0
    control[ORDER], control[LAST_ERROR] = ESTIMATED, LOG_SMALL
    control[STALE] = 1.0
    control[SHORT] = control[FRESH] = control[FAILED] = 0.0
    return parted


@kernel(STEP)
def attempt(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    error, control[ORDER] = alpha.UNSOLVED, alpha.HALVED
    control[FRESH] = 0.0
    T, F, G = integers_at(int(control[T_AT])), floats_at(int(control[F_AT])), floats_at(int(control[G_AT]))
    if T[STAGES] > 1:
        begin(t, y, p, m, control, T, G)
    left_off(t, h, y, p, m, control, T, G)
    if solve_step(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x) > 0.0:
        control[ORDER] = ESTIMATED
        finish(t, h, y, new, p, m, k, control, T, G)
        if T[INERTIA] > 0:
            weigh_end(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x)
        error = estimate(h, y, new, control, atol, rtol, T, F, G)
        evaluate_row(rhs, t + h, new, p, m, k, k.shape[0] - 1)
    if not error <= 1.0:
        control[FAILED] = 1.0
    return error


@kernel(STEP)
def commit(rhs, t, h, y, new, out, p, m, k, control, atol, rtol, x):
    grown = min(MOST, growth(control, x))
    if control[FAILED] > 0.0:
        grown = min(grown, 1.0)
    if 1.0 <= grown <= alpha.STEADY:
        grown = 1.0
    control[STALE] = 1.0 if control[THETA] > KEEP else 0.0
    for i in range(y.shape[0]):
        k[0, i] = k[k.shape[0] - 1, i]
    nq, nv = integers_at(int(control[T_AT]))[NQ], integers_at(int(control[T_AT]))[NV]
    for i in range(nv):
        k[MEAN, i] = (new[nq + i] - y[nq + i]) / h
    control[FAILED], control[HELD] = 0.0, 1.0
    return grown
