"""The linear systems of Radau: the Jacobian, and (s - J) x = r with a real and a complex s."""

from __future__ import annotations

from gudgeon.compile.native.kernel import evaluate_row, kernel
from gudgeon.compile.native.record import Matrix
from gudgeon.methods.linear.dense import factor, factor_complex, solve, solve_complex
from gudgeon.methods.march.memory import March

# eigenvalues of the inverse of the matrix of Radau IIA, GAMMA and ALPHA + i BETA; s is one of them divided by h
GAMMA, ALPHA, BETA = 3.63783425274449573, 2.68108287362775213, 3.05043019924741057

# rows of `work`: the slope at the start, slopes of the stages, z, w, the z of the last step, weights of the norm,
# right-hand sides and solutions, those of the reduced systems, exchanged rows of the factors; then J, the factors, and
# last the slope at `new`
F, Z, W, PAST, WEIGHT, R, B, SWAPS, J = 1, 4, 7, 10, 13, 14, 17, 19, 21

ENDLESS = 1e30  # of the Jacobian: no entry of a mechanism in SI units comes near

# places in `control`
LENGTH = 0  # of the step the factors are for; 0: none
STALE = 1  # the Jacobian is to be evaluated before it is used
FRESH = 2  # it has been, at this t
PAIRS = 3  # so many of the first states have the next ones as their slope
METHOD = 4  # the first place left to the method


@kernel
def linearise(w: March, h: float, x: float) -> float:
    """The Jacobian at (t, y), and how many states come in pairs.

    Where a law has no derivative, as at the centre of a pin where directions end, the entry counts as zero: the
    iteration is slower there, or the step shorter. One far too large would be worse: all corrections would vanish.
    """
    t, y, p, m, k = w.t, w.y, w.p, w.m, w.k
    n = w.controlled
    evaluate_row(w.jacobian_at, t, y, p, m, k, J)
    for i in range(n):
        for j in range(n):
            if not abs(k[J + i, j]) < ENDLESS:
                k[J + i, j] = 0.0
    w.jacobians += 1
    w.control[STALE], w.control[FRESH], w.control[LENGTH] = 0.0, 1.0, 0.0
    pairs = 0
    while pairs < n and k[J, pairs] == 0.0:
        pairs += 1
    if 2 * pairs > n:
        pairs = 0
    for i in range(pairs):
        for j in range(n):
            if k[J + i, j] != (1.0 if j == pairs + i else 0.0):
                pairs = 0
                break
    w.control[PAIRS] = pairs
    return 0.0


# Coordinates q have the velocities v as their slope, so half of a system (s - J) x = r is solved by hand: from its
# first rows x_v = s x_q - r_q, and with it the other rows, of the velocities and what is left (o), become
#   (s² - s J_v - J_q) x_q + (s - J_o) x_o = r - J_v r_q + s r_q        s² and s r_q in rows v, s in rows o
@kernel
def reduced(k: Matrix, n: int, pairs: int, s: float, imaginary: float, top: int) -> float:
    """The matrix of the reduced system into the rows from `top` on, its imaginary part, if any, behind it."""
    size = n - pairs
    for i in range(size):
        row, below = J + pairs + i, top + size + i
        for j in range(pairs):
            k[top + i, j] = -k[row, j] - s * k[row, pairs + j]
        for j in range(pairs, size):
            k[top + i, j] = -k[row, pairs + j]
        k[top + i, i] += s * s - imaginary * imaginary if i < pairs else s
        if imaginary != 0.0:
            for j in range(pairs):
                k[below, j] = -imaginary * k[row, pairs + j]
            for j in range(pairs, size):
                k[below, j] = 0.0
            k[below, i] += 2.0 * s * imaginary if i < pairs else imaginary
    return 0.0


@kernel
def factorise(k: Matrix, w: March, h: float) -> float:
    """Factors of both systems for a step of length h. Gives 0 where one is singular."""
    n, pairs = w.controlled, int(w.control[PAIRS])
    size, top = n - pairs, J + n
    reduced(k, n, pairs, GAMMA / h, 0.0, top)
    reduced(k, n, pairs, ALPHA / h, BETA / h, top + size)
    w.factorisations += 1
    w.control[LENGTH] = 0.0
    if factor(k, top, size, SWAPS) == 0.0:
        return 0.0
    if factor_complex(k, top + size, top + 2 * size, size, SWAPS + 1) == 0.0:
        return 0.0
    w.control[LENGTH] = h
    return 1.0


@kernel
def solve_real(k: Matrix, w: March, h: float, r: int) -> float:
    """x from (GAMMA/h - J) x = row r, in its place."""
    n, pairs, s = w.controlled, int(w.control[PAIRS]), GAMMA / h
    size = n - pairs
    for i in range(size):
        total = k[r, pairs + i]
        for j in range(pairs):
            total -= k[J + pairs + i, pairs + j] * k[r, j]
        k[B, i] = total + s * k[r, i] if i < pairs else total
    solve(k, J + n, size, SWAPS, B)
    for i in range(pairs):
        k[r, pairs + i] = s * k[B, i] - k[r, i]
        k[r, i] = k[B, i]
    for i in range(pairs, size):
        k[r, pairs + i] = k[B, i]
    return 0.0


@kernel
def solve_pair(k: Matrix, w: March, h: float, r: int) -> float:
    """x from ((ALPHA + i BETA)/h - J) x = row r + i row (r + 1), in their place."""
    n, pairs, s, g = w.controlled, int(w.control[PAIRS]), ALPHA / h, BETA / h
    size, q = n - pairs, r + 1
    for i in range(size):
        u, v = k[r, pairs + i], k[q, pairs + i]
        for j in range(pairs):
            u -= k[J + pairs + i, pairs + j] * k[r, j]
            v -= k[J + pairs + i, pairs + j] * k[q, j]
        k[B, i] = u + (s * k[r, i] - g * k[q, i]) if i < pairs else u
        k[B + 1, i] = v + (s * k[q, i] + g * k[r, i]) if i < pairs else v
    solve_complex(k, J + n + size, J + n + 2 * size, size, SWAPS + 1, B, B + 1)
    for i in range(pairs):
        u, v = k[B, i], k[B + 1, i]
        k[r, pairs + i] = s * u - g * v - k[r, i]
        k[q, pairs + i] = s * v + g * u - k[q, i]
        k[r, i], k[q, i] = u, v
    for i in range(pairs, size):
        k[r, pairs + i], k[q, pairs + i] = k[B, i], k[B + 1, i]
    return 0.0
