"""Energy: a step of order 2 that keeps energy and momenta, for contacts and flexible mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.support import Needs
from gudgeon.methods.contract import Method
from gudgeon.methods.implicit.alpha import interpolate
from gudgeon.methods.implicit.energy import stages
from gudgeon.methods.implicit.energy import table as stage_table
from gudgeon.methods.march.memory import March

# One stage from the start to the end, with ψ = h (v0 + v1) / 2 and mean stresses (Simo, Tarnow 1992; Gonzalez 1996;
# constraints as in Bauchau, Rodriguez 2002, Eq 7):
#   M (v1 - v0) / h + F = 0,    so that  (v0 + v1)/2 . M (v1 - v0) = -ψ . F
# Kinetic energy plus what F stores is the same after the step as before, however long it is. Constraints hold at its
# end and do no work. In space turns are Cayley's transforms of ψ, with which angular momentum changes by the moments
# times h, too (assemble.moves; Simo, Wong 1991).
COEFFICIENTS = {
    stage_table.A: [2.0],
    stage_table.B: [2.0],
    stage_table.U: [1.0],
    stage_table.C: [2.0],
    stage_table.C_OLD: [-1.0],
    stage_table.WEIGHT: [0.0],
    stage_table.FILTER: [2.0],
    stage_table.ESTIMATE: [1.0 / 12.0],
    stage_table.LOOSE: [1.0],
    stage_table.SHARE: [0.5],
    stage_table.P: [1.0],
}


@dataclass(frozen=True)
class Energy(Method):
    """Keeps the energy of undamped mechanisms, whatever the step, and their momenta; order 2 with error control.

    In the plane and in space, beams included. Angular momentum is kept to the order of the step alone with links with
    modes, and with beams of space whose sections have their centre of mass beside the line of the nodes.

    Nothing dies out: oscillations faster than the step stay, also those of reactions and of velocities across
    constraints. Where they matter, take decay. At hard walls energy falls by what their restitution and
    friction take, and by nothing else.

    hard: walls and stops are one-sided constraints with multipliers; impacts have the restitution the walls ask for and
        Coulomb's friction, lasting contacts that of their law
    """

    title = "energy preserving"
    reference = "Simo and Wong 1991; Simo and Tarnow 1992; Simo et al. 1995; Gonzalez 1996; Bauchau and Rodriguez 2002"
    works = ("simo1991", "simo1992", "simo1995", "gonzalez1996", "bauchau2002")
    order = 2
    rows = 7

    rtol: float = 1e-6
    hard: bool = False

    def needs(self) -> Needs:
        return Needs(form="step", contact="multiplier" if self.hard else "force law")

    def functions(self) -> tuple[Any, Any, Any, Any]:
        return stages.restart, stages.attempt, interpolate, stages.commit

    def connect(self, system: Any, w: March) -> Any:
        return stage_table.connect(system, w, self.title, COEFFICIENTS)
