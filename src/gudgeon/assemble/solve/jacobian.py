"""The derivative of the right-hand side with respect to the state, for implicit methods.

The accelerations a and multipliers λ solve

    M a - Jᵀ λ = F        J a = γ

Differentiated along one state y_k, with δ for the change of a and λ and ∂ for what M, J, F and γ change by while a
and λ are held:

    M δa - Jᵀ δλ = ∂F + ∂Jᵀ λ - ∂M a = f        J δa = ∂γ - ∂J a = g
    δλ = S⁻¹ (g - J M⁻¹ f),   δa = M⁻¹ (f + Jᵀ δλ)

The matrix is that of the equations themselves, so their factors serve, and no factorisation is differentiated. M, J, F
and γ are formulas of the state alone; a and λ enter as factors, so nothing has to be held in the graph. Feedback of the
constraints is part of γ. Laws bring their own derivatives, behind the guards of the laws themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Direction, Scalar


def jacobian(solution: Solution, states: States, loads: Any = None) -> list[Scalar]:
    """d rhs_i / d y_j by rows: i over the states under error control, j over all states.

    Integrals do not feed back: their columns are zero, and they have no rows. `loads` are the equations of the loads of
    ideal joints with friction (contact.joint_friction.LoadEquations), which the right-hand side depends on, too.
    """
    graph = solution.equations.graph
    places = [[(graph.input("y", k), 1.0), *solution.equations.following(k)] for k in range(states.controlled)]
    columns = [_Column(solution, states, seeds) for seeds in places]
    total = [column.rates for column in columns]
    if loads is not None:
        by_load = [_Column(solution, states, [(x, 1.0)]).rates for x in loads.inputs]
        for rates, column in zip(total, columns, strict=True):
            for change, answer in zip(loads.changes(column.of(loads.reactions)), by_load, strict=True):
                rates[:] = [x + change * y for x, y in zip(rates, answer, strict=True)]
    total += [[graph.zero] * states.controlled] * len(states.integrals)
    return [column[i] for i in range(states.controlled) for column in total]


class _Column:
    """Change of the right-hand side with what is given, loads held."""

    def __init__(self, solution: Solution, states: States, seeds: list[tuple[Scalar, Any]]) -> None:
        equations, self.solution, self.seeds = solution.equations, solution, seeds
        self.along = along = Direction(equations.graph, seeds)
        rates = [along(rate) for rate in equations.rates]
        internal = [along(rate) for rate in states.rates[: len(states.names)]]
        self.accelerations, self.multipliers = _response(solution, along)
        self.rates = [*rates, *self.accelerations, *internal]

    def of(self, reactions: Sequence[tuple[Scalar, ...]]) -> list[tuple[Scalar, ...]]:
        """Changes of formulas of the state, the accelerations and the multipliers."""
        solved = zip((*self.solution.accelerations, *self.solution.kept_multipliers),
                     (*self.accelerations, *self.multipliers), strict=True)  # fmt: skip
        along = Direction(self.solution.equations.graph, [*self.seeds, *solved])
        return [tuple(along(x) for x in own) for own in reactions]


def _response(solution: Solution, along: Direction) -> tuple[list[Scalar], list[Scalar]]:
    """Changes of accelerations and multipliers."""
    equations, schur = solution.equations, solution.schur
    shifts = schur.mass.change(along, solution.accelerations)
    force = [along(x) - change for x, change in zip(equations.free_force, shifts, strict=True)]
    right = [along(x) for x in solution.right]
    for r, (row, multiplier) in enumerate(zip(schur.rows, solution.kept_multipliers, strict=True)):
        for c, entry in row.items():
            change = along(entry)
            force[c] = force[c] + change * multiplier
            right[r] = right[r] - change * solution.accelerations[c]
    return schur.respond(force, right)
