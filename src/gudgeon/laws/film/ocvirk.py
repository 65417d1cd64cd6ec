"""Ocvirk: short bearing, half film. Flow along the axis only; where the gap widens the film is ruptured.

    p = 6 mu v_s cos(theta - phi) (l^2/4 - z^2) / h^3,   |theta - phi| < pi/2

integrated in closed form (Schwab, Meijaard, Meijers 2002, A.6, A.7), x along v_s, xi and eta the components of e / c:

    F = -2 mu l (r/c)^3 v_s W,  lambda = l / 2r,  s^2 = 1 - epsilon^2,  J = 2/s arccos(-xi / sqrt(1 - eta^2))
    W_x = (lambda / s^2)^2 ((s^2 + 3 xi^2) J + 6 xi)
    W_y = (lambda / s^2)^2 eta (3 xi J + 4 + 2 xi^2 / (1 - eta^2))

W_x is a small difference of large numbers where the journal leaves the wall. 1 - eta^2 = s^2 + xi^2, so with
alpha = atan2(s, -xi) and rho^2 = 1 - eta^2 both brackets become functions of alpha alone:

    (s^2 + 3 xi^2) J + 6 xi   = 2 rho^2/s g    g = alpha (2 + cos 2 alpha) - 3/2 sin 2 alpha           = 4/15 alpha^5 ..
    3 xi J + 4 + 2 xi^2/rho^2 = q / sin alpha  q = 9/2 sin alpha + 1/2 sin 3 alpha - 6 alpha cos alpha = 4/5 alpha^5 ..

summed as series for small alpha. W_x > 0 then holds to the last digit: the film only takes energy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.peak import peak
from gudgeon.laws.law import Block

__all__ = ["Ocvirk", "short_impedance", "short_pressure"]


@dataclass(frozen=True)
class Ocvirk(FilmLaw):
    """Short bearing with a cavitated film, exact."""

    reference: ClassVar[str] = "Ocvirk 1952, NACA TN 2808; Schwab, Meijaard, Meijers 2002, A.6, A.7"
    works: ClassVar[tuple[str, ...]] = ("ocvirk1952", "schwab2002")
    validity: ClassVar[str] = (
        "Length up to half the diameter; the force is too large for longer bearings and close to the wall."
    )

    lengths: ClassVar[tuple[float, float]] = (0.0, 0.5)

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = short_impedance(ratio, squeeze, sweep)
        return -0.5 * p[3] * p[1] * (p[2] / p[0]) ** 3 * (wx * squeeze - wy * sweep)

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = short_impedance(ratio, squeeze, sweep)
        return -0.5 * p[3] * p[1] * (p[2] / p[0]) ** 3 * (wx * sweep + wy * squeeze)

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        return p[3] * p[2] ** 2 / p[0] ** 3 * short_pressure(ratio, squeeze, sweep)


def short_impedance(ratio: float, squeeze: float, sweep: float) -> tuple[float, float]:
    """W_x, W_y of the half film for lambda = 1, along the velocity and across it [-]."""
    speed = math.hypot(squeeze, sweep)
    if not ratio < 1.0:
        return math.nan, math.nan
    if speed == 0.0:
        return 0.0, 0.0
    xi = ratio * (squeeze / speed)
    eta = -ratio * (sweep / speed)
    s2 = (1.0 - ratio) * (1.0 + ratio)
    s = math.sqrt(s2)
    rho2 = s2 + xi * xi
    alpha = math.atan2(s, -xi)
    wx = 2.0 * rho2 * _along(alpha) / (s * s2 * s2)
    wy = eta * math.sqrt(rho2) * _across(alpha) / (s * s2 * s2)
    return wx, wy


def _along(alpha: float) -> float:
    # sum over k >= 2 of (-1)^k (k - 1) (2 alpha)^(2k+1) / (2k+1)!
    if alpha > 0.6:
        return alpha * (2.0 + math.cos(2.0 * alpha)) - 1.5 * math.sin(2.0 * alpha)
    square = 4.0 * alpha * alpha
    term = 2.0 * alpha * square * square / 120.0
    total = 0.0
    for k in range(2, 14):
        total += (k - 1) * term
        term *= -square / ((2 * k + 2) * (2 * k + 3))
    return total


def _across(alpha: float) -> float:
    # sum over k >= 2 of (-1)^k (4.5 - 6 (2k+1) + 1.5 9^k) alpha^(2k+1) / (2k+1)!
    if alpha > 0.6:
        return 4.5 * math.sin(alpha) + 0.5 * math.sin(3.0 * alpha) - 6.0 * alpha * math.cos(alpha)
    square = alpha * alpha
    term = alpha * square * square / 120.0
    power = 81.0
    total = 0.0
    for k in range(2, 14):
        total += (4.5 - 6.0 * (2 * k + 1) + 1.5 * power) * term
        term *= -square / ((2 * k + 2) * (2 * k + 3))
        power *= 9.0
    return total


def short_pressure(ratio: float, squeeze: float, sweep: float) -> float:
    """Peak pressure times c^3 / (mu l^2) [m/s], in the middle of the length."""
    if not ratio < 1.0:
        return math.nan
    return 1.5 * math.hypot(squeeze, sweep) * peak(ratio, math.atan2(abs(sweep), squeeze), False)
