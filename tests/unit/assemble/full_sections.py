"""A section of space that lacks nothing: couplings of every kind, and a centre of mass beside the line of the nodes."""

from __future__ import annotations

import numpy as np

from gudgeon.model import SpatialSection


def full_section() -> SpatialSection:
    """Every entry of both matrices."""
    rng = np.random.default_rng(1)
    a, b, c, mass = rng.normal(size=(6, 6)), rng.normal(size=(3, 3)), np.array([0.01, 0.05, -0.03]), 1.3
    cross = np.array([[0.0, -c[2], c[1]], [c[2], 0.0, -c[0]], [-c[1], c[0], 0.0]])
    moments = 0.01 * b @ b.T + 0.02 * np.eye(3) - mass * cross @ cross
    inertia = np.block([[mass * np.eye(3), -mass * cross], [mass * cross, moments]])
    return SpatialSection((a @ a.T + 6.0 * np.eye(6)).tolist(), inertia.tolist())
