"""`Trace`: a mechanism run once on symbols. Bodies, joints, drives and loads become equations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from gudgeon.assemble.contacts import Contacts, blend_weight
from gudgeon.assemble.equations import Equations
from gudgeon.assemble.films import Films
from gudgeon.assemble.parameters import Parameters
from gudgeon.assemble.signals import formula, signal_value
from gudgeon.assemble.states import States
from gudgeon.graph import Graph, Scalar
from gudgeon.laws import Pair
from gudgeon.model import (
    Bushing,
    Clearance,
    Force,
    Ideal,
    Joint,
    Lubricated,
    Mechanism,
    Spring,
    Torque,
    TorsionSpring,
)
from gudgeon.model.names import GROUND
from gudgeon.native.scalar import opaque
from gudgeon.space.mate import Mate, Sizes, Touch
from gudgeon.space.planar import Ground, Place, RigidBody, Vector


class Trace:
    """The equations of one mechanism. `ideal` replaces every fit by an ideal one and leaves stops out; `rigid` leaves
    the laws of walls and stops out, for contacts as constraints."""

    def __init__(self, mechanism: Mechanism, *, ideal: bool = False, rigid: bool = False) -> None:
        self.mechanism, self.ideal = mechanism, ideal
        self.graph = graph = Graph()
        self.time = graph.input("t")
        self.parameters = Parameters(graph)
        graph.input("p", 0)
        count = 3 * len(mechanism.bodies)
        q, v = graph.inputs("y", count), graph.inputs("y", count, count)
        self.bodies: dict[str, Any] = {GROUND: Ground()}
        for k, body in enumerate(mechanism.bodies.values()):
            mass = self.parameters.number(f"{body.name}.mass", body.mass)
            inertia = self.parameters.number(f"{body.name}.inertia", body.inertia)
            self.bodies[body.name] = RigidBody(q[3 * k : 3 * k + 3], v[3 * k : 3 * k + 3], mass, inertia)
        self.moving = [b for b in self.bodies.values() if not isinstance(b, Ground)]
        self.equations = Equations(graph, self.time, self.moving)
        self.states = States(graph, count, count)
        self.contacts = Contacts(self.equations, self.parameters, self.states, rigid=rigid)
        self.films = Films(self.equations, self.parameters)
        self.places: dict[str, tuple[Place, Place]] = {}
        self.potential = graph.zero  # energy of springs and gravity
        self.damped = graph.zero  # power lost in dampers
        self.applied = graph.zero  # power of applied forces and torques
        self.motions: dict[str, Scalar] = {}
        self._joints()
        self._drives()
        self._loads()

    # -- joints ---------------------------------------------------------------------------------------------

    def _place(self, joint: Joint, side: str) -> Place:
        name = getattr(joint, side)
        described = self.mechanism.bodies[name].angle if name != GROUND else 0.0
        x, y = getattr(joint, f"{side}_point")
        axis = joint.axis or (1.0, 0.0)
        c, s = math.cos(described), math.sin(described)
        local_axis = (c * axis[0] + s * axis[1], c * axis[1] - s * axis[0])
        geometry, prefix = self.parameters.geometry, f"{joint.name}.{side}"
        return Place(
            self.bodies[name].frame,
            Vector(geometry(f"{prefix}.x", x), geometry(f"{prefix}.y", y)),
            Vector(geometry(f"{prefix}.axis_x", local_axis[0]), geometry(f"{prefix}.axis_y", local_axis[1])),
            geometry(f"{prefix}.angle", described),
        )

    def _joints(self) -> None:
        for joint in self.mechanism.joints.values():
            i, j = self._place(joint, "journal"), self._place(joint, "bearing")
            self.places[joint.name] = (i, j)
            for mate_name, fit in joint.fit.items():
                mate = Mate.registry[mate_name]
                if self.ideal or isinstance(fit, Ideal):
                    rows = mate.rows(i, j)
                    several = len(joint.fit) > 1
                    self.equations.constrain(
                        joint.name, {f"{mate_name}.{k}" if several else k: x for k, x in rows.items()}
                    )
                elif isinstance(fit, Clearance):
                    self._clearance(joint, mate, fit)
                elif isinstance(fit, Bushing):
                    self._bushing(joint, mate, fit)
                elif isinstance(fit, Lubricated):
                    self._lubricated(joint, mate, fit)
            if joint.stop is not None and not self.ideal:
                self._stop(joint)

    def _sizes(self, joint: Joint, gap: Scalar) -> Sizes:
        given = {size: getattr(joint, size) for size in ("radius", "length", "width")}
        symbols = {k: self.parameters.number(f"{joint.name}.{k}", x) for k, x in given.items() if x is not None}
        return Sizes(**symbols, gap=gap)

    def _clearance(self, joint: Joint, mate: type[Mate], fit: Clearance) -> None:
        field = "angular_clearance" if mate.angular else "radial_clearance"
        gap_value = joint.gap(mate.name)
        gap = self.parameters.number(f"{joint.name}.{field}", gap_value)
        i, j = self.places[joint.name]
        touches = mate.touches(i, j, self._sizes(joint, gap))
        self._layers(joint, mate, touches, fit, gap, gap_value, fit.liner, fit.liner_thickness)

    def _layers(self, joint: Joint, mate: type[Mate], touches: list[Touch], fit: Any, gap: Scalar, gap_value: float,
                liner: Any, thickness: float | None) -> None:  # fmt: skip
        """Gap, liner and wall of a one-sided fit; with layers="published" the wall takes over from the liner."""
        pair, wall_gap = joint.pair(mate.name), gap
        block = self.parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
        rub, rub_block = getattr(fit, "friction", None), None
        if rub is not None:
            rub_block = self.parameters.block(f"{joint.name}.friction", rub.pack(pair))
        if liner is not None:
            liner_block = self.parameters.block(f"{joint.name}.liner", liner.pack(pair))
            wall_gap = gap + self.parameters.number(f"{joint.name}.liner_thickness", thickness or 0.0)
        wall_weight, liner_weight = self._weights(joint, fit, thickness)
        for touch in touches:
            if liner is not None:
                self.contacts.touch(joint.name, touch, "liner", liner, pair, gap, gap_value, block=liner_block,
                                    friction=rub, friction_block=rub_block, weight=liner_weight)  # fmt: skip
            self.contacts.touch(joint.name, touch, "wall", fit.wall, pair, wall_gap, gap_value + (thickness or 0.0),
                                block=block, friction=rub, friction_block=rub_block, weight=wall_weight,
                                angular=mate.angular)  # fmt: skip

    def _weights(self, joint: Joint, fit: Any, thickness: float | None) -> tuple[Any, Any]:
        if getattr(fit, "layers", "sum") != "published":
            return None, None
        width = self.parameters.number(f"{joint.name}.blend", fit.blend)
        offset = self.parameters.number(f"{joint.name}.blend_start", thickness or 0.0)
        call: Callable[[Scalar], Scalar] = lambda depth: self.graph.call(  # noqa: E731
            opaque(blend_weight, 2, block=False), (depth, width)
        )
        return call, lambda depth: 1.0 - call(depth - offset)

    def _bushing(self, joint: Joint, mate: type[Mate], fit: Bushing) -> None:
        i, j = self.places[joint.name]
        pair = joint.pair(mate.name)
        sizes = self._sizes(joint, self.graph.zero)
        wall_weight, liner_weight = self._weights(joint, fit, fit.thickness)
        block = self.parameters.block(f"{joint.name}.liner", fit.liner.pack(pair))
        for label, offset in mate.offsets(i, j, sizes).items():
            self.contacts.bush(joint.name, label, offset, fit.liner, pair, block, liner_weight, mate.angular)
        if fit.wall is not None:
            gap = self.parameters.number(f"{joint.name}.thickness", fit.thickness or 0.0)
            touches = mate.touches(i, j, sizes)
            wall_block = self.parameters.block(f"{joint.name}.wall", fit.wall.pack(pair))
            for touch in touches:
                self.contacts.touch(joint.name, touch, "wall", fit.wall, pair, gap, fit.thickness or 0.0,
                                    block=wall_block, weight=wall_weight)  # fmt: skip

    def _lubricated(self, joint: Joint, mate: type[Mate], fit: Lubricated) -> None:
        i, j = self.places[joint.name]
        number, pair = self.parameters.number, joint.pair(mate.name)
        gap, least, minimum = number(f"{joint.name}.radial_clearance", fit.radial_clearance), fit.least_film, None
        if least is not None:
            minimum = number(f"{joint.name}.minimum_film", least)
        self.films.fill(joint.name, mate.film(i, j), fit, pair, gap, minimum)
        if least is None:
            return
        for touch in mate.touches(i, j, self._sizes(joint, gap)):
            self.contacts.touch(joint.name, touch, "wall", fit.wall, pair, gap - minimum, fit.radial_clearance - least,
                                friction=fit.friction)  # fmt: skip

    def coordinate(self, joint: Joint) -> Scalar:
        """The free coordinate of a joint, journal relative to bearing, zero in the described position."""
        i, j = self.places[joint.name]
        if joint.kind.free == "rotation":
            return self.graph.scalar(i.angle - j.angle)
        start = self.parameters.geometry(f"{joint.name}.start", _described_travel(self.mechanism, joint))
        return self.graph.scalar(j.axis @ (i.point - j.point) - start)

    def _stop(self, joint: Joint) -> None:
        stop = joint.stop
        assert stop is not None
        x, none = self.coordinate(joint), Vector(0.0, 0.0)
        block = self.parameters.block(f"{joint.name}.stop", stop.wall.pack(Pair()))
        for label, limit, sign in (("upper", stop.upper, 1.0), ("lower", stop.lower, -1.0)):
            if limit is not None:
                edge = self.parameters.geometry(f"{joint.name}.stop.{label}", limit)
                touch = Touch(label, sign * (x - edge), 0.0, none)
                self.contacts.touch(joint.name, touch, "stop", stop.wall, Pair(), self.graph.zero, 0.0, block=block,
                                    angular=joint.kind.free == "rotation")  # fmt: skip

    # -- drives and loads -----------------------------------------------------------------------------------

    def _drives(self) -> None:
        for name, drive in self.mechanism.drives.items():
            joint = self.mechanism.joints[name]
            if drive.motion is not None:
                motion = formula(drive.motion, self.time, f'motion of "{name}"')
            elif callable(drive.speed):
                # the angle is the integral of the speed: a state of its own
                speed = formula(drive.speed, self.time, f'speed of "{name}"')
                motion, index = self.states.add(f"{name}.motion")
                self.states.set_rate(index, speed)
                self.equations.ddt.seed(motion, speed)
            else:
                assert drive.speed is not None  # a drive has a speed or a motion
                motion = self.parameters.number(f"{name}.speed", drive.speed) * self.time
            self.motions[name] = motion
            self.equations.constrain(name, {"drive": self.coordinate(joint) - motion}, drive=True)

    def _loads(self) -> None:
        if any(self.mechanism.gravity):
            x, y = self.mechanism.gravity
            g = Vector(self.parameters.geometry("gravity.x", x), self.parameters.geometry("gravity.y", y))
            start = 0
            for body in self.moving:
                for k, weight in enumerate(body.weight(g)):
                    self.equations.force[start + k] = self.equations.force[start + k] + weight
                self.potential = self.potential + body.potential_energy(g)
                start += len(body.v)
        for spring in self.mechanism.springs.values():
            self._spring(spring)
        for torsion in self.mechanism.torsion_springs.values():
            self._torsion_spring(torsion)
        for force in self.mechanism.forces.values():
            self._force(force)
        for torque in self.mechanism.torques.values():
            self._torque(torque)

    def _spring(self, spring: Spring) -> None:
        geometry, name = self.parameters.geometry, spring.name
        ends = [
            self.bodies[body].frame.point(Vector(geometry(f"{name}.{side}.x", x), geometry(f"{name}.{side}.y", y)))
            for body, (x, y), side in ((spring.body_i, spring.point_i, "i"), (spring.body_j, spring.point_j, "j"))
        ]
        free = spring.free_length if spring.free_length is not None else _described_length(self.mechanism, spring)
        preload = geometry(f"{name}.preload", spring.preload)
        length = (ends[0] - ends[1]).norm
        self._elastic(name, length, geometry(f"{name}.free_length", free), spring.stiffness, spring.damping, preload)

    def _torsion_spring(self, spring: TorsionSpring) -> None:
        turn = self.coordinate(self.mechanism.joints[spring.joint])
        free = self.parameters.geometry(f"{spring.name}.free_angle", spring.free_angle)
        self._elastic(spring.name, turn, free, spring.stiffness, spring.damping, self.graph.zero)

    def _elastic(self, name: str, length: Scalar, free: Scalar, stiffness: float, damping: float,
                 preload: Scalar) -> None:  # fmt: skip
        k = self.parameters.geometry(f"{name}.stiffness", stiffness)
        c = self.parameters.geometry(f"{name}.damping", damping)
        stretch, rate = length - free, self.equations.ddt(length)
        self.equations.apply(-(k * stretch + c * rate + preload), self.equations.gradient(length))
        self.potential = self.potential + (0.5 * k * stretch + preload) * stretch
        self.damped = self.damped + c * rate * rate

    def _force(self, force: Force) -> None:
        frame = self.bodies[force.body].frame
        geometry, name = self.parameters.geometry, force.name
        point = frame.point(Vector(geometry(f"{name}.x", force.point[0]), geometry(f"{name}.y", force.point[1])))
        fx, fy = (
            signal_value(x, self.time, f"{name}.f{axis}", self.parameters)
            for axis, x in zip("xy", force.components, strict=True)
        )
        vector = frame.axis(Vector(fx, fy)) if force.frame == "body" else Vector(fx, fy)
        for component, position in ((vector.x, point.x), (vector.y, point.y)):
            self.equations.apply(component, self.equations.gradient(position))
            self.applied = self.applied + component * self.equations.ddt(position)

    def _torque(self, torque: Torque) -> None:
        value = signal_value(torque.value, self.time, torque.name, self.parameters)
        turn = self.bodies[torque.body].frame.angle
        if torque.reaction is not None:
            turn = turn - self.bodies[torque.reaction].frame.angle
        self.equations.apply(value, self.equations.gradient(turn))
        self.applied = self.applied + value * self.equations.ddt(turn)


def _described_point(mechanism: Mechanism, body: str, local: tuple[float, float]) -> tuple[float, float]:
    if body == GROUND:
        return local
    b = mechanism.bodies[body]
    c, s = math.cos(b.angle), math.sin(b.angle)
    return b.at[0] + c * local[0] - s * local[1], b.at[1] + s * local[0] + c * local[1]


def _described_length(mechanism: Mechanism, spring: Spring) -> float:
    a = _described_point(mechanism, spring.body_i, spring.point_i)
    b = _described_point(mechanism, spring.body_j, spring.point_j)
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _described_travel(mechanism: Mechanism, joint: Joint) -> float:
    a = _described_point(mechanism, joint.journal, joint.journal_point)
    b = _described_point(mechanism, joint.bearing, joint.bearing_point)
    assert joint.axis is not None
    return joint.axis[0] * (a[0] - b[0]) + joint.axis[1] * (a[1] - b[1])
