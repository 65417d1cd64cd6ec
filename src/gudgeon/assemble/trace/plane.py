"""A mechanism of the plane on symbols: its bodies, places, free coordinates and loads."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gudgeon.assemble.flexible.modal import ModalBody
from gudgeon.assemble.flexible.planar_beam import Flexible
from gudgeon.assemble.flexible.sliding_joint import RAIL, described_place
from gudgeon.assemble.tree.planar import PlanarBranch, branch, free_branch
from gudgeon.assemble.tree.tree import Link
from gudgeon.compile.graph import Scalar
from gudgeon.model import Joint, ModalLink, Torque
from gudgeon.model.names import GROUND
from gudgeon.space.mate import Mate, Sizes
from gudgeon.space.planar import PlanarGround, PlanarPlace, PlanarRigidBody, PlanarVector

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace


class Plane:
    """What the trace asks of the plane."""

    mates = Mate.registry
    ground = PlanarGround
    ground_branch = PlanarBranch(PlanarGround().frame)
    rigid_body: type[Any] = PlanarRigidBody
    flexible = Flexible
    axes = ("x", "y")

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._starts: dict[str, Any] = {}

    def _inertia(self, body: Any) -> tuple[Scalar, Scalar]:
        number = self.trace.parameters.number
        return number(f"{body.name}.mass", body.mass), number(f"{body.name}.inertia", body.inertia)

    def body(self, body: Any, q: list[Scalar], v: list[Scalar]) -> PlanarRigidBody:
        if isinstance(body, ModalLink):
            return ModalBody(self.trace.graph, self.trace.parameters, body, q, v)
        return PlanarRigidBody(q, v, *self._inertia(body))

    def branch(self, link: Link) -> PlanarBranch:
        """A body of a tree, upon one that is there already."""
        trace = self.trace
        inertia = self._inertia(trace.mechanism.bodies[link.body])
        if link.joint is None:
            return free_branch(link, *inertia)
        joint = trace.mechanism.joints[link.joint]
        inner, own = trace.sides(joint, link)
        return branch(link, trace.bodies[link.parent], inner, own, self._start(joint), *inertia)

    @staticmethod
    def arms(place: PlanarPlace) -> list[PlanarVector]:
        """Vectors fixed in the body of a place."""
        return [place.frame.axis(x) for x in (place.local_point, place.local_axis)]

    def vector(self, *components: Any) -> PlanarVector:
        return PlanarVector(*components)

    def side(self, joint: Joint, side: str) -> PlanarPlace:
        """A side of a joint, yet without a frame."""
        name = getattr(joint, side)
        described = self._angle(name, getattr(joint, f"{side}_point"))
        x, y = self.trace.local(name, getattr(joint, f"{side}_point"))
        axis = joint.axis or (1.0, 0.0)
        c, s = math.cos(described), math.sin(described)
        local_axis = (c * axis[0] + s * axis[1], c * axis[1] - s * axis[0])
        geometry, prefix = self.trace.parameters.geometry, f"{joint.name}.{side}"
        return PlanarPlace(
            None,  # type: ignore[arg-type]
            PlanarVector(geometry(f"{prefix}.x", x), geometry(f"{prefix}.y", y)),
            PlanarVector(geometry(f"{prefix}.axis_x", local_axis[0]), geometry(f"{prefix}.axis_y", local_axis[1])),
            geometry(f"{prefix}.angle", described),
        )

    def _angle(self, name: str, point: Any) -> float:
        """Angle in the described position of what carries a point of a body or beam."""
        if name == GROUND:
            return 0.0
        link = self.trace.mechanism.link(name)
        turn = link.built(link.section_of(point)[0])[2] if name in self.trace.beams else 0.0
        return float(link.angle + turn)

    def rows(self, joint: Joint, held: list[str]) -> dict[str, Any]:
        """Constraint rows of the ideal mates of a joint, by label."""
        self._start(joint)  # a parameter of the joint, whether channels, loads and stops ask for it or not
        runner, sides = self.trace.runners.get(joint.name), self.trace.surfaces(joint)
        by_mate = {} if runner is None else {RAIL: runner.rows(*self.trace.places[joint.name], RAIL in held)}
        by_mate |= {name: self.mates[name].rows(*sides) for name in held if name not in by_mate}
        several = len(joint.fit) > 1
        return {f"{name}.{k}" if several else k: x for name, rows in by_mate.items() for k, x in rows.items()}

    def sizes(self, joint: Joint, gap: Scalar) -> Sizes:
        given = {size: getattr(joint, size) for size in ("radius", "length", "width", "journal_radius")}
        number = self.trace.parameters.number
        return Sizes(**{k: number(f"{joint.name}.{k}", x) for k, x in given.items() if x is not None}, gap=gap)

    def coordinate(self, joint: Joint, direction: str) -> Any:
        """The free coordinate of a joint, journal relative to bearing, zero in the described position."""
        known = self.trace.known_motion(joint, direction)
        if known is not None:
            return known
        i, j = self.trace.places[joint.name]
        if direction == "translation" and joint.name in self.trace.runners:
            return self.trace.runners[joint.name].q[0] - self._start(joint)
        if direction == "rotation":
            return i.angle - j.angle
        return j.axis @ (i.point - j.point) - self._start(joint)

    def _start(self, joint: Joint) -> Any:
        """Described distance of a sliding joint."""
        if joint.axis is None:
            return 0.0
        if joint.name in self._starts:
            return self._starts[joint.name]
        world = self.trace.mechanism.world
        a, b = world(joint.journal, joint.journal_point), world(joint.bearing, joint.bearing_point)
        described = joint.axis[0] * (a[0] - b[0]) + joint.axis[1] * (a[1] - b[1])
        if joint.name in self.trace.runners:
            described += described_place(self.trace.mechanism, joint)
        self._starts[joint.name] = self.trace.parameters.geometry(f"{joint.name}.start", described)
        return self._starts[joint.name]

    def torque(self, torque: Torque, value: Any) -> list[tuple[Any, Any, Any]]:
        """Components of a torque, what they do work on, and its rate."""
        sides = [(torque.body, torque.point or ()), (torque.reaction, ())]
        frames = [self.trace.seat(name, point)[0] for name, point in sides if name is not None]
        turn = frames[0].angle if len(frames) == 1 else frames[0].angle - frames[1].angle
        return [(value, self.trace.equations.gradient(turn), self.trace.equations.ddt(turn))]

    def axial_spin(self, place: PlanarPlace) -> Any:
        """Speed of a side of a joint about the joint's axis [rad/s]."""
        return place.frame.spin

    def gyration(self, place: PlanarPlace, momentum: Any) -> list[tuple[Any, Any]]:
        """Moments of a spinning rotor on the body that carries it, and the speeds they act on: none in the plane."""
        return []

    def moments(self, add: Any, joint: Joint, moments: list[Any], loaded: bool) -> None:
        """Channels of the moment on the journal about its point; none where only rows hold a joint that turns."""
        if joint.kind.free != "rotation" or loaded:
            add(f"{joint.name}.moment", "Nm", "moment on journal", moments[0])
