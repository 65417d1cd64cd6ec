"""Misaligned: the film of a whole sleeve whose journal tilts, from the gaps at its two ends.

Lengths in units of the clearance c, Z = 2 z / l from -1 to 1, n = (cos theta, sin theta), lambda = l / 2r. The
eccentricity and the pure-squeeze velocity are linear in Z, e + Z t and v + Z w, and so is the gap at each angle:

    H = g - Z t.n,    g = 1 - e.n
    1/lambda^2 d/dZ (H^3 dP/dZ) + d/dtheta (H^3 dP/dtheta) = -12 (a + b Z),    a = v.n,  b = w.n,  P(-1) = P(1) = 0

p = P mu r^2 / c^3. Z = (s + k) / (1 + k s) with k = t.n / g makes 1 + k s of the gap's inverse:

    H = g (1 - k^2) / (1 + k s),    integral H^3 (dP/dZ)^2 dZ = g^3 (1 - k^2)^2 integral (dP/ds)^2 / (1 + k s) ds

In s the narrow bearing (flow along the axis only) has P = 6 lambda^2 a (1 - s^2) / (g^3 (1 - k^2)) for w = 0, exactly:
a parabola however far the journal tilts. So at each angle P = (1 - s^2) (x0 + x1 s), by Galerkin's method.

Flow round the circumference is a loss at each point: where all flow goes round, 12 (a + b Z) / P of `Sommerfeld` is

    2 H^2 / (1 + H)   for v along e,    1 + epsilon^2/2 times that for v across it

and at the angle theta from e between them, 2 H^2 / (1 + H) (1 + (epsilon sin theta)^2 / 2). It joins Galerkin's matrix.
Where P < 0 the film is ruptured. P changes its sign once in s; the positive part, taken as a trial function of its own,
is scaled so that it balances its energy. Then f a + m b = P^T A P >= 0 at every angle, f and m being the integrals of P
and P Z, and the film only takes energy, whatever the rule of integration:

    F = -mu l (r/c)^3 / 2  integral f n dtheta,    M = -mu l (r/c)^3 / 2  integral m n dtheta,    power = F.v + M.w

which the ends of the sleeve are pushed by (F + M) / 2 and (F - M) / 2. Integrals over theta: Gauss's rule over the two
half circles on either side of the velocity, in an angle u that crowds about the narrowest gap, tan(u/2) = tan(x/2) / K.

Against the Reynolds equation with cavitation, l = r/2 to 2 r: without tilt the force is within 8 per cent up to epsilon
= 0.5 and within 16 up to 0.999; with tilts up to 0.8 of the possible that of a moving journal is within 11 per cent and
the moment within 16 (medians 1 to 5); see `tests/reference/test_tilted_sleeve.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.law import Block
from gudgeon.laws.pair import Pair

__all__ = ["Misaligned"]

# Gauss-Legendre on -1..1: along the axis, and round half a circle (the upper half of 16 points). Laws read them from
# their block, so that loops over them stay loops on a card
NODES = (-0.9602898564975362, -0.7966664774136267, -0.525532409916329, -0.18343464249564978, 0.18343464249564978,
         0.525532409916329, 0.7966664774136267, 0.9602898564975362)  # fmt: skip
WEIGHTS = (0.10122853629037706, 0.22238103445337443, 0.3137066458778869, 0.36268378337836166, 0.36268378337836166,
           0.3137066458778869, 0.22238103445337443, 0.10122853629037706)  # fmt: skip
ROUND = (0.09501250983763744, 0.2816035507792589, 0.45801677765722737, 0.6178762444026438, 0.755404408355003,
         0.8656312023878318, 0.9445750230732326, 0.9894009349916499)  # fmt: skip
SHARES = (0.18945061045506864, 0.18260341504492364, 0.16915651939500265, 0.1495959888165767,
          0.12462897125553407, 0.0951585116824926, 0.062253523938647456, 0.027152459411754176)  # fmt: skip
ALONG, AROUND = 4, 20  # places of the points in the block; their weights are 8 further on
CROWDING = 0.35  # power of (1 - ratio) / (1 + ratio) that points crowd by; 1/2 is Sommerfeld's angle
CENTRED = 1e-20  # square of a ratio below which the narrowest gap has no direction
LOOKS = 24  # angles at which the highest pressure is looked for
NEAR = 1e-4  # step [rad] of the parabolas


@dataclass(frozen=True)
class Misaligned(FilmLaw):
    """Journal bearing of finite length with cavitation whose journal may tilt; computes a sleeve as a whole."""

    reference: ClassVar[str] = (
        "Reynolds 1886; Galerkin's method along the axis, Sommerfeld 1904 round the circumference"
    )
    works: ClassVar[tuple[str, ...]] = ("reynolds1886",)
    validity: ClassVar[str] = (
        "Length up to the diameter, ratio at the ends up to 0.999; rigid round surfaces, constant viscosity, no "
        "supply holes. The pressure is zero at both ends, so that an end of a tilted journal can touch: give a wall."
    )

    lengths: ClassVar[tuple[float, float]] = (0.0, 1.0)
    beyond: ClassVar[str] = "its force is too small; use ReynoldsTable"
    whole: ClassVar[bool] = True

    def pack(self, pair: Pair) -> dict[str, float]:
        """p[4:] points and weights along the axis, then round half a circle."""
        points = (*NODES, *WEIGHTS, *ROUND, *SHARES)
        return {**super().pack(pair), **{f"q{k}": value for k, value in enumerate(points)}}

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        side = abs(sweep)
        x, _, _, _ = _push(ratio, 0.0, ratio, 0.0, squeeze, side, squeeze, side, p)
        return -0.5 * p[3] * p[2] * (p[1] / p[0]) ** 3 * x

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        side = abs(sweep)
        _, y, _, _ = _push(ratio, 0.0, ratio, 0.0, squeeze, side, squeeze, side, p)
        return -0.5 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (y if sweep >= 0.0 else -y)

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        side = abs(sweep)
        return p[3] * p[1] ** 2 / p[0] ** 3 * _highest(ratio, 0.0, ratio, 0.0, squeeze, side, squeeze, side, p)

    # -- of the whole sleeve: e / c [-] and v_s [m/s] at the front (Z = 1) and rear end, along two directions x and y

    @staticmethod
    def at_end(part: float, xf: float, yf: float, xr: float, yr: float, uf: float, vf: float, ur: float, vr: float,
               p: Block) -> float:  # fmt: skip
        """Force on the journal [N], by `part`: 0 and 1 at the front along x and y, 2 and 3 at the rear. One function,
        since each of its derivatives takes seconds to compile."""
        x, y, across, along = _push(xf, yf, xr, yr, uf, vf, ur, vr, p)
        size = -0.25 * p[3] * p[2] * (p[1] / p[0]) ** 3
        if part == 0.0:
            return size * (x + across)
        if part == 1.0:
            return size * (y + along)
        if part == 2.0:
            return size * (x - across)
        return size * (y - along)

    @staticmethod
    def crest(xf: float, yf: float, xr: float, yr: float, uf: float, vf: float, ur: float, vr: float,
              p: Block) -> float:  # fmt: skip
        """Highest pressure [Pa]."""
        return p[3] * p[1] ** 2 / p[0] ** 3 * _highest(xf, yf, xr, yr, uf, vf, ur, vr, p)

    @staticmethod
    def drag(xf: float, yf: float, xr: float, yr: float, p: Block) -> float:
        """Shear coefficient [N m s/rad]: the mean of `couple` over the length."""
        total = 0.0
        i = ALONG
        for _ in range(8):
            x = 0.5 * (xf + xr) + 0.5 * p[i] * (xf - xr)
            y = 0.5 * (yf + yr) + 0.5 * p[i] * (yf - yr)
            rest = 1.0 - x * x - y * y
            if not rest > 0.0:
                return math.nan
            total += 0.5 * p[i + 8] / math.sqrt(rest)
            i += 1
        return 2.0 * math.pi * p[3] * p[2] * p[1] ** 3 / p[0] * total


def _narrowest(xf: float, yf: float, xr: float, yr: float) -> tuple[float, float, float]:
    """Direction of the narrowest gap of the end that has it, and K; K is nan where the journal is outside."""
    front = xf * xf + yf * yf
    rear = xr * xr + yr * yr
    square = front if front >= rear else rear
    if not square < 1.0:
        return 1.0, 0.0, math.nan
    if square < CENTRED:
        return 1.0, 0.0, 1.0
    ratio = math.sqrt(square)
    x = xf if front >= rear else xr
    y = yf if front >= rear else yr
    return x / ratio, y / ratio, ((1.0 - ratio) / (1.0 + ratio)) ** CROWDING


def _spread(x: float, k: float) -> float:
    """u of x [rad], half a turn further on for half a turn."""
    return x + 2.0 * math.atan2((1.0 - k) * math.sin(x), (1.0 + k) - (1.0 - k) * math.cos(x))


def _normal(u: float, sign: float, x: float, y: float, k: float) -> tuple[float, float, float]:
    """n at u from the direction (x, y), or with sign -1 at u from the opposite one, and dtheta/du."""
    c = sign * math.cos(u)
    rate = 2.0 * k / (1.0 + c + k * k * (1.0 - c))
    near = 0.5 * rate * (1.0 + c - k * k * (1.0 - c)) / k
    far = rate * sign * math.sin(u)
    return near * x - far * y, near * y + far * x, rate


def _push(xf: float, yf: float, xr: float, yr: float, uf: float, vf: float, ur: float, vr: float,
          p: Block) -> tuple[float, float, float, float]:  # fmt: skip
    """Integrals of f n and m n over the circle [m/s]."""
    x, y, k = _narrowest(xf, yf, xr, yr)
    if not k > 0.0:
        return math.nan, math.nan, math.nan, math.nan
    # the half circles end square to the direction in which most of the sleeve moves: where the film of a journal that
    # only moves, or only tilts, ends
    along = 0.5 * (uf + ur)
    across = 0.5 * (vf + vr)
    tilting = 0.5 * (uf - ur)
    twisting = 0.5 * (vf - vr)
    most = along * along - across * across + (tilting * tilting - twisting * twisting) / 3.0
    mixed = 2.0 * (along * across + tilting * twisting / 3.0)
    turn = 0.0
    if most != 0.0 or mixed != 0.0:
        turn = 0.5 * math.atan2(mixed, most)
    # in the half on the side of (x, y) u is counted from there, in the other from the opposite direction: what is even
    # about e is then so to the last digit
    near = math.cos(turn) * x + math.sin(turn) * y
    far = math.sin(turn) * x - math.cos(turn) * y
    turn = math.atan2(far, near) if near >= 0.0 else math.atan2(-far, -near)
    fx = 0.0
    fy = 0.0
    mx = 0.0
    my = 0.0
    for side in range(2):
        bend = k if side == 0 else 1.0 / k
        low = _spread(turn - 0.5 * math.pi, bend)
        high = _spread(turn + 0.5 * math.pi, bend)
        i = AROUND
        for _ in range(8):
            f1, f2, m1, m2 = _pair(0.5 * (low + high), 0.5 * (high - low), p[i], p[i + 8], 1.0 - 2.0 * side, x, y, k,
                                   xf, yf, xr, yr, uf, vf, ur, vr, p)  # fmt: skip
            fx += f1
            fy += f2
            mx += m1
            my += m2
            i += 1
    return fx, fy, mx, my


def _pair(middle: float, half: float, place: float, weight: float, sign: float, x: float, y: float, k: float,
          xf: float, yf: float, xr: float, yr: float, uf: float, vf: float, ur: float, vr: float,
          p: Block) -> tuple[float, float, float, float]:  # fmt: skip
    """What two angles as far from the middle of a half circle add to the integrals."""
    c, s, rate = _normal(middle - half * place, sign, x, y, k)
    f, m, _ = _section(c, s, xf, yf, xr, yr, uf * c + vf * s, ur * c + vr * s, p)
    c2, s2, rate2 = _normal(middle + half * place, sign, x, y, k)
    f2, m2, _ = _section(c2, s2, xf, yf, xr, yr, uf * c2 + vf * s2, ur * c2 + vr * s2, p)
    share = half * weight * rate
    share2 = half * weight * rate2
    return (share * f * c + share2 * f2 * c2, share * f * s + share2 * f2 * s2, share * m * c + share2 * m2 * c2,
            share * m * s + share2 * m2 * s2)  # fmt: skip


def _section(c: float, s: float, xf: float, yf: float, xr: float, yr: float, front: float, rear: float,
             p: Block) -> tuple[float, float, float]:  # fmt: skip
    """f, m and the highest P at one angle, whose surfaces approach with `front` and `rear` at the ends [m/s]."""
    if front <= 0.0 and rear <= 0.0:  # no source, no pressure
        return 0.0, 0.0, 0.0
    gap = 1.0 - 0.5 * ((xf + xr) * c + (yf + yr) * s)
    k = 0.5 * ((xf - xr) * c + (yf - yr) * s) / gap
    turn = 0.5 * ((xf + xr) * s - (yf + yr) * c)
    twist = 0.5 * ((xf - xr) * s - (yf - yr) * c)
    a = 0.5 * (front + rear)
    b = 0.5 * (front - rear)
    flow = gap * (gap * (1.0 - k * k) * 2.0 * p[1] / p[2]) ** 2
    a00 = 0.0
    a01 = 0.0
    a11 = 0.0
    f0 = 0.0
    m0 = 0.0
    f1 = 0.0
    m1 = 0.0
    i = ALONG
    for _ in range(8):
        x = p[i]
        z, dz, leak = _place(x, p[i + 8], gap, k, turn, twist)
        bow = 1.0 - x * x
        slope = 1.0 - 3.0 * x * x
        axial = flow * p[i + 8] / (1.0 + k * x)
        lost = leak * bow * bow
        a00 += 4.0 * x * x * axial + lost
        a01 += x * (lost - 2.0 * slope * axial)
        a11 += slope * slope * axial + lost * x * x
        f0 += bow * dz
        m0 += bow * dz * z
        f1 += bow * dz * x
        m1 += bow * dz * x * z
        i += 1
    b0 = 12.0 * (a * f0 + b * m0)
    b1 = 12.0 * (a * f1 + b * m1)
    rest = a00 * a11 - a01 * a01
    x0 = (b0 * a11 - b1 * a01) / rest
    x1 = (b1 * a00 - b0 * a01) / rest
    if x0 <= -abs(x1):
        return 0.0, 0.0, 0.0
    # the top of (1 - s^2) (x0 + x1 s), by the root that is inside
    x = x1 / (x0 + math.sqrt(x0 * x0 + 3.0 * x1 * x1))
    top = (1.0 - x * x) * (x0 + x1 * x)
    if x0 >= abs(x1):
        return x0 * f0 + x1 * f1, x0 * m0 + x1 * m1, top
    f, m, kept = _positive(x0, x1, gap, k, turn, twist, flow, p)
    part = 12.0 * (f * a + m * b) / kept
    if not part > 0.0:
        return 0.0, 0.0, 0.0
    return part * f, part * m, part * top


def _place(x: float, weight: float, gap: float, k: float, turn: float, twist: float) -> tuple[float, float, float]:
    """Z, its share dZ, and the loss by flow round the circumference times dZ, at s = x."""
    y = 1.0 + k * x
    z = (x + k) / y
    dz = weight * (1.0 - k * k) / (y * y)
    h = gap * (1.0 - k * k) / y
    q = turn + twist * z
    return z, dz, 2.0 * h * h / (1.0 + h) * (1.0 + 0.5 * q * q) * dz


def _positive(x0: float, x1: float, gap: float, k: float, turn: float, twist: float,
              flow: float, p: Block) -> tuple[float, float, float]:  # fmt: skip
    """f and m of the positive part of (1 - s^2) (x0 + x1 s), which ends where it is 0, and the energy P^T A P."""
    low = -x0 / x1 if x1 > 0.0 else -1.0
    high = 1.0 if x1 > 0.0 else -x0 / x1
    f = 0.0
    m = 0.0
    kept = 0.0
    i = ALONG
    for _ in range(8):
        x = 0.5 * (low + high + (high - low) * p[i])
        weight = 0.5 * (high - low) * p[i + 8]
        z, dz, leak = _place(x, weight, gap, k, turn, twist)
        bow = 1.0 - x * x
        height = bow * (x0 + x1 * x)
        slope = x1 * bow - 2.0 * x * (x0 + x1 * x)
        f += height * dz
        m += height * z * dz
        kept += flow * weight / (1.0 + k * x) * slope * slope + leak * height * height
        i += 1
    return f, m, kept


def _highest(xf: float, yf: float, xr: float, yr: float, uf: float, vf: float, ur: float, vr: float,
             p: Block) -> float:  # fmt: skip
    """Highest P times the velocity [m/s]: at even steps of u, nearer and nearer to the best, then where parabolas have
    their top."""
    x, y, k = _narrowest(xf, yf, xr, yr)
    if not k > 0.0:
        return math.nan
    best = 0.0
    place = 0.0
    step = 2.0 * math.pi / LOOKS
    for n in range(LOOKS + 24):
        u = step * n
        if n >= LOOKS:
            step *= 0.62 if n % 2 == 0 else 1.0
            u = place + step if n % 2 == 0 else place - step
        top = _top(u, x, y, k, xf, yf, xr, yr, uf, vf, ur, vr, p)
        if top > best:
            best = top
            place = u
    for _ in range(2):
        before = _top(place - NEAR, x, y, k, xf, yf, xr, yr, uf, vf, ur, vr, p)
        after = _top(place + NEAR, x, y, k, xf, yf, xr, yr, uf, vf, ur, vr, p)
        bend = before - 2.0 * best + after
        if bend < 0.0:
            beside = place - 0.5 * NEAR * (after - before) / bend
            top = _top(beside, x, y, k, xf, yf, xr, yr, uf, vf, ur, vr, p)
            if top > best:
                best = top
                place = beside
    return best


def _top(u: float, x: float, y: float, k: float, xf: float, yf: float, xr: float, yr: float, uf: float, vf: float,
         ur: float, vr: float, p: Block) -> float:  # fmt: skip
    c, s, _ = _normal(u, 1.0, x, y, k)
    _, _, top = _section(c, s, xf, yf, xr, yr, uf * c + vf * s, ur * c + vr * s, p)
    return top
