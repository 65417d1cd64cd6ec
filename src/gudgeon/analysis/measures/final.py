"""The value at the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import ChannelMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class Final(ChannelMeasure):
    """Value of a channel at the end."""

    word = "final"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: float(motion.run[self.channel][-1])}

    def keeps(self, system: System) -> Wanted:
        return Wanted(strobe=(self.channel,))

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        k = motions.wanted.strobe.index(self.channel)
        return {self.names[0]: motions.outcomes["strobe"][-1, k]}
