"""Channels of a mechanism at its start, without a march."""

from __future__ import annotations

import numpy as np

from gudgeon.assemble import System, assemble, call_address
from gudgeon.model import Mechanism


def channels_of(system: System, t: float = 0.0, y: np.ndarray | None = None, m: np.ndarray | None = None):
    """Every channel by name, at one state."""
    y = system.y0 if y is None else y
    m = np.zeros(system.memory) if m is None else m
    out = np.zeros(len(system.channels))
    call_address(system.addresses["channels"], t, y, system.p, m, out)
    return dict(zip([c.name for c in system.channels], out.tolist(), strict=True))


def at_start(mechanism: Mechanism, t: float = 0.0, **options) -> dict[str, float]:
    return channels_of(assemble(mechanism, **options), t)
