"""Film laws against the Reynolds equation: how far the closed forms are off, in per cent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from gudgeon.laws.film.base import FilmLaw
from gudgeon.laws.film.reynolds import Cavitation, reynolds
from gudgeon.laws.pair import Pair

__all__ = ["Deviation", "deviations", "table"]


class Deviation(NamedTuple):
    """One law at one point: force [%] by the difference of the vectors, its angle [deg], peak pressure [%]."""

    law: str
    ratio: float
    direction: float
    force: float
    angle: float
    peak: float


def deviations(
    laws: Sequence[FilmLaw],
    slenderness: float,
    ratios: Sequence[float] = (0.1, 0.5, 0.9, 0.99),
    directions: Sequence[float] = (0.0, 90.0, 135.0, 180.0),
    cavitation: Cavitation = "reynolds",
) -> list[Deviation]:
    """Every law at every ratio [-] and direction [deg] of v_s from e: 0 approaches, -90 or 90 turns, 180 leaves."""
    radius, clearance = 10e-3, 10e-6
    pair = Pair(radius, radius - clearance, 2.0 * slenderness * radius, "compared")
    rows = []
    for ratio in ratios:
        for degrees in directions:
            direction = math.radians(degrees)
            film = reynolds(ratio, direction, slenderness, cavitation=cavitation)
            size = math.hypot(film.radial, film.tangential)
            for law in laws:
                p = list(law.pack(pair).values())
                arguments = (ratio, math.cos(direction), math.sin(direction), p)
                scale = 2.0 * p[3] * p[2] * (p[1] / p[0]) ** 3
                radial, tangential = law.radial(*arguments) / scale, law.tangential(*arguments) / scale
                turned = math.atan2(radial * -film.tangential + tangential * film.radial,
                                    radial * film.radial + tangential * film.tangential)  # fmt: skip
                peak = law.pressure(*arguments) * p[0] ** 3 / (p[3] * p[1] ** 2)
                rows.append(Deviation(
                    type(law).__name__, ratio, degrees,
                    100.0 * math.hypot(radial - film.radial, tangential - film.tangential) / size,
                    math.degrees(turned), 100.0 * (peak / film.peak - 1.0),
                ))  # fmt: skip
    return rows


def table(deviations: Sequence[Deviation], title: str = "") -> str:
    """The deviations as text, one line for each ratio and direction."""
    laws = list(dict.fromkeys(row.law for row in deviations))
    lines = [title] if title else []
    lines.append(" " * 19 + "".join(f"{law:^30}" for law in laws))
    lines.append("  ratio  direction " + "".join(f"{'force %':>11}{'deg':>8}{'peak %':>11}" for _ in laws))
    for k in range(0, len(deviations), len(laws)):
        rows = deviations[k : k + len(laws)]
        numbers = "".join(f"{row.force:11.3g}{round(row.angle, 2) + 0.0:8.2f}{row.peak:11.3g}" for row in rows)
        lines.append(f"{rows[0].ratio:7.3f}{rows[0].direction:8.0f} deg{numbers}")
    return "\n".join(lines)
