"""The largest value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import ChannelMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class Highest(ChannelMeasure):
    """Largest value of a channel, with its sign."""

    word = "highest"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.run.maximum(self.channel)}

    def keeps(self, system: System) -> Wanted:
        return Wanted(extremes=(self.channel,))

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        return {self.names[0]: motions.extremes(self.channel)[0].max(axis=0)}
