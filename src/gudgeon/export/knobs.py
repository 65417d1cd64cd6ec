"""Knobs: numbers of a mechanism that are changed where there is no Python, such as the sliders of a page.

What a march starts with, parameters, states and scales, are functions of the knobs that fits, materials and the closing
of the mechanism make. They are not written a second time: the mechanism is assembled at chosen values, and every number
that differs is interpolated by Chebyshev's polynomials (`analysis.statistics.interpolation`). That is checked at values
by chance, in every number to 1e-11. A value at which the equations are others, and not only their numbers, is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gudgeon.analysis.statistics.interpolation import AGREE, Interpolation, InterpolationAxis, TooManyPoints
from gudgeon.model import Mechanism
from gudgeon.model.names import about
from gudgeon.model.units import unit_of
from gudgeon.quantity import GudgeonError, in_words

__all__ = ["Dependence", "Knob", "Numbers", "depend", "read_knobs", "usual_knobs"]

CHECKS = 4  # combinations of values at which the interpolation is checked
MOST_USUAL = 6  # knobs that are chosen where none are named
TRIES = 12  # to find a range whose ends make a mechanism
# usual ranges in parts of the value
RANGES = {"radial_clearance": (0.1, 2.0), "angular_clearance": (0.1, 2.0), "speed": (0.25, 1.5)}
WIDE = (0.5, 2.0)

Numbers = Callable[[Mechanism], tuple[np.ndarray, Any]]  # of a mechanism, with what must be equal for equal equations


@dataclass(frozen=True)
class Knob:
    """A number of a mechanism by its path, with its range, SI."""

    path: str
    value: float
    low: float
    high: float
    unit: str

    @property
    def axis(self) -> InterpolationAxis:
        return InterpolationAxis(np.array([self.low, self.high]), every=True)

    def scaled(self, value: float) -> float:
        """Where a value lies, -1 to 1; by its logarithm where `axis.log`."""
        return float(self.axis.there(np.array([value]))[0])


@dataclass(frozen=True)
class Dependence:
    """Numbers as functions of knobs: base, but at `places` the sum over rows of
    coefficients * T_degrees[0](u_0) * T_degrees[1](u_1) ..., T_k(u) = cos(k arccos u), u as `Knob.scaled` gives it."""

    knobs: tuple[Knob, ...]
    base: np.ndarray
    places: np.ndarray
    degrees: np.ndarray  # (term, knob)
    coefficients: np.ndarray  # (term, place)

    def at(self, values: Sequence[float]) -> np.ndarray:
        """All numbers for values of the knobs."""
        angles = [math.acos(min(1.0, max(-1.0, k.scaled(x)))) for k, x in zip(self.knobs, values, strict=True)]
        shares = np.cos(self.degrees * np.array(angles)).prod(axis=1)
        numbers = self.base.copy()
        numbers[self.places] = shares @ self.coefficients
        return numbers


def depend(mechanism: Mechanism, knobs: Sequence[Knob], numbers: Numbers, grain: np.ndarray | float = 0.0,
           visit: Callable[[int], None] = lambda count: None) -> Dependence:  # fmt: skip
    """The numbers of a mechanism as functions of its knobs. `grain`: magnitudes that errors are relative to, where they
    are larger than the numbers; `visit` is told how many times the mechanism was assembled."""
    base, structure = numbers(mechanism)
    if not knobs:
        none = np.zeros(0, dtype=int)
        return Dependence((), base, none, np.zeros((1, 0), dtype=int), np.zeros((1, 0)))

    def vector(values: tuple[float, ...]) -> np.ndarray:
        visit(len(between.known))
        try:
            found, other = numbers(_changed(mechanism, knobs, values))
        except GudgeonError as error:
            raise GudgeonError(f"knobs at {_said(knobs, values)}: {error}; choose narrower ranges") from None
        if other != structure:
            raise GudgeonError(f"knobs at {_said(knobs, values)} change the equations, not only their numbers (0 and "
                               "±1 are left out of them); choose ranges without that")  # fmt: skip
        return found

    between = Interpolation(vector, [knob.axis for knob in knobs], grain)
    try:
        between.grow()
        _check(between, knobs)
    except TooManyPoints:
        raise GudgeonError(f"{in_words(knob.path for knob in knobs)}: numbers of the mechanism have kinks or jumps in "
                           "these ranges; choose narrower ones, or fewer of them") from None  # fmt: skip
    places = between.places
    terms = {k: x[places] for k, x in between.polynomials().items()}
    small = AGREE * between.scale[places]
    kept = {k: x for k, x in terms.items() if not any(k) or (np.abs(x) > 1e-4 * small).any()}
    return Dependence(tuple(knobs), between.base, places, np.array(list(kept)), np.array(list(kept.values())))


def _check(between: Interpolation, knobs: Sequence[Knob]) -> None:
    """Compare at combinations by chance."""
    chosen = np.random.default_rng(3).uniform([k.low for k in knobs], [k.high for k in knobs], (CHECKS, len(knobs)))
    every = np.arange(len(between.base))
    for values in chosen:
        exact, ours = between.vector(tuple(values.tolist())), between.evaluated(values[None, :], every)[:, 0]
        other = ours != exact  # some are infinite
        if (np.abs(ours[other] - exact[other]) > 10.0 * AGREE * between.scale[other]).any():
            raise TooManyPoints


def _changed(mechanism: Mechanism, knobs: Sequence[Knob], values: Sequence[float]) -> Mechanism:
    for knob, value in zip(knobs, values, strict=True):
        if knob.path in mechanism.parameters:  # a twin with ideal joints has less of them
            mechanism = mechanism.vary(knob.path, value)
    return mechanism


def _said(knobs: Sequence[Knob], values: Sequence[float]) -> str:
    return ", ".join(f"{k.path} {x:.6g}{' ' + k.unit if k.unit else ''}" for k, x in zip(knobs, values, strict=True))


# -- which numbers, and how far -------------------------------------------------------------------------------


def read_knobs(mechanism: Mechanism, given: Sequence[str] | Mapping[str, Any]) -> list[Knob]:
    """Knobs by their paths, with a range (low, high) or None for the usual one. Texts may have the range behind them:
    "pin.radial_clearance=0.1 mm..0.5 mm"."""
    ranges = dict(given) if isinstance(given, Mapping) else dict(map(_split, given))
    knobs = []
    for path, ends in ranges.items():
        known = mechanism.parameters
        if path not in known:
            mechanism.vary(path, 1.0)  # says why there is no such number
        value = known[path]
        if ends is None:
            low, high = _usual_range(mechanism, path, value)
        else:
            with about(f'knob "{path}"'):
                if isinstance(ends, str) or len(ends) != 2:
                    raise GudgeonError(f"{ends!r} is not a range; give its two ends")
                low, high = sorted(mechanism.vary(path, end).parameters[path] for end in ends)
                if not low < high:
                    raise GudgeonError(f"the range from {low:g} to {high:g} is empty; give two different ends")
                if not low <= value <= high:
                    raise GudgeonError(f"the range from {low:g} to {high:g} is without the value of the model, "
                                       f"{value:g}; give a range around it, or change the model")  # fmt: skip
        knobs.append(Knob(path, value, low, high, unit_of(mechanism, path)))
    return knobs


def _split(text: str) -> tuple[str, Any]:
    path, _, ends = (part.strip() for part in text.partition("="))
    if not ends:
        return path, None
    low, dots, high = (part.strip() for part in ends.partition(".."))
    if not (dots and low and high):
        raise GudgeonError(f'knob "{text}": write path=low..high, for instance "pin.radial_clearance=0.1 mm..0.5 mm"')
    return path, (low, high)


def _usual_range(mechanism: Mechanism, path: str, value: float) -> tuple[float, float]:
    """A range around the value whose ends make a mechanism."""
    field = path.rpartition(".")[2]
    if field == "restitution":
        ends = [min(0.3, 0.5 * value), max(0.95, value)]
    elif field == "friction":
        ends = [0.0, max(0.3, 2.0 * value)]
    elif value == 0.0:
        raise GudgeonError(f'knob "{path}": it is 0, from which no range follows; give one, "{path}=low..high"')
    else:
        ends = sorted(part * value for part in RANGES.get(field, WIDE))
    for k, end in enumerate(ends):
        for _ in range(TRIES):
            try:
                mechanism.vary(path, end)
                break
            except GudgeonError:
                end = value + 0.7 * (end - value)
        ends[k] = end
    return ends[0], ends[1]


def usual_knobs(mechanism: Mechanism, masses: bool = True) -> list[str]:
    """What one would change first: play, speed, restitution and friction, then masses."""
    known = {path: value for path, value in mechanism.parameters.items() if value != 0.0 or path.endswith("friction")}
    fields = [
        [p for p in known if p.endswith(".radial_clearance") or p.endswith(".angular_clearance")][:2],
        [p for p in known if p.endswith(".speed") and p.partition(".")[0] in mechanism.drives][:1],
        [p for p in known if p.endswith(".restitution")][:1],
        [p for p in known if p.endswith(".friction")][:2],
        [p for p in known if p.endswith(".mass")][-2:] if masses else [],
    ]
    return [path for some in fields for path in some][:MOST_USUAL]
