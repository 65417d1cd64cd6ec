"""From axes to points: which combinations of values are run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from gudgeon.model import Mechanism
from gudgeon.model.names import about
from gudgeon.quantity import GudgeonError, closest, in_words
from gudgeon.study.points.values import MOST_POINTS, Axis, Distribution

__all__ = ["DESIGNS", "Point", "choose_design", "points"]

Point = tuple[Any, ...]

DESIGNS = {
    "grid": "every value of each path with every value of the others",
    "list": "the first values of all paths together, then the second ones, and so on",
    "latin": "samples that fill each path evenly (Latin hypercube)",
    "sobol": "samples that fill the whole space evenly (scrambled Sobol sequence)",
    "random": "independent samples (Monte-Carlo)",
    "saltelli": "pairs of samples, what lies between them and a twin, paths + 3 runs for each, for influences (Sobol "
    "indices)",
}
TWIN = 3e-3  # of a distribution: by how much the numbers of twins differ
SAMPLED = ("latin", "sobol", "random", "saltelli")


def choose_design(design: str | None, axes: Mapping[str, Axis], samples: int | None) -> str:
    """The design that was asked for, or the one that the axes mean."""
    if design is None:
        chance = [path for path, axis in axes.items() if isinstance(axis, Distribution)]
        design = "random" if chance or samples is not None else "grid"
    if design not in DESIGNS:
        likely = closest(str(design), DESIGNS)
        hint = f'did you mean "{likely}"?' if likely else f"choose from {in_words(DESIGNS)}"
        raise GudgeonError(f'design "{design}" is not known; {hint}')
    if design in SAMPLED and samples is None:
        raise GudgeonError(f'design "{design}" needs samples, the number of runs; give for instance samples=64')
    if design not in SAMPLED and samples is not None:
        raise GudgeonError(f'design "{design}" takes no samples; leave it out, or choose from {in_words(SAMPLED)}')
    if samples is not None and (isinstance(samples, bool) or not isinstance(samples, int) or samples < 1):
        raise GudgeonError(f"samples {samples!r} must be a whole number of at least 1; give for instance samples=64")
    most = MOST_POINTS // (len(axes) + 3 if design == "saltelli" else 1)
    if samples is not None and samples > most:
        raise GudgeonError(f"samples {samples} are too many runs for one study; give at most {most}")
    return design


def points(mechanism: Mechanism, axes: Mapping[str, Axis], design: str, samples: int | None, seed: int) -> list[Point]:
    """All points of a study, in their order; the same for the same seed."""
    if design in SAMPLED:
        assert samples is not None
        spread = _spread(design, len(axes), samples, seed)
        columns = []
        for (path, axis), u in zip(axes.items(), spread.T, strict=True):
            with about(f'vary "{path}"'):
                columns.append(axis.draw(mechanism, path, u))
        return list(zip(*columns, strict=True))
    values = {}
    for path, axis in axes.items():
        with about(f'vary "{path}"'):
            values[path] = axis.values(mechanism, path)
    if design == "list":
        counts = {path: len(column) for path, column in values.items()}
        if len(set(counts.values())) > 1:
            said = ", ".join(f'"{path}" {count}' for path, count in counts.items())
            raise GudgeonError(f'design "list" needs as many values for each path: {said}; or choose "grid"')
        return list(zip(*values.values(), strict=True))
    total = math.prod(len(column) for column in values.values())
    if total > MOST_POINTS:
        raise GudgeonError(f"the grid has {total} points; give fewer values, or a sampled design")
    return list(itertools.product(*values.values()))


def _spread(design: str, dimensions: int, samples: int, seed: int) -> np.ndarray:
    """Numbers in (0, 1), one row per run."""
    rng = np.random.default_rng(seed)
    if design == "random":
        return rng.random((samples, dimensions))
    from scipy.stats import qmc

    if design == "latin":
        return np.asarray(qmc.LatinHypercube(dimensions, seed=rng).random(samples))
    # a Sobol sequence is even in powers of two; the first samples of the next power are taken
    power = max(0, (samples - 1).bit_length())
    halves = 2 if design == "saltelli" else 1
    spread = np.asarray(qmc.Sobol(halves * dimensions, scramble=True, seed=rng).random_base2(power))[:samples]
    return _paired(spread[:, :dimensions], spread[:, dimensions:]) if halves == 2 else spread


def _paired(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """For each row of a and b: both, then a with each number in turn from b (Saltelli et al. 2010), then a twin of a,
    every number of which is moved by a hundredth of its distribution: of a clearance some tenths of a micrometre, less
    than bores are round by. Nobody tells them apart, so that what their results differ by is noise. What belongs
    together stands together, so that a study that was interrupted has whole sets."""
    dimensions = a.shape[1]
    sets = np.repeat(a[:, None, :], dimensions + 3, axis=1)
    sets[:, 1] = b
    for k in range(dimensions):
        sets[:, 2 + k, k] = b[:, k]
    sets[:, -1] = np.where(a < 0.5, a + TWIN, a - TWIN)
    return sets.reshape(-1, dimensions)
