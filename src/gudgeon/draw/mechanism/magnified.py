"""What play and bending add to each pose: the motion of the bodies that takes every offset out of the joints."""

# The mechanism with ideal joints and rigid links has a row for every offset. Its projection moves the bodies, weighted
# by their masses, so that the offsets vanish and all other joints stay together; it is repeated, since a link that
# bends may be far from where a rigid one would be. The opposite, times k - 1, shows the play k times as large. It is
# exact for small play and drawn for large: a picture, not a state.

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gudgeon.assemble import assemble, call_address
from gudgeon.model.builder.vary import tightened
from gudgeon.quantity import GudgeonError

if TYPE_CHECKING:
    from gudgeon.assemble import System
    from gudgeon.model import Mechanism

__all__ = ["ENOUGH", "REPEATED", "play_fields", "rigid_and_tight"]

REPEATED = 5
ENOUGH = 1e-3  # of the first correction: one of the last counts no more


def play_fields(mechanism: Mechanism, t: np.ndarray, poses: np.ndarray,
                motions: Mapping[str, np.ndarray] | None = None) -> np.ndarray | None:  # fmt: skip
    """Change of every pose by one more of each offset; None where all is ideal and rigid or cannot be so at once.

    `motions`: the coordinates of driven joints at these times, for drives whose motion is no function of time alone.
    """
    ideal = rigid_and_tight(mechanism)
    if ideal is None or ideal.positions != poses.shape[1]:
        return None
    driven = _driven(ideal, motions or {})
    if driven is None:
        return None
    out = np.zeros(ideal.positions + ideal.velocities + 2 * ideal.rows)
    y, m = ideal.y0.copy(), np.zeros(max(1, ideal.memory))
    fields = np.zeros_like(poses)
    project: Any = ideal.addresses["project"]
    for k, moment in enumerate(t):
        y[: ideal.positions] = poses[k]
        for place, values in driven:
            y[place] = values[k]
        for _ in range(REPEATED):
            call_address(project, float(moment), y, ideal.p, m, out)
            change = out[: ideal.positions]
            fields[k] -= change
            y[: ideal.positions] += change
            if np.abs(change).max() <= ENOUGH * np.abs(fields[k]).max():
                break
    return fields


def rigid_and_tight(mechanism: Mechanism) -> System | None:
    """The mechanism with rigid links and ideal joints; None where it is that already, or cannot be, or would have no
    constraints."""
    rigid = mechanism.stiffened()
    tight = tightened(rigid)
    if tight is None and dict(rigid.bodies) == dict(mechanism.bodies):
        return None
    try:
        ideal = assemble(tight or rigid)
    except GudgeonError:
        return None
    return ideal if ideal.rows else None


def _driven(ideal: System, motions: Mapping[str, np.ndarray]) -> list[tuple[int, np.ndarray]] | None:
    """Places in the state of drives that are given by their speed, and what is there; None where that is unknown."""
    names = [name.removesuffix(".motion") for name in ideal.layout.internal]
    if any(name in ideal.mechanism.drives and name not in motions for name in names):
        return None
    first = ideal.positions + ideal.velocities
    return [(first + k, motions[name]) for k, name in enumerate(names) if name in motions]
