"""Alpha: the generalized-alpha method for constrained and flexible mechanisms.

An implicit method of order 2 on the equations in residual form. Its one parameter says what is left of oscillations
much faster than the step. Every step is solved by Newton's method with one sparse matrix, whose factors are kept while
corrections fall fast. The matrix belongs to the end of the step, since a stiff link turns by then, and the step changes
slowly, since stiff parts ring where it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel, evaluate, evaluate_row, kernel, record_at
from gudgeon.compile.native.record import Floats
from gudgeon.methods.contract import LOG_SMALL, Method, growth
from gudgeon.methods.implicit.coordinates import ROTATION, displace, rotate
from gudgeon.methods.implicit.instant import ResidualMemory, clear_right, correct, instant_of, interpolate, linearise
from gudgeon.methods.implicit.walls.impacts import restart_at_walls
from gudgeon.methods.linear.sparse import solve
from gudgeon.methods.march.memory import ORDINARY_STEP, March
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

ESTIMATED = 3.0  # the power of the step in the estimate
UNSOLVED = 1e10  # the "error" of a step whose equations could not be solved ...
HALVED = math.log(UNSOLVED) / math.log(1.8)  # ... and the power with which the time loop halves it
# error that iterations may leave, relative to the tolerance of velocities; depths are solved for far below their own
CLOSE, CLOSE_TO_EVENT = 0.01, 1e-4
KEEP = 0.1  # factors are kept while corrections fall by this
STEADY = 1.25  # a step that could grow by less keeps its length, and the factors with it
# Stiff parts ring when the step changes: the velocities of the method lie beside the true ones by a part of h^2 a', a
# part that was that of the old step. That takes some steps to die out, and steps that grow by 2 again and again make it
# larger (spectral radius 1.3 at rho 0.6; 1.05 for 1.5). Where the ringing passes through zero a step seems better than
# it is, so the largest error before counts, too, three quarters as much from step to step.
MOST, FORGET, MOST_ITERATIONS = 1.5, 0.75, 8
MOST_CORRECTIONS, ROUNDING = 4, 1e-14
NOT_YET, JUST_NOW, BEFORE_LAST = range(3)  # when in the iteration the end of the step was brought onto the constraints


class AlphaMemory(ResidualMemory):
    """Coefficients of the method, the step that is being solved for, and what is remembered of earlier ones."""

    m: float
    f: float
    gamma: float
    beta: float
    error_factor: float  # of h² times the change of the accelerations
    factors_step: float  # length of the step that the factors are for; 0: there are none
    stale: int  # 1: the factors are to be made anew
    fresh: int  # 1: they have been, in this attempt
    last_step: float  # its length; 0: there is none
    rate: float  # error after an iteration relative to its correction
    theta: float  # the same at the end of a step: with more than KEEP factors are made anew
    failed: int  # 1: a step from this time has been turned down
    largest_error: float  # of the last steps, relative to the tolerance
    # of velocities, then of internal states: the method's own acceleration (or rate) h0 at the start of the step; and
    # the parts that do not depend on the true acceleration a1 at the end: of h1, of the state at the end, of the step
    # of positions
    hat: Floats
    hat_known: Floats
    known: Floats
    known_step: Floats
    scale: Floats  # 1 by the tolerance of a velocity or an internal state, at the start of the step
    position_shift: Floats  # corrections that bring positions onto the constraints
    before: Floats  # accelerations and multipliers at the start of the last step


@kernel
def share(own: AlphaMemory) -> float:
    """Derivative of the method's own acceleration h1 at the end of a step with respect to the true one, a1."""
    return (1.0 - own.f) / (1.0 - own.m)


@kernel
def begin_step(w: March, own: AlphaMemory, h: float) -> int:
    """The parts of a step of length h that do not depend on the unknown acceleration at its end."""
    y, k, atol, rtol, instant, hat = w.y, w.k, w.atol, w.rtol, own.instant, own.hat
    known, hat_known, known_step, scale = own.known, own.hat_known, own.known_step, own.scale
    gamma, beta, of_rate, of_h = own.gamma, own.beta, own.f / (1.0 - own.m), -own.m / (1.0 - own.m)
    nq, nv, a = instant.positions, instant.velocities, instant.accelerations
    ratio = h / own.last_step if own.last_step > 0.0 else 1.0
    for j in range(nv + instant.internal):
        i = nq + j
        rate = y[a + j] if j < nv else k[0, i]
        h0 = rate + ratio * (hat[j] - rate)
        h1 = of_rate * rate + of_h * h0
        hat_known[j] = h1
        known[j] = y[i] + h * ((1.0 - gamma) * h0 + gamma * h1)
        scale[j] = 1.0 / (atol[i] + rtol * abs(y[i]))
        if j < nv:
            known_step[j] = h * (y[i] + h * ((0.5 - beta) * h0 + beta * h1))
            own.position_shift[j] = 0.0
    return 0


@kernel
def update_positions(w: March, own: AlphaMemory, h: float) -> int:
    """Positions at the end of the step from the accelerations there."""
    y, new, step, shift, table = w.y, w.new, own.known_step, own.position_shift, own.instant.coordinates
    a, more = own.instant.accelerations, h * h * own.beta * share(own)
    for body in range(table.body_position.shape[0]):
        i, j, added = table.body_position[body], table.body_velocity[body], table.body_added[body]
        for c in range(added):
            new[i + c] = y[i + c] + (step[j + c] + more * new[a + j + c]) + shift[j + c]
        if table.body_rotates[body] > 0:
            i, j = i + added, j + added
            k = a + j
            rotate(new, i, y, step[j] + more * new[k], step[j + 1] + more * new[k + 1], step[j + 2] + more * new[k + 2])
            rotate(new, i, new, shift[j], shift[j + 1], shift[j + 2])
    return 0


@kernel
def update(w: March, own: AlphaMemory, h: float) -> int:
    """Positions, velocities and internal states from their second and first rates."""
    new, known, instant = w.new, own.known, own.instant
    nq, nv, a = instant.positions, instant.velocities, instant.accelerations
    more = h * own.gamma * share(own)
    for j in range(nv):
        new[nq + j] = known[j] + more * new[a + j]
    for j in range(instant.internal):
        new[nq + nv + j] = known[nv + j] + more * instant.rates[j]
    return update_positions(w, own, h)


@kernel
def largest(values: Floats) -> float:
    """The largest magnitude."""
    found = 0.0
    for i in range(values.shape[0]):
        found = max(found, abs(values[i]))
    return found


@kernel
def position_tolerance(w: March) -> float:
    """Residuals of positions below this are rounding: ROUNDING times the size of the mechanism, which is 10 atol / rtol
    (march/scales.py)."""
    return ROUNDING * 10.0 * w.atol[0] / w.rtol


@kernel
def speed_tolerance(w: March, own: AlphaMemory) -> float:
    """The same for velocities: ROUNDING times the typical speed."""
    return ROUNDING * 10.0 * w.atol[own.instant.positions] / w.rtol


@kernel
def shift_onto_constraints(w: March, own: AlphaMemory, t: float, residuals: Floats, shift: Floats, tolerance: float,
               positions: bool) -> int:  # fmt: skip
    """Corrections, added to `shift`, that bring `new` onto the constraints at the level of positions or velocities."""
    instant, new, left = own.instant, w.new, MOST_CORRECTIONS
    nq, nv, rows = instant.positions, instant.velocities, instant.constraints
    right, position, change = instant.factors.right, instant.factors.position, instant.change
    while True:
        evaluate(instant.project_at, t, new, w.p, w.m, instant.projection)
        if left == 0 or largest(residuals) <= tolerance:
            return 0
        left -= 1
        clear_right(instant)
        for i in range(rows):
            right[position[nv + i]] = -residuals[i]
        solve(instant.factors)
        for i in range(nv):
            change[i] = right[position[i]]
            shift[i] += change[i]
        if positions:
            displace(instant.coordinates, new, change)
        else:
            for i in range(nv):
                new[nq + i] += change[i]


@kernel
def project_onto_constraints(w: March, own: AlphaMemory, t: float) -> int:
    """Bring positions and velocities onto the constraints."""
    instant = own.instant
    if instant.constraints > 0:
        shift_onto_constraints(w, own, t, instant.position_residuals, own.position_shift, position_tolerance(w), True)
        shift_onto_constraints(w, own, t, instant.velocity_residuals, own.known, speed_tolerance(w, own), False)
    return 0


@kernel
def is_on_constraints(w: March, own: AlphaMemory, t: float) -> bool:
    """Whether positions and velocities are on the constraints: those that are linear in them are met without help."""
    instant = own.instant
    if instant.constraints == 0:
        return True
    evaluate(instant.project_at, t, w.new, w.p, w.m, instant.projection)
    return (largest(instant.position_residuals) <= position_tolerance(w)
            and largest(instant.velocity_residuals) <= speed_tolerance(w, own))  # fmt: skip


@kernel
def predict(w: March, own: AlphaMemory, h: float) -> int:
    """The end of a step with accelerations and multipliers that go on as over the last one."""
    y, new, instant, past = w.y, w.new, own.instant, own.last_step
    nv, a = instant.velocities, instant.accelerations
    ahead = h / past if past > 0.0 and h < 2.5 * past else 0.0
    for i in range(y.shape[0]):
        new[i] = y[i]
    for i in range(nv + instant.constraints):
        new[a + i] = y[a + i] + ahead * (y[a + i] - own.before[i])
    for i in range(instant.internal):
        instant.rates[i] = w.k[0, instant.positions + nv + i]
    begin_step(w, own, h)
    return update(w, own, h)


@kernel
def linearise_step(w: March, own: AlphaMemory, h: float) -> bool:
    """Factors of the matrix of a step of length h, at `new`. False where it is singular."""
    own.factors_step, own.stale, own.fresh = h, 0, 1
    return linearise(w, own.instant, w.t + h, w.new, h * own.gamma * share(own), h * h * own.beta * share(own))


@kernel
def correction_size(w: March, own: AlphaMemory, h: float) -> float:
    """What a correction of accelerations, on the right-hand side, does to velocities, by their tolerances."""
    instant, scale = own.instant, own.scale
    right, position = instant.factors.right, instant.factors.position
    nv, internal, unknowns = instant.velocities, instant.internal, instant.velocities + instant.constraints
    size = 0.0
    for i in range(nv):
        size += (right[position[i]] * scale[i]) ** 2
    for i in range(internal):
        size += (right[position[unknowns + i]] * scale[nv + i]) ** 2
    return h * own.gamma * share(own) * math.sqrt(size / (nv + internal))


# Corrections fall by theta from one iteration to the next; rate = theta / (1 - theta) times the last correction is
# about the error left. In one iteration the end of the step is brought onto the constraints: that adds to the next
# correction, which so says nothing about theta.
@kernel
def iterate(w: March, own: AlphaMemory, h: float, factor_each: bool) -> bool:
    """Newton's method for the end of a step, with the factors there are; `factor_each`: with new ones each time, which
    is for what begins or ends within the step. True where it has converged."""
    t, tolerance = w.t, CLOSE if w.purpose == ORDINARY_STEP else CLOSE_TO_EVENT
    before, rate, projected = 1e300, own.rate**0.8, NOT_YET
    for iteration in range(MOST_ITERATIONS):
        if iteration > 0:
            update(w, own, h)
        if projected == NOT_YET and (iteration == 2 or rate * before <= 1.0):
            project_onto_constraints(w, own, t + h)
            projected = JUST_NOW
        if factor_each and iteration > 0 and not linearise_step(w, own, h):
            return False
        correct(w, own.instant, t + h, w.new)
        size = correction_size(w, own, h)
        if not size < 1e100:
            return False
        if iteration > 0 and projected != JUST_NOW:
            theta = size / before
            rate = theta / (1.0 - min(theta, 0.99))
            if not factor_each and (theta > 2.0 or (iteration > 2 and theta > 0.9)):
                return False
        before = max(size, 1e-300)
        # the first two corrections differ most along directions that converge at once: the others fall more slowly
        cautious = math.sqrt(rate) if iteration == 1 and projected == NOT_YET else rate
        if (projected != NOT_YET or iteration > 0) and max(cautious, 1e-3) * size <= tolerance:
            update(w, own, h)
            if projected != NOT_YET or is_on_constraints(w, own, t + h):
                own.rate, own.theta = max(rate, 1e-4), rate
                return True
        if projected == JUST_NOW:
            projected = BEFORE_LAST
    return False


@kernel
def solve_step(w: March, own: AlphaMemory, h: float) -> bool:
    """The end of a step; factors from an earlier one are made anew, then in every iteration, before this gives up."""
    solved, factor_each = False, False
    while not solved:
        # the matrix is that of the predicted end: a stiff link turns during the step, and its stiffness with it
        predict(w, own, h)
        regular = True
        if own.stale > 0 or own.factors_step != h or factor_each:
            regular = linearise_step(w, own, h)
            own.rate = 1.0  # how fast corrections fell with other factors says nothing about these
        if regular:
            solved = iterate(w, own, h, factor_each)
        if not solved:
            if factor_each:
                break
            factor_each, own.stale = own.fresh > 0, 1
    if factor_each:
        own.theta = 1.0  # the next step gets new factors
    return solved


@kernel
def restart(w: March) -> float:
    """Accelerations and multipliers of this instant, for which the equations are linear."""
    own = record_at(w.method_at, AlphaMemory)
    instant = own.instant
    nv = instant.velocities
    parted = restart_at_walls(w, instant, False)
    for i in range(nv):
        own.hat[i] = w.y[instant.accelerations + i]
    for i in range(instant.internal):
        own.hat[nv + i] = w.k[0, instant.positions + nv + i]
    w.order, w.log_error = ESTIMATED, LOG_SMALL
    own.stale, own.fresh, own.failed = 1, 0, 0
    own.rate, own.factors_step, own.last_step, own.largest_error = 1.0, 0.0, 0.0, 0.0
    return parted


@kernel
def estimate(w: March, own: AlphaMemory, h: float) -> float:
    """The error relative to the tolerance, by the change of the accelerations."""
    y, new, atol, rtol = w.y, w.new, w.atol, w.rtol
    nv, a, place, kind = (own.instant.velocities, own.instant.accelerations, own.instant.coordinates.place,
                          own.instant.coordinates.kind)  # fmt: skip
    total = 0.0
    for i in range(nv):
        defect = own.error_factor * h * h * (new[a + i] - y[a + i])
        size = 1.0 if kind[i] == ROTATION else abs(new[place[i]])
        total += (defect / (atol[place[i]] + rtol * size)) ** 2
    return math.sqrt(total / nv)


@kernel
def attempt(w: March, h: float) -> float:
    own = record_at(w.method_at, AlphaMemory)
    y, new, k, last = w.y, w.new, w.k, w.k.shape[0] - 1
    error, w.order = UNSOLVED, HALVED
    own.fresh = 0
    if solve_step(w, own, h):
        error, w.order = estimate(w, own, h), ESTIMATED
        evaluate_row(w.rhs_at, w.t + h, new, w.p, w.m, k, last)
        for i in range(w.controlled, y.shape[0]):
            new[i] = y[i] + 0.5 * h * (k[0, i] + k[last, i])
    if not error <= 1.0:
        own.failed = 1
    return error


@kernel
def commit(w: March, h: float, x: float) -> float:
    own = record_at(w.method_at, AlphaMemory)
    k, last, instant = w.k, w.k.shape[0] - 1, own.instant
    worst = max(x, FORGET * own.largest_error)
    grown = min(MOST, growth(w, worst))
    if own.failed > 0:
        grown = min(grown, 1.0)
    if 1.0 <= grown <= STEADY:
        grown = 1.0
    own.largest_error = worst * grown * grown * grown  # to the power ESTIMATED
    own.stale = 1 if own.theta > KEEP else 0
    for i in range(w.y.shape[0]):
        k[0, i] = k[last, i]
    nv, a = instant.velocities, instant.accelerations
    for i in range(nv):
        own.hat[i] = own.hat_known[i] + share(own) * w.new[a + i]
    for i in range(instant.internal):
        own.hat[nv + i] = own.hat_known[nv + i] + share(own) * instant.rates[i]
    for i in range(nv + instant.constraints):
        own.before[i] = w.y[a + i]
    own.last_step, own.failed = h, 0
    return grown


@dataclass(frozen=True)
class Alpha(Method):
    """Generalized-alpha of order 2 with error control: for flexible links, damps vibrations that are too fast to
    resolve.

    rho: what a step leaves of oscillations far faster than it, 0 to 1
    hard: walls and stops are one-sided constraints with multipliers; impacts have the restitution the walls ask for and
        Coulomb's friction, lasting contacts that of their law
    """

    title = "generalized-alpha"
    reference = "Chung and Hulbert 1993; Arnold and Bruls 2007; Bruls, Cardona and Arnold 2012"
    works = ("chung1993", "arnold2007", "bruls2012")
    order = 2
    rows = 2
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

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit

    def connect(self, system: Any, w: March) -> AlphaMemory:
        instant = instant_of(system, self.title)
        m, f = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + f - m
        beta = 0.25 * (gamma + 0.5) ** 2
        hat, hat_known, known, scale = (np.zeros(instant.velocities + instant.internal) for _ in range(4))
        known_step, shift = (np.zeros(instant.velocities) for _ in range(2))
        own = AlphaMemory(
            instant=instant, m=m, f=f, gamma=gamma, beta=beta, error_factor=abs(1.0 / 6.0 - beta - 0.5 * (m - f)),
            hat=hat, hat_known=hat_known, known=known, known_step=known_step, scale=scale, position_shift=shift,
            before=np.zeros(instant.velocities + instant.constraints),
        )  # fmt: skip
        w.method_at, w.hard = own.address, int(instant.walls.contacts > 0)
        return own
