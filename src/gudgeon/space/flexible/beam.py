"""Geometrically exact beams of the plane (Reissner 1972; Simo 1985): strains as formulas of position.

A section at the arc length s of the undeformed, straight beam has the place r(s) and the angle theta(s) of its normal.
In the axes of the section, with ' for d/ds,

    stretch    Gamma_1 =  cos(theta) x' + sin(theta) y' - 1
    shear      Gamma_2 = -sin(theta) x' + cos(theta) y'
    curvature  kappa   =  theta'

vanish in every rigid motion, however large. Forces and moment of the section are those of a linear material with
damping proportional to the rates of strain,

    N = EA (Gamma_1 + mu Gamma_1')    Q = GA (Gamma_2 + mu Gamma_2')    M = EI (kappa + mu kappa')    ' = d/dt here

so that their power is the rate of the strain energy 1/2 (EA Gamma_1^2 + GA Gamma_2^2 + EI kappa^2) plus what is lost.
An element of order p interpolates r and theta between its p + 1 nodes; its strains are taken at p points of Gauss: one
more would make slender elements far too stiff (locking), one less would leave motions without strain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gudgeon.space.flexible.shape import Shape
from gudgeon.space.mate import Number
from gudgeon.space.planar.frame import PlanarFrame
from gudgeon.space.planar.vector import PlanarVector


class Strains(NamedTuple):
    """stretch and shear [1], curvature [1/m]."""

    stretch: Number
    shear: Number
    curvature: Number


class BeamSection(NamedTuple):
    """Stiffness against stretch [N], shear [N] and bending [N m^2]; mass [kg/m] and rotary inertia [kg m] per length;
    damping [s] as the time by which rates of strain count."""

    EA: Number
    GA: Number
    EI: Number
    mass: Number
    inertia: Number
    damping: Number

    def stiffness(self) -> Strains:
        """What multiplies each strain."""
        return Strains(self.EA, self.GA, self.EI)


def interpolate(nodes: Sequence[PlanarFrame], weights: Sequence[Number]) -> PlanarFrame:
    """The frame of a section from those of the nodes of its element."""
    origin, velocity = PlanarVector(0.0, 0.0), PlanarVector(0.0, 0.0)
    angle: Number = 0.0
    spin: Number = 0.0
    for node, weight in zip(nodes, weights, strict=True):
        origin, velocity = origin + node.origin * weight, velocity + node.velocity * weight
        angle, spin = angle + node.angle * weight, spin + node.spin * weight
    return PlanarFrame(origin, angle, velocity, spin)


def strains(nodes: Sequence[PlanarFrame], place: Shape, length: Number) -> Strains:
    """Strains at one place of an element of this length [m]."""
    here, change = interpolate(nodes, place.values), interpolate(nodes, place.slopes)
    along = PlanarVector(change.origin.x / length, change.origin.y / length)
    tangent, normal = here.axis(PlanarVector(1.0, 0.0)), here.axis(PlanarVector(0.0, 1.0))
    return Strains(tangent @ along - 1.0, normal @ along, change.angle / length)


def kinetic_energy(nodes: Sequence[PlanarFrame], place: Shape, section: BeamSection) -> Number:
    """Kinetic energy per length [J/m] at one place of an element."""
    here = interpolate(nodes, place.values)
    return 0.5 * (section.mass * (here.velocity @ here.velocity) + section.inertia * (here.spin * here.spin))
