"""Floquet's multipliers: what is left, after a period, of small differences from a motion that repeats."""

# A small difference d from a periodic motion becomes A d after a period. A, the monodromy matrix, is not written down:
# its products with directions are central differences of two marches of a period,
#   A d = (map(x + e d) - map(x - e d)) / 2 e,
# with errors of the order of e^2, and those of the march over e. Arnoldi's process makes orthonormal directions V of
# them, with A V = V H + h r: what is left, of size h, lies along the next direction r. The eigenvalues of H with the
# largest moduli are soon those of A, since what dies out in a period adds nothing. With the last component s of its
# eigenvector, the residual of a multiplier is |h s|.
#   Directions that break constraints, or stir fast vibrations, are left behind by the first period: the process begins
# with what velocities by chance have become by then. Where a motion has a plane of symmetry, so has the process:
# differences across the plane stay so, and the marches of a pair are mirror images, whose errors cancel across it; what
# errors bring within it is left out.

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.analysis.motions.flow import Flow, Ruler, clearance
from gudgeon.analysis.motions.mirror import Mirror, axes, bodies
from gudgeon.analysis.motions.series import SAME
from gudgeon.batch.distance import lengths
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.results import Run
from gudgeon.results.run import State
from gudgeon.simulation import default_method

if TYPE_CHECKING:
    from gudgeon.methods.contract import Method

__all__ = ["Multipliers", "multipliers"]

APARTS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # distances of twins that are tried, in lengths of the ruler
MOST = 40  # directions at most
SETTLED = 1e-6  # residual at which a multiplier is known well enough, where errors of the march are less
LEANING = 0.1  # share of a change that may lie in a plane of symmetry by errors of the march
NOTHING = 1e-12  # what is left of a direction that is none


@dataclass(frozen=True)
class Multipliers:
    """The largest multipliers of a periodic motion, by their moduli, and how well they are known.

    errors: of each multiplier: its residual and the change with the size of the difference, times its condition
    number; not the error of the integration method, which a smaller rtol shows
    period [s] of the motion; returned: distance between start and end of the period, `apart`: distance of the
    neighbouring motions, both in `length` [m]; directions: their number
    """

    values: tuple[complex, ...]
    errors: tuple[float, ...]
    period: float
    returned: float
    apart: float
    length: float
    directions: int

    @property
    def radius(self) -> float:
        """The largest modulus: the growth of small differences in a period in the long run."""
        return abs(self.values[0])

    @property
    def error(self) -> float:
        """Of the radius."""
        return self.errors[0]

    @property
    def stable(self) -> bool | None:
        """Whether small differences decay; None where the error leaves it open."""
        return None if abs(self.radius - 1.0) <= self.error else self.radius < 1.0

    @property
    def exponents(self) -> np.ndarray:
        """Growth in time [1/s] of each."""
        return np.log(np.maximum(np.abs(self.values), 1e-300)) / self.period

    def __str__(self) -> str:
        word = {True: "small differences decay", False: "small differences grow", None: "undecided"}[self.stable]
        lines = [f"multipliers of a period of {self.period:.6g} s: {word}"]
        for value, error in zip(self.values, self.errors, strict=True):
            lines.append(f"  {value.real:+.6f} {value.imag:+.6f} i   modulus {abs(value):.6f} +- {error:.1g}")
        lines.append(f"  the motion returns to within {self.returned * self.length:.2g} m")
        return "\n".join(lines)


def multipliers(source: Mechanism | Run, *, count: int = 2, transient: float = 100.0, returns: int = 1,
                kick: Sequence[float] | None = None, method: str | Method | None = None, rtol: float | None = None,
                period: float | str | None = None, seed: int = 1) -> Multipliers:  # fmt: skip
    """The `count` largest Floquet multipliers of the periodic motion of a mechanism.

    source     a mechanism, of which `transient` periods are computed first; or a run, which is continued from its end
    returns    number of periods of the drive after which the motion repeats: 2 after a period doubling
    kick       normal of a plane of symmetry, to examine only motions out of this plane; default: all motions
    method, rtol   as in `simulate`, default "dopri5" at 1e-9, with beams "alpha" at 1e-8. Changing steps cause
               noise; a method whose largest step is seldom reduced, Alpha(rtol=1e-6, step=...), has little
    period     [s] of drives and loads; default: the turn of the joint that is driven at constant speed
    seed       of the first direction

    A motion that does not repeat is refused. At the instant where the period starts, all neighbouring motions must
    have the same contacts open and closed; with a run that ends elsewhere in the period this instant is another one.
    """
    if count < 1 or returns < 1:
        raise GudgeonError(f"multipliers: count={count} and returns={returns} must be 1 or more")
    if not transient >= 0.0:
        raise GudgeonError(f"multipliers: transient={transient} must not be negative")
    mechanism = source.mechanism if isinstance(source, Run) else source
    chosen = method or default_method(mechanism)
    flow = Flow.of(mechanism, method=chosen, rtol=rtol, period=period,
                   coordinates="auto" if kick is None else "absolute")  # fmt: skip
    state = source.end if isinstance(source, Run) else flow.start
    if len(state.y) != flow.system.states:
        raise GudgeonError(f'multipliers: the run of "{mechanism.name}" has other coordinates; give the mechanism')
    if transient > 0.0 and not isinstance(source, Run):
        state = flow.march(state, transient)[1]
    along = _direction(flow, kick)
    pushed = _pushed(flow, along, seed)
    near = Neighbours(flow, Ruler(flow, state, _room(flow)), state, returns, along)
    if near.returned > SAME:
        raise GudgeonError(
            f'multipliers: "{mechanism.name}" does not repeat after {returns} periods, it misses its start by '
            f"{near.returned * near.ruler.length:.2g} m; give a longer transient=, or returns= where it repeats later"
        )
    first = near.all_after(pushed / near.size(pushed), APARTS[1:], 1)[0][1]
    if not near.size(first) > NOTHING:
        raise GudgeonError(f'multipliers: "{mechanism.name}": there is no degree of freedom, or kick= does not act '
                           'on one')
    apart, noise = near.reach(first / near.size(first))
    if near.mirror is not None and near.lost > LEANING:
        raise GudgeonError(
            f'multipliers: kick {kick!r} is not perpendicular to a plane of symmetry of "{mechanism.name}": '
            f"{100 * near.lost:.2g} % of the motion that it causes lies in that plane; leave kick out to examine "
            "all motions"
        )
    values, errors, directions = _arnoldi(near, first, apart, noise, count)
    return Multipliers(values, errors, returns * flow.period, near.returned, apart, near.ruler.length, directions)


class Neighbours:
    """Motions beside a periodic one, over one period of it: differences (y, m) from its state, those that count by a
    ruler."""

    def __init__(self, flow: Flow, ruler: Ruler, state: State, returns: int, kick: np.ndarray | None) -> None:
        self.flow, self.ruler, self.state, self.returns = flow, ruler, state, returns
        system = flow.system
        inner = system.residual.layout.internal if system.residual is not None else len(system.layout.internal)
        self.own = system.positions + system.velocities + inner  # states that a motion goes on from
        self.mirror = None if kick is None else Mirror(flow, kick, state.y)
        self.lost = 1.0  # least share of a change that did not lie across the plane
        self.end = flow.march(state, returns)[1]
        self.returned = float(ruler.apart(self.end.y, state.y))

    def product(self, a: np.ndarray, b: np.ndarray) -> float:
        """Of two differences, in lengths of the ruler."""
        n = len(self.state.y)
        return float((a[:n] * self.ruler.weights) @ (b[:n] * self.ruler.weights))

    def size(self, a: np.ndarray) -> float:
        return math.sqrt(self.product(a, a))

    def after(self, way: np.ndarray, apart: float) -> np.ndarray:
        """What a small difference becomes in a period."""
        ahead, behind = (self._end_beside(way, side) for side in (apart, -apart))
        change, n = np.zeros(len(way)), len(self.state.y)
        change[: self.own] = self.ruler.difference(ahead.y, behind.y)[: self.own]
        change[n:] = ahead.m - behind.m
        if self.mirror is None:
            return change / (2.0 * apart)
        across = self.mirror.across(change)
        self.lost = min(self.lost, self.size(change - across) / max(self.size(change), 1e-300))
        return across / (2.0 * apart)

    def _end_beside(self, way: np.ndarray, apart: float) -> State:
        n, system = len(self.state.y), self.flow.system
        y = self.state.y + apart * way[:n]
        for k in np.flatnonzero(np.array(system.units[: system.positions]) == "1").reshape(-1, 4):
            y[k] /= math.sqrt(y[k] @ y[k])
        begun = self.flow.onto(State(self.state.t, y, self.state.m + apart * way[n:]))
        end = self.flow.march(begun, self.returns)[1]
        modes = slice(None) if system.needs.delassus else slice(0, 2 * system.events, 2)
        if not self.flow.fits(begun) or (end.m[modes] != self.end.m[modes]).any():
            raise GudgeonError(
                f'multipliers: where the period of "{system.mechanism.name}" starts, a contact begins or ends within '
                f"{abs(apart) * self.ruler.length:.2g} m; start elsewhere in the period, from a run that ends there"
            )
        return end

    def all_after(self, way: np.ndarray, aparts: Sequence[float], least: int) -> list[tuple[float, np.ndarray]]:
        """What the difference becomes by distances of twins, without those that are too far apart to be marched or
        across which contacts begin or end."""
        changes: list[tuple[float, np.ndarray]] = []
        for apart in aparts:
            try:
                changes.append((apart, self.after(way, apart)))
            except GudgeonError:
                if apart == aparts[-1] and len(changes) < least:
                    raise
            if least == len(changes) == 1:
                break
        return changes

    def reach(self, way: np.ndarray) -> tuple[float, float]:
        """The distance of twins where it matters least, and how much it matters: by what the change differs between
        distances ten times apart."""
        changes = self.all_after(way, APARTS, 2)
        size = max(self.size(change) for _, change in changes)
        jumps = [self.size(b - a) / size for (_, a), (_, b) in pairwise(changes)]
        best = int(np.argmin(jumps))
        return math.sqrt(changes[best][0] * changes[best + 1][0]), jumps[best]


def _arnoldi(near: Neighbours, first: np.ndarray, apart: float, noise: float, count: int
             ) -> tuple[tuple[complex, ...], tuple[float, ...], int]:  # fmt: skip
    """The multipliers, their errors and how many directions they took."""
    ways, columns = [first / near.size(first)], np.zeros((MOST + 1, MOST))
    for k in range(MOST):
        rest = near.after(ways[k], apart)
        whole = near.size(rest)
        for _ in range(2):
            # once more for what rounding left
            for j, way in enumerate(ways):
                share = near.product(way, rest)
                columns[j, k] += share
                rest = rest - share * way
        left = near.size(rest)
        values, errors = _ritz(columns[: k + 1, : k + 1], left, noise)
        done = left <= max(noise, NOTHING) * whole
        if done or (k + 1 >= count and max(errors[:count]) <= max(SETTLED, 2.0 * noise)):
            break
        columns[k + 1, k] = left
        ways.append(rest / left)
    return tuple(complex(x) for x in values[:count]), tuple(float(x) for x in errors[:count]), k + 1


def _ritz(matrix: np.ndarray, left: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues, the largest first, with errors: residuals and noise, times condition numbers."""
    values, right = np.linalg.eig(matrix)
    # rows of the inverse are the left eigenvectors, scaled to have the product 1 with the right ones
    condition = np.linalg.norm(np.linalg.pinv(right), axis=1) * np.linalg.norm(right, axis=0)
    errors = condition * (left * np.abs(right[-1]) + noise * np.linalg.norm(matrix, 2))
    order = np.argsort(-np.abs(values), kind="stable")
    return values[order], errors[order]


def _room(flow: Flow) -> float:
    """What differences are small against [m]: the smallest clearance, of walls or films, else the whole mechanism."""
    system = flow.system
    clearances = [clearance(system), *(film.clearance for film in system.films)]
    return min((x for x in clearances if x), default=system.size)


def _pushed(flow: Flow, along: np.ndarray | None, seed: int) -> np.ndarray:
    """Velocities by chance: of all kinds, or of all bodies along a direction."""
    system, rng = flow.system, np.random.default_rng(seed)
    way = np.zeros(system.states + system.memory)
    if along is None:
        length, speeds = lengths(system.size, flow.period / (2.0 * np.pi)), system.units[system.positions :]
        way[system.positions : system.positions + len(speeds)] = [rng.normal() / length[unit] for unit in speeds]
        return way
    for _, k in bodies(flow):
        way[k : k + len(along)] = rng.normal() * along
    return way


def _direction(flow: Flow, kick: Sequence[float] | None) -> np.ndarray | None:
    """The kick as a unit vector."""
    if kick is None:
        return None
    count, along = axes(flow), np.array([quantity(x, "", "kick") for x in kick])
    if len(along) != count or not np.linalg.norm(along) > 0.0:
        raise GudgeonError(f"multipliers: kick {kick!r} must be a direction of {count} numbers")
    unit: np.ndarray = along / np.linalg.norm(along)
    return unit
