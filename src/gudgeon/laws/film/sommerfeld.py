"""Sommerfeld: long bearing, half film. Flow round the circumference only.

With theta from the narrowest gap, h = 1 - epsilon cos theta, a = 1 + epsilon^2/2 and v_s = v (cos phi, sin phi) in the
frame of e, the Reynolds equation of the full film integrates to

    p = 6 mu r^2/c^3 v (1 + h)/h^2 (cos phi cos theta + sin phi sin theta / a) + constant

(1 + h)/h^2 is positive and the last factor changes its sign half a turn on, so the two opposite points of equal
pressure are its zeros. Their pressure is ambient and the positive half is kept (Schwab, Meijaard, Meijers 2002, A.8,
A.9; x along v_s, xi and eta the components of e / c):

    F = -2 mu l (r/c)^3 v W,  s^2 = 1 - epsilon^2,  G = 3 / (2 s^2 a),  K^2 = a^2 - (1 + epsilon^2/4) eta^2
    J = 2/s arccos(-a xi / R),  R^2 = K^2 - eta^2
    W_x = G ((2 + epsilon^2 - 3 eta^2) J + 4 xi K),   W_y = G eta (3 xi J + 4 K)

R^2 = a^2 xi^2 + s^2 K^2, so alpha = atan2(s K, -a xi) is the arccos, and without differences of near numbers

    W_x = 2 G / (s a) (R^2 (2 alpha - sin 2 alpha) + eta^2 s^2 alpha)
    W_y = 2 G eta R / s (2 (sin alpha - alpha cos alpha) - s^2 alpha cos alpha / a)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.peak import peak
from gudgeon.laws.law import Block

__all__ = ["Sommerfeld", "long_impedance", "long_pressure"]


@dataclass(frozen=True)
class Sommerfeld(FilmLaw):
    """Long bearing with a cavitated film: the positive half of the pressure."""

    reference: ClassVar[str] = "Sommerfeld 1904; Schwab, Meijaard, Meijers 2002, A.8, A.9"
    works: ClassVar[tuple[str, ...]] = ("sommerfeld1904", "schwab2002")
    validity: ClassVar[str] = "Length above four diameters; the force is too large for shorter bearings."

    lengths: ClassVar[tuple[float, float]] = (4.0, math.inf)

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = long_impedance(ratio, squeeze, sweep)
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * squeeze - wy * sweep)

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = long_impedance(ratio, squeeze, sweep)
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * sweep + wy * squeeze)

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        return p[3] * p[1] ** 2 / p[0] ** 3 * long_pressure(ratio, squeeze, sweep)


def long_impedance(ratio: float, squeeze: float, sweep: float) -> tuple[float, float]:
    """W_x, W_y of the half film, along the velocity and across it [-]."""
    speed = math.hypot(squeeze, sweep)
    if not ratio < 1.0:
        return math.nan, math.nan
    if speed == 0.0:
        return 0.0, 0.0
    xi = ratio * (squeeze / speed)
    eta = -ratio * (sweep / speed)
    s2 = (1.0 - ratio) * (1.0 + ratio)
    s = math.sqrt(s2)
    a = 1.0 + 0.5 * ratio * ratio
    k = math.sqrt(a * a - (1.0 + 0.25 * ratio * ratio) * eta * eta)
    r2 = (a * xi) ** 2 + s2 * k * k
    alpha = math.atan2(s * k, -a * xi)
    bow = alpha * math.cos(alpha)
    wx = 3.0 / (s2 * s * a * a) * (r2 * _segment(2.0 * alpha) + eta * eta * s2 * alpha)
    wy = 3.0 / (s2 * s * a) * eta * math.sqrt(r2) * (2.0 * _lens(alpha) - s2 * bow / a)
    return wx, wy


def _segment(x: float) -> float:
    # x - sin x
    if x > 1.0:
        return x - math.sin(x)
    square = x * x
    term = x * square / 6.0
    total = 0.0
    for k in range(1, 10):
        total += term
        term *= -square / ((2 * k + 2) * (2 * k + 3))
    return total


def _lens(x: float) -> float:
    # sin x - x cos x = sum over k >= 1 of (-1)^(k+1) 2k x^(2k+1) / (2k+1)!
    if x > 1.0:
        return math.sin(x) - x * math.cos(x)
    square = x * x
    term = x * square / 6.0
    total = 0.0
    for k in range(1, 10):
        total += 2 * k * term
        term *= -square / ((2 * k + 2) * (2 * k + 3))
    return total


def long_pressure(ratio: float, squeeze: float, sweep: float) -> float:
    """Peak pressure times c^3 / (mu r^2) [m/s]."""
    if not ratio < 1.0:
        return math.nan
    across = abs(sweep) / (1.0 + 0.5 * ratio * ratio)
    return 6.0 * math.hypot(squeeze, across) * peak(ratio, math.atan2(across, squeeze), True)
