"""How the coordinates of a mechanism move over a step from a to b: secant slopes, and changes for its matrix.

Between two states a step of every velocity coordinate is ψ. In the plane it is the change of a length, and 2 tan(Δθ/2)
of an angle (passes.secant). In space a body turns by Cayley's transform of ψ, a vector along its own axes,

    R_b = R_a cay(ψ) = R_a (1 + ψ~/2) (1 - ψ~/2)^-1,     Euler parameters:  p_b = p_a d,   d = (1, ψ/2) / |(1, ψ/2)|

With the same vector along the axes of the world, Ψ = R_a ψ = R_b ψ, every body-fixed vector r changes by Ψ x (r_a +
r_b)/2 exactly: this is the secant slope of the entries of R, and formulas made of them follow the rules of the plane.
Where a formula does not change with a common rotation, neither does its slope know of one: forces along it have no
moment. A moment m of the world acts on ψ by

    (1 - ψ~/2) R_a^T m = ((R_a + R_b) / 2)^-1 m

Then the equations of a step along the body's axes, with W the mean of w_a and w_b and ψ = h W,

    J (w_b - w_a) / h + W x J W + (1 - ψ~/2) R_a^T m = 0

say R_b J w_b - R_a J w_a + h m = 0, times that matrix: momentum changes by h m, and its product with ψ is the change of
the kinetic energy, -h W . (R_a^T m) (Simo and Wong 1991, the form with both). W x J W is the gyroscopic moment
of the residual form at the velocity W.
    In the matrix of a step the unknowns are changes of ψ. Those of the last step turn b, seen along the axes of b, by

    T = d0² (1 - ψ~/2),   d0 the first component of d

and what the step before it has more, c, this one has less: a turns by c, b by (cay(ψ)^T - T) c (step.rotation).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gudgeon.assemble.residual.step.rotation import UNITS, CayleyRotation, RelativeRotation, Seeds
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.solve.equations import Equations
from gudgeon.compile.graph import Scalar
from gudgeon.compile.graph.passes.secant import Secant
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.space.flexible.spatial import weighed
from gudgeon.space.spatial import Rotation, Vector
from gudgeon.space.spatial.geometry.rotation import parameter_rates, unit_parameters


class StepKinematics:
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
        row = {k: self.slopes[k](value) for k in self.equations._reached(value)}
        return {k: x for k, x in row.items() if x is not self.graph.zero}

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

    def section(self, first: int, weights: Sequence[float], rotation: Any, parameters: Sequence[Any]) -> None:
        """Know how a section between nodes turns."""


class SpatialStepKinematics(StepKinematics):
    """Steps of bodies of space."""

    def _prepare(self) -> None:
        bodies, graph, held = self.equations.bodies, self.graph, self.held
        self.turns = [CayleyRotation(body, self.earlier[7 * k + 3 : 7 * k + 7]) for k, body in enumerate(bodies)]
        self.turning = [[Secant(graph, held, seeds=_turning(body.frame.rotation, held, unit)) for unit in UNITS]
                        for body in bodies]  # fmt: skip
        for body, slopes in zip(bodies, self.turning, strict=True):
            for slope in slopes:
                _seed_products(slope, body.frame.rotation, body.q[3:])
        self.lengths = [Secant(self.graph, self.held, [x]) for body in self.equations.bodies for x in body.q[:3]]

    def slope(self, value: Scalar) -> Row:
        row: Row = {}
        for k in dict.fromkeys(j // 6 for j in self.equations._reached(value)):
            row |= {6 * k + n: self.lengths[3 * k + n](value) for n in range(3)}
            moment = Vector(*(slope(value) for slope in self.turning[k]))
            if any(x is not self.graph.zero for x in moment):
                row |= {6 * k + 3 + n: self.graph.scalar(x) for n, x in enumerate(self.turns[k].felt(moment))}
        return {k: x for k, x in row.items() if x is not self.graph.zero}

    def seeds(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        body, n = divmod(j, 6)
        if n < 3:
            return [(self.equations.q[7 * body + n], c_b), (self.earlier[7 * body + n], c_a)]
        return self.turns[body].seeds(UNITS[n - 3], c_b, c_a)

    def at_end(self, row: Row, c_b: Scalar, c_a: Scalar) -> Row:
        changed: Row = {}
        for k in dict.fromkeys(j // 6 for j in row):
            changed |= {j: c_b * row[j] for j in range(6 * k, 6 * k + 3) if j in row}
            turn = Vector(*(row.get(6 * k + 3 + n, self.graph.zero) for n in range(3)))
            for n, unit in enumerate(UNITS):
                changed[6 * k + 3 + n] = self.graph.scalar(turn @ self.turns[k].changed(unit, c_b, c_a))
        return {k: x for k, x in changed.items() if x is not self.graph.zero}

    def seeds_each(self, j: int, c_b: Scalar, c_a: Scalar) -> Seeds:
        body, n = divmod(j, 6)
        if n < 3:
            return self.seeds(j, c_b, c_a)
        earlier, unit = self.earlier[7 * body + 3 : 7 * body + 7], UNITS[n - 3]
        own = [(x, c_b * rate) for x, rate in self.equations.unit_seeds(j)]
        return own + [(x, c_a * rate) for x, rate in zip(earlier, parameter_rates(earlier, tuple(unit)), strict=True)]

    def section(self, first: int, weights: Sequence[float], rotation: Any, parameters: Sequence[Any]) -> None:
        """Know the slopes of a section of a beam between nodes, the bodies from `first` on: its matrix and its Euler
        parameters, those of the nodes with weights. It turns as its first node does, and by what that sees of it."""
        outer, others = self.turns[first].ends, range(first + 1, first + len(weights))
        seen = [RelativeRotation(outer, self.turns[k].ends) for k in others]
        inner = unit_parameters(weighed([(1.0, 0.0, 0.0, 0.0), *(turn.now for turn in seen)], weights))
        own = RelativeRotation(outer, ([self.held(x) for x in parameters], parameters))
        for n, unit in enumerate(UNITS):
            turns = {first: unit}
            for k, turn in zip(others, seen, strict=True):
                seeds = zip(turn.now, turn.slope(unit), strict=True)
                along = Secant(self.graph, self.held, seeds=[(self.graph.scalar(x), y) for x, y in seeds])
                turns[k] = own.turned([along(x) for x in inner])
                turns[first] = turns[first] - turns[k]
            for k, axis in turns.items():
                for x, slope in _turning(rotation, self.held, axis):
                    self.turning[k][n].seed(x, slope)
                _seed_products(self.turning[k][n], rotation, parameters)

    def coordinates(self, j: int) -> list[int]:
        body, n = divmod(j, 6)
        return [7 * body + n] if n < 3 else [*range(7 * body + 3, 7 * body + 7)]


def _rows(rotation: Rotation) -> list[tuple[Any, ...]]:
    return [tuple(rotation.x), tuple(rotation.y), tuple(rotation.z)]


def _turning(rotation: Rotation, held: Transfer, axis: Vector) -> Seeds:
    """Slopes of the entries of a matrix by a unit of Ψ along an axis of the world: Ψ x (R_a + R_b)/2, by columns."""
    seeds: Seeds = []
    for column in rotation.columns:
        mean = Vector(*(0.5 * (x + held(x)) for x in column))
        seeds += zip(column, axis.cross(mean), strict=True)
    return seeds


# Where sums of entries were shortened, products of Euler parameters stand alone; 4 e_k e_l is a sum of entries and 1
# (space.spatial.geometry.rotation.parameters_of), so are its slopes.
def _seed_products(slope: Secant, rotation: Rotation, e: Sequence[Scalar]) -> None:
    """Tell the slopes of products of Euler parameters from those of the matrix they make."""
    a = [[slope(x) for x in row] for row in _rows(rotation)]
    trace = a[0][0] + a[1][1] + a[2][2]
    slope.seed(e[0] * e[0], 0.25 * trace)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        slope.seed(e[k + 1] * e[k + 1], 0.25 * (2.0 * a[k][k] - trace))
        slope.seed(e[0] * e[k + 1], 0.25 * (a[j][i] - a[i][j]))
        slope.seed(e[i + 1] * e[j + 1], 0.25 * (a[i][j] + a[j][i]))
