"""Links with modes over a step: their mass changes with the position, and their energy is still exact.

With the momenta p = M(q) v, the kinetic energy T = v . p / 2 changes between the states a and b by

    T_b - T_a = (v_a + v_b)/2 . (p_b - p_a) - 1/2 v_a . (M_b - M_a) v_b

So the step ψ = h (v_a + v_b)/2 with the force K along the secant slopes of B = v_a . M(q) v_b, both velocities held,

    (p_b - p_a) / h + K + F = 0,     K = -1/2 D B,     ψ . D B = v_a . (M_b - M_a) v_b

has the work of F, and nothing else, as the change of T. A jump from i to j in which v_j is the velocity has

    T_j - T_i = v_j . (p_j - p_i) - 1/2 v_j . (M_j - M_i) v_j - 1/2 (v_j - v_i) . M_i (v_j - v_i)

so that with v_j in place of both velocities of B the jump takes its own energy, as with a constant mass, and the two
stages of the method decay lose just that of both jumps. Function

    inertia         w_p p + w_k K, p at b
    inertia_tangent its changes: c_b and c_u by positions and velocities of b, c_a and c_w by those of a

They read a y that is longer still: behind the internal states of a come the velocities of a, w_p, w_k and c_w, and two
numbers of beams of space (spatial_beam.py). Weight and elasticity of the modes follow the rules of all others:
secant slopes of the potential, mean deflections.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gudgeon.assemble.flexible.modal import FRAME, ModalBody
from gudgeon.assemble.trace.trace import Trace
from gudgeon.compile.graph import Direction, Scalar

if TYPE_CHECKING:
    from gudgeon.assemble.residual.form import Entries
    from gudgeon.assemble.residual.step.kinematics import StepKinematics

MORE = 5  # numbers behind the velocities of a: w_p, w_k, c_w, w_t, w_w


class ModalSteps:
    """What the links with modes of a trace add to the functions of steps; places in y from `start` on are free."""

    def __init__(self, trace: Trace, kinematics: StepKinematics, start: int) -> None:
        self.trace, self.kinematics, self.graph = trace, kinematics, trace.graph
        count = len(trace.equations.v)
        self.before = trace.graph.inputs("y", count, start)
        self.w_p, self.w_k, self.c_w, *_ = trace.graph.inputs("y", MORE, start + count)
        beams = bool(trace.beams) and not trace.mechanism.planar
        self.length = count + MORE if trace.modal or beams else 0

    def _links(self) -> list[tuple[int, ModalBody]]:
        return [(self.trace.first_velocity(link), link) for link in self.trace.modal.values()]

    def stored(self, forces: list[Scalar], stress: Callable[[Scalar], Scalar]) -> None:
        """Add forces along secant slopes to those between two states; `stress` gives what counts of a deflection."""
        for first, link in self._links():
            for k, (stiffness, q) in enumerate(zip(link.stiffness, link.modal, strict=True), first + FRAME):
                forces[k] = forces[k] + stiffness * stress(q)
            if self.trace.loads.gravity is not None:
                for k, x in self.kinematics.slope(link.potential_energy(self.trace.loads.gravity)).items():
                    forces[k] = forces[k] + x

    def take_off(self, forces: list[Scalar]) -> None:
        """Leave of the forces at one state what is neither stored nor inertia."""
        for first, link in self._links():
            for k, x in enumerate(link.gyroscopic(), first):
                forces[k] = forces[k] + x
            for k, (stiffness, q) in enumerate(zip(link.stiffness, link.modal, strict=True), first + FRAME):
                forces[k] = forces[k] - stiffness * q
            gravity = self.trace.loads.gravity
            for k, x in enumerate(() if gravity is None else link.weight(gravity), first):
                forces[k] = forces[k] + x

    def inertia(self) -> list[Scalar]:
        forces = [self.graph.zero] * len(self.before)
        for first, link in self._links():
            both = self.graph.zero
            for k, p in enumerate(link.momenta, first):
                forces[k] = self.w_p * p
                both = both + self.before[k] * p
            for k, x in self.kinematics.slope(both).items():
                forces[k] = forces[k] - 0.5 * (self.w_k * x)
        return forces

    def changes(self, values: list[Scalar], c_b: Scalar, c_a: Scalar, c_u: Scalar) -> Entries:
        entries: dict[Any, Scalar] = {}
        for first, link in self._links():
            own = range(first, first + len(link.v))
            for j in own:
                speeds = [(self.trace.equations.v[j], c_u), (self.before[j], self.c_w)]
                seeds = [*self.kinematics.seeds(j, c_b, c_a), *speeds]
                along = Direction(self.graph, seeds)
                entries |= {(i, j): along(values[i]) for i in own}
        return {pair: x for pair, x in entries.items() if x is not self.graph.zero}
