"""A mechanism as things to draw: bodies with the points where they are held, beams, joints with axes and sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.draw.mechanism.frames import flexible, turned
from gudgeon.model.names import GROUND

if TYPE_CHECKING:
    from gudgeon.draw.mechanism.frames import Frames
    from gudgeon.model import Mechanism

__all__ = ["Drawing", "all_ideal"]

LARGER = 0.6  # of a pin's radius: the clearance as first drawn
LARGEST = 3.0  # and at most
BENT, MOST_BENT = 0.06, 0.25  # of the mechanism's size: the largest deflection as first drawn, and at most
STIFF = 1e-7  # of the size: a deflection less than that is none


def all_ideal(mechanism: Mechanism) -> bool:
    """Whether every joint is ideal: without play, film, rubber, contact or friction."""
    fits = [fit for joint in mechanism.joints.values() for fit in joint.fit.values()]
    return all(fit.ideal and getattr(fit, "friction", None) is None for fit in fits)


class Drawing:
    """Bodies, joints and springs of a mechanism for the page; `poses` (rows, frames, 3 or 7) tell how far it moves."""

    def __init__(self, frames: Frames, poses: np.ndarray) -> None:
        self.frames, self.poses = frames, poses
        self.run, self.mechanism, self.dimensions = frames.run, frames.mechanism, frames.dimensions
        every = np.concatenate(self.tracks())
        self.low, self.high = every.min(axis=0), every.max(axis=0)

    @property
    def size(self) -> float:
        """The longest side of the box that holds the motion [m], and not less than a joint is large."""
        joints = self.mechanism.joints.values()
        largest = max((max(2.0 * (j.radius or 0.0), j.length or 0.0) for j in joints), default=0.0)
        return max(float((self.high - self.low).max()), largest, 1e-9)

    def frame(self) -> dict[str, Any]:
        """Where the motion is: middle, size and height."""
        middle, span = 0.5 * (self.low + self.high), self.high - self.low
        gravity = np.array(self.mechanism.gravity, dtype=float)
        fall = float(np.linalg.norm(gravity))
        down = gravity / fall if fall > 0.0 else np.array([0.0, 0.0, -1.0])[: self.dimensions]
        low = float(0.5 * np.abs(down) @ span)
        # what moves below all that holds it hangs there
        feet = [np.array(j.bearing_point) for j in self.mechanism.joints.values() if j.bearing == GROUND]
        hangs = fall > 0.0 and bool(feet) and min((middle - foot) @ down for foot in feet) > 0.1 * self.size
        return {"middle": [*map(float, middle)], "size": self.size, "low": low, "hangs": hangs,
                "gravity": [*map(float, gravity)] if fall > 0.0 else None}  # fmt: skip

    def tracks(self) -> list[np.ndarray]:
        """World coordinates, on every row, of all points where bodies are held, of their centres and of beams."""
        centres = [self.poses[:, k, : self.dimensions] for k in range(self.poses.shape[1])]
        return [*(self.track(name, p) for name, p in self._held()), *centres]

    def track(self, body: str, point: Any) -> np.ndarray:
        """World coordinates of a body-fixed point on every row."""
        return self.follow(*self.frames.seat(body, point))

    def follow(self, frame: int, point: Any, rows: slice = slice(None)) -> np.ndarray:
        """World coordinates of a point of a frame on every row, or on some."""
        moved = 0.0 if frame < 0 else self.poses[rows, frame, : self.dimensions]
        return np.asarray(moved + self._turned(frame, np.array(point, dtype=float), rows))

    def _turned(self, frame: int, p: np.ndarray, rows: slice = slice(None)) -> np.ndarray:
        """A vector of a frame in the axes of the world."""
        if frame < 0:
            return p[None, :]
        pose = self.poses[rows, frame]
        if self.dimensions == 3:
            return turned(pose[:, 3:], p)
        c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
        return np.column_stack([c * p[0] - s * p[1], s * p[0] + c * p[1]])

    def bodies(self) -> list[dict[str, Any]]:
        drawn = []
        for name in self.frames.bodies:
            joints = [j for j in self.mechanism.joints.values() if name in (j.journal, j.bearing)]
            points = [self._point(j, name) for j in joints]
            points += [p for body, p in self._spring_ends() if body == name]
            slides = [self._slide(j) for j in joints if j.journal == name and j.kind.name == "translational"]
            drawn.append({"name": name, "points": points, "slides": slides, "beam": name in self.frames.places})
        return drawn

    def beams(self) -> list[dict[str, Any]]:
        """Lines through sections: which frames, how far apart undeformed [m], half as high as drawn at most [m]."""
        drawn = []
        for name, places in self.frames.places.items():
            link, steps = self.frames.flexible[name], np.diff(places) * self.frames.length(name)
            drawn.append({"name": name, "body": self.frames.bodies.index(name), "frames": self.frames.sections(name),
                          "steps": [*map(float, steps)], "half": 0.5 * _height(link)})  # fmt: skip
        return drawn

    def joints(self) -> list[dict[str, Any]]:
        return [self._joint(joint) for joint in self.mechanism.joints.values()]

    def orbits(self) -> dict[str, list[str]]:
        """Channels of the journal's offset, by joint that has play there."""
        circles = {}
        for joint in self.mechanism.joints.values():
            names = [f"{joint.name}.e{a}" for a in "xyz"[: 3 if f"{joint.name}.ez" in self.run else 2]]
            if self._open(joint) and all(name in self.run for name in names):
                circles[joint.name] = names
        return circles

    def springs(self) -> list[dict[str, Any]]:
        drawn = []
        for s in self.mechanism.springs.values():
            (i, here), (j, there) = self.frames.seat(s.body_i, s.point_i), self.frames.seat(s.body_j, s.point_j)
            drawn.append({"name": s.name, "frame_i": i, "point_i": here, "frame_j": j, "point_j": there})
        return drawn

    def features(self) -> dict[str, list[str]]:
        """What is not ideal and rigid, by kind: joints with their play, films, rubber, contacts, stops; flexible
        links."""
        features: dict[str, list[str]] = {}
        for joint in self.mechanism.joints.values():
            for mate, fit in joint.fit.items():
                if fit.ideal:
                    if getattr(fit, "friction", None) is not None:
                        features.setdefault("friction in", []).append(joint.name)
                    continue
                gap = joint.gap(mate)
                turns = joint.mates[mate].clearance == "angular_clearance"
                size = f" {math.degrees(gap):.4g}°" if turns else f" {gap * 1e3:.4g} mm"
                word = "film in" if fit.filmed else "play in" if gap > 0.0 else (
                    "contact in" if joint.mates[mate].external else "elastic")  # fmt: skip
                name = joint.name + (size if gap > 0.0 else "")
                features.setdefault(word, []).append(name)
        features["flexible"] = list(flexible(self.run.mechanism))
        features["stops in"] = [joint.name for joint in self.mechanism.joints.values() if joint.stops]
        return {word: list(dict.fromkeys(names)) for word, names in features.items() if names}

    def magnified(self, fields: np.ndarray | None) -> dict[str, Any]:
        """What is drawn larger than it is, how many times at first and at most; `fields` as `Frames.plays` gives it."""
        loose = [joint for joint in self.joints() if joint["loose"]]
        play = max((j["gap"] for j in loose), default=0.0)
        pin = max((j["radius"] for j in loose), default=0.0) or 0.03 * self.size
        pin = min(pin, 0.05 * self.size)
        bent = 0.0
        if fields is not None and self.frames.places:
            moved = fields[:, len(self.frames.bodies) :, : self.dimensions]
            bent = float(np.sqrt((moved**2).sum(axis=2)).max())
        factors = {}
        if play > 0.0:
            factors["play"] = (LARGER * pin / play, LARGEST * pin / play)
        if bent > STIFF * self.size:
            factors["bending"] = (BENT * self.size / bent, MOST_BENT * self.size / bent)
        return {
            "magnified": " and ".join(factors), "magnify": max(1.0, min((k for k, _ in factors.values()), default=1.0)),
            "most": max(1.0, max((k for _, k in factors.values()), default=1.0)),
        }  # fmt: skip

    def _open(self, joint: Any) -> bool:
        return any(not joint.fit[mate].ideal for mate in joint.round_mates)

    def _held(self) -> list[tuple[str, Any]]:
        sides = [(getattr(j, s), getattr(j, f"{s}_point"))
                 for j in self.mechanism.joints.values() for s in ("journal", "bearing")]  # fmt: skip
        return sides + self._spring_ends()

    def _spring_ends(self) -> list[tuple[str, Any]]:
        springs = self.mechanism.springs.values()
        return [end for s in springs for end in ((s.body_i, s.point_i), (s.body_j, s.point_j))]

    def _point(self, joint: Any, body: str) -> Any:
        return joint.journal_point if joint.journal == body else joint.bearing_point

    def _axis(self, joint: Any, side: str) -> list[float]:
        """The joint's axis in the frame of one of its bodies."""
        if joint.axis is None:
            return [0.0, 0.0, 1.0]
        return self._local(getattr(joint, side), [*joint.axis, 0.0][:3])

    def _local(self, name: str, axis: list[float]) -> list[float]:
        """A direction of the described position in the frame of a body."""
        if name == GROUND:
            return axis
        body: Any = self.mechanism.bodies[name]
        if self.dimensions == 2:
            c, s = math.cos(body.angle), math.sin(body.angle)
            return [c * axis[0] + s * axis[1], c * axis[1] - s * axis[0], axis[2]]
        w, x, y, z = body.orientation
        return [*map(float, turned(np.array([[w, -x, -y, -z]]), np.array(axis))[0])]

    def _slide(self, joint: Any) -> dict[str, Any]:
        return {"point": joint.journal_point, "axis": self._axis(joint, "journal"), "length": joint.length or 0.0,
                "width": joint.width or 0.0}  # fmt: skip

    def _joint(self, joint: Any) -> dict[str, Any]:
        name, run = joint.name, self.run
        fits = dict.fromkeys(fit.describe() for fit in joint.fit.values())
        gaps = [joint.gap(mate) for mate in joint.round_mates]
        slides, shifts = joint.kind.name == "translational", joint.kind.free == "translation"
        force = [f"{name}.f{a}" for a in "xyz"[: self.dimensions]]
        (i, here), (j, there) = (self.frames.seat(getattr(joint, s), getattr(joint, f"{s}_point"))
                                 for s in ("journal", "bearing"))  # fmt: skip
        entry = {
            "name": name, "kind": joint.kind.name, "journal": joint.journal, "bearing": joint.bearing, "frame_i": i,
            "frame_j": j, "point_i": here, "point_j": there, "axis_i": self._axis(joint, "journal"),
            "axis_j": self._axis(joint, "bearing"), "radius": joint.radius or 0.0, "length": joint.length or 0.0,
            "width": joint.width or 0.0, "gap": max(gaps, default=0.0), "loose": self._open(joint), "slides": slides,
            "shifts": shifts, "journal_radius": joint.journal_radius or 0.0,
            "force": force if all(c in run for c in force) else None, "stops": self._stops(joint),
            "fit": "; ".join(text for text in fits if text != "ideal") or "ideal",
        }  # fmt: skip
        if joint.kind.cross:
            entry["cross"] = self._cross(joint)
        return {**entry, **self._travel(joint)} if shifts else entry

    def _cross(self, joint: Any) -> dict[str, list[float]]:
        """Of a universal joint: the axis of the cross that is fixed in each body, and where the body's shaft goes."""
        arm, other, _ = joint.triads[0]
        middle = np.array(self.mechanism.world(joint.bearing, joint.bearing_point))
        ways = {}
        for side, pin in (("i", np.array([*arm])), ("j", np.array([*other]))):
            name = joint.journal if side == "i" else joint.bearing
            body: Any = self.mechanism.bodies.get(name)
            way = np.array(body.at) - middle if body is not None else np.zeros(3)
            way -= (way @ pin) * pin
            ways[side] = (name, pin, way)
        axis = np.array(joint.axis)
        entry = {}
        for side, (name, pin, way) in ways.items():
            opposite = ways["j" if side == "i" else "i"][2]
            if np.linalg.norm(way) < 1e-6 * self.size:
                # a bearing on the ground: its shaft leads away from the journal's
                way = -axis if axis @ opposite > 0.0 else axis
            entry[f"pin_{side}"] = self._local(name, [*map(float, pin)])
            entry[f"way_{side}"] = self._local(name, [*map(float, way / np.linalg.norm(way))])
        return entry

    def _travel(self, joint: Any) -> dict[str, float]:
        """How far a slide goes and where its middle is, along its axis from the bearing's point."""
        frame, _ = self.frames.seat(joint.bearing, joint.bearing_point)
        axis = self._turned(frame, np.array(self._axis(joint, "bearing")[: self.dimensions]))
        gone = self.track(joint.journal, joint.journal_point) - self.track(joint.bearing, joint.bearing_point)
        along = (gone * axis).sum(axis=1)
        return {"travel": float(np.ptp(along)), "middle": float(0.5 * (along.min() + along.max()))}

    def _stops(self, joint: Any) -> dict[str, dict[str, Any]]:
        """Limits by the direction they stop, from the described position, and where its zero is on either side: for
        turns a mark in the frame of each body, for slides how far the journal is along the axis."""
        at = np.array(self.mechanism.world(joint.bearing, joint.bearing_point))
        body: Any = self.mechanism.bodies.get(joint.journal)
        to = [*map(float, np.array(body.at) - at if body is not None else np.zeros(self.dimensions)), 0.0][:3]
        gone = np.array(self.mechanism.world(joint.journal, joint.journal_point)) - at
        axis = np.array(joint.axis if joint.axis is not None else (0.0,) * self.dimensions)
        zero = {"mark_i": self._local(joint.journal, to), "mark_j": self._local(joint.bearing, to),
                "from": float(gone @ axis)}  # fmt: skip
        return {way: {"lower": s.lower, "upper": s.upper, **zero} for way, s in joint.stops.items()}


def _height(link: Any) -> float:
    """Of a rectangle that is as stiff as the section of a flexible link [m]; 0 where it has none."""
    section = getattr(link, "section", None)
    if section is None:
        return 0.0
    if hasattr(section, "stiffness"):  # of space: a matrix
        axial, bending = section.stiffness[0][0], max(section.stiffness[4][4], section.stiffness[5][5])
    else:
        axial, bending = section.EA, section.EI
    return float(np.sqrt(12.0 * bending / axial))
