"""Static equilibrium of a mechanism with beams and its small vibrations, by the equations left unsolved.

With v = a = 0 the balance of forces r(q, lambda) = 0 and the rows Phi(q) = 0 are solved by Newton's method,

    [ K  -Jt ] [ dq      ]     [ r   ]
    [ J   0  ] [ dlambda ] = - [ Phi ]

and small motions about q obey  M z'' + C z' + K z - Jt mu = 0,  J z = 0:  with z = Z x and J Z = 0, a vibration of
angular frequency w and shape x solves  Zt K Z x = w^2 Zt M Z x.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gudgeon.assemble import Needs, System, assemble, call_address
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.rotation import about, after, unit_parameters

__all__ = ["Equilibrium", "Modes", "equilibrium", "modes"]

MOST_TURN = 0.5  # of an angle in one step of Newton's method [rad]
LEAST_PART = 1e-3  # of the loads, put on at a time
EASY = 8  # iterations after which the next part is larger


@dataclass(frozen=True)
class Equilibrium:
    """A position at rest: channels by name, and the state for `modes`."""

    system: System
    y: np.ndarray
    iterations: int

    def __getitem__(self, name: str) -> float:
        return self.channels[name]

    @property
    def channels(self) -> dict[str, float]:
        """Every channel of the mechanism in this position [SI]."""
        out = np.zeros(len(self.system.channels))
        call_address(self.system.addresses["channels"], 0.0, self.y, self.system.p, _touching(self.system), out)
        return {channel.name: float(x) for channel, x in zip(self.system.channels, out, strict=True)}


@dataclass(frozen=True)
class Modes:
    """Small vibrations, slowest first: angular frequencies [rad/s], ratios of damping, and shapes, one per column, in
    the order of the velocities. Frequencies of motions that nothing holds are 0."""

    frequencies: np.ndarray
    ratios: np.ndarray
    shapes: np.ndarray


class Linear:
    """The equations of a system as numbers: residuals, and matrices by factors of (a, v, q)."""

    def __init__(self, system: System) -> None:
        self.system, self.layout, self.plan = system, system.unsolved.layout, system.unsolved.plan
        self.size = self.layout.velocities + self.layout.rows  # internal states stay as they are

    def matrix(self, y: np.ndarray, factors: tuple[float, float, float]) -> np.ndarray:
        y = y.copy()
        y[self.layout.factors : self.layout.factors + 3] = factors
        values = np.zeros(len(self.plan.rows))
        call_address(self.system.addresses["tangent"], 0.0, y, self.system.p, _touching(self.system), values)
        return self.plan.dense(values)[: self.size, : self.size]

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Balance of forces, and the rows."""
        out = np.zeros(self.layout.size + 1)
        call_address(self.system.addresses["residual"], 0.0, y, self.system.p, _touching(self.system), out)
        drift = np.zeros(self.layout.positions + self.layout.velocities + 2 * self.layout.rows + 1)
        call_address(self.system.addresses["project"], 0.0, y, self.system.p, _touching(self.system), drift)
        start = self.layout.positions + self.layout.velocities
        return np.concatenate([out[: self.layout.velocities], drift[start : start + self.layout.rows]])


def _touching(system: System) -> np.ndarray:
    """The memory of a system whose contacts all touch where their surfaces overlap."""
    m = np.zeros(system.memory)
    m[: 2 * system.events : 2] = 1.0
    return m


# Newton's method may wander where a slender beam bends far: a turn that is right for bending stretches it too much.
# Then the forces that are not balanced at the start are let go in parts, r(q) - (1 - s) r(q0) = 0 with s from 0 to 1.
def equilibrium(mechanism: Mechanism, *, iterations: int = 30) -> Equilibrium:
    """Where the mechanism rests under its loads at t = 0, found from the described position; drives hold still.
    `iterations`: the most of Newton's method before a smaller part of the loads is tried."""
    system = assemble(mechanism, Needs(form="residual"))
    linear, layout = Linear(system), system.unsolved.layout
    y = system.y0.copy()
    y[layout.positions : layout.positions + layout.velocities] = 0.0
    held = linear.residual(y)
    held[layout.velocities :] = 0.0
    done, part, total = 0.0, 1.0, 0
    while done < 1.0:
        share = min(1.0, done + part)
        trial, count, moved = _balanced(linear, y, (1.0 - share) * held, iterations)
        total += count
        if moved == 0.0:
            y, done = trial, share
            part *= 2.0 if count <= EASY else 1.0
            continue
        part *= 0.2
        if part < LEAST_PART:
            raise GudgeonError(
                f'mechanism "{mechanism.name}": no equilibrium was found in {total} iterations, beyond '
                f"{100 * done:.3g} % of its loads; the last one still moved it by {moved:.2g}; describe it closer to "
                "where it rests, or hold what is free to move"
            )
    return Equilibrium(system, y, total)


def _balanced(linear: Linear, y: np.ndarray, held: np.ndarray, iterations: int) -> tuple[np.ndarray, int, float]:
    """Newton's method with forces that are held: the state, the iterations, and how far the last one moved it [m], 0
    where the forces are balanced."""
    system, layout = linear.system, linear.layout
    angular = np.array([unit == "rad/s" for unit in system.units[layout.positions :]])
    y, scale, moved = y.copy(), 0.0, 0.0
    for iteration in range(1, iterations + 1):
        wrong = linear.residual(y) - held
        try:
            step = np.linalg.solve(linear.matrix(y, (0.0, 0.0, 1.0)), -wrong)
        except np.linalg.LinAlgError:
            raise GudgeonError(
                f'mechanism "{system.mechanism.name}": something is free to move without force, so that no one '
                "position is at rest; hold it by a joint, a drive or a spring"
            ) from None
        turn = float(np.abs(step[: layout.velocities][angular]).max(initial=0.0))
        share = min(1.0, MOST_TURN / max(turn, 1e-300))
        y[: layout.positions] = _moved(y[: layout.positions], share * step[: layout.velocities])
        y[layout.multipliers : layout.multipliers + layout.rows] += share * step[layout.velocities :]
        moved = float(np.abs(step[: layout.velocities]).max())
        scale = max(scale, moved)
        if share == 1.0 and moved <= 1e-13 * max(scale, system.size):
            return y, iteration, 0.0
        if not moved < 1e12 * max(system.size, 1.0):
            break
    return y, iterations, moved


def _moved(q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Coordinates after a step; in space that of a body's axes is a rotation vector."""
    if len(q) == len(step):
        return q + step
    found = q.reshape(-1, 7).copy()
    for body, (shift, turn) in zip(found, step.reshape(-1, 2, 3), strict=True):
        angle = max(float(np.linalg.norm(turn)), 1e-300)
        body[:3] += shift
        body[3:] = unit_parameters(after(tuple(body[3:]), about(Vector(*(turn / angle)), angle)))
    return found.ravel()


def modes(where: Mechanism | Equilibrium, *, count: int | None = None) -> Modes:
    """Small vibrations about the described position, without the forces that hold it there, or about an equilibrium."""
    if isinstance(where, Mechanism):
        system = assemble(where, Needs(form="residual"))
        y = system.y0.copy()
        y[system.positions : system.positions + system.velocities] = 0.0
    else:
        system, y = where.system, where.y
    linear, n = Linear(system), system.velocities
    mass, viscous, stiff = (linear.matrix(y, c) for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    free = _null_space(mass[n:, :n], n)
    reduced = [free.T @ x[:n, :n] @ free for x in (mass, viscous, stiff)]
    lower = np.linalg.cholesky(0.5 * (reduced[0] + reduced[0].T))
    inverse = np.linalg.inv(lower)
    squares, vectors = np.linalg.eigh(inverse @ (0.5 * (reduced[2] + reduced[2].T)) @ inverse.T)
    frequencies = np.sqrt(np.maximum(squares, 0.0))
    frequencies[squares < 1e-9 * max(float(squares[-1]), 1e-300) * 1e-3] = 0.0
    x = inverse.T @ vectors
    damping = np.einsum("ij,ij->j", x, reduced[1] @ x)
    ratios = np.divide(damping, 2.0 * frequencies, out=np.zeros_like(damping), where=frequencies > 0.0)
    found = Modes(frequencies, ratios, free @ x)
    if count is None:
        return found
    return replace(found, frequencies=frequencies[:count], ratios=ratios[:count], shapes=found.shapes[:, :count])


def _null_space(rows: np.ndarray, n: int) -> np.ndarray:
    """Motions that the rows allow, orthonormal."""
    if not len(rows):
        return np.eye(n)
    _, _, right = np.linalg.svd(rows)
    return right[len(rows) :].T
