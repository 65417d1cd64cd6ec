"""Hysteresis loop: normal force against depth of one contact, or of a few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, SOFT
from gudgeon.quantity import GudgeonError
from gudgeon.results.contacts import ContactRecord

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["HysteresisPanel"]

OTHERS = 4  # thin loops beside the hardest
FEW = 12  # rows of a loop whose corners would pass for physics: they are marked


class HysteresisPanel(Panel):
    """`joint.hysteresis`: the hardest impact, its loss shaded, with a few more; or the contacts asked for."""

    square = True
    twofold = False

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return name.endswith(".hysteresis")

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        if view.real.impacts:
            return []
        return [f"{joint}.hysteresis" for joint in dict.fromkeys(record.joint for record in view.real.contacts)]

    def prepare(self) -> None:
        owner = self.name.rsplit(".", 1)[0]
        records = self.view.records(owner)
        run = self.view.real
        if not records:
            if owner in run.mechanism.joints or f"{owner}.depth" in run:
                raise GudgeonError(f'"{self.name}": "{owner}" has no contact in this part of the run')
            raise self.unknown()
        if run.impacts:
            raise GudgeonError(f'"{self.name}": the walls are hard in this run, no force over depth to draw')
        self.chosen = self._choose(records)
        self.loops = [self._loop(record) for _, record in self.chosen]
        sample = self.chosen[0][1].contact
        units = [run.channel(f"{sample}.{what}").unit for what in ("depth", "normal")]
        self.label = run.channel(f"{sample}.normal").label
        self.depth = scale_for(units[0], *(depth for depth, _ in self.loops))
        self.force = scale_for(units[1], *(force for _, force in self.loops))

    def _choose(self, records: list[tuple[int, ContactRecord]]) -> list[tuple[int, ContactRecord]]:
        """Contacts to draw, hardest first."""
        if self.view.numbers is not None:
            known = dict(records)
            missing = [n for n in self.view.numbers if n not in known]
            if missing:
                raise GudgeonError(
                    f'"{self.name}": there is no contact {missing[0]}; there are {min(known)} to {max(known)}'
                )
            return [(n, known[n]) for n in self.view.numbers]
        ranked = sorted(records, key=lambda pair: -pair[1].peak_force)
        impacts = [pair for pair in ranked if pair[1].kind == "impact" and pair[1].ended]
        return (impacts or ranked)[: 1 + OTHERS]

    def _loop(self, record: ContactRecord) -> tuple[np.ndarray, np.ndarray]:
        run = self.view.real
        depth, force = run[f"{record.contact}.depth"], run[f"{record.contact}.normal"]
        stop = record.t_off if record.ended else np.inf
        inside = (run.t >= record.t_on) & (run.t <= stop) & (depth > 0.0)
        # rows at the events lie on the edge; the loop is closed at zero depth
        return np.concatenate([[0.0], depth[inside]]), np.concatenate([force[inside][:1] * 0.0, force[inside]])

    def _others(self) -> str:
        numbers = sorted(number for number, _ in self.chosen[1:])
        return f"contact{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"

    def draw(self, axes: Sequence[Axes]) -> None:
        (ax,) = axes
        for place, ((number, record), (depth, force)) in enumerate(zip(self.chosen, self.loops, strict=True)):
            x, y = depth * self.depth.factor, force * self.force.factor
            rows: Any = {"marker": ".", "markersize": 4.0} if len(x) < FEW else {}
            if place:
                ax.plot(x, y, color=SOFT, linewidth=0.6, alpha=0.75, zorder=2, **rows,
                        label=self._others() if place == 1 else None)  # fmt: skip
                continue
            if record.ended and not rows:
                ax.fill(x, y, color=CONTACT, alpha=0.13, linewidth=0, zorder=1)
            unit = self.view.real.channel(f"{record.contact}.rate").unit
            label = f"contact {number}: {record.speed_on:.3g} {unit}, lost {record.energy_lost:.3g} J"
            ax.plot(x, y, color=CONTACT, linewidth=1.1, zorder=3, label=label, **rows)
        ax.set_xlim(0.0, 1.04 * max(float(depth.max()) for depth, _ in self.loops) * self.depth.factor)
        low = min(float(force.min()) for _, force in self.loops) * self.force.factor
        high = max(float(force.max()) for _, force in self.loops) * self.force.factor
        ax.set_ylim(min(0.0, 1.05 * low), 1.05 * high)
        ax.set_box_aspect(1.0)
        ax.set_xlabel(self.depth.label("depth"))
        ax.set_ylabel(self.force.label(self.label))
        ax.set_title(f"{self.name}  {self.label} over depth")
        ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.17))
        readable(ax)
