"""Shapes by which a slender link bends, and their integrals over its length, as numbers.

With x from 0 to L along the link, w(x) = sum psi_k(x) q_k, mass m and rotary inertia J per length:

    A_kl = int m psi_k psi_l + J psi_k' psi_l' dx          K_kl = int EI psi_k'' psi_l'' dx

Shapes are combined so that A and K are diagonal, which gives the modes of the link under the conditions at its ends,
omega_k^2 = K_k / A_k, and scaled to int psi_k^2 dx = L / 2 as the sine has it: q_k is then a length of the size of the
deflection.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = ["Basis", "bending_basis"]

POINTS = 10  # of Gauss in each piece
PIECES_PER_SINE = 2  # of the length for each half wave
NOTHING = 1e-9  # what is smaller, relative to the rest, is rounding

# a shape at x: its value, slope and curvature, one column for each of them
Raw = Callable[[float], np.ndarray]


@dataclass(frozen=True)
class Basis:
    """Modes of bending: integrals over the length with the mass of the link, and the shapes at any place."""

    length: float
    masses: np.ndarray  # A_k [kg]
    stiffness: np.ndarray  # K_k [N/m]
    overlap: np.ndarray  # int m psi_k psi_l [kg]
    push: np.ndarray  # int m psi_k [kg]
    swing: np.ndarray  # int m (x - L/2) psi_k + J psi_k' [kg m]
    _raw: Raw
    _mix: np.ndarray
    _joints: tuple[float, ...]  # where pieces meet and curvatures may jump

    @property
    def frequencies(self) -> np.ndarray:
        """Angular frequencies [rad/s] with the ends held as the axes say."""
        return np.asarray(np.sqrt(self.stiffness / self.masses))

    def at(self, station: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Values [1], slopes [1/m] and curvatures [1/m^2] of the modes, 0 at the start of the link and 1 at its end;
        where pieces meet the mean of both sides."""
        x, beside = station * self.length, 1e-9 * self.length
        inner = any(abs(x - place) < beside for place in self._joints[1:-1])
        sides = (x - beside, x + beside) if inner else (x,)
        here = self._mix.T @ self._raw(x)
        bent = self._mix.T @ np.mean([self._raw(side)[:, 2] for side in sides], axis=0)
        scale = 1.0 / self.length ** np.arange(3)
        values = np.column_stack([here[:, :2], bent])
        values[np.abs(values) < NOTHING * scale] = 0.0
        return values[:, 0], values[:, 1], values[:, 2]


def bending_basis(length: float, mass: float, rotary: float, bending: float, modes: int, axes: str,
                  elements: int | None) -> Basis:  # fmt: skip
    """Modes of a link of this length [m], mass and rotary inertia per length [kg/m], [kg m] and stiffness [N m^2]."""
    if elements is None:
        raw, joints = _sines(modes, length), np.linspace(0.0, length, PIECES_PER_SINE * modes + 1)
    else:
        raw, joints = _cubics(elements, length, axes), np.linspace(0.0, length, elements + 1)
    x, weights = _gauss(joints)
    values, slopes, curvatures = (np.array([raw(place)[:, k] for place in x]) for k in range(3))

    def integral(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.asarray((a * weights[:, None]).T @ b)

    inertia = mass * integral(values, values) + rotary * integral(slopes, slopes)
    mix = _modes(inertia, bending * integral(curvatures, curvatures))
    # of free ends the first two are motions of the frame
    mix = mix[:, 2:] if axes == "mean" else mix
    mix = mix[:, :modes]
    values, slopes, curvatures = values @ mix, slopes @ mix, curvatures @ mix
    scale = np.sqrt(0.5 * length / np.diag(integral(values, values)))
    scale *= np.sign(slopes[0] if axes == "chord" else values[-1])
    mix, values, slopes, curvatures = (part * scale for part in (mix, values, slopes, curvatures))
    ones, overlap = np.ones((len(x), 1)), mass * integral(values, values)
    push = mass * integral(values, ones)[:, 0]
    swing = mass * integral(values, (x - 0.5 * length)[:, None])[:, 0] + rotary * integral(slopes, ones)[:, 0]
    whole = mass * length
    return Basis(
        length, np.diag(overlap + rotary * integral(slopes, slopes)).copy(),
        np.diag(bending * integral(curvatures, curvatures)).copy(), _settled(overlap, whole), _settled(push, whole),
        _settled(swing, whole * length), raw, mix, tuple(joints),
    )  # fmt: skip


def _settled(numbers: np.ndarray, scale: float) -> np.ndarray:
    """Without what rounding left of zeros."""
    return np.where(np.abs(numbers) < NOTHING * scale, 0.0, numbers)


def _gauss(joints: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights over all pieces."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    lengths = np.diff(joints)
    x = joints[:-1, None] + 0.5 * lengths[:, None] * (points + 1.0)
    return x.ravel(), (0.5 * lengths[:, None] * weights).ravel()


def _modes(inertia: np.ndarray, stiffness: np.ndarray) -> np.ndarray:
    """Combinations that make both matrices diagonal, the softest first."""
    # equal sizes on the diagonal, so that deflections and rotations of nodes count alike
    scale = 1.0 / np.sqrt(np.diag(inertia))
    lower = np.linalg.cholesky(scale[:, None] * inertia * scale)
    inverse = np.linalg.inv(lower) * scale
    return np.asarray(inverse.T @ np.linalg.eigh(inverse @ stiffness @ inverse.T)[1])


def _sines(count: int, length: float) -> Raw:
    """sin(k pi x / L): the modes of a link on two supports."""
    numbers = np.arange(1, count + 1) * math.pi / length

    def raw(x: float) -> np.ndarray:
        sine, cosine = np.sin(numbers * x), np.cos(numbers * x)
        return np.column_stack([sine, numbers * cosine, -(numbers**2) * sine])

    return raw


def _cubics(elements: int, length: float, axes: str) -> Raw:
    """Hermite's polynomials on equal elements, by deflection and rotation of their nodes, without those that the axes
    hold still."""
    step, held = length / elements, {"chord": (0, 2 * elements), "tangent": (0, 1), "mean": ()}[axes]
    kept = [k for k in range(2 * elements + 2) if k not in held]

    def raw(x: float) -> np.ndarray:
        e = min(max(int(x / step), 0), elements - 1)
        s = x / step - e
        values = np.zeros((2 * elements + 2, 3))
        values[2 * e : 2 * e + 4] = [
            [1 - 3 * s**2 + 2 * s**3, (6 * s**2 - 6 * s) / step, (12 * s - 6) / step**2],
            [step * (s - 2 * s**2 + s**3), 1 - 4 * s + 3 * s**2, (6 * s - 4) / step],
            [3 * s**2 - 2 * s**3, (6 * s - 6 * s**2) / step, (6 - 12 * s) / step**2],
            [step * (s**3 - s**2), 3 * s**2 - 2 * s, (6 * s - 2) / step],
        ]
        return values[kept]

    return raw
