"""`FlexibleStandstill`: a mechanism with beams that does not move, by its residual form (assemble.residual).

With v = 0 the accelerations a and multipliers λ solve

    [ M  -Jᵀ ] [ a ]   [ F ]
    [ J   0  ] [ λ ] = [ 0 ]

and with both held the function "tangent" gives M, and how the balance M a - F - Jᵀ λ changes with q (K), v (C) and the
internal states. Motions N that the rows allow, J N = 0, of unit modal mass Nᵀ M N = 1, then obey the same equation of
small motions as those of `Standstill`: ξ'' = Nᵀ M a - Nᵀ K N ξ - Nᵀ C N ξ' + ...
"""

from __future__ import annotations

import numpy as np

from gudgeon.analysis.rest.standstill import COUNTERS, LinearMotion, Standstill
from gudgeon.assemble import Needs, System, assemble, call_address
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.results import Run

__all__ = ["FlexibleStandstill", "standstill_of", "tangent_matrix"]

PLACES, SPEEDS = ("x", "y", "z", "angle"), ("vx", "vy", "vz", "spin", "wx", "wy", "wz")  # of a section, by name
ACCELERATIONS, VELOCITIES, POSITIONS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)  # what a change goes with


def standstill_of(mechanism: Mechanism, time: float = 0.0) -> Standstill:
    """A mechanism at a standstill, whatever its links are."""
    return FlexibleStandstill(mechanism, time) if mechanism.beams else Standstill(mechanism, time)


def tangent_matrix(system: System, y: np.ndarray, factors: tuple[float, float, float], *, time: float = 0.0,
                   memory: np.ndarray | None = None) -> np.ndarray:  # fmt: skip
    """Change of the residuals of a system with its unknowns, which bring these factors to accelerations, velocities and
    positions: (1, 0, 0) gives the mass matrix and the Jacobian of the constraints."""
    layout, plan = system.residual.layout, system.residual.plan
    weighted, values = y.copy(), np.zeros(len(plan.rows))
    weighted[layout.factors : layout.factors + 3] = factors
    m = np.zeros(system.memory) if memory is None else memory
    call_address(system.addresses["tangent"], time, weighted, system.p, m, values)
    return np.asarray(plan.dense(values))


class FlexibleStandstill(Standstill):
    """The mechanism with its drives held, at one instant [s] of its loads; accelerations and multipliers are states."""

    def __init__(self, mechanism: Mechanism, time: float = 0.0) -> None:
        super().__init__(mechanism, time)
        self.layout = self.system.residual.layout
        known = {channel.name: channel for channel in self.system.channels}
        # what is known of a beam by name is how its middle moves
        for beam in mechanism.beams:
            self.coordinates += [f"{beam}.{word}" for word in PLACES if f"{beam}.{word}" in known]
            self.speeds += [known[f"{beam}.{word}"] for word in SPEEDS if f"{beam}.{word}" in known]

    @staticmethod
    def assembled(mechanism: Mechanism) -> System:
        return assemble(mechanism, Needs(form="residual"))

    def _internal(self) -> list[int]:
        start = self.system.positions + self.system.velocities
        names = self.system.layout.internal[: self.system.residual.layout.internal]
        return [start + k for k, name in enumerate(names) if not name.endswith(COUNTERS)]

    def _inner_unknowns(self, places: list[int]) -> list[int]:
        """Places of internal states among the unknowns of a step."""
        shift = self.layout.rows - self.layout.positions
        return [k + shift for k in places]

    # -- the equations as numbers -----------------------------------------------------------------------------

    def matrix(self, y: np.ndarray, factors: tuple[float, float, float]) -> np.ndarray:
        """Change of the equations with the unknowns, these bringing factors to accelerations, velocities, positions."""
        return tangent_matrix(self.system, y, factors, time=self.time, memory=self.memory(y))

    def _solved(self, y: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What masses and rows make of forces and accelerations on the right."""
        n, rows = self.layout.velocities, self.layout.rows
        try:
            solution = np.linalg.solve(self.matrix(y, ACCELERATIONS)[: n + rows, : n + rows], right)
        except np.linalg.LinAlgError:
            raise GudgeonError(
                f'"{self.mechanism.name}": something has no inertia, such as sections of a beam that turn; give its '
                "section an inertia"
            ) from None
        return solution[:n], solution[n:]

    def balanced(self, y: np.ndarray) -> np.ndarray:
        """The state with the accelerations and multipliers that its forces bring."""
        layout, state = self.layout, y.copy()
        state[layout.accelerations : layout.multipliers + layout.rows] = 0.0
        wrong = self.call("residual", state, layout.size)[: layout.velocities + layout.rows]
        a, multipliers = self._solved(state, -wrong)
        state[layout.accelerations : layout.accelerations + layout.velocities] = a
        state[layout.multipliers : layout.multipliers + layout.rows] = multipliers
        return state

    def projected(self, y: np.ndarray) -> np.ndarray:
        layout, state = self.layout, y.copy()
        n, start = layout.velocities, layout.positions + layout.velocities
        for _ in range(30):
            off = self.call("project", state, start + 2 * layout.rows)[start : start + layout.rows]
            fix, _ = self._solved(state, np.concatenate([np.zeros(n), -off]))
            moving = state.copy()
            moving[layout.positions : start] = fix
            state[: layout.positions] += self.call("rhs", moving, self.system.states)[: layout.positions]
            if not np.isfinite(fix).all() or np.abs(fix).max(initial=0.0) < 1e-14 * self.size:
                break
        return state

    def _settled(self, y: np.ndarray) -> np.ndarray:
        return self.balanced(super()._settled(y))

    def _own_slopes(self, y: np.ndarray, places: list[int]) -> np.ndarray:
        unknowns = self._inner_unknowns(places)
        return -self.matrix(y, VELOCITIES)[np.ix_(unknowns, unknowns)]

    # -- along the motions that are allowed -------------------------------------------------------------------

    def linear(self, y: np.ndarray) -> LinearMotion:
        y, n, rows = self.balanced(y), self.layout.velocities, self.layout.rows
        whole, viscous, stiff = (self.matrix(y, factors) for factors in (ACCELERATIONS, VELOCITIES, POSITIONS))
        mass, motions = whole[:n, :n], np.eye(n)
        if rows:
            motions = np.linalg.svd(whole[n : n + rows, :n])[2][rows:].T
        modal = motions.T @ mass @ motions
        motions = motions @ np.linalg.inv(np.linalg.cholesky(0.5 * (modal + modal.T))).T
        x, a = self._inner_unknowns(self.inner), y[self.layout.accelerations : self.layout.accelerations + n]
        return LinearMotion(
            motions, mass, motions.T @ mass @ a, motions.T @ stiff[:n, :n] @ motions,
            motions.T @ viscous[:n, :n] @ motions, -motions.T @ viscous[:n, x],
            self.call("residual", y, self.layout.size)[x], -stiff[x, :n] @ motions, -viscous[x, :n] @ motions,
            -viscous[np.ix_(x, x)],
        )  # fmt: skip

    def of_run(self, run: Run) -> np.ndarray:
        """Nodes are no channels, but the state at the end of a run by the same equations has them."""
        if run.mechanism.beams != self.mechanism.beams or len(run.end.y) != self.system.states:
            raise GudgeonError(f'at: the run of "{run.name}" is one of another mechanism; run this one')
        return self.at(run.end.y)
