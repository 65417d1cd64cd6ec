"""Small dense linear systems inside kernels: LU factors with row exchanges, real and complex.

Plain loops over rows of one matrix `a`, so that nothing is allocated and the linear algebra of NumPy, which takes ten
seconds to compile, stays out. A system of size n lies in the first n columns of the rows `top` to `top + n - 1`; its
right-hand side and then its solution in row `b`; the exchanged rows, as numbers, in row `swaps`. A complex system is
two such blocks, real and imaginary parts.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Matrix


@kernel
def factor(a: Matrix, top: int, n: int, swaps: int) -> float:
    """Real factors in place, the lower one with unit diagonal. Gives 0 where a pivot is zero or no number, else 1."""
    for k in range(n):
        best, size = k, abs(a[top + k, k])
        for i in range(k + 1, n):
            if abs(a[top + i, k]) > size:
                best, size = i, abs(a[top + i, k])
        if not 0.0 < size < 1e300:
            return 0.0
        a[swaps, k] = best
        if best != k:
            for j in range(n):
                a[top + k, j], a[top + best, j] = a[top + best, j], a[top + k, j]
        inverse = 1.0 / a[top + k, k]
        for i in range(k + 1, n):
            share = a[top + i, k] * inverse
            a[top + i, k] = share
            if share != 0.0:
                for j in range(k + 1, n):
                    a[top + i, j] -= share * a[top + k, j]
    return 1.0


@kernel
def solve(a: Matrix, top: int, n: int, swaps: int, b: int) -> float:
    """Solve with real factors, in place of the right-hand side."""
    for k in range(n):
        best = int(a[swaps, k])
        a[b, k], a[b, best] = a[b, best], a[b, k]
    for i in range(1, n):
        total = a[b, i]
        for j in range(i):
            total -= a[top + i, j] * a[b, j]
        a[b, i] = total
    for i in range(n - 1, -1, -1):
        total = a[b, i]
        for j in range(i + 1, n):
            total -= a[top + i, j] * a[b, j]
        a[b, i] = total / a[top + i, i]
    return 0.0


@kernel
def factor_complex(a: Matrix, re: int, im: int, n: int, swaps: int) -> float:
    """Complex factors in place; the pivot is largest in |re| + |im|. Gives 0 where there is none, else 1."""
    for k in range(n):
        best, size = k, abs(a[re + k, k]) + abs(a[im + k, k])
        for i in range(k + 1, n):
            here = abs(a[re + i, k]) + abs(a[im + i, k])
            if here > size:
                best, size = i, here
        if not 0.0 < size < 1e150:
            return 0.0
        a[swaps, k] = best
        if best != k:
            for j in range(n):
                a[re + k, j], a[re + best, j] = a[re + best, j], a[re + k, j]
                a[im + k, j], a[im + best, j] = a[im + best, j], a[im + k, j]
        square = a[re + k, k] ** 2 + a[im + k, k] ** 2
        x, y = a[re + k, k] / square, -a[im + k, k] / square
        for i in range(k + 1, n):
            u, v = a[re + i, k], a[im + i, k]
            s, r = u * x - v * y, u * y + v * x
            a[re + i, k], a[im + i, k] = s, r
            if s != 0.0 or r != 0.0:
                for j in range(k + 1, n):
                    a[re + i, j] -= s * a[re + k, j] - r * a[im + k, j]
                    a[im + i, j] -= s * a[im + k, j] + r * a[re + k, j]
    return 1.0


@kernel
def solve_complex(a: Matrix, re: int, im: int, n: int, swaps: int, b: int, c: int) -> float:
    """Solve with complex factors, in place of the right-hand side in rows b (real) and c (imaginary)."""
    for k in range(n):
        best = int(a[swaps, k])
        a[b, k], a[b, best] = a[b, best], a[b, k]
        a[c, k], a[c, best] = a[c, best], a[c, k]
    for i in range(1, n):
        u, v = a[b, i], a[c, i]
        for j in range(i):
            u -= a[re + i, j] * a[b, j] - a[im + i, j] * a[c, j]
            v -= a[re + i, j] * a[c, j] + a[im + i, j] * a[b, j]
        a[b, i], a[c, i] = u, v
    for i in range(n - 1, -1, -1):
        u, v = a[b, i], a[c, i]
        for j in range(i + 1, n):
            u -= a[re + i, j] * a[b, j] - a[im + i, j] * a[c, j]
            v -= a[re + i, j] * a[c, j] + a[im + i, j] * a[b, j]
        x, y = a[re + i, i], a[im + i, i]
        square = x * x + y * y
        a[b, i], a[c, i] = (u * x + v * y) / square, (v * x - u * y) / square
    return 0.0
