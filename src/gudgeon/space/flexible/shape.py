"""Lagrange's polynomials on equally spaced nodes, and Gauss's points, all on 0..1."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

# points and weights on 0..1; n points are exact to degree 2n - 1
_SMALL, _LARGE = sqrt(3 / 7 - 2 / 7 * sqrt(6 / 5)), sqrt(3 / 7 + 2 / 7 * sqrt(6 / 5))
GAUSS: dict[int, list[tuple[float, float]]] = {
    n: [(0.5 + 0.5 * x, 0.5 * weight) for x, weight in pairs]
    for n, pairs in {
        1: [(0.0, 2.0)],
        2: [(-1 / sqrt(3), 1.0), (1 / sqrt(3), 1.0)],
        3: [(-sqrt(0.6), 5 / 9), (0.0, 8 / 9), (sqrt(0.6), 5 / 9)],
        4: [
            (-_LARGE, (18 - sqrt(30)) / 36),
            (-_SMALL, (18 + sqrt(30)) / 36),
            (_SMALL, (18 + sqrt(30)) / 36),
            (_LARGE, (18 - sqrt(30)) / 36),
        ],
    }.items()
}


class Shape(NamedTuple):
    """What each node of an element counts at one place: for the value, and for its slope per element length."""

    values: tuple[float, ...]
    slopes: tuple[float, ...]


def shape(order: int, x: float) -> Shape:
    """Lagrange's polynomials of this order at x in 0..1."""
    return through([k / order for k in range(order + 1)], x)


def through(points: list[float], x: float) -> Shape:
    """Lagrange's polynomials on any points."""
    values, slopes = [], []
    for i, a in enumerate(points):
        others = [b for j, b in enumerate(points) if j != i]
        scale = 1.0
        for b in others:
            scale *= a - b
        value = 1.0
        for b in others:
            value *= x - b
        slope = 0.0
        for left in range(len(others)):
            term = 1.0
            for j, b in enumerate(others):
                term *= 1.0 if j == left else x - b
            slope += term
        values.append(value / scale)
        slopes.append(slope / scale)
    return Shape(tuple(values), tuple(slopes))
