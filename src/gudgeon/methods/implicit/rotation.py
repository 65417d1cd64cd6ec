"""Places of bodies of space over an implicit step: a rotation vector turns Euler parameters."""

from __future__ import annotations

import math
from typing import Any

from gudgeon.compile.native.kernel import kernel

__all__ = ["PLACE", "SPEED", "spread", "turn", "unit"]

PLACE, SPEED = 7, 6  # coordinates and velocities of a body of space


@kernel
def turn(new: Any, i: int, y: Any, a: float, b: float, c: float) -> int:
    """Euler parameters at i: those of y, turned by a rotation vector [rad] about axes of the body."""
    square = a * a + b * b + c * c
    if square < 1e-4:
        e0 = 1.0 - square / 8.0 * (1.0 - square / 48.0)
        s = 0.5 - square / 48.0 * (1.0 - square / 80.0)
    else:
        angle = math.sqrt(square)
        e0, s = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    x, u, v, w = y[i], y[i + 1], y[i + 2], y[i + 3]
    a, b, c = s * a, s * b, s * c
    p0, p1 = x * e0 - u * a - v * b - w * c, x * a + u * e0 + v * c - w * b
    p2, p3 = x * b - u * c + v * e0 + w * a, x * c + u * b - v * a + w * e0
    # one step of Newton's method towards length 1
    scale = 1.5 - 0.5 * (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    new[i], new[i + 1], new[i + 2], new[i + 3] = scale * p0, scale * p1, scale * p2, scale * p3
    return 0


@kernel
def spread(h: float, y: Any, new: Any, k: Any, beta: float, past: float, nv: int, accelerations: int, hat: int,
           hat_new: int, shift: int) -> int:  # fmt: skip
    """Places of bodies of space, from the rates that `alpha.update` has found in rows `hat`, `hat_new` and `shift`."""
    nq = PLACE * (nv // SPEED)
    ratio = h / past if past > 0.0 else 1.0
    for body in range(nv // SPEED):
        i, j = PLACE * body, SPEED * body
        for c in range(SPEED):
            a0 = y[accelerations + j + c]
            h0 = a0 + ratio * (k[hat, j + c] - a0)
            step = h * (y[nq + j + c] + h * ((0.5 - beta) * h0 + beta * k[hat_new, j + c]))
            # a turn waits in the places of the parameters
            new[i + c + c // 3] = y[i + c] + step + k[shift, j + c] if c < 3 else step
        turn(new, i + 3, y, new[i + 4], new[i + 5], new[i + 6])
        turn(new, i + 3, new, k[shift, j + 3], k[shift, j + 4], k[shift, j + 5])
    return 0


@kernel
def unit(out: Any, nv: int) -> int:
    """Euler parameters of all bodies of space at length 1."""
    for body in range(nv // SPEED):
        i = PLACE * body + 3
        scale = 1.0 / math.sqrt(out[i] ** 2 + out[i + 1] ** 2 + out[i + 2] ** 2 + out[i + 3] ** 2)
        for c in range(4):
            out[i + c] *= scale
    return 0
