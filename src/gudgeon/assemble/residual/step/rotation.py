"""Turns of bodies and nodes of space over a step from a to b: one by itself, and two seen from each other.

A turn has the vector Ψ of Cayley's transform along the axes of the world (step.kinematics); in Euler parameters it is
the product with D = κ (1, Ψ/2) from the left, κ = 1 / |(1, Ψ/2)|. Between nodes of a beam quaternions are interpolated,
and strains know those of one node seen from another, q = conj(p_0) p_i. With E = conj(D_0) D_i of length 1,

    q_b - q_a = conj(p_0a) (E - 1) p_ia,    E - 1 = (-v.E_v / (1 + E_0), v),    v = E_v = κ_0 κ_i / 2 (δ - s x δ / 4)

where δ = Ψ_i - Ψ_0 and s = Ψ_0 + Ψ_i, since Ψ_0 x Ψ_i = s x δ / 2. With E, κ and s as they are, this is linear in δ,
exact in its product with the step and the same from b to a: it is the secant slope of q. A common turn of both nodes
does nothing, so that forces along slopes made of it have no moment. What acts on q by f moves node i with

    m = (κ_0 κ_i n + (κ_i D_0v + κ_0 D_iv)/2 x n) / 2,    n = X_v - X_0 E_v / (1 + E_0),    X = p_0a f conj(p_ia)

and node 0 with -m. A section between nodes turns by Ψ_0 + δ, too, with δ from the slope of its own q: v is the vector
part of p_0a dq conj(p_ga), and

    δ = 2 (k v + l x v + l (l.v) / k) / (k² + l.l),    k = κ_0 κ_g,    l = (κ_g D_0v + κ_0 D_gv)/2
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gudgeon.compile.graph import Scalar
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import after, conjugate, parameter_rates, rotation_matrix

Seeds = list[tuple[Scalar, Any]]
Ends = tuple[Sequence[Any], Sequence[Any]]
UNITS = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))


class CayleyRotation:
    """The turn of one body of space over a step, by less than half a circle: there ψ has no end."""

    def __init__(self, body: Any, before: Sequence[Scalar]) -> None:
        """`before` are its Euler parameters at a."""
        self.body, self.before = body, list(before)
        self.first, *rest = after(conjugate(self.before), body.q[3:])
        self.step = rotation_matrix((self.first, *rest))
        self.half = Vector(*rest) * (1.0 / self.first)  # ψ / 2
        self.rotation_before = rotation_matrix(self.before)

    @property
    def ends(self) -> Ends:
        """Euler parameters at a and at b."""
        return self.before, self.body.q[3:]

    def felt(self, moment: Vector) -> Vector:
        """What a moment of the world does on ψ: (1 - ψ~/2) R_a^T m."""
        inner = self.rotation_before.back(moment)
        return inner - self.half.cross(inner)

    def changed(self, unit: Vector, c_b: Any, c_a: Any) -> Vector:
        """The turn of b along its own axes: c_b times that by a unit of the step, and c_a times that by a unit of turn
        of a with as much less of a step."""
        own = (unit - self.half.cross(unit)) * (self.first * self.first)
        return own * c_b + (self.step.back(unit) - own) * c_a

    def seeds(self, unit: Vector, c_b: Any, c_a: Any) -> Seeds:
        """Changes of both ends, see StepKinematics.seeds."""
        whole = (0.0, 0.0, 0.0, *self.changed(unit, c_b, c_a))
        at_end = [*zip(self.body.q[3:], self.body.rates(self.body.q, whole)[3:], strict=True)]
        at_end += self.body.rotation_rates(whole)
        rates = parameter_rates(self.before, tuple(unit))
        return at_end + [(x, c_a * rate) for x, rate in zip(self.before, rates, strict=True)]


class RelativeRotation:
    """What node 0 sees of another node over a step, by Euler parameters of both at a and at b."""

    def __init__(self, first: Ends, other: Ends) -> None:
        self.outer, self.inner = first[0], other[0]  # p_0a and p_ia
        self.before, self.now = (after(conjugate(p), q) for p, q in zip(first, other, strict=True))
        (k0, *a), (ki, *b) = (after(now, conjugate(before)) for before, now in (first, other))
        e0, *e = after(conjugate((k0, *a)), (ki, *b))
        self.scale, self.lean = k0 * ki, (Vector(*a) * ki + Vector(*b) * k0) * 0.5
        self.quarter = Vector(*e) * (1.0 / (1.0 + e0))  # the tangent of a quarter of the angle, along the axis

    def moment(self, force: Sequence[Any]) -> Vector:
        """Moment of the world on the other node of what acts on q."""
        x0, *x = after(after(self.outer, force), conjugate(self.inner))
        n = Vector(*x) - self.quarter * x0
        return (n * self.scale + self.lean.cross(n)) * 0.5

    def slope(self, unit: Vector) -> tuple[Any, ...]:
        """Slope of q by a unit of the other node's Ψ."""
        v = (unit * self.scale - self.lean.cross(unit)) * 0.5
        return after(after(conjugate(self.outer), (-(self.quarter @ v), *v)), self.inner)

    def turned(self, slope: Sequence[Any]) -> Vector:
        """δ from a slope of q."""
        v = Vector(*after(after(self.outer, slope), conjugate(self.inner))[1:])
        k, l = self.scale, self.lean
        return (v * k + l.cross(v) + l * ((l @ v) / k)) * (2.0 / (k * k + l @ l))
