"""The line of a beam that is built bent: where its sections are before any load, in the axes of its chord.

x runs from the start of the beam to its end, y to the left of it (in space along the section's y axis), z square to
both; the origin is the start. Sections are counted by their station u, 0 at the start to 1 at the end, in equal parts
of the length of the line.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np

from gudgeon.space.spatial.geometry.rotation import Rotation, parameters_of
from gudgeon.space.spatial.geometry.vector import Vector

__all__ = ["Arc", "Curve", "Through"]

PANELS, POINTS = 64, 6  # of the integrals along the line
GRID = 512  # steps by which a line through points is measured and its sections' axes are carried along
SETTLED = 1e-14  # of a station: so little a step of Newton's method may still move


class Curve(ABC):
    """A line with the axes of its sections: columns of a rotation, the first along the line."""

    length: float  # [m]

    @abstractmethod
    def place(self, u: float) -> np.ndarray:
        """Where a section is [m], three components."""

    @abstractmethod
    def turn(self, u: float) -> float:
        """Angle [rad] about z from the chord to the line, continuous along it."""

    def axes(self, u: float) -> np.ndarray:
        """Axes of a section."""
        c, s = math.cos(self.turn(u)), math.sin(self.turn(u))
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

    def parameters(self, u: float) -> tuple[float, float, float, float]:
        """Euler parameters of a section's axes, continuous along the line."""
        half = 0.5 * self.turn(u)
        return (math.cos(half), 0.0, 0.0, math.sin(half))

    @cached_property
    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Stations and weights of Gauss's points over all panels."""
        x, w = np.polynomial.legendre.leggauss(POINTS)
        u = (np.arange(PANELS)[:, None] + 0.5 * (x + 1.0)) / PANELS
        return u.ravel(), np.tile(0.5 * w / PANELS, PANELS)

    @cached_property
    def centre(self) -> np.ndarray:
        """The mean of all places [m]."""
        u, w = self.points
        return np.asarray(w @ np.array([self.place(float(x)) for x in u]))

    @cached_property
    def spread(self) -> np.ndarray:
        """Mean products of the distances from the centre [m^2], 3 by 3."""
        u, w = self.points
        away = np.array([self.place(float(x)) for x in u]) - self.centre
        return np.asarray((w[:, None] * away).T @ away)

    def nearest(self, point: np.ndarray) -> float:
        """The station nearest to a point: t . (r - p) = 0 by Newton's method in a bracket, from the nearest of many."""

        def ahead(u: float) -> float:
            return float(self.axes(u)[:, 0] @ (self.place(u) - point))

        grid = np.linspace(0.0, 1.0, 4 * PANELS + 1)
        k = int(np.argmin([np.sum((self.place(float(u)) - point) ** 2) for u in grid]))
        low, high = float(grid[max(k - 1, 0)]), float(grid[min(k + 1, len(grid) - 1)])
        # beyond an end the end is nearest
        if ahead(low) >= 0.0:
            return low
        if ahead(high) <= 0.0:
            return high
        u = float(grid[k])
        for _ in range(60):
            off = ahead(u)
            low, high = (u, high) if off < 0.0 else (low, u)
            # r' is the length times t, so that the slope is the length where the point is near the line
            new = u - off / self.length
            new = new if low <= new <= high else 0.5 * (low + high)
            if abs(new - u) < SETTLED:
                return new
            u = new
        return u


class Arc(Curve):
    """Part of a circle, which turns by `sweep` [rad] over a chord [m]; to the left where positive."""

    def __init__(self, chord: float, sweep: float) -> None:
        self.sweep, self.radius = sweep, 0.5 * chord / math.sin(0.5 * sweep)
        self.length = self.radius * sweep

    def turn(self, u: float) -> float:
        return self.sweep * (u - 0.5)

    def place(self, u: float) -> np.ndarray:
        first, here = -0.5 * self.sweep, self.turn(u)
        across = math.cos(first) - math.cos(here)
        return self.radius * np.array([math.sin(here) - math.sin(first), across, 0.0])


class Through(Curve):
    """A smooth line through points [m], of continuous curvature; the axes of its sections turn about it nowhere.

    Between the points it is the cubic spline over the length of the polygon (not-a-knot). The axes are carried along by
    two reflections per step (Wang, Juettler, Zheng and Liu 2008), the second axis beginning as near as can be to y.
    """

    def __init__(self, points: np.ndarray) -> None:
        from scipy.interpolate import CubicHermiteSpline, CubicSpline

        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
        self.line = CubicSpline(way, points)
        self.slope = self.line.derivative()
        # the length of the line up to each point of a grid, and its inverse
        grid = np.linspace(0.0, way[-1], GRID + 1)
        x, w = np.polynomial.legendre.leggauss(POINTS)
        inner = grid[:-1, None] + 0.5 * (x + 1.0) * np.diff(grid)[:, None]
        steps = 0.5 * np.diff(grid) * (np.linalg.norm(self.slope(inner), axis=2) @ w)
        passed = np.concatenate([[0.0], np.cumsum(steps)])
        self.length = float(passed[-1])
        self.inverse = CubicHermiteSpline(passed, grid, 1.0 / np.linalg.norm(self.slope(grid), axis=1))
        self.carried = self._carry(np.array([0.0, 1.0, 0.0]))
        heading = np.unwrap([math.atan2(axes[1, 0], axes[0, 0]) for axes in self.carried])
        self.heading = heading - 2.0 * math.pi * round(float(np.mean(heading)) / (2.0 * math.pi))
        self.signs = self._signs()

    def place(self, u: float) -> np.ndarray:
        return np.asarray(self.line(self.inverse(u * self.length)))

    def tangent(self, u: float) -> np.ndarray:
        """The direction of the line."""
        slope = np.asarray(self.slope(self.inverse(u * self.length)))
        return slope / np.linalg.norm(slope)

    def turn(self, u: float) -> float:
        t, near = self.tangent(u), float(np.interp(u, np.linspace(0.0, 1.0, GRID + 1), self.heading))
        angle = math.atan2(t[1], t[0])
        return angle + 2.0 * math.pi * round((near - angle) / (2.0 * math.pi))

    def axes(self, u: float) -> np.ndarray:
        k = min(int(u * GRID), GRID)
        return self._next(self.carried[k], self.place(k / GRID), self.place(u), self.tangent(u))

    def parameters(self, u: float) -> tuple[float, float, float, float]:
        own, near = _parameters(self.axes(u)), self.signs[min(round(u * GRID), GRID)]
        e0, e1, e2, e3 = (own if own @ near >= 0.0 else -own).tolist()
        return e0, e1, e2, e3

    def _carry(self, second: np.ndarray) -> list[np.ndarray]:
        """Axes at every point of the grid."""
        first = self.tangent(0.0)
        across = second - (second @ first) * first
        across /= np.linalg.norm(across)
        grid = [np.column_stack([first, across, np.cross(first, across)])]
        for k in range(1, GRID + 1):
            u = k / GRID
            grid.append(self._next(grid[-1], self.place((k - 1) / GRID), self.place(u), self.tangent(u)))
        return grid

    @staticmethod
    def _next(axes: np.ndarray, here: np.ndarray, there: np.ndarray, tangent: np.ndarray) -> np.ndarray:
        """The axes of the next section, which lies there with this tangent."""
        step = there - here
        square = float(step @ step)
        if square == 0.0:
            return axes
        mirrored = axes - np.outer(step, 2.0 / square * (step @ axes))
        back = tangent - mirrored[:, 0]
        second = mirrored[:, 1] - 2.0 / float(back @ back) * float(back @ mirrored[:, 1]) * back
        return np.column_stack([tangent, second, np.cross(tangent, second)])

    def _signs(self) -> list[np.ndarray]:
        signs: list[np.ndarray] = []
        for axes in self.carried:
            p = _parameters(axes)
            signs.append(-p if signs and p @ signs[-1] < 0.0 else p)
        return signs


def _parameters(axes: np.ndarray) -> np.ndarray:
    first, second, third = (Vector(*map(float, axes[:, k])) for k in range(3))
    return np.array(parameters_of(Rotation.of_columns(first, second, third)))
