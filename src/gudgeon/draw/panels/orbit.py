"""Journal orbit: the way of the journal's centre inside the clearance circle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.patches import Circle, Rectangle

from gudgeon.draw.lines import MANY, broken, thinned
from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import CONTACT, FREE, REAL, SOFT, WALL
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PLANES", "OrbitPanel"]

MARKED = 150
CROWDED = 200_000  # rows that are drawn as points, since lines would take minutes
GRAIN = 1e-3  # of the reach: less than a pixel of a panel
PLANES = ("xy", "xz", "yz")


class OrbitPanel(Panel):
    """`joint.orbit`: free flight pale, contact strong, first touches as dots, the wall as a circle.

    A ball is seen along a world axis, in the plane that `joint.orbit.xy`, `.xz` or `.yz` names; its wall is the outline
    of a sphere, so that touches may lie inside it.
    """

    square = True
    twofold = False

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return name.endswith(".orbit") or (".orbit." in name and not view.holders(name))

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        joints = view.real.mechanism.joints.values()
        return [f"{j.name}.orbit" for j in joints if j.round_mates and not j.ideal]

    def prepare(self) -> None:
        self.joint, _, plane = self.name.partition(".orbit")
        joints = self.view.real.mechanism.joints
        if self.joint not in joints:
            raise self.unknown()
        joint = joints[self.joint]
        mate = next(iter(joint.round_mates), None)
        self.ball = mate is not None and joint.mates[mate].film_shape == "sphere"
        if plane and not (self.ball and plane[1:] in PLANES):
            raise self.unknown()
        if mate is None:
            raise GudgeonError(f'"{self.name}": a {joint.kind.name} joint has no journal that could orbit')
        fit = joint.fit[mate]
        self.gap, self.apart = joint.gap(mate), "film" if fit.filmed else "free"
        self.wall = self.gap or fit.layer
        if fit.ideal:
            raise GudgeonError(f'"{self.name}": joint "{self.joint}" is ideal, its journal stays in the centre')
        run = self.view.real
        self.plane = plane[1:] or "xy"
        self.x, self.y = (self.view.values(run, name) for name in self.names)
        self.scale = scale_for("m", self.wall, np.hypot(self.x, self.y))

    @property
    def names(self) -> tuple[str, str]:
        """The channels along both axes."""
        return f"{self.joint}.e{self.plane[0]}", f"{self.joint}.e{self.plane[1]}"

    def draw(self, axes: Sequence[Axes]) -> None:
        (ax,) = axes
        x, y = self.x * self.scale.factor, self.y * self.scale.factor
        wall = self.wall * self.scale.factor
        if wall:
            self._circle(ax, wall)
        run, mode = self.view.real, f"{self.joint}.mode"
        touching = run[mode][self.view.rows(run)] > 0 if mode in run else np.zeros(len(x), dtype=bool)
        if len(x) > MANY:
            rows = thinned(x, y, touching, GRAIN * self._reach())
            x, y, touching = x[rows], y[rows], touching[rows]
        # a liner always touches, so without a wall there is one tone only
        parts = [(~touching, FREE, 0.7, self.apart) if wall else (~touching, REAL, 0.8, "real"),
                 (touching, CONTACT, 0.9, "contact")]  # fmt: skip
        for keep, colour, width, label in parts:
            if not keep.any():
                continue
            if len(x) > CROWDED:
                ax.plot(x[keep], y[keep], ",", color=colour, alpha=0.6, rasterized=True, zorder=3)
            else:
                dense = len(x) > MANY  # many lines become a picture, and thinner
                ax.plot(*broken(keep, x, y), color=colour, linewidth=0.5 * width if dense else width, rasterized=dense,
                        zorder=3 + (colour == CONTACT))  # fmt: skip
            ax.plot([], [], color=colour, label=label)
        self._touches(ax, wall)
        if self.view.ideal is not None:
            ax.plot(0.0, 0.0, "+", color=SOFT, markersize=6, zorder=5, label="ideal", linestyle="")
        self._frame(ax, x, y, wall)

    def _circle(self, ax: Axes, radius: float) -> None:
        # what lies beyond the clearance is bearing: a journal centre there means penetration
        ax.add_patch(Rectangle((0.0, 0.0), 1.0, 1.0, transform=ax.transAxes, facecolor=WALL, zorder=0))
        ax.add_patch(Circle((0.0, 0.0), radius, facecolor="white", edgecolor=SOFT, linewidth=0.8, zorder=1))

    def _touches(self, ax: Axes, wall: float) -> None:
        records, run = [r for _, r in self.view.records(self.joint)], self.view.real
        if self.ball:
            start = [r.t_on for r in records]
            x, y = (np.interp(start, run.t, run[name]) * self.scale.factor for name in self.names)
        else:
            angle = np.array([r.angle for r in records if not np.isnan(r.angle)])
            x, y = wall * np.cos(angle), wall * np.sin(angle)
        if 0 < len(x) <= MARKED:
            ax.plot(x, y, "o", color=CONTACT, markersize=3.2, markeredgecolor="white", markeredgewidth=0.5,
                    zorder=6, label="first touch")  # fmt: skip

    def _reach(self) -> float:
        """How far from the centre the figure must show, as printed; the same in every view of a ball."""
        run, squares = self.view.real, self.x**2 + self.y**2
        names = [f"{self.joint}.e{axis}" for axis in "xyz"]
        if self.ball and all(name in run for name in names):
            squares = sum(self.view.values(run, name) ** 2 for name in names)
        return float(max(np.sqrt(squares.max()), self.wall)) * self.scale.factor

    def _frame(self, ax: Axes, x: np.ndarray, y: np.ndarray, wall: float) -> None:
        if wall:
            middle, reach = (0.0, 0.0), self._reach()
        else:
            ends = [(min(0.0, float(v.min())), max(0.0, float(v.max()))) for v in (x, y)]
            middle = (0.5 * sum(ends[0]), 0.5 * sum(ends[1]))
            reach = max(0.5 * (high - low) for low, high in ends)
        ax.set_xlim(middle[0] - 1.07 * reach, middle[0] + 1.07 * reach)
        ax.set_ylim(middle[1] - 1.07 * reach, middle[1] + 1.07 * reach)
        ax.set_aspect("equal")
        ax.set_xlabel(f"{self.plane[0]} [{self.scale.unit}]")
        ax.set_ylabel(f"{self.plane[1]} [{self.scale.unit}]")
        ax.set_title(f"{self.name}  {'ball' if self.ball else 'journal'} centre")
        readable(ax)
        if wall or self.view.ideal is not None:
            ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, columnspacing=1.2, handletextpad=0.6)
