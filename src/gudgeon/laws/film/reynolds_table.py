"""Reynolds table: the Reynolds equation of a bearing of finite length, solved once for its length and tabulated.

F = -2 mu l (r/c)^3 v_s W(epsilon, phi), phi the direction of v_s from e: for one slenderness l / 2r two variables are
left. W grows over ten decades towards the wall, so not W is tabulated but how it differs from the closed form of
`Moes`, which has the same singularity:

    ln |W| / |W_Moes|,   angle of W - angle of W_Moes,   ln P / P_Moes      (P the peak pressure)

at even steps of sqrt(1 - epsilon) from epsilon = 0 to 0.999 and of phi from 0 to pi; between them cubic B-splines in
both, with two continuous derivatives. Nearer to the wall the differences stay as they are at 0.999. The angle of W
from v_s is held within 90 degrees: the film takes energy whatever the table says.

For lengths of 0.05 to 5 diameters the force of the splines is within 1 per cent (median 0.01) and the peak within 2.5
of the solutions they stand for, at 150 random points; the solutions change by 0.2 per cent up to epsilon = 0.9 and by
1.1 at 0.999 when the grid is made three times finer round the ring and twice along it.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, get_args

import numpy as np

from gudgeon.compile.native.cache import directory
from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.moes import finite_impedance, finite_pressure
from gudgeon.laws.film.reynolds import Array, Bearing, Cavitation
from gudgeon.laws.law import Block
from gudgeon.laws.pair import Pair
from gudgeon.quantity import GudgeonError, in_words

__all__ = ["ReynoldsTable", "film_table"]

RATIOS, ANGLES = 24, 25  # nodes
AROUND, ALONG = 128, 12  # points of each solution
NEAREST = math.sqrt(1.0 - 0.999)
STEP = (1.0 - NEAREST) / (RATIOS - 1)
TURN = math.pi / (ANGLES - 1)
ROW = ANGLES + 2
LAYER = (RATIOS + 2) * ROW
FIRST = 4


@dataclass(frozen=True)
class ReynoldsTable(FilmLaw):
    """Bearing of any length from the Reynolds equation with cavitation.

    cavitation [-]: "reynolds", the film ends where pressure and slope are zero, or "guembel", negative pressure is cut
    """

    reference: ClassVar[str] = "Reynolds 1886; cavitation: Christopherson 1941"
    works: ClassVar[tuple[str, ...]] = ("reynolds1886", "christopherson1941")
    validity: ClassVar[str] = (
        "Length 0.02 to 20 diameters, ratio up to 0.999; rigid round surfaces, constant viscosity, no supply holes."
    )

    cavitation: Cavitation = "reynolds"

    def validate(self) -> None:
        super().validate()
        if self.cavitation not in get_args(Cavitation):
            raise GudgeonError(
                f"ReynoldsTable: cavitation {self.cavitation!r} is unknown; "
                f"choose from {in_words(get_args(Cavitation))}"
            )

    def pack(self, pair: Pair) -> dict[str, float]:
        """p[4:] coefficients of the splines: magnitude, angle, peak."""
        block, slenderness = super().pack(pair), self.slenderness(pair)
        if not 0.02 <= slenderness <= 20.0:
            raise GudgeonError(
                f"{pair.title}: ReynoldsTable is made for lengths of 0.02 to 20 diameters, not {slenderness:.3g}; "
                f"use {'Ocvirk' if slenderness < 1.0 else 'Sommerfeld'}"
            )
        table = film_table(slenderness, self.cavitation)
        return {**block, **{f"c{k}": value for k, value in enumerate(table.ravel().tolist())}}

    @staticmethod
    def radial(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = _impedance(ratio, squeeze, sweep, p)
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * squeeze - wy * sweep)

    @staticmethod
    def tangential(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        wx, wy = _impedance(ratio, squeeze, sweep, p)
        return -2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3 * (wx * sweep + wy * squeeze)

    @staticmethod
    def pressure(ratio: float, squeeze: float, sweep: float, p: Block) -> float:
        peak = finite_pressure(ratio, squeeze, sweep, 0.5 * p[2] / p[1])
        if not peak > 0.0:
            return peak
        return p[3] * p[1] ** 2 / p[0] ** 3 * peak * math.exp(_spline(ratio, squeeze, sweep, p, FIRST + 2 * LAYER))


def _impedance(ratio: float, squeeze: float, sweep: float, p: Block) -> tuple[float, float]:
    wx, wy = finite_impedance(ratio, squeeze, sweep, 0.5 * p[2] / p[1])
    if not wx > 0.0:
        return wx, wy
    size = math.hypot(wx, wy) * math.exp(_spline(ratio, squeeze, sweep, p, FIRST))
    turn = _spline(ratio, squeeze, sweep, p, FIRST + LAYER)
    angle = math.atan2(wy, wx) + (turn if sweep >= 0.0 else -turn)
    angle = min(max(angle, -0.5 * math.pi), 0.5 * math.pi)
    return size * math.cos(angle), size * math.sin(angle)


def _spline(ratio: float, squeeze: float, sweep: float, p: Block, first: int) -> float:
    """Bicubic B-spline of one layer, at the direction of (squeeze, |sweep|)."""
    x = (max(math.sqrt(1.0 - ratio), NEAREST) - NEAREST) / STEP
    y = math.atan2(abs(sweep), squeeze) / TURN
    i = min(int(x), RATIOS - 2)
    j = min(int(y), ANGLES - 2)
    x -= i
    y -= j
    y0, y1, y2, y3 = _basis(y)
    x0, x1, x2, x3 = _basis(x)
    total = 0.0
    k = first + i * ROW + j
    for weight in (x0, x1, x2, x3):
        total += weight * (y0 * p[k] + y1 * p[k + 1] + y2 * p[k + 2] + y3 * p[k + 3])
        k += ROW
    return total


def _basis(t: float) -> tuple[float, float, float, float]:
    u = 1.0 - t
    return (
        u * u * u / 6.0,
        (4.0 - 3.0 * t * t * (1.0 + u)) / 6.0,
        (4.0 - 3.0 * u * u * (1.0 + t)) / 6.0,
        t * t * t / 6.0,
    )


@cache
def film_table(slenderness: float, cavitation: Cavitation) -> Array:
    """Spline coefficients (3, ratios + 2, angles + 2) of one length; kept beside the compiled code."""
    place = directory()
    path = None if place is None else place / f"film-{cavitation}-{float(slenderness).hex()}.npy"
    if path is not None and path.exists():
        return np.asarray(np.load(path))
    table = _coefficients(_differences(slenderness, cavitation))
    if path is not None:
        # a reader sees no file or a whole one
        draft = path.with_name(f"{path.stem}-{os.getpid()}.npy")
        np.save(draft, table)
        draft.replace(path)
    return table


def _differences(slenderness: float, cavitation: Cavitation) -> Array:
    """The three differences from Moes at the nodes: (3, ratios, angles)."""
    differences = np.zeros((3, RATIOS, ANGLES))
    for i in range(RATIOS):
        ratio = 1.0 - (NEAREST + i * STEP) ** 2 if i < RATIOS - 1 else 0.0
        bearing = Bearing(ratio, slenderness, cavitation, AROUND, ALONG)
        for j in range(ANGLES):
            if ratio == 0.0 and j > 0:
                differences[:, i, j] = differences[:, i, 0]  # no direction in the centre
                continue
            c, s = math.cos(j * TURN), math.sin(j * TURN)
            film = bearing.solve(j * TURN)
            wx, wy = finite_impedance(ratio, c, s, slenderness)
            differences[0, i, j] = math.log(math.hypot(film.along, film.across) / math.hypot(wx, wy))
            if 0 < j < ANGLES - 1:
                differences[1, i, j] = math.atan2(film.across, film.along) - math.atan2(wy, wx)
            differences[2, i, j] = math.log(film.peak / finite_pressure(ratio, c, s, slenderness))
    return differences


def _coefficients(nodes: Array) -> Array:
    """B-spline coefficients: even or odd in the angle about both ends, third differences 0 beyond the ratios."""
    table = np.empty((3, RATIOS + 2, ROW))
    for layer, mirror in enumerate((1.0, -1.0, 1.0)):
        across = _system(ANGLES)
        across[0, :3], across[-1, -3:] = (1.0, 0.0, -mirror), (-mirror, 0.0, 1.0)
        along = _system(RATIOS)
        along[0, :4], along[-1, -4:] = (1.0, -3.0, 3.0, -1.0), (-1.0, 3.0, -3.0, 1.0)
        framed = np.zeros((RATIOS + 2, ROW))
        framed[1:-1, 1:-1] = nodes[layer]
        table[layer] = np.linalg.solve(across, np.linalg.solve(along, framed).T).T
    return table


def _system(nodes: int) -> Array:
    rows = np.zeros((nodes + 2, nodes + 2))
    for k in range(1, nodes + 1):
        rows[k, k - 1 : k + 2] = (1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0)
    return rows
