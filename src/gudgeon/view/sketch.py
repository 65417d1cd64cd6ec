"""The mechanism as a line drawing by matplotlib: one picture, or a film of them, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.figure import Figure
from gudgeon.draw.style import INK, PALETTE, REAL, RULES, SOFT
from gudgeon.model.names import GROUND
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.view.drawing import Drawing
from gudgeon.view.frames import Frames

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gudgeon.results import Run

__all__ = ["Sketch", "animate", "sketch"]

# seen from a corner, z up: rows are the directions to the right and up of the page
CORNER = np.array([[0.8, -0.6, 0.0], [0.27, 0.36, 0.89]])
SMOOTH = 25  # pictures in a second of a film
SECONDS = 8.0


class Sketch:
    """Poses of a run at chosen times, with the play of its joints `magnify` times as large."""

    def __init__(self, run: Run, times: np.ndarray, magnify: float = 1.0) -> None:
        self.run, self.times, self.magnify = run, times, magnify
        frames = Frames(run)
        poses = frames.poses(np.arange(len(run.t)))
        rows = np.stack([np.stack([np.interp(times, run.t, poses[:, b, c]) for c in range(poses.shape[2])], axis=1)
                         for b in range(poses.shape[1])], axis=1)  # fmt: skip
        if magnify != 1.0:
            field = frames.plays(times, rows)
            if field is not None:
                rows = rows + (magnify - 1.0) * field
        self.drawing = Drawing(frames, rows)
        self.joints = self.drawing.joints()
        self.low, self.high = self._box()
        self.thick = 0.02 * self.drawing.size

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Points on the page."""
        return points if points.shape[-1] == 2 else points @ CORNER.T

    def _box(self) -> tuple[np.ndarray, np.ndarray]:
        every = np.concatenate([self.flat(track) for track in self.drawing.tracks()])
        margin = 0.1 * self.drawing.size
        return every.min(axis=0) - margin, every.max(axis=0) + margin

    def height(self, width: float) -> float:
        """Of a picture so wide, within reason."""
        wide, high = self.high - self.low
        return float(np.clip(width * high / wide, 0.3 * width, 0.8 * width))

    def prepare(self, axes: Axes) -> None:
        axes.set_xlim(self.low[0], self.high[0])
        axes.set_ylim(self.low[1], self.high[1])
        axes.set_aspect("equal")
        axes.set_axis_off()

    def put(self, axes: Axes, k: int) -> None:
        """The mechanism at time k."""
        for track in self._guides():
            axes.plot(*track.T, color="#d5d5d5", linewidth=5, solid_capstyle="butt", zorder=0)
        for b, body in enumerate(self.drawing.bodies()):
            ends = np.array([self.place(body["name"], p, k) for p in body["points"]] or [self.centre(b, k)])
            if len(ends) == 1:
                ends = np.vstack([ends, self.centre(b, k)])
            colour = PALETTE[b % len(PALETTE)]
            loop = np.vstack([ends, ends[:1]]) if len(ends) > 2 else ends
            axes.plot(*loop.T, color=colour, linewidth=4, solid_capstyle="round", solid_joinstyle="round", zorder=2)
            if body["slides"]:
                axes.plot(*self.centre(b, k), marker="s", color=colour, markersize=16, zorder=1)
            axes.plot(*self.centre(b, k), marker="+", color=INK, markersize=4, zorder=4)
        for joint in self.joints:
            if not joint["slides"]:
                self._joint(axes, joint, k)

    def _joint(self, axes: Axes, joint: dict[str, Any], k: int) -> None:
        from matplotlib.patches import Circle

        pin, bore = (self.place(joint[s], joint[p], k) for s, p in (("journal", "point_i"), ("bearing", "point_j")))
        if joint["bearing"] == GROUND or joint["journal"] == GROUND:
            axes.plot(bore[0], bore[1], marker="^", color=SOFT, markersize=11, zorder=1)
        radius = min(joint["radius"] or 0.6 * self.thick, 1.5 * self.thick)
        play = self.magnify * joint["gap"] if joint["loose"] else 0.25 * radius
        inside = "none" if joint["loose"] else "#ffffff"
        axes.add_patch(
            Circle((bore[0], bore[1]), radius + play, facecolor=inside, edgecolor=INK, linewidth=0.8, zorder=3)
        )
        axes.add_patch(Circle((pin[0], pin[1]), radius, color=REAL if joint["loose"] else SOFT, zorder=5))

    def _guides(self) -> Iterator[np.ndarray]:
        for joint in self.joints:
            if joint["slides"]:
                yield self.flat(self.drawing.track(joint["journal"], joint["point_i"]))

    def place(self, body: str, point: Any, k: int) -> np.ndarray:
        track = self.flat(self.drawing.track(body, point))
        return np.asarray(track[min(k, len(track) - 1)])

    def centre(self, b: int, k: int) -> np.ndarray:
        return np.asarray(self.flat(self.drawing.poses[k, b, : self.drawing.dimensions]))


def sketch(run: Run, t: float | str | None = None, *, magnify: float = 1.0) -> Figure:
    """A picture of the mechanism at time t [s]; default: an eighth of a turn, or a tenth of the run, on."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    span = float(run.t[-1] - run.t[0])
    usual = float(run.t[0]) + (min(0.125 * run.period, span) if run.period else 0.1 * span)
    at = usual if t is None else quantity(t, "s", "t")
    made = Sketch(run, np.array([at]), magnify)
    with rc_context(RULES):
        canvas = Canvas(figsize=(6.2, made.height(6.2) + 0.3), layout="constrained")
        axes = canvas.add_subplot()
        made.prepare(axes)
        made.put(axes, 0)
        axes.set_title(f"{run.name}, {at * 1e3:.4g} ms")
    return Figure(canvas)


def animate(run: Run, path: str | Path, *, seconds: float = SECONDS, magnify: float = 1.0,
            start: float | str | None = None, stop: float | str | None = None) -> Path:  # fmt: skip
    """A film of the run: .gif, .mp4 (needs ffmpeg), or a folder name for single .png pictures.

    seconds [s] that the film lasts; start, stop [s] of the run; magnify: the play of joints so many times as large.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    target = Path(path)
    kind = target.suffix.lower()
    if kind not in (".gif", ".mp4", ""):
        raise GudgeonError(f'film "{path}": the name must end in .gif or .mp4, or have no ending for a folder of .png')
    first = float(run.t[0]) if start is None else quantity(start, "s", "start")
    last = float(run.t[-1]) if stop is None else quantity(stop, "s", "stop")
    if not first < last or not seconds > 0.0:
        raise GudgeonError(f"film: from {first:g} to {last:g} s in {seconds:g} s is no span of time")
    made = Sketch(run, np.linspace(first, last, max(2, round(SMOOTH * seconds))), magnify)
    with rc_context(RULES):
        canvas = Canvas(figsize=(6.4, 4.0), dpi=110)
        axes = canvas.add_axes((0.02, 0.02, 0.96, 0.88))

        def turn(k: int) -> None:
            axes.clear()
            made.prepare(axes)
            made.put(axes, k)
            play = f", play {magnify:g} times as large" if magnify != 1.0 else ""
            axes.set_title(f"{run.name}   {made.times[k] * 1e3:9.3f} ms{play}")

        _write(canvas, turn, len(made.times), target, kind)
    return target


def _write(canvas: Any, turn: Any, count: int, target: Path, kind: str) -> None:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if kind == "":
        target.mkdir(parents=True, exist_ok=True)
        for k in range(count):
            turn(k)
            canvas.savefig(target / f"{k:05d}.png")
        return
    if kind == ".mp4" and not FFMpegWriter.isAvailable():
        raise GudgeonError(f'film "{target}": .mp4 needs the program ffmpeg, which is not here; write a .gif instead')
    target.parent.mkdir(parents=True, exist_ok=True)
    writer: Any = (PillowWriter if kind == ".gif" else FFMpegWriter)(fps=SMOOTH)
    with writer.saving(canvas, str(target), canvas.dpi):
        for k in range(count):
            turn(k)
            writer.grab_frame()
