"""Small LU factors inside kernels against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.methods.linear.dense import factor, factor_complex, solve, solve_complex

WIDER = 3  # columns of the work matrix beyond the system


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_solutions_equal_those_of_numpy(n):
    random = np.random.default_rng(n)
    real, imaginary = random.normal(size=(2, n, n))
    real[0, 0] = imaginary[0, 0] = 0.0 if n > 1 else 1.0  # rows must be exchanged
    b, c = random.normal(size=(2, n))
    work = np.full((4 * n + 6, n + WIDER), 7.0)
    top, re, im, swaps, right = 1, n + 1, 2 * n + 2, 3 * n + 3, 3 * n + 5
    work[top : top + n, :n], work[right, :n] = real, b
    assert factor(work, top, n, swaps) == 1.0
    solve(work, top, n, swaps, right)
    assert np.allclose(work[right, :n], np.linalg.solve(real, b), rtol=1e-11)
    work[re : re + n, :n], work[im : im + n, :n] = real, imaginary
    work[right, :n], work[right + 1, :n] = b, c
    assert factor_complex(work, re, im, n, swaps + 1) == 1.0
    solve_complex(work, re, im, n, swaps + 1, right, right + 1)
    exact = np.linalg.solve(real + 1j * imaginary, b + 1j * c)
    assert np.allclose(work[right, :n] + 1j * work[right + 1, :n], exact, rtol=1e-11)
    assert (work[:, n:] == 7.0).all()


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_a_matrix_without_inverse_is_told(bad):
    work = np.ones((8, 2))
    work[0, :] = work[1, :] = bad
    assert factor(work, 0, 2, 7) == 0.0
    work[:4, :] = 1.0
    work[0, :] = work[1, :] = work[2, :] = work[3, :] = bad
    assert factor_complex(work, 0, 2, 2, 7) == 0.0
