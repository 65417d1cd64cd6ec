"""Rigid walls: contacts as one-sided constraints, for impacts as instants and for nonsmooth time stepping.

Every touch gives a row N that opens the gap (the gap is -depth, its speed u = N v) and, with friction, a row T along
the slip. With the inverse mass P of the mechanism, ideal joints and drives included,

    P = M⁻¹ - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹,      W = R P Rᵀ,   R all rows N and T,

an impulse s changes the velocities by P Rᵀ s and the row speeds by W s; 1 / W_NN is the effective mass of an impact
(Schwab et al. 2002, Eq 14). A contact that lasts has a force λ such that N a + (rate of N) v = 0. Which contacts last
and which stick is known at run time only, so their equations are masked by their modes (0 or 1, in m):

    mode (Σ W_NN λ + Σ W_NT f + b) + (1 - mode) λ = 0,     f = stick force - drag λ

Memory m: (mode, 0) of each contact, then (stick, drag, normal, tangential) of each: drag is the coefficient of
friction with the sign of the slip where the contact slides; the last two are a force or impulse put on from outside.

In space a slip has two or three components, each with a row T. Which of them stick is then no matter of signs: such
rows have no masked equations, and are left to methods that give them impulses from outside in every step.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gudgeon.assemble.channels import drive_power
from gudgeon.assemble.contacts import Contact
from gudgeon.assemble.elimination import Row, eliminate
from gudgeon.assemble.equations import Solution
from gudgeon.assemble.trace import Trace
from gudgeon.graph import Scalar
from gudgeon.quantity import GudgeonError

# numbers of memory per contact: two at the front as every contact has them, the others behind those of all contacts
FRONT = 2
MODE = 0
STICK, DRAG, NORMAL, TANGENT, BEHIND = range(5)  # more components of the slip come behind the first

SPLIT = 1e-10  # relative softness by which contacts that hold the same thing share its force


def slips_of(contact: Contact) -> tuple[Scalar, ...]:
    """The components of a contact's slip."""
    slip = contact.touch.slip if contact.touch is not None else 0.0
    return slip if isinstance(slip, tuple) else (contact.slip,)


def rows_each(contacts: list[Contact]) -> int:
    """Rows of every contact: its opening and as many components as the slip of any with friction has."""
    rubbing = [c for c in contacts if c.index is not None and c.friction_law is not None]
    return 1 + max((len(slips_of(c)) for c in rubbing), default=1)


class Rigid:
    """The rigid contacts of a trace, closed into its solution."""

    def __init__(self, trace: Trace, free: Solution) -> None:
        self.trace, self.free, self.graph = trace, free, trace.graph
        self.contacts: list[Contact] = [c for c in trace.contacts.list if c.index is not None]
        eq, count, each = trace.equations, len(self.contacts), rows_each(self.contacts)
        self.each, self._restitutions = each, dict[str, Scalar]()
        self.mode = [self.graph.input("m", FRONT * c + MODE) for c in range(count)]
        behind, size = FRONT * count, NORMAL + each
        self.stick, self.drag = (
            [self.graph.input("m", behind + size * c + k) for c in range(count)] for k in (STICK, DRAG)
        )
        places = [behind + size * c + NORMAL + k for c in range(count) for k in range(each)]
        self.outside = [self.graph.input("m", place) for place in places]
        eq.follow([c.touch.held for c in self.contacts if c.touch is not None and c.touch.held is not None])
        # rows by contact: opening, then the slip
        self.rows: list[Row] = []
        self.speeds: list[Scalar] = []
        self.curvature: list[Scalar] = []  # acceleration terms of the rows beside R a
        for contact in self.contacts:
            assert contact.touch is not None
            self.rows.append({k: -x for k, x in trace.contacts.opening_gradient(contact.touch).items()})
            self.speeds.append(-contact.rate)
            self.curvature.append(-eq.ddt(contact.rate))
            rubs = contact.friction_law is not None
            slips = slips_of(contact) if rubs else (contact.slip,)
            for slip in (*slips, *[self.graph.zero] * (each - 1 - len(slips))):
                self.rows.append(eq.velocity_gradient(slip) if rubs else {})
                self.speeds.append(slip)
                self.curvature.append(eq.ddt(slip) if rubs else self.graph.zero)
        self.answers = [self._answer(row) for row in self.rows]
        self.columns = [column for column, _ in self.answers]
        self.delassus = [[self._dot(row, column) for column in self.columns] for row in self.rows]

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

    def _masked(self, right: list[Scalar], drag: list[Any]) -> list[Scalar]:
        """Forces along all rows such that the row speeds change by `right` where contacts last or stick."""
        each = self.each
        mask = [x for mode, stick in zip(self.mode, self.stick, strict=True) for x in (mode, *[stick] * (each - 1))]
        kept = [r for r, row in enumerate(self.rows) if row and (each == 2 or r % each == 0)]
        several = len(self.contacts) > 1
        matrix = []
        for r in kept:
            line = []
            for k in kept:
                x = self.delassus[r][k]
                if each == 2 and k % 2 == 0 and self.rows[k + 1]:
                    x = x - drag[k // 2] * self.delassus[r][k + 1]
                if r == k:
                    line.append(mask[r] * (x * (1.0 + SPLIT if several else 1.0)) + (1.0 - mask[r]))
                else:
                    line.append(mask[r] * x)
            matrix.append(line)
        solved = eliminate(self.graph, matrix, [mask[r] * right[r] for r in kept])
        found = dict(zip(kept, solved, strict=True))
        forces = [found.get(r, self.graph.zero) for r in range(len(self.rows))]
        for c in range(len(self.contacts) if each == 2 else 0):
            if self.rows[2 * c + 1]:
                forces[2 * c + 1] = forces[2 * c + 1] - drag[c] * forces[2 * c]
        return forces

    def close(self) -> Solution:
        """Accelerations and multipliers with the forces of lasting contacts; the contacts learn their forces."""
        free = [self._dot(row, self.free.accelerations) + x for row, x in zip(self.rows, self.curvature, strict=True)]
        forces = self._masked([-x for x in free], self.drag)
        total = [f + g if row else f for f, g, row in zip(forces, self.outside, self.rows, strict=True)]
        self.row_accelerations = [
            x + self._dot(dict(enumerate(line)), total) for x, line in zip(free, self.delassus, strict=True)
        ]
        for c, contact in enumerate(self.contacts):
            first, last = self.each * c, self.each * (c + 1)
            contact.normal = total[first]
            contact.absorbed = contact.normal * contact.rate
            contact.friction = total[first + 1]
            if self.each > 2:
                contact.friction = -self.trace.contacts.size(total[first + 1 : last])
            for r in range(first + 1, last):
                contact.rubbed = contact.rubbed - total[r] * self.speeds[r]
            contact.forces = [
                {k: total[r] * x for k, x in self.rows[r].items()} for r in range(first, last) if self.rows[r]
            ]
        accelerations, multipliers = self._sum(total)
        return replace(
            self.free,
            accelerations=[a + b for a, b in zip(self.free.accelerations, accelerations, strict=True)],
            multipliers=[a + b for a, b in zip(self.free.multipliers, multipliers, strict=True)],
        )

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

    def kick(self) -> list[Scalar]:
        """Jump of the velocities by the impulses in m, then the impulses of every constraint, then work of drives."""
        pushes = [x if row else self.graph.zero for x, row in zip(self.outside, self.rows, strict=True)]
        velocities, multipliers = self._sum(pushes)
        return [*velocities, *multipliers, drive_power(self.trace, multipliers)]

    def gaps(self) -> list[Scalar]:
        """Of each contact: depth, rate, normal force, slip, friction force, rates of the rate and of the slip."""
        values = []
        for c, contact in enumerate(self.contacts):
            values += [contact.depth, contact.rate, contact.normal, contact.slip, contact.friction]
            opening, slip = self.row_accelerations[self.each * c : self.each * c + 2]
            values += [-opening, slip if self.each == 2 else self.graph.zero]
        return values

    def pairs(self) -> list[Scalar]:
        """W by rows, then of each contact: restitution, coefficient of friction, opening speed, slip."""
        values = [x for line in self.delassus for x in line]
        for c, contact in enumerate(self.contacts):
            values += [*self._coefficients(contact), *self.speeds[self.each * c : self.each * (c + 1)]]
        return values

    def _coefficients(self, contact: Contact) -> tuple[Scalar, Scalar]:
        """Restitution and friction of a contact as parameters, one pair for all touches of a joint."""
        found = []
        coulomb = contact.friction_law.coulomb if contact.friction_law else 0.0
        for what, value in (("restitution", contact.law.newton_restitution), ("coefficient", coulomb)):
            name = f"{contact.joint}.{contact.kind}.newton.{what}"
            if value is None:
                raise GudgeonError(
                    f'joint "{contact.joint}": {type(contact.law).__name__} has no restitution, and an impact as an '
                    "instant needs one; choose a wall with restitution=..., such as ExactRestitution"
                )
            if name not in self._restitutions:
                self._restitutions[name] = self.trace.parameters.number(name, value)
            found.append(self._restitutions[name])
        return found[0], found[1]

    def projection(self) -> list[Scalar]:
        """The corrections of the ideal joints, then those that bring lasting contacts back to depth and rate zero."""
        zero = self.graph.zero
        none, each = [zero] * len(self.contacts), self.each
        shifts = self.free.shifts()
        for level, values in enumerate(([-c.depth for c in self.contacts], None)):
            residuals = self.speeds if values is None else [x for v in values for x in (v, *[zero] * (each - 1))]
            right = [-(x + self._dot(row, shifts[level])) for x, row in zip(residuals, self.rows, strict=True)]
            if level == 0:
                right = [x if r % each == 0 else zero for r, x in enumerate(right)]
            forces = self._masked(right, none)
            if level == 0:
                forces = [x if r % each == 0 else zero for r, x in enumerate(forces)]
            more, _ = self._sum(forces)
            shifts[level] = [a + b for a, b in zip(shifts[level], more, strict=True)]
        return self.free.corrections(shifts)
