"""A mechanism's equations in residual form, for implicit methods: residuals and their tangent instead of accelerations.

Accelerations a and multipliers λ of the constraints φ = 0 are states in y beside positions and velocities, so that
channels need nothing else. With γ = -(φ'' without J a), and internal states x with their rates g,

    r = M a - F(t, q, v, x) - Jᵀ λ = 0          J a - γ(t, q, v) = 0          x' - g(t, q, v, x) = 0

Function "residual" gives the left sides of the first two and g itself, function "tangent" how all three change with the
unknowns (a, λ, x') when a unit of a_j brings c_a to the acceleration, c_v to the velocity and c_q to the position, and
a unit of x'_k brings c_a to the rate and c_v to the state:

            of a                                     of λ     of x'
    r       S = c_a ∂r/∂a + c_v ∂r/∂v + c_q ∂r/∂q    -Jᵀ      -c_v ∂F/∂x
    J a - γ J                                         0        0
    x' - g  -(c_v ∂g/∂v + c_q ∂g/∂q)                  0        c_a - c_v ∂g/∂x

A step has (1, γ h, β h²) with the γ and β of Newmark, statics (0, 0, 1), the mass matrix (1, 0, 0): one function for
all. The factors are the last states of y, set by the method. Rows of the constraints change by J alone: what else there
is goes with the square of the step, and the iteration makes it good.

The row of a hard wall is masked (contact/multipliers.py): with the mask 1 it is a constraint like others; with 0 its
equation is λ = 0 and its force is left out. Under a law of friction the force F depends on λ, too, and so may g.

Elements of beams are run in loops, everything else is straight-line code; the pattern of non-zero entries, their order
of elimination and the places of the factors are found here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.assemble.contact.contacts import bristle_names
from gudgeon.assemble.contact.joint_friction import loads_of, put_friction
from gudgeon.assemble.contact.multipliers import MultiplierWalls, hard_contacts
from gudgeon.assemble.flexible.modal import ModalBody
from gudgeon.assemble.flexible.planar_beam import ENERGIES, FACTORS
from gudgeon.assemble.solve.elimination import Diagonal, Schur
from gudgeon.assemble.solve.equations import Equations, SelfStress, self_stresses
from gudgeon.assemble.solve.ordering import Plan, plan
from gudgeon.assemble.solve.row_order import elimination_order
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Direction, Module, Scalar, llvm
from gudgeon.compile.graph.loop import Loop, Step, clear, link
from gudgeon.compile.graph.module import PREPARE

Entries = dict[tuple[int, int], Scalar]
# functions of assemble.residual.step
STEPS = ("conservative", "conservative_tangent", "dissipative", "dissipative_tangent", "inertia", "inertia_tangent")


@dataclass(frozen=True)
class BodyPlaces:
    """Where the coordinates in y, and the velocities among the velocities, of something that moves begin: a body, a
    node of a beam, a sliding joint. A step is added to its coordinates, one velocity to each; with Euler parameters the
    last four coordinates are turned by the last three velocities."""

    position: int
    velocity: int
    velocities: int
    euler_parameters: bool


def body_places(trace: Trace) -> tuple[BodyPlaces, ...]:
    """Places of everything that moves, in the order of the states."""
    places, position, velocity = [], 0, 0
    for body in trace.moving:
        places.append(BodyPlaces(position, velocity, len(body.v), "e0" in body.coordinates))
        position, velocity = position + len(body.q), velocity + len(body.v)
    return tuple(places)


@dataclass(frozen=True)
class ResidualLayout:
    """Numbers of states, and where in y what an implicit method sets begins."""

    positions: int
    velocities: int
    rows: int  # of constraints that are not redundant, and of hard walls
    internal: int
    accelerations: int  # where they begin in y
    multipliers: int  # likewise, one per row
    factors: int  # likewise: c_a, c_v, c_q
    walls: int = 0  # rows of hard walls, the last ones
    weightless: int = 0  # velocities without inertia, the last ones
    bodies: tuple[BodyPlaces, ...] = ()

    @property
    def size(self) -> int:
        """Unknowns: accelerations, multipliers, rates of internal states."""
        return self.velocities + self.rows + self.internal


class ResidualForm:
    """The equations of a trace with accelerations and multipliers as states."""

    def __init__(self, trace: Trace, redundant: tuple[int, ...]) -> None:
        self.equations: Equations = trace.equations
        constraints = self.equations.constraints
        self.redundant = redundant
        self.kept = [r for r in range(len(constraints)) if r not in set(redundant)]
        self.values = [constraints[r].value for r in self.kept]
        self.rows = [self.equations.gradient(value) for value in self.values]
        # internal states first, bristles of hard walls among them, then what the method solves for
        hard = hard_contacts(trace)
        rubbing = [c for c in hard if c.friction_law is not None]
        states = trace.states
        bristles = {c.name: states.reserve(bristle_names(c, c.friction_law)) for c in rubbing}
        internal = len(states.names)
        accelerations = states.reserve_constants(f"acceleration.{k}" for k in range(len(self.equations.v)))
        of_kept = states.reserve_constants(f"multiplier.{constraints[r].name}" for r in self.kept)
        of_walls = states.reserve_constants(f"multiplier.{c.name}" for c in hard)
        factors = states.reserve_constants(f"factor.{k}" for k in range(FACTORS))
        walls = self.walls = MultiplierWalls(trace, bristles, of_walls)
        self.trace = walls.trace
        self.accelerations = states.symbols(accelerations)
        kept = dict(zip(self.kept, states.symbols(of_kept), strict=True))
        self.factors = states.symbols(factors)
        self.multipliers = [kept.get(r, trace.graph.zero) for r in range(len(constraints))]
        self.kept_multipliers = [*kept.values(), *walls.multipliers]
        self.masks = [*[trace.graph.one] * len(self.kept), *walls.masks]
        self.values += walls.openings
        self.rows += [self.equations.gradient(value) for value in walls.openings]
        if trace.sliding:
            self.trace = put_friction(self.trace, loads_of(self.trace, self))
        start = trace.states.positions + trace.states.velocities + internal
        after, rows = start + len(self.accelerations), len(self.values)
        self.layout = ResidualLayout(trace.states.positions, trace.states.velocities, rows, internal, start, after,
                             after + rows, len(walls.masks),
                             sum(len(runner.v) for runner in trace.runners.values()), body_places(trace))  # fmt: skip

    @property
    def drives(self) -> dict[str, Scalar]:
        """Forces of drives that are no constraints; none, since here all drives are constraints."""
        return {}

    def carried(self, joint: Any, point: Any) -> None:
        """Force and moment in a joint that is no constraint; None, since here all ideal joints are constraints."""

    @property
    def stresses(self) -> list[SelfStress]:
        """One self-stress for each redundant row; the mass matters not, so that each velocity has 1."""
        if not self.redundant:
            return []
        graph, count = self.trace.graph, len(self.equations.v)
        rows = self.rows[: len(self.kept)]
        order = elimination_order(graph, rows, search=False)
        schur = Schur(graph, [rows[k] for k in order], Diagonal([graph.one] * count), count)
        return self_stresses(self.equations, schur, [self.kept[k] for k in order], self.redundant)

    # -- straight-line parts --------------------------------------------------------------------------------

    def balance(self) -> list[Scalar]:
        """r = M a - F - Jᵀ λ, the elements of beams aside. The mass is diagonal but for links with modes, and for
        rotors of motors: with the inertia I and the row j of their speed they add I jᵀ (j a - right)."""
        graph = self.trace.graph
        total = [-x for x in self.equations.force]
        k = 0  # the first velocity of the body
        for body in self.trace.moving:
            for i, inverse in enumerate(body.inverse_mass):
                total[k + i] = total[k + i] + self.accelerations[k + i] / inverse
            if isinstance(body, ModalBody):
                for i in range(len(body.v)):
                    for j in range(len(body.v)):
                        entry = body.inertia_entry(max(i, j), min(i, j))
                        total[k + i] = total[k + i] + entry * self.accelerations[k + j]
            k += len(body.v)
        for row, multiplier, mask in zip(self.rows, self.kept_multipliers, self.masks, strict=True):
            for i, x in row.items():
                total[i] = total[i] - mask * (x * multiplier)
        for rotor in self.equations.rotors:
            torque = rotor.inertia * (sum((x * self.accelerations[i] for i, x in rotor.row.items()), -rotor.right))
            for i, x in rotor.row.items():
                total[i] = total[i] + x * torque
        return [graph.scalar(x) for x in total]

    def closures(self) -> list[Scalar]:
        """J a - γ: the second derivative of the constraints, as `ddt` twice has it without accelerations, with J a."""
        row_accelerations = []
        for value, row in zip(self.values, self.rows, strict=True):
            total = self.equations.ddt(self.equations.ddt(value))
            for i, x in row.items():
                total = total + x * self.accelerations[i]
            row_accelerations.append(total)
        return self.masked(row_accelerations)

    def masked(self, values: Sequence[Scalar]) -> list[Scalar]:
        """Rows of hard walls where the mask is 1, else their multipliers, which are zero then."""
        rows = zip(values, self.masks, self.kept_multipliers, strict=True)
        return [mask * x + (1.0 - mask) * multiplier for x, mask, multiplier in rows]

    def drifts(self) -> list[Scalar]:
        """What the function "project" of other forms gives, residuals of positions and velocities; corrections, which
        come first there, are zero: the methods make them with their own matrix."""
        no_corrections = [self.trace.graph.zero] * (self.layout.positions + self.layout.velocities)
        values = [*self.values, *(self.equations.ddt(value) for value in self.values)]
        return [*no_corrections, *(mask * x for mask, x in zip((*self.masks, *self.masks), values, strict=True))]

    def internal_rates(self) -> list[Scalar]:
        return self.trace.states.rates[: self.layout.internal]

    def tangent(self) -> Entries:
        """Entries of the tangent that are not zero, elements of beams aside; see the module."""
        graph, layout = self.trace.graph, self.layout
        balance, internal = self.balance(), self.internal_rates()
        entries: Entries = {}
        read_by = [self._reads(x) for x in balance], [self._reads(x) for x in internal]
        c_a, c_v, c_q = self.factors
        first = layout.velocities + layout.rows  # row and column of the first internal state ...
        first_state = layout.positions + layout.velocities  # ... and its place in y
        # columns of accelerations: only formulas that read a_j, v_j or a coordinate that v_j moves can change
        for j in range(layout.velocities):
            places = [graph.input("y", layout.accelerations + j), graph.input("y", layout.positions + j)]
            motion = self.equations.unit_seeds(j)
            varied = {x.data[1] for x in (*places, *(x for x, _ in motion)) if x.op == "input"}
            moved = [[k for k, read in enumerate(group) if not read.isdisjoint(varied)] for group in read_by]
            if not any(moved):
                continue
            seeds = [*zip(places, (c_a, c_v), strict=True), *((x, c_q * rate) for x, rate in motion)]
            along = Direction(graph, seeds)
            entries.update({(i, j): x for i in moved[0] if (x := along(balance[i])) is not graph.zero})
            entries.update({(first + i, j): -x for i in moved[1] if (x := along(internal[i])) is not graph.zero})
        # J and -Jᵀ, and 1 for the multiplier of a wall that is not held
        for k, (row, mask) in enumerate(zip(self.rows, self.masks, strict=True)):
            place = layout.velocities + k
            for i, x in row.items():
                entries[i, place] = -mask * x
                entries[place, i] = mask * x
            if mask is not graph.one:
                entries[place, place] = 1.0 - mask
        # columns of multipliers that friction depends on: the whole derivative, -Jᵀ included
        for k in self.rubbing:
            along = Direction(graph, [(self.kept_multipliers[k], graph.one)])
            place = layout.velocities + k
            self._column(entries, place, [along(x) for x in balance], [-along(x) for x in internal], first)
        for k in range(layout.internal):
            along = Direction(graph, [(graph.input("y", first_state + k), c_v)])
            self._column(entries, first + k, [along(x) for x in balance], [-along(x) for x in internal], first)
            entries[first + k, first + k] = entries.get((first + k, first + k), graph.zero) + c_a
        return entries

    @property
    def rubbing(self) -> list[int]:
        """Rows whose multipliers friction depends on: those of ideal joints and of hard walls that have some."""
        joints = {friction.joint for friction in self.trace.frictions}
        constraints = [self.trace.equations.constraints[r] for r in self.kept]
        own = [k for k, constraint in enumerate(constraints) if constraint.owner in joints and not constraint.drive]
        return [*own, *(len(self.kept) + k for k in self.walls.rubbing)]

    def _reads(self, x: Scalar) -> set[int]:
        """Places in y that a formula reads."""
        nodes = (self.trace.graph.nodes[k] for k in x.inputs())
        return {node.data[1] for node in nodes if node.data[0] == "y"}

    def _column(self, entries: Entries, j: int, balance: list[Scalar], internal: list[Scalar], first: int) -> None:
        """Set column j: changes of the balance, and from row `first` on those of the internal states."""
        zero = self.trace.graph.zero
        entries.update({(i, j): x for i, x in enumerate(balance) if x is not zero})
        entries.update({(first + i, j): x for i, x in enumerate(internal) if x is not zero})


@dataclass(frozen=True)
class CompiledResidual:
    """Machine code of the equations in residual form, and the plan of their matrix."""

    addresses: dict[str, int]
    p: np.ndarray
    layout: ResidualLayout
    plan: Plan
    operations: dict[str, int]
    keep: Any
    longer: int = 0  # length of y for functions of steps (assemble.residual.step)
    places: list[list[int]] = field(default_factory=list)  # of the rows of hard walls, see contact.multipliers
    rubs: bool = False  # hard walls or ideal joints have friction


def compiled(form: ResidualForm, functions: dict[str, list[Scalar]], steps: Any = None) -> CompiledResidual:
    """Compile `functions` with the residual and the tangent of the equations, and with those of `steps`
    (assemble.residual.step.forces.Formulas)."""
    trace, layout = form.trace, form.layout
    tangents: dict[str, Entries] = {"tangent": form.tangent(), **(steps.changes if steps else {})}
    entries = dict.fromkeys(pair for matrix in tangents.values() for pair in matrix)
    beams = list(trace.beams.values())
    for beam in beams:
        entries |= dict.fromkeys((int(i), int(j)) for row in beam.velocities for i in row for j in row)
    index = {pair: k for k, pair in enumerate(entries)}
    zero = trace.graph.zero
    every: dict[str, Sequence[Scalar]] = {
        **functions,
        "residual": [*form.balance(), *form.closures(), *form.internal_rates()],
        **(steps.values if steps else {}),
        **{name: [matrix.get(pair, zero) for pair in entries] for name, matrix in tangents.items()},
    }
    module = Module(trace.graph, every, len(trace.parameters))
    loops: list[tuple[Loop, dict[str, str]]] = []
    end, work = len(trace.parameters) + module.prepared, ENERGIES
    for beam in beams:
        own, work = beam.loops(layout, index, end, work)
        loops, end = loops + own, end + sum(loop.derived for loop, _ in own)
        if steps:
            own, work = steps.loops(beam, index, end, work)
            loops, end = loops + own, end + sum(loop.derived for loop, _ in own)
    straight = llvm.compile_module(module, workspace=end)
    programs, sizes = _programs(loops, straight), {name: f.size for name, f in module.functions.items()}
    linked = link(programs, workspace=end)
    p = np.zeros(end + work)
    p[: len(trace.parameters)] = trace.parameters.values
    for beam in beams:
        for name in ("residual", "tangent"):
            every_part = [kernel.module.functions for kernel in beam.kernels()]
            operations = sum(functions[name].size for functions in every_part if name in functions)
            sizes[f"{name} of an element of {beam.beam.name}"] = operations
    of_rows = range(layout.velocities, layout.velocities + layout.rows)
    weightless = range(layout.velocities - layout.weightless, layout.velocities)
    elimination = plan(layout.size, entries, of_rows, weightless)
    longer = steps.longer if steps else 0
    return CompiledResidual({**straight, **linked.addresses}, p, layout, elimination, sizes, linked, longer,
                            form.walls.places, bool(form.rubbing))  # fmt: skip


def _programs(loops: list[tuple[Loop, dict[str, str]]], straight: dict[str, int]) -> dict[str, list[Step | int]]:
    """What runs under each name: straight-line code, then elements that add to its results; energies come first where
    they are read."""
    added = {name: [loop.step(part[name]) for loop, part in loops if name in part]
             for name in ("residual", "tangent", *STEPS) if name in straight}  # fmt: skip
    programs: dict[str, list[Step | int]] = {name: [straight[name], *steps] for name, steps in added.items()}
    if loops:
        energies = [loop.step(part["energies"]) for loop, part in loops if "energies" in part]
        for name in ("rhs", "channels", "dissipative"):
            if name in straight:
                programs[name] = [clear(0, ENERGIES), *energies, *programs.get(name, [straight[name]])]
    programs["prepare_elements"] = [loop.step(PREPARE) for loop, _ in loops]
    return programs
