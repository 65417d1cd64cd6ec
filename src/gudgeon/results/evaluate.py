"""The channels of a system on rows of the tape."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System
from gudgeon.compile.native.kernel import evaluate_rows

__all__ = ["evaluate"]


def evaluate(system: System, rows: np.ndarray) -> np.ndarray:
    """All channels of a system on rows (t, y, m)."""
    out = np.empty((len(rows), len(system.channels)))
    evaluate_rows(system.addresses["channels"], np.ascontiguousarray(rows), np.zeros(system.states),
                  np.zeros(system.memory), system.p, np.zeros(len(system.channels)), out)  # fmt: skip
    return out
