"""The path of a point with where play lets it be: at each position of the cycle all places that it can have.

The places are a convex region around the ideal one, whose border has in the direction n of its normal

    sum of c_k S_k S_k^T n / |S_k^T n|,

the largest that the deviations of all journals do along n. Errors are so small that they are drawn magnified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rc_context
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure as Page

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, FREE, INK, REAL, RULES
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.analysis.tolerance import Tolerance

__all__ = ["path_errors", "regions"]

NORMALS = 48  # points of a border
LARGE = 0.12  # of the extent of the path: how large the largest error is drawn
SHOWN = 24  # regions that are outlined; all others are filled


def regions(result: Tolerance, name: str) -> np.ndarray:
    """Borders of the places of a point less the ideal one [m] (instant, place, coordinate)."""
    known = result.influences
    matrices = known.matrices[:, known.output(name), :]
    angle = 2.0 * np.pi * np.arange(NORMALS) / NORMALS
    normals = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    border = np.zeros((len(matrices), NORMALS, 2))
    for play in known.plays:
        part = matrices[:, :, play.components]
        along = np.einsum("no,toc->tnc", normals, part)
        length = np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-300)
        border += play.clearance * np.einsum("toc,tnc->tno", part, along / length)
    return border


def path_errors(result: Tolerance, name: str, *, title: str | None = None) -> Figure:
    """The path of a point of the plane, with the places that play allows it."""
    known = result.influences
    output = known.output(name)
    if output.stop - output.start != 2:
        raise GudgeonError(f'path: "{name}" is no point of the plane; ask for a body or a point, not for one number')
    path, border = known.values[:, output], regions(result, name)
    extent = float(np.ptp(path, axis=0).max())
    largest = float(np.linalg.norm(border, axis=2).max())
    factor = _round(LARGE * extent / largest) if largest > 0.0 and extent > 0.0 else 1.0
    scale = scale_for("m", path)
    places = scale.factor * (path[:, None, :] + factor * border)
    worst = int(np.linalg.norm(border, axis=2).max(axis=1).argmax())
    with rc_context(RULES):
        wide, high = np.ptp(places.reshape(-1, 2), axis=0)
        page = Page(figsize=(6.4, float(np.clip(5.8 * high / wide if wide > 0.0 else 5.0, 1.6, 5.4)) + 1.0),
                    layout="constrained")  # fmt: skip
        axes = page.subplots()
        axes.add_collection(PolyCollection(list(places), facecolors=FREE, edgecolors="none", alpha=0.35))
        step = max(1, len(places) // SHOWN)
        axes.add_collection(PolyCollection(list(places[::step]), facecolors="none", edgecolors=REAL, linewidths=0.5))
        closed = scale.factor * np.concatenate([path, path[:1]])
        (line,) = axes.plot(*closed.T, color=INK, linewidth=1.0, label="ideal path")
        (region,) = axes.fill(*places[worst].T, facecolor="none", edgecolor=CONTACT, linewidth=1.4,
                              label=f"largest error, {_size(largest)}")  # fmt: skip
        axes.set_aspect("equal", adjustable="box")
        axes.margins(0.06)
        axes.autoscale_view()
        axes.set_xlabel(scale.label("x"))
        axes.set_ylabel(scale.label("y"))
        readable(axes)
        head = title if title is not None else f"{result.name} · where play lets {name} be, {factor:g} times as large"
        return finished(page, head, [line, region])


def _size(error: float) -> str:
    scale = scale_for("m", error)
    return f"{scale.factor * error:.3g} {scale.unit}"


def _round(factor: float) -> float:
    """1, 2 or 5 times a power of ten, not more than the factor."""
    if factor <= 1.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(factor))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= factor))
