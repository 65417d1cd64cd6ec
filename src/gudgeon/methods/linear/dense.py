"""Small dense linear systems inside kernels: LU factors with row exchanges, real and complex.

Plain loops, so that nothing is allocated and the linear algebra of NumPy, which takes ten seconds to compile, stays
out. A system of size n lies in the first n rows and columns of a matrix, which its factors replace; `swaps` keeps which
rows were exchanged; a solution replaces its right-hand side. A complex matrix or vector is two real ones.
"""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.compile.native.record import Floats, Integers, Matrix


@kernel
def factor(a: Matrix, n: int, swaps: Integers) -> bool:
    """Real factors in place, the lower one with unit diagonal. False where a pivot is zero or no number."""
    for k in range(n):
        best, size = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > size:
                best, size = i, abs(a[i, k])
        if not 0.0 < size < 1e300:
            return False
        swaps[k] = best
        if best != k:
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            share = a[i, k] * inverse
            a[i, k] = share
            if share != 0.0:
                for j in range(k + 1, n):
                    a[i, j] -= share * a[k, j]
    return True


@kernel
def solve(a: Matrix, n: int, swaps: Integers, b: Floats) -> int:
    """Solve with real factors, in place of the right-hand side."""
    for k in range(n):
        best = swaps[k]
        b[k], b[best] = b[best], b[k]
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            total -= a[i, j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= a[i, j] * b[j]
        b[i] = total / a[i, i]
    return 0


@kernel
def factor_complex(re: Matrix, im: Matrix, n: int, swaps: Integers) -> bool:
    """Complex factors in place; the pivot is largest in |re| + |im|. False where there is none."""
    for k in range(n):
        best, size = k, abs(re[k, k]) + abs(im[k, k])
        for i in range(k + 1, n):
            here = abs(re[i, k]) + abs(im[i, k])
            if here > size:
                best, size = i, here
        if not 0.0 < size < 1e150:
            return False
        swaps[k] = best
        if best != k:
            for j in range(n):
                re[k, j], re[best, j] = re[best, j], re[k, j]
                im[k, j], im[best, j] = im[best, j], im[k, j]
        square = re[k, k] ** 2 + im[k, k] ** 2
        x, y = re[k, k] / square, -im[k, k] / square
        for i in range(k + 1, n):
            u, v = re[i, k], im[i, k]
            s, r = u * x - v * y, u * y + v * x
            re[i, k], im[i, k] = s, r
            if s != 0.0 or r != 0.0:
                for j in range(k + 1, n):
                    re[i, j] -= s * re[k, j] - r * im[k, j]
                    im[i, j] -= s * im[k, j] + r * re[k, j]
    return True


@kernel
def solve_complex(re: Matrix, im: Matrix, n: int, swaps: Integers, b: Floats, c: Floats) -> int:
    """Solve with complex factors, in place of the right-hand side b + i c."""
    for k in range(n):
        best = swaps[k]
        b[k], b[best] = b[best], b[k]
        c[k], c[best] = c[best], c[k]
    for i in range(1, n):
        u, v = b[i], c[i]
        for j in range(i):
            u -= re[i, j] * b[j] - im[i, j] * c[j]
            v -= re[i, j] * c[j] + im[i, j] * b[j]
        b[i], c[i] = u, v
    for i in range(n - 1, -1, -1):
        u, v = b[i], c[i]
        for j in range(i + 1, n):
            u -= re[i, j] * b[j] - im[i, j] * c[j]
            v -= re[i, j] * c[j] + im[i, j] * b[j]
        x, y = re[i, i], im[i, i]
        square = x * x + y * y
        b[i], c[i] = (u * x + v * y) / square, (v * x - u * y) / square
    return 0
