"""The distribution of a number over many runs: percentiles, their confidence, a limit; of one or two studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure as Page

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, IDEAL, INK, REAL, RULES

if TYPE_CHECKING:
    from gudgeon.analysis.statistics.percentiles import Percentile

__all__ = ["distribution"]

BINS = 60  # at most
REACH = 1.3  # times the 99.9th percentile: what lies beyond is counted in the last bin


def distribution(label: str, unit: str, samples: Sequence[tuple[str, np.ndarray, Sequence[Percentile]]], title: str,
                 limit: float | None = None) -> Figure:  # fmt: skip
    """Samples: a name, values [SI] and their percentiles; the second is drawn as an outline over the first."""
    every = np.concatenate([values for _, values, _ in samples])
    scale = scale_for(unit, every, limit or 0.0)
    low, high = float(every.min()), float(every.max())
    top = max(min(REACH * float(np.quantile(every, 0.999)), low + 1.03 * (high - low)), 1.05 * (limit or low))
    top = top if top > low else low + 1.0
    many = max(5, min(BINS, int(np.sqrt(len(samples[0][1])))))
    edges = scale.factor * np.linspace(low, top, many + 1)
    with rc_context(RULES):
        page = Page(figsize=(7.2, 3.0), layout="constrained")
        axes: Any = page.subplots()
        handles = []
        for k, (name, values, percentiles) in enumerate(samples):
            colour = REAL if k == len(samples) - 1 else IDEAL
            clipped = np.clip(scale.factor * values, edges[0], edges[-1])
            weights = np.full(len(values), 100.0 / len(values))
            kind = "stepfilled" if k == 0 else "step"
            _, _, (patch,) = axes.hist(clipped, edges, weights=weights, histtype=kind, color=colour,
                                       alpha=0.55 if k == 0 else 1.0, label=name)  # fmt: skip
            handles.append(patch)
            _marks(axes, scale.factor, percentiles, colour if len(samples) > 1 else INK, k)
        if limit is not None:
            handles.append(axes.axvline(scale.factor * limit, color=CONTACT, label="limit"))
        axes.set_xlim(edges[0], edges[-1])
        axes.set_ylim(0.0, 1.3 * axes.get_ylim()[1])
        axes.set_xlabel(scale.label(label))
        axes.set_ylabel("runs [%]")
        readable(axes)
        return finished(page, title, handles if len(handles) > 1 else ())


def _marks(axes: Any, factor: float, percentiles: Sequence[Percentile], colour: str, row: int) -> None:
    """Each percentile as a line with its interval on top."""
    for part in percentiles:
        height = 0.93 - 0.09 * row
        axes.axvline(factor * part.value, ymax=height, color=colour, linewidth=0.8, linestyle="--")
        ends = [factor * (part.value if end is None else end) for end in (part.low, part.high)]
        transform = axes.get_xaxis_transform()
        axes.plot(ends, [height, height], color=colour, linewidth=2.5, solid_capstyle="butt", transform=transform)
        axes.annotate(f"{100 * part.share:g} %", (factor * part.value, height), xycoords=transform,
                      xytext=(2, 2), textcoords="offset points", fontsize=7.5, color=colour)  # fmt: skip
