"""The Reynolds equation of a full journal bearing with cavitation, by finite volumes.

theta from the narrowest gap, Z = 2 z / l, H = h / c = 1 - epsilon cos theta, lambda = l / 2r, P = p c^3 / (mu r^2 v_s),
phi the direction of the pure-squeeze velocity from e:

    d/dtheta (H^3 dP/dtheta) + 1/lambda^2 d/dZ (H^3 dP/dZ) = -12 cos(theta - phi)   where P > 0,   P = 0 at Z = -1, 1

Cavitation "reynolds": P >= 0, and where P = 0 the left side does not exceed the right (the condition of Swift and
Stieber as a complementarity problem, Christopherson 1941). "guembel": the full film, negative pressure dropped (1914),
which is what the closed forms of the half film do. Both are a matter of the moment: P grows with v_s and needs no
history. A mass-conserving film (Jakobsson, Floberg, Olsson) carries its fill along in time and is no function of
epsilon and v_s, so there is none here.

The matrix is an M-matrix, for which the active set by Newton's method ends after finitely many solutions
(Hintermueller, Ito, Kunisch 2002). Each is a banded Cholesky: the ring is folded, so that neighbours stay near.
Points crowd round the narrowest gap and at the ends. Across the length the difference formula and the quadrature are
exact for the parabola of the short bearing.

    force on the journal = -2 mu l (r/c)^3 v_s W,   W = 1/2 integral_0^1 integral P (cos theta, sin theta) dtheta dZ
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from gudgeon.quantity import GudgeonError, in_words

__all__ = ["Bearing", "Cavitation", "ReynoldsSolution", "reynolds"]

Array = np.ndarray[Any, np.dtype[Any]]
Cavitation = Literal["reynolds", "guembel"]
AROUND, ALONG = 192, 16
_ROUNDS = 200


class ReynoldsSolution(NamedTuple):
    """What a film does at one eccentricity and direction, without dimensions.

    along, across [-]: W in the frame of the velocity
    radial, tangential [-]: force on the journal in the frame of e, / (2 mu l (r/c)^3 v_s)
    attitude [rad]: of that force from e
    peak [-]: largest p c^3 / (mu r^2 v_s)
    """

    along: float
    across: float
    radial: float
    tangential: float
    attitude: float
    peak: float


def reynolds(ratio: float, direction: float, slenderness: float, *, cavitation: Cavitation = "reynolds",
             around: int = AROUND, along: int = ALONG) -> ReynoldsSolution:  # fmt: skip
    """The film at ratio = |e| / c [-], direction [rad] of v_s from e, slenderness = l / 2r [-].

    around, along [-]: points of the ring and of half the length. 192 x 16 points are within 0.1 per cent of the limit
    up to ratio 0.9 for l = 2r and within 1 per cent at 0.999.

    >>> round(reynolds(0.0, 0.0, 1.0).along, 2)
    2.41
    """
    return Bearing(ratio, slenderness, cavitation, around, along).solve(direction)


class Bearing:
    """The discrete equations of one eccentricity and length; `solve` takes the direction of the velocity.

    theta, height [-] are the points, `pressure` the last solution P at them.
    """

    def __init__(self, ratio: float, slenderness: float, cavitation: Cavitation = "reynolds", around: int = AROUND,
                 along: int = ALONG) -> None:  # fmt: skip
        if not 0.0 <= ratio < 1.0:
            raise GudgeonError(f"ratio {ratio!r} must lie in 0 <= ratio < 1; the journal is inside the bearing")
        if not slenderness > 0.0:
            raise GudgeonError(f"slenderness {slenderness!r} must be above 0; it is length / diameter")
        if around < 8 or along < 3:
            raise GudgeonError(f"{around} x {along} points are too few; take 8 x 3 or more")
        if cavitation not in get_args(Cavitation):
            raise GudgeonError(f"cavitation {cavitation!r} is unknown; choose from {in_words(get_args(Cavitation))}")
        self.ratio, self.slenderness, self.cavitation = ratio, slenderness, cavitation
        self.shape = (around, along)
        self._points()
        self._equations()
        self.wet = np.ones(self.shape, dtype=bool)
        self.pressure = np.zeros(self.shape)

    def _points(self) -> None:
        around, along = self.shape
        step = 2.0 * math.pi / around
        kappa = math.sqrt((1.0 - self.ratio) / (1.0 + self.ratio))
        halves = _spread(0.5 * step * np.arange(-1, 2 * around), kappa)
        self.theta, self.faces = halves[1::2], halves[0::2]
        self.weights = step / _density(self.theta, kappa)
        edge = 1.0 - np.arange(along + 1) / along
        self.height = 1.0 - edge**2
        self.shares = _even_weights(self.height)[:-1]  # the pressure at the end of the length is 0

    def _equations(self) -> None:
        # conductances: between two points round the ring 1 / integral of H^-3, by Simpson's rule
        around = self.shape[0]
        z, e = self.height, self.ratio
        middle = 0.5 * (z[1:] + z[:-1])
        strips = np.diff(np.concatenate(([0.0], middle)))
        after = np.append(self.theta[1:], self.theta[0] + 2.0 * math.pi)
        between = self.faces[1:]
        resistance = (_gap(e, self.theta) ** -3 + 4.0 * _gap(e, between) ** -3 + _gap(e, after) ** -3) / 6.0
        self.ring = np.outer(1.0 / ((after - self.theta) * resistance), strips)
        strength = np.diff(self.faces) * _gap(e, self.theta) ** 3 / self.slenderness**2
        self.axial = np.outer(strength, 1.0 / np.diff(z))
        self.strips = strips
        order = np.empty(around, dtype=int)
        order[: (around + 1) // 2] = np.arange(0, around, 2)
        order[(around + 1) // 2 :] = np.arange(1, around, 2)[::-1]
        self.place = order  # of each angle in the folded ring
        self.fold = np.argsort(order)

    def solve(self, direction: float) -> ReynoldsSolution:
        """The film for v_s at `direction` [rad] from e; the last wet region is the first guess."""
        source = 12.0 * np.diff(np.sin(self.faces - direction))
        load = np.outer(source, self.strips)
        if self.cavitation == "guembel":
            self.pressure = np.maximum(self._linear(load), 0.0)
            return self._solution(direction)
        slack = 1e-12 * np.abs(load).max()
        for _ in range(_ROUNDS):
            self.pressure = self._linear(load)
            flow = load - self._apply(self.pressure)
            wet = np.where(self.wet, self.pressure > 0.0, flow > slack)
            if np.array_equal(wet, self.wet):
                return self._solution(direction)
            self.wet = wet
        raise GudgeonError(
            f"the cavitated film at ratio {self.ratio:g}, direction {direction:g} rad was not found in {_ROUNDS} "
            "rounds; take another number of points"
        )

    def _apply(self, pressure: Array) -> Array:
        round_ = self.ring * (pressure - np.roll(pressure, -1, axis=0))
        outward = self.axial * (pressure - np.column_stack((pressure[:, 1:], np.zeros(len(pressure)))))
        result = round_ - np.roll(round_, 1, axis=0) + outward
        result[:, 1:] -= outward[:, :-1]
        return result

    def _linear(self, load: Array) -> Array:
        """The pressure of the wet points, 0 at the dry ones."""
        from scipy.linalg import solveh_banded

        around, along = self.shape
        wet, fold = self.wet, self.fold
        band = np.zeros((2 * along + 1, around * along))
        diagonal = self.ring + np.roll(self.ring, 1, axis=0) + self.axial
        diagonal[:, 1:] += self.axial[:, :-1]
        band[0] = np.where(wet, diagonal, 1.0)[fold].ravel()
        outward = np.zeros(self.shape)
        outward[:, :-1] = -self.axial[:, :-1] * (wet[:, :-1] & wet[:, 1:])
        band[1] = outward[fold].ravel()
        link = -self.ring * (wet & np.roll(wet, -1, axis=0))
        after = np.roll(self.place, -1)
        first, span = np.minimum(self.place, after), np.abs(self.place - after)
        columns = (first[:, None] * along + np.arange(along)).ravel()
        band[np.repeat(span * along, along), columns] += link.ravel()
        unknown = solveh_banded(band, (load * wet)[fold].ravel(), lower=True, overwrite_ab=True, check_finite=False)
        return np.where(wet, unknown.reshape(self.shape)[self.place], 0.0)

    def _solution(self, direction: float) -> ReynoldsSolution:
        rows = self.weights * (self.pressure @ self.shares)
        outward, across = 0.5 * float(rows @ np.cos(self.theta)), 0.5 * float(rows @ np.sin(self.theta))
        c, s = math.cos(direction), math.sin(direction)
        middle = self.pressure[:, 0]
        k = int(np.argmax(middle))
        before, top, after = middle[k - 1], middle[k], middle[(k + 1) % len(middle)]
        bend = before - 2.0 * top + after
        peak = float(top - 0.125 * (after - before) ** 2 / bend) if bend < 0.0 else float(top)
        return ReynoldsSolution(outward * c + across * s, across * c - outward * s, -outward, -across,
                        math.atan2(-across, -outward), peak)  # fmt: skip


def _gap(ratio: float, theta: Array) -> Array:
    return 1.0 - ratio + 2.0 * ratio * np.sin(0.5 * theta) ** 2


def _density(theta: Array, kappa: float) -> Array:
    # half of the points evenly, half evenly in Sommerfeld's angle 2 atan(tan(theta/2) / kappa)
    return 0.5 + 0.5 * kappa / (kappa**2 * np.cos(0.5 * theta) ** 2 + np.sin(0.5 * theta) ** 2)


def _spread(even: Array, kappa: float) -> Array:
    """Angles of the points at `even` values of the density's integral, by halving."""
    turns = np.round(even / (2.0 * math.pi))
    rest = even - 2.0 * math.pi * turns
    low, high = np.full_like(rest, -math.pi), np.full_like(rest, math.pi)
    for _ in range(54):
        theta = 0.5 * (low + high)
        value = 0.5 * theta + np.arctan2(np.sin(0.5 * theta), kappa * np.cos(0.5 * theta))
        low, high = np.where(value < rest, theta, low), np.where(value < rest, high, theta)
    return 0.5 * (low + high) + 2.0 * math.pi * turns


def _even_weights(points: Array) -> Array:
    """Weights of the integral over points of an even function, exact for the cubic spline through them."""
    from scipy.interpolate import CubicSpline

    spline = CubicSpline(points, np.eye(len(points)), bc_type=((1, np.zeros(len(points))), "not-a-knot"))
    return np.asarray(spline.integrate(points[0], points[-1]))
