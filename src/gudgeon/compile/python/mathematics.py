"""Functions of `math` in plain arithmetic, for machines without a C library; within a few units of the last place.

    log x    = e ln 2 + 2 artanh s,  s = (m - 1) / (m + 1),  x = m 2^e,  1/sqrt 2 <= m < sqrt 2
    exp x    = 2^k exp r,            r = x - k ln 2,  |r| <= ln 2 / 2
    sin, cos   π/2 taken away in three pieces (Cody and Waite), as in graph/circle.py
    atan x     halved twice by  tan(a/2) = x / (1 + sqrt(1 + x^2)),  then its series
    erf x    = 2/sqrt π exp(-x²) sum 2^n x^(2n+1) / (2n+1)!!,  all terms of one sign; beyond 1 from erfc
    erfc x   = exp(-x²) / sqrt π  1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...))))

Each is a formula that can be read and tested as Python; names and arguments are those of `math`.
"""

from __future__ import annotations

import math

from gudgeon.compile.graph.circle import PIECES, TWO_OVER_PI

__all__ = ["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "degrees", "erf", "erfc",
           "exp", "exp2", "expm1", "hypot", "log", "log1p", "log2", "log10", "pow", "radians", "sin", "sinh", "tan",
           "tanh"]  # fmt: skip

LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
ONE_OVER_LN2 = 1.4426950408889634
SMALLEST, LARGEST = -708.0, 709.0
EXP = tuple(1.0 / math.factorial(n) for n in range(14))
ARTANH = tuple(2.0 / (2 * n + 1) for n in range(12))
ATAN = tuple((-1.0) ** n / (2 * n + 1) for n in range(13))
SIN = tuple((-1.0) ** n / math.factorial(2 * n + 1) for n in range(9))
COS = tuple((-1.0) ** n / math.factorial(2 * n) for n in range(9))


def exponent(x: float) -> int:
    """e of x = m 2^e with 1 <= m < 2; x positive and normal."""
    return math.frexp(x)[1] - 1


def scaled(x: float, k: int) -> float:
    """x 2^k, -1022 <= k <= 1023."""
    return math.ldexp(x, k)


def exp(x: float) -> float:
    if x != x:
        return x
    if x > LARGEST:
        return math.inf if x > 709.78 else 2.0 * exp_within(x - 0.6931471805599453)
    if x < SMALLEST:
        return 0.0
    return exp_within(x)


def exp_within(x: float) -> float:
    k = math.floor(x * ONE_OVER_LN2 + 0.5)
    r = x - k * LN2_HIGH - k * LN2_LOW
    total = 0.0
    for n in range(13, -1, -1):
        total = total * r + EXP[n]
    return scaled(total, k)


def log(x: float) -> float:
    if not x > 0.0:
        return -math.inf if x == 0.0 else math.nan
    if x > 1.7e308:
        return 709.782712893384 if x < math.inf else x
    e, m = 0, x
    if x < 3e-308:
        e, m = -60, x * 1.152921504606847e18
    k = exponent(m)
    m = scaled(m, -k)
    if m > 1.4142135623730951:
        m, k = 0.5 * m, k + 1
    e += k
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    total = 0.0
    for n in range(11, 0, -1):
        total = (total + ARTANH[n]) * z
    # the leading term 2 s is written as (m - 1) - s (m - 1), which keeps its last digits
    near = (m - 1.0) - s * ((m - 1.0) - total)
    return e * LN2_HIGH + (e * LN2_LOW + near)


def pow(x: float, n: float) -> float:
    if n == 1.5:
        return x * math.sqrt(x)
    if n == 1.0:
        return x
    if n == 2.0:
        return x * x
    if n == 0.5:
        return math.sqrt(x)
    if n == 0.0:
        return 1.0
    if x == 0.0:
        return 0.0 if n > 0.0 else math.inf
    if x > 0.0:
        return exp(n * log(x))
    if n != math.floor(n):
        return math.nan
    return (1.0 - 2.0 * (n % 2.0)) * exp(n * log(-x))


def reduced(x: float) -> tuple[float, float]:
    """x less k π/2, and k."""
    k = float(math.floor(x * TWO_OVER_PI + 0.5))
    return x - k * PIECES[0] - k * PIECES[1] - k * PIECES[2], k % 4.0


def sin_near(r: float) -> float:
    z, total = r * r, 0.0
    for n in range(8, 0, -1):
        total = (total + SIN[n]) * z
    return r + r * total


def cos_near(r: float) -> float:
    z, total = r * r, 0.0
    for n in range(8, 0, -1):
        total = (total + COS[n]) * z
    return 1.0 + total


def sin(x: float) -> float:
    r, quarter = reduced(x)
    value = sin_near(r) if quarter == 0.0 or quarter == 2.0 else cos_near(r)
    return value if quarter < 2.0 else -value


def cos(x: float) -> float:
    r, quarter = reduced(x)
    value = cos_near(r) if quarter == 0.0 or quarter == 2.0 else sin_near(r)
    return -value if quarter == 1.0 or quarter == 2.0 else value


def tan(x: float) -> float:
    return sin(x) / cos(x)


def atan(x: float) -> float:
    if abs(x) > 1.0:
        return math.copysign(1.5707963267948966, x) - atan_within(1.0 / x)
    return atan_within(x)


def atan_within(x: float) -> float:
    half = x / (1.0 + math.sqrt(1.0 + x * x))
    r = half / (1.0 + math.sqrt(1.0 + half * half))
    z, total = r * r, 0.0
    for n in range(12, 0, -1):
        total = (total + ATAN[n]) * z
    return 4.0 * (r + r * total)


def atan2(y: float, x: float) -> float:
    if x != x or y != y:
        return math.nan
    if x == 0.0 and y == 0.0:
        return y if math.copysign(1.0, x) > 0.0 else math.copysign(3.141592653589793, y)
    if abs(y) > abs(x):
        return math.copysign(1.5707963267948966, y) - atan_within(x / y)
    near = atan_within(y / x)
    return near if x > 0.0 else near + math.copysign(3.141592653589793, y)


def asin(x: float) -> float:
    return atan2(x, math.sqrt((1.0 - x) * (1.0 + x)))


def acos(x: float) -> float:
    return atan2(math.sqrt((1.0 - x) * (1.0 + x)), x)


def hypot(x: float, y: float) -> float:
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    if 1e-140 < a < 1e150:  # squares neither vanish nor overflow where they count
        return math.sqrt(a * a + b * b)
    return a * math.sqrt(1.0 + (b / a) * (b / a)) if a > 0.0 else a


def expm1(x: float) -> float:
    if abs(x) > 0.3:
        return exp(x) - 1.0
    total = 0.0
    for n in range(13, 1, -1):
        total = (total + EXP[n]) * x
    return x + x * total


def log1p(x: float) -> float:
    # what rounding takes from 1 + x is put back
    u = 1.0 + x
    return log(u) - ((u - 1.0) - x) / u if u > 0.0 else log(u)


def log10(x: float) -> float:
    return log(x) * 0.4342944819032518


def log2(x: float) -> float:
    return log(x) * 1.4426950408889634


def exp2(x: float) -> float:
    return exp(x * 0.6931471805599453)


def cbrt(x: float) -> float:
    a = abs(x)
    if not 0.0 < a < math.inf:
        return x
    r = exp(log(a) / 3.0)
    return math.copysign(r - (r - a / (r * r)) / 3.0, x)  # one step of Newton's method takes the rounding away


def degrees(x: float) -> float:
    return x * 57.29577951308232


def radians(x: float) -> float:
    return x * 0.017453292519943295


def bell(x: float) -> float:
    """exp(-x²) with the digits that x² loses."""
    high = x * 134217729.0
    high = high - (high - x)  # 26 bits, whose square is exact
    return exp(-high * high) * exp(-(x - high) * (x + high))


def erfc_beyond(x: float) -> float:
    """erfc of x >= 1."""
    if x > 27.3:
        return 0.0
    n = math.floor(200.0 / (x * x)) + 8
    rest = x
    for k in range(n, 0, -1):
        rest = x + 0.5 * k / rest
    return bell(x) * 0.5641895835477563 / rest


def erf_within(x: float) -> float:
    """erf of |x| <= 1."""
    z = 2.0 * x * x
    total = 1.0
    for n in range(24, 0, -1):
        total = 1.0 + total * z / (2.0 * n + 1.0)
    return 1.1283791670955126 * x * bell(x) * total


def erf(x: float) -> float:
    if x != x:
        return x
    if abs(x) <= 1.0:
        return erf_within(x)
    return math.copysign(1.0 - erfc_beyond(abs(x)), x)


def erfc(x: float) -> float:
    if x != x:
        return x
    if abs(x) <= 1.0:
        return 1.0 - erf_within(x)
    rest = erfc_beyond(abs(x))
    return rest if x > 0.0 else 2.0 - rest


def sinh(x: float) -> float:
    a = abs(x)
    if a > 1.0:
        e = exp(a)
        return math.copysign(0.5 * (e - 1.0 / e), x)
    g = expm1(a)
    return math.copysign(0.5 * (g + g / (1.0 + g)), x)


def cosh(x: float) -> float:
    e = exp(abs(x))
    return 0.5 * (e + 1.0 / e)


def tanh(x: float) -> float:
    a = abs(x)
    if a > 22.0:
        return math.copysign(1.0, x)
    g = expm1(2.0 * a)
    return math.copysign(g / (g + 2.0), x)


def asinh(x: float) -> float:
    a = abs(x)
    return math.copysign(log1p(a + a * a / (1.0 + math.sqrt(1.0 + a * a))), x)


def acosh(x: float) -> float:
    return log(x + math.sqrt((x - 1.0) * (x + 1.0)))


def atanh(x: float) -> float:
    return 0.5 * log1p(2.0 * x / (1.0 - x))
