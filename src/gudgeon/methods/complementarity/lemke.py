"""Lemke's method for contacts with a slip of one component: pivots, which also end where sweeps go round in circles.

With s_R = μ s_N + s_T, s_L = μ s_N - s_T and the parts of the slip u_T = z_R - z_L, and a for the target speeds, the
laws are one linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, w z = 0 (Pfeiffer and Glocker 1996, chapter 8):

    u_N = (W_NN - μ W_NT) s_N + W_NT s_R + a_N              ⊥ s_N
    z_R = (W_TN - μ W_TT) s_N + W_TT s_R + z_L + a_T        ⊥ s_R
    s_L = 2 μ s_N - s_R                                     ⊥ z_L

An artificial variable z_0 with positive coefficients d makes w ≥ 0 at once; it is driven out by complementary pivots.
The tableau gives the basic variables by the others; its last row and column keep their names: w 0..n-1, z n..2n-1,
z_0 2n. The columns are the variables outside the basis, then z_0's, then the constants.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Matrix
from gudgeon.methods.complementarity.problem import ImpulseProblem

TINY = 1e-12  # of the largest number of the tableau: what counts as zero in a pivot
OPENING, RIGHT, LEFT = 0, 1, 2  # the three equations of a contact, and their variables s_N, s_R, z_L


@kernel
def fill(problem: ImpulseProblem) -> int:
    """The tableau (M, d, q) and the names of its rows and columns; gives the number of equations. Contacts that are
    apart get rows w = z + 1."""
    table, delassus, n = problem.tableau, problem.delassus, 3 * problem.contacts
    for r in range(n):
        c, equation = r // 3, r % 3
        mu = problem.friction[c]
        off = problem.role[c] < 0 or (equation > OPENING and mu <= 0.0)
        for k in range(n):
            other, unknown = k // 3, k % 3
            mu_other = problem.friction[other]
            x = 0.0
            if off:
                x = 1.0 if r == k else 0.0
            elif equation == LEFT:
                x = 0.0 if other != c else 2.0 * mu if unknown == OPENING else -1.0 if unknown == RIGHT else 0.0
            elif unknown == OPENING:
                x = delassus[2 * c + equation, 2 * other]
                x -= mu_other * delassus[2 * c + equation, 2 * other + 1] if mu_other > 0.0 else 0.0
            elif unknown == RIGHT and mu_other > 0.0:
                x = delassus[2 * c + equation, 2 * other + 1]
            elif unknown == LEFT and equation == RIGHT and other == c:
                x = 1.0
            table[r, k] = x
        # different coefficients of z_0: equal ones would tie
        table[r, n] = 1.0 + 0.37 * (r % 7) / 7.0 + 0.01 * r
        table[r, n + 1] = 1.0 if off else problem.target[2 * c + equation] if equation < LEFT else 0.0
        table[r, n + 2] = r
        table[n, r] = n + r
    table[n, n] = 2 * n
    return n


@kernel
def pivot(table: Matrix, n: int, row: int, column: int) -> int:
    """Exchange the basic variable of `row` and the outside one of `column`."""
    inverse = 1.0 / table[row, column]
    for k in range(n + 2):
        if k != column:
            table[row, k] *= -inverse
    table[row, column] = inverse
    for r in range(n):
        factor = table[r, column]
        if r == row or factor == 0.0:
            continue
        for k in range(n + 2):
            if k != column:
                table[r, k] += factor * table[row, k]
        table[r, column] = factor * inverse
    table[row, n + 2], table[n, column] = table[n, column], table[row, n + 2]
    return 0


@kernel
def leaving_row(table: Matrix, n: int, column: int) -> int:
    """The row that first becomes zero as the variable of `column` grows; z_0 where it is among the first. -1: none."""
    size, best, leaving = 0.0, 0.0, -1
    for r in range(n):
        size = max(size, abs(table[r, column]))
    for r in range(n):
        slope = table[r, column]
        if slope < -TINY * size:
            ratio = max(table[r, n + 1], 0.0) / -slope
            closer = leaving < 0 or ratio < best * (1.0 - 1e-12)
            tie = leaving >= 0 and ratio <= best * (1.0 + 1e-12) and table[leaving, n + 2] != 2 * n
            if closer or (tie and (table[r, n + 2] == 2 * n or slope < table[leaving, column])):
                best, leaving = ratio, r
    return leaving


@kernel
def drive_out(table: Matrix, n: int, worst: int) -> int:
    """Bring z_0 into the basis at row `worst`, then pivot until it has left; 0: it does not leave."""
    entering = table[worst, n + 2] + n  # the partner of what leaves
    pivot(table, n, worst, n)
    for _ in range(50 + 10 * n):
        column = 0
        for k in range(n + 1):
            if table[n, k] == entering:
                column = k
        row = leaving_row(table, n, column)
        if row < 0:
            return 0
        left = table[row, n + 2]
        pivot(table, n, row, column)
        if left == 2 * n:
            return 1
        entering = left + n if left < n else left - n
    return 0


@kernel
def solve_by_pivots(problem: ImpulseProblem) -> int:
    """Impulses of the active contacts; 1 if there are some, else 0 and they are as they were."""
    table, impulse = problem.tableau, problem.impulse
    n, worst, least = fill(problem), -1, 0.0
    for r in range(n):
        if table[r, n + 1] / table[r, n] < least:
            worst, least = r, table[r, n + 1] / table[r, n]
    if worst >= 0 and drive_out(table, n, worst) == 0:
        return 0
    for r in range(impulse.shape[0]):
        impulse[r] = 0.0
    for r in range(n):
        name = int(table[r, n + 2]) - n
        if 0 <= name < n and problem.role[name // 3] >= 0:
            c, variable = name // 3, name % 3
            mu, value = problem.friction[c], max(table[r, n + 1], 0.0)
            if variable == OPENING:
                impulse[2 * c] += value
                impulse[2 * c + 1] -= mu * value
            elif variable == RIGHT and mu > 0.0:
                impulse[2 * c + 1] += value
    return 1
