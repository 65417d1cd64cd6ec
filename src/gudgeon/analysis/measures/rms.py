"""The root mean square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import ChannelMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion
from gudgeon.assemble import System
from gudgeon.batch.program import Wanted


@dataclass(frozen=True)
class Rms(ChannelMeasure):
    """Root mean square of a channel over time."""

    word = "rms"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.rms(self.channel)}

    def keeps(self, system: System) -> Wanted:
        return Wanted(squares=(self.channel,))

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        square = motions.outcomes.results[f"square {self.channel}"]
        return {self.names[0]: np.sqrt(square / motions.span)}
