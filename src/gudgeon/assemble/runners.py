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
r' (J S^-1 Jt)^-1 r', which is positive (assemble.ordering).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.graph import Scalar
from gudgeon.model import Ideal, Joint, Mechanism
from gudgeon.model.names import GROUND
from gudgeon.quantity import GudgeonError
from gudgeon.space.flexible.beam import interpolate
from gudgeon.space.flexible.track import weights
from gudgeon.space.mate import Number
from gudgeon.space.planar import Pin, Place, Vector

if TYPE_CHECKING:
    from gudgeon.assemble.beams import Flexible

RAIL = "groove"  # the mate that slides


def runners(mechanism: Mechanism) -> list[Joint]:
    """The joints that slide along a beam."""
    found = [j for j in mechanism.joints.values() if RAIL in j.fit and j.bearing in mechanism.beams]
    for joint in found:
        loose = [fit for fit in joint.fit.values() if not isinstance(fit, Ideal)]
        if loose:
            raise GudgeonError(
                f'joint "{joint.name}": fit {type(loose[0]).__name__}: along a beam a joint slides without play; leave '
                "the fit out, or put the play into the pin that carries the slider"
            )
    return found


class Runner:
    """The coordinate of one such joint: s [m] from the start of the beam. Nothing that it says has inertia."""

    coordinates, velocities, accelerations = ("s",), ("s_rate",), ("s_acceleration",)
    units, velocity_units, acceleration_units = ("m",), ("m/s",), ("m/s^2",)
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
        return (0.0,)

    def weight(self, gravity: Vector) -> tuple[Number, ...]:
        return (0.0,)

    def kinetic_energy(self) -> Number:
        return 0.0

    def potential_energy(self, gravity: Vector) -> Number:
        return 0.0

    def place(self, side: Place, beam: Flexible) -> Place:
        """The side of the joint on the section where it is; that section's frame moves like its material."""
        found = weights(self.q[0] / beam.length, beam.beam.elements, beam.beam.order)
        frame = interpolate([node.frame for node in beam.nodes], found)
        return replace(side, frame=frame, local_point=Vector(0.0, 0.0))


def rail_rows(i: Place, j: Place) -> dict[str, Number]:
    """The rows that hold a pin on a section which slides."""
    return Pin.rows(i, j)


def described_place(mechanism: Mechanism, joint: Joint) -> float:
    """Where on its beam a joint is described [m from its start]."""
    return joint.bearing_point[0] + 0.5 * mechanism.beams[joint.bearing].length


def begin(joints: Sequence[Joint], mechanism: Mechanism, poses: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """s and s' of each joint at the start, from poses and velocities of the mechanism with rigid links."""
    places, speeds = [], []
    for joint in joints:
        (at, turned), (velocity, spin) = ((x[:2], x[2]) for x in poses[joint.bearing])
        point, moving = _carried(joint.journal, joint.journal_point, poses)
        along = np.array([np.cos(turned), np.sin(turned)])
        across = np.array([-along[1], along[0]])
        arm = point - at
        places.append(float(along @ arm) + 0.5 * mechanism.beams[joint.bearing].length)
        speeds.append(float(along @ (moving - velocity) + spin * (across @ arm)))
    return places, speeds


def _carried(body: str, local: Sequence[float], poses: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """World position and velocity of a point of a body."""
    if body == GROUND:
        return np.array(local), np.zeros(2)
    (x, y, angle), (vx, vy, spin) = poses[body]
    c, s = np.cos(angle), np.sin(angle)
    arm = np.array([c * local[0] - s * local[1], s * local[0] + c * local[1]])
    return np.array([x, y]) + arm, np.array([vx - spin * arm[1], vy + spin * arm[0]])
