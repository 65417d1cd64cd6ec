"""Impulses of rigid contacts with Coulomb friction: a small complementarity problem.

    u = W s + aim           row speeds after the impulses s, in pairs (opening, slip) per contact
    s_N ≥ 0,  u_N ≥ 0,  s_N u_N = 0
    |s_T| ≤ μ s_N;  u_T = 0 where it sticks,  s_T = -μ s_N sign(u_T) where it slides

Projected Gauss-Seidel finds which contacts open, stick and slide; the linear equations of that choice are then solved
exactly, and the choice is kept if the solution obeys all laws. If not, the sweeps go on from there. Sweeps may go round
in circles, and with redundant contacts the equations are singular; then pivots find the impulses (methods.lemke).
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Matrix, Table
from gudgeon.methods.complementarity.cone import cone
from gudgeon.methods.complementarity.lemke import friction_of, lemke

LAST_SWEEPS = 20_000  # where nothing else has found impulses
SWEEPS, ROUNDS = 50, 6  # sweeps between two exact solutions, and how many of these are tried
SLACK = 1e-11  # of the largest number in play: what counts as zero
LOOSE = 1e-10  # the same for what the equations make zero: singular ones do not
OPEN, STICKS, SLIDES = 0, 1, 2  # states of a contact; the sign of the sliding is that of its impulse


@kernel
def row_speed(pairs: Floats, impulse: Floats, aim: Floats, rows: int, r: int) -> float:
    """Speed along row r after the impulses."""
    total = aim[r]
    for k in range(rows):
        total += pairs[r * rows + k] * impulse[k]
    return total


@kernel
def sweep(pairs: Floats, impulse: Floats, aim: Floats, place: Table, contacts: int) -> float:
    """One sweep over the active contacts; gives the largest change relative to the largest impulse."""
    rows, change, largest = 2 * contacts, 0.0, 1e-300
    for c in range(contacts):
        if place[c, 2] < 0:
            continue
        n, mu = 2 * c, friction_of(pairs, contacts, c)
        before = impulse[n]
        impulse[n] = max(0.0, before - row_speed(pairs, impulse, aim, rows, n) / pairs[n * rows + n])
        change = max(change, abs(impulse[n] - before))
        largest = max(largest, impulse[n])
        if mu > 0.0:
            t, bound = n + 1, mu * impulse[n]
            before = impulse[t]
            wish = before - row_speed(pairs, impulse, aim, rows, t) / pairs[t * rows + t]
            impulse[t] = min(bound, max(-bound, wish))
            change = max(change, abs(impulse[t] - before))
    return change / largest


@kernel
def gauss(a: Matrix, n: int) -> int:
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
def state_of(pairs: Floats, impulse: Floats, place: Table, contacts: int, c: int) -> int:
    """What the sweeps say about a contact."""
    mu = friction_of(pairs, contacts, c)
    if place[c, 2] < 0 or impulse[2 * c] <= 0.0:
        return OPEN
    bound = mu * impulse[2 * c]
    return STICKS if abs(impulse[2 * c + 1]) < bound * (1.0 - 1e-9) else SLIDES


@kernel
def obeys(pairs: Floats, impulse: Floats, aim: Floats, place: Table, dense: Matrix, contacts: int) -> int:
    """Whether the impulses in the last column of `dense` obey all laws; if so they are taken."""
    rows, largest, fastest = 2 * contacts, 0.0, 0.0
    for r in range(rows):
        largest, fastest = max(largest, abs(dense[r, rows])), max(fastest, abs(aim[r]))
    for c in range(contacts):
        if place[c, 2] < 0:
            continue
        normal, rub = dense[2 * c, rows], dense[2 * c + 1, rows]
        mu, state = friction_of(pairs, contacts, c), state_of(pairs, impulse, place, contacts, c)
        if normal < -SLACK * largest or abs(rub) > mu * normal + SLACK * largest:
            return 0
        opening, slip = aim[2 * c], aim[2 * c + 1]
        for k in range(rows):
            opening += pairs[2 * c * rows + k] * dense[k, rows]
            slip += pairs[(2 * c + 1) * rows + k] * dense[k, rows]
        if opening < -SLACK * fastest or (state == SLIDES and slip * rub > SLACK * largest * fastest):
            return 0
        if (state != OPEN and opening > LOOSE * fastest) or (state == STICKS and abs(slip) > LOOSE * fastest):
            return 0
    for r in range(rows):
        impulse[r] = dense[r, rows]
    for c in range(contacts):
        impulse[2 * c] = max(0.0, impulse[2 * c])
    return 1


@kernel
def exact(pairs: Floats, impulse: Floats, aim: Floats, place: Table, dense: Matrix, contacts: int) -> int:
    """The equations of the present states of all contacts, solved; 1 if the solution obeys the inequalities.

    Unknowns are all impulses; a row reads s = 0, u = 0 or s_T = ±μ s_N.
    """
    rows = 2 * contacts
    for r in range(rows):
        c, state = r // 2, state_of(pairs, impulse, place, contacts, r // 2)
        for k in range(rows + 1):
            dense[r, k] = 0.0
        if (r % 2 == 0 and state != OPEN) or (r % 2 == 1 and state == STICKS):
            scale = pairs[r * rows + r]
            for k in range(rows):
                dense[r, k] = pairs[r * rows + k] / scale
            dense[r, rows] = -aim[r] / scale
        else:
            dense[r, r] = 1.0
            if r % 2 == 1 and state == SLIDES:
                mu = friction_of(pairs, contacts, c)
                dense[r, r - 1] = -mu if impulse[r] > 0.0 else mu
    if gauss(dense, rows) == 0:
        return 0
    return obeys(pairs, impulse, aim, place, dense, contacts)


@kernel
def solve(pairs: Floats, impulse: Floats, aim: Floats, place: Table, dense: Matrix, contacts: int, each: int) -> int:
    """Impulses of the active contacts (place[c, 2] >= 0), `each` of every contact; 1 found, 0 as far as the sweeps
    came."""
    if each > 2:
        return cone(pairs, impulse, aim, place, contacts, each)
    for r in range(2 * contacts):
        impulse[r] = 0.0
    for _ in range(ROUNDS):
        change = 1.0
        for _ in range(SWEEPS):
            change = sweep(pairs, impulse, aim, place, contacts)
            if change < 1e-15:
                break
        if exact(pairs, impulse, aim, place, dense, contacts) == 1:
            return 1
        if change < 1e-15:
            break
    if lemke(pairs, impulse, aim, place, dense, contacts) == 1:
        return 1
    # a cycle of pivots, seen with more contacts than freedoms: there the sweeps get through, if slowly
    for _ in range(LAST_SWEEPS):
        if sweep(pairs, impulse, aim, place, contacts) < 1e-15:
            break
    return 0
