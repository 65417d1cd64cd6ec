"""The regime of a motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gudgeon.analysis.measures.measure import ManyMotions, Measure, Value
from gudgeon.analysis.motions.motion import LEAST, Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class RegimeOf(Measure):
    """Kind of the motion (periodic, chaotic, ...) and its numbers, see `regime`."""

    word = "regime"
    settled = True
    least_turns = LEAST
    twins = True

    @property
    def names(self) -> tuple[str, ...]:
        return ("regime", "period", "confidence", "exponent", "exponent error", "residual", "k01", "horizon")

    def take(self, motion: Motion) -> dict[str, Value]:
        return motion.regime.numbers()

    def keeps(self, system: System) -> Wanted:
        return Wanted(states=tuple(range(system.positions)))

    def of_many(self, motions: ManyMotions) -> dict[str, Any]:
        return motions.regimes()
