"""Coulomb's law with a slip of one component: sweeps that guess the states of the contacts, then exact equations.

Projected Gauss-Seidel sweeps find which contacts open, stick and slide. The linear equations of that choice are then
solved exactly, and the result is taken if it obeys all laws; if not, the sweeps go on from there. Sweeps may go round
in circles, and with redundant contacts the equations are singular; then Lemke's pivots find the impulses (`lemke`).
Row 2 c is the opening of contact c, row 2 c + 1 its slip.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Matrix
from gudgeon.methods.complementarity.lemke import solve_by_pivots
from gudgeon.methods.complementarity.problem import ImpulseProblem, row_speed

LAST_SWEEPS = 20_000  # where nothing else gave impulses
SWEEPS, ROUNDS = 50, 6  # sweeps between two exact solutions, and how many of these are tried
SLACK = 1e-11  # of the largest number in play: what counts as zero
LOOSE = 1e-10  # the same for what the equations make zero: singular ones do not
OPEN, STICKS, SLIDES = 0, 1, 2  # states of a contact; the sign of the sliding is that of its impulse


@kernel
def sweep(problem: ImpulseProblem) -> float:
    """One sweep over the active contacts; gives the largest change relative to the largest impulse."""
    delassus, impulse, target = problem.delassus, problem.impulse, problem.target
    change, largest = 0.0, 1e-300
    for c in range(problem.contacts):
        if problem.role[c] < 0:
            continue
        n, mu = 2 * c, problem.friction[c]
        before = impulse[n]
        impulse[n] = max(0.0, before - row_speed(problem, target, n) / delassus[n, n])
        change = max(change, abs(impulse[n] - before))
        largest = max(largest, impulse[n])
        if mu > 0.0:
            t, bound = n + 1, mu * impulse[n]
            before = impulse[t]
            wish = before - row_speed(problem, target, t) / delassus[t, t]
            impulse[t] = min(bound, max(-bound, wish))
            change = max(change, abs(impulse[t] - before))
    return change / largest


@kernel
def eliminate(a: Matrix, n: int) -> int:
    """Solve the n equations of a (right sides in column n) in place with partial pivoting; 0 if singular."""
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        if abs(a[best, k]) < 1e-300:
            return 0
        for j in range(k, n + 1):
            a[k, j], a[best, j] = a[best, j], a[k, j]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            for j in range(k, n + 1):
                a[i, j] -= factor * a[k, j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            a[k, n] -= a[k, j] * a[j, n]
        a[k, n] /= a[k, k]
    return 1


@kernel
def state_of(problem: ImpulseProblem, c: int) -> int:
    """OPEN, STICKS or SLIDES, by the impulses of a contact."""
    normal = problem.impulse[2 * c]
    if problem.role[c] < 0 or normal <= 0.0:
        return OPEN
    bound = problem.friction[c] * normal
    return STICKS if abs(problem.impulse[2 * c + 1]) < bound * (1.0 - 1e-9) else SLIDES


@kernel
def take_if_lawful(problem: ImpulseProblem) -> int:
    """Whether the impulses in the last column of the equations obey all laws; if so they are taken."""
    delassus, target, solution = problem.delassus, problem.target, problem.tableau
    rows, largest, fastest = problem.impulse.shape[0], 0.0, 0.0
    for r in range(rows):
        largest, fastest = max(largest, abs(solution[r, rows])), max(fastest, abs(target[r]))
    for c in range(problem.contacts):
        if problem.role[c] < 0:
            continue
        normal, tangential = solution[2 * c, rows], solution[2 * c + 1, rows]
        mu, state = problem.friction[c], state_of(problem, c)
        if normal < -SLACK * largest or abs(tangential) > mu * normal + SLACK * largest:
            return 0
        opening, slip = target[2 * c], target[2 * c + 1]
        for k in range(rows):
            opening += delassus[2 * c, k] * solution[k, rows]
            slip += delassus[2 * c + 1, k] * solution[k, rows]
        if opening < -SLACK * fastest or (state == SLIDES and slip * tangential > SLACK * largest * fastest):
            return 0
        if (state != OPEN and opening > LOOSE * fastest) or (state == STICKS and abs(slip) > LOOSE * fastest):
            return 0
    for c in range(problem.contacts):
        acts = state_of(problem, c) != OPEN  # what is open has no impulse, of which elimination leaves rounding
        problem.impulse[2 * c] = max(0.0, solution[2 * c, rows]) if acts else 0.0
        problem.impulse[2 * c + 1] = solution[2 * c + 1, rows] if acts else 0.0
    return 1


@kernel
def solve_states(problem: ImpulseProblem) -> int:
    """The equations of the present states of all contacts, solved; 1 if the solution obeys the inequalities.

    Unknowns are all impulses; a row reads s = 0, u = 0 or s_T = ±μ s_N.
    """
    delassus, equations, rows = problem.delassus, problem.tableau, problem.impulse.shape[0]
    for r in range(rows):
        c, state = r // 2, state_of(problem, r // 2)
        for k in range(rows + 1):
            equations[r, k] = 0.0
        if (r % 2 == 0 and state != OPEN) or (r % 2 == 1 and state == STICKS):
            scale = delassus[r, r]
            for k in range(rows):
                equations[r, k] = delassus[r, k] / scale
            equations[r, rows] = -problem.target[r] / scale
        else:
            equations[r, r] = 1.0
            if r % 2 == 1 and state == SLIDES:
                mu = problem.friction[c]
                equations[r, r - 1] = -mu if problem.impulse[r] > 0.0 else mu
    if eliminate(equations, rows) == 0:
        return 0
    return take_if_lawful(problem)


@kernel
def solve_scalar_slip(problem: ImpulseProblem) -> int:
    """Impulses by sweeps, exact equations and pivots; 1 if they obey all laws, 0: as far as the sweeps came."""
    for r in range(problem.impulse.shape[0]):
        problem.impulse[r] = 0.0
    for _ in range(ROUNDS):
        change = 1.0
        for _ in range(SWEEPS):
            change = sweep(problem)
            if change < 1e-15:
                break
        if solve_states(problem) == 1:
            return 1
        if change < 1e-15:
            break
    if solve_by_pivots(problem) == 1:
        return 1
    # a cycle of pivots, seen with more contacts than freedoms: there the sweeps get through, if slowly
    for _ in range(LAST_SWEEPS):
        if sweep(problem) < 1e-15:
            break
    return 0
