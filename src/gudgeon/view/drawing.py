"""A mechanism as things to draw: bodies with the points where they are held, joints with axes and sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.model import Ideal
from gudgeon.model.names import GROUND

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["Drawing"]

SLIDING = ("translational", "cylindrical")


class Drawing:
    """Bodies, joints and springs of a mechanism for the page; `poses` (rows, bodies, 3 or 7) tell how far it moves."""

    def __init__(self, run: Run, poses: np.ndarray) -> None:
        self.run, self.poses = run, poses
        # a beam is drawn as the rigid body that its middle moves with
        self.mechanism: Mechanism = run.mechanism.stiffened()
        self.index = {name: k for k, name in enumerate(self.mechanism.bodies)}
        every = np.concatenate(self.tracks())
        self.low, self.high = every.min(axis=0), every.max(axis=0)

    @property
    def dimensions(self) -> int:
        return len(self.mechanism.gravity)

    @property
    def size(self) -> float:
        """The longest side of the box that holds the motion [m]."""
        return max(float((self.high - self.low).max()), 1e-9)

    def frame(self) -> dict[str, Any]:
        """Where the camera looks: middle, extent and height of the motion."""
        middle, span = 0.5 * (self.low + self.high), self.high - self.low
        gravity = np.array(self.mechanism.gravity, dtype=float)
        fall = float(np.linalg.norm(gravity))
        down = gravity / fall if fall > 0.0 else np.array([0.0, 0.0, -1.0])[: self.dimensions]
        if self.dimensions == 2:
            extent = [float(span[0]), float(span[1])]
        else:
            # seen from a corner
            extent = [0.85 * float(np.hypot(span[0], span[1])), 0.65 * float(np.linalg.norm(span))]
        low = float(0.5 * np.abs(down) @ span)
        return {"middle": [*map(float, middle)], "extent": extent, "size": self.size, "low": low,
                "gravity": [*map(float, gravity)] if fall > 0.0 else None}  # fmt: skip

    def tracks(self) -> list[np.ndarray]:
        """World coordinates, on every row, of all points where bodies are held and of their centres."""
        centres = [self.poses[:, k, : self.dimensions] for k in self.index.values()]
        return [*(self.track(name, p) for name, p in self._held()), *centres]

    def track(self, body: str, point: Any) -> np.ndarray:
        """World coordinates of a body-fixed point on every row."""
        p = np.array(point, dtype=float)
        if body == GROUND:
            return p[None, :]
        pose = self.poses[:, self.index[body]]
        if self.dimensions == 2:
            c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
            return pose[:, :2] + np.column_stack([c * p[0] - s * p[1], s * p[0] + c * p[1]])
        return pose[:, :3] + _turned(pose[:, 3:], p)

    def bodies(self) -> list[dict[str, Any]]:
        found = []
        for name in self.index:
            joints = [j for j in self.mechanism.joints.values() if name in (j.journal, j.bearing)]
            points = [self._point(j, name) for j in joints]
            points += [p for body, p in self._spring_ends() if body == name]
            slides = [self._slide(j) for j in joints if j.journal == name and j.kind.name in SLIDING]
            found.append({"name": name, "points": points, "slides": slides if self.dimensions == 2 else []})
        return found

    def joints(self) -> list[dict[str, Any]]:
        return [self._joint(joint) for joint in self.mechanism.joints.values()]

    def orbits(self) -> dict[str, list[str]]:
        """Channels of the journal's offset, by joint that has play there."""
        found = {}
        for joint in self.mechanism.joints.values():
            names = [f"{joint.name}.e{a}" for a in "xyz"[: 3 if f"{joint.name}.ez" in self.run else 2]]
            if self._open(joint) and all(name in self.run for name in names):
                found[joint.name] = names
        return found

    def springs(self) -> list[dict[str, Any]]:
        keys = ("body_i", "point_i", "body_j", "point_j")
        return [{k: getattr(s, k) for k in keys} for s in self.mechanism.springs.values()]

    def _open(self, joint: Any) -> bool:
        return any(m in joint.fit and not isinstance(joint.fit[m], Ideal) for m in joint.round_mates)

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
        axis = [*joint.axis, 0.0][:3]
        name = getattr(joint, side)
        if name == GROUND:
            return axis
        body: Any = self.mechanism.bodies[name]
        if self.dimensions == 2:
            c, s = math.cos(body.angle), math.sin(body.angle)
            return [c * axis[0] + s * axis[1], c * axis[1] - s * axis[0], 0.0]
        w, x, y, z = body.orientation
        return [*map(float, _turned(np.array([[w, -x, -y, -z]]), np.array(axis))[0])]

    def _slide(self, joint: Any) -> dict[str, Any]:
        return {"point": joint.journal_point, "axis": self._axis(joint, "journal"), "length": joint.length or 0.0,
                "width": joint.width or 0.0}  # fmt: skip

    def _joint(self, joint: Any) -> dict[str, Any]:
        name, run = joint.name, self.run
        gaps = [joint.gap(mate) for mate in joint.round_mates if mate in joint.fit]
        slides = joint.kind.name == "translational"
        force = [f"{name}.f{a}" for a in "xyz"[: self.dimensions]]
        entry = {
            "name": name, "kind": joint.kind.name, "journal": joint.journal, "bearing": joint.bearing,
            "point_i": joint.journal_point, "point_j": joint.bearing_point, "axis_i": self._axis(joint, "journal"),
            "axis_j": self._axis(joint, "bearing"), "radius": joint.radius or 0.0, "length": joint.length or 0.0,
            "width": joint.width or 0.0, "gap": max(gaps, default=0.0), "loose": self._open(joint), "slides": slides,
            "force": force if all(c in run for c in force) else None, "stop": self._stop(joint),
            "towards": self._towards(joint),
        }  # fmt: skip
        return {**entry, **self._travel(joint)} if slides else entry

    def _travel(self, joint: Any) -> dict[str, float]:
        """How far a slide goes and where its middle is, along its axis from the bearing's point."""
        ways = self.track(joint.journal, joint.journal_point) - self.track(joint.bearing, joint.bearing_point)
        along = ways @ np.array(joint.axis, dtype=float)[: self.dimensions]
        return {"travel": float(np.ptp(along)), "middle": float(0.5 * (along.min() + along.max()))}

    def _stop(self, joint: Any) -> dict[str, Any] | None:
        stops = [s for side, s in joint.stops.items() if side == "rotation"]
        return {"lower": stops[0].lower, "upper": stops[0].upper} if stops else None

    def _towards(self, joint: Any) -> list[float]:
        """From the joint to the journal's body as described, in the world: a mark for angles."""
        at = np.array(self.mechanism.world(joint.bearing, joint.bearing_point))
        body: Any = self.mechanism.bodies.get(joint.journal)
        to = np.array(body.at) - at if body is not None else np.zeros(self.dimensions)
        return [*map(float, to), 0.0][:3]


def _turned(parameters: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Rows of Euler parameters (scalar first) applied to one vector."""
    w, v = parameters[:, :1], parameters[:, 1:]
    cross = np.cross(v, p)
    return np.asarray(p + 2.0 * (w * cross + np.cross(v, cross)))
