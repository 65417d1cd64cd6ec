"""Joints that slide along a beam: where they are on it is a coordinate of its own.

With s for the arc length of the undeformed beam from its start to the section where the joint is, r(s) for the place of
that section and P for the point of the journal,

    P - r(s) = 0                       two rows, which hold the pin on the beam
    angle_P - theta(s) = 0             a third one for a collar, which turns with the section

s is one more position, s' one more velocity, without any inertia: the balance of forces along it says that the force
between pin and beam has no component along the path, lambda . r'(s) = 0, so that it slides freely. r and theta are the
smooth path through the nodes of space.flexible.track, with weights B_k of all nodes k of the beam:

    r(s) = sum B_k(s) r_k

The nodes of all elements stand in the rows, most with the weight 0. So no table has to change and no event has to be
found when the pin passes from one element to the next: nothing jumps there but the third derivative of the path. The
rows are linear in the nodes and in P; what a force along them changes with the motion is a single row and column, that
of s. The path's own motion beneath a sliding pin (its Coriolis terms and so on) comes from differentiating B_k(s(t)).

The matrix of a step has no entry of inertia for s. It is eliminated last, after its own rows: by then its pivot is
r' (J S^-1 Jt)^-1 r', which is positive (assemble.solve.ordering).

With play there are two more coordinates without inertia, the offset e across the section and the angle psi of the
section, with t and n for the unit vectors along it and across, and three rows:

    P - r(s) - e n(psi) = 0            psi - theta(s) = 0

The walls' openings are then +-e: what a law says acts on e alone, and nodes take part by rows that are linear in them,
so that no law is differentiated by the nodes. The balance of forces along s says again that all forces on the beam but
friction are square to its bent line. Between the surfaces everything is as in the straight groove of a body, seen from
the material of the section, beside which the pin moves by

    slip = s' (t . r'(s) - theta'(s) e)        spin = spin_P - (psi' - theta'(s) s')

and so the mates of a body give its rows, with the section at rest as the bearing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.compile.graph import Direction, Scalar, cos, sin
from gudgeon.model import Joint, Mechanism
from gudgeon.model.names import GROUND
from gudgeon.space.flexible.beam import interpolate
from gudgeon.space.flexible.track import secants, weights
from gudgeon.space.mate import Number
from gudgeon.space.planar import PlanarFrame, PlanarPlace, PlanarVector
from gudgeon.space.planar.pin import Pin

if TYPE_CHECKING:
    from gudgeon.assemble.flexible.planar_beam import Flexible

RAIL = "groove"  # the mate that slides


def runners(mechanism: Mechanism, ideal: bool = False) -> dict[str, type[Runner]]:
    """The joints that slide along a beam, and the class of each; all without play where `ideal`."""
    on_beams = [j for j in mechanism.joints.values() if RAIL in j.fit and j.bearing in mechanism.beams]
    tight = {j.name: ideal or j.ideal for j in on_beams}
    return {name: Runner if held else LooseRunner for name, held in tight.items()}


class Runner:
    """The coordinate of one such joint: s [m] from the start of the beam. Nothing that it says has inertia."""

    coordinates: tuple[str, ...] = ("s",)
    velocities: tuple[str, ...] = ("s_rate",)
    accelerations: tuple[str, ...] = ("s_acceleration",)
    units: tuple[str, ...] = ("m",)
    velocity_units: tuple[str, ...] = ("m/s",)
    acceleration_units: tuple[str, ...] = ("m/s^2",)
    shared: tuple[Number, ...] = ()
    inverse_mass: tuple[Number, ...] = ()

    def __init__(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> None:
        self.q, self.v = tuple(q), tuple(v)

    @staticmethod
    def rates(q: Sequence[Number], v: Sequence[Number]) -> tuple[Number, ...]:
        return tuple(v)

    @staticmethod
    def unit(q: Sequence[Number]) -> tuple[Number, ...]:
        return tuple(q)

    def rotation_rates(self, v: Sequence[Number]) -> list[tuple[Number, Number]]:
        return []

    def gyroscopic(self) -> tuple[Number, ...]:
        return (0.0,) * len(self.v)

    def weight(self, gravity: PlanarVector) -> tuple[Number, ...]:
        return (0.0,) * len(self.v)

    def kinetic_energy(self) -> Number:
        return 0.0

    def potential_energy(self, gravity: PlanarVector) -> Number:
        return 0.0

    def place(self, side: PlanarPlace, beam: Flexible) -> PlanarPlace:
        """The side of the joint on the section where it is; that section's frame moves like its material."""
        node_weights = weights(self.q[0] / beam.length, beam.beam.elements, beam.beam.order)
        frame = interpolate([node.frame for node in beam.nodes], node_weights)
        return replace(side, frame=frame, local_point=PlanarVector(0.0, 0.0))

    def over_step(self, before: Scalar, beam: Flexible) -> list[tuple[Scalar, Scalar]]:
        """What each node counts at its place, and the secant slopes of that by s, which was `before`."""
        count, order, length = beam.beam.elements, beam.beam.order, beam.length
        places = self.q[0] / length, before / length
        slopes = secants(places[1], places[0], count, order)
        return [(x, slope / length) for x, slope in zip(weights(places[0], count, order), slopes, strict=True)]

    def surfaces(self, i: PlanarPlace, j: PlanarPlace) -> tuple[PlanarPlace, PlanarPlace]:
        """Both sides as the mates of the joint see them."""
        return i, j

    def rows(self, i: PlanarPlace, j: PlanarPlace, held: bool) -> dict[str, Number]:
        """The rows that hold a pin on a section which slides; `held` to its middle."""
        return Pin.rows(i, j)

    @staticmethod
    def begin(along: tuple[float, float], across: tuple[float, float], turn: tuple[float, float]) -> list[Any]:
        """Values and rates of the coordinates, of those of a pin on a rigid beam."""
        return [along]


class LooseRunner(Runner):
    """With play: s [m], the offset e [m] across the section, and the angle psi [rad] of the section."""

    coordinates = ("s", "across", "angle")
    velocities = ("s_rate", "across_rate", "spin")
    accelerations = ("s_acceleration", "across_acceleration", "angular_acceleration")
    units, velocity_units = ("m", "m", "rad"), ("m/s", "m/s", "rad/s")
    acceleration_units = ("m/s^2", "m/s^2", "rad/s^2")

    def surfaces(self, i: PlanarPlace, j: PlanarPlace) -> tuple[PlanarPlace, PlanarPlace]:
        """Seen from the section at rest, in its axes."""
        (s, e, turn), (s_rate, e_rate, spin) = self.q, self.v
        change = Direction(s.graph, [(s, 1.0)])
        bend = change(j.frame.angle)
        tangent, normal = PlanarVector(cos(turn), sin(turn)), PlanarVector(-sin(turn), cos(turn))
        path = PlanarVector(change(j.frame.origin.x), change(j.frame.origin.y))
        velocity = PlanarVector(s_rate * (tangent @ path - bend * e), e_rate + s_rate * (normal @ path))
        frame = PlanarFrame(PlanarVector(0.0, e), i.frame.angle - turn, velocity, i.frame.spin - (spin - bend * s_rate))
        rest, middle = PlanarFrame(PlanarVector(0.0, 0.0), 0.0, PlanarVector(0.0, 0.0), 0.0), PlanarVector(0.0, 0.0)
        journal = replace(i, frame=frame, local_point=middle, reference=i.reference - j.reference)
        return journal, replace(j, frame=rest, reference=0.0)

    def rows(self, i: PlanarPlace, j: PlanarPlace, held: bool) -> dict[str, Number]:
        _, e, turn = self.q
        off = Pin.offset(i, j) - PlanarVector(-sin(turn), cos(turn)) * e
        rows = {"x": off.x, "y": off.y, "turn": turn - j.frame.angle}
        return {**rows, "across": e} if held else rows

    @staticmethod
    def begin(along: tuple[float, float], across: tuple[float, float], turn: tuple[float, float]) -> list[Any]:
        return [along, across, turn]


def described_place(mechanism: Mechanism, joint: Joint) -> float:
    """Where on its beam a joint is described [m from its start]."""
    return joint.bearing_point[0] + 0.5 * mechanism.beams[joint.bearing].length


def initial_places(runner_types: Mapping[str, type[Runner]], mechanism: Mechanism,
                   poses: Mapping[str, Any]) -> tuple[list[float], list[float]]:  # fmt: skip
    """Coordinates of each joint and their rates at the start, from poses and velocities of the mechanism with rigid
    links."""
    states: list[Any] = []
    for name, runner_type in runner_types.items():
        joint = mechanism.joints[name]
        (at, turned), (velocity, spin) = ((x[:2], x[2]) for x in poses[joint.bearing])
        point, moving = _carried(joint.journal, joint.journal_point, poses)
        axes = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
        (x, y), (vx, vy) = axes @ (point - at), axes @ (moving - velocity)
        half = 0.5 * mechanism.beams[joint.bearing].length
        along, across = (float(x + half), float(vx + spin * y)), (float(y), float(vy - spin * x))
        states += runner_type.begin(along, across, (turned, spin))
    return [x for x, _ in states], [v for _, v in states]


def _carried(body: str, local: Sequence[float], poses: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """World position and velocity of a point of a body."""
    if body == GROUND:
        return np.array(local), np.zeros(2)
    (x, y, angle), (vx, vy, spin) = poses[body]
    c, s = np.cos(angle), np.sin(angle)
    arm = np.array([c * local[0] - s * local[1], s * local[0] + c * local[1]])
    return np.array([x, y]) + arm, np.array([vx - spin * arm[1], vy + spin * arm[0]])
