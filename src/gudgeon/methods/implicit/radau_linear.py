"""The linear systems of Radau: the Jacobian J of the slopes, and (s - J) x = r with a real and a complex s.

Coordinates q have the velocities v as their slope, so half of a system is solved by hand: from its first rows
x_v = s x_q - r_q, and with it the other rows, of the velocities and of what is left (o), become

    (s² - s J_v - J_q) x_q + (s - J_o) x_o = r - J_v r_q + s r_q        s² and s r_q in rows v, s in rows o

How many states come in such pairs is seen from the Jacobian itself.

Equations that have no formula of J compiled (assemble.written_out.MOST_FOR_JACOBIAN) get it by differences of the
slopes: simplified Newton's method converges with it as well, and results are held by the same errors.
"""

from __future__ import annotations

import math

import numpy as np

from gudgeon.compile.native.kernel import evaluate, evaluate_row, kernel
from gudgeon.compile.native.record import Floats, Integers, Matrix, Record
from gudgeon.methods.linear.dense import factor, factor_complex, solve, solve_complex
from gudgeon.methods.march.memory import March
from gudgeon.methods.march.scales import SHARE

# eigenvalues of the inverse of the matrix of Radau IIA, GAMMA and ALPHA + i BETA; s is one of them divided by h
GAMMA, ALPHA, BETA = 3.63783425274449573, 2.68108287362775213, 3.05043019924741057

ENDLESS = 1e30  # of the Jacobian: no entry of a mechanism in SI units comes near

# Of the scale of a state, its change for a difference: positions are known to 1e-16, films are some 1e-6 thick.
CHANGE = 1e-9


class RadauSystems(Record):
    """The Jacobian and the factors of the real and of the complex system, reduced as above."""

    pairs: int  # so many of the first states have the next ones as their slope
    length: float  # of the step that the factors are for; 0: there are none
    stale: int  # 1: the Jacobian is to be evaluated before it is used
    fresh: int  # 1: it has been, at this time
    jacobian: Matrix  # a row for each state under error control
    real: Matrix
    real_swaps: Integers
    complex_re: Matrix
    complex_im: Matrix
    complex_swaps: Integers
    slopes: Floats  # at (t, y), of which differences are taken
    right_re: Floats  # a right-hand side of a reduced system, and its imaginary part
    right_im: Floats


def radau_systems(controlled: int, states: int) -> RadauSystems:
    """Room for the systems of so many states under error control."""
    n = controlled
    real, complex_re, complex_im = (np.zeros((n, n)) for _ in range(3))
    return RadauSystems(
        jacobian=np.zeros((n, states)), real=real, complex_re=complex_re, complex_im=complex_im,
        real_swaps=np.zeros(n, np.int64), complex_swaps=np.zeros(n, np.int64),
        slopes=np.zeros(states), right_re=np.zeros(n), right_im=np.zeros(n),
    )  # fmt: skip


@kernel
def differences(w: March, systems: RadauSystems) -> int:
    """The Jacobian by a change of each state in turn; each gives a row, which becomes its column."""
    n, jacobian, slopes, y, out = w.controlled, systems.jacobian, systems.slopes, w.y, w.out
    evaluate(w.rhs_at, w.t, y, w.p, w.m, slopes)
    for j in range(n):
        for i in range(y.shape[0]):
            out[i] = y[i]
        scale = w.atol[j] / (SHARE * w.rtol)
        out[j] = y[j] + CHANGE * math.sqrt(scale * max(scale, abs(y[j])))
        evaluate_row(w.rhs_at, w.t, out, w.p, w.m, jacobian, j)
        change = out[j] - y[j]
        for i in range(n):
            jacobian[j, i] = (jacobian[j, i] - slopes[i]) / change
    for i in range(n):
        for j in range(i):
            jacobian[i, j], jacobian[j, i] = jacobian[j, i], jacobian[i, j]
    for i in range(y.shape[0]):
        out[i] = y[i]
    w.evaluations += n + 1
    return 0


@kernel
def linearise(w: March, systems: RadauSystems) -> int:
    """The Jacobian at (t, y), and how many states come in pairs.

    Where a law has no derivative, as at the centre of a pin where directions end, the entry counts as zero: the
    iteration is slower there, or the step shorter. One far too large would be worse: all corrections would vanish.
    """
    n, jacobian = w.controlled, systems.jacobian
    if w.jacobian_at != 0:
        evaluate(w.jacobian_at, w.t, w.y, w.p, w.m, jacobian)
    else:
        differences(w, systems)
    for i in range(n):
        for j in range(n):
            if not abs(jacobian[i, j]) < ENDLESS:
                jacobian[i, j] = 0.0
    w.jacobians += 1
    systems.stale, systems.fresh, systems.length = 0, 1, 0.0
    pairs = 0
    while pairs < n and jacobian[0, pairs] == 0.0:
        pairs += 1
    if 2 * pairs > n:
        pairs = 0
    for i in range(pairs):
        for j in range(n):
            if jacobian[i, j] != (1.0 if j == pairs + i else 0.0):
                pairs = 0
                break
    systems.pairs = pairs
    return 0


@kernel
def reduce_real(jacobian: Matrix, n: int, pairs: int, s: float, matrix: Matrix) -> int:
    """The matrix of the reduced system for a real s."""
    for i in range(n - pairs):
        row = pairs + i
        for j in range(pairs):
            matrix[i, j] = -jacobian[row, j] - s * jacobian[row, pairs + j]
        for j in range(pairs, n - pairs):
            matrix[i, j] = -jacobian[row, pairs + j]
        matrix[i, i] += s * s if i < pairs else s
    return 0


@kernel
def reduce_complex(jacobian: Matrix, n: int, pairs: int, s: float, g: float, re: Matrix, im: Matrix) -> int:
    """The matrix of the reduced system for s + i g."""
    for i in range(n - pairs):
        row = pairs + i
        for j in range(pairs):
            re[i, j] = -jacobian[row, j] - s * jacobian[row, pairs + j]
            im[i, j] = -g * jacobian[row, pairs + j]
        for j in range(pairs, n - pairs):
            re[i, j] = -jacobian[row, pairs + j]
            im[i, j] = 0.0
        re[i, i] += s * s - g * g if i < pairs else s
        im[i, i] += 2.0 * s * g if i < pairs else g
    return 0


@kernel
def factorise(w: March, systems: RadauSystems, h: float) -> bool:
    """Factors of both systems for a step of length h. False where one is singular."""
    n, pairs = w.controlled, systems.pairs
    reduce_real(systems.jacobian, n, pairs, GAMMA / h, systems.real)
    reduce_complex(systems.jacobian, n, pairs, ALPHA / h, BETA / h, systems.complex_re, systems.complex_im)
    w.factorisations += 1
    systems.length = 0.0
    if not factor(systems.real, n - pairs, systems.real_swaps):
        return False
    if not factor_complex(systems.complex_re, systems.complex_im, n - pairs, systems.complex_swaps):
        return False
    systems.length = h
    return True


@kernel
def solve_real(w: March, systems: RadauSystems, h: float, r: Floats) -> int:
    """x from (GAMMA/h - J) x = r, in its place."""
    n, pairs, s = w.controlled, systems.pairs, GAMMA / h
    jacobian, b = systems.jacobian, systems.right_re
    size = n - pairs
    for i in range(size):
        total = r[pairs + i]
        for j in range(pairs):
            total -= jacobian[pairs + i, pairs + j] * r[j]
        b[i] = total + s * r[i] if i < pairs else total
    solve(systems.real, size, systems.real_swaps, b)
    for i in range(pairs):
        r[pairs + i] = s * b[i] - r[i]
        r[i] = b[i]
    for i in range(pairs, size):
        r[pairs + i] = b[i]
    return 0


@kernel
def solve_complex_pair(w: March, systems: RadauSystems, h: float, r: Floats, q: Floats) -> int:
    """x from ((ALPHA + i BETA)/h - J) x = r + i q, in their place."""
    n, pairs, s, g = w.controlled, systems.pairs, ALPHA / h, BETA / h
    jacobian, b, c = systems.jacobian, systems.right_re, systems.right_im
    size = n - pairs
    for i in range(size):
        u, v = r[pairs + i], q[pairs + i]
        for j in range(pairs):
            u -= jacobian[pairs + i, pairs + j] * r[j]
            v -= jacobian[pairs + i, pairs + j] * q[j]
        b[i] = u + (s * r[i] - g * q[i]) if i < pairs else u
        c[i] = v + (s * q[i] + g * r[i]) if i < pairs else v
    solve_complex(systems.complex_re, systems.complex_im, size, systems.complex_swaps, b, c)
    for i in range(pairs):
        u, v = b[i], c[i]
        r[pairs + i] = s * u - g * v - r[i]
        q[pairs + i] = s * v + g * u - q[i]
        r[i], q[i] = u, v
    for i in range(pairs, size):
        r[pairs + i], q[pairs + i] = b[i], c[i]
    return 0
