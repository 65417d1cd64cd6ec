"""A free beam of space that is pushed and then left alone."""

from __future__ import annotations

import gudgeon as gd
from gudgeon.model import SpatialSection


def spaghetti() -> gd.Mechanism:
    """A free beam after Simo and Vu-Quoc 1988, pushed and turned at one end out of any plane, here smoothly."""
    section = SpatialSection((1e4, 1e4, 1e4, 500.0, 500.0, 500.0), (1.0, 1.0, 1.0, 20.0, 10.0, 10.0))
    m = gd.Mechanism("flying spaghetti", planar=False)
    beam = m.beam("beam", a=(0.0, 6.0, 0.0), b=(8.0, 0.0, 0.0), section=section, elements=3, order=2)
    rise = lambda t: 0.5 - 0.5 * gd.tanh(20.0 * (t - 1.5))  # noqa: E731
    m.force(beam, (lambda t: 8.0 * rise(t), 0.0, 0.0), at=(8.0, 0.0, 0.0))
    m.torque(beam, (0.0, lambda t: -40.0 * rise(t), lambda t: -80.0 * rise(t)), at=(8.0, 0.0, 0.0))
    return m
