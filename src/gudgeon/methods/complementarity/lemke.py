"""Lemke's method for the impulses of contacts with Coulomb friction: pivots, so it also ends where sweeps circle.

With s_R = μ s_N + s_T, s_L = μ s_N - s_T and the parts of the slip u_T = z_R - z_L the laws of methods.complementarity
are one linear complementarity problem w = M z + q, w ≥ 0, z ≥ 0, w z = 0 (Pfeiffer and Glocker 1996, chapter 8):

    u_N = (W_NN - μ W_NT) s_N + W_NT s_R + a_N              ⊥ s_N
    z_R = (W_TN - μ W_TT) s_N + W_TT s_R + z_L + a_T        ⊥ s_R
    s_L = 2 μ s_N - s_R                                     ⊥ z_L

An artificial variable z_0 with positive coefficients d makes w ≥ 0 at once; it is driven out by complementary pivots.
The tableau gives the basic variables by the others; its last row and column keep their names: w 0..n-1, z n..2n-1,
z_0 2n. The columns are the variables outside the basis, then z_0's, then the constants.
"""

from __future__ import annotations

from typing import Any

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Matrix, Table

TINY = 1e-12  # of the largest number of the tableau: what counts as zero in a pivot


@kernel
def entry(pairs: Any, contacts: int, r: int, k: int) -> float:
    return pairs[r * 2 * contacts + k]


@kernel
def friction_of(pairs: Any, contacts: int, c: int) -> float:
    return pairs[4 * contacts * contacts + 4 * c + 1]


@kernel
def fill(pairs: Floats, aim: Floats, place: Table, table: Matrix, contacts: int) -> int:
    """The tableau (M, d, q) and the names of its rows and columns; contacts that are out get rows w = z + 1."""
    n = 3 * contacts
    for r in range(n):
        c, what = r // 3, r % 3
        mu, out = friction_of(pairs, contacts, c), place[c, 2] < 0
        off = out or (what > 0 and mu <= 0.0)
        for k in range(n):
            other, unknown = k // 3, k % 3
            rub = friction_of(pairs, contacts, other)
            x = 0.0
            if off:
                x = 1.0 if r == k else 0.0
            elif what == 2:
                x = 0.0 if other != c else 2.0 * mu if unknown == 0 else -1.0 if unknown == 1 else 0.0
            elif unknown == 0:
                x = entry(pairs, contacts, 2 * c + what, 2 * other)
                x -= rub * entry(pairs, contacts, 2 * c + what, 2 * other + 1) if rub > 0.0 else 0.0
            elif unknown == 1 and rub > 0.0:
                x = entry(pairs, contacts, 2 * c + what, 2 * other + 1)
            elif unknown == 2 and what == 1 and other == c:
                x = 1.0
            table[r, k] = x
        # different coefficients of z_0: equal ones would tie
        table[r, n] = 1.0 + 0.37 * (r % 7) / 7.0 + 0.01 * r
        table[r, n + 1] = 1.0 if off else aim[2 * c + what] if what < 2 else 0.0
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
def leaving(table: Matrix, n: int, column: int) -> int:
    """The row that first becomes zero as the variable of `column` grows; z_0 where it is among the first. -1: none."""
    size, best, found = 0.0, 0.0, -1
    for r in range(n):
        size = max(size, abs(table[r, column]))
    for r in range(n):
        slope = table[r, column]
        if slope < -TINY * size:
            ratio = max(table[r, n + 1], 0.0) / -slope
            closer = found < 0 or ratio < best * (1.0 - 1e-12)
            tie = found >= 0 and ratio <= best * (1.0 + 1e-12) and table[found, n + 2] != 2 * n
            if closer or (tie and (table[r, n + 2] == 2 * n or slope < table[found, column])):
                best, found = ratio, r
    return found


@kernel
def lemke(pairs: Floats, impulse: Floats, aim: Floats, place: Table, table: Matrix, contacts: int) -> float:
    """Impulses of the active contacts; 1 if found, else 0 and they are as they were."""
    n, worst, least = fill(pairs, aim, place, table, contacts), -1, 0.0
    for r in range(n):
        if table[r, n + 1] / table[r, n] < least:
            worst, least = r, table[r, n + 1] / table[r, n]
    if worst >= 0:
        entering = table[worst, n + 2] + n  # the partner of what leaves
        pivot(table, n, worst, n)
        solved = False
        for _ in range(50 + 10 * n):
            column = 0
            for k in range(n + 1):
                if table[n, k] == entering:
                    column = k
            row = leaving(table, n, column)
            if row < 0:
                return 0.0
            left = table[row, n + 2]
            pivot(table, n, row, column)
            if left == 2 * n:
                solved = True
                break
            entering = left + n if left < n else left - n
        if not solved:
            return 0.0
    for r in range(2 * contacts):
        impulse[r] = 0.0
    for r in range(n):
        name = int(table[r, n + 2]) - n
        if 0 <= name < n and place[name // 3, 2] >= 0:
            c, mu = name // 3, friction_of(pairs, contacts, name // 3)
            value = max(table[r, n + 1], 0.0)
            if name % 3 == 0:
                impulse[2 * c] += value
                impulse[2 * c + 1] -= mu * value
            elif name % 3 == 1 and mu > 0.0:
                impulse[2 * c + 1] += value
    return 1.0
