"""Equations of motion in the coordinates of joints.

With speeds u, those of drives among them, the velocity of every body is linear in u (partial velocities, Kane), and

    M u' = Q,    M = sum over bodies of m V V + W J W,    Q = forces - what the motion asks for while u is held.

Speeds of drives and their rates are known: they go to the right-hand side, and their rows give the forces of the
drives. Coordinates and speeds of drives are inputs of their own while the equations are built, and become functions of
time at the end: two drives may move alike, and yet each has a direction of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.solve.elimination import Row, Symmetric
from gudgeon.assemble.solve.equations import Equations
from gudgeon.assemble.tree.tree import Link
from gudgeon.compile.graph import Direction, Graph, Scalar
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.space.spatial.geometry.rotation import parameter_rates, unit_parameters

DRIVEN = "driven"  # the array of inputs that stand for drives: coordinate, speed and acceleration of each


@dataclass
class LinkStates:
    """The states of a link, as the equations ask for them."""

    link: Link

    @property
    def q(self) -> tuple[Any, ...]:
        return self.link.q

    @property
    def v(self) -> tuple[Any, ...]:
        return self.link.v

    @property
    def units(self) -> tuple[str, ...]:
        return self.link.units

    @property
    def velocity_units(self) -> tuple[str, ...]:
        return self.link.velocity_units

    def rates(self, q: Sequence[Any], v: Sequence[Any]) -> tuple[Any, ...]:
        if not self.link.turns_freely:
            return tuple(v)
        return (*v[:-3], *parameter_rates(q[-4:], v[-3:]))

    def unit(self, q: Sequence[Any]) -> tuple[Any, ...]:
        """Coordinates with Euler parameters of length 1."""
        return (*q[:-4], *unit_parameters(q[-4:])) if self.link.turns_freely else tuple(q)


class TreeEquations(Equations):
    """The equations of a tree. Columns of rows are the speeds that are states, then those of drives."""

    def __init__(self, graph: Graph, time: Scalar, blocks: Sequence[LinkStates], branches: dict[str, Any],
                 arms: dict[str, list[Any]], drives: Sequence[str]) -> None:  # fmt: skip
        """`branches` are the bodies, `arms` vectors fixed in them, `drives` the joints whose motion is known."""
        self.branches, self._arms, self.drives = branches, arms, list(drives)
        self.known_motions = [graph.inputs(DRIVEN, 3, 3 * k) for k in range(len(drives))]
        self.gravity: Any = None
        self.followed: dict[int, str] = {}  # states that are the motion of a drive
        self._entries: dict[tuple[int, int], Scalar] = {}
        self._pulls: list[Scalar] | None = None
        super().__init__(graph, time, blocks)

    def _prepare(self) -> None:
        self.force = [self.graph.zero] * (len(self.v) + len(self.drives))
        symbols = (*self.q, *self.v, *self.rates, *(x for known in self.known_motions for x in known))
        made: tuple[Direction, list[Direction], list[Direction]]
        made = self.graph.whole("directions", symbols, self._directions)
        self.ddt, self._along, self._with_velocity = made

    def _directions(self) -> tuple[Direction, list[Direction], list[Direction]]:
        graph, zero = self.graph, self.graph.zero
        self._with_velocity = [Direction(graph, [(v, 1.0)]) for v in (*self.v, *(x[1] for x in self.known_motions))]
        moving = [(x, speed) for x, speed, _ in self.known_motions]
        spins = {name: branch.spins() for name, branch in self.branches.items()}
        turning = [pair for name, branch in self.branches.items() for pair in self._hints(branch, name, spins[name])]
        ddt = Direction(graph, [(self.time, 1.0), *zip(self.q, self.rates, strict=True), *moving, *turning])
        slopes = {name: [self.velocity_gradient(x) for x in spin] for name, spin in spins.items()}
        along = []
        for k in range(len(self.force)):
            driven = k - len(self.v)
            seeds = self._unit_seeds(k, turning=False) if driven < 0 else [(self.known_motions[driven][0], 1.0)]
            for name, branch in self.branches.items():
                spin = [row.get(k, zero) for row in slopes[name]]
                seeds += self._hints(branch, name, spin)
            along.append(Direction(graph, seeds))
        return ddt, along, self._with_velocity

    def _reached(self, value: Any) -> Sequence[int]:
        """All speeds, those of drives too: few of them, and a body reads what all that carry it read."""
        return range(len(self.force))

    def _hints(self, branch: Any, name: str, spin: Sequence[Any]) -> list[tuple[Any, Any]]:
        hints = branch.hints(self._arms.get(name, []), *spin)
        return [(node, rate) for node, rate in hints if isinstance(node, Scalar)]

    def weigh(self, gravity: Any) -> None:
        self.gravity = gravity

    def following(self, state: int) -> list[tuple[Scalar, Any]]:
        name = self.followed.get(state)
        return [] if name is None else [(self.known_motions[self.drives.index(name)][0], 1.0)]

    def _shares(self) -> list[Any]:
        return [branch.inertia_of(self.velocity_gradient, self.gravity) for branch in self.branches.values()]

    def _entry(self, k: int, l: int) -> Scalar:
        """Of the mass matrix of all speeds, k at least l."""
        if (k, l) not in self._entries:
            total = self.graph.zero
            for share, columns in self._inertias:
                if k in columns and l in columns:
                    total = total + share.product(k, l)
            self._entries[k, l] = self.graph.scalar(total)
        return self._entries[k, l]

    def mass(self) -> Symmetric:
        return Symmetric(self.graph, len(self.v), self._entry)

    @property
    def free_force(self) -> list[Scalar]:
        return self._balance()[: len(self.v)]

    def _balance(self) -> list[Scalar]:
        """Forces along all speeds less what the motion asks for, the accelerations of drives included."""
        if self._pulls is None:
            self._pulls = []
            for k, force in enumerate(self.force):
                total = force
                for share, columns in self._inertias:
                    if k in columns:
                        total = total - share.pull(k)
                self._pulls.append(total - self._by_drives(k))
        return self._pulls

    def _by_drives(self, k: int) -> Scalar:
        total = self.graph.zero
        for d, (*_, acceleration) in enumerate(self.known_motions, len(self.v)):
            if acceleration is not self.graph.zero:
                total = total + self._entry(max(k, d), min(k, d)) * acceleration
        return total

    def free(self, row: Row) -> Row:
        return {k: x for k, x in row.items() if k < len(self.v)}

    def known(self, row: Row) -> Scalar:
        total = self.graph.zero
        for d, (*_, acceleration) in enumerate(self.known_motions, len(self.v)):
            if d in row:
                total = total + row[d] * acceleration
        return total

    def solve(self, redundant: Sequence[int] = (), baumgarte: tuple[float, float] | None = None, *,
              hold: bool = False) -> Any:  # fmt: skip
        self._inertias = [(share, set(share.columns())) for share in self._shares()]
        return super().solve(redundant, baumgarte, hold=hold)

    def drive_forces(self, accelerations: Sequence[Scalar], rows: Sequence[Row],
                     multipliers: Sequence[Scalar]) -> dict[str, Scalar]:  # fmt: skip
        forces, balance = {}, self._balance()
        for d, name in enumerate(self.drives, len(self.v)):
            total = -balance[d]
            for k, x in enumerate(accelerations):
                total = total + self._entry(d, k) * x
            for row, multiplier in zip(rows, multipliers, strict=True):
                if d in row:
                    total = total - row[d] * multiplier
            forces[name] = total
        return forces


def in_time(trace: Any, functions: dict[str, Sequence[Scalar]]) -> dict[str, Sequence[Scalar]]:
    """Functions of a trace with the motions of drives as functions of time."""
    equations, inputs = trace.equations, {}
    if not isinstance(equations, TreeEquations):
        return functions
    for k, name in enumerate(equations.drives):
        motion = trace.motions[name]
        speed = equations.ddt(motion)
        for n, x in enumerate((motion, speed, equations.ddt(speed))):
            inputs[DRIVEN, 3 * k + n] = x
    if not inputs:
        return functions
    over = Transfer(trace.graph, inputs)
    return {name: [over(x) for x in nodes] for name, nodes in functions.items()}
