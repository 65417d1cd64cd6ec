"""Small LU factors inside kernels against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from gudgeon.methods.linear.dense import factor, factor_complex, solve, solve_complex

WIDER = 3  # rows and columns of a matrix beyond the system


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
def test_solutions_equal_those_of_numpy(n):
    random = np.random.default_rng(n)
    real, imaginary = random.normal(size=(2, n, n))
    real[0, 0] = imaginary[0, 0] = 0.0 if n > 1 else 1.0  # rows must be exchanged
    b, c = random.normal(size=(2, n))
    re, im = np.full((2, n + WIDER, n + WIDER), 7.0)
    swaps, x, y = np.zeros(n, dtype=np.int64), b.copy(), c.copy()
    re[:n, :n] = real
    assert factor(re, n, swaps)
    solve(re, n, swaps, x)
    assert np.allclose(x, np.linalg.solve(real, b), rtol=1e-11)
    re[:n, :n], im[:n, :n], x[:] = real, imaginary, b
    assert factor_complex(re, im, n, swaps)
    solve_complex(re, im, n, swaps, x, y)
    assert np.allclose(x + 1j * y, np.linalg.solve(real + 1j * imaginary, b + 1j * c), rtol=1e-11)
    for matrix in (re, im):
        assert (matrix[n:] == 7.0).all() and (matrix[:, n:] == 7.0).all()


@pytest.mark.parametrize("bad", [0.0, np.nan, np.inf])
def test_a_matrix_without_inverse_is_reported(bad):
    swaps = np.zeros(2, dtype=np.int64)
    assert not factor(np.full((2, 2), bad), 2, swaps)
    assert not factor_complex(np.full((2, 2), bad), np.full((2, 2), bad), 2, swaps)
