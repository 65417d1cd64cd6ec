"""What a study gives to one path: a list of values, evenly spaced values, or a distribution to draw from.

    linspace("0.1 mm", "0.5 mm", 5)      logspace("0.01 mm", "0.5 mm", 200)      [0.0, "1 %", 0.03]
    normal("210 g", "2 g")               uniform(4000, "5000 rpm")               iso("20 H7/f7")

Texts carry units and are read with the field they are for; everything that a study keeps is SI.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any, ClassVar

import numpy as np

from gudgeon.model import Mechanism
from gudgeon.model.files.edit import put
from gudgeon.model.fits.iso286 import iso_fit
from gudgeon.quantity import _TEXT, GudgeonError, in_words, parse_unit, quantity

__all__ = ["KINDS", "Axis", "Distribution", "Iso", "Linspace", "Listed", "Logspace", "Normal", "Uniform", "read_axis"]

MOST_POINTS = 10_000_000


class Axis(ABC):
    """The values of one path."""

    word: ClassVar[str] = ""

    @abstractmethod
    def values(self, mechanism: Mechanism, path: str) -> list[Any]:
        """All values, SI where they are numbers; a distribution has none."""

    def draw(self, mechanism: Mechanism, path: str, u: np.ndarray) -> list[Any]:
        """One value for each number of u, which lie evenly in (0, 1): each of the values is as likely."""
        known = self.values(mechanism, path)
        return [known[min(int(x * len(known)), len(known) - 1)] for x in u]

    def described(self) -> Any:
        """As a study file says it."""
        return {self.word: list(astuple(self))}  # type: ignore[call-overload]


@dataclass(frozen=True)
class Listed(Axis):
    """Values one by one: numbers, texts with units, or words such as the name of a law."""

    items: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.items:
            raise GudgeonError("the list of values is empty; give at least one")

    def values(self, mechanism: Mechanism, path: str) -> list[Any]:
        # lists of many points repeat their values; 1 and True are different ones. Floats are SI already, and what takes
        # the least and the greatest of them takes those between
        floats = [item for item in self.items if type(item) is float and math.isfinite(item)]
        low, high = (min(floats), max(floats)) if floats else (0.0, 0.0)
        between = {x for x in floats if low < x < high}
        known: dict[tuple[type, str], Any] = {(float, repr(x)): x for x in between}
        for item in self.items:
            key = (type(item), repr(item))
            if key not in known:
                known[key] = _settled(mechanism, path, item)
        return [known[type(item), repr(item)] for item in self.items]

    def described(self) -> Any:
        return list(self.items)


@dataclass(frozen=True)
class Linspace(Axis):
    """Evenly spaced values from `low` to `high`, both included."""

    low: Any
    high: Any
    points: int
    word: ClassVar[str] = "linspace"

    def __post_init__(self) -> None:
        number = self.points
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= MOST_POINTS:
            limits = f"a whole number from 1 to {MOST_POINTS}"
            raise GudgeonError(f"{self.word}: points {number!r} must be {limits}; write for instance 20")
        object.__setattr__(self, "points", int(number))

    def values(self, mechanism: Mechanism, path: str) -> list[Any]:
        low, high = (_number(mechanism, path, end, self.word) for end in (self.low, self.high))
        return [float(x) for x in np.linspace(low, high, self.points)]


@dataclass(frozen=True)
class Logspace(Linspace):
    """Logarithmically spaced values from `low` to `high`, both included."""

    word: ClassVar[str] = "logspace"

    def values(self, mechanism: Mechanism, path: str) -> list[Any]:
        low, high = (_number(mechanism, path, end, self.word) for end in (self.low, self.high))
        if not low * high > 0.0:
            raise GudgeonError(f"{self.word}: {self.low!r} and {self.high!r} must both be positive; use linspace")
        return [float(x) for x in np.geomspace(low, high, self.points)]


class Distribution(Axis):
    """Values by chance. `quantile` turns evenly spread numbers into values, so every design can use it."""

    def values(self, mechanism: Mechanism, path: str) -> list[Any]:
        raise GudgeonError(
            f'"{path}" is a distribution ({self.word}), which a grid or a list cannot hold; '
            'choose the design "latin", "sobol", "random" or "saltelli" and the number of samples'
        )

    def draw(self, mechanism: Mechanism, path: str, u: np.ndarray) -> list[Any]:
        inside = np.clip(u, 1e-12, 1.0 - 1e-12)
        return [float(x) for x in self.quantile(mechanism, path, inside)]

    @abstractmethod
    def quantile(self, mechanism: Mechanism, path: str, u: np.ndarray) -> np.ndarray:
        """The value below which a share u of all values lies."""


@dataclass(frozen=True)
class Normal(Distribution):
    """Normal distribution by its mean and standard deviation."""

    mean: Any
    deviation: Any
    word: ClassVar[str] = "normal"

    def quantile(self, mechanism: Mechanism, path: str, u: np.ndarray) -> np.ndarray:
        from scipy.special import ndtri

        mean = _number(mechanism, path, self.mean, self.word)
        deviation = _size(mechanism, path, self.deviation, self.word)
        return np.asarray(mean + deviation * ndtri(u))


@dataclass(frozen=True)
class Uniform(Distribution):
    """Uniform distribution between `low` and `high`."""

    low: Any
    high: Any
    word: ClassVar[str] = "uniform"

    def quantile(self, mechanism: Mechanism, path: str, u: np.ndarray) -> np.ndarray:
        low, high = (_number(mechanism, path, end, self.word) for end in (self.low, self.high))
        if not low < high:
            raise GudgeonError(f"uniform: {self.low!r} must be less than {self.high!r}")
        return low + (high - low) * u


@dataclass(frozen=True)
class Iso(Distribution):
    """Radial clearance [m] of an ISO 286 fit such as "20 H7/f7"; `wear` [m] is added to it.

    Hole and shaft are taken as independent and normal, each tolerance T as six standard deviations, so that half
    their difference has the deviation sqrt(T_hole^2 + T_shaft^2) / 12; cut at the limits of the fit.
    """

    fit: str
    wear: Any = 0.0
    word: ClassVar[str] = "iso"

    def __post_init__(self) -> None:
        fit = iso_fit(self.fit)
        if fit.minimum < 0.0:
            article = "an" if fit.kind == "interference" else "a"
            raise GudgeonError(
                f'iso "{fit.text}" is {article} {fit.kind} fit: parts may have no clearance at all; '
                "choose a looser shaft"
            )
        object.__setattr__(self, "wear", quantity(self.wear, "m", "wear"))
        if not self.wear >= 0.0:
            raise GudgeonError(f"iso: wear {self.wear:g} m must not be negative; it is added to the clearance")

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest clearance [m]."""
        fit = iso_fit(self.fit)
        return fit.minimum + self.wear, fit.maximum + self.wear

    def quantile(self, mechanism: Mechanism, path: str, u: np.ndarray) -> np.ndarray:
        from scipy.special import ndtr, ndtri

        fit = iso_fit(self.fit)
        put(mechanism, path, f"{fit.mean!r} m")
        deviation = math.hypot(fit.hole_upper - fit.hole_lower, fit.shaft_upper - fit.shaft_lower) / 12
        low, high = (ndtr((end - fit.mean) / deviation) for end in (fit.minimum, fit.maximum))
        return np.asarray(self.wear + fit.mean + deviation * ndtri(low + (high - low) * u))

    def described(self) -> Any:
        return {"iso": [self.fit, self.wear] if self.wear else self.fit}


KINDS: dict[str, type[Axis]] = {cls.word: cls for cls in (Linspace, Logspace, Normal, Uniform, Iso)}


def read_axis(path: str, given: Any) -> Axis:
    """What the user gave for a path."""
    if isinstance(given, Axis):
        return given
    if isinstance(given, str) and "/" in given:
        return Iso(given)
    if isinstance(given, Iterable) and not isinstance(given, str | dict | bytes):
        return Listed(tuple(item.item() if isinstance(item, np.generic) else item for item in given))
    words = in_words(KINDS)
    raise GudgeonError(f'vary "{path}": {given!r} is no list of values; give a list, or one of {words}')


# -- texts with units ---------------------------------------------------------------------------------------


def _settled(mechanism: Mechanism, path: str, value: Any) -> Any:
    """A value that the mechanism takes: SI where it is a number, else as it stands."""
    changed = put(mechanism, path, value)
    if path in changed.parameters:
        return changed.parameters[path]
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _number(mechanism: Mechanism, path: str, value: Any, word: str) -> float:
    """SI number of a value that the mechanism takes."""
    number = _settled(mechanism, path, value)
    if isinstance(number, str):
        number = _si(number)[0]
    if not isinstance(number, float):
        raise GudgeonError(f"{word}: {value!r} is not a number")
    return number


def _size(mechanism: Mechanism, path: str, value: Any, word: str) -> float:
    """SI number of a difference: its dimension is that of the field, its range is not."""
    number, unit = _si(value)
    if unit:
        try:
            put(mechanism, path, value)
        except GudgeonError as error:
            if "dimension" in str(error):
                raise
    if not number >= 0.0:
        raise GudgeonError(f"{word}: the deviation {value!r} must not be negative")
    return number


def _si(value: Any) -> tuple[float, str]:
    """Number and unit of what was written."""
    if isinstance(value, str):
        match = _TEXT.fullmatch(value)
        if match is None:
            raise GudgeonError(f'"{value}" is not a number with a unit; write it as in the model, for instance "2 g"')
        return float(match[1]) * (parse_unit(match[2])[0] if match[2] else 1.0), match[2]
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise GudgeonError(f"{value!r} is not a number")
    return float(value), ""
