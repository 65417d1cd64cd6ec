"""Section 7.2 of Bauchau, Rodriguez 2002: the speeds at which the planar motion is left, by Floquet's multipliers.

The mechanism is symmetric about its plane: small motions out of it do not act on those in it. The crank turns the arm's
compression on and off, a stiffness that changes in time, so that motion out of the plane grows where the largest of its
multipliers over a revolution is beyond 1. It leaves the circle at +1 (each turn alike) or at -1 (every other turn), in
bands of speeds, as for Mathieu's equation, until compression makes the arm buckle.
"""

from __future__ import annotations

import math
from itertools import pairwise

import gudgeon as gd
from gudgeon.analysis import Multipliers, multipliers
from gudgeon.papers.bauchau2002 import space as case
from gudgeon.papers.stored import stored

__all__ = ["aside", "bands", "edge", "margin"]

RTOL = 1e-6  # by which no step is shorter than asked for, but at the start
TRANSIENT = 12  # revolutions until the motion in the plane repeats: its slowest vibration loses 1/s
LOW, HIGH, STEP = 110, 132, 1  # [rpm] where bands are looked for
NEAR = 0.005  # [rpm] to which the edge of a band is found


@stored
def aside(rpm: float, elements: int = 2, steps: int = 1000) -> Multipliers:
    """The two largest multipliers of motions out of the plane, with an arm whose tip is free to shift and tilt, by so
    many elements in each beam and steps in a revolution."""
    m = case.crank_slider(tip="free", stops=False, speed=rpm * math.pi / 30.0, elements=elements, pushed=False)
    method = gd.Alpha(rtol=RTOL, step=60.0 / rpm / steps)
    return multipliers(m, kick=(0.0, 0.0, 1.0), transient=TRANSIENT, method=method)


def margin(rpm: float, at: float, elements: int = 2, steps: int = 1000) -> float:
    """(1 - x/at)(1 - y/at) of the two largest multipliers x and y: negative where one of them is beyond `at`, +1 or -1.

    Unlike their moduli it is a smooth function of the speed.
    """
    product = 1.0 + 0.0j
    for value in aside(rpm, elements, steps).values:
        product *= 1.0 - value / at
    return product.real


def edge(low: float, high: float, at: float, elements: int = 2, steps: int = 1000) -> float:
    """The speed [rpm] between two at which the margin is zero, by chords (Illinois)."""
    a, b = low, high
    fa, fb = (margin(x, at, elements, steps) for x in (a, b))
    if (fa > 0.0) == (fb > 0.0):
        return math.nan
    last = a
    while abs(b - a) > NEAR:
        middle = a - fa * (b - a) / (fb - fa)
        value = margin(middle, at, elements, steps)
        if (value > 0.0) == (fa > 0.0):
            a, fa, fb = middle, value, 0.5 * fb
        else:
            b, fb, fa = middle, value, 0.5 * fa
        if abs(middle - last) < NEAR:
            return middle
        last = middle
    return 0.5 * (a + b)


def bands(elements: int = 2, steps: int = 1000) -> list[tuple[float, float]]:
    """Speeds [rpm] between LOW and HIGH from and up to which motion out of the plane grows; the last up to HIGH.

    A band is seen where it holds one of the speeds tried, STEP apart.
    """
    edges: list[float] = []
    speeds = range(LOW, HIGH + 1, STEP)
    for low, high in pairwise(speeds):
        for at in (1.0, -1.0):
            crossing = edge(low, high, at, elements, steps)
            if not math.isnan(crossing):
                edges.append(crossing)
    edges.sort()
    return list(zip(edges[::2], [*edges[1::2], float(HIGH)], strict=False))
