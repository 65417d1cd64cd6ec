"""A node of a beam: it moves like a rigid body of the plane, and its inertia is that of the elements around it."""

from __future__ import annotations

from collections.abc import Sequence

from gudgeon.space.mate import Number
from gudgeon.space.planar.body import PlanarRigidBody
from gudgeon.space.planar.vector import PlanarVector


class Node(PlanarRigidBody):
    """Coordinates (x, y, angle) of a section; the angle is that of its normal, which shear parts from the tangent."""

    def __init__(self, q: Sequence[Number], v: Sequence[Number]) -> None:
        super().__init__(q, v, 0.0, 0.0)

    @property
    def inverse_mass(self) -> tuple[Number, ...]:
        """None: a node has no mass of its own."""
        return ()

    def weight(self, gravity: PlanarVector) -> tuple[Number, ...]:
        return 0.0, 0.0, 0.0

    def kinetic_energy(self) -> Number:
        return 0.0

    def potential_energy(self, gravity: PlanarVector) -> Number:
        return 0.0
