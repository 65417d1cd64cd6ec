"""The contact search of a sleeve: where on its circle a circle comes closest to a cylinder, or farthest out of it.

A circle of radius R about o, points o + R c(phi) with c = cos(phi) h + sin(phi) t, and a line with the unit direction
a; q is the perpendicular from o to the line. The square of a circle point's distance rho from the line is

    rho² = |R c - a (R c · a) - q|² = R² + |q|² - R [R (c · a)² + 2 c · q]

A cylinder inside the circle (journal in a bearing's circle) is nearest where f(c) = R (c · a)² + 2 c · q is largest; a
circle inside a cylinder (disk in a bore) comes out farthest where f is smallest. -(c · a)² = (c · a')² - |a|² for a'
turned by a quarter in the circle's plane, so that a smallest f is a largest f of other arguments.

Ambrosio and Pombo 2018 (Eqs 25 to 37) solve three equations, which hold at up to four angles; one of them is wanted.
With w, a the components of q, a in the plane of the circle, the largest f of all has the multiplier s >= 0 in

    R a (a · c) + w = (s + R |a|²) c,   |c| = 1

and only one s does it: along the tilt c2 = w2 / s, across it c1 = w1 / (s + D), with D = R |a|² and

    (w2 / s)² + (w1 / (s + D))² = 1,

which falls strictly with s. So the global extremum is found, not the one that a start leads to. One over the root of
the left side is concave in s: Newton's method on it rises to the solution from below without ever passing it.

The result is the tangent of half the angle: cosine and sine follow from it without calls.
"""

from __future__ import annotations

import math

from gudgeon.compile.graph import Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.space.mate import Number

MOST_STEPS = 12  # more than any search takes; the tests count them
CLOSE = 1e-7  # a step this small, relative, was the last: what is left is its square
LARGEST = 1e100  # tangent of half of half a turn


def half_tangent(ax: float, ay: float, wx: float, wy: float, radius: float) -> float:
    """tan(phi / 2) of the angle phi at which radius (c · a)² + 2 c · w is largest, c = (cos phi, sin phi)."""
    square = ax * ax + ay * ay
    spread = radius * square
    x, y = wx, wy
    if spread > 0.0:
        scale = 1.0 / math.sqrt(square)
        ux, uy = ax * scale, ay * scale
        w2, w1 = ux * wx + uy * wy, ux * wy - uy * wx
        s = multiplier(abs(w1), abs(w2), spread)
        c1 = w1 / (s + spread)
        # the centre on the long axis of the ellipse: two ends are equally near, the first is taken
        c2 = w2 / s if s > 0.0 else math.sqrt(max(0.0, 1.0 - c1 * c1))
        x, y = c2 * ux - c1 * uy, c1 * ux + c2 * uy
    size = math.sqrt(x * x + y * y)
    if x >= 0.0:
        return y / (size + x) if size > 0.0 else 0.0
    return (size - x) / y if abs(y) > size / LARGEST else LARGEST


def multiplier(u: float, v: float, spread: float) -> float:
    """The s >= 0 with (v / s)² + (u / (s + spread))² = 1, or 0 where the left side stays below 1; u, v >= 0."""
    if v == 0.0:
        return max(0.0, u - spread)
    s = start(u, v, spread)
    for _ in range(MOST_STEPS):
        step = newton_step(u, v, spread, s)
        s += step
        if step <= CLOSE * s:
            break
    return s


def newton_step(u: float, v: float, spread: float, s: float) -> float:
    """Step of Newton's method on 1 - 1 / |c(s)|."""
    first, second = 1.0 / s, 1.0 / (s + spread)
    x, y = v * first, u * second
    x, y = x * x, y * y
    square = x + y
    return (math.sqrt(square) - 1.0) * square / (x * first + y * second)


def start(u: float, v: float, spread: float) -> float:
    """A lower bound of s, close enough for a few steps; v > 0.

    With w = sqrt(u² + v²) and D = spread: s <= w, since both terms fall with D; hence s + D <= w + D, and the second
    term is at least (u / (w + D))²: s >= v / sqrt(1 - (u / (w + D))²). At s = w - D the left side is at least 1, so
    that s >= w - D.
    Where u is near D and v small both are poor; there (u / (s + D))² >= b² (1 - 2 s / D) with b = min(u / D, 1) gives
    v² <= (1 - b²) s² + 2 b² s³ / D, hence s >= min(v / sqrt(2 (1 - b²)), (v² D / (4 b²))^(1/3)).
    """
    w = math.sqrt(u * u + v * v)
    s = max(w - spread, v * (w + spread) / math.sqrt(v * v + spread * (w + w + spread)))
    ratio = min(u / spread, 1.0)
    rest = 1.0 - ratio * ratio
    if rest < 0.5 and u < 1.5 * spread:
        cubic = (v * v * spread / (4.0 * ratio * ratio)) ** (1.0 / 3.0)
        if 2.0 * rest * cubic * cubic > v * v:
            cubic = v / math.sqrt(2.0 * rest)
        s = max(s, cubic)
    return s


def nearest(ax: Number, ay: Number, wx: Number, wy: Number, radius: Number) -> Number:
    """`half_tangent` on any scalar type; a symbol stands for the search, and is held by differentiation."""
    arguments = (ax, ay, wx, wy, radius)
    symbol = next((x for x in arguments if isinstance(x, Scalar)), None)
    if symbol is None:
        return half_tangent(*arguments)
    return symbol.graph.call(opaque(half_tangent, 5, block=False, held=True), arguments)


def slope(half: Number, ax: Number, ay: Number, wx: Number, wy: Number, radius: Number) -> Number:
    """Half the derivative of radius (c · a)² + 2 c · w by the angle: zero at what `nearest` finds."""
    x, y = cosine_and_sine(half)
    return radius * (x * ax + y * ay) * (x * ay - y * ax) + x * wy - y * wx


def cosine_and_sine(half: Number) -> tuple[Number, Number]:
    """Of an angle, from the tangent of its half."""
    share = 2.0 / (1.0 + half * half)
    return share - 1.0, half * share
