"""The largest magnitude."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import ChannelMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class PeakValue(ChannelMeasure):
    """Largest magnitude of a channel over the motion."""

    word = "peak"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: abs(motion.run.peak(self.channel).value)}

    def keeps(self, system: System) -> Wanted:
        return Wanted(extremes=(self.channel,))

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        return {self.names[0]: motions.magnitudes(self.channel).max(axis=0)}
