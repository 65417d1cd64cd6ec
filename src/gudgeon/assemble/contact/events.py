"""Hard walls with events: contacts as one-sided constraints, for impacts as instants and for nonsmooth time stepping.

Every touch gives a row N that opens the gap (the gap is -depth, its speed u = N v) and, with friction, a row T along
the slip. With the inverse mass P of the mechanism, ideal joints and drives included,

    P = M⁻¹ - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹,      W = R P Rᵀ,   R all rows N and T,

an impulse s changes the velocities by P Rᵀ s and the row speeds by W s; 1 / W_NN is the effective mass of an impact
(Schwab et al. 2002, Eq 14). A contact that lasts has a force λ such that N a + (rate of N) v = 0. Which contacts last
and which stick is known at run time only, so their equations are masked by their modes (0 or 1, in m):

    mode (Σ W_NN λ + Σ W_NT f + b) + (1 - mode) λ = 0,     f = stick force - drag λ

Memory m: see contact/memory.py. Drag is the coefficient of friction with the sign of the slip where the contact slides;
what is put on from outside is a force or an impulse along the rows.

In space a slip s has two or three components, each with a row T; drag is then the coefficient and f = -drag λ s_eff /
|s_eff|, where s_eff = s + the seed in m (methods/impact/vector_friction.py). A contact that sticks has one
equation for each component. The three components of a ball's slip are those of a vector across its normal n: what the
equations would leave open is closed by adding w n nᵀ, which changes nothing else. Methods that put impulses on from
outside in every step need none of this (`sticking`): their rows T have no masked equations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gudgeon.assemble.contact.contacts import Contact, magnitude, slips_of
from gudgeon.assemble.contact.memory import MODE, PER_CONTACT, hard_contact_memory
from gudgeon.assemble.contact.rows import ContactRows
from gudgeon.assemble.report.channels import drive_power
from gudgeon.assemble.solve.elimination import Row, eliminate
from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Scalar

SPLIT = 1e-10  # relative softness by which contacts that hold the same thing share its force evenly


class EventWalls:
    """The rigid contacts of a trace, closed into its solution."""

    def __init__(self, trace: Trace, free: Solution, sticking: bool = False) -> None:
        self.trace, self.free, self.graph = trace, free, trace.graph
        self.contacts: list[Contact] = [c for c in trace.contacts if c.index is not None]
        eq, count = trace.equations, len(self.contacts)
        self._impacts = ContactRows(trace, self.contacts)
        self.rows, self.speeds, each = self._impacts.rows, self._impacts.speeds, self._impacts.rows_per_contact
        self.rows_per_contact = each
        self.sticking = sticking or each == 2
        places = hard_contact_memory(count, each)
        self.mode = [self.graph.input("m", PER_CONTACT * c + MODE) for c in range(count)]
        self.stick, self.drag, self.outside = (
            [self.graph.input("m", place) for place in part] for part in (places.stick, places.drag, places.applied)
        )
        # acceleration terms of the rows beside R a
        self.curvature: list[Scalar] = []
        for c, contact in enumerate(self.contacts):
            self.curvature.append(-eq.ddt(contact.rate))
            rubs = contact.friction_law is not None
            slips = self.speeds[each * c + 1 : each * (c + 1)]
            self.curvature += [eq.ddt(slip) if rubs else self.graph.zero for slip in slips]
        self.answers = [self._answer(row) for row in self.rows]
        self.columns = [column for column, _ in self.answers]
        self.delassus = [[self._dot(row, column) for column in self.columns] for row in self.rows]
        self._directions(places.slip_seed)

    def _directions(self, seeds: range) -> None:
        """Speed of the slip of each contact, and the direction along which its drag acts: one number in the plane,
        where the drag has the sign."""
        each, graph = self.rows_per_contact, self.graph
        self.slipping: list[Scalar] = [contact.slip for contact in self.contacts]
        self.along: list[list[Any]] = [[1.0] for _ in self.contacts]
        for c in range(len(self.contacts) if each > 2 and self.sticking else 0):
            places = seeds[(each - 1) * c : (each - 1) * (c + 1)]
            slips = zip(self.speeds[each * c + 1 : each * (c + 1)], places, strict=True)
            parts = [slip + graph.input("m", place) for slip, place in slips]
            self.slipping[c] = magnitude(graph, parts)
            self.along[c] = [x / self.slipping[c] for x in parts]

    def _closing(self, r: int, k: int) -> Any:
        """What is added to W between two components of the slip of one contact, where they are those of a vector."""
        c, each = r // self.rows_per_contact, self.rows_per_contact
        if each < 4 or k // each != c or r % each == 0 or k % each == 0 or len(slips_of(self.contacts[c])) < 3:
            return 0.0
        touch, rows = self.contacts[c].touch, range(each * c + 1, each * (c + 1))
        assert touch is not None
        normal, trace = tuple(touch.normal), sum((self.delassus[i][i] for i in rows), self.graph.zero)
        return trace * (normal[r % each - 1] * normal[k % each - 1])

    def _answer(self, row: Row) -> tuple[list[Scalar], list[Scalar]]:
        """Velocities and multipliers, in elimination order, by a unit impulse along a row."""
        schur, zero = self.free.schur, self.graph.zero
        push = [row.get(k, zero) for k in range(schur.count)]
        multipliers = [-x for x in schur.solve(schur.weighted_product(push))]
        total = [a + b for a, b in zip(push, schur.transposed(multipliers), strict=True)]
        return schur.mass.solve(total), multipliers

    def _dot(self, row: Row, vector: list[Scalar]) -> Scalar:
        total = self.graph.zero
        for k, x in row.items():
            total = total + x * vector[k]
        return total

    def _masked(self, right: list[Scalar], drag: list[Any], sticks: bool = True) -> list[Scalar]:
        """Forces along all rows such that the row speeds change by `right` where contacts last and, with `sticks`,
        where they stick."""
        each = self.rows_per_contact
        stick = self.stick if sticks else [self.graph.zero] * len(self.stick)
        mask = [x for mode, held in zip(self.mode, stick, strict=True) for x in (mode, *[held] * (each - 1))]
        kept = [r for r, row in enumerate(self.rows) if row and (self.sticking or r % each == 0)]
        several = len(self.contacts) > 1
        inverse: dict[str, list[Scalar]] = {}
        for r in kept:
            inverse.setdefault(self._unit(r), []).append(1.0 / self.delassus[r][r])
        # of each kind of row the harmonic mean: no contact yields by much more than SPLIT of its own
        soft = {unit: SPLIT * len(masses) / sum(masses, self.graph.zero) for unit, masses in inverse.items()}
        matrix = []
        for r in kept:
            line = []
            for k in kept:
                x = self.delassus[r][k] + self._closing(r, k)
                if self.sticking and k % each == 0 and self.rows[k + 1]:
                    x = x - drag[k // each] * self._along(self.delassus[r], k // each)
                if r == k:
                    line.append(mask[r] * (x + soft[self._unit(r)] if several else x) + (1.0 - mask[r]))
                else:
                    line.append(mask[r] * x)
            matrix.append(line)
        solved, _ = eliminate(self.graph, matrix, [mask[r] * right[r] for r in kept])
        force_of_row = dict(zip(kept, solved, strict=True))
        forces = [force_of_row.get(r, self.graph.zero) for r in range(len(self.rows))]
        for c in range(len(self.contacts) if self.sticking else 0):
            first = each * c
            for r, d in enumerate(self.along[c], first + 1):
                if self.rows[r]:
                    forces[r] = forces[r] - drag[c] * d * forces[first]
        return forces

    def _unit(self, r: int) -> str:
        """Rows whose forces have one unit and direction: openings, those of angles, slips."""
        if r % self.rows_per_contact:
            return "slip"
        return "angle" if self.contacts[r // self.rows_per_contact].angular else "opening"

    def _along(self, values: list[Scalar], c: int) -> Scalar:
        """What all rows have, along the drag of a contact."""
        total, first = self.graph.zero, self.rows_per_contact * c + 1
        for d, x in zip(self.along[c], values[first : first + self.rows_per_contact - 1], strict=True):
            total = total + d * x
        return total

    def close(self) -> tuple[Trace, Solution]:
        """The trace with contacts that know their forces, and accelerations and multipliers with the forces of those
        that last."""
        free = [self._dot(row, self.free.accelerations) + x for row, x in zip(self.rows, self.curvature, strict=True)]
        forces = self._masked([-x for x in free], self.drag)
        total = [f + g if row else f for f, g, row in zip(forces, self.outside, self.rows, strict=True)]
        self.row_accelerations = [
            x + self._dot(dict(enumerate(line)), total) for x, line in zip(free, self.delassus, strict=True)
        ]
        for c, contact in enumerate(self.contacts):
            first, last = self.rows_per_contact * c, self.rows_per_contact * (c + 1)
            absorbed, friction, rubbed = total[first] * contact.rate, total[first + 1], contact.rubbed
            if self.rows_per_contact > 2:
                friction = -magnitude(self.graph, total[first + 1 : last])
            for r in range(first + 1, last):
                rubbed = rubbed - total[r] * self.speeds[r]
            own = tuple({k: total[r] * x for k, x in self.rows[r].items()} for r in range(first, last) if self.rows[r])
            self.contacts[c] = replace(contact, normal=total[first], absorbed=absorbed, friction=friction,
                                       rubbed=rubbed, forces=own)  # fmt: skip
        accelerations, multipliers = self._sum(total)
        solution = replace(
            self.free,
            accelerations=[a + b for a, b in zip(self.free.accelerations, accelerations, strict=True)],
            multipliers=[a + b for a, b in zip(self.free.multipliers, multipliers, strict=True)],
        )
        return self.trace.with_contacts(self.contacts), solution

    def _sum(self, forces: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """Answer of the mechanism to forces along all rows: velocities, and multipliers of every constraint."""
        velocities = [self.graph.zero] * len(self.free.accelerations)
        multipliers = [self.graph.zero] * len(self.free.multipliers)
        for force, (column, reaction) in zip(forces, self.answers, strict=True):
            velocities = [v + force * x for v, x in zip(velocities, column, strict=True)]
            for r, x in zip(self.free.order, reaction, strict=True):
                if r < len(multipliers):  # behind them are rotors
                    multipliers[r] = multipliers[r] + force * x
        return velocities, multipliers

    def velocity_jump(self) -> list[Scalar]:
        """Jump of the velocities by the impulses in m, then the impulses of every constraint, then work of drives."""
        pushes = [x if row else self.graph.zero for x, row in zip(self.outside, self.rows, strict=True)]
        velocities, multipliers = self._sum(pushes)
        return [*velocities, *multipliers, drive_power(self.trace, multipliers)]

    def gaps(self) -> list[Scalar]:
        """Of each contact: depth, rate, normal force, slip, friction force, rates of the rate and of the slip."""
        values = []
        for c, contact in enumerate(self.contacts):
            values += [contact.depth, contact.rate, contact.normal, self.slipping[c], contact.friction]
            values.append(-self.row_accelerations[self.rows_per_contact * c])
            values.append(self._along(self.row_accelerations, c) if self.sticking else self.graph.zero)
        return values

    def delassus_matrix(self) -> list[Scalar]:
        """The Delassus matrix by rows, then the numbers of ContactRows."""
        return [*(x for line in self.delassus for x in line), *self._impacts.numbers()]

    def projection(self) -> list[Scalar]:
        """The corrections of the ideal joints, then those that bring lasting contacts back to depth and rate zero."""
        zero = self.graph.zero
        none, each = [zero] * len(self.contacts), self.rows_per_contact
        shifts = self.free.shifts()
        for level, values in enumerate(([-c.depth for c in self.contacts], None)):
            residuals = self.speeds if values is None else [x for v in values for x in (v, *[zero] * (each - 1))]
            right = [-(x + self._dot(row, shifts[level])) for x, row in zip(residuals, self.rows, strict=True)]
            # a place where a contact sticks is not kept: depths are brought to zero by forces along the openings alone
            forces = self._masked(right, none, sticks=level > 0)
            more, _ = self._sum(forces)
            shifts[level] = [a + b for a, b in zip(shifts[level], more, strict=True)]
        return self.free.corrections(shifts)
