"""The figure of the page on beams: a cantilever that is rolled up, and how errors fall with the mesh."""

from __future__ import annotations

import math
from pathlib import Path

import figures
import numpy as np

import gudgeon as gd
from gudgeon.analysis import equilibrium
from gudgeon.draw.style import IDEAL, PALETTE

FILE = "beams.svg"
SECTION = gd.Section(EA=1e4, GA=5e3, EI=1.0, mass=1.0, inertia=1e-6)
MESHES = {1: (4, 8, 16, 32), 2: (2, 4, 8, 16), 3: (1, 2, 4, 8)}  # order: elements
FINEST = 24
TICKS = (4, 8, 16, 32)


def cantilever(**options: object) -> tuple[gd.Mechanism, object]:
    m = gd.Mechanism("cantilever")
    beam = m.beam("beam", a=(0.0, 0.0), b=(1.0, 0.0), section=SECTION, **options)
    m.rigid("root", journal=beam, bearing=m.ground, at=(0.0, 0.0))
    return m, beam


def rolled(share: float) -> np.ndarray:
    """Places of stations under the share of the end moment that closes the circle."""
    places = [k / 20 for k in range(21)]
    m, beam = cantilever(stations=tuple(places))
    m.torque(beam, share * 2.0 * math.pi, at=(1.0, 0.0))
    rest = equilibrium(m)
    return np.array([[rest[f"beam.{100 * s:g}.{axis}"] for axis in "xy"] for s in places])


def tip(order: int, elements: int) -> np.ndarray:
    """Where an end force of (1, 3) EI/L² brings the tip."""
    m, beam = cantilever(order=order, elements=elements)
    m.force(beam, (1.0, 3.0), at=(1.0, 0.0))
    rest = equilibrium(m)
    return np.array([rest["beam.100.x"], rest["beam.100.y"]])


def errors() -> dict[int, list[tuple[int, float]]]:
    """By order: nodes and error of the tip, relative to the length."""
    exact = tip(3, FINEST)
    return {order: [(order * n + 1, float(np.linalg.norm(tip(order, n) - exact))) for n in meshes]
            for order, meshes in MESHES.items()}  # fmt: skip


def draw(folder: Path) -> str:
    with figures.drawn(folder / FILE, 2) as (left, right):
        left.plot((0.0, 1.0), (0.0, 0.0), color=IDEAL)
        for share in (0.25, 0.5, 0.75, 1.0):
            left.plot(*rolled(share).T, color=PALETTE[0], lw=1.0 + share)
        left.set(aspect="equal", xlabel="x / L", ylabel="y / L")
        for colour, (order, points) in zip(PALETTE, errors().items(), strict=False):
            right.loglog(*zip(*points, strict=True), "o-", ms=3, color=colour, label=f"order {order}")
        right.set_xticks(TICKS, map(str, TICKS))
        right.set_xticks([], minor=True)
        right.set(xlabel="nodes", ylabel="error of the tip / L")
        right.legend(frameon=False)
    return FILE
