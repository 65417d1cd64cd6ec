"""Restitution of the laws F = f(depth) (1 + chi rate / rate0), and the chi that gives a wanted one.

One impact of a mass m on such a law: m v dv/ddepth = -f (1 + chi v/v0). With u = v/v0 the depth separates,

    u du / (1 + chi u) = -f(depth) ddepth / (m v0^2)

and since depth starts and ends at 0, the integral of the left side from 1 to -e vanishes for every f:

    chi - ln(1 + chi) = -chi e - ln(1 - chi e),   that is   (1 + e) chi = ln((1 + chi) / (1 - chi e)).

Both sides are g(x) = x - ln(1 + x), at x = chi and x = -chi e. Near 0, g is a small difference of near
numbers and is summed as a series, so that both directions keep their digits for e close to 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

__all__ = ["effective_restitution", "exact_hysteresis", "lankarani_nikravesh_hysteresis"]


def effective_restitution(chi: float) -> float:
    """Speed ratio after / before one impact with hysteresis chi >= 0.

    >>> round(effective_restitution(0.75 * (1 - 0.5**2)), 4)
    0.7252
    """
    if chi == 0.0:
        return 1.0
    level = _log_gap(chi)
    return _root(lambda x: level - _log_gap(-x), 0.0, min(chi, 1.0)) / chi


def exact_hysteresis(restitution: float) -> float:
    """The chi whose effective restitution is the given one, 0 < restitution <= 1."""
    e = restitution
    if e == 1.0:
        return 0.0
    return _root(lambda chi: _log_gap(chi) - _log_gap(-chi * e), 0.0, 1.0 / e)


def lankarani_nikravesh_hysteresis(restitution: float) -> float:
    """chi = 3/4 (1 - e^2): Lankarani, Nikravesh 1990; Flores et al. 2006, Eq 20."""
    return 0.75 * (1.0 - restitution**2)


def _log_gap(x: float) -> float:
    if x <= -1.0:
        return math.inf
    if abs(x) > 0.1:
        return x - math.log1p(x)
    total, power, k = 0.0, x * x, 2
    while total + power / k != total:
        total += power / k
        power, k = -power * x, k + 1
    return total


def _root(f: Callable[[float], float], positive: float, negative: float) -> float:
    while True:
        middle = 0.5 * (positive + negative)
        if middle in (positive, negative):
            return middle
        if f(middle) > 0.0:
            positive = middle
        else:
            negative = middle
