"""The mechanism as a line drawing by matplotlib: one picture, or a film of them, without a browser."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.animation import FFMpegWriter, PillowWriter
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Circle, Polygon

from gudgeon.draw.figure import Figure
from gudgeon.draw.heading import finished
from gudgeon.draw.mechanism.drawing import Drawing
from gudgeon.draw.mechanism.frames import Frames
from gudgeon.draw.mechanism.labels import PlacedLabel, place_labels
from gudgeon.draw.style import CONTACT, INK, PALETTE, PAPER, REAL, RULES, SOFT
from gudgeon.model.names import GROUND
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.written import draft

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gudgeon.results import Run

__all__ = ["SketchDrawing", "animate", "open_moment", "sketch"]

# seen from a corner, z up: rows are the directions to the right and up of the page
CORNER = np.array([[0.8, -0.6, 0.0], [0.27, 0.36, 0.89]])
RAIL = "#c4cad0"
MOMENTS = 40  # of a run, to see how much its links bend
COILS = 6
PALE = 0.35  # how strong the colour of an area is: what lies on it can be read
SMOOTH = 25  # pictures in a second of a film
SECONDS = 8.0


class SketchDrawing:
    """Poses of a run at chosen times, play of joints and bending of beams `magnify` times as large; None: as large as
    the viewer shows them first."""

    def __init__(self, run: Run, times: np.ndarray, magnify: float | None = 1.0) -> None:
        self.run, self.times = run, times
        frames = Frames(run)
        if magnify is None:
            # the largest deflection of the whole motion counts
            times = np.concatenate([times, np.linspace(run.t[0], run.t[-1], MOMENTS)])
        rows = poses_at(frames, times)
        field = frames.plays(times, rows) if magnify != 1.0 else None
        if magnify is None:
            magnify = float(f"{Drawing(frames, rows).magnified(field)['magnify']:.2g}")
        if field is not None:
            rows = rows + (magnify - 1.0) * field
        self.magnify = magnify
        self.drawing = Drawing(frames, rows[: len(self.times)])
        self.joints, self.springs = self.drawing.joints(), self.drawing.springs()
        self.thick, self.hangs = 0.02 * self.drawing.size, self.drawing.frame()["hangs"]
        self.bodies = self.drawing.bodies()
        self.low, self.high = self._box()

    def flat(self, points: np.ndarray) -> np.ndarray:
        """Points on the page."""
        return points if points.shape[-1] == 2 else points @ CORNER.T

    def _box(self) -> tuple[np.ndarray, np.ndarray]:
        """What holds the motion: all points of bodies, sliders and rails."""
        tracks = self.drawing.tracks()
        for joint in self.joints:
            lines = [*self._stops(joint), *self._rails(joint)]
            tracks += [self.drawing.follow(joint["frame_j"], p) for line in lines for p in line]
            tracks += [self.drawing.follow(joint["frame_i"], p) for p in self._corners(joint)]
            circles = [(frame, at, radius) for _, frame, at, radius in self._round_bodies(joint)]
            if not joint["slides"]:
                circles.append((joint["frame_j"], joint["point_j"], sum(self._circles(joint))))
            for frame, at, radius in circles:
                track = self.drawing.follow(frame, at)
                tracks += [track - radius, track + radius]
        every = np.concatenate([self.flat(track) for track in tracks])
        margin = 0.06 * self.drawing.size
        return every.min(axis=0) - margin, every.max(axis=0) + margin

    def height(self, width: float) -> float:
        """Of a picture so wide, within reason."""
        wide, high = self.high - self.low
        return float(np.clip(width * high / wide, 0.3 * width, 0.8 * width))

    def magnification(self) -> str:
        """The factor, where there is one."""
        what = " and ".join(["play"] * any(j["gap"] for j in self.joints) + ["bending"] * bool(self.drawing.beams()))
        return f", {what} {self.magnify:g} times as large" if what and self.magnify != 1.0 else ""

    def prepare(self, axes: Axes) -> None:
        # ticks that nobody sees would take half of the time of a film
        axes.set_xticks([])
        axes.set_yticks([])
        axes.set_axis_off()

    def fit(self, axes: Axes) -> None:
        """One scale both ways, and all in view: for axes whose place on the page is settled."""
        box = axes.get_window_extent()
        scale = max((self.high[0] - self.low[0]) / box.width, (self.high[1] - self.low[1]) / box.height)
        middle, half = 0.5 * (self.low + self.high), 0.5 * scale * np.array([box.width, box.height])
        axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
        axes.set_ylim(middle[1] - half[1], middle[1] + half[1])

    def put(self, axes: Axes, k: int) -> None:
        """The mechanism at time k."""
        for b, body in enumerate(self.bodies):
            colour = PALETTE[b % len(PALETTE)]
            if body["beam"]:
                line = self.drawing.frames.line(body["name"], self.drawing.poses[k : k + 1])[0]
                axes.plot(*self.flat(line).T, color=colour, linewidth=4, solid_capstyle="round", zorder=2)
                continue
            ends = np.array([self.at(*self.drawing.frames.seat(body["name"], p), k) for p in body["points"]]
                            or [self.centre(b, k)])  # fmt: skip
            if len(ends) == 1:
                ends = np.vstack([ends, self.centre(b, k)])
            loop = np.vstack([ends, ends[:1]]) if len(ends) > 2 else ends
            axes.plot(*loop.T, color=colour, linewidth=4, solid_capstyle="round", solid_joinstyle="round", zorder=2)
            axes.plot(*self.centre(b, k), marker="+", color=INK, markersize=4, zorder=4)
        for spring in self.springs:
            axes.plot(*self._coil(spring, k).T, color=SOFT, linewidth=1.2, solid_joinstyle="round", zorder=2)
        for joint in self.joints:
            draw = (self._slide if joint["slides"] else self._cross if "cross" in joint
                    else self._rollers if joint["kind"] == "contact" else self._joint)  # fmt: skip
            draw(axes, joint, k)
            for line in self._stops(joint):
                points = np.array([self.at(joint["frame_j"], p, k) for p in line])
                axes.plot(*points.T, color=CONTACT, linewidth=2.5, solid_capstyle="butt", zorder=4)

    def _circles(self, joint: dict[str, Any]) -> tuple[float, float]:
        """Radius of a pin as drawn, and the room between it and its bore."""
        radius = min(joint["radius"] or 0.6 * self.thick, 1.5 * self.thick)
        return radius, self.magnify * joint["gap"] if joint["loose"] else 0.25 * radius

    def _joint(self, axes: Axes, joint: dict[str, Any], k: int) -> None:
        pin, bore = (self.at(joint[f"frame_{s}"], joint[f"point_{s}"], k) for s in "ij")
        self._foot(axes, joint, bore)
        radius, play = self._circles(joint)
        if joint["loose"] and not joint["gap"]:
            # rubber between the two
            axes.plot(*np.array([pin, bore]).T, color=SOFT, linewidth=1.2, linestyle=":", zorder=2)
        inside = "none" if joint["loose"] else "#ffffff"
        axes.add_patch(
            Circle((bore[0], bore[1]), radius + play, facecolor=inside, edgecolor=INK, linewidth=0.8, zorder=3)
        )
        fill = {"facecolor": PAPER, "edgecolor": REAL, "linewidth": 1.5} if joint["loose"] else {"color": SOFT}
        axes.add_patch(Circle((pin[0], pin[1]), radius, zorder=5, **fill))

    def _rollers(self, axes: Axes, joint: dict[str, Any], k: int) -> None:
        """Two round bodies that touch from outside, as large as they are."""
        for name, frame, at, radius in self._round_bodies(joint):
            colour, centre = self._colour(name), self.at(frame, at, k)
            axes.add_patch(Circle((centre[0], centre[1]), radius, facecolor=(colour, PALE), edgecolor=colour, zorder=1))

    def _round_bodies(self, joint: dict[str, Any]) -> Iterator[tuple[str, int, Any, float]]:
        """Body, frame, centre and radius of both sides of a contact."""
        if joint["kind"] == "contact":
            for side, name, radius in (("i", "journal", "journal_radius"), ("j", "bearing", "radius")):
                yield joint[name], joint[f"frame_{side}"], joint[f"point_{side}"], joint[radius]

    def _colour(self, body: str) -> str:
        named = self.drawing.frames.bodies
        return PALETTE[named.index(body) % len(PALETTE)] if body in named else SOFT

    def _foot(self, axes: Axes, joint: dict[str, Any], at: np.ndarray) -> None:
        """The ground under a joint that is fixed there."""
        if GROUND in (joint["bearing"], joint["journal"]):
            mark = "v" if self.hangs else "^"
            axes.plot(at[0], at[1], marker=mark, color=SOFT, markersize=14, zorder=1)

    def _cross(self, axes: Axes, joint: dict[str, Any], k: int) -> None:
        """A universal joint: both pins of its cross, each with the fork of the body that it is fixed in."""
        self._foot(axes, joint, self.at(joint["frame_j"], joint["point_j"], k))
        for side, body in (("i", joint["journal"]), ("j", joint["bearing"])):
            at, pin, way = (np.array(joint[f"point_{side}"]), *(np.array(joint["cross"][f"{x}_{side}"])
                                                                for x in ("pin", "way")))  # fmt: skip
            size, frame, colour = 1.6 * self.thick, joint[f"frame_{side}"], self._colour(body)
            fork = [at + size * (pin + 1.2 * way), at + size * pin, at - size * pin, at + size * (1.2 * way - pin)]
            points = np.array([self.at(frame, p, k) for p in fork])
            for a, b in ((0, 1), (2, 3), (0, 3)):
                axes.plot(*points[[a, b]].T, color=colour, linewidth=2.5, solid_capstyle="round", zorder=4)
            axes.plot(*points[1:3].T, color=INK, linewidth=2.0, solid_capstyle="butt", zorder=5)

    def _coil(self, spring: dict[str, Any], k: int) -> np.ndarray:
        """A zigzag between the ends of a spring."""
        a, b = (self.at(spring[f"frame_{s}"], spring[f"point_{s}"], k) for s in "ij")
        length = float(np.linalg.norm(b - a)) or 1.0
        across = np.array([a[1] - b[1], b[0] - a[0]]) / length * self.thick
        inner = np.linspace(0.15, 0.85, 2 * COILS + 1)
        sides = np.array([0.0, *((-1.0) ** j for j in range(2 * COILS - 1)), 0.0])
        zigzag = a + inner[:, None] * (b - a) + sides[:, None] * across
        return np.vstack([a, zigzag, b])

    def name(self, axes: Axes, k: int) -> None:
        """Names of bodies, in their colours, and of joints, where they cover least; the layout is settled before."""
        drawn = [self._coil(spring, k) for spring in self.springs]
        labels = []
        for b, body in enumerate(self.bodies):
            ends = [self.at(*self.drawing.frames.seat(body["name"], p), k) for p in body["points"]]
            middle = np.mean(ends, axis=0) if len(ends) > 1 else self.centre(b, k)
            if body["beam"]:
                line = self.flat(self.drawing.frames.line(body["name"], self.drawing.poses[k : k + 1])[0])
                drawn.append(line)
                middle = line[len(line) // 2]
            drawn += [np.array([p, q]) for p, q in itertools.combinations([*ends, self.centre(b, k)], 2)]
            labels.append(PlacedLabel(body["name"], middle, PALETTE[b % len(PALETTE)], bold=True))
        for joint in self.joints:
            at = self.at(joint["frame_j"], joint["point_j"], k)
            at = self.at(joint["frame_i"], joint["point_i"], k) if joint["slides"] else at
            if joint["slides"]:
                rim = np.array([self.at(joint["frame_i"], corner, k) for corner in self._corners(joint)])
                rim = np.vstack([rim, rim[:1]])
            else:
                turn = np.linspace(0.0, 2.0 * np.pi, 25)
                reach = max((r for *_, r in self._round_bodies(joint)), default=sum(self._circles(joint)))
                rim = at + reach * np.column_stack([np.cos(turn), np.sin(turn)])
            drawn += [at + share * (rim - at) for share in (0.25, 0.5, 0.75, 1.0)]
            labels.append(PlacedLabel(joint["name"], at, INK))
        place_labels(axes, labels, drawn)

    def _slide(self, axes: Axes, joint: dict[str, Any], k: int) -> None:
        """The slider as a box in the colour of its body, and a rail on either side of it."""
        points = np.array([self.at(joint["frame_i"], corner, k) for corner in self._corners(joint)])
        body = self.drawing.frames.bodies.index(joint["journal"])
        colour = PALETTE[body % len(PALETTE)]
        axes.add_patch(Polygon(points, closed=True, facecolor=(colour, PALE), edgecolor=colour, zorder=1))
        for line in self._rails(joint):
            rail = np.array([self.at(joint["frame_j"], p, k) for p in line])
            axes.plot(*rail.T, color=RAIL, linewidth=2.5, solid_capstyle="butt", zorder=0)

    def _corners(self, joint: dict[str, Any]) -> list[np.ndarray]:
        """Of a slider, in the frame of its body."""
        if not joint["slides"]:
            return []
        long, high = self._slider(joint)
        along, across = self._directions(joint, "i")
        ways = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        return [np.array(joint["point_i"]) + a * long * along + b * high * across for a, b in ways]

    def _rails(self, joint: dict[str, Any]) -> Iterator[np.ndarray]:
        """Lines beside a slide on the ground, in its frame; on a body that moves the slider rides on the body."""
        if not joint["slides"] or joint["frame_j"] >= 0:
            return
        long, high = self._slider(joint)
        along, across = self._directions(joint, "j")
        ends, stop = [], joint["stops"].get("translation", {"lower": None, "upper": None})
        for sign, limit in ((-1.0, stop["lower"]), (1.0, stop["upper"])):
            free = joint["middle"] + sign * 0.5 * (joint["travel"] + 0.6 * long)
            ends.append((free if limit is None else stop["from"] + limit) + sign * 0.5 * long)
        for side in (-0.5, 0.5):
            start = np.array(joint["point_j"]) + side * (high + 0.3 * self.thick) * across
            yield np.array([start + end * along for end in ends])

    def _slider(self, joint: dict[str, Any]) -> tuple[float, float]:
        """Length and width of a slider as drawn."""
        return joint["length"] or 4.0 * self.thick, joint["width"] or 3.0 * self.thick

    def _directions(self, joint: dict[str, Any], side: str) -> tuple[np.ndarray, np.ndarray]:
        """Along a joint's axis and across it, in the frame of one of its sides."""
        along = np.array(joint[f"axis_{side}"])
        across = np.cross([0.0, 0.0, 1.0] if abs(along[2]) < 0.9 else [0.0, 1.0, 0.0], along)
        count = self.drawing.dimensions
        return along[:count], (across / np.linalg.norm(across))[:count]

    def _stops(self, joint: dict[str, Any]) -> Iterator[np.ndarray]:
        """What stops a joint, as lines in the frame of its bearing: walls across a slide, an arc about a pin."""
        at = np.array(joint["point_j"])
        for way, stop in joint["stops"].items():
            limits = [(sign, x) for sign, x in ((-1.0, stop["lower"]), (1.0, stop["upper"])) if x is not None]
            if way == "translation":
                along, across = self._directions(joint, "j")
                long, high = self._slider(joint)
                for sign, limit in limits:
                    wall = at + (stop["from"] + limit + sign * 0.5 * long) * along
                    yield np.array([wall - 0.6 * high * across, wall + 0.6 * high * across])
                continue
            axis, mark = np.array(joint["axis_j"]), np.array(stop["mark_j"])
            start = mark - (mark @ axis) * axis
            if len(limits) < 2 or not np.linalg.norm(start) > 1e-9:
                continue
            start *= 3.0 * self.thick / np.linalg.norm(start)
            angles = np.linspace(stop["lower"], stop["upper"], 33)[:, None]
            arc = np.cos(angles) * start + np.sin(angles) * np.cross(axis, start)
            # a short line inwards at either limit
            whole = np.vstack([0.6 * arc[:1], arc, 0.6 * arc[-1:]])
            yield at + whole[:, : self.drawing.dimensions]

    def at(self, frame: int, point: Any, k: int) -> np.ndarray:
        """A point of a frame on the page."""
        return np.asarray(self.flat(self.drawing.follow(frame, point, slice(k, k + 1)))[0])

    def centre(self, b: int, k: int) -> np.ndarray:
        return np.asarray(self.flat(self.drawing.poses[k, b, : self.drawing.dimensions]))


def poses_at(frames: Frames, times: np.ndarray) -> np.ndarray:
    """Poses (times, frames, coordinates), between the rows of the run."""
    t = frames.run.t
    k = np.clip(np.searchsorted(t, times, "right") - 1, 0, max(0, len(t) - 2))
    following = np.minimum(k + 1, len(t) - 1)
    share = (times - t[k]) / np.maximum(t[following] - t[k], 1e-300)
    before, after = frames.poses(k), frames.poses(following)
    return np.asarray(before + np.clip(share, 0.0, 1.0)[:, None, None] * (after - before))


def open_moment(run: Run, start: float = -np.inf, stop: float = np.inf) -> float:
    """Time [s] between start and stop, in their later half, at which the mechanism is spread widest on the page: where
    its links do not cover each other."""
    first, last = max(start, float(run.t[0])), min(stop, float(run.t[-1]))
    times = np.linspace(0.5 * (first + last), last, MOMENTS, endpoint=False)
    made = SketchDrawing(run, times)
    points = np.stack([made.flat(np.broadcast_to(track, (MOMENTS, track.shape[1]))) for track in made.drawing.tracks()],
                      axis=1)  # fmt: skip
    spread = np.linalg.svd(points - points.mean(axis=1, keepdims=True), compute_uv=False)
    return float(times[np.argmax(spread[:, -1])])


def sketch(run: Run, t: float | str | None = None, *, magnify: float | None = 1.0, names: bool = True) -> Figure:
    """A picture of the mechanism at time t [s]; default: when its links cover each other least. With `names` of bodies
    and joints.

    magnify: play of joints and bending of beams so many times as large; None: so that both can be seen.
    """
    if not hasattr(run, "t"):
        raise GudgeonError(f"sketch draws a run, not {run!r}; give it gd.simulate(mechanism, duration=...)")
    at = open_moment(run) if t is None else quantity(t, "s", "t")
    made = SketchDrawing(run, np.array([at]), magnify)
    with rc_context(RULES):
        canvas = Canvas(figsize=(6.2, made.height(6.2) + 0.3), layout="constrained")
        axes = canvas.add_subplot()
        made.prepare(axes)
        made.put(axes, 0)
        figure = finished(canvas, f"{run.name}, {at * 1e3:.4g} ms{made.magnification()}")
        made.fit(axes)
        if names:
            made.name(axes, 0)
    return figure


def animate(run: Run, path: str | Path, *, seconds: float = SECONDS, magnify: float = 1.0,
            start: float | str | None = None, stop: float | str | None = None) -> Path:  # fmt: skip
    """A film of the run: .gif, .mp4 (needs ffmpeg), or a folder name for single .png pictures.

    seconds [s] that the film lasts; start, stop [s] of the run; magnify: play of joints and bending of beams so many
    times as large.
    """
    target = Path(path)
    kind = target.suffix.lower()
    if kind not in (".gif", ".mp4", ""):
        raise GudgeonError(f'film "{path}": the name must end in .gif or .mp4, or have no ending for a folder of .png')
    first = float(run.t[0]) if start is None else quantity(start, "s", "start")
    last = float(run.t[-1]) if stop is None else quantity(stop, "s", "stop")
    if not first < last or not seconds > 0.0:
        raise GudgeonError(f"film: from {first:g} to {last:g} s in {seconds:g} s is no span of time")
    made = SketchDrawing(run, np.linspace(first, last, max(2, round(SMOOTH * seconds))), magnify)
    with rc_context(RULES):
        canvas = Canvas(figsize=(6.4, 4.0), dpi=110)
        axes = canvas.add_axes((0.02, 0.02, 0.96, 0.88))

        def turn(k: int) -> None:
            axes.clear()
            made.prepare(axes)
            made.fit(axes)
            made.put(axes, k)
            axes.set_title(f"{run.name}   {made.times[k] * 1e3:9.3f} ms{made.magnification()}")

        _write(canvas, turn, len(made.times), target, kind)
    return target


def _write(canvas: Any, turn: Any, count: int, target: Path, kind: str) -> None:
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
    with draft(target) as part, writer.saving(canvas, str(part), canvas.dpi):
        for k in range(count):
            turn(k)
            writer.grab_frame()
