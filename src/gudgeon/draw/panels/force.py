"""Contact force over time, with the peak of every contact marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.draw.panels.history import HistoryPanel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import grouped
from gudgeon.draw.style import CONTACT, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ForcePanel"]

MARKED = 150  # beyond this many contacts only the hardest are marked


class ForcePanel(HistoryPanel):
    """`joint.force` or `contact.normal`: a history that knows its contacts."""

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return name.endswith((".force", ".normal"))

    def draw(self, axes: Sequence[Axes]) -> None:
        super().draw(axes)
        (ax,) = axes
        owner, what = self.name.rsplit(".", 1)
        # the force of a joint is that of its contact only where there is one contact: not with stops, strips or corners
        known = [(k, r) for k, r in self.view.records(owner) if what == "normal" or r.contact == owner]
        records = sorted(known, key=lambda pair: pair[1].peak_force)[-MARKED:]
        if not records:
            return
        time, force = self.view.time.factor, self.scale.factor
        peaks = np.array([(r.peak_time * time, r.peak_force * force) for _, r in records])
        ax.plot(*peaks.T, "o", color=CONTACT, fillstyle="none", markersize=3.0, markeredgewidth=0.7, zorder=4,
                clip_on=False)  # fmt: skip
        number, hardest = records[-1]
        top = max(hardest.peak_force * force, ax.get_ylim()[1] / 1.08)
        ax.set_ylim(ax.get_ylim()[0], 1.12 * top)
        late = hardest.peak_time > 0.5 * (self.view.start + self.view.stop)
        digits = 0 if hardest.peak_force * force >= 1e3 else 1
        ax.annotate(f"{grouped(hardest.peak_force * force, digits)} {self.scale.unit}, contact {number}",
                    (hardest.peak_time * time, hardest.peak_force * force), xytext=(-6 if late else 6, 0),
                    textcoords="offset points", ha="right" if late else "left", va="center", fontsize=7.5,
                    color=SOFT)  # fmt: skip
