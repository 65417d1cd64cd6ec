"""`Trace`: a mechanism run once on symbols. Bodies, joints, drives and loads become equations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.contact.joint_friction import JointFriction
from gudgeon.assemble.flexible.modal import ModalBody
from gudgeon.assemble.flexible.planar_beam import Flexible
from gudgeon.assemble.flexible.sliding_joint import Runner, runners
from gudgeon.assemble.needs import ContactTreatment
from gudgeon.assemble.solve.equations import Constraint, Equations
from gudgeon.assemble.trace.joints import trace_joints
from gudgeon.assemble.trace.loads import trace_loads
from gudgeon.assemble.trace.motors import trace_motors
from gudgeon.assemble.trace.parameters import Parameters
from gudgeon.assemble.trace.plane import Plane
from gudgeon.assemble.trace.signals import formula
from gudgeon.assemble.trace.space import Space
from gudgeon.assemble.trace.states import States
from gudgeon.assemble.tree.equations import DRIVEN, LinkStates, TreeEquations
from gudgeon.assemble.tree.tree import Link, Tree
from gudgeon.compile.graph import Graph, Scalar
from gudgeon.model import Joint, Mechanism
from gudgeon.model.names import GROUND
from gudgeon.model.signals import Steered

ROUNDING = 1e-15  # components of points so small against the rest are structure: they are zero


# The code runs in the order of tracing, and contacts before drives are 11 % faster; but where the turns of joints are
# counted, the driven angles must be known first.
JOINTS_FIRST, MOTIONS_FIRST = ("joints", "motions"), ("places", "motions", "turns", "joints")


def phase_order(mechanism: Any) -> tuple[str, ...]:
    """The order of the phases that may come either way, which is that of the internal states they add."""
    return JOINTS_FIRST if mechanism.planar else MOTIONS_FIRST


class Trace:
    """The equations of one mechanism, built phase by phase: bodies, then joints, motions of drives and turns in the
    order of `phase_order`, then drives, motors and loads. Every phase gives a part that does not change any more; what
    they share are the accumulators `parameters`, `states` and `equations`.

    `ideal` replaces every fit by an ideal one and leaves stops out. `contact` says how walls and stops are treated:
    without their laws where they are hard. `own_rows` keeps every joint to the rows of its mates, where shorter ones
    would do. With a `tree` bodies are described by the coordinates of its joints. `folded`: 0 and 1 in the description
    shorten the formulas. `complete`: otherwise there are only the constraints, which is all that a start needs.
    `graph`: where the formulas are made, else in one of its own.
    """

    graph_type: type[Graph] = Graph
    equations_type: Any = Equations

    def __init__(self, mechanism: Mechanism, *, ideal: bool = False, contact: ContactTreatment = "force law",
                 own_rows: bool = False, tree: Tree | None = None, folded: bool = True,
                 complete: bool = True, graph: Graph | None = None) -> None:  # fmt: skip
        self.mechanism, self.ideal, self.own_rows, self.tree = mechanism, ideal, own_rows, tree
        self.contact: ContactTreatment = contact
        self.graph = graph = self.graph_type() if graph is None else graph
        self.time = graph.input("t")
        self.parameters = Parameters(graph, folded=folded)
        graph.input("p", 0)
        self.space: Any = Plane(self) if mechanism.planar else Space(self)
        self._sides: dict[str, tuple[Any, Any]] = {}
        self.places: dict[str, tuple[Any, Any]] = {}
        self.beams: dict[str, Flexible] = {}
        self.runners: dict[str, Runner] = {}  # joints that slide along a beam
        self.modal: dict[str, ModalBody] = {}
        self.equations: Equations = self._bodies() if tree is None else self._branches(tree)
        self.moving = [] if tree is not None else self.equations.bodies
        ends = [0, *itertools.accumulate(len(body.v) for body in self.moving)]
        self._first = {id(body): start for body, start in zip(self.moving, ends, strict=False)}
        self._bend()
        for phase in phase_order(mechanism):
            if phase == "joints":
                joints = trace_joints(self, contact, layers=complete)
            elif phase == "motions":
                self.motions = self._motions()
            elif phase == "turns":
                self._count_turns()
            else:
                for joint in mechanism.joints.values():
                    self.place(joint)
        self.contacts, self.events, self.films, self.blocks = (
            joints.contacts, joints.events, joints.films, joints.blocks)  # fmt: skip
        self.sliding = joints.sliding  # surfaces of ideal joints with friction
        self.frictions: tuple[JointFriction, ...] = ()  # of them, once it is in the equations
        self._drives()
        self.motors = trace_motors(self, complete=complete)
        self.loads = trace_loads(self, joints.blocks, complete=complete)

    def with_contacts(self, contacts: Sequence[Contact]) -> Trace:
        """The same trace with other formulas in some of its contacts with onset."""
        by_index = {contact.index: contact for contact in contacts}
        other = copy(self)
        other.contacts = tuple(by_index.get(c.index, c) for c in self.contacts)
        return other

    def with_friction(self, frictions: Sequence[JointFriction]) -> Trace:
        """The same trace with friction in its ideal joints."""
        other = copy(self)
        other.frictions = tuple(frictions)
        return other

    def with_numbers(self, other: Trace) -> Trace:
        """The same trace with the numbers of one that made the same formulas."""
        made = copy(self)
        made.mechanism, made.parameters, made.films = other.mechanism, other.parameters, other.films
        made.states = self.states.with_starts(other.states)
        made.contacts = tuple(x.with_numbers(y) for x, y in zip(self.contacts, other.contacts, strict=True))
        return made

    def ideal_constraints(self) -> list[Constraint]:
        """Constraints of the same bodies with every fit ideal and without stops, in the same symbols."""
        rows = {joint.name: self.space.rows(joint, list(joint.fit)) for joint in self.mechanism.joints.values()}
        joints = [Constraint(name, k, self.graph.scalar(x)) for name, own in rows.items() for k, x in own.items()]
        return joints + [constraint for constraint in self.equations.constraints if constraint.drive]

    def _bodies(self) -> Equations:
        """Every body by its own coordinates."""
        graph, mechanism = self.graph, self.mechanism
        nq, nv = len(self.space.rigid_body.coordinates), len(self.space.rigid_body.velocities)
        nodes, sliding = sum(beam.nodes for beam in mechanism.beams.values()), runners(mechanism, self.ideal)
        slots = sum(len(runner_type.coordinates) for runner_type in sliding.values())
        count, modal = len(mechanism.bodies) + nodes, sum(getattr(x, "modes", 0) for x in mechanism.bodies.values())
        positions, velocities = (n * count + modal + slots for n in (nq, nv))
        q, v = graph.inputs("y", positions), graph.inputs("y", velocities, positions)
        self.bodies: dict[str, Any] = {GROUND: self.space.ground()}
        a = b = 0
        for body in mechanism.bodies.values():
            more = getattr(body, "modes", 0)
            made = self.space.body(body, q[a : a + nq + more], v[b : b + nv + more])
            self.bodies[body.name], a, b = made, a + nq + more, b + nv + more
            if isinstance(made, ModalBody):
                self.modal[body.name] = made
        self.states = States(graph, positions, velocities)
        moving = [body for name, body in self.bodies.items() if name != GROUND]
        for k in range(nodes):
            node = self.space.flexible.node
            moving.append(node(q[a + nq * k : a + nq * k + nq], v[b + nv * k : b + nv * k + nv]))
        a, b = a + nq * nodes, b + nv * nodes
        for name, runner_type in sliding.items():
            width = len(runner_type.coordinates)
            self.runners[name], a, b = runner_type(q[a : a + width], v[b : b + width]), a + width, b + width
        moving += self.runners.values()
        return self.equations_type(graph, self.time, moving)

    def _branches(self, tree: Tree) -> Equations:
        """Every body by the coordinates of the joint that carries it."""
        graph, links = self.graph, tree.links
        positions, velocities = (sum(len(x) for x in sizes) for sizes in
                                 ([link.units for link in links], [link.velocity_units for link in links]))  # fmt: skip
        q, v = iter(graph.inputs("y", positions)), iter(graph.inputs("y", velocities, positions))
        drives = [link.joint for link in links if link.driven and link.joint is not None]
        self.bodies = {GROUND: self.space.ground_branch}
        for link in links:
            place = 3 * drives.index(str(link.joint)) if link.driven else 0
            known = (graph.input(DRIVEN, place), graph.input(DRIVEN, place + 1))
            link.bind([next(q) for _ in link.units], [next(v) for _ in link.velocity_units], known)
            self.bodies[link.body] = self.space.branch(link)
        arms: dict[str, list[Any]] = {}
        for joint in self.mechanism.joints.values():
            for name, place in zip((joint.journal, joint.bearing), self.place(joint), strict=True):
                arms.setdefault(name, []).extend(self.space.arms(place))
        self.states = States(graph, positions, velocities)
        bodies = {name: body for name, body in self.bodies.items() if name != GROUND}
        return TreeEquations(graph, self.time, [LinkStates(link) for link in links], bodies, arms, drives)

    def _bend(self) -> None:
        """Beams upon their nodes, which come behind the bodies."""
        first = len(self.mechanism.bodies)
        for beam in self.mechanism.beams.values():
            nodes = list(self.moving[first : first + beam.nodes])
            self.beams[beam.name] = self.space.flexible(self, beam, nodes, self.first_velocity(nodes[0]))
            first += beam.nodes

    def seat(self, name: str, point: tuple[float, ...]) -> tuple[Any, tuple[float, ...]]:
        """The frame that carries a point of a body or beam, and the point in it."""
        link = self._flexible(name)
        return (self.bodies[name].frame, point) if link is None else link.seat(point)

    def _flexible(self, name: str) -> Flexible | ModalBody | None:
        return self.beams.get(name) or self.modal.get(name)

    def first_velocity(self, body: Any) -> int:
        """Place of the first velocity of something that moves."""
        return self._first[id(body)]

    def local(self, name: str, point: tuple[float, ...]) -> tuple[float, ...]:
        """A point of a body or beam in the frame that carries it."""
        return self.settled(name, point) if self._flexible(name) is None else self.seat(name, point)[1]

    # -- joints ---------------------------------------------------------------------------------------------

    def place(self, joint: Any) -> tuple[Any, Any]:
        """Both sides of a joint of the same space as `space`."""
        if joint.name not in self.places:
            i, j = self._described(joint)
            journal, bearing = (joint.journal, joint.journal_point), (joint.bearing, joint.bearing_point)
            self.places[joint.name] = self._on(*journal, i), self._on(*bearing, j)
            if joint.name in self.runners:
                place = self.runners[joint.name].place(j, self.beams[joint.bearing])
                self.places[joint.name] = self.places[joint.name][0], place
        return self.places[joint.name]

    def surfaces(self, joint: Any) -> tuple[Any, Any]:
        """Both sides of a joint as its mates see them."""
        i, j = self.places[joint.name]
        return self.runners[joint.name].surfaces(i, j) if joint.name in self.runners else (i, j)

    def _described(self, joint: Any) -> tuple[Any, Any]:
        if joint.name not in self._sides:
            self._sides[joint.name] = self.space.side(joint, "journal"), self.space.side(joint, "bearing")
        return self._sides[joint.name]

    def _on(self, body: str, point: tuple[float, ...], side: Any) -> Any:
        if self._flexible(body) is not None:
            return replace(side, frame=self.seat(body, point)[0])
        return replace(side, frame=self.bodies[body].frame, local_point=self._from_frame(body, side.local_point))

    def settled(self, body: str, point: tuple[float, ...]) -> tuple[float, ...]:
        """A point of a body without what rounding left of its zeros when it was turned into the body's axes."""
        centre = (0.0,) if body == GROUND else self.mechanism.bodies[body].at
        noise = ROUNDING * (math.hypot(*point) + math.hypot(*centre))
        return tuple(0.0 if abs(x) <= noise else x for x in point)

    def _from_frame(self, body: str, local: Any) -> Any:
        """A point of a body, given from its centre of mass, as its frame counts it."""
        return local if self.tree is None else local - self.bodies[body].anchor

    def sides(self, joint: Any, link: Link) -> tuple[Any, Any]:
        """The place of a joint on the parent of a link, and the side on its body, yet without a frame."""
        journal, bearing = self._described(joint)
        return (self._on(link.parent, (), bearing), journal) if link.outward else (
            self._on(link.parent, (), journal), bearing)  # fmt: skip

    def known_motion(self, joint: Any, direction: str) -> Any:
        """A coordinate of a joint where it is one of the tree; else None."""
        link = None if self.tree is None else self.tree.joints.get(joint.name)
        if link is None or (self.mechanism.planar and direction == "rotation" and not link.driven):
            return None
        return link.moves.get(direction, (None, None))[0]

    def coordinate(self, joint: Joint, direction: str | None = None) -> Scalar:
        """A free coordinate of a joint, journal relative to bearing, zero in the described position."""
        side = direction or joint.kind.free
        return self.graph.scalar(self.space.coordinate(joint, side))

    # -- drives and loads -----------------------------------------------------------------------------------

    def _motions(self) -> dict[str, Scalar]:
        """The coordinates of driven joints in time."""
        motions: dict[str, Scalar] = {}
        for name, drive in self.mechanism.drives.items():
            if drive.motion is not None:
                motion = formula(drive.motion, self.time, f'motion of "{name}"')
            elif callable(drive.speed):
                speed = self._speed(name, drive.speed)
                # the angle is the integral of the speed: a state of its own
                motion, index = self.states.add(f"{name}.motion")
                self.states.set_rate(index, speed)
                self.equations.ddt.seed(motion, speed)
                if isinstance(self.equations, TreeEquations) and name in self.equations.drives:
                    self.equations.followed[index] = name
            else:
                assert drive.speed is not None  # a drive has a speed or a motion
                motion = self.parameters.number(f"{name}.speed", drive.speed) * self.time
            motions[name] = motion
        return motions

    def _speed(self, name: str, speed: Any) -> Scalar:
        """The speed of a drive that is no number: in time, or a state whose rate is a parameter."""
        if not isinstance(speed, Steered):
            return formula(speed, self.time, f'speed of "{name}"')
        state, index = self.states.add(f"{name}.speed", speed.start)
        acceleration = self.parameters.number(f"{name}.acceleration", speed.acceleration)
        self.states.set_rate(index, acceleration)
        self.equations.ddt.seed(state, acceleration)
        return state

    def _count_turns(self) -> None:
        """Let the places of joints that can turn know by which angle their turns are counted."""
        for name, angle in self.space.turn_counters().items():
            i, j = self.places[name]
            self.places[name] = replace(i, near=angle), j

    def _drives(self) -> None:
        for name, drive in self.mechanism.drives.items():
            if isinstance(self.equations, TreeEquations) and name in self.equations.drives:
                continue
            coordinate = self.coordinate(self.mechanism.joints[name], getattr(drive, "direction", None))
            self.equations.constrain(name, {"drive": coordinate - self.motions[name]}, drive=True)

    def vector(self, name: str, components: tuple[float, ...]) -> Any:
        named = zip(self.space.axes, components, strict=True)
        return self.space.vector(*(self.parameters.geometry(f"{name}.{axis}", x) for axis, x in named))

    def point(self, body: str, name: str, point: tuple[float, ...]) -> Any:
        """World position of a point given from a body's centre of mass, or from the middle of a beam."""
        if self._flexible(body) is not None:
            frame, place = self.seat(body, point)
            return frame.point(self.vector(name, place))
        local = self.vector(name, self.settled(body, point))
        return self.bodies[body].frame.point(self._from_frame(body, local))
