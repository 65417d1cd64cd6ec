"""Rigid bodies of space: coordinates, velocities and inertia."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.space.mate import Number
from gudgeon.space.spatial.frame import Frame
from gudgeon.space.spatial.geometry.rotation import (
    IDENTITY,
    Rotation,
    parameter_rates,
    rotation_matrix,
    unit_parameters,
)
from gudgeon.space.spatial.geometry.vector import ZERO, Vector


class RigidBody:
    """Coordinates (x, y, z) of the centre of mass and Euler parameters (e0, e1, e2, e3) of the principal axes;
    velocities (vx, vy, vz) in the world and (wx, wy, wz), the angular velocity along the principal axes.

    `inertia` are the three principal moments [kg m^2]. `described` turns the axes in which the body's points are given
    into the principal axes; None where they are the same.
    """

    coordinates = ("x", "y", "z", "e0", "e1", "e2", "e3")
    velocities = ("vx", "vy", "vz", "wx", "wy", "wz")
    accelerations = ("ax", "ay", "az", "alphax", "alphay", "alphaz")
    units = ("m", "m", "m", "1", "1", "1", "1")
    velocity_units = ("m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s")
    acceleration_units = ("m/s^2", "m/s^2", "m/s^2", "rad/s^2", "rad/s^2", "rad/s^2")

    def __init__(self, q: Sequence[Number], v: Sequence[Number], mass: Number, inertia: Sequence[Number],
                 described: Rotation | None = None) -> None:  # fmt: skip
        self.q, self.v, self.mass, self.inertia = tuple(q), tuple(v), mass, tuple(inertia)
        self.frame = Frame(Vector(*q[:3]), rotation_matrix(q[3:]), Vector(*v[:3]), Vector(*v[3:]), described)

    @staticmethod
    def rates(q: Sequence[Number], v: Sequence[Number]) -> tuple[Number, ...]:
        """Rates of the coordinates from the velocities; the Euler parameters move along the unit sphere."""
        return (*v[:3], *parameter_rates(q[3:], v[3:]))

    @staticmethod
    def unit(q: Sequence[Number]) -> tuple[Number, ...]:
        """The same coordinates with Euler parameters of length 1."""
        return (*q[:3], *unit_parameters(q[3:]))

    # A' = A w~: what differentiation of the entries along p' gives too, on the unit sphere, with more operations
    def rotation_rates(self, v: Sequence[Number]) -> list[tuple[Number, Number]]:
        """Entries of the rotation matrix and their rates for velocities v: seeds that stop differentiation there."""
        x, y, z = v[3:]
        seeds: list[tuple[Number, Number]] = []
        for row in (self.frame.rotation.x, self.frame.rotation.y, self.frame.rotation.z):
            a, b, c = row
            seeds += [(a, b * z - c * y), (b, c * x - a * z), (c, a * y - b * x)]
        return seeds

    @property
    def shared(self) -> tuple[Number, ...]:
        """What all formulas of the body's points have in common: the rotation matrix."""
        rotation = self.frame.rotation
        return (*rotation.x, *rotation.y, *rotation.z)

    @property
    def inverse_mass(self) -> tuple[Number, ...]:
        return (1.0 / self.mass,) * 3 + tuple(1.0 / moment for moment in self.inertia)

    def gyroscopic(self) -> tuple[Number, ...]:
        """Generalised force -w x J w of the body's own spin, along the principal axes."""
        first, second, third = self.inertia
        x, y, z = self.v[3:]
        moment = ((second - third) * (y * z), (third - first) * (z * x), (first - second) * (x * y))
        return (0.0, 0.0, 0.0, *moment)

    def weight(self, gravity: Vector) -> tuple[Number, ...]:
        """Generalised force of gravity."""
        return (*(gravity * self.mass), 0.0, 0.0, 0.0)

    def kinetic_energy(self) -> Number:
        v, w = self.frame.velocity, self.frame.spin
        spin = sum(moment * (x * x) for moment, x in zip(self.inertia, w, strict=True))
        return 0.5 * (self.mass * (v @ v) + spin)

    def wrench(self, force: Sequence[Number], point: Vector) -> tuple[Number, ...]:
        """World components of force and of the moment about a world point, from a generalised force of this body."""
        push = Vector(*force[:3])
        moment = self.frame.rotation @ Vector(*force[3:]) - (point - self.frame.origin).cross(push)
        return (*push, *moment)

    def potential_energy(self, gravity: Vector) -> Number:
        return -(self.mass * (gravity @ self.frame.origin))


class Ground:
    """The frame that does not move."""

    q: tuple[Number, ...] = ()
    v: tuple[Number, ...] = ()

    def __init__(self) -> None:
        self.frame = Frame(ZERO, IDENTITY, ZERO, ZERO)
