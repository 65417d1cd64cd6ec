"""Pinkus-Sternlicht: long bearing, half film, with the interpolation K between wedge and squeeze.

With u = d epsilon/dt, w = omega_i + omega_j - 2 x whirl rate of e (Bauchau, Rodriguez 2002, Eqs 22-25, whose labels
of the two components are swapped), force on the journal, outward and across:

    radial     = -mu l r^3/c^2  6 |u| / ((2 + epsilon^2) s^3) (4 k epsilon^2 + sign(u) pi (2 + epsilon^2)) K
    tangential =  mu l r^3/c^2  6 pi epsilon w / ((2 + epsilon^2) s) K
    s^2 = 1 - epsilon^2,  k^2 = s^2 ((w / 2 u)^2 + 1 / epsilon^2),  K = (k + 3)/(k + 3/2) if u > 0, else k/(k + 3/2)

epsilon w = -2 sweep / c and u = squeeze / c, so k |u| = s v_s / (c epsilon): multiplied by epsilon and u nothing is
0/0, neither at rest nor in the centre. K is fitted: steady rotation is half Sommerfeld exactly, an approach is up to
13 per cent too stiff, and a separation close to the wall sucks (68 times too strong at epsilon = 0.99).
The power is -(2 pi s^2 y^2 -+ 4 epsilon s y + 3 pi epsilon^2) times positive factors, y = v_s / |squeeze|: never above
0, since the bracket has no root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.sommerfeld import long_pressure
from gudgeon.laws.law import Block, Law

__all__ = ["PinkusSternlicht"]


@dataclass(frozen=True)
class PinkusSternlicht(FilmLaw):
    """Long bearing as in some articles on flexible mechanisms; `Sommerfeld` is the exact solution."""

    reference: ClassVar[str] = "Pinkus, Sternlicht 1961, Theory of Hydrodynamic Lubrication; Bauchau, Rodriguez 2002"
    works: ClassVar[tuple[str, ...]] = ("pinkus1961", "bauchau2002")
    validity: ClassVar[str] = "Length above four diameters; not for a journal that leaves the wall, ratio above 0.8."

    lengths: ClassVar[tuple[float, float]] = (4.0, math.inf)

    @classmethod
    def examples(cls) -> list[Law]:
        return [cls("100 cP", radius="journal")]

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        if not ratio < 1.0:
            return math.nan
        s2, a = (1.0 - ratio) * (1.0 + ratio), 2.0 + ratio * ratio
        s, speed = math.sqrt(s2), math.hypot(squeeze, sweep)
        level = 6.0 / (a * s * s2) * (4.0 * s * ratio * speed + math.pi * a * squeeze)
        return -p[3] * p[2] * (p[1] / p[0]) ** 3 * level * _weight(ratio * squeeze, s * speed)

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        if not ratio < 1.0:
            return math.nan
        s = math.sqrt((1.0 - ratio) * (1.0 + ratio))
        level = 12.0 * math.pi * sweep / ((2.0 + ratio * ratio) * s)
        weight = _weight(ratio * squeeze, s * math.hypot(squeeze, sweep))
        return -p[3] * p[2] * (p[1] / p[0]) ** 3 * level * weight

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        """Of the half film that the force was integrated from."""
        return p[3] * p[1] ** 2 / p[0] ** 3 * long_pressure(ratio, squeeze, sweep)


def _weight(rise: float, speed: float) -> float:
    # K, numerator and denominator times epsilon |u|
    if speed == 0.0:
        return 1.0
    if rise > 0.0:
        return (speed + 3.0 * rise) / (speed + 1.5 * rise)
    return speed / (speed - 1.5 * rise)
