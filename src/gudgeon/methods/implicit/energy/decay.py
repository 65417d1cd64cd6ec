"""Decay: a step in two stages that never adds energy and ends what is too fast for it, for flexible mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.assemble.support import Needs
from gudgeon.methods.contract import Method
from gudgeon.methods.implicit.alpha import interpolate
from gudgeon.methods.implicit.energy import stages
from gudgeon.methods.implicit.energy import table as stage_table
from gudgeon.methods.march.memory import March

# Positions and velocities may jump at the start of a step, from i to j, and change linearly until its end f (the
# discontinuous Galerkin method; Bauchau, Theron 1996 give it discrete gradients). With F_1 of mean stress from j to f,
# F_0 of the stress at j from i to j, and ψ_0, ψ_1 the steps from i to j and from j to f:
#   M (v_f - v_i) / h + F_1 = 0                        ψ_0 + ψ_1 = h (v_j + v_f) / 2
#   M (v_j - v_i) / h - (F_1 - F_0) / 3 = 0            ψ_0 = -h (v_f - v_j) / 6
# The kinetic energies then give, with all products,
#   T_f - T_i = -ψ_1 . F_1 - ψ_0 . F_0 - 1/2 (v_j - v_i) . M (v_j - v_i)
# and the work of F_0 is what is stored from i to j plus 1/2 C (e_j - e_i)^2, so that the energy falls by those of both
# jumps, whatever the step. For linear equations this is the method Radau IIA of order 3: nothing is left of vibrations
# much faster than the step. Velocities in terms of steps: v_f = (ψ_1 - 2 ψ_0)/h, v_j = (ψ_1 + 4 ψ_0)/h; the first
# equation is stage 1, three times the second plus the first is stage 0. Forces L that take energy act with v_j in stage
# 0 and with the mean u = (v_j + v_f)/2 in stage 1 and lose
#   ψ_1 . L_1 + ψ_0 . L_0 = h (u . L_1 + (u - v_j) . (L_1 - L_0) / 3)
# In one position, that of the middle, this is never negative where L grows with the velocity: dampers, friction,
# hysteresis. Films are evaluated in the position of each stage, since they change so much with it that velocities at
# the end would be wrong by the order of the step; with a damping C_1 and C_0 there they lose
#   h (4 C_1 u² - (C_1 + C_0) u v_j + C_0 v_j²) / 3 >= 0    where C_0 / C_1 lies between 1/13.9 and 13.9
# The constraints at the start make v_j tangent by an impulse that works with v_j, so it does nothing (methods.stages).
#   In space velocities and steps of turns lie along the axes of the body, whose moments w x J w must not work either:
# methods.stage_places.balance adds what they lack.
COEFFICIENTS = {
    stage_table.A: [10.0, 4.0, -2.0, 1.0],
    stage_table.B: [4.0, 1.0],
    stage_table.U: [4.0, 1.0, 1.0, 1.0],
    stage_table.C: [-2.0, 1.0],
    stage_table.C_OLD: [0.0],
    stage_table.WEIGHT: [1.0, 0.0],
    stage_table.FILTER: [3.0],
    stage_table.ESTIMATE: [1.0 / 12.0],
    stage_table.LOOSE: [100.0],
    stage_table.SHARE: [1.0, 0.0, 1.0, 0.5],
    stage_table.P: [3.0, 1.0, 0.0, 1.0],
}


@dataclass(frozen=True)
class Decay(Method):
    """Never adds energy, whatever the step; oscillations much faster than it die out at once; with error control.

    Order 3 where the equations are linear, else 2. In the plane and in space, beams included.

    hard: walls and stops are one-sided constraints with multipliers; impacts have the restitution the walls ask for and
        Coulomb's friction, lasting contacts that of their law
    """

    title = "energy decaying"
    reference = "Bauchau and Theron 1996; Bauchau and Rodriguez 2002"
    works = ("bauchau1996", "bauchau2002")
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
