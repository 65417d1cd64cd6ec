"""Rigid bodies of the plane: coordinates, velocities and inertia."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.compile.graph import cos, sin
from gudgeon.space.mate import Number
from gudgeon.space.planar.frame import PlanarFrame
from gudgeon.space.planar.vector import PlanarVector


class PlanarRigidBody:
    """Coordinates (x, y, angle) of the centre of mass, velocities (vx, vy, spin)."""

    coordinates = ("x", "y", "angle")
    velocities = ("vx", "vy", "spin")
    accelerations = ("ax", "ay", "alpha")
    units = ("m", "m", "rad")
    velocity_units = ("m/s", "m/s", "rad/s")
    acceleration_units = ("m/s^2", "m/s^2", "rad/s^2")

    def __init__(self, q: Sequence[Number], v: Sequence[Number], mass: Number, inertia: Number) -> None:
        self.q, self.v, self.mass, self.inertia = tuple(q), tuple(v), mass, inertia
        self.frame = PlanarFrame(PlanarVector(q[0], q[1]), q[2], PlanarVector(v[0], v[1]), v[2])

    @staticmethod
    def rates(q: Sequence[Number], v: Sequence[Number]) -> tuple[Number, ...]:
        """Rates of the coordinates from the velocities: in the plane they are the same."""
        return tuple(v)

    @staticmethod
    def unit(q: Sequence[Number]) -> tuple[Number, ...]:
        """Coordinates without redundancy need no scaling."""
        return tuple(q)

    def rotation_rates(self, v: Sequence[Number]) -> list[tuple[Number, Number]]:
        """Seeds that shorten differentiation: sine and cosine need none."""
        return []

    @property
    def shared(self) -> tuple[Number, ...]:
        """What all formulas of the body's points have in common."""
        return cos(self.q[2]), sin(self.q[2])

    @property
    def inverse_mass(self) -> tuple[Number, ...]:
        return 1.0 / self.mass, 1.0 / self.mass, 1.0 / self.inertia

    def gyroscopic(self) -> tuple[Number, ...]:
        """Generalised force of the body's own spin: none in the plane."""
        return 0.0, 0.0, 0.0

    def weight(self, gravity: PlanarVector) -> tuple[Number, ...]:
        """Generalised force of gravity."""
        return self.mass * gravity.x, self.mass * gravity.y, 0.0

    def kinetic_energy(self) -> Number:
        v = self.frame.velocity
        return 0.5 * (self.mass * (v @ v) + self.inertia * (self.v[2] * self.v[2]))

    def wrench(self, force: Sequence[Number], point: PlanarVector) -> tuple[Number, Number, Number]:
        """Force components and moment about a world point, from a generalised force of this body."""
        arm = point - self.frame.origin
        return force[0], force[1], force[2] - arm.cross(PlanarVector(force[0], force[1]))

    def potential_energy(self, gravity: PlanarVector) -> Number:
        return -(self.mass * (gravity @ self.frame.origin))


class PlanarGround:
    """The frame that does not move."""

    q: tuple[Number, ...] = ()
    v: tuple[Number, ...] = ()

    def __init__(self) -> None:
        self.frame = PlanarFrame(PlanarVector(0.0, 0.0), 0.0, PlanarVector(0.0, 0.0), 0.0)
