"""The number of contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gudgeon.analysis.measures.measure import JointMeasure, ManyMotions, Value
from gudgeon.analysis.motions.motion import Motion


@dataclass(frozen=True)
class ContactCount(JointMeasure):
    """Number of contacts of a joint per period."""

    word = "contacts"
    one_sample = True

    def take(self, motion: Motion) -> dict[str, Value]:
        begun = sum(record.t_on > motion.run.t[0] for record in motion.run.contacts.of(self.joint))
        return {self.names[0]: float(begun) / motion.turns}

    def of_many(self, motions: ManyMotions) -> dict[str, np.ndarray]:
        own = [contact.index for contact in motions.system.event_contacts if contact.joint == self.joint]
        begun = sum((motions.outcomes.results[f"onsets {k}"] for k in own), np.zeros_like(motions.span))
        return {self.names[0]: begun / motions.turns}
