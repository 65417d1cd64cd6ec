"""The runs behind an answer: studies of one mechanism at points that the desk chooses, in one folder.

Each is a study with a store of its own, so that it shows progress and goes on after an interruption. The points follow
from the seed and from the results before them: the same call asks for the same runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import qmc

from gudgeon.desk.fits import JointFit
from gudgeon.model import Mechanism
from gudgeon.quantity import GudgeonError
from gudgeon.study import Study, Table
from gudgeon.study.points.design import points
from gudgeon.study.points.values import Axis, Distribution, read_axis

__all__ = ["Survey"]

RTOL = 1e-6  # each run is one of many samples: more digits of one motion tell no more about all
NEAR = np.array([0.05, 0.95])  # shares of a scattering number that become -1 and 1


class Survey:
    """Clearances of joints, then numbers that scatter, are the inputs of every run, in this order."""

    def __init__(self, mechanism: Mechanism, joints: Sequence[JointFit], scatter: Mapping[str, Any],
                 measures: Sequence[str], folder: Path, *, seed: int, engine: Any, progress: bool | None,
                 settings: Mapping[str, Any]) -> None:  # fmt: skip
        self.mechanism, self.joints, self.measures = mechanism, tuple(joints), tuple(measures)
        self.scatter: dict[str, Axis] = {path: _distribution(path, given) for path, given in scatter.items()}
        self.folder, self.seed, self.engine, self.progress = folder, seed, engine, progress
        self.settings = {"rtol": RTOL, **settings}
        self.axes: dict[str, Axis] = {joint.path: joint.axis for joint in joints} | self.scatter
        twice = [path for path in self.scatter if path in {joint.path for joint in joints}]
        if twice:
            raise GudgeonError(f'scatter: "{twice[0]}" is the clearance of a fit already; give it in fits')
        self.names = [joint.joint for joint in joints] + list(self.scatter)
        ends = [np.log([joint.low, joint.high]) for joint in joints]
        ends += [self._quantile(path, NEAR) for path in self.scatter]
        self._middle = np.array([0.5 * (a + b) for a, b in ends])
        self._half = np.array([0.5 * abs(b - a) or 1.0 for a, b in ends])
        self.runs = 0

    def drawn(self, count: int) -> np.ndarray:
        """Sets of the design "saltelli" from the fits as they are drawn (run, input)."""
        return np.array(points(self.mechanism, self.axes, "saltelli", count, self.seed))

    def wide(self, count: int) -> np.ndarray:
        """Clearances over everything that they could be, evenly in their logarithm; the rest as it scatters."""
        u = self.uniform(count, 1)
        columns = [joint.low * (joint.high / joint.low) ** u[:, k] for k, joint in enumerate(self.joints)]
        return np.column_stack([*columns, *self.scattered(u)])

    def around(self, count: int, fixed: Mapping[str, Any], stream: int) -> np.ndarray:
        """Clearances as drawn, but where `fixed` has another distribution, or a number, for the joint."""
        u = self.uniform(count, stream)
        columns = []
        for k, joint in enumerate(self.joints):
            given = fixed.get(joint.joint, joint.axis)
            columns.append(np.full(count, given) if isinstance(given, float) else
                           np.asarray(given.draw(self.mechanism, joint.path, u[:, k])))  # fmt: skip
        return np.column_stack([*columns, *self.scattered(u)])

    def scattered(self, u: np.ndarray) -> list[np.ndarray]:
        """The numbers that scatter, from the last columns of u."""
        first = len(self.joints)
        return [self._quantile(path, u[:, first + k]) for k, path in enumerate(self.scatter)]

    def uniform(self, count: int, stream: int) -> np.ndarray:
        """The first of a scrambled Sobol sequence, another one for each stream."""
        rng = np.random.default_rng([self.seed, stream])
        power = max(0, (count - 1).bit_length())
        return np.asarray(qmc.Sobol(len(self.axes), scramble=True, seed=rng).random_base2(power))[:count]

    def scaled(self, rows: np.ndarray) -> np.ndarray:
        """Inputs of a surface: the logarithm of clearances, about -1 to 1."""
        out = np.array(rows, dtype=float)
        out[..., : len(self.joints)] = np.log(out[..., : len(self.joints)])
        return np.asarray((out - self._middle) / self._half)

    def run(self, name: str, rows: np.ndarray) -> Table:
        """The results at these points, in their order; computed where the folder does not have them yet."""
        columns = {path: [float(x) for x in column] for path, column in zip(self.axes, rows.T, strict=True)}
        study = Study(self.mechanism, columns, list(self.measures), design="list", seed=self.seed,
                      name=f"{self.mechanism.name} {name}", **self.settings)  # fmt: skip
        table = study.run(self.folder / name, engine=self.engine, progress=self.progress)
        self.runs += len(rows)
        return table

    def _quantile(self, path: str, u: np.ndarray) -> np.ndarray:
        return np.asarray(self.axes[path].draw(self.mechanism, path, u), dtype=float)


def _distribution(path: str, given: Any) -> Axis:
    axis = read_axis(path, given)
    if not isinstance(axis, Distribution):
        raise GudgeonError(f'scatter "{path}": {given!r} is no distribution; give uniform(low, high) or '
                           "normal(mean, deviation)")  # fmt: skip
    return axis
