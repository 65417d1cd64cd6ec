"""The largest pressure of a half film, along the circumference.

The pressures of the short and of the long bearing are, theta from the narrowest gap, h = 1 - epsilon cos theta,

    short  p ~ cos(theta - beta) / h^3                  long  p ~ cos(theta - beta) (1 + h) / h^2

With beta in 0 .. pi the maximum lies between the narrowest gap and beta, on the positive half: where

    tan(beta - theta) = -f' / f,   f = h^-3: 3 epsilon sin / h,   f = (1 + h) / h^2: epsilon sin (2 + h) / ((1 + h) h)

Multiplied out this has one change of sign there, which halving finds.
"""

from __future__ import annotations

import math

__all__ = ["peak"]


def peak(ratio: float, beta: float, long: bool) -> float:
    """Maximum over theta of cos(theta - beta) f(theta), beta in 0 .. pi."""
    low = max(0.0, beta - 0.5 * math.pi)
    high = beta
    for _ in range(60):
        theta = 0.5 * (low + high)
        h = gap(ratio, theta)
        rise = ratio * math.sin(theta)
        steep = rise * (2.0 + h) / (1.0 + h) if long else 3.0 * rise
        if math.sin(beta - theta) * h > math.cos(beta - theta) * steep:
            low = theta
        else:
            high = theta
    theta = 0.5 * (low + high)
    h = gap(ratio, theta)
    f = (1.0 + h) / (h * h) if long else 1.0 / (h * h * h)
    return math.cos(theta - beta) * f


def gap(ratio: float, theta: float) -> float:
    """1 - ratio cos(theta), with its digits when both are near 1."""
    half = math.sin(0.5 * theta)
    return 1.0 - ratio + 2.0 * ratio * half * half
