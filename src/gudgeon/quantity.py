"""Quantities at the border: "0.5 mm" becomes 0.0005, and what cannot be right is refused.

Inside gudgeon every number is SI. At the border a number is SI too, and a string carries its unit.
A field of a part says what it accepts by its annotation::

    @dataclass(frozen=True)
    class Clearance(Part):
        radial_clearance: Length

`Part.__post_init__` converts and checks every annotated field, so a part that exists is a valid part.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

__all__ = [
    "SI", "Angle", "AngularSpeed", "Damping", "Density", "GudgeonError", "Inertia", "Length", "Mass", "Part",
    "Positive", "Pressure", "Ratio", "SIRow", "Speed", "Stiffness", "Time", "Unit", "closest", "in_notebook",
    "in_words", "quantity", "vector",
]  # fmt: skip


class GudgeonError(ValueError):
    """A mistake in what the user wrote, told in the user's words: the part, the value, the remedy."""


# -- units: a factor to SI and the exponents of (m, kg, s, rad, A) ----------------------------------------------
# the radian is kept as a dimension of its own, so that "5 rpm" is no frequency and "3 mm" no angle

Dimension = tuple[float, float, float, float, float]

_NONE = (0.0, 0.0, 0.0, 0.0, 0.0)
_METRE, _KILOGRAM, _SECOND = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0)
_RADIAN, _AMPERE = (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)
_FORCE, _PRESSURE, _ENERGY, _POWER = (1, 1, -2, 0, 0), (-1, 1, -2, 0, 0), (2, 1, -2, 0, 0), (2, 1, -3, 0, 0)
_VOLT, _OHM, _HENRY = (2, 1, -3, 0, -1), (2, 1, -3, 0, -2), (2, 1, -2, 0, -2)

_UNITS: dict[str, tuple[float, Dimension]] = {
    "m": (1.0, _METRE), "mm": (1e-3, _METRE), "cm": (1e-2, _METRE), "um": (1e-6, _METRE), "µm": (1e-6, _METRE),
    "nm": (1e-9, _METRE), "km": (1e3, _METRE), "in": (0.0254, _METRE), "ft": (0.3048, _METRE),
    "kg": (1.0, _KILOGRAM), "g": (1e-3, _KILOGRAM), "t": (1e3, _KILOGRAM), "lb": (0.45359237, _KILOGRAM),
    "s": (1.0, _SECOND), "ms": (1e-3, _SECOND), "us": (1e-6, _SECOND), "µs": (1e-6, _SECOND),
    "min": (60.0, _SECOND), "h": (3600.0, _SECOND),
    "rad": (1.0, _RADIAN), "deg": (math.pi / 180, _RADIAN), "°": (math.pi / 180, _RADIAN),
    "rev": (2 * math.pi, _RADIAN), "turn": (2 * math.pi, _RADIAN),
    "rpm": (2 * math.pi / 60, (0, 0, -1, 1, 0)), "Hz": (1.0, (0, 0, -1, 0, 0)),
    "N": (1.0, _FORCE), "kN": (1e3, _FORCE), "MN": (1e6, _FORCE), "lbf": (4.4482216152605, _FORCE),
    "Nm": (1.0, _ENERGY), "kNm": (1e3, _ENERGY), "J": (1.0, _ENERGY), "W": (1.0, _POWER), "kW": (1e3, _POWER),
    "Pa": (1.0, _PRESSURE), "kPa": (1e3, _PRESSURE), "MPa": (1e6, _PRESSURE), "GPa": (1e9, _PRESSURE),
    "bar": (1e5, _PRESSURE), "psi": (6894.757293168, _PRESSURE),
    "P": (0.1, (-1, 1, -1, 0, 0)), "cP": (1e-3, (-1, 1, -1, 0, 0)),
    "A": (1.0, _AMPERE), "mA": (1e-3, _AMPERE), "V": (1.0, _VOLT), "mV": (1e-3, _VOLT), "kV": (1e3, _VOLT),
    "ohm": (1.0, _OHM), "mohm": (1e-3, _OHM), "Ω": (1.0, _OHM), "H": (1.0, _HENRY), "mH": (1e-3, _HENRY),
    "uH": (1e-6, _HENRY), "µH": (1e-6, _HENRY),
    "%": (0.01, _NONE), "1": (1.0, _NONE),
}  # fmt: skip

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TEXT = re.compile(rf"\s*({_NUMBER})\s*(.*?)\s*")
_FACTOR = re.compile(r"([A-Za-zµ°%Ω]+|1)(?:\^?\(?(-?\d+(?:\.\d+)?)\)?)?")


def parse_unit(text: str) -> tuple[float, Dimension]:
    """Factor and dimension of a unit expression such as "mm", "N/m^1.5", "kg m^2" or "N*s/m"."""
    factor, dimension = 1.0, list(_NONE)
    sign = 1
    for piece in re.split(r"([/*·\s])", text.strip()):
        if piece in ("", " ", "*", "·"):
            continue
        if piece == "/":
            sign = -1
            continue
        match = _FACTOR.fullmatch(piece)
        if match is None or match[1] not in _UNITS:
            known = closest(match[1] if match else piece, _UNITS)
            raise GudgeonError(f'unknown unit "{piece}"' + (f'; did you mean "{known}"?' if known else ""))
        exponent = float(match[2] or 1) * sign
        scale, exponents = _UNITS[match[1]]
        factor *= scale**exponent
        for k, power in enumerate(exponents):
            dimension[k] += power * exponent
        sign = 1
    m, kg, s, rad, ampere = dimension
    return factor, (m, kg, s, rad, ampere)


def quantity(value: Any, unit: str, name: str = "value") -> float:
    """SI number from a number or a string with a unit of the same dimension as `unit`.

    >>> quantity("0.5 mm", "m")
    0.0005
    """
    if isinstance(value, str):
        match = _TEXT.fullmatch(value)
        if match is None:
            raise GudgeonError(f'{name} "{value}" is not a number with a unit; write for instance "5 {unit}"')
        number, text = float(match[1]), match[2]
        if re.match(r",\d", text):
            point = value.strip().replace(",", ".", 1)
            raise GudgeonError(f'{name} "{value}" has a decimal comma; write "{point}"')
        if not text:
            return _finite(number, name, value)
        try:
            factor, dimension = parse_unit(text)
        except GudgeonError as error:
            raise GudgeonError(f'{name} "{value}": {error}') from None
        expected = parse_unit(unit)[1] if unit else _NONE
        if dimension != expected:
            what = f"[{unit}]" if unit else "a plain number"
            raise GudgeonError(f'{name} "{value}" has the wrong dimension: expected {what}')
        return _finite(number * factor, name, value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        raise GudgeonError(f"{name} {value!r} is not a number" + (f" [{unit}]" if unit else ""))
    return _finite(float(value), name, value)


def _finite(number: float, name: str, value: Any) -> float:
    if not math.isfinite(number):
        raise GudgeonError(f"{name} {value!r} is not finite; give a finite number")
    return number


def vector(value: Any, unit: str, name: str, size: int = 2) -> tuple[float, ...]:
    """SI components from a sequence of numbers or strings."""
    try:
        items = list(value) if not isinstance(value, str) else None
    except TypeError:
        items = None
    if items is None or len(items) != size:
        sample = (*(0.0,) * (size - 1), -9.81 if unit == "m/s^2" else 0.0)
        raise GudgeonError(f"{name} {value!r} needs {size} components, for instance {sample}")
    return tuple(quantity(item, unit, f"{name}[{k}]") for k, item in enumerate(items))


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, for "did you mean"."""
    matches = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def in_words(words: Iterable[str], last: str = "and") -> str:
    """ "a", "b" and "c" """
    quoted = [f'"{word}"' for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + f" {last} {quoted[-1]}" if quoted else "none"


# -- annotated fields -------------------------------------------------------------------------------------------


class Unit:
    """What a field accepts: its SI unit and its range, or a word instead."""

    def __init__(self, unit: str, *, above: float | None = None, minimum: float | None = None,
                 maximum: float | None = None, remedy: str = "", word: str = "") -> None:  # fmt: skip
        self.unit, self.above, self.minimum, self.maximum, self.remedy = unit, above, minimum, maximum, remedy
        self.word = word

    def read(self, value: Any, name: str) -> Any:
        if self.word and value == self.word:
            return value
        number = quantity(value, self.unit, name)
        shown = f"{value!r}" if not isinstance(value, str) else f'"{value}"'
        if self.above is not None and not number > self.above:
            raise GudgeonError(f"{name} {shown} must be greater than {self.above:g}{self._advice()}")
        if self.minimum is not None and number < self.minimum:
            raise GudgeonError(f"{name} {shown} must be at least {self.minimum:g}{self._advice()}")
        if self.maximum is not None and number > self.maximum:
            raise GudgeonError(f"{name} {shown} must be at most {self.maximum:g}{self._advice()}")
        return number

    def _advice(self) -> str:
        return (f" [{self.unit}]" if self.unit else "") + (f"; {self.remedy}" if self.remedy else "")


# a field is written as a number or as a text with a unit, and read as a number: type checkers cannot be told both,
# so that they see Any and let `Clearance("0.5 mm")` pass
if TYPE_CHECKING:
    SI: TypeAlias = Any
    SIRow: TypeAlias = Any
else:
    SI = float
    SIRow = tuple[float, ...]

Length = Annotated[SI, Unit("m", above=0.0)]
Mass = Annotated[SI, Unit("kg", above=0.0)]
Inertia = Annotated[SI, Unit("kg m^2", above=0.0)]
Time = Annotated[SI, Unit("s", above=0.0)]
Speed = Annotated[SI, Unit("m/s")]
Angle = Annotated[SI, Unit("rad")]
AngularSpeed = Annotated[SI, Unit("rad/s")]
Pressure = Annotated[SI, Unit("Pa", above=0.0)]
Density = Annotated[SI, Unit("kg/m^3", above=0.0)]
Positive = Annotated[SI, Unit("", above=0.0)]
Ratio = Annotated[SI, Unit("", minimum=0.0, maximum=1.0)]
Stiffness = Annotated[SI, Unit("N/m", above=0.0)]
Damping = Annotated[SI, Unit("N s/m", minimum=0.0)]


class Part:
    """Base of every immutable piece of a description: annotated fields are read and checked on creation."""

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, unit, optional in _checked_fields(kind):
            value = getattr(self, name)
            if not (optional and value is None):
                object.__setattr__(self, name, unit.read(value, f"{kind.__name__}: {name}"))
        self.validate()

    def validate(self) -> None:
        """Checks that involve several fields; override."""


@cache
def _checked_fields(cls: Any) -> tuple[tuple[str, Unit, bool], ...]:
    """Fields that have a unit, and whether they may be None. Reading annotations is slow, so once for each class."""
    hints = get_type_hints(cls, include_extras=True)
    units = ((item.name, *_unit_of(hints[item.name])) for item in fields(cls))
    return tuple((name, unit, optional) for name, unit, optional in units if unit is not None)


def _unit_of(hint: Any) -> tuple[Unit | None, bool]:
    if get_origin(hint) is Annotated:
        return next((m for m in hint.__metadata__ if isinstance(m, Unit)), None), False
    for option in get_args(hint):
        unit, _ = _unit_of(option)
        if unit is not None:
            return unit, type(None) in get_args(hint)
    return None, False


def in_notebook(title: str, text: str) -> str:
    """A title and lines for a notebook, nothing of it being markup."""
    return f"<b>{escape(title)}</b><pre style='font-size:12px'>{escape(text)}</pre>"
