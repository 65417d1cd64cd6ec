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

from gudgeon.assemble.solve.equations import Solution
from gudgeon.assemble.trace.states import States
from gudgeon.compile.graph import Direction, Scalar


def jacobian(solution: Solution, states: States) -> list[Scalar]:
    """d rhs_i / d y_j by rows: i over the states under error control, j over all states.

    Integrals do not feed back: their columns are zero, and they have no rows.
    """
    columns = [_column(solution, states, k) for k in range(states.controlled)]
    columns += [[solution.equations.graph.zero] * states.controlled] * len(states.integrals)
    return [column[i] for i in range(states.controlled) for column in columns]


def _column(solution: Solution, states: States, k: int) -> list[Scalar]:
    """Change of the right-hand side by a unit of state k."""
    equations, graph = solution.equations, solution.equations.graph
    along = Direction(graph, [(graph.input("y", k), 1.0), *equations.following(k)])
    rates = [along(rate) for rate in equations.rates]
    internal = [along(rate) for rate in states.rates[: len(states.names)]]
    return [*rates, *_accelerations(solution, along), *internal]


def _accelerations(solution: Solution, along: Direction) -> list[Scalar]:
    equations, schur = solution.equations, solution.schur
    shifts = schur.mass.change(along, solution.accelerations)
    force = [along(x) - change for x, change in zip(equations.free_force, shifts, strict=True)]
    right = [along(x) for x in solution.right]
    for r, (row, multiplier) in enumerate(zip(schur.rows, solution.kept_multipliers, strict=True)):
        for c, entry in row.items():
            change = along(entry)
            force[c] = force[c] + change * multiplier
            right[r] = right[r] - change * solution.accelerations[c]
    return schur.respond(force, right)[0]
