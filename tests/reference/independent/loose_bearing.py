"""The slider-crank of Ambrosio and Pombo 2018 with a loose bearing, by a program that shares nothing with gudgeon.

NumPy, Numba and the coefficients of SciPy's DOP853. Six coordinates: travel x of the slider, angles a, b of the
universal joint, attitude of the crank (four numbers, three velocities), which hangs on the rod by an ideal ball:

    u = (cos a cos b, sin a cos b, -sin b)   from slider to ball; the rod turns with a' z + b' n, n = (-sin a, cos a, 0)
    B = (x, 0, 0) + 0.3 u,  P = B - 0.08 k   ball, and middle of the journal; k is the crank's own z axis, i its x axis

Bearing on the ground: 10 circles about (s, 0.1, 0.12), radius R, square to X. Of each circle the point nearest to the
journal's axis, found by Newton's method on the angle from the direction of the eccentricity to the minimum it comes to:
depth R - c less the distance, rate h·v, force -F h, all at the axis point nearest to it. Along the axis: depth
|(P - A)·i| - c, its own rate, force along i at P ("printed"), or at A ("one line", without the couple).

`python -m independent.spread`, in the folder above, makes the data of the tests.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .dop853 import fast

STRIPS, CONTACTS, SIZE = 10, 12, 13  # contacts: strips, then to +i and to -i; states: 7 coordinates, 6 velocities
A, ZERO = (0.0, 0.1, 0.12), (0.0, 0.0, 0.0)
ROD, CRANK, GRAVITY = 0.3, 0.08, 9.81
MASSES = 0.12, 0.5, 2.0  # crank, rod, slider
CRANK_ACROSS, CRANK_ALONG, ROD_ACROSS, ROD_ALONG = 1e-4, 1e-5, 4e-3, 4e-4  # moments of inertia [kg m²]
STIFFNESS, HYSTERESIS, RADIUS = 5e6, 0.75 * (1.0 - 0.75**2), 0.01

# parameters: length of the bearing, clearance, stiffness of a strip, 1 for axial forces on one line, 1 for a search
# that tries every angle
LENGTH, GAP, STRIP, ONE_LINE, EVERYWHERE = range(5)


@fast
def cross(a: Any, b: Any) -> Any:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@fast
def dot(a: Any, b: Any) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@fast
def plus(a: Any, s: float, b: Any) -> Any:
    """a + s b"""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@fast
def crank_axes(y: Any) -> tuple[Any, Any]:
    """The crank's own x and z; the four numbers are taken as if their length were one exactly."""
    e, a, b, c = y[3], y[4], y[5], y[6]
    n = 2.0 / (e * e + a * a + b * b + c * c)
    i = 1.0 - n * (b * b + c * c), n * (a * b + e * c), n * (a * c - e * b)
    return i, (n * (a * c + e * b), n * (b * c - e * a), 1.0 - n * (a * a + b * b))


@fast
def rod_line(y: Any) -> tuple[Any, Any]:
    """u and n."""
    sa, ca, sb, cb = math.sin(y[1]), math.cos(y[1]), math.sin(y[2]), math.cos(y[2])
    return (ca * cb, sa * cb, -sb), (-sa, ca, 0.0)


@fast
def journal(y: Any) -> tuple[Any, Any, Any, Any]:
    """Middle P, its velocity, direction i, and angular velocity of the crank."""
    i, k = crank_axes(y)
    u, n = rod_line(y)
    w, rod = (y[10], y[11], y[12]), (y[9] * n[0], y[9] * n[1], y[8])
    place = plus(plus((y[0], 0.0, 0.0), ROD, u), -CRANK, k)
    speed = plus(plus((y[7], 0.0, 0.0), ROD, cross(rod, u)), -CRANK, cross(w, k))
    return place, speed, i, w


# With g from the journal's middle to the circle's, d = g + R (0, cos f, sin f) and the distance D from the axis:
#   D²/2 = (d·d - (d·i)²) / 2,   its derivatives d·d' - (d·i)(d'·i)   and   d'·d' + d·d'' - (d'·i)² - (d·i)(d''·i)
@fast
def distance(f: float, g: Any, i: Any) -> float:
    y, z = g[1] + RADIUS * math.cos(f), g[2] + RADIUS * math.sin(f)
    a, b, c = g[0] * i[1] - y * i[0], y * i[2] - z * i[1], z * i[0] - g[0] * i[2]
    return math.sqrt(a * a + b * b + c * c)


@fast
def descend(f: float, g: Any, i: Any) -> float:
    """Newton's method where the curve is hollow, else a small step downhill."""
    gx, gy, gz, ix, iy, iz = g[0], g[1], g[2], i[0], i[1], i[2]
    for _ in range(100):
        c, s = RADIUS * math.cos(f), RADIUS * math.sin(f)
        y, z = gy + c, gz + s
        along, along_1, along_2 = gx * ix + y * iy + z * iz, c * iz - s * iy, -c * iy - s * iz
        first = z * c - y * s - along * along_1
        second = RADIUS * RADIUS - y * c - z * s - along_1 * along_1 - along * along_2
        step = -0.2 if first > 0.0 else 0.2
        if second > 0.0:
            step = min(max(-first / second, -0.5), 0.5)
        f += step
        if abs(step) < 1e-8 and second > 0.0:  # the next would be of its square
            break
    return f


@fast
def nearest(g: Any, i: Any, everywhere: float) -> float:
    """The angle on the circle."""
    along = g[0] / i[0]
    f = descend(math.atan2(along * i[2] - g[2], along * i[1] - g[1]), g, i)
    if everywhere > 0.0:
        least = distance(f, g, i)
        for k in range(12):
            other = descend(2.0 * math.pi * k / 12.0, g, i)
            if distance(other, g, i) < least - 1e-16:
                f, least = other, distance(other, g, i)
    return f


@fast
def touch(k: int, place: Any, speed: Any, i: Any, w: Any, p: Any) -> tuple[float, float, Any, Any]:
    """Depth and rate of contact k, the direction of the force on the crank, and where it acts."""
    middle = plus(A, -1.0, place)
    if k >= STRIPS:
        sign = -1.0 if k == STRIPS else 1.0
        rate = -sign * dot(speed, i) + sign * dot(middle, cross(w, i))
        return sign * dot(middle, i) - p[GAP], rate, plus(ZERO, sign, i), A if p[ONE_LINE] > 0.0 else place
    g = (middle[0] + (STRIPS - 2 * (k + 1) + 1) / STRIPS * 0.5 * p[LENGTH], middle[1], middle[2])
    f = nearest(g, i, p[EVERYWHERE])
    reach = g[0], g[1] + RADIUS * math.cos(f), g[2] + RADIUS * math.sin(f)
    along = dot(reach, i)
    h = plus(reach, -along, i)
    rho = math.sqrt(dot(h, h))
    h = plus(ZERO, 1.0 / rho, h)
    rate = dot(h, plus(speed, along, cross(w, i)))
    return RADIUS - p[GAP] - rho, rate, plus(ZERO, -1.0, h), plus(place, along, i)


@fast
def depths(y: Any, p: Any, found: Any) -> None:
    place, speed, i, w = journal(y)
    for k in range(CONTACTS):
        found[k, 0], found[k, 1], _, _ = touch(k, place, speed, i, w, p)


@fast
def loads(y: Any, p: Any, closed: Any, first: Any) -> tuple[Any, Any]:
    """Force on the crank by all that touches, and its moment about the ball."""
    place, speed, i, w = journal(y)
    force, moment = ZERO, ZERO
    u, _ = rod_line(y)
    ball = plus((y[0], 0.0, 0.0), ROD, u)
    for k in range(CONTACTS):
        if closed[k] == 0.0:
            continue
        depth, rate, along, at = touch(k, place, speed, i, w, p)
        if depth <= 0.0:
            continue
        ratio = 1.0 if first[k] == 0.0 or rate > first[k] else rate / first[k]
        size = (p[STRIP] if k < STRIPS else STIFFNESS) * depth**1.5 * max(0.0, 1.0 + HYSTERESIS * ratio)
        force, moment = plus(force, size, along), plus(moment, size, cross(plus(at, -1.0, ball), along))
    return force, moment


@fast
def solve(m: Any, r: Any) -> None:
    """Six equations, symmetric and positive definite, of which m holds the lower half; r becomes the solution."""
    for j in range(6):
        for k in range(j):
            m[j, j] -= m[j, k] * m[j, k]
        m[j, j] = math.sqrt(m[j, j])
        for i in range(j + 1, 6):
            for k in range(j):
                m[i, j] -= m[i, k] * m[j, k]
            m[i, j] /= m[j, j]
    for i in range(6):
        for k in range(i):
            r[i] -= m[i, k] * r[k]
        r[i] /= m[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            r[i] -= m[k, i] * r[k]
        r[i] /= m[i, i]


# Kinetic energy with p = z x u and q = n x u, |p| = cos b, |q| = 1, p·q = 0:
#   slider  ms x'² / 2
#   rod     mr |x' ex + l/2 (a' p + b' q)|² / 2 + (It cos²b + Iu sin²b) a'² / 2 + It b'² / 2
#   crank   mc |x' ex + l (a' p + b' q) - r/2 w x k|² / 2 + w·J w / 2,   J = Jt 1 + (Jk - Jt) k kᵀ
@fast
def masses(u: Any, p: Any, q: Any, k: Any, m: Any) -> None:
    """Mass matrix, lower half."""
    mc, mr, ms = MASSES
    ends, lever = 0.25 * mr * ROD**2 + mc * ROD**2, 0.5 * mr * ROD + mc * ROD
    lean = u[2] * u[2]
    m[:] = 0.0
    m[0, 0], m[1, 0], m[2, 0] = ms + mr + mc, lever * p[0], lever * q[0]
    m[1, 1] = ends * (1.0 - lean) + ROD_ACROSS * (1.0 - lean) + ROD_ALONG * lean
    m[2, 2] = ends + ROD_ACROSS
    half, across = 0.5 * mc * CRANK, CRANK_ACROSS + 0.25 * mc * CRANK**2
    kx, kp, kq = cross(k, (1.0, 0.0, 0.0)), cross(k, p), cross(k, q)
    for j in range(3):
        m[3 + j, 0], m[3 + j, 1], m[3 + j, 2] = -half * kx[j], -half * ROD * kp[j], -half * ROD * kq[j]
        m[3 + j, 3 + j] = across
        for i in range(j + 1):
            m[3 + j, 3 + i] += (CRANK_ALONG - across) * k[j] * k[i]


# What the speeds alone make of the accelerations: of u with e = a' b' z x n and w = a' z + b' n
#   e x u + w x (w x u),
# of the crank's middle also -r/2 w x (w x k); and the moments I e + w x I w of the rod, w x J w of the crank.
@fast
def motion(y: Any, par: Any, closed: Any, first: Any, m: Any, out: Any) -> None:
    """Rates of the states."""
    mc, mr, _ = MASSES
    _, k = crank_axes(y)
    u, n = rod_line(y)
    z = (0.0, 0.0, 1.0)
    p, q = cross(z, u), cross(n, u)
    masses(u, p, q, k, m)
    force, moment = loads(y, par, closed, first)
    rod, w = (y[9] * n[0], y[9] * n[1], y[8]), (y[10], y[11], y[12])
    e = plus(ZERO, y[8] * y[9], cross(z, n))
    bend = plus(cross(e, u), 1.0, cross(rod, cross(rod, u)))
    middle = plus((0.0, 0.0, -mr * GRAVITY), -0.5 * mr * ROD, bend)
    swing = cross(w, cross(w, k))
    crank = plus(plus((0.0, 0.0, -mc * GRAVITY), -mc * ROD, bend), 0.5 * mc * CRANK, swing)
    less = ROD_ALONG - ROD_ACROSS
    own = plus(plus(ZERO, ROD_ACROSS, e), less * dot(u, e), u)
    own = plus(own, less * dot(u, rod), cross(rod, u))
    at_ball = plus(crank, 1.0, force)
    turning = cross(k, crank)
    spin = plus(ZERO, (CRANK_ALONG - CRANK_ACROSS) * dot(k, w), cross(w, k))
    out[:3] = y[7:10]
    out[3] = -0.5 * (w[0] * y[4] + w[1] * y[5] + w[2] * y[6])
    out[4] = 0.5 * (w[0] * y[3] + w[1] * y[6] - w[2] * y[5])
    out[5] = 0.5 * (w[1] * y[3] + w[2] * y[4] - w[0] * y[6])
    out[6] = 0.5 * (w[2] * y[3] + w[0] * y[5] - w[1] * y[4])
    out[7] = middle[0] + at_ball[0]
    out[8] = 0.5 * ROD * dot(p, middle) + ROD * dot(p, at_ball) - own[2]
    out[9] = 0.5 * ROD * dot(q, middle) + ROD * dot(q, at_ball) - dot(n, own)
    for j in range(3):
        out[10 + j] = moment[j] - 0.5 * CRANK * turning[j] - spin[j]
    solve(m, out[7:])


@fast
def energy(y: Any) -> float:
    """Kinetic and potential, datum z = 0, of all three bodies [J]; contacts hold none of it."""
    _, k = crank_axes(y)
    u, n = rod_line(y)
    m, total = np.zeros((6, 6)), 0.0
    masses(u, cross((0.0, 0.0, 1.0), u), cross(n, u), k, m)
    for j in range(6):
        for i in range(6):
            total += 0.5 * y[7 + j] * y[7 + i] * (m[j, i] if i <= j else m[i, j])
    return total + GRAVITY * (MASSES[1] * 0.5 * ROD * u[2] + MASSES[0] * (ROD * u[2] - 0.5 * CRANK * k[2]))


@fast
def look(y: Any, before: float) -> tuple[float, float]:
    """Angle of the crank [rad], counted on from `before`, and tilt of its axis [rad]."""
    i, k = crank_axes(y)
    angle = math.atan2(-k[1], k[2])
    angle += 2.0 * math.pi * round((before - angle) / (2.0 * math.pi))
    return angle, math.atan2(math.hypot(i[1], i[2]), i[0])


def start(change: float = 0.0) -> np.ndarray:
    """Journal in the middle of its bearing; speeds of the ideal mechanism, all larger by the relative `change`."""
    y = np.zeros(SIZE)
    y[:4] = 0.2, math.atan2(1.0, -2.0), -math.asin(2.0 / 3.0), 1.0
    y[7:] = np.array([0.24, 2.4, 0.0, 6.0, 0.0, 0.0]) * (1.0 + change)
    return y


def parameters(length: float = 0.1, shared: bool = False, clearance: float = 1e-3, *, one_line: bool = False,
               everywhere: bool = False) -> np.ndarray:  # fmt: skip
    """G1: 0.02, shared; G2: 0.1, shared; G3: 0.1, not shared."""
    return np.array([length, clearance, STIFFNESS / (STRIPS if shared else 1), float(one_line), float(everywhere)])
