"""Equations of motion from formulas of position.

Nothing here is derived by hand: a constraint row, a gap or a spring's length is a formula of the coordinates; its
rate, its Jacobian and its acceleration terms come from differentiating the graph along directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gudgeon.assemble.flexible.modal import ModalBody
from gudgeon.assemble.solve.elimination import Diagonal, Row, Schur, Symmetric
from gudgeon.assemble.solve.row_order import elimination_order
from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.space.mate import TINY_SQUARE

Number = Any


@dataclass(frozen=True)
class Constraint:
    """One row Φ = 0. `owner` is the joint or drive it belongs to."""

    owner: str
    label: str
    value: Scalar
    drive: bool = False

    @property
    def name(self) -> str:
        return f"{self.owner}.{self.label}"


@dataclass(frozen=True)
class Rotor:
    """An inertia [kg m^2] that no body has, on a speed s: its row ds/dv, and minus the terms of s' beside row · a."""

    row: Row
    right: Scalar
    inertia: Scalar


class Equations:
    """Collects constraint rows and generalised forces, and solves for accelerations and multipliers."""

    def __init__(self, graph: Graph, time: Scalar, bodies: Sequence[Any]) -> None:
        """`bodies` have coordinates q and velocities v, and know how these change."""
        self.graph, self.time, self.bodies = graph, time, bodies
        self.q: list[Scalar] = [x for body in bodies for x in body.q]
        self.v: list[Scalar] = [x for body in bodies for x in body.v]
        self.rates: list[Scalar] = [r for body in bodies for r in body.rates(body.q, body.v)]
        self.constraints: list[Constraint] = []
        self.rotors: list[Rotor] = []
        self._prepare()

    def _prepare(self) -> None:
        """Directions of differentiation, and the forces of the bodies' own spin."""
        self.force: list[Scalar] = [self.graph.scalar(x) for body in self.bodies for x in body.gyroscopic()]
        moving: tuple[Direction, list[Direction], list[Direction]]
        moving = self.graph.whole("directions", (*self.q, *self.v, *self.rates), self._directions)
        self.ddt, self._along, self._with_velocity = moving

    def _directions(self) -> tuple[Direction, list[Direction], list[Direction]]:
        """Along the motion, velocities held; along a unit of each velocity; and by each velocity."""
        turning = [seed for body in self.bodies for seed in body.rotation_rates(body.v)]
        ddt = Direction(self.graph, [(self.time, 1.0), *zip(self.q, self.rates, strict=True), *turning])
        along = [self._unit_motion(k) for k in range(len(self.v))]
        return ddt, along, [Direction(self.graph, [(v, 1.0)]) for v in self.v]

    def _unit_motion(self, k: int) -> Direction:
        """Change of the coordinates by a unit of velocity k."""
        return Direction(self.graph, self.unit_seeds(k))

    def unit_seeds(self, k: int) -> list[tuple[Scalar, Number]]:
        """The same as symbols and what they change by."""
        return self._unit_seeds(k, turning=True)

    def _unit_seeds(self, k: int, *, turning: bool) -> list[tuple[Scalar, Number]]:
        seeds: list[tuple[Scalar, Number]] = []
        start = 0
        for body in self.bodies:
            if start <= k < start + len(body.v):
                unit = [1.0 if start + i == k else 0.0 for i in range(len(body.v))]
                seeds = [*zip(body.q, body.rates(body.q, unit), strict=True)]
                seeds += body.rotation_rates(unit) if turning else []
            start += len(body.v)
        return seeds

    def weigh(self, gravity: Any) -> None:
        """Add the weight of all bodies."""
        start = 0
        for body in self.bodies:
            for k, weight in enumerate(body.weight(gravity)):
                self.force[start + k] = self.force[start + k] + weight
            start += len(body.v)

    # what a tree does differently: some motions are known

    @property
    def free_force(self) -> list[Scalar]:
        """Generalised forces along the velocities, beside those of constraints."""
        return self.force

    def free(self, row: Row) -> Row:
        """A row without the motions that are known in time."""
        return row

    def known(self, row: Row) -> Scalar:
        """What the known accelerations add to a row's second derivative."""
        return self.graph.zero

    def following(self, state: int) -> list[tuple[Scalar, Number]]:
        """Symbols beside the state itself that stand for a state, and their slopes by it."""
        return []

    def mass(self) -> Diagonal | Symmetric:
        if not any(isinstance(body, ModalBody) for body in self.bodies):
            return Diagonal([self.graph.scalar(x) for body in self.bodies for x in body.inverse_mass])
        entries: dict[tuple[int, int], Scalar] = {}
        start = 0
        for body in self.bodies:
            for i in range(len(body.v)):
                if isinstance(body, ModalBody):
                    entries |= {(start + i, start + j): body.inertia_entry(i, j) for j in range(i + 1)}
                else:
                    entries[start + i, start + i] = self.graph.scalar(1.0 / body.inverse_mass[i])
            start += len(body.v)
        return Symmetric(self.graph, len(self.v), lambda i, j: entries.get((i, j), self.graph.zero))

    def drive_forces(self, accelerations: Sequence[Scalar], rows: Sequence[Row],
                     multipliers: Sequence[Scalar]) -> dict[str, Scalar]:  # fmt: skip
        """Forces of drives that are no rows, by joint."""
        return {}

    def constrain(self, owner: str, rows: dict[str, Number], *, drive: bool = False) -> None:
        for label, value in rows.items():
            self.constraints.append(Constraint(owner, label, self.graph.scalar(value), drive))

    def measured(self, constraints: Sequence[Constraint] | None = None) -> list[Scalar]:
        """The constraints, their rates, and their Jacobian by rows; or those of others."""
        values = [c.value for c in (self.constraints if constraints is None else constraints)]
        gradients = [self.gradient(value) for value in values]
        entries = [row.get(k, self.graph.zero) for row in gradients for k in range(len(self.v))]
        return [*values, *(self.ddt(value) for value in values), *entries]

    def gradient(self, value: Number) -> Row:
        """Derivative of a position formula with respect to each velocity direction."""
        return self._row("gradient", self._along, value)

    def _row(self, name: str, directions: Sequence[Direction], value: Number) -> Row:
        """Derivatives along several directions, those that are not zero."""

        def make() -> Row:
            slopes = {k: directions[k](value) for k in self._reached(value)}
            return {k: x for k, x in slopes.items() if x is not self.graph.zero}

        row: Row = self.graph.whole(name, (value,), make)
        return dict(row)

    def _reached(self, value: Number) -> Sequence[int]:
        """Velocities of the bodies whose coordinates a formula reads: of many bodies it sees only a few."""
        read = value.inputs() if isinstance(value, Scalar) else set()
        velocities: list[int] = []
        start = 0
        for body in self.bodies:
            if not read.isdisjoint(x.id for x in (*body.q, *body.v)):
                velocities += range(start, start + len(body.v))
            start += len(body.v)
        return velocities

    def velocity_gradient(self, velocity: Number) -> Row:
        """Derivative of a formula linear in the velocities."""
        return self._row("velocity_gradient", self._with_velocity, velocity)

    def follow(self, searches: Sequence[tuple[Number, Number]]) -> None:
        """Let `ddt` know the rates of what searches have found. Each is given with the formula g(x) that it makes zero
        at all times: x' = -(rate of g with x held) / (dg/dx). Where x is not defined, as for a centred journal, the
        rate is large but a number."""
        rates = []
        for x, g in searches:
            steep = Direction(self.graph, [(x, 1.0)])(g)
            rates.append((x, self.ddt(g) * steep / (steep * steep + TINY_SQUARE**0.25)))
        for x, rate in rates:
            self.ddt.seed(x, -rate)

    def apply(self, magnitude: Number, row: Row) -> Row:
        """Add the generalised force of `magnitude` along a gradient, and give that force."""
        force = {k: magnitude * x for k, x in row.items()}
        for k, x in force.items():
            self.force[k] = self.force[k] + x
        return force

    def solve(self, redundant: Sequence[int] = (), baumgarte: tuple[float, float] | None = None, *,
              hold: bool = False) -> Solution:  # fmt: skip
        """Accelerations and multipliers. `redundant`: rows that follow from others; `hold` them with the others, else
        they are left out, and their multipliers are zero."""
        every = range(len(self.constraints))
        held = every if hold else [r for r in every if r not in set(redundant)]
        jacobian = {r: self.gradient(self.constraints[r].value) for r in held}
        # rotors are rows behind those of the constraints, soft by their inertia, and nothing is ever off them
        rotors = dict(enumerate(self.rotors, len(self.constraints)))
        jacobian |= {r: rotor.row for r, rotor in rotors.items()}
        every_row, mass = list(jacobian), self.mass()
        free = [self.free(jacobian[r]) for r in every_row]
        order = [every_row[k] for k in elimination_order(self.graph, free, search=isinstance(mass, Diagonal))]
        rows = [jacobian[r] for r in order]
        softness = [1.0 / rotors[r].inertia if r in rotors else self.graph.zero for r in order]
        schur = Schur(self.graph, [self.free(row) for row in rows], mass, len(self.v), softness,
                      redundant=hold and bool(redundant))  # fmt: skip
        values = [self.graph.zero if r in rotors else self.constraints[r].value for r in order]
        right = [rotors[r].right if r in rotors else -self.ddt(self.ddt(x)) for r, x in zip(order, values, strict=True)]
        right = [x - self.known(row) for x, row in zip(right, rows, strict=True)]
        if baumgarte is not None:
            alpha, beta = baumgarte
            right = [g - 2.0 * alpha * self.ddt(x) - beta * beta * x for g, x in zip(right, values, strict=True)]
        accelerations, multipliers = schur.respond(self.free_force, right)
        by_row = dict(zip(order, multipliers, strict=True))
        of_all = [by_row.get(r, self.graph.zero) for r in every]
        drives = self.drive_forces(accelerations, rows, multipliers)
        stresses = self_stresses(self, schur, order, redundant)
        return Solution(self, schur, order, values, right, multipliers, accelerations, of_all, drives, stresses)


@dataclass(frozen=True)
class SelfStress:
    """Multipliers of every constraint, of forces that balance each other on every body."""

    multipliers: list[Scalar]

    def carried(self, joint: Any, point: Any) -> list[Any] | None:
        """What a joint without rows carries of it; the solution of such equations knows."""
        return None


def self_stresses(equations: Equations, schur: Schur, order: Sequence[int],
                  redundant: Sequence[int]) -> list[SelfStress]:  # fmt: skip
    """One self-stress for each redundant row r: J_r = Σ c_k J_k with S c = J M⁻¹ J_rᵀ, whatever the mass is, S being
    the `schur` of the rows k, which are the constraints `order`, r among them or not. Drives take no part: none of them
    is redundant."""
    graph, constraints, stresses = equations.graph, equations.constraints, []
    for r in redundant:
        row = equations.free(equations.gradient(constraints[r].value))
        shares = schur.solve(schur.weighted_product([row.get(k, graph.zero) for k in range(schur.count)]))
        multipliers = [graph.zero] * len(constraints)
        multipliers[r] = graph.one
        for k, share in zip(order, shares, strict=True):
            if k < len(constraints) and not constraints[k].drive:
                multipliers[k] = multipliers[k] - share
        stresses.append(SelfStress(multipliers))
    return stresses


@dataclass(frozen=True)
class Solution:
    equations: Equations
    schur: Schur
    order: list[int]  # places of the rows among the constraints and behind them the rotors, as eliminated
    values: list[Scalar]  # the rows, in elimination order; zero for a rotor
    right: list[Scalar]  # what their second derivatives leave on the right, feedback included
    kept_multipliers: list[Scalar]
    accelerations: list[Scalar]
    multipliers: list[Scalar]  # of every constraint, in the order they were added
    drives: dict[str, Scalar] = field(default_factory=dict)  # forces of drives that are no rows, by joint
    stresses: Sequence[SelfStress] = ()  # one for each redundant row

    def carried(self, joint: Any, point: Any) -> list[Any] | None:
        """Force and moment on a joint's journal about a point, where the joint has no rows to tell; else None."""
        return None

    def projection(self) -> list[Scalar]:
        """Corrections that bring coordinates and velocities back onto the constraints (one Newton step each,
        weighted by the masses, with the factors of the same matrix), followed by the residuals of both levels."""
        return self.corrections(self.shifts())

    def shifts(self) -> list[list[Scalar]]:
        """The corrections of positions, in directions of velocity, and of velocities."""
        corrections = []
        for residual in (self.values, self._speeds()):
            impulse = self.schur.transposed(self.schur.solve([-x for x in residual]))
            corrections.append(self.schur.mass.solve(impulse))
        return corrections

    def corrections(self, shifts: list[list[Scalar]]) -> list[Scalar]:
        """Shifts in terms of coordinates and velocities, followed by the residuals of both levels."""
        position: list[Scalar] = []
        start = 0
        for body in self.equations.bodies:
            rates = body.rates(body.q, shifts[0][start : start + len(body.v)])
            position += shift(body, rates)
            start += len(body.v)
        return [*position, *shifts[1], *self.values, *self._speeds()]

    def _speeds(self) -> list[Scalar]:
        return [self.equations.ddt(value) for value in self.values]


def shift(body: Any, rates: Sequence[Scalar]) -> list[Scalar]:
    """Change of a body's coordinates by a correction, back onto what they must keep (Euler parameters: length 1).
    Where nothing has to be kept the change is the correction itself, not a difference of large numbers."""
    moved = [x + rate for x, rate in zip(body.q, rates, strict=True)]
    kept = body.unit(moved)
    return [rate if new is old else new - x for x, rate, old, new in zip(body.q, rates, moved, kept, strict=True)]
