"""The largest Lyapunov exponent by twin trajectories."""

# Two runs start a little apart. After every part of a period the logarithm of the growth of their distance is noted and
# the second is brought back along the line that joins them to the old small distance (Benettin, Galgani, Giorgilli,
# Strelcyn 1980). The mean growth per time tends to the largest exponent.
#
# Each twin locates its own touches, so a difference in the time of an impact becomes a difference in state without
# any jump condition. What a contact remembers is state as well: it is brought back with the rest, but does not count
# in the distance, since in lasting contact it never changes. Where one twin touches and the other does not, there is
# no line of states between them, and they go on as they are until both are in the same mode.

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from gudgeon.analysis.motions.flow import Flow, Ruler
from gudgeon.analysis.statistics.mean import Mean, mean_of
from gudgeon.results.run import State

__all__ = ["Exponent", "MarchedTwins", "TwinPair", "exponent", "growth"]

APART = 1e-5  # of the twins, in lengths of the ruler
ABOVE, MOST = 100.0, 1e-3  # the least distance in errors of a part, but not more than this
BLURRED = 0.1  # share of an exponent that errors may make
FINER, FINEST = 10.0, 1e-11  # where the errors are too large: the tolerance by this factor, down to the last
ALIGN = 0.1  # share of the periods in which the difference finds its direction; they do not count
PARTS, FEWER = 8, 2  # of a period, between two corrections: usually, and where little grows
CALM = 10.0  # growth of a distance up to which it is little
SATURATED = 0.1  # a distance, in lengths of the ruler, that no longer grows as small ones do


class TwinPair(Protocol):
    """What `growth` follows: a way to go on, to measure and to bring a twin back. States are whatever it likes."""

    def advance(self, state: Any) -> Any:
        """The state one part later."""

    def distance(self, state: Any, twin: Any) -> float:
        """How far apart."""

    def back(self, state: Any, twin: Any, factor: float) -> Any | None:
        """The twin at `factor` times its distance from the state; None where it cannot be moved now."""


def growth(pair: TwinPair, state: Any, twin: Any, parts: int, apart: float) -> tuple[np.ndarray, Any, Any, float]:
    """Logarithm of the growth in each part, both at the end, and the largest distance on the way."""
    logs, widest = np.zeros(parts), 0.0
    before = pair.distance(state, twin)
    for k in range(parts):
        state, twin = pair.advance(state), pair.advance(twin)
        after = max(pair.distance(state, twin), 1e-300)
        logs[k] = math.log(after / before)
        widest = max(widest, after)
        moved = pair.back(state, twin, apart / after)
        if moved is not None:
            twin, after = moved, pair.distance(state, moved)
        before = after
    return logs, state, twin, widest


@dataclass(frozen=True)
class MarchedTwins:
    """Twins of a mechanism, one part of a period at a time."""

    flow: Flow
    ruler: Ruler
    parts: int = PARTS

    @property
    def rtol(self) -> float:
        return self.flow.method.rtol

    def advance(self, state: State) -> State:
        return self.flow.march(state, 1.0 / self.parts)[1]

    def distance(self, state: State, twin: State) -> float:
        return float(self.ruler.apart(twin.y, state.y))

    def back(self, state: State, twin: State, factor: float) -> State | None:
        # what hard contacts keep are modes only: touching, sticking, the sense of sliding
        modes = slice(None) if self.flow.system.needs.delassus else slice(0, 2 * self.flow.system.events, 2)
        if (state.m[modes] != twin.m[modes]).any():
            return None
        # integrals and time-like states are no part of the difference
        way = np.where(self.ruler.weights > 0.0, twin.y - state.y, 0.0)
        moved = self.flow.onto(State(state.t, state.y + factor * way, state.m + factor * (twin.m - state.m)))
        return moved if self.flow.fits(moved) else None

    def noise(self, state: State) -> np.ndarray:
        """What the tolerance leaves open in each part of a period: the distance to the same part at half of it."""
        finer, distances = replace(self, flow=self.flow.tighter(2.0)), []
        for _ in range(self.parts):
            after = self.advance(state)
            distances.append(self.distance(after, finer.advance(state)))
            state = after
        return np.array(distances)

    def beside(self, state: State, apart: float, seed: int) -> State:
        """A twin at a distance, in a direction by chance that the joints allow."""
        rng = np.random.default_rng(seed)
        weights = self.ruler.weights
        way = np.divide(rng.normal(size=len(weights)), weights, out=np.zeros(len(weights)), where=weights > 0.0)
        twin = state
        for _ in range(3):
            twin = self.flow.onto(State(state.t, state.y + apart * way, state.m))
            way = (twin.y - state.y) / max(self.distance(state, twin), 1e-300)
        return twin


@dataclass(frozen=True)
class Exponent:
    """Largest exponent per period, its parts by period, and how it was found.

    `apart` is the distance that the twins were brought back to, `widest` the largest they had, both in lengths of the
    ruler. `bias` is what errors of the march may have added in a period, `rtol` the tolerance of the twins.
    """

    values: np.ndarray  # growth in each period
    period: float  # [s]
    apart: float
    widest: float
    bias: float = 0.0
    rtol: float = 0.0

    @property
    def mean(self) -> Mean:
        """Per period, with the standard error from blocks."""
        return mean_of(self.values)

    @property
    def per_second(self) -> Mean:
        return self.mean * (1.0 / self.period)

    @property
    def resolution(self) -> float:
        """What cannot be told from zero: even neutral shear makes a distance grow as the number of periods."""
        count = max(len(self.values), 2)
        return math.log(count) / count

    @property
    def saturated(self) -> bool:
        """Whether the twins ever were so far apart that their growth was held down: the exponent is a lower bound."""
        return self.widest > SATURATED

    @property
    def blurred(self) -> bool:
        """Whether errors of the march parted the twins too: the exponent says nothing."""
        return self.bias > max(self.mean.error, BLURRED * abs(self.mean.value))


def exponent(flow: Flow, state: State, turns: int, *, ruler: Ruler | None = None, parts: int = PARTS,
             apart: float | None = None, seed: int = 1) -> tuple[Exponent, State]:  # fmt: skip
    """The largest exponent over so many periods from a settled state on, and the state at the end."""
    ruler = ruler or Ruler(flow, state)
    twins, noise = _clear(MarchedTwins(flow, ruler, parts), state, (apart or MOST) / ABOVE)
    apart = apart or float(np.clip(ABOVE * noise.max(), APART, MOST))
    twin = twins.beside(state, apart, seed)
    if not twins.distance(state, twin) > 0.1 * apart:
        # nothing is free to move: two runs are one
        return Exponent(np.full(turns, -math.inf), flow.period, apart, 0.0, 0.0, twins.rtol), state
    before = math.ceil(ALIGN * turns)
    _, state, twin, widest = growth(twins, state, twin, parts * before, apart)
    if widest > SATURATED:
        apart = max(0.1 * apart * SATURATED / widest, min(apart, APART))
        twins, noise = _clear(twins, state, apart / ABOVE)
    elif widest < CALM * apart and parts > FEWER:
        parts = FEWER
        twins = replace(twins, parts=parts)
    logs, state, _, widest = growth(twins, state, twin, parts * turns, apart)
    # errors have no direction: they add squares to the distance of a part
    bias = max(float(0.5 * np.log1p((some / apart) ** 2).sum()) for some in (noise, twins.noise(state)))
    return Exponent(logs.reshape(-1, parts).sum(axis=1), flow.period, apart, widest, bias, twins.rtol), state


def _clear(twins: MarchedTwins, state: State, limit: float) -> tuple[MarchedTwins, np.ndarray]:
    """Twins whose marches err by less than the limit in a part, or as little as they can, and by how much they do."""
    noise = twins.noise(state)
    while noise.max() > limit and twins.rtol > FINEST:
        twins = replace(twins, flow=twins.flow.tighter(FINER))
        noise = twins.noise(state)
    return twins, noise
