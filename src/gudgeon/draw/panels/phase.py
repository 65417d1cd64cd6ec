"""Phase portrait: acceleration against velocity of a body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.draw.lines import MANY
from gudgeon.draw.panels.panel import Panel
from gudgeon.draw.run_window import RunWindow
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import HALO, IDEAL, REAL
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PhasePanel"]

PLANE = {"x": ("vx", "ax"), "y": ("vy", "ay"), "angle": ("spin", "alpha")}
# rx, ry, rz: turns about the principal axes of the body
SPACE = {a: (f"v{a}", f"a{a}") for a in "xyz"} | {f"r{a}": (f"w{a}", f"alpha{a}") for a in "xyz"}
AXES: dict[int, dict[str, tuple[str, str]]] = {2: PLANE, 3: SPACE}  # by the components of a vector


class PhasePanel(Panel):
    """`body.phase`, in the direction the body moves most, or `body.phase.x`, `.y`, `.angle`; in space `.x`, `.y`, `.z`
    and `.rx`, `.ry`, `.rz`."""

    square = True

    @classmethod
    def matches(cls, name: str, view: RunWindow) -> bool:
        return ".phase" in name and not view.holders(name)

    @classmethod
    def offered(cls, view: RunWindow) -> list[str]:
        return [f"{body}.phase" for body in view.real.mechanism.bodies]

    def prepare(self) -> None:
        body, _, axis = self.name.partition(".phase")
        axis = axis.lstrip(".")
        mechanism = self.view.real.mechanism
        known = AXES[len(mechanism.gravity)]
        if body not in mechanism.bodies or axis not in ("", *known):
            raise self.unknown()
        self.axis = axis or main_axis(self.view, body, known)
        speed, acceleration = known[self.axis]
        self.names = (f"{body}.{speed}", f"{body}.{acceleration}")
        self.runs = self.view.holders(*self.names)
        if self.view.real not in self.runs:
            raise GudgeonError(f'"{self.name}" needs the channels {self.names[0]} and {self.names[1]}; record both')

        real = self.view.rows(self.view.real)
        self.crowded = real.stop - real.start > MANY

    def draw(self, axes: Sequence[Axes]) -> None:
        (ax,) = axes
        data = {run: [self.view.values(run, name) for name in self.names] for run in self.runs}
        scales = []
        for k, name in enumerate(self.names):
            unit = self.view.real.channel(name).unit
            scales.append(scale_for(unit, *(values[k] for values in data.values())))
        for run, values in data.items():
            ideal = run is self.view.ideal
            # an ideal run repeats itself: one revolution, over the cloud of a long real run, says it all
            if ideal and self.crowded and self.view.period:
                once = int(np.searchsorted(run.t, run.t[0] + self.view.period)) + 1
                values = [run[name][:once] for name in self.names]
            x, y = (v * scale.factor for v, scale in zip(values, scales, strict=True))
            if len(x) > MANY:
                ax.plot(x, y, ",", color=IDEAL if ideal else REAL, alpha=0.35, rasterized=True)
            else:
                # a chaotic run crosses itself everywhere: a thin line lets the dense places show
                colour, width, alpha = (IDEAL, HALO, 1.0) if ideal else (REAL, 0.6, 0.85)
                above = (4 if self.crowded else 2) if ideal else 3
                ax.plot(x, y, color=colour, linewidth=width, alpha=alpha, zorder=above)
        ax.margins(0.05)
        ax.set_box_aspect(1.0)
        ax.set_xlabel(f"{self.names[0]} [{scales[0].unit}]")
        ax.set_ylabel(f"{self.names[1]} [{scales[1].unit}]")
        ax.set_title(f"{self.name}  phase portrait")
        readable(ax)


def main_axis(view: RunWindow, body: str, known: dict[str, tuple[str, str]]) -> str:
    """Around the bearing of a body that turns on the ground, else where it is fastest."""
    joints = view.real.mechanism.joints.values()
    turns = any({j.journal, j.bearing} == {body, "ground"} and j.kind.free == "rotation" for j in joints)
    speeds = {}
    for axis, (speed, _) in known.items():
        name = f"{body}.{speed}"
        if (axis not in "xyz") == turns and name in view.real:
            speeds[axis] = float(np.abs(view.values(view.real, name)).max())
    return max(speeds, key=lambda axis: speeds[axis], default="angle" if turns and "angle" in known else "x")
