"""Moes: a bearing of finite length as a short and a long one in series, both with a ruptured film.

    F = -2 mu l (r/c)^3 v_s W,   1/W_x = 1/W_sx + 1/W_lx,   1/W_y = 1/W_sy + 1/W_ly

Schwab, Meijaard, Meijers 2002, A.10, A.11; they print the force on the sleeve. W_s with lambda = l / 2r is that of
`Ocvirk`, W_l that of `Sommerfeld`. Both W_y carry the factor eta, which is taken out: 0/0 for eta = 0 otherwise.
The article gives no pressure. Here it is put together the same way, 1/p = 1/p_s + 1/p_l, from the two peaks.

Against the Reynolds equation with cavitation (`gudgeon.laws.film.reynolds`), l = r/2 to 4 r, epsilon up to 0.99: where
the journal approaches or turns the force is within 17 per cent and 7 degrees, the peak pressure 27 per cent too low to
8 too high; where it leaves, 38 per cent, 21 degrees and 51 too low to 32 too high. For l = 10 r the force of a leaving
journal is 61 per cent too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.ocvirk import short_impedance, short_pressure
from gudgeon.laws.film.sommerfeld import long_impedance, long_pressure
from gudgeon.laws.law import Block

__all__ = ["Moes", "finite_impedance", "finite_pressure"]


@dataclass(frozen=True)
class Moes(FilmLaw):
    """Journal bearing of finite length with cavitation, in closed form (impedance method)."""

    reference: ClassVar[str] = "Moes, Sikkes, Bosma 1986; Booker 1965; Schwab, Meijaard, Meijers 2002, A.1-A.11"
    works: ClassVar[tuple[str, ...]] = ("moes1986", "booker1965", "schwab2002")
    validity: ClassVar[str] = (
        "Length up to two diameters; within 17 per cent of the Reynolds equation unless the journal leaves the wall; "
        "rigid round surfaces, constant viscosity, no supply holes."
    )

    lengths: ClassVar[tuple[float, float]] = (0.0, 2.0)
    beyond: ClassVar[str] = "its force is too small; use ReynoldsTable"

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = finite_impedance(ratio, squeeze, sweep, 0.5 * p[2] / p[1])
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * squeeze - wy * sweep)

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = finite_impedance(ratio, squeeze, sweep, 0.5 * p[2] / p[1])
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * sweep + wy * squeeze)

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        return p[3] * p[1] ** 2 / p[0] ** 3 * finite_pressure(ratio, squeeze, sweep, 0.5 * p[2] / p[1])


def finite_impedance(ratio: float, squeeze: float, sweep: float, slenderness: float) -> tuple[float, float]:
    """W_x, W_y for slenderness = l / 2r, along the velocity and across it [-]."""
    short_x, short_y = short_impedance(ratio, squeeze, sweep)
    long_x, long_y = long_impedance(ratio, squeeze, sweep)
    square = slenderness * slenderness
    return _series(square * short_x, long_x), _series(square * short_y, long_y)


def finite_pressure(ratio: float, squeeze: float, sweep: float, slenderness: float) -> float:
    """Peak pressure times c^3 / (mu r^2) [m/s]."""
    square = 4.0 * slenderness * slenderness
    return _series(square * short_pressure(ratio, squeeze, sweep), long_pressure(ratio, squeeze, sweep))


def _series(a: float, b: float) -> float:
    # 0 for eta = 0 or at rest, where both are 0
    if a == 0.0 or b == 0.0:
        return 0.0
    return a / (1.0 + a / b)
