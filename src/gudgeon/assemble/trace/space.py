"""A mechanism of space on symbols: its bodies, places, free coordinates and loads."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gudgeon.assemble.flexible.spatial_beam import SpatialFlexible
from gudgeon.assemble.tree.spatial import GROUND_BRANCH, SpatialBranch, branch, free_branch
from gudgeon.assemble.tree.tree import Link
from gudgeon.compile.graph import Scalar
from gudgeon.model import Joint, Torque
from gudgeon.model.names import GROUND
from gudgeon.model.parts import SpatialBody, SpatialJoint
from gudgeon.space.mate import Sizes, SpatialMate
from gudgeon.space.spatial import Ground, Place, RigidBody, Rotation, Vector
from gudgeon.space.spatial.ball import Ball
from gudgeon.space.spatial.geometry.rotation import IDENTITY, parameters_of
from gudgeon.space.spatial.geometry.triad import on_body
from gudgeon.space.spatial.key import turn, twist
from gudgeon.space.spatial.shoulder import Shoulder

if TYPE_CHECKING:
    from gudgeon.assemble.trace.trace import Trace

ROUNDING = 1e-15  # components of unit vectors this close to 0 or 1 are structure


def _clean(x: float) -> float:
    nearest = float(round(x))
    return nearest if abs(x - nearest) <= ROUNDING else x


class Space:
    """What the trace asks of space."""

    mates = SpatialMate.registry
    ground = Ground
    ground_branch = GROUND_BRANCH
    rigid_body: type[Any] = RigidBody
    flexible = SpatialFlexible
    axes = ("x", "y", "z")

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def _inertia(self, body: SpatialBody) -> tuple[Scalar, tuple[Scalar, ...], Rotation | None]:
        """Mass, principal moments, and the rotation from described to principal axes."""
        number, principal = self.trace.parameters.number, body.principal
        mass = number(f"{body.name}.mass", body.mass)
        moments = tuple(number(f"{body.name}.inertia.{a}", x) for a, x in zip("xyz", principal.moments, strict=True))
        described = principal.described
        if described is not None:
            rows = zip("xyz", (described.x, described.y, described.z), strict=True)
            described = Rotation(*(self._direction(f"{body.name}.principal.{a}", row) for a, row in rows))
        return mass, moments, described

    def body(self, body: SpatialBody, q: list[Scalar], v: list[Scalar]) -> RigidBody:
        return RigidBody(q, v, *self._inertia(body))

    def branch(self, link: Link) -> SpatialBranch:
        """A body of a tree, upon one that is there already."""
        trace = self.trace
        inertia = self._inertia(trace.mechanism.bodies[link.body])
        if link.joint is None:
            return free_branch(link, *inertia)
        joint: Any = trace.mechanism.joints[link.joint]
        sides = ("bearing", "journal") if link.outward else ("journal", "bearing")
        inner, own = trace.sides(joint, link)
        first, second = (self._triad(joint, side) for side in sides)
        return branch(link, trace.bodies[link.parent], inner, own, *inertia, (first, second))

    def _triad(self, joint: SpatialJoint, side: str) -> tuple[Any, ...]:
        """Euler parameters of a joint's axes in the principal axes of one of its bodies."""
        name = getattr(joint, side)
        axes = self._axes(joint, side)
        turned = None if name == GROUND else self.trace.mechanism.bodies[name].principal.described
        if turned is not None:
            axes = tuple(turned @ axis for axis in axes)
        values = parameters_of(Rotation.of_columns(*axes))
        geometry = self.trace.parameters.geometry
        return tuple(geometry(f"{joint.name}.{side}.e{k}", _clean(x)) for k, x in enumerate(values))

    @staticmethod
    def arms(_: Place) -> list[Vector]:
        """Vectors fixed in the body of a place: none, rates of rotations are known by their matrices."""
        return []

    def _axes(self, joint: SpatialJoint, side: str) -> tuple[Vector, Vector, Vector]:
        """A joint's axes in the described axes of one of its bodies."""
        name, (own, bearing) = getattr(joint, side), joint.triads
        rotation = IDENTITY if name == GROUND else self._rotation(name, getattr(joint, f"{side}_point"))
        return on_body(rotation, own if side == "journal" else bearing)

    def _rotation(self, name: str, point: Any) -> Any:
        """In the described position, of what carries a point of a body or beam."""
        link = self.trace.mechanism.link(name)
        return link.rotation_at(point) if name in self.trace.beams else link.rotation

    def vector(self, *components: Any) -> Vector:
        return Vector(*components)

    def _direction(self, name: str, values: Iterable[float]) -> Vector:
        geometry = self.trace.parameters.geometry
        return Vector(*(geometry(f"{name}_{a}", _clean(x)) for a, x in zip("xyz", values, strict=True)))

    def side(self, joint: SpatialJoint, side: str) -> Place:
        """A side of a joint, yet without a frame."""
        name, prefix = getattr(joint, side), f"{joint.name}.{side}"
        point, own = getattr(joint, f"{side}_point"), joint.triads[0]
        h, t, b = (self._direction(f"{prefix}.{a}", x) for a, x in zip("htb", self._axes(joint, side), strict=True))
        geometry = self.trace.parameters.geometry
        # measured from the bearing's point, which keeps the numbers small
        world = self.trace.mechanism.world
        away = Vector(*world(name, point)) - Vector(*world(joint.bearing, joint.bearing_point))
        settled = self.trace.local(name, point)
        local = Vector(*(geometry(f"{prefix}.{a}", x) for a, x in zip("xyz", settled, strict=True)))
        reference = geometry(f"{prefix}.reference", _clean(own[2] @ away))
        lead = 0.0 if joint.pitch is None else geometry(f"{prefix}.lead", joint.pitch / (2.0 * math.pi))
        tilts = not any(fit.ideal and self.mates[mate].keeps_parallel for mate, fit in joint.fit.items())
        return Place(None, local, h, t, b, reference, lead, tilts=tilts)  # type: ignore[arg-type]

    # Where a joint does not tilt, the axes of both sides are the same, and rows along either say the same. Those along
    # axes that do not move have the simpler derivatives; and where it does not shift either, the three components of
    # the distance say what two along the axes of the sleeve and one of the shoulder say, whatever these axes are. It is
    # a third fewer operations. Which row follows from others may however change on the way with axes that do not turn
    # with the joint: where rows are left out, all are those of the mates (`own_rows`).
    def rows(self, joint: SpatialJoint, held: list[str]) -> dict[str, Any]:
        """Constraint rows of the ideal mates of a joint, by label."""
        i, j = self.trace.places[joint.name]
        short = not self.trace.own_rows
        if short and joint.bearing == GROUND and any(self.mates[name].keeps_parallel for name in held):
            i, j = j, i
        # a mate that counts turns counts those of the journal in the bearing, not the other way round
        described = self.trace.places[joint.name]
        rows = {name: self.mates[name].rows(*(described if self.mates[name].counts_turns else (i, j))) for name in held}
        world = self.trace.mechanism.world
        a, b = world(joint.journal, joint.journal_point), world(joint.bearing, joint.bearing_point)
        if short and {"sleeve", "shoulder"} <= set(held) and math.dist(a, b) <= ROUNDING * (1.0 + math.hypot(*a)):
            rows["sleeve"] = {k: x for k, x in rows["sleeve"].items() if k.startswith("tilt")}
            del rows["shoulder"]
            rows["ball"] = Ball.rows(i, j)
        several = len(joint.fit) > 1
        return {f"{name}.{k}" if several else k: x for name, own in rows.items() for k, x in own.items()}

    def sizes(self, joint: SpatialJoint, gap: Scalar) -> Sizes:
        number, name = self.trace.parameters.number, joint.name
        given = {"radius": joint.radius, "length": joint.sleeve_length, "journal_radius": joint.journal_radius}
        symbols = {k: number(f"{name}.{k}", x) for k, x in given.items() if x is not None}
        profile = tuple(number(f"{name}.profile.{k}", x) for k, x in enumerate(joint.profile, 1))
        return Sizes(**symbols, gap=gap, strips=joint.strips, profile=profile, short=joint.short)

    def turn_counters(self) -> dict[str, Any]:
        """The angle that counts the turns of every joint that can turn: that of its drive, or a state that follows it.
        The state only says which turn it is, so that its error does not matter (see `turn`)."""
        trace, counters = self.trace, {}
        for joint in trace.mechanism.joints.values():
            if "rotation" not in joint.kind.directions or trace.known_motion(joint, "rotation") is not None:
                continue
            drive = trace.mechanism.drives.get(joint.name)
            if drive is not None and getattr(drive, "direction", None) == "rotation":
                counters[joint.name] = trace.motions[joint.name]
                continue
            i, j = trace.places[joint.name]
            (s, c), ddt = twist(i, j), trace.equations.ddt
            angle, index = trace.states.add(f"{joint.name}.turns")
            counters[joint.name] = angle
            trace.states.set_rate(index, (c * ddt(s) - s * ddt(c)) / (s * s + c * c))
        return counters

    def coordinate(self, joint: Joint, direction: str) -> Any:
        """A free coordinate of a joint, journal relative to bearing, zero in the described position."""
        known = self.trace.known_motion(joint, direction)
        if known is not None:
            return known
        i, j = self.trace.places[joint.name]
        return turn(i, j, i.near) if direction == "rotation" else Shoulder.travel(i, j)

    def torque(self, torque: Torque, value: Any) -> list[tuple[Any, Any, Any]]:
        """Components of a torque, what they do work on, and its rate."""
        frame, eq = self.trace.seat(torque.body, torque.point or ())[0], self.trace.equations
        spin = frame.angular_velocity
        if torque.reaction is not None:
            spin = spin - self.trace.bodies[torque.reaction].frame.angular_velocity
        vector = Vector(*value)
        if getattr(torque, "frame", "world") == "body":
            vector = frame.axis(vector)
        return [(x, eq.velocity_gradient(rate), rate) for x, rate in zip(vector, spin, strict=True)]

    def axial_spin(self, place: Place) -> Any:
        """Speed of a side of a joint about the joint's axis [rad/s]."""
        return place.frame.spin @ self._axis(place)

    def gyration(self, place: Place, momentum: Any) -> list[tuple[Any, Any]]:
        """Moments -w x (momentum b) of a spinning rotor on the body that carries it, and the speeds they act on."""
        spin = place.frame.spin
        return list(zip(self._axis(place).cross(spin) * momentum, spin, strict=True))

    @staticmethod
    def _axis(place: Place) -> Vector:
        """The joint's axis along the principal axes of the side's body."""
        described = place.frame.described
        return place.local_b if described is None else described @ place.local_b

    def moments(self, add: Any, joint: Joint, moments: list[Any], loaded: bool) -> None:
        """Channels of the moment on the journal about the joint's point; none where only rows of pairs hold it that
        carry none."""
        if not loaded and not any(mate.couples for mate in joint.own_mates.values()):
            return
        for axis, x in zip(self.axes, moments, strict=True):
            add(f"{joint.name}.m{axis}", "Nm", f"moment on journal {axis}", x)
        add(f"{joint.name}.moment", "Nm", "moment on journal", Vector(*moments).norm)
