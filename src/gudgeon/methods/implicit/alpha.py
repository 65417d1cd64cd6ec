"""Alpha: the generalized-alpha method for constrained and flexible mechanisms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import evaluate_into, evaluate_row, floats_at, integers_at, kernel
from gudgeon.methods.contract import LOG_SMALL, Method, growth
from gudgeon.methods.impact.wall_blows import wall_table
from gudgeon.methods.impact.wall_impacts import impacts
from gudgeon.methods.implicit.instant import (
    ACCELERATIONS,
    BETA,
    BLOWS,
    ESTIMATE,
    F_,
    F_AT,
    FAILED,
    FRESH,
    GAMMA,
    INTERNAL,
    LARGEST,
    LENGTH,
    PAST,
    POSITIONS,
    PROJECT,
    RATE,
    RATES,
    ROWS,
    STALE,
    T_AT,
    THETA,
    VELOCITIES,
    M,
    correct,
    linearise,
)
from gudgeon.methods.implicit.rotation import PLACE, SPEED, spread, turn, unit
from gudgeon.methods.linear.sparse import POSITION, REST, RIGHT, solve, table
from gudgeon.methods.march.memory import March
from gudgeon.quantity import GudgeonError

# With a the true accelerations and h those of the method, its "algorithmic" ones, one step is (Chung, Hulbert 1993 in
# the form of Arnold, Bruls 2007)
#   q1 = q0 + dt v0 + dt^2 ((1/2 - beta) h0 + beta h1),   v1 = v0 + dt ((1 - gamma) h0 + gamma h1)
#   (1 - m) h1 + m h0 = (1 - f) a1 + f a0
#   m = (2 rho - 1)/(rho + 1),  f = rho/(rho + 1),  gamma = 1/2 + f - m,  beta = (gamma + 1/2)^2 / 4
# with the equations of motion satisfied by q1, v1, a1 and the multipliers. rho is what is left of infinitely fast
# oscillations after a step. h stands for the accelerations at t + (m - f) dt: where the step changes, so does that
# distance, and h0 is moved accordingly.
#   The constraints are solved for in the form J a = gamma, together with the balance of forces; so multipliers have the
# accuracy of accelerations and do not feel changes of the step. Positions and velocities are brought back onto them
# within the step, by corrections d that solve  S d - Jt mu = 0,  J d = -residual  with the matrix of the step: S holds
# the stiffness, so that stiff links are moved, not strained. Accelerations are then solved for again.
#   First-order states have the same rule with gamma alone.
#   In space a body has Euler parameters p, and its angular velocity w along its own axes takes the place of v: the turn
# of a step, the same combination of w0, h0 and h1, is a rotation vector, and p1 = p0 exp(turn) as a product of
# quaternions (Bruls, Cardona, Arnold 2012). What corrections turn comes behind it, p0 exp(turn) exp(correction).

# rows of `work` between the slopes: h at the start and end, corrections of positions and velocities, that of `instant`,
# accelerations and multipliers before the last step
HAT, HAT_NEW, SHIFT, BEFORE = 1, 2, 3, 5

ESTIMATED = 3.0  # the power of the step in the estimate
UNSOLVED = 1e10  # the "error" of a step whose equations could not be solved ...
HALVED = math.log(UNSOLVED) / math.log(1.8)  # ... and the power with which the time loop halves it
CLOSE = 0.01  # error that iterations may leave, relative to the tolerance of velocities
KEEP = 0.1  # factors are kept while corrections fall by this
STEADY = 1.25  # a step that could grow by less keeps its length, and the factors with it
# Stiff parts ring when the step changes: the velocities of the method lie beside the true ones by a part of h^2 a', a
# part that was that of the old step. That takes some steps to die out, and steps that grow by 2 again and again make it
# larger (spectral radius 1.3 at rho 0.6; 1.05 for 1.5). Where the ringing passes through zero a step seems better than
# it is, so the largest error before counts, too, three quarters as much from step to step.
MOST, FORGET, MOST_ITERATIONS = 1.5, 0.75, 8
MOST_CORRECTIONS, ROUNDING = 4, 1e-14


@kernel
def update(h: float, y: Any, new: Any, k: Any, w: March, T: Any) -> int:
    """Positions, velocities and internal states from their second and first rates."""
    m, f, gamma, beta = w.control[M], w.control[F_], w.control[GAMMA], w.control[BETA]
    nq, nv, a = T[POSITIONS], T[VELOCITIES], T[ACCELERATIONS]
    ratio = h / w.control[PAST] if w.control[PAST] > 0.0 else 1.0
    for j in range(nv):
        a0 = y[a + j]
        h0 = a0 + ratio * (k[HAT, j] - a0)
        h1 = ((1.0 - f) * new[a + j] + f * a0 - m * h0) / (1.0 - m)
        k[HAT_NEW, j] = h1
        new[j] = y[j] + h * (y[nq + j] + h * ((0.5 - beta) * h0 + beta * h1)) + k[SHIFT, j]
        new[nq + j] = y[nq + j] + h * ((1.0 - gamma) * h0 + gamma * h1) + k[SHIFT, nv + j]
    if nq != nv:
        spread(h, y, new, k, w.control[BETA], w.control[PAST], nv, T[ACCELERATIONS], HAT, HAT_NEW, SHIFT)
    for j in range(T[INTERNAL]):
        i = nq + nv + j
        h0 = k[0, i] + ratio * (k[HAT, nv + j] - k[0, i])
        h1 = ((1.0 - f) * k[RATES, j] + f * k[0, i] - m * h0) / (1.0 - m)
        k[HAT_NEW, nv + j] = h1
        new[i] = y[i] + h * ((1.0 - gamma) * h0 + gamma * h1)
    return 0


@kernel
def hold(t: float, new: Any, p: Any, m: Any, k: Any, w: March, atol: Any, rtol: float, T: Any, F: Any) -> int:
    """Corrections that bring positions and velocities onto the constraints, into SHIFT."""
    nq, nv, rows, b, r = T[POSITIONS], T[VELOCITIES], T[ROWS], T[RIGHT], T[REST]
    level, left = 0, MOST_CORRECTIONS
    while level < 2 and rows > 0:
        evaluate_into(T[PROJECT], t, new, p, m, int(w.control[F_AT]) + 8 * r)
        off = 0.0
        for i in range(rows):
            off = max(off, abs(F[r + nq + nv + level * rows + i]))
        # an absolute tolerance is a tenth of the relative one at the size of the mechanism, or at its speed
        if left == 0 or off <= ROUNDING * 10.0 * atol[nq * level] / rtol:
            level, left = level + 1, MOST_CORRECTIONS
            continue
        left -= 1
        for i in range(nv):
            F[b + T[T[POSITION] + i]] = 0.0
        for i in range(rows):
            F[b + T[T[POSITION] + nv + i]] = -F[r + nq + nv + level * rows + i]
        for i in range(T[INTERNAL]):
            F[b + T[T[POSITION] + nv + rows + i]] = 0.0
        solve(T, F)
        for i in range(nv):
            change = F[b + T[T[POSITION] + i]]
            k[SHIFT, level * nv + i] += change
            if level > 0 or nq == nv:
                new[(nq if level > 0 else 0) + i] += change
            elif i % SPEED < 3:
                new[i + i // SPEED] += change
        if level == 0 and nq != nv:
            for body in range(nv // SPEED):
                at = T[POSITION] + SPEED * body + 3
                turn(new, PLACE * body + 3, new, F[b + T[at]], F[b + T[at + 1]], F[b + T[at + 2]])
    return 0


@kernel
def predict(h: float, y: Any, new: Any, k: Any, w: March, T: Any) -> int:
    """The end of a step with accelerations and multipliers that go on as over the last one."""
    a, past = T[ACCELERATIONS], w.control[PAST]
    ahead = h / past if past > 0.0 and h < 2.5 * past else 0.0
    for i in range(y.shape[0]):
        new[i] = y[i]
    for i in range(T[VELOCITIES] + T[ROWS]):
        new[a + i] = y[a + i] + ahead * (y[a + i] - k[BEFORE, i])
    for i in range(T[INTERNAL]):
        k[RATES, i] = k[0, T[POSITIONS] + T[VELOCITIES] + i]
    for i in range(2 * T[VELOCITIES]):
        k[SHIFT, i] = 0.0
    return update(h, y, new, k, w, T)


@kernel
def iterate(w: March, h: float, x: float) -> float:
    """Newton's method for the end of a step, with the factors there are; x > 0: with new ones each time, as what begins
    or ends within the step asks for. Gives 1 where it has converged."""
    t, y, new, p, m, k, atol, rtol = w.t, w.y, w.new, w.p, w.m, w.k, w.atol, w.rtol
    T, F = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT]))
    nq, nv, b = T[POSITIONS], T[VELOCITIES], T[RIGHT]
    share, unknowns = h * w.control[GAMMA] * (1.0 - w.control[F_]) / (1.0 - w.control[M]), nv + T[ROWS]
    before, rate, held = 1e300, w.control[RATE] ** 0.8, 0
    for iteration in range(MOST_ITERATIONS):
        update(h, y, new, k, w, T)
        if held == 0 and (iteration == 2 or rate * before <= 1.0):
            hold(t + h, new, p, m, k, w, atol, rtol, T, F)
            held = 1
        if x > 0.0 and iteration > 0 and linearise(t + h, h, new, p, m, w, T, F) == 0.0:
            return 0.0
        correct(t + h, new, p, m, k, w, T, F)
        size = 0.0
        for i in range(nv):
            size += (share * F[b + T[T[POSITION] + i]] / (atol[nq + i] + rtol * abs(new[nq + i]))) ** 2
        for i in range(T[INTERNAL]):
            n = nq + nv + i
            size += (share * F[b + T[T[POSITION] + unknowns + i]] / (atol[n] + rtol * abs(new[n]))) ** 2
        size = math.sqrt(size / (nv + T[INTERNAL]))
        if not size < 1e100:
            return 0.0
        if iteration > 0 and held != 1:
            theta = size / before
            rate = theta / (1.0 - min(theta, 0.99))
            if x == 0.0 and (theta > 2.0 or (iteration > 2 and theta > 0.9)):
                return 0.0
        before = max(size, 1e-300)
        if held > 0 and max(rate, 1e-3) * size <= CLOSE:
            update(h, y, new, k, w, T)
            w.control[RATE], w.control[THETA] = max(rate, 1e-4), rate
            return 1.0
        if held == 1:
            held = 2
    return 0.0


@kernel
def solve_step(w: March, h: float, x: float) -> float:
    """The end of a step; factors from an earlier one are made anew, then in every iteration, before this gives up."""
    t, y, new, p, m, k = w.t, w.y, w.new, w.p, w.m, w.k
    T, F = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT]))
    solved, anew = 0.0, 0.0
    while solved == 0.0:
        # the matrix belongs where the step ends: a stiff link turns by then, and seen from before it is stiff across
        predict(h, y, new, k, w, T)
        regular = 1.0
        if w.control[STALE] > 0.0 or w.control[LENGTH] != h or anew > 0.0:
            regular = linearise(t + h, h, new, p, m, w, T, F)
            w.control[RATE] = 1.0  # how fast other factors closed in says nothing of these
        if regular > 0.0:
            solved = iterate(w, h, anew)
        if solved == 0.0:
            if anew > 0.0:
                break
            anew, w.control[STALE] = w.control[FRESH], 1.0
    if anew > 0.0:
        w.control[THETA] = 1.0  # the next step gets new factors
    return solved


@kernel
def restart(w: March) -> float:
    """Accelerations and multipliers of this instant, for which the equations are linear."""
    rhs, t, y, p, m, k = w.rhs_at, w.t, w.y, w.p, w.m, w.k
    T, F = integers_at(int(w.control[T_AT])), floats_at(int(w.control[F_AT]))
    nv, a = T[VELOCITIES], T[ACCELERATIONS]
    parted = impacts(rhs, t, y, p, m, k, w, T, F, 0.0)
    for i in range(nv):
        k[HAT, i] = y[a + i]
    for i in range(T[INTERNAL]):
        k[HAT, nv + i] = k[0, T[POSITIONS] + nv + i]
    w.order, w.log_error = ESTIMATED, LOG_SMALL
    w.control[STALE] = w.control[RATE] = 1.0
    w.control[LENGTH] = w.control[PAST] = w.control[FRESH] = w.control[FAILED] = w.control[LARGEST] = 0.0
    return parted


@kernel
def attempt(w: March, h: float) -> float:
    rhs, t, y, new, p, m, k, atol, rtol = w.rhs_at, w.t, w.y, w.new, w.p, w.m, w.k, w.atol, w.rtol
    error, w.order = UNSOLVED, HALVED
    w.control[FRESH] = 0.0
    if solve_step(w, h, 0.0) > 0.0:
        T = integers_at(int(w.control[T_AT]))
        nv, a, last, total = T[VELOCITIES], T[ACCELERATIONS], k.shape[0] - 1, 0.0
        w.order = ESTIMATED
        for i in range(nv):
            defect = w.control[ESTIMATE] * h * h * (new[a + i] - y[a + i])
            if T[POSITIONS] == nv:
                total += (defect / (atol[i] + rtol * abs(new[i]))) ** 2
            elif i % SPEED < 3:
                place = i + i // SPEED
                total += (defect / (atol[place] + rtol * abs(new[place]))) ** 2
            else:
                total += (defect / (atol[i + i // SPEED] + rtol)) ** 2
        error = math.sqrt(total / nv)
        evaluate_row(rhs, t + h, new, p, m, k, last)
        for i in range(w.controlled, y.shape[0]):
            new[i] = y[i] + 0.5 * h * (k[0, i] + k[last, i])
    if not error <= 1.0:
        w.control[FAILED] = 1.0
    return error


@kernel
def interpolate(w: March, h: float, x: float) -> float:
    """Hermite's cubic through both ends; accelerations and multipliers are linear between them."""
    y, new, out, k = w.y, w.new, w.out, w.k
    T, last = integers_at(int(w.control[T_AT])), k.shape[0] - 1
    a, c = T[ACCELERATIONS], w.controlled
    for i in range(y.shape[0]):
        jump = new[i] - y[i]
        if a <= i < c:
            out[i] = y[i] + x * jump
        else:
            bend = (1.0 - 2.0 * x) * (-jump) + (1.0 - x) * h * k[0, i] - x * h * k[last, i]
            out[i] = y[i] + x * (jump + (1.0 - x) * bend)
    if T[POSITIONS] != T[VELOCITIES]:
        unit(out, T[VELOCITIES])
    return 0.0


@kernel
def commit(w: March, h: float, x: float) -> float:
    y, k = w.y, w.k
    T, last = integers_at(int(w.control[T_AT])), k.shape[0] - 1
    largest = max(x, FORGET * w.control[LARGEST])
    grown = min(MOST, growth(w, largest))
    if w.control[FAILED] > 0.0:
        grown = min(grown, 1.0)
    if 1.0 <= grown <= STEADY:
        grown = 1.0
    w.control[LARGEST] = largest * grown**ESTIMATED
    w.control[STALE] = 1.0 if w.control[THETA] > KEEP else 0.0
    for i in range(y.shape[0]):
        k[0, i] = k[last, i]
    for i in range(T[VELOCITIES] + T[INTERNAL]):
        k[HAT, i] = k[HAT_NEW, i]
    for i in range(T[VELOCITIES] + T[ROWS]):
        k[BEFORE, i] = y[T[ACCELERATIONS] + i]
    w.control[PAST], w.control[FAILED] = h, 0.0
    return grown


@dataclass(frozen=True)
class Alpha(Method):
    """Generalized-alpha of order 2 with error control: for flexible links, and where fast vibrations should die out.

    rho: what a step leaves of oscillations far faster than it, 0 to 1
    hard: walls and stops are one-sided constraints with multipliers; impacts have the restitution the walls ask for and
        Coulomb's friction, lasting contacts that of their law
    """

    title = "generalized-alpha"
    reference = "Chung and Hulbert 1993; Arnold and Bruls 2007; Bruls, Cardona and Arnold 2012"
    works = ("chung1993", "arnold2007", "bruls2012")
    order = 2
    rows = BEFORE + 2
    noise, after = 1e-4, 0.1

    rtol: float = 1e-8
    rho: float = 0.6
    hard: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 <= self.rho <= 1.0:
            raise GudgeonError(f"Alpha: rho {self.rho!r} must lie between 0 (fast vibrations end at once) and 1")

    def needs(self) -> Needs:
        return Needs(form="residual", contact="multiplier" if self.hard else "force law")

    def functions(self) -> tuple[Any, Any, Any, Any]:
        return restart, attempt, interpolate, commit

    def connect(self, system: Any, w: March) -> Any:
        if system.residual is None:
            raise GudgeonError(f"{self.title} needs the residual form; assemble(..., method.needs())")
        layout, place = system.residual.layout, system.addresses
        own = [layout.positions, layout.velocities, layout.rows, layout.internal, layout.accelerations,
               layout.multipliers, layout.factors, place["residual"], place["project"], layout.walls]  # fmt: skip
        rest = max(layout.size, layout.positions + layout.velocities + 2 * layout.rows)
        integers, floats = table(system.residual.plan, own, rest)
        m, f = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + f - m
        beta = 0.25 * (gamma + 0.5) ** 2
        estimate = abs(1.0 / 6.0 - beta - 0.5 * (m - f))
        w.control[T_AT : ESTIMATE + 1] = [integers.ctypes.data, floats.ctypes.data, place["tangent"], m, f, gamma, beta,
                                        estimate]  # fmt: skip
        walls = wall_table(system)
        w.control[BLOWS], w.hard = walls[0].ctypes.data, int(layout.walls > 0)
        return [integers, floats, *walls]
