"""`Standstill`: a mechanism that does not move, as numbers. Forces out of balance, stiffness, damping and mass along
the motions that its constraints allow.

The compiled functions of the system say all of it. With velocities v = 0 at the coordinates q:

- the rates of the coordinates are linear in v, q' = B v: one call of `rhs` for each velocity gives a column of B;
- the kinetic energy is vᵀ M v / 2: its values at unit velocities and their sums give M, by the channel of the ledger;
- `project` takes from a velocity what the constraints do not allow, by the metric of M: with M = L Lᵀ the matrix
  Lᵀ P L⁻ᵀ is an orthogonal projector, whose eigenvectors u of eigenvalue 1 give the motions N = L⁻ᵀ u, Nᵀ M N = 1;
- `jacobian` has the derivatives of the accelerations a by q, v and the internal states x, constraint forces included.

A small motion along N by ξ then obeys ξ'' = g - K ξ - C ξ' + G x, with g = Nᵀ M a and

    K = -Nᵀ M (∂a/∂q) B N,    C = -Nᵀ M (∂a/∂v) N,    G = Nᵀ M (∂a/∂x)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.assemble import Needs, System, assemble, call_address
from gudgeon.assemble.report.channels import WORDS
from gudgeon.model import Mechanism
from gudgeon.model.builder.vary import locked
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.results import Run

__all__ = ["LinearMotion", "Standstill"]

SETTLED = 1e300  # [m/s] first-touch speed of a contact that came to be without an impact: its damping is none
NUDGE = 1e-9  # of the size of the mechanism
COUNTERS = (".turns", ".motion")  # states that only count, and push nothing


@dataclass(frozen=True)
class LinearMotion:
    """A mechanism about a standstill: ξ'' = force - stiffness ξ - damping ξ' + push x, and for the internal states
    x' = rate + pull ξ + drag ξ' + own x. `motions` N are the columns in terms of velocities, of unit modal mass."""

    motions: np.ndarray
    mass: np.ndarray
    force: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    push: np.ndarray
    rate: np.ndarray
    pull: np.ndarray
    drag: np.ndarray
    own: np.ndarray

    @property
    def symmetric(self) -> np.ndarray:
        return 0.5 * (self.stiffness + self.stiffness.T)


class Standstill:
    """The mechanism with its drives held, at one instant [s] of its loads."""

    def __init__(self, mechanism: Mechanism, time: float = 0.0) -> None:
        self.mechanism, self.time = mechanism, time
        self.system = system = self.assembled(locked(mechanism))
        self.size = system.size
        self.index = {channel.name: k for k, channel in enumerate(system.channels)}
        self.speeds = [channel for channel in system.channels if channel.label == "velocity"]
        owned = [channel for channel in system.channels if channel.name.rpartition(".")[0] in mechanism.bodies]
        self.coordinates = [channel.name for channel in owned if channel.label in WORDS.values()]
        self.inner, start = self._internal(), system.positions + system.velocities
        self.currents = [k for k in self.inner if system.layout.internal[k - start].endswith(".current")]
        self.angular = np.array([unit == "rad/s" for unit in system.units[system.positions :]], dtype=bool)
        self.reach = np.where(self.angular, self.size, 1.0)  # what a unit of each velocity moves at the size [m]

    @staticmethod
    def assembled(mechanism: Mechanism) -> System:
        """The system of the mechanism, with what is asked of it here."""
        return assemble(mechanism, Needs(jacobian=True, formula=True))

    def _internal(self) -> list[int]:
        """Places in y of the internal states that push something."""
        start = self.system.positions + self.system.velocities
        return [k for k, name in enumerate(self.system.layout.internal, start) if not name.endswith(COUNTERS)]

    @property
    def blocks(self) -> dict[str, slice]:
        """Places of the velocities of each body and beam."""
        blocks, start = {}, 0
        sizes = {name: len(body.velocities) for name, body in self.mechanism.bodies.items()}
        nodes = {name: beam.nodes for name, beam in self.mechanism.beams.items()}
        rest = self.system.velocities - sum(sizes.values())
        sizes |= {name: rest * count // sum(nodes.values()) for name, count in nodes.items()}
        for name, size in sizes.items():
            blocks[name], start = slice(start, start + size), start + size
        return blocks

    def start(self) -> np.ndarray:
        """The state as assembled, at rest."""
        return self.at(self.system.y0)

    def at(self, q: np.ndarray) -> np.ndarray:
        """The state with these coordinates in front, at rest, with the currents that flow then."""
        system, state = self.system, self.system.y0.copy()
        state[: system.positions] = q[: system.positions]
        state[system.positions : system.positions + system.velocities] = 0.0
        return self._settled(self.projected(state))

    def _settled(self, y: np.ndarray) -> np.ndarray:
        """The state with currents that do not change."""
        if not self.currents:
            return y
        state, places = y.copy(), self.currents
        rates = self.call("rhs", y, self.system.states)[places]
        own = self._own_slopes(y, places)
        if np.abs(np.diag(own)).min() == 0.0:
            names = [name for name, motor in self.mechanism.motors.items() if motor.resistance == 0.0]
            raise GudgeonError(f"motor of {in_words(names)}: without resistance its current never becomes "
                               "constant; give it one")
        state[places] -= np.linalg.solve(own, rates)
        return state

    def _own_slopes(self, y: np.ndarray, places: list[int]) -> np.ndarray:
        """Change of the rates of internal states with these states themselves."""
        return self.jacobian(y)[np.ix_(places, places)]

    def of_run(self, run: Run) -> np.ndarray:
        """The state with the coordinates of the end of a run, at rest."""
        missing = [name for name in self.coordinates if name not in run]
        if missing:
            raise GudgeonError(f'at: the run of "{run.name}" has no channel "{missing[0]}"; record it too')
        return self.at(np.array([run[name][-1] for name in self.coordinates]))

    # -- the functions of the system ------------------------------------------------------------------------

    def call(self, name: str, y: np.ndarray, size: int, m: np.ndarray | None = None) -> np.ndarray:
        out = np.zeros(max(size, 1))
        memory = self.memory(y) if m is None else m
        call_address(self.system.addresses[name], self.time, np.ascontiguousarray(y), self.system.p, memory, out)
        return out[:size]

    def memory(self, y: np.ndarray) -> np.ndarray:
        """Contacts as their depths say."""
        events, m = self.system.events, np.zeros(self.system.memory)
        if events:
            depth = self.call("gaps", y, 3 * events, m)[::3]
            m[: 2 * events : 2] = depth > 0.0
            m[1 : 2 * events : 2] = np.where(depth > 0.0, SETTLED, 0.0)
        return m

    def channels(self, y: np.ndarray) -> dict[str, float]:
        values = self.call("channels", y, len(self.system.channels))
        return {name: float(values[k]) for name, k in self.index.items()}

    def jacobian(self, y: np.ndarray) -> np.ndarray:
        """Derivatives of the rates of states under error control, by the same states."""
        n, width = self.system.controlled, self.system.states
        entries = self.call("jacobian", y, n * width)
        if not np.isfinite(entries).all():
            # in the very centre of a bushing its radius has no second derivative; right beside it there is one
            m, beside = self.memory(y), NUDGE * self.size * np.cos(np.arange(self.system.positions))
            sides = [y + sign * np.pad(beside, (0, width - len(beside))) for sign in (1.0, -1.0)]
            entries = np.mean([self.call("jacobian", side, n * width, m) for side in sides], axis=0)
        if not np.isfinite(entries).all():
            raise GudgeonError(
                f'"{self.mechanism.name}": the forces have no derivatives in this position; move it a little'
            )
        return entries.reshape(n, width)[:, :n]

    def projected(self, y: np.ndarray) -> np.ndarray:
        """The coordinates brought onto the constraints."""
        system = self.system
        if system.rows == 0:
            return y
        state, n = y.copy(), system.positions
        width = n + system.velocities + 2 * system.rows
        for _ in range(30):
            fix = self.call("project", state, width)
            state[:n] += fix[:n]
            if not np.isfinite(fix).all() or np.abs(fix[:n]).max() < 1e-14 * self.size:
                break
        return state

    # -- along the motions that are allowed -----------------------------------------------------------------

    def _unit_speeds(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """B, M and P as in the heading."""
        system, m = self.system, self.memory(y)
        n, nv = system.positions, system.velocities
        kinetic = self.index["energy.kinetic"]
        width = n + nv + 2 * system.rows

        def moving(*places: int) -> np.ndarray:
            state = y.copy()
            for k in places:
                state[n + k] += 1.0
            return state

        def energy(*places: int) -> float:
            return float(self.call("channels", moving(*places), len(system.channels), m)[kinetic])

        rates = np.column_stack([self.call("rhs", moving(k), system.states, m)[:n] for k in range(nv)])
        own = [energy(k) for k in range(nv)]
        mass = np.diag(2.0 * np.array(own))
        for i in range(nv):
            for j in range(i):
                mass[i, j] = mass[j, i] = energy(i, j) - own[i] - own[j]
        # sums and differences leave rounding where there is nothing
        scale = np.sqrt(np.outer(np.diag(mass), np.diag(mass)))
        mass[np.abs(mass) < 1e-14 * scale] = 0.0
        kept = np.eye(nv)
        if system.rows:
            still = self.call("project", y, width, m)[n : n + nv]
            fixes = [self.call("project", moving(k), width, m)[n : n + nv] - still for k in range(nv)]
            kept = kept + np.column_stack(fixes)
        return rates, mass, kept

    def linear(self, y: np.ndarray) -> LinearMotion:
        """The equations of small motions about a state at rest."""
        system = self.system
        n, nv = system.positions, system.velocities
        rates, mass, kept = self._unit_speeds(y)
        lower = np.linalg.cholesky(mass)
        turned = np.linalg.solve(lower, (lower.T @ kept).T).T  # Lᵀ P L⁻ᵀ
        values, vectors = np.linalg.eigh(0.5 * (turned + turned.T))
        motions = np.linalg.solve(lower.T, vectors[:, values > 0.5])
        slopes, speeds, x = self.jacobian(y), slice(n, n + nv), self.inner
        right = self.call("rhs", y, system.states)
        left = motions.T @ mass
        along = rates @ motions
        return LinearMotion(
            motions, mass, left @ right[speeds], -left @ slopes[speeds, :n] @ along,
            -left @ slopes[speeds, speeds] @ motions, left @ slopes[speeds][:, x], right[x], slopes[x, :n] @ along,
            slopes[x, speeds] @ motions, slopes[np.ix_(x, x)],
        )  # fmt: skip

    def shape(self, y: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """What a velocity at a state at rest is in the channels `speeds`, which are linear in it."""
        places, n = [self.index[channel.name] for channel in self.speeds], self.system.positions
        parts = []
        for part in (velocity.real, velocity.imag):
            moving = y.copy()
            moving[n : n + self.system.velocities] = part
            parts.append(self.call("channels", moving, len(self.system.channels))[places])
        return np.asarray(parts[0] + 1j * parts[1])

    def lengths(self, shape: np.ndarray) -> np.ndarray:
        """Magnitudes of a shape, angles by the size of the mechanism."""
        arms = [self.size if channel.unit == "rad/s" else 1.0 for channel in self.speeds]
        return np.asarray(np.abs(shape) * np.array(arms))

    def moved(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The state after a small motion, given in velocities, back on the constraints."""
        moved, n = y.copy(), self.system.positions
        moved[:n] = self.stepped(y, step)
        moved[n : n + self.system.velocities] = 0.0
        return self._settled(self.projected(moved))

    def stepped(self, y: np.ndarray, step: np.ndarray) -> np.ndarray:
        """The coordinates after a step, given in velocities; constraints may then be violated."""
        moving, n = y.copy(), self.system.positions
        moving[n : n + self.system.velocities] = step
        coordinates = y[:n] + self.call("rhs", moving, self.system.states)[:n]
        for k in self._parameters():
            coordinates[k] /= np.linalg.norm(coordinates[k])
        return coordinates

    def _parameters(self) -> list[np.ndarray]:
        """Places of Euler parameters, by fours."""
        places = np.flatnonzero(np.array(self.system.units[: self.system.positions]) == "1")
        return list(places.reshape(-1, 4))
