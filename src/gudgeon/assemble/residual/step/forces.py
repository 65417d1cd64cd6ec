"""A mechanism's equations over a step between two states, for methods with an energy statement.

A step from a to b has forces along secant slopes D (passes.secant; step.kinematics says how coordinates move): what
elastic parts do, F = S D e, and what the constraints do, D g λ, so that work is the change of the stored energy, and
that of constraints zero where they hold at both ends. Bauchau and Rodriguez 2002, Eqs (6) and (7), have this form for
the distance of two races. Function

    between         F - D g λ;  then the change of g over the step;  then the work of drives and contacts
    between_tangent its changes: c_b by the positions of b, c_a by those of a, 1 by λ
    losses          the other forces, at one position, velocity and internal state: dampers, friction, films, motors,
                    loads; then the rates of the internal states; then their work over the step ψ
    losses_tangent  its changes: c_b by the positions, c_u by the velocities, c_a by the internal states and by the
                    positions of a, which are those that films see

They read a longer y: behind the states (b; λ in the places of the multipliers) come the positions of a, the time of a,
the weight w of the end and the internal states of a: with w = 0 stresses are means over the step, with w = 1 those of
the end, which takes more than what is stored. (c_b, c_a, c_u) lie where the residual form has its factors.
At the end of y come the steps themselves, ψ, of time and of the internal states: the change of g is their product with
D. In steps so brief that g at both ends has the same digits, the difference of its values would be rounding alone. Last
is h/3 where the start of the step jumps, else 0: what products of jumps have in works (assemble.motors).

The mean force of a contact with the elastic law F(d), in r = sqrt(d), where Hertz's law is a polynomial:

    (V(d_b) - V(d_a)) / (d_b - d_a) = Integral over x in 0..1 of F(r^2) 2 r / (r_a + r_b),    r = r_a + x (r_b - r_a)

Four points of Gauss give it exactly for the exponents 1, 1.5, 2, 2.5 and 3; where one end is open, times the share of
the step that lies beyond the first touch. What a law has beyond its force at rate 0 is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.contact.contacts import Contact
from gudgeon.assemble.flexible.planar_beam import Flexible
from gudgeon.assemble.residual.form import Entries, ResidualForm
from gudgeon.assemble.residual.step import beam as beam_steps
from gudgeon.assemble.residual.step import spatial_beam as spatial_steps
from gudgeon.assemble.residual.step.kinematics import SpatialStepKinematics, StepKinematics
from gudgeon.assemble.residual.step.modal import ModalSteps
from gudgeon.assemble.solve.elimination import Row
from gudgeon.assemble.trace.motors import SUPPLIED, Passing
from gudgeon.compile.graph import Direction, Scalar
from gudgeon.compile.graph.passes.secant import Secant
from gudgeon.compile.graph.passes.transfer import Transfer
from gudgeon.compile.native.scalar import opaque
from gudgeon.space.flexible import GAUSS
from gudgeon.space.pieces import part

MORE = 2  # numbers behind the positions of a: time and weight


def root(depth: float) -> float:
    """Square root of a depth, 0 where there is none."""
    return math.sqrt(depth) if depth > 0.0 else 0.0


def _added(forces: list[Scalar], force: Scalar, slope: Row) -> list[Scalar]:
    """Generalised forces with one more along a slope."""
    return [x + force * slope[i] if i in slope else x for i, x in enumerate(forces)]


class Steps:
    """The functions of steps, from the equations in residual form; all states must have been added before."""

    def __init__(self, form: ResidualForm) -> None:
        self.form, self.trace, self.layout = form, form.trace, form.layout
        self.graph = graph = self.trace.graph
        states, nq = self.trace.states.total, self.layout.positions
        self.first = states  # place of the positions of a
        self.inner = range(nq + self.layout.velocities, nq + self.layout.velocities + self.layout.internal)
        earlier = graph.inputs("y", nq, states)
        self.time_before, self.weight = graph.inputs("y", MORE, states + nq)
        before = graph.inputs("y", self.layout.internal, states + nq + MORE)
        seeds = {("y", k): x for k, x in zip((*range(nq), *self.inner), (*earlier, *before), strict=True)}
        self.before = Transfer(graph, {**seeds, self.trace.time.data: self.time_before})
        kinematics = StepKinematics if self.trace.mechanism.planar else SpatialStepKinematics
        self.kinematics = kinematics(self.trace.equations, earlier)
        for name, runner in self.trace.runners.items():
            s, beam = runner.q[0], self.trace.beams[self.trace.mechanism.joints[name].bearing]
            along = self.kinematics.slopes[self.trace.first_velocity(runner)]
            for weight, slope in runner.over_step(self.before(s), beam):
                along.seed(weight, slope)
        for beam in self.trace.beams.values():
            for section in beam.sections():
                self.kinematics.section(*section)
        self.modal = ModalSteps(self.trace, self.kinematics, states + nq + MORE + self.layout.internal)
        self.stepped = states + nq + MORE + self.layout.internal + self.modal.length
        self.turned = graph.inputs("y", self.layout.velocities, self.stepped)
        *lengths, share = graph.inputs("y", 2 + self.layout.internal, self.stepped + self.layout.velocities)
        own = [graph.input("y", k) for k in self.inner]
        self.passing = list(zip((self.trace.time, *own), lengths, strict=True))
        self.stepping = Transfer(graph, {("y", nq + k): x for k, x in enumerate(self.turned)})
        self.stage = Passing(lengths[0], share, self.before, self.stepping, self._passed)
        # forces but those of contacts with a search, and these with their slopes, which count as held in the matrix:
        # their changes are many operations, and small where depths are small against the gap
        self.smooth: list[Scalar] = []
        self.searched: list[tuple[Scalar, Row]] = []
        # with a force law: bushings have one even where walls are hard
        self.contacts = [(k, c) for k, c in enumerate(self.trace.contacts) if c.call is not None]
        self.c_b, self.c_a, self.c_u = form.factors

    # -- forces along secant slopes ---------------------------------------------------------------------------

    def _stress(self, mean: Scalar, end: Scalar) -> Scalar:
        return mean + self.weight * (end - mean)

    def _elastic(self, contact: Contact, depth: Scalar, guard: Scalar | None = None) -> Scalar:
        """Force of a contact at this depth without any rate."""
        function, block, count = contact.call.data
        guards = (*contact.call.args[: count - 1], depth if guard is None else guard) if count else ()
        arguments = (depth, 0.0) if contact.kind == "liner" else (depth, 0.0, 1.0)
        force = self.graph.call(function, arguments, block=block, guards=guards)
        return force if contact.share == 1.0 else force * contact.share

    def _contact(self, contact: Contact) -> Scalar:
        """Mean force of a contact over the step."""
        graph, depths = self.graph, (self.before(contact.depth), contact.depth)
        ends = [graph.call(opaque(root, 1, block=False), (x,)) for x in depths]
        total = graph.zero
        for x, weight in GAUSS[4]:
            r = (1.0 - x) * ends[0] + x * ends[1]
            total = total + weight * r * self._elastic(contact, r * r, r)
        touching = graph.call(opaque(part, 4, block=False), (*depths, graph.zero, graph.scalar(math.inf)))
        mean = 2.0 * total / (ends[0] + ends[1] + 1e-150) * touching
        return self._stress(mean, self._elastic(contact, contact.depth))

    def conservative(self) -> list[Scalar]:
        """Forces, constraints at b, and the work of each integral; elements of beams aside."""
        forces, work = [self.graph.zero] * self.layout.velocities, self._work()
        for stiffness, stretch, preload in self.trace.loads.springs:
            mean = 0.5 * (stretch + self.before(stretch))
            force = stiffness * self._stress(mean, stretch) + preload
            for i, x in self.kinematics.slope(stretch).items():
                forces[i] = forces[i] + force * x
        for block in self.trace.blocks:
            felt = [self._stress(0.5 * (x + self.before(x)), x) for x in block.motions]
            for force, x in zip(block.pull(felt), block.motions, strict=True):
                forces = _added(forces, force, self.kinematics.slope(x))
        for k, contact in self.contacts:
            force, slope = self._contact(contact), self.kinematics.slope(contact.depth)
            if contact.touch is not None and contact.touch.held is not None:
                self.searched.append((force, slope))
            else:
                forces = _added(forces, force, slope)
            work[f"absorbed.{k}"] = force * (contact.depth - self.before(contact.depth))
        self.modal.stored(forces, lambda x: self._stress(0.5 * (x + self.before(x)), x))
        rows = zip(self.form.values, self.form.kept_multipliers, self.form.masks, strict=True)
        for value, multiplier, mask in rows:
            for i, x in self.kinematics.slope(value).items():
                forces[i] = forces[i] - mask * (multiplier * x)
        self.smooth = forces
        for force, slope in self.searched:
            forces = _added(forces, force, slope)
        rows = zip(self.form.values, self.form.kept_multipliers, self.form.masks, strict=True)
        changes = [mask * self._change(value) + (1.0 - mask) * (1.0 - self.weight) * multiplier
                   for value, multiplier, mask in rows]  # fmt: skip
        return [*forces, *changes, *work.values()]

    def _change(self, value: Scalar) -> Scalar:
        """Of a constraint over the step: by the positions, with time and internal states of b, then by those."""
        total = self._passed(self.kinematics.held(value))
        for i, x in self.kinematics.slope(value).items():
            total = total + x * self.turned[i]
        return total

    def _passed(self, value: Scalar) -> Scalar:
        """Change of a formula by the steps of time and of the internal states."""
        try:
            return Secant(self.graph, self.before, seeds=self.passing)(value)
        except TypeError:  # no secant slopes: the difference, which has fewer digits in brief steps
            return value - self.before(value)

    def _work(self) -> dict[str, Scalar]:
        """Of every integral; here that of drives."""
        works = dict.fromkeys(self.trace.states.integrals, self.graph.zero)
        rows = zip(self.trace.equations.constraints, self.form.multipliers, strict=True)
        for constraint, multiplier in rows:
            if constraint.drive:
                motion = self.trace.motions[constraint.owner]
                works["drive"] = works["drive"] + multiplier * self._passed(motion)
        walls = self.form.walls
        for contact, value in zip(walls.contacts, self.form.values[len(self.form.kept) :], strict=True):
            works[f"absorbed.{self._place(contact)}"] = -contact.normal * self._change(value)
        return works

    def conservative_changes(self, forces: Sequence[Scalar]) -> Entries:
        graph, entries = self.graph, Entries()
        first = self.layout.velocities
        for j in self._seen(forces[:first], (0, self.first)):
            along = Direction(graph, self.kinematics.seeds(j, self.c_b, self.c_a))
            entries.update({(i, j): along(x) for i, x in enumerate(self.smooth)})
            for force, slope in self.searched:
                change = along(force)
                for i, x in slope.items():
                    entries[i, j] = entries[i, j] + change * x
        rows = zip(self.form.values, self.form.rows, self.form.masks, strict=True)
        for k, (value, row, mask) in enumerate(rows):
            for i, x in self.kinematics.at_end(row, self.c_b, self.c_a).items():
                entries[first + k, i] = mask * x
            for i, x in self.kinematics.slope(value).items():
                entries[i, first + k] = -mask * x
            if mask is not graph.one:
                entries[first + k, first + k] = 1.0 - mask
            for j, place in enumerate(self.inner, first + self.layout.rows):
                entries[first + k, j] = Direction(graph, [(graph.input("y", place), self.c_b)])(mask * value)
        return {pair: x for pair, x in entries.items() if x is not graph.zero}

    def _seen(self, values: Sequence[Scalar], starts: tuple[int, ...]) -> list[int]:
        """Velocities whose places in y, counted from one of `starts`, these formulas read."""
        nodes = (self.graph.nodes[k] for x in values for k in x.inputs())
        read = {node.data[1] for node in nodes if node.data[0] == "y"}
        nq, seen = self.layout.positions, []
        for j in range(self.layout.velocities):
            places = {start + k for start in starts for k in ([j] if start == nq else self.kinematics.coordinates(j))}
            if not read.isdisjoint(places):
                seen.append(j)
        return seen

    # -- everything else ----------------------------------------------------------------------------------------

    def dissipative(self) -> list[Scalar]:
        """Other forces at one position, velocity and internal state, rates of internal states, and works as integrals
        count them; beams aside. Forces work along the step of each stage; only dampers count in the last one, for its
        whole length."""
        trace, eq = self.trace, self.trace.equations
        forces = [-x for x in eq.force]
        self.modal.take_off(forces)
        powers = dict.fromkeys(trace.states.integrals, self.graph.zero)
        for stiffness, stretch, preload in trace.loads.springs:
            for i, x in eq.gradient(stretch).items():
                forces[i] = forces[i] - (stiffness * stretch + preload) * x
        for block in trace.blocks:
            for force, motion in zip(block.pull(block.motions), block.motions, strict=True):
                forces = _added(forces, -force, eq.gradient(motion))
        for k, contact in self.contacts:
            lost = self._lost(contact)
            for i, x in contact.forces[0].items():
                forces[i] = forces[i] + x
            for i, x in eq.gradient(contact.depth).items():
                forces[i] = forces[i] + lost * x
            powers[f"absorbed.{k}"] = lost * self._along(eq.gradient(contact.depth))
            if contact.friction_law is None:  # a liner resists across its radius
                powers[f"absorbed.{k}"] -= sum((self._along(row) for row in contact.forces[1:]), self.graph.zero)
        for k, contact in enumerate(trace.contacts):
            if contact.friction_law is not None:
                powers[f"rubbed.{k}"] = -sum((self._along(row) for row in contact.forces[1:]), self.graph.zero)
        if "friction" in powers:
            rows = [row for friction in trace.frictions for row in friction.forces]
            powers["friction"] = -sum((self._along(row) for row in rows), self.graph.zero)
        for film in trace.films:
            for k, x in [pair for row in film.forces for pair in row.items()]:
                forces[k] = forces[k] + (x - self.before(x))
        if "film" in powers:
            rows = [row for film in trace.films for row in film.forces]
            powers["film"] = -sum((self._along({k: self.before(x) for k, x in row.items()}) for row in rows),
                                  self.graph.zero)  # fmt: skip
        if "applied" in powers:
            powers["applied"] = sum((x * self.stepping(speed) for x, speed in trace.loads.works), self.graph.zero)
        if "damper" in powers:
            powers["damper"] = self.stage.length * trace.loads.damped
        for actuator in trace.motors.controlled:
            powers["drive"] = powers["drive"] + actuator.torque * self.stepping(actuator.speed)
        for supply in trace.motors.supplies:
            works = zip(SUPPLIED, supply.works(self.stage), strict=True)
            powers |= {name: powers[name] + work for name, work in works}
        return [self.graph.scalar(x) for x in (*forces, *self.form.internal_rates(), *powers.values())]

    def _along(self, row: Row) -> Scalar:
        """Product of a row by velocities with the step."""
        return sum((x * self.turned[k] for k, x in row.items()), self.graph.zero)

    def _place(self, contact: Contact) -> int:
        return next(k for k, other in enumerate(self.trace.contacts) if other is contact)

    def _lost(self, contact: Contact) -> Scalar:
        """What a law adds to its force at rate 0."""
        if contact.call.data[0].partials[1] == 0.0:
            return self.graph.zero
        return contact.normal - self._elastic(contact, contact.depth)

    def dissipative_changes(self, values: Sequence[Scalar]) -> Entries:
        graph, nq, nv, entries = self.graph, self.layout.positions, self.layout.velocities, Entries()
        internal = self.layout.internal
        places = [*range(nv), *range(nv + self.layout.rows, self.layout.size)]  # rows, and columns
        signed = [*values[:nv], *(-x for x in values[nv : nv + internal])]
        seeds = {j: [*self.kinematics.seeds_each(j, self.c_b, self.c_a), (graph.input("y", nq + j), self.c_u)]
                 for j in self._seen(signed, (0, nq, self.first))}  # fmt: skip
        seeds |= {places[nv + k]: [(graph.input("y", place), self.c_a)] for k, place in enumerate(self.inner)}
        seeds |= {nv + k: [(self.form.kept_multipliers[k], graph.one)] for k in self.form.rubbing}
        for j, seed in seeds.items():
            along = Direction(graph, seed)
            entries.update({(i, j): along(x) for i, x in zip(places, signed, strict=True)})
        return {pair: x for pair, x in entries.items() if x is not graph.zero}

    # -- beams ----------------------------------------------------------------------------------------------------

    def loops(self, beam: Flexible, index: beam_steps.Index, prepared: int, work: int) -> tuple[list[Any], int]:
        """The elements of a beam: loops with the name of their part in each function, and the end of the workspace."""
        start = self.first + self.layout.positions
        places = beam_steps.Places(self.layout, self.first, start + 1, start + MORE + self.layout.internal)
        make: Any = beam_steps.loops if self.trace.mechanism.planar else spatial_steps.loops
        loops: tuple[list[Any], int] = make(beam, places, index, prepared, work)
        return loops


@dataclass(frozen=True)
class Formulas:
    """What is compiled of steps beside the residual form: values, entries of their tangents, loops of beams, and the
    length of y."""

    values: dict[str, list[Scalar]]
    changes: dict[str, Entries]
    loops: Callable[[Flexible, beam_steps.Index, int, int], tuple[list[Any], int]]
    longer: int


def formulas(form: ResidualForm) -> Formulas:
    """The functions of steps of a mechanism; all its states must have been added before."""
    steps = Steps(form)
    conservative, dissipative = steps.conservative(), steps.dissipative()
    changes = {
        "conservative_tangent": steps.conservative_changes(conservative),
        "dissipative_tangent": steps.dissipative_changes(dissipative),
    }
    longer = steps.stepped + steps.layout.velocities + len(steps.passing) + 1
    values = {"conservative": conservative, "dissipative": dissipative}
    if steps.modal.length:
        values["inertia"] = steps.modal.inertia()
        changes["inertia_tangent"] = steps.modal.changes(values["inertia"], steps.c_b, steps.c_a, steps.c_u)
    return Formulas(values, changes, steps.loops, longer)
