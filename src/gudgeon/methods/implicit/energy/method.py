"""Energy and Decay: steps of order 2 that keep energy, or never add any, for contacts and flexible mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from gudgeon.assemble.support import Needs
from gudgeon.compile.native.kernel import Kernel
from gudgeon.methods.contract import Method
from gudgeon.methods.implicit.energy.memory import StageCoefficients, StageMemory, stage_memory
from gudgeon.methods.implicit.energy.stages import attempt, commit, restart
from gudgeon.methods.implicit.instant import interpolate
from gudgeon.methods.march.memory import March

# One stage from the start to the end, with ψ = h (v0 + v1) / 2 and mean stresses (Simo, Tarnow 1992; Gonzalez 1996;
# constraints as in Bauchau, Rodriguez 2002, Eq 7):
#   M (v1 - v0) / h + F = 0,    so that  (v0 + v1)/2 . M (v1 - v0) = -ψ . F
# Kinetic energy plus what F stores is the same after the step as before, however long it is. Constraints hold at its
# end and do no work. In space rotations are Cayley's transforms of ψ, with which angular momentum changes by the
# moments times h, too (assemble.residual.step.kinematics; Simo, Wong 1991).
PRESERVING = StageCoefficients(
    a=[[2.0]], b=[2.0], u=[[1.0]], c=[2.0], c_start=-1.0, s=[[0.5]], p=[[1.0]], end_weight=[0.0],
    filter=2.0, error=1.0 / 12.0, loose=1.0,
)  # fmt: skip

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
# The constraints at the start make v_j tangent by an impulse that works with v_j, so it does nothing.
#   In space velocities and steps of rotations lie along the axes of the body, whose moments w x J w must not work
# either: `balance_gyration` (steps.py) adds what they lack.
DECAYING = StageCoefficients(
    a=[[10.0, 4.0], [-2.0, 1.0]], b=[4.0, 1.0], u=[[4.0, 1.0], [1.0, 1.0]], c=[-2.0, 1.0], c_start=0.0,
    s=[[1.0, 0.0], [1.0, 0.5]], p=[[3.0, 1.0], [0.0, 1.0]], end_weight=[1.0, 0.0],
    filter=3.0, error=1.0 / 12.0, loose=100.0,
)  # fmt: skip


@dataclass(frozen=True)
class Energy(Method):
    """Energy-conserving, order 2 with error control: conserves the energy of undamped mechanisms with any step, and
    momenta.

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
    works: ClassVar[tuple[str, ...]] = ("simo1991", "simo1992", "simo1995", "gonzalez1996", "bauchau2002")
    order = 2
    rows = 2
    coefficients: ClassVar[StageCoefficients] = PRESERVING

    rtol: float = 1e-6
    hard: bool = False

    def needs(self) -> Needs:
        return Needs(form="step", contact="multiplier" if self.hard else "force law")

    def functions(self) -> tuple[Kernel, Kernel, Kernel, Kernel]:
        return restart, attempt, interpolate, commit

    def connect(self, system: Any, w: March) -> StageMemory:
        own = stage_memory(system, self.title, self.coefficients)
        w.method_at, w.hard = own.address, int(own.instant.walls.contacts > 0)
        return own


@dataclass(frozen=True)
class Decay(Energy):
    """Energy-decaying, order 2 with error control: never adds energy, damps oscillations faster than the step at once.

    Order 3 where the equations are linear, else 2. In the plane and in space, beams included.

    hard: walls and stops are one-sided constraints with multipliers; impacts have the restitution the walls ask for and
        Coulomb's friction, lasting contacts that of their law
    """

    title = "energy decaying"
    reference = "Bauchau and Theron 1996; Bauchau and Rodriguez 2002"
    works = ("bauchau1996", "bauchau2002")
    coefficients = DECAYING
