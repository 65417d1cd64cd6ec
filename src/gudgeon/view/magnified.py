"""What play adds to each pose: the motion of the bodies that takes every offset out of the joints."""

# The mechanism with ideal joints has a row for every offset. Its projection moves the bodies, weighted by their masses,
# so that the offsets vanish and all other joints stay together, to first order. The opposite, times k - 1, shows the
# play k times as large. It is exact for small play and drawn for large: a picture, not a state.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import assemble, call_address
from gudgeon.model import Ideal
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.model import Mechanism

__all__ = ["play_fields"]


def play_fields(mechanism: Mechanism, t: np.ndarray, poses: np.ndarray) -> np.ndarray | None:
    """Change of every pose by one more of each offset; None where all joints are ideal or cannot be so at once."""
    loose = [j.name for j in mechanism.joints.values() if any(not isinstance(f, Ideal) for f in j.fit.values())]
    if not loose:
        return None
    try:
        ideal = assemble(mechanism.refit(**{name: Ideal() for name in loose}))
    except GudgeonError:
        return None
    if ideal.positions != poses.shape[1] or not ideal.rows:
        return None
    out = np.zeros(ideal.positions + ideal.velocities + 2 * ideal.rows)
    y, m = ideal.y0.copy(), np.zeros(max(1, ideal.memory))
    found = np.zeros_like(poses)
    project: Any = ideal.addresses["project"]
    for k, moment in enumerate(t):
        y[: ideal.positions] = poses[k]
        call_address(project, float(moment), y, ideal.p, m, out)
        found[k] = -out[: ideal.positions]
    return found
