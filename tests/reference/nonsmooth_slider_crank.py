"""The slider-crank of Flores 2010 by nonsmooth time stepping in two angles: an opponent for the compliant walls.

The slider does not tilt, as it hardly does in the program of reference, so each wall is one contact with Newton's
restitution and Coulomb's friction. Midpoint rule in flight, impulse at the end of the step (Moreau, Jean).

`march_like_the_program` does what the rows of the program's output show that it does: the mass matrix is taken at the
end of the step, forces are the mean of both ends, and a wall acts where the step before was moved back onto it.
"""

from __future__ import annotations

import numpy as np

from gudgeon.papers.flores2010 import CRANK, ROD, SPEEDS

MASS = (0.038, 0.038, 0.076)
INERTIA = (7.4e-5, 5.9e-4)
GRAVITY, PLAY, RESTITUTION, FRICTION = 9.81, 1e-3, 0.4, 0.01

_M1, _M2, _M3 = MASS
_COUPLING = (_M2 / 2 + _M3) * CRANK * ROD
_FIRST = INERTIA[0] + (_M1 / 4 + _M2 + _M3) * CRANK**2
_SECOND = INERTIA[1] + (_M2 / 4 + _M3) * ROD**2


def mass_matrix(q: np.ndarray) -> np.ndarray:
    c = _COUPLING * np.cos(q[1] - q[0])
    return np.array([[_FIRST, c], [c, _SECOND]])


def forces(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Right-hand side of mass_matrix @ acceleration."""
    s = _COUPLING * np.sin(q[0] - q[1])
    first = -s * v[1] ** 2 - (_M1 / 2 + _M2 + _M3) * GRAVITY * CRANK * np.cos(q[0])
    second = s * v[0] ** 2 - (_M2 / 2 + _M3) * GRAVITY * ROD * np.cos(q[1])
    return np.array([first, second])


def across(q: np.ndarray) -> float:
    """Place of the slider across the guide [m]."""
    return float(CRANK * np.sin(q[0]) + ROD * np.sin(q[1]))


def march(duration: float, step: float, every: int) -> np.ndarray:
    """Rows (t, crank angle, crank speed, place across) after each `every` steps."""
    q, v = np.zeros(2), np.array(SPEEDS[:2])
    rows = [(0.0, q[0], v[0], 0.0)]
    for k in range(1, round(duration / step) + 1):
        middle = q + 0.5 * step * v
        new = v + step * np.linalg.solve(mass_matrix(middle), forces(middle, v))
        half = 0.5 * (v + new)
        middle = q + 0.5 * step * half
        new = v + step * np.linalg.solve(mass_matrix(middle), forces(middle, half))
        new = new + _impulse(middle, v, new)
        q, v = q + 0.5 * step * (v + new), new
        if k % every == 0:
            rows.append((k * step, q[0], v[0], across(q)))
    return np.array(rows)


def _impulse(q: np.ndarray, before: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Jump of the speeds where the slider has reached a wall."""
    place = across(q)
    side = 1.0 if place > 0.0 else -1.0
    if PLAY - side * place > 0.0:
        return np.zeros(2)
    normal = -side * np.array([CRANK * np.cos(q[0]), ROD * np.cos(q[1])])
    along = -np.array([CRANK * np.sin(q[0]), ROD * np.sin(q[1])])
    inverse = np.linalg.inv(mass_matrix(q))
    wanted = -RESTITUTION * min(normal @ before, 0.0)
    direction = normal - FRICTION * np.sign(along @ before) * along
    size = (wanted - normal @ free) / (normal @ inverse @ direction)
    return inverse @ direction * max(size, 0.0)


def energy(q: np.ndarray, v: np.ndarray) -> float:
    """Kinetic and potential [J]."""
    height = (_M1 / 2 + _M2 + _M3) * CRANK * np.sin(q[0]) + (_M2 / 2 + _M3) * ROD * np.sin(q[1])
    return float(0.5 * v @ mass_matrix(q) @ v + GRAVITY * height)


def march_like_the_program(duration: float, step: float) -> np.ndarray:
    """Rows (t, crank angle, rod angle, crank speed, rod speed) after every step."""
    q, v = np.zeros(2), np.array(SPEEDS[:2])
    rows = [(0.0, *q, *v)]
    for k in range(1, round(duration / step) + 1):
        side = next((s for s in (1.0, -1.0) if PLAY - s * across(q) <= 1e-12), 0.0)
        end, new = q, v
        for _ in range(50):
            inverse = np.linalg.inv(mass_matrix(end))
            found = v + inverse @ (0.5 * step * (forces(q, v) + forces(end, new)))
            if side:
                found = found + _blow(side, q, end, v, found, inverse)
            settled = np.abs(found - new).max() < 1e-10
            new, end = found, q + 0.5 * step * (v + found)
            if settled:
                break
        q, v = _back_between_the_walls(end), new
        rows.append((k * step, *q, *v))
    return np.array(rows)


def _rows(q: np.ndarray, side: float) -> tuple[np.ndarray, np.ndarray]:
    """What the speeds make of the gap's rate, and of the slip."""
    return (
        -side * np.array([CRANK * np.cos(q[0]), ROD * np.cos(q[1])]),
        -np.array([CRANK * np.sin(q[0]), ROD * np.sin(q[1])]),
    )


def _blow(side: float, q: np.ndarray, end: np.ndarray, before: np.ndarray, free: np.ndarray,
          inverse: np.ndarray) -> np.ndarray:  # fmt: skip
    normal, along = _rows(end, side)
    wanted = -RESTITUTION * (_rows(q, side)[0] @ before)
    direction = normal - FRICTION * np.sign(along @ before) * along
    return inverse @ direction * max((wanted - normal @ free) / (normal @ inverse @ direction), 0.0)


def _back_between_the_walls(q: np.ndarray) -> np.ndarray:
    for side in (1.0, -1.0):
        for _ in range(3):
            gap = PLAY - side * across(q)
            if gap < 0.0:
                normal, inverse = _rows(q, side)[0], np.linalg.inv(mass_matrix(q))
                q = q - inverse @ normal * gap / (normal @ inverse @ normal)
    return q
