"""Everything of a run that has a pose: its bodies, then those sections of its beams that are drawn."""

# A beam is known at its stations, by place and direction of the section there. Between two of them its line is the
# cubic that has these places and directions (Hermite), beyond the outermost it goes on straight.

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.mechanism.magnified import play_fields
from gudgeon.model.names import GROUND
from gudgeon.quantity import GudgeonError
from gudgeon.space.spatial.geometry.rotation import Rotation, after, parameters_of

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["Frames", "flexible", "motion_channels", "turned"]

# coordinates of a pose, by the dimensions of the space
KINDS = {2: ("x", "y", "angle"), 3: ("x", "y", "z", "e0", "e1", "e2", "e3")}
NEAR = 1e-6  # of a beam's length: places so close are one


class Frames:
    """Poses by number: bodies in the order of the mechanism, a beam as the rigid body that its middle moves with, then
    the sections of each beam from its start to its end. A beam whose stations were not recorded has no sections."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.mechanism: Mechanism = run.mechanism.stiffened()
        self.dimensions = len(self.mechanism.gravity)
        self.bodies = list(self.mechanism.bodies)
        self.kinds = KINDS[self.dimensions]
        missing = [f"{body}.{kind}" for body in self.bodies for kind in self.kinds if f"{body}.{kind}" not in run]
        if missing:
            raise GudgeonError(
                f'run of "{run.name}" did not record {missing[0]}, so that its bodies cannot be drawn; '
                "leave channels out of its run settings, or add the positions of every body"
            )
        self.flexible = flexible(run.mechanism)
        # equations count Euler parameters of principal axes where a body has products of inertia; drawn are its own
        turns = {name: getattr(body, "principal", None) for name, body in self.mechanism.bodies.items()}
        self.turns = {name: parameters_of(Rotation(*turn.described.columns)) for name, turn in turns.items()
                       if turn is not None and turn.described is not None}  # fmt: skip
        self.stations = {name: self._stations(name) for name in self.flexible}
        self.places: dict[str, list[float]] = {}
        self._first: dict[str, int] = {}
        count = len(self.bodies)
        for name, stations in self.stations.items():
            if len(stations) > 1:
                self.places[name] = _distinct([0.0, 1.0, *stations, *self._seats(name)])
                self._first[name] = count
                count += len(self.places[name])

    def length(self, beam: str) -> float:
        """Of a beam as described [m]."""
        return float(self.flexible[beam].length)

    def sections(self, beam: str) -> list[int]:
        """Numbers of a beam's sections."""
        return [self._first[beam] + k for k in range(len(self.places[beam]))] if beam in self.places else []

    def seat(self, body: str, point: Any) -> tuple[int, tuple[float, ...]]:
        """Number of the frame that carries a body-fixed point, and the point in it; -1 is the ground."""
        if body == GROUND:
            return -1, tuple(point)
        if body not in self.places:
            return self.bodies.index(body), tuple(point)
        station, inside = self.flexible[body].section_of(point)
        k = int(np.argmin([abs(place - station) for place in self.places[body]]))
        rest = (station - self.places[body][k]) * self.length(body) + inside[0]
        return self._first[body] + k, (rest if abs(rest) > NEAR * self.length(body) else 0.0, *inside[1:])

    def poses(self, rows: np.ndarray) -> np.ndarray:
        """Poses (rows, frames, coordinates)."""
        columns = [self._pose(name, rows) for name in self.bodies]
        for beam, places in self.places.items():
            known = [(place, self._pose(name, rows)) for place, name in self.stations[beam].items()]
            columns += [self._between(known, place, self.length(beam)) for place in places]
        return np.stack(columns, axis=1)

    def line(self, beam: str, poses: np.ndarray, count: int = 49) -> np.ndarray:
        """Points (rows, count, dimensions) along a beam that has these poses."""
        known = list(zip(self.places[beam], poses[:, self.sections(beam)].swapaxes(0, 1), strict=True))
        length, ways = self.length(beam), np.linspace(0.0, 1.0, count)
        return np.stack([self._between(known, place, length)[:, : self.dimensions] for place in ways], axis=1)

    def plays(self, t: np.ndarray, poses: np.ndarray) -> np.ndarray | None:
        """Change of every pose by one more of each offset in a joint and of each deflection: what parts it from the
        rigid mechanism with ideal joints at that time. None where nothing does."""
        count = len(self.bodies)
        bodies = poses[:, :count]
        counted = self._axes(bodies, 1.0)
        fields = play_fields(self.run.mechanism, t, counted.reshape(len(t), -1), self._motions(t))
        if fields is None and not self.places:
            return None
        # a product of quaternions is linear in each, so that a change turns as a pose does
        field = np.zeros_like(bodies) if fields is None else self._axes(fields.reshape(bodies.shape), -1.0)
        if not self.places:
            return field
        ideal, columns = bodies - field, [field]
        for beam, places in self.places.items():
            rigid = ideal[:, self.bodies.index(beam)]
            for k, place in zip(self.sections(beam), places, strict=True):
                built = self._built(rigid, self.flexible[beam].built(place))
                columns.append((poses[:, k] - _nearer(built, poses[:, k], self.dimensions))[:, None])
        return np.concatenate(columns, axis=1)

    def _axes(self, poses: np.ndarray, way: float) -> np.ndarray:
        """Poses of the bodies by their principal axes instead of their own; way = -1.0: the other way round."""
        turned = poses.copy()
        for name, turn in self.turns.items():
            k = self.bodies.index(name)
            turned[:, k, 3:] = _turned_axes(poses[:, k, 3:], turn, way)
        return turned

    # -- beams ------------------------------------------------------------------------------------------------

    def _stations(self, beam: str) -> dict[float, str]:
        """Channels before the last dot, by place; those of a beam itself are of its middle."""
        pattern = re.compile(rf"{re.escape(beam)}\.(\d+(?:_\d+)?)\.x")
        matches = [match for match in map(pattern.fullmatch, self.run.channels) if match]
        known = {float(m[1].replace("_", ".")) / 100.0: m[0].removesuffix(".x") for m in matches}
        whole = {s: name for s, name in known.items() if all(f"{name}.{kind}" in self.run for kind in self.kinds)}
        own = self.run.mechanism.beams.get(beam)
        middle = {0.5: beam} if own is not None and own.curve is None else {}
        return dict(sorted({**middle, **whole}.items()))

    def _seats(self, beam: str) -> list[float]:
        """Places where joints and springs hold a beam."""
        mechanism = self.run.mechanism
        held = [(getattr(j, s), getattr(j, f"{s}_point")) for j in mechanism.joints.values()
                for s in ("journal", "bearing")]  # fmt: skip
        held += [end for s in mechanism.springs.values() for end in ((s.body_i, s.point_i), (s.body_j, s.point_j))]
        return [self.flexible[beam].section_of(point)[0] for body, point in held if body == beam]

    def _pose(self, name: str, rows: np.ndarray) -> np.ndarray:
        pose = np.column_stack([self.run[f"{name}.{kind}"][rows] for kind in self.kinds])
        if name in self.turns and name not in self.flexible:
            pose[:, 3:] = _turned_axes(pose[:, 3:], self.turns[name], -1.0)
        return pose

    def _between(self, known: list[tuple[float, np.ndarray]], place: float, length: float) -> np.ndarray:
        """The pose of a section from those of the stations around it."""
        places = [s for s, _ in known]
        k = int(np.searchsorted(places, place))
        near = [j for j in (k - 1, k) if 0 <= j < len(places) and abs(places[j] - place) < NEAR]
        if near or k in (0, len(places)):
            j = near[0] if near else min(k, len(places) - 1)
            return self._shifted(known[j][1], 0.0 if near else (place - places[j]) * length)
        (s0, before), (s1, after) = known[k - 1 : k + 1]
        after, x, n = _nearer(after, before, self.dimensions), (place - s0) / (s1 - s0), self.dimensions
        ends = [self._shifted(p, (s1 - s0) * length)[:, :n] - p[:, :n] for p in (before, after)]
        middle = (1.0 - x) * before + x * after
        middle[:, :n] = ((1 + 2 * x) * (1 - x) ** 2 * before[:, :n] + x**2 * (3 - 2 * x) * after[:, :n]
                         + x * (1 - x) ** 2 * ends[0] - x**2 * (1 - x) * ends[1])  # fmt: skip
        return middle

    def _shifted(self, pose: np.ndarray, distance: float) -> np.ndarray:
        """Poses moved along their own x."""
        moved = pose.copy()
        if self.dimensions == 2:
            moved[:, :2] += distance * np.column_stack([np.cos(pose[:, 2]), np.sin(pose[:, 2])])
        else:
            moved[:, :3] += turned(pose[:, 3:], np.array([distance, 0.0, 0.0]))
        return moved

    def _built(self, pose: np.ndarray, built: np.ndarray) -> np.ndarray:
        """Poses of a section upon those of its link, where it is built into it."""
        n = self.dimensions
        if not built[1:n].any() and not built[-n:].any():
            return self._shifted(pose, float(built[0]))
        moved = pose.copy()
        if n == 2:
            c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
            moved[:, 0] += c * built[0] - s * built[1]
            moved[:, 1] += s * built[0] + c * built[1]
            moved[:, 2] += built[2]
        else:
            moved[:, :3] += turned(pose[:, 3:], built[:3])
            moved[:, 3:] = [after(p, built[3:].tolist()) for p in pose[:, 3:].tolist()]
        return moved

    def _motions(self, t: np.ndarray) -> dict[str, np.ndarray]:
        """Coordinates of driven joints, as they were."""
        channels = motion_channels(self.mechanism)
        return {name: np.interp(t, self.run.t, self.run[c]) for name, c in channels.items() if c in self.run}


def motion_channels(mechanism: Mechanism) -> dict[str, str]:
    """The channel of the coordinate of every driven joint."""
    channels = {}
    for name, drive in mechanism.drives.items():
        directions = mechanism.joints[name].kind.directions
        direction = getattr(drive, "direction", None) or directions[0]
        channels[name] = f"{name}.{'travel' if direction == directions[0] else 'turn'}"
    return channels


def flexible(mechanism: Any) -> dict[str, Any]:
    """Every link that bends, by name: beams, and links with modes."""
    return {**mechanism.beams, **mechanism.modal_links}


def _turned_axes(parameters: np.ndarray, turn: tuple[float, ...], way: float) -> np.ndarray:
    """Rows of Euler parameters of a body's axes, of others that lie turned in it; way = -1.0: back from those."""
    return np.column_stack(after(list(parameters.T), (turn[0], *(way * x for x in turn[1:]))))


def turned(parameters: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Rows of Euler parameters (scalar first) applied to one vector."""
    w, v = parameters[:, :1], parameters[:, 1:]
    cross = np.cross(v, p)
    return np.asarray(p + 2.0 * (w * cross + np.cross(v, cross)))


def _nearer(pose: np.ndarray, other: np.ndarray, dimensions: int) -> np.ndarray:
    """The same poses, of the two signs of Euler parameters the one nearer to the other's."""
    if dimensions == 2:
        return pose
    signed = pose.copy()
    signed[:, 3:] *= np.where((pose[:, 3:] * other[:, 3:]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    return signed


def _distinct(places: list[float]) -> list[float]:
    distinct: list[float] = []
    for place in sorted(places):
        if not distinct or place - distinct[-1] > NEAR:
            distinct.append(place)
    return distinct
