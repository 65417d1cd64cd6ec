"""Largest exponents of many motions at once: as `analysis.motions.lyapunov.exponent`, its marches on a card."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gudgeon.analysis.motions.flow import SHORTEST
from gudgeon.analysis.motions.lyapunov import (
    ABOVE,
    ALIGN,
    APART,
    CALM,
    FEWER,
    FINER,
    FINEST,
    MOST,
    PARTS,
    SATURATED,
    Exponent,
)  # fmt: skip
from gudgeon.analysis.statistics.mean import Mean, means_of
from gudgeon.batch.batch import Batch
from gudgeon.batch.distance import length_units, lengths
from gudgeon.batch.inputs import place_of
from gudgeon.batch.kinds import Trajectories, Twins
from gudgeon.batch.machine import Machine
from gudgeon.batch.program import Wanted
from gudgeon.methods.contract import Method

__all__ = ["Exponents", "Parting"]

TIGHTEST = 1e-13  # as Flow.tighter has it
Given = Mapping[int, np.ndarray]


@dataclass(frozen=True)
class Tries:
    """The tries that most trajectories need at most; see `Batch.run`."""

    per_turn: int = 50_000

    def of(self, turns: float) -> int:
        return int(min(self.per_turn * max(turns, 1.0), 2**31 - 1))


@dataclass(frozen=True)
class Settled(Exponent):
    """An exponent whose mean was found together with others."""

    given: Mean = field(default_factory=lambda: Mean(0.0, 0.0))

    @property
    def mean(self) -> Mean:
        return self.given


class Parting:
    """Marches of many trajectories from any states: one at a time, or in pairs."""

    def __init__(self, machine: Machine, system: Any, inputs: np.ndarray, varying: set[int], method: Method, *,
                 pairs: bool) -> None:  # fmt: skip
        self.system, self.method, self.tries = system, method, Tries()
        free = {place_of(system, name) for name in ("period", "longest", "first", "rtol")}
        rows = range(system.controlled + system.memory)
        self.one = Batch(machine, Trajectories, system, inputs, varying | free, Wanted(states=tuple(rows)), method)
        if pairs:
            more = {place_of(system, name) for name in ("parts", "apart", "length", "time")}
            self.two = Batch(machine, Twins, system, inputs, varying | free | more, method=method)

    def columns(self, given: Given, **extra: Any) -> dict[int, np.ndarray]:
        """The columns with some of EXTRA set."""
        return {**given, **{place_of(self.system, name): value for name, value in extra.items()}}

    def march(self, given: Given, state: np.ndarray, span: np.ndarray, period: np.ndarray, rtol: np.ndarray,
              turns: int = 1) -> Any:  # fmt: skip
        """So many times the span [s] on; the section has all states at the end of each."""
        longest, first = self.method.step_lengths(span, np.minimum(period / SHORTEST, span))
        columns = self.columns(given, period=span, longest=longest, first=first, rtol=rtol)
        return self.one.run(columns, {"state": state}, turns, self.tries.of(turns * float((span / period).max())))

    def arms(self, length: np.ndarray, size: np.ndarray, time: np.ndarray) -> np.ndarray:
        """What states count in a distance (state, trajectory), as `analysis.motions.flow.Ruler` has them."""
        by_unit, many = lengths(size, time), len(length)
        return np.array([np.broadcast_to(by_unit[unit], many) for unit in length_units(self.system)]) / length


class Exponents:
    """Exponents of trajectories from settled states on. All arrays have one element or column per trajectory."""

    def __init__(self, parting: Parting, given: Given, state: np.ndarray, period: np.ndarray, length: np.ndarray,
                 size: np.ndarray, rtol: float, seed: int) -> None:  # fmt: skip
        self.parting, self.given, self.state, self.period, self.length = parting, given, state, period, length
        self.time = period / (2.0 * np.pi)
        self.arms = parting.arms(length, size, self.time)
        self.rtol = np.full(len(period), max(rtol, TIGHTEST))
        self.seed, self.fine = seed, np.ones(len(period), dtype=bool)

    def _at(self, which: np.ndarray) -> dict[int, np.ndarray]:
        return {place: column[which] for place, column in self.given.items()}

    def noise(self, state: np.ndarray, which: np.ndarray, parts: int) -> np.ndarray:
        """What the tolerance leaves open in each part of a period (part, of those chosen)."""
        parting, n = self.parting, self.parting.system.controlled
        period, rtol, given = self.period[which], self.rtol[which], self._at(which)
        span = period / parts
        start = state[:, which].copy()
        start[1] = 0.0
        out = parting.march(given, start, span, period, rtol, parts)
        ends = out["section"]
        begins = np.empty((parts, *start.shape))
        begins[:, 0] = start[0] + np.arange(parts)[:, None] * span
        begins[:, 1] = 0.0
        begins[0, 2:], begins[1:, 2:] = start[2:], ends[:-1]
        again = {place: np.tile(column, parts) for place, column in given.items()}
        finer = np.tile(np.maximum(rtol / 2.0, TIGHTEST), parts)
        other = parting.march(again, np.concatenate(list(begins), axis=1), np.tile(span, parts), np.tile(period, parts),
                              finer)  # fmt: skip
        theirs = np.stack(np.split(other["state"][2 : 2 + n], parts, axis=1))
        apart = np.sqrt((((ends[:, :n] - theirs) * self.arms[:, which]) ** 2).sum(axis=1))
        bad = (out.results["status"] != 0) | (other.results["status"].reshape(parts, -1) != 0).any(axis=0)
        self.give_up(which[bad])
        return np.asarray(np.where(np.isfinite(apart), apart, 0.0))

    def clear(self, state: np.ndarray, which: np.ndarray, limit: np.ndarray, noise: np.ndarray) -> None:
        """Tighten the tolerance of those chosen until their marches err by less than the limit in a part."""
        finest = max(FINEST, TIGHTEST)
        while len(which):
            noise[:, which] = self.noise(state, which, PARTS)
            which = which[(noise[:, which].max(axis=0) > limit[which]) & (self.rtol[which] > finest)]
            self.rtol[which] = np.maximum(self.rtol[which] / FINER, TIGHTEST)

    def beside(self, apart: np.ndarray) -> np.ndarray:
        """Twins in a direction by chance; the card brings them onto the constraints."""
        n = self.parting.system.controlled
        chance = np.random.default_rng(self.seed).normal(size=self.parting.system.states)[:n, None]
        way = np.divide(chance, self.arms, out=np.zeros_like(self.arms), where=self.arms > 0.0)
        twin = self.state.copy()
        twin[2 : 2 + n] += apart * way
        return twin

    def growth(self, twin: np.ndarray, turns: int, parts: np.ndarray, apart: np.ndarray, *, fresh: bool) -> Any:
        """So many periods of both on."""
        parting, span = self.parting, self.period / parts
        longest, first = parting.method.step_lengths(span, np.minimum(self.period / SHORTEST, span))
        columns = parting.columns(self.given, period=span, longest=longest, first=first, rtol=self.rtol,
                                  parts=parts, apart=apart, length=self.length, time=self.time)  # fmt: skip
        out = parting.two.run(columns, {"state": self.state, "twin": twin}, turns, parting.tries.of(1), int(fresh))
        self.state = out["state"]
        self.give_up(np.flatnonzero(out.results["status"] != 0))
        return out

    def give_up(self, which: np.ndarray) -> None:
        """Those that cannot be marched are at no time, where no march goes on."""
        self.fine[which] = False
        self.state[0, which] = np.nan

    def over(self, turns: int) -> list[Exponent]:
        """The exponents over so many periods."""
        every, many = np.arange(len(self.period)), len(self.period)
        noise = np.zeros((PARTS, many))
        self.clear(self.state, every, np.full(many, MOST / ABOVE), noise)
        apart = np.clip(ABOVE * noise.max(axis=0), APART, MOST)
        parts = np.full(many, float(PARTS))
        out = self.growth(self.beside(apart), math.ceil(ALIGN * turns), parts, apart, fresh=True)
        still, widest = ~(out.results["began"] > 0.1 * apart), out.results["widest"]
        fast, calm = widest > SATURATED, widest < CALM * apart
        closer = np.maximum(0.1 * apart * SATURATED / np.maximum(widest, 1e-300), np.minimum(apart, APART))
        apart = np.where(fast, closer, apart)
        self.clear(self.state, np.flatnonzero(fast & ~still & self.fine), apart / ABOVE, noise)
        parts = np.where(calm & ~fast, float(FEWER), parts)
        out = self.growth(out["twin"], turns, parts, apart, fresh=False)
        later = np.zeros((PARTS, many))
        for number in (FEWER, PARTS):
            which = np.flatnonzero((parts == number) & self.fine)
            if len(which):
                later[:number, which] = self.noise(self.state, which, number)
        # errors have no direction: they add squares to the distance of a part
        bias = np.maximum(*(0.5 * np.log1p((some / apart) ** 2).sum(axis=0) for some in (noise, later)))
        values = np.where(still, -math.inf, out["logs"])
        mean, error = means_of(values)
        return [
            Settled(values[:, k], float(self.period[k]), float(apart[k]), 0.0 if still[k] else float(widest_k),
                    float(bias[k]), float(self.rtol[k]), Mean(float(mean[k]), float(error[k])))
            for k, widest_k in enumerate(out.results["widest"])
        ]  # fmt: skip
