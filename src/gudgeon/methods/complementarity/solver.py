"""The solver of a complementarity problem, chosen by the number of components of the slip."""

from __future__ import annotations

from gudgeon.compile.native.kernel import kernel
from gudgeon.methods.complementarity.cone import solve_on_cones
from gudgeon.methods.complementarity.problem import ImpulseProblem
from gudgeon.methods.complementarity.sweeps import solve_scalar_slip


@kernel
def solve(problem: ImpulseProblem) -> int:
    """Impulses of the contacts that are not APART; 1 if they obey all laws, 0: as far as the sweeps came."""
    if problem.slip_is_scalar:
        return solve_scalar_slip(problem)
    return solve_on_cones(problem)
