"""Coordinates of bodies in space after a step, for tests of derivatives."""

from __future__ import annotations

import numpy as np

from gudgeon.space.spatial import Vector
from gudgeon.space.spatial.geometry.rotation import about, after, unit_parameters


def moved(q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Places and Euler parameters after a step of shifts and rotation vectors, by exact rotations."""
    bodies = q.reshape(-1, 7).copy()
    for body, (shift, turn) in zip(bodies, step.reshape(-1, 2, 3), strict=True):
        angle = max(float(np.linalg.norm(turn)), 1e-300)
        body[:3] += shift
        body[3:] = unit_parameters(after(tuple(body[3:]), about(Vector(*(turn / angle)), angle)))
    return bodies.ravel()
