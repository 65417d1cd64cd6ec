"""How the coordinates of a mechanism move over a step from a to b: secant slopes, and changes for its matrix.

Between two states a step of every velocity coordinate is ψ. In the plane it is the change of a length, and 2 tan(Δθ/2)
of an angle (graph.secant). In space a body turns by Cayley's transform of ψ, a vector along its own axes,

    R_b = R_a cay(ψ) = R_a (1 + ψ~/2) (1 - ψ~/2)^-1,     Euler parameters:  p_b = p_a d,   d = (1, ψ/2) / |(1, ψ/2)|

With the same vector along the axes of the world, Ψ = R_a ψ = R_b ψ, every body-fixed vector r changes by Ψ x (r_a +
r_b)/2 exactly: this is the secant slope of the entries of R, and formulas made of them follow the rules of the plane.
Where a formula does not change with a common rotation, neither does its slope know of one: forces along it have no
moment. A moment m of the world acts on ψ by

    (1 - ψ~/2) R_a^T m = ((R_a + R_b) / 2)^-1 m

Then the equations of a step along the body's axes, with W the mean of w_a and w_b and ψ = h W,

    J (w_b - w_a) / h + W x J W + (1 - ψ~/2) R_a^T m = 0

say R_b J w_b - R_a J w_a + h m = 0, times that matrix: momentum changes by h m, and its product with ψ is the change of
the kinetic energy, -h W . (R_a^T m) (Simo and Wong 1991, the form with both). W x J W is the moment that the equations
left unsolved have at the velocity W.
    In the matrix of a step the unknowns are changes of ψ. Those of the last step turn b, seen along the axes of b, by

    T = d0² (1 - ψ~/2),   d0 the first component of d

and what the step before it has more, c, this one has less: a turns by c, b by (cay(ψ)^T - T) c.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gudgeon.assemble.elimination import Row
from gudgeon.assemble.equations import Equations
from gudgeon.graph import Graph, Scalar
from gudgeon.graph.secant import Secant
from gudgeon.graph.transfer import Transfer
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.rotation import after, parameter_rates, rotation_matrix

Seeds = list[tuple[Scalar, Any]]
UNITS = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))


class Moves:
    """Steps of the plane, where every velocity has its own coordinate."""

    def __init__(self, equations: Equations, earlier: Sequence[Scalar]) -> None:
        """`earlier` are the coordinates of a. Time and internal states are those of b at both ends: of an angle that
        is counted from them only the coordinates tell."""
        self.equations, self.graph, self.earlier = equations, equations.graph, list(earlier)
        places = {("y", k): x for k, x in enumerate(self.earlier)}
        self.held = Transfer(self.graph, places)
        self._prepare()

    def _prepare(self) -> None:
        eq = self.equations
        units = [unit for body in eq.bodies for unit in body.velocity_units]
        self.slopes = [
            Secant(self.graph, self.held, *(([], [x]) if unit == "rad/s" else ([x], [])))
            for x, unit in zip(eq.q, units, strict=True)
        ]

    def slope(self, value: Scalar) -> Row:
        """Secant slopes of a position formula by the steps of all velocities."""
        found = {k: self.slopes[k](value) for k in self.equations._reached(value)}
        return {k: x for k, x in found.items() if x is not self.graph.zero}

    def seeds(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        """Changes of both ends by a unit of step j in the last pair, with factors: c_b for its own unknown, c_a for
        that of the pair before."""
        return [(self.equations.q[j], c_b), (self.earlier[j], c_a)]

    def at_end(self, row: Row, c_b: Scalar, c_a: Scalar) -> Row:
        """A gradient at b by velocities, as changes by the unknowns."""
        return {k: c_b * x for k, x in row.items()}

    def seeds_each(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        """The same of two states that move on their own."""
        return self.seeds(j, c_b, c_a)

    def coordinates(self, j: int) -> list[int]:
        """Places of the coordinates that velocity j moves."""
        return [j]


class SpatialMoves(Moves):
    """Steps of bodies of space."""

    def _prepare(self) -> None:
        self.turns = [_Turn(self.graph, self.held, body, self.earlier[7 * k + 3 : 7 * k + 7])
                      for k, body in enumerate(self.equations.bodies)]  # fmt: skip
        self.lengths = [Secant(self.graph, self.held, [x]) for body in self.equations.bodies for x in body.q[:3]]

    def slope(self, value: Scalar) -> Row:
        found: Row = {}
        for k in dict.fromkeys(j // 6 for j in self.equations._reached(value)):
            found |= {6 * k + n: self.lengths[3 * k + n](value) for n in range(3)}
            found |= {6 * k + 3 + n: x for n, x in enumerate(self.turns[k].slope(value))}
        return {k: x for k, x in found.items() if x is not self.graph.zero}

    def seeds(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        body, n = divmod(j, 6)
        if n < 3:
            return [(self.equations.q[7 * body + n], c_b), (self.earlier[7 * body + n], c_a)]
        return self.turns[body].seeds(UNITS[n - 3], c_b, c_a)

    def at_end(self, row: Row, c_b: Scalar, c_a: Scalar) -> Row:
        found: Row = {}
        for k in dict.fromkeys(j // 6 for j in row):
            found |= {j: c_b * row[j] for j in range(6 * k, 6 * k + 3) if j in row}
            turn = Vector(*(row.get(6 * k + 3 + n, self.graph.zero) for n in range(3)))
            for n, unit in enumerate(UNITS):
                found[6 * k + 3 + n] = self.graph.scalar(turn @ self.turns[k].changed(unit, c_b, c_a))
        return {k: x for k, x in found.items() if x is not self.graph.zero}

    def seeds_each(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        body, n = divmod(j, 6)
        if n < 3:
            return self.seeds(j, c_b, c_a)
        earlier, unit = self.earlier[7 * body + 3 : 7 * body + 7], UNITS[n - 3]
        own = [(x, c_b * rate) for x, rate in self.equations.unit_seeds(j)]
        return own + [(x, c_a * rate) for x, rate in zip(earlier, parameter_rates(earlier, tuple(unit)), strict=True)]

    def coordinates(self, j: int) -> list[int]:
        body, n = divmod(j, 6)
        return [7 * body + n] if n < 3 else [*range(7 * body + 3, 7 * body + 7)]


class _Turn:
    """The turn of one body of space over a step."""

    def __init__(self, graph: Graph, held: Transfer, body: Any, before: Sequence[Scalar]) -> None:
        self.graph, self.body, self.before = graph, body, list(before)
        e0, *axis = self.before
        self.first, *rest = after((e0, *(-x for x in axis)), body.q[3:])
        self.step = rotation_matrix((self.first, *rest))
        self.half = Vector(*rest) * (1.0 / self.first)  # ψ / 2
        self.back = rotation_matrix(self.before).back
        self.slopes = [Secant(graph, held, seeds=_turning(body, held, n)) for n in range(3)]

    def slope(self, value: Scalar) -> list[Scalar]:
        """Secant slopes by ψ, from those by the axes of the world."""
        moment = Vector(*(slope(value) for slope in self.slopes))
        if all(x is self.graph.zero for x in moment):
            return list(moment)
        inner = self.back(moment)
        return [self.graph.scalar(x) for x in inner - self.half.cross(inner)]

    def changed(self, unit: Vector, c_b: Any, c_a: Any) -> Vector:
        """The turn of b along its own axes by a unit of the step, with factors."""
        own = (unit - self.half.cross(unit)) * (self.first * self.first)
        return own * c_b + (self.step.back(unit) - own) * c_a

    def seeds(self, unit: Vector, c_b: Any, c_a: Any) -> Seeds:
        whole = (0.0, 0.0, 0.0, *self.changed(unit, c_b, c_a))
        found = [*zip(self.body.q[3:], self.body.rates(self.body.q, whole)[3:], strict=True)]
        found += self.body.rotation_rates(whole)
        rates = parameter_rates(self.before, tuple(unit))
        return found + [(x, c_a * rate) for x, rate in zip(self.before, rates, strict=True)]


# Entries of the matrix change by Ψ x (R_a + R_b)/2, row by row. Where sums of entries were shortened, products of Euler
# parameters stand alone; 4 e_k e_l is a sum of entries and 1 (space.spatial.rotation.parameters_of), so are its slopes.
def _turning(body: Any, held: Transfer, n: int) -> Seeds:
    """Slopes of a body's matrix, and of products of its parameters, by a unit of Ψ about axis n of the world."""
    rotation = body.frame.rotation
    rows = [tuple(rotation.x), tuple(rotation.y), tuple(rotation.z)]
    one, two = (n + 1) % 3, (n + 2) % 3
    means = [[0.5 * (x + held(x)) for x in row] for row in rows]
    a: list[list[Any]] = [[0.0] * 3 for _ in range(3)]
    a[one], a[two] = [-x for x in means[two]], means[one]
    trace = a[0][0] + a[1][1] + a[2][2]
    e = body.q[3:]
    seeds = [(e[0] * e[0], 0.25 * trace)]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        seeds += [
            (e[k + 1] * e[k + 1], 0.25 * (2.0 * a[k][k] - trace)),
            (e[0] * e[k + 1], 0.25 * (a[j][i] - a[i][j])),
            (e[i + 1] * e[j + 1], 0.25 * (a[i][j] + a[j][i])),
        ]
    return seeds + [(x, y) for row, slopes in zip(rows, a, strict=True) for x, y in zip(row, slopes, strict=True)]
