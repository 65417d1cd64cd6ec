"""The mean of the largest magnitudes of periods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import ChannelMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion
from gudgeon.analysis.statistics.mean import means_of
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class MeanPeak(ChannelMeasure):
    """Largest magnitude in each period, its mean and standard error; for chaotic motion instead of a peak."""

    word = "mean peak"
    settled = True

    @property
    def names(self) -> tuple[str, ...]:
        return (f"mean peak {self.channel}", f"mean peak {self.channel} error")

    def take(self, motion: Motion) -> dict[str, Value]:
        mean = motion.mean_peak(self.channel)
        return {self.names[0]: mean.value, self.names[1]: mean.error}

    def keeps(self, system: System) -> Wanted:
        return Wanted(extremes=(self.channel,))

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        return dict(zip(self.names, means_of(motions.magnitudes(self.channel)), strict=True))
