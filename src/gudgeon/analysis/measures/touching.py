"""The share of the time in contact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import JointMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion


@dataclass(frozen=True)
class TouchingShare(JointMeasure):
    """Share of the time in which a joint is in contact."""

    word = "touching"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        return {self.names[0]: motion.run.touching(self.joint)}

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        touched = motions.outcomes.results.get(f"touched {self.joint}", np.zeros_like(motions.span))
        return {self.names[0]: touched / motions.span}
