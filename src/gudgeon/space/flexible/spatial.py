"""Geometrically exact beams of space (Simo 1985; Simo and Vu-Quoc 1986): strains as formulas of position.

A section at the arc length s of the undeformed beam has the place r(s) and the axes R(s) = (t1, t2, t3), of which t1 is
normal to it and lies along the undeformed beam. With ' for d/ds, in the axes of the section,

    Gamma = R^T r' - (1, 0, 0)              stretch and two shears
    K x b = R^T R' b   for every b          twist and two curvatures

An element interpolates the places of its nodes, and their Euler parameters p_i too, by the same polynomials N_i:

    r = sum N_i r_i        P = sum N_i p_i        R = R(P / |P|)        K = 2 vec(conj(P) P') / |P|^2

A rotation q of the whole turns every p_i into the product q p_i, which is linear, so that P becomes q P and P' becomes
q P'; conj(P) P' does not change. The strains are those of the present places of the nodes alone, feel no rigid motion
however large, and do not depend on the way the nodes came there. Since p and -p are the same rotation, the parameters
of neighbours must have the same sign: nodes begin with equal ones and differ by less than half a turn ever after.

The velocity of a section follows from the same formulas, w = 2 vec(conj(P) P*) / |P|^2 with * for d/dt, so that kinetic
energy and strains belong to one motion and momenta are kept as the energy is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gudgeon.compile.graph import sqrt
from gudgeon.space.flexible.shape import Shape
from gudgeon.space.mate import Number
from gudgeon.space.spatial.body import RigidBody
from gudgeon.space.spatial.frame import Frame
from gudgeon.space.spatial.geometry.rotation import after, parameter_rates, rotation_matrix
from gudgeon.space.spatial.geometry.vector import ZERO, Vector

PLACES, STRAINS = 11, 6  # numbers that a section's strains follow from, and how many there are
STRAIN_NAMES = ("stretch", "shear_y", "shear_z", "twist", "curvature_y", "curvature_z")
FORCE_NAMES = ("normal_force", "shear_force_y", "shear_force_z", "torsion", "moment_y", "moment_z")


class SpatialNode(RigidBody):
    """A section that moves like a rigid body of space; its inertia is that of the elements around it."""

    def __init__(self, q: Sequence[Number], v: Sequence[Number]) -> None:
        super().__init__(q, v, 0.0, (0.0, 0.0, 0.0))

    @property
    def parameters(self) -> tuple[Number, ...]:
        """Euler parameters."""
        return self.q[3:]

    @property
    def parameter_rates(self) -> tuple[Number, ...]:
        return parameter_rates(self.q[3:], self.v[3:])

    @property
    def inverse_mass(self) -> tuple[Number, ...]:
        """None: a node has no mass of its own."""
        return ()

    def gyroscopic(self) -> tuple[Number, ...]:
        return (0.0,) * 6

    def weight(self, gravity: Vector) -> tuple[Number, ...]:
        return (0.0,) * 6

    def kinetic_energy(self) -> Number:
        return 0.0

    def potential_energy(self, gravity: Vector) -> Number:
        return 0.0


class Line(NamedTuple):
    """What the strains of a section follow from: r', P and P'; or the rates of these."""

    along: Vector
    parameters: tuple[Number, ...]
    slopes: tuple[Number, ...]

    @property
    def numbers(self) -> tuple[Number, ...]:
        return (*self.along, *self.parameters, *self.slopes)


def weighed(values: Sequence[Iterable[Number]], weights: Sequence[Number]) -> tuple[Number, ...]:
    """Sum of vectors of any length, each with its weight."""
    total: list[Number] = [0.0 for _ in values[0]]
    for value, weight in zip(values, weights, strict=True):
        total = [x + weight * y for x, y in zip(total, value, strict=True)]
    return tuple(total)


def line(nodes: Sequence[SpatialNode], values: Sequence[Number], slopes: Sequence[Number]) -> Line:
    """A section by the values and slopes [1/m] of the polynomials of its element."""
    parameters = [node.parameters for node in nodes]
    along = weighed([node.frame.origin for node in nodes], slopes)
    return Line(Vector(*along), weighed(parameters, values), weighed(parameters, slopes))


def line_rates(nodes: Sequence[SpatialNode], values: Sequence[Number], slopes: Sequence[Number]) -> Line:
    """Their rates."""
    rates = [node.parameter_rates for node in nodes]
    along = weighed([node.frame.velocity for node in nodes], slopes)
    return Line(Vector(*along), weighed(rates, values), weighed(rates, slopes))


def relative(p: Sequence[Number], q: Sequence[Number]) -> Vector:
    """Vector part of conj(p) q, the product of quaternions."""
    own, other = Vector(*p[1:]), Vector(*q[1:])
    return other * p[0] - own * q[0] - own.cross(other)


def pushed(p: Sequence[Number], moment: Vector) -> tuple[Number, ...]:
    """The product p (0, moment): what a moment along the axes of p does on changes of p, up to a factor."""
    return after(p, (0.0, *moment))


def squared(p: Sequence[Number]) -> Number:
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]


def turned_back(p: Sequence[Number], vector: Vector) -> Vector:
    """R(P / |P|)^T b |P|^2, without a root."""
    e0, axis = p[0], Vector(*p[1:])
    cross = axis.cross(vector)
    return vector * (e0 * e0 - axis @ axis) + axis * (2.0 * (axis @ vector)) - cross * (2.0 * e0)


def section_strains(place: Line) -> tuple[Number, ...]:
    """Stretch, two shears [1], twist and two curvatures [1/m]."""
    size = 1.0 / squared(place.parameters)
    gamma = turned_back(place.parameters, place.along) * size
    bend = relative(place.parameters, place.slopes) * (2.0 * size)
    return gamma.x - 1.0, gamma.y, gamma.z, bend.x, bend.y, bend.z


def spin(p: Sequence[Number], rate: Sequence[Number]) -> Vector:
    """Angular velocity [rad/s] of a section in its own axes, from parameters of any length and their rates."""
    return relative(p, rate) * (2.0 / squared(p))


def spin_rate(p: Sequence[Number], rate: Sequence[Number], second: Sequence[Number]) -> Vector:
    """Its rate [rad/s^2]: w = 2 vec(conj(P) P*)/|P|^2, and conj(P*) P* has no vector part."""
    size = 1.0 / squared(p)
    mixed = p[0] * rate[0] + p[1] * rate[1] + p[2] * rate[2] + p[3] * rate[3]
    return relative(p, second) * (2.0 * size) - spin(p, rate) * (2.0 * size * mixed)


def interpolate(nodes: Sequence[SpatialNode], place: Shape) -> Frame:
    """The frame of a section from the nodes of its element."""
    p = weighed([node.parameters for node in nodes], place.values)
    rate = weighed([node.parameter_rates for node in nodes], place.values)
    scale = 1.0 / sqrt(squared(p))
    origin, velocity = ZERO, ZERO
    for node, weight in zip(nodes, place.values, strict=True):
        origin, velocity = origin + node.frame.origin * weight, velocity + node.frame.velocity * weight
    return Frame(origin, rotation_matrix([x * scale for x in p]), velocity, spin(p, rate))
