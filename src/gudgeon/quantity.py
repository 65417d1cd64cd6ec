"""Quantities at the border: "0.5 mm" becomes 0.0005, and what cannot be right is refused.

Inside gudgeon every number is SI. At the border a number is SI too, and a string carries its unit.
A field of a part says what it accepts by its annotation::

    @dataclass(frozen=True)
    class Clearance(Part):
        radial_clearance: Length

`Part.__post_init__` converts and checks every annotated field, so a part that exists is a valid part.

A unit is an expression: symbols with their prefixes, powers ("m^2", "m2", "m²"), products ("N s", "N*s", "N·s"),
symbols written together as the trade does ("Nmm", "Ns/mm", "kgcm²", "mPas"), and quotients ("N/mm", "N/(m s)"). Symbols
written together are split in every way that is possible, and the dimension of the field decides: "Nms/rad" is newton
metre second per radian where a torsional damping is wanted, not newton millisecond. What has two readings is refused
with both of them.

Why not pint? Weighed again with pint 0.25: importing it and making its registry takes 1.2 s to 2.0 s, more than
`import gudgeon` as a whole (0.8 s to 1.1 s on the same machine), and it installs 4.7 MB in five packages. It does not
know Nmm, Ns or kgcm, and what it does read is worse: "1 Nms" is 1000 m/kg and "3 Nm/rad" 3000 m/kg/rad, "46 mPas" a
pressure per second, "0,5 mm" 0.0 m, "1000 1/min" on a rotational speed 16.7 rad/s instead of 104.7, "N/m s" silently
N s/m, and its radian has no dimension, so that 5 rpm passes as a frequency and 3 Hz as a rotational speed. All of that
would have to be caught around it. The table below has about forty symbols.
"""

from __future__ import annotations

import difflib
import itertools
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, get_args, get_origin, get_type_hints

__all__ = [
    "QUANTITIES", "SI", "Angle", "AngularSpeed", "Damping", "Density", "GudgeonError", "Inertia", "Length", "Mass",
    "Part", "Positive", "Pressure", "QuantityKind", "Ratio", "Rotational", "SIRow", "Speed", "Stiffness", "Time",
    "Translational", "Unit", "WallDamping", "WallStiffness", "closest", "example_of", "in_notebook", "in_words",
    "parse_unit", "plural", "quantity", "vector",
]  # fmt: skip


class GudgeonError(ValueError):
    """An error in the input. The message names the part, the value and a remedy."""


# -- symbols: a factor to SI, the exponents of (m, kg, s, rad, A), and the prefixes that are in use ---------------
# the radian is kept as a dimension of its own, so that "5 rpm" is no frequency and "3 mm" no angle

Dimension = tuple[float, float, float, float, float]

_NONE = (0.0, 0.0, 0.0, 0.0, 0.0)
_METRE, _KILOGRAM, _SECOND = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 1, 0, 0)
_RADIAN, _AMPERE = (0, 0, 0, 1, 0), (0, 0, 0, 0, 1)
_FORCE, _PRESSURE, _ENERGY, _POWER = (1, 1, -2, 0, 0), (-1, 1, -2, 0, 0), (2, 1, -2, 0, 0), (2, 1, -3, 0, 0)
_VOLT, _OHM, _HENRY = (2, 1, -3, 0, -1), (2, 1, -3, 0, -2), (2, 1, -2, 0, -2)

_PREFIXES = {"n": 1e-9, "µ": 1e-6, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 0.1, "da": 10.0, "h": 100.0, "k": 1e3,
             "M": 1e6, "G": 1e9}  # fmt: skip

_SYMBOLS: dict[str, tuple[float, Dimension, str]] = {
    "m": (1.0, _METRE, "n µ u m c d k"), "in": (0.0254, _METRE, ""), "inch": (0.0254, _METRE, ""),
    "ft": (0.3048, _METRE, ""),
    "g": (1e-3, _KILOGRAM, "µ u m k"), "t": (1e3, _KILOGRAM, ""), "lb": (0.45359237, _KILOGRAM, ""),
    "s": (1.0, _SECOND, "n µ u m"), "min": (60.0, _SECOND, ""), "h": (3600.0, _SECOND, ""),
    "rad": (1.0, _RADIAN, "µ u m"), "deg": (math.pi / 180, _RADIAN, ""), "°": (math.pi / 180, _RADIAN, ""),
    "rev": (2 * math.pi, _RADIAN, ""), "turn": (2 * math.pi, _RADIAN, ""),
    "rpm": (2 * math.pi / 60, (0, 0, -1, 1, 0), "k"), "Hz": (1.0, (0, 0, -1, 0, 0), "k"),
    "N": (1.0, _FORCE, "µ u m c da k M"), "lbf": (4.4482216152605, _FORCE, ""), "kgf": (9.80665, _FORCE, ""),
    "J": (1.0, _ENERGY, "µ u m k"), "W": (1.0, _POWER, "m k M"),
    "Pa": (1.0, _PRESSURE, "m h k M G"), "bar": (1e5, _PRESSURE, "m"), "psi": (6894.757293168, _PRESSURE, "k"),
    "P": (0.1, (-1, 1, -1, 0, 0), "m c"), "St": (1e-4, (2, 0, -1, 0, 0), "m c"),
    "A": (1.0, _AMPERE, "µ u m k"), "V": (1.0, _VOLT, "µ u m k"), "ohm": (1.0, _OHM, "m k"), "Ω": (1.0, _OHM, "m k"),
    "H": (1.0, _HENRY, "µ u m"),
    "%": (0.01, _NONE, ""), "1": (1.0, _NONE, ""),
}  # fmt: skip

_UNITS: dict[str, tuple[float, Dimension]] = {
    prefix + symbol: (factor * _PREFIXES.get(prefix, 1.0), dimension)
    for symbol, (factor, dimension, prefixes) in _SYMBOLS.items()
    for prefix in ("", *prefixes.split())
}
# words that are no symbols, for "did you mean"
_MEANT = {
    "meter": "m", "metre": "m", "metres": "m", "meters": "m", "millimeter": "mm", "millimetre": "mm", "mtr": "m",
    "micron": "µm", "microns": "µm", "my": "µm", "inches": "in", '"': "in", "zoll": "in", "feet": "ft",
    "kgs": "kg", "kilo": "kg", "kilogram": "kg", "gram": "g", "grams": "g", "gr": "g", "gm": "g", "lbs": "lb",
    "ton": "t", "tons": "t", "tonne": "t", "to": "t",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "usec": "µs", "minute": "min",
    "minutes": "min", "hour": "h", "hours": "h", "hr": "h",
    "degree": "deg", "degrees": "deg", "grad": "deg", "radian": "rad", "radians": "rad", "rads": "rad",
    "r": "rev", "u": "rpm", "revs": "rev", "upm": "rpm", "turns": "turn", "rps": "rev/s", "cps": "Hz|cP",
    "newton": "N", "newtons": "N", "kp": "kgf", "pascal": "Pa", "pas": "Pa s", "poise": "P", "centipoise": "cP",
    "stokes": "St", "centistokes": "cSt", "volt": "V", "volts": "V", "amp": "A", "amps": "A",
    "ampere": "A", "joule": "J", "watt": "W", "ohms": "ohm", "percent": "%", "kmh": "km/h", "kph": "km/h",
}  # fmt: skip
# turns per minute as they stand on name plates; a rotational speed reads these as rpm, nothing else does
_PER_MINUTE = ("1/min", "/min", "min^-1", "min-1")

LEAST, MOST = 1e-100, 1e100  # sizes of SI numbers whose cubes can still be calculated with; 0 is one too
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TEXT = re.compile(rf"\s*({_NUMBER})\s*(.*?)\s*")
# behind a number, what no unit begins with; 1/s does
_STILL_NUMBER = re.compile(r"(?!1 ?/ ?[^\d ])[-+–±:~…\d.,'’]|/ ?\d")
_FACTOR = re.compile(r"""([A-Za-zµ°%Ω"]+|1(?!\d))(?:(?:\^|\*\*)?\(?(-?\d+(?:\.\d+)?)\)?)?""")
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


class _UnknownUnit(Exception):
    """A piece of a unit that is no symbol, and no symbols written together."""


class _TwoWays(Exception):
    """A product behind a stroke: the two expressions that it may stand for."""


@dataclass(frozen=True)
class _Reading:
    """One way to read a unit: its factor to SI and its dimension."""

    factor: float
    dimension: Dimension

    def times(self, other: _Reading, power: float) -> _Reading:
        d = tuple(a + b * power for a, b in zip(self.dimension, other.dimension, strict=True))
        return _Reading(self.factor * other.factor**power, d)  # type: ignore[arg-type]


def _plain(text: str) -> str:
    """One spelling of signs that look alike: Greek mu, ohm sign, superscripts, the points of a product."""
    text = text.strip().replace("μ", "µ").replace("Ω", "Ω").replace("⋅", "·").replace("−", "-").replace("º", "°")
    text = re.sub(r"([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "^" + m[1].translate(_POWERS), text)
    return re.sub(r"\s+", " ", text)


@cache
def _split(word: str) -> tuple[_Reading, ...]:
    """Every way to read letters without a gap: one symbol, else symbols of different dimension side by side."""
    if word in _UNITS:
        return (_Reading(*_UNITS[word]),)
    ways: dict[_Reading, None] = {}

    def walk(rest: str, so_far: _Reading, seen: tuple[Dimension, ...]) -> None:
        if not rest:
            ways[so_far] = None
        for size in range(1, len(rest) + 1):
            symbol = rest[:size]
            if symbol in _UNITS and symbol not in ("1", "%") and _UNITS[symbol][1] not in seen:
                one = _Reading(*_UNITS[symbol])
                walk(rest[size:], so_far.times(one, 1.0), (*seen, one.dimension))

    walk(word, _Reading(1.0, _NONE), ())
    return tuple(ways)


def _last_symbol(word: str, power: float) -> list[_Reading]:
    """Readings of a word with a power, which is that of its last symbol alone: kgcm² is kg cm²."""
    if power == 1.0 or word in _UNITS:
        return [_Reading(1.0, _NONE).times(way, power) for way in _split(word)]
    ways = []
    for size in range(1, len(word)):
        head, tail = word[:-size], word[-size:]
        if tail in _UNITS:
            last = _Reading(*_UNITS[tail])
            ways += [way.times(last, power) for way in _split(head) if way.dimension != last.dimension]
    return ways


@cache
def _readings(text: str) -> tuple[_Reading, ...]:
    """Every way to read a unit."""
    pieces = re.findall(r"\([^()]*\)\S*|[/*·]|[^\s/*·()]+(?:\^?\([^()]*\))?", text.replace("**", "^"))
    ways, sign, strokes = [_Reading(1.0, _NONE)], 1.0, 0
    for k, piece in enumerate(pieces):
        if piece == "/":
            sign, strokes = -1.0, strokes + 1
            continue
        if piece in ("*", "·"):
            continue
        if strokes == 1 and sign > 0 and "/" not in pieces[k:]:
            over, _, under = text.partition("/")
            first, _, rest = re.sub(r"\s*[*·]\s*", " ", under.strip()).partition(" ")
            raise _TwoWays(f"{over.strip()}/({first} {rest})", f"{over.strip()} {rest}/{first}".removeprefix("1 "))
        if piece.startswith("("):
            inner, _, power = piece[1:].partition(")")
            own = [_Reading(1.0, _NONE).times(way, float(power.strip("^ ") or 1)) for way in _readings(inner)]
        else:
            match = _FACTOR.fullmatch(piece)
            own = _last_symbol(match[1], float(match[2] or 1)) if match else []
        if not own:
            raise _UnknownUnit(piece)
        ways = [way.times(one, sign) for way, one in itertools.product(ways, own)]
        sign = 1.0
    return tuple(dict.fromkeys(ways))


def _dimensions(text: str) -> list[Dimension]:
    """Of every way to read a unit; none where it is still to be said which product is behind a stroke."""
    try:
        return [way.dimension for way in _readings(text)]
    except _TwoWays:
        return []


def parse_unit(text: str, wanted: Dimension | None = None) -> tuple[float, Dimension]:
    """Factor and dimension of a unit expression such as "mm", "N/m^1.5", "kg m^2", "Nmm" or "N*s/m".

    Of several readings that of the dimension `wanted` is taken, and where none fits the first.
    """
    plain = _plain(text)
    alone = re.search(r"^[*·)]|[/*·(]$|[/*·(]\s*[/*·)]|\)\(", plain.replace("**", "^"))
    if alone or plain.count("(") != plain.count(")"):
        raise GudgeonError(f'unit "{text}" has a parenthesis or a sign without its partner')
    try:
        ways = _readings(plain)
    except (OverflowError, ZeroDivisionError):
        raise GudgeonError(f'unit "{text}" has a power that is too large to calculate with') from None
    except _UnknownUnit as error:
        raise _unknown_unit(plain, str(error), wanted) from None
    except _TwoWays as error:
        try:
            two = [way for way in error.args if wanted in (None, *_dimensions(way))]
        except _UnknownUnit as unknown:
            raise _unknown_unit(plain, str(unknown), wanted) from None
        asked = " or ".join(f'"{way}"' for way in two or error.args)
        raise GudgeonError(f'unit "{text}" can be read in two ways; write {asked}') from None
    fitting = [way for way in ways if way.dimension == wanted] or list(ways)
    if wanted is None and len(fitting) > 1:
        raise GudgeonError(f'unit "{text}" can be read in several ways; put a space between its symbols, as in N m s')
    return fitting[0].factor, fitting[0].dimension


def _unknown_unit(text: str, piece: str, wanted: Dimension | None) -> GudgeonError:
    likely = [f'"{word}"' for word in _likely(text, piece, wanted)]
    hint = f"; did you mean {' or '.join(likely)}?" if likely else ""
    return GudgeonError(f'unknown unit "{piece}"{hint}')


def _likely(text: str, piece: str, wanted: Dimension | None) -> list[str]:
    """Symbols that may be meant by a piece of a unit, with which the whole has the dimension that is wanted."""
    match = re.match(r"[^\d^(]+", piece)
    word = match[0] if match else piece
    written = [*_UNITS, *(unit for kind in QUANTITIES for unit in (kind.unit, *kind.others) if " " not in unit)]
    same = [symbol for symbol in dict.fromkeys(written) if symbol.lower() == word.lower()]
    meant = _MEANT.get(word.lower().rstrip("."), "").split("|")
    near = difflib.get_close_matches(word, _UNITS, n=3, cutoff=0.6) if len(word) > 2 else []
    spelt = [_MEANT[one] for one in difflib.get_close_matches(word.lower(), _MEANT, n=1, cutoff=0.8)]
    for group in (meant, same, spelt, near):
        fitting = []
        for symbol in filter(None, group):
            try:
                ways = _readings(text.replace(word, symbol, 1))
            except (_UnknownUnit, _TwoWays):
                continue
            if wanted is None or any(way.dimension == wanted for way in ways):
                fitting.append(symbol)
        if fitting:
            return fitting
    return []


# -- kinds of quantities, for messages and for people --------------------------------------------------------------


@dataclass(frozen=True)
class QuantityKind:
    """A kind of quantity: its SI unit, an example, and other units in which it is often written."""

    word: str
    unit: str
    example: str
    others: tuple[str, ...] = ()


QUANTITIES = (
    QuantityKind("length", "m", "10 mm", ("mm", "cm", "km", "µm", "um", "nm", "in", "inch", "ft")),
    QuantityKind("angle", "rad", "45 deg", ("deg", "°", "mrad", "rev", "turn")),
    QuantityKind("time", "s", "20 ms", ("ms", "µs", "us", "min", "h")),
    QuantityKind("frequency", "Hz", "50 Hz", ("1/s", "kHz")),
    QuantityKind("speed", "m/s", "2 m/s", ("mm/s", "m/min", "km/h")),
    QuantityKind("rotational speed", "rad/s", "5000 rpm", ("rpm", "1/min", "min⁻¹", "rev/s", "deg/s", "°/s")),
    QuantityKind("acceleration", "m/s^2", "9.81 m/s^2", ("mm/s²",)),
    QuantityKind("mass", "kg", "0.3 kg", ("g", "mg", "t", "lb")),
    QuantityKind("mass per length", "kg/m", "0.5 kg/m", ("g/mm",)),
    QuantityKind("moment of inertia", "kg m^2", "1e-4 kg m^2", ("kg m²", "kgm²", "kg cm²", "kgcm²", "kg mm²", "g cm²")),
    QuantityKind("density", "kg/m^3", "7800 kg/m^3", ("g/cm³", "kg/dm³", "t/m³")),
    QuantityKind("force", "N", "100 N", ("mN", "daN", "kN", "MN", "kgf", "lbf")),
    QuantityKind("torque or energy", "Nm", "5 Nm", ("N m", "Nmm", "Ncm", "mNm", "kNm", "J", "lbf in")),
    QuantityKind("power", "W", "2 kW", ("kW",)),
    QuantityKind("pressure or modulus", "Pa", "207 GPa", ("bar", "mbar", "kPa", "MPa", "GPa", "N/mm²", "psi")),
    QuantityKind("stiffness", "N/m", "1000 N/m", ("N/mm", "kN/mm", "kN/m", "N/µm", "MN/m")),
    QuantityKind("damping", "N s/m", "5 N s/m", ("Ns/m", "Ns/mm", "N s/mm", "kNs/m")),
    QuantityKind("torsional stiffness", "Nm/rad", "50 Nm/rad", ("N m/rad", "Nmm/rad", "Nm/deg", "Nm/°", "kNm/rad")),
    QuantityKind("torsional damping", "Nm s/rad", "0.1 Nm s/rad", ("N m s/rad", "Nms/rad", "Nmm s/rad")),
    QuantityKind("bending stiffness", "N m^2", "20 N m^2", ("N mm²", "Nmm²", "kN m²")),
    QuantityKind("dynamic viscosity", "Pa s", "40 mPa s", ("mPa s", "mPas", "cP", "P", "Ns/m²")),
    QuantityKind("kinematic viscosity", "m^2/s", "46 cSt", ("mm²/s", "cSt", "St")),
    QuantityKind("voltage", "V", "24 V", ("mV", "kV")),
    QuantityKind("current", "A", "2 A", ("mA", "kA")),
    QuantityKind("resistance", "ohm", "0.5 ohm", ("Ω", "mohm", "mΩ", "kΩ")),
    QuantityKind("inductance", "H", "1 mH", ("mH", "µH", "uH")),
    QuantityKind("torque constant", "N m/A", "0.05 N m/A", ("Nm/A", "mNm/A", "Nmm/A")),
    QuantityKind("voltage constant", "V s/rad", "0.05 V s/rad", ("V/rpm", "mV/rpm", "V/krpm")),
    QuantityKind("ratio", "", "0.5", ("%",)),
)  # fmt: skip


@cache
def _kinds() -> dict[Dimension, QuantityKind]:
    return {parse_unit(kind.unit)[1] if kind.unit else _NONE: kind for kind in reversed(QUANTITIES)}


def example_of(unit: str) -> str:
    """A usual value of a field in this SI unit, as one writes it."""
    kind = _kinds().get(_dimension(unit))
    return kind.example if kind else f"5 {unit}"


@cache
def _dimension(unit: str) -> Dimension:
    """Dimension of the SI unit of a field."""
    return parse_unit(unit)[1] if unit else _NONE


def quantity(value: Any, unit: str, name: str = "value", example: str = "") -> float:
    """SI number from a number or a string with a unit of the same dimension as `unit`.

    >>> quantity("0.5 mm", "m")
    0.0005
    """
    if isinstance(value, str):
        match = _TEXT.fullmatch(value)
        if match is None or _STILL_NUMBER.match(match[2]):
            raise GudgeonError(_no_number(value, unit, name, example))
        number, text = float(match[1]), match[2]
        if not text:
            return _finite(number, name, value)
        wanted = _dimension(unit)
        if wanted == _dimension("rad/s") and _plain(text) in _PER_MINUTE:
            text = "rpm"
        try:
            factor, dimension = parse_unit(text, wanted)
        except GudgeonError as error:
            message = str(error)
            advice = "" if "; " in message else f'; write for instance "{example or example_of(unit)}"'
            raise GudgeonError(f'{name} "{value}": {message}{advice}') from None
        if dimension != wanted:
            raise GudgeonError(_wrong_dimension(value, match[1], text, unit, name, example))
        return _finite(number * factor, name, value)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        usual = example or example_of(unit.partition(" or ")[0])  # drives: rad/s or m/s, by their joint
        remedy = f'; write for instance "{usual}"' if unit else "; give a number"
        raise GudgeonError(f"{name} {value!r} is not a number" + (f" [{unit}]" if unit else "") + remedy)
    return _finite(float(value), name, value)


def _no_number(value: str, unit: str, name: str, example: str) -> str:
    """What to say of a text that does not begin with one number."""
    start = re.match(rf"\s*({_NUMBER})", value)
    if start is None:
        return f'{name} "{value}" is not a number with a unit; write for instance "{example or example_of(unit)}"'
    rest = value[start.end() :]
    comma = re.match(r",(\d+)", rest)
    if comma and "." not in start[1] and rest.count(",") == 1:
        point = value.strip().replace(",", ".", 1)
        thousands = len(comma[1]) == 3 and start[1].lstrip("-+") not in ("0", "")
        also = f', or "{value.strip().replace(",", "", 1)}" if it divides thousands' if thousands else ""
        return f'{name} "{value}" has a decimal comma; write "{point}"{also}'
    groups = re.fullmatch(r"\s*([-+]?\d{1,3}(?:[ ,'’.]\d{3})+)(?![\d.,])\s*(.*)", value)
    if groups:
        whole = f"{re.sub(r'[^-+0-9]', '', groups[1])} {groups[2]}".strip()
        return f'{name} "{value}" has its thousands divided; write "{whole}"'
    half = re.match(r"/\s*(\d+(?:\.\d+)?)(?![\d.,])\s*", rest)
    if half and float(half[1]):
        whole = f"{float(start[1]) / float(half[1]):.6g} {rest[half.end() :]}".strip()
        return f'{name} "{value}" is a fraction; write "{whole}"'
    return f'{name} "{value}" is not a number with a unit; write for instance "{example or example_of(unit)}"'


def _wrong_dimension(value: str, number: str, text: str, unit: str, name: str, example: str) -> str:
    """What was given, what is expected, and how it is written."""
    given, wanted = parse_unit(text, _dimension(unit))[1], _dimension(unit)
    message = f'{name} "{value}" has the wrong dimension: expected {f"[{unit}]" if unit else "a plain number"}'
    for piece in re.findall(r"[A-Za-zµ°%Ω]+", text):
        # symbols written together that nobody meant, as in "1 kgs"
        known = piece in _UNITS or any(way.dimension in _kinds() for way in _split(piece))
        likely = [] if known else _likely(_plain(text), piece, wanted)
        if likely:
            quoted = " or ".join(f'"{word}"' for word in likely)
            return f'{name} "{value}": unknown unit "{piece}"; did you mean {quoted}?'
    kind = _kinds().get(given)
    what = f", not a {kind.word}" if kind and kind.unit else ""
    what = re.sub(r"\ba (?=[aeiou])", "an ", what)
    usual = f'write for instance "{example or example_of(unit)}"' if unit else "give the number alone"
    if not unit and "axis" in name:
        usual = "write a direction by its components, for instance 1, 0, 0"
    return f"{message}{what}; {_nearly(number, text, given, wanted) or usual}"


def _nearly(number: str, text: str, given: Dimension, wanted: Dimension) -> str:
    """The remedy where an angle or a turn is all that is missing."""
    if wanted == _dimension("rad/s") and given == _dimension("Hz"):
        return f'write "{number} rev/s" for turns per second, "{number} rad/s" for radians per second'
    per_radian = tuple(a - b for a, b in zip(given, _RADIAN, strict=True))
    if per_radian == wanted != _NONE and "/" not in text:
        return f'write "{number} {text}/rad", or per degree "{number} {text}/deg"'
    if wanted == _dimension("Hz") and given == _dimension("rad/s"):
        return "a frequency is in Hz or 1/s"
    return ""


def _finite(number: float, name: str, value: Any) -> float:
    if not math.isfinite(number):
        raise GudgeonError(f"{name} {number:g} is not finite; give a finite number")
    if number and not LEAST <= abs(number) <= MOST:
        size = "large" if abs(number) > 1.0 else "small"
        raise GudgeonError(f"{name} {number:g} is too {size} to calculate with; check its digits and its unit")
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


def is_unit(word: str) -> bool:
    """Whether a word is the symbol of a unit."""
    return word in _UNITS and word[:1].isalpha()


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, for "did you mean"; None where none is like it by letters, not by chance."""
    words: dict[str, str] = {}
    for name in known:
        words.setdefault(name.lower(), name)
    for match in difflib.get_close_matches(word.lower(), words, n=4, cutoff=0.6):
        if _alike(word.lower(), match):
            return words[match]
    return None


def _alike(one: str, other: str) -> bool:
    """Whether one word is part of the other, or becomes it by few changes of a letter or of two neighbours: "mena" is
    like "mean", "rod" is not like "ground"."""
    end = one[one.rfind(".") :]
    if one.rfind(".") > 0 and other.endswith(end):
        one, other = one.removesuffix(end), other.removesuffix(end)  # names of files are not alike by their kind
    short, long = sorted((one, other), key=len)
    if len(short) >= 4 and short in long:
        return True
    rows = [list(range(len(short) + 1))]
    for k, letter in enumerate(long, 1):
        row = [k]
        for j, own in enumerate(short, 1):
            changes = min(row[-1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (own != letter))
            if min(j, k) > 1 and own == long[k - 2] and short[j - 2] == letter:
                changes = min(changes, rows[-2][j - 2] + 1)
            row.append(changes)
        rows.append(row)
    return rows[-1][-1] <= max(1, round(0.35 * len(long)))


def in_words(words: Iterable[str], last: str = "and") -> str:
    """ "a", "b" and "c" """
    quoted = [f'"{word}"' for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + f" {last} {quoted[-1]}" if quoted else "none"


def plural(number: float, noun: str) -> str:
    """1 impact, 2 impacts"""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


# -- annotated fields -------------------------------------------------------------------------------------------


class Rotational(float):
    """A number that was written with a unit of rotations, where the same field may also belong to a translation."""


class Translational(float):
    """A number that was written with a unit of translations, where the same field may also belong to a rotation."""


class Unit:
    """What a field accepts: its SI unit and its range, or a word instead. A subclass may read other texts, which match
    `other_texts`. `rotational`: the unit of the same field where it acts on a rotation."""

    other_texts: ClassVar[str] = ""

    def __init__(self, unit: str, *, above: float | None = None, minimum: float | None = None,
                 maximum: float | None = None, remedy: str = "", example: str = "",
                 word: str = "", rotational: str = "") -> None:  # fmt: skip
        self.rotational = rotational
        self.unit, self.above, self.minimum, self.maximum, self.remedy = unit, above, minimum, maximum, remedy
        self.example, self.word = example or example_of(unit), word

    def read(self, value: Any, name: str) -> Any:
        if self.word and value == self.word:
            return value
        number = self._number(value, name)
        shown = f"{value!r}" if not isinstance(value, str) else f'"{value}"'
        if self.above is not None and not number > self.above:
            raise GudgeonError(f"{name} {shown} must be greater than {self.above:g}{self._advice()}")
        if self.minimum is not None and number < self.minimum:
            raise GudgeonError(f"{name} {shown} must be at least {self.minimum:g}{self._advice()}")
        if self.maximum is not None and number > self.maximum:
            raise GudgeonError(f"{name} {shown} must be at most {self.maximum:g}{self._advice()}")
        return number

    def _number(self, value: Any, name: str) -> float:
        try:
            number = quantity(value, self.unit, name, self.example)
        except GudgeonError:
            try:
                if self.rotational:
                    return Rotational(quantity(value, self.rotational, name))
            except GudgeonError as error:
                if "per degree" in str(error):  # the radian is all that is missing
                    raise
            raise
        stated = self.rotational and isinstance(value, str) and re.search(r"[A-Za-zµ]\s*$|/", value)
        return Translational(number) if stated else number

    def _advice(self) -> str:
        return (f" [{self.unit}]" if self.unit else "") + f"; {self.remedy or f'write for instance {self.example}'}"


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
# of a wall, which may stop a rotation
WallStiffness = Annotated[SI, Unit("N/m", above=0.0, rotational="Nm/rad")]
WallDamping = Annotated[SI, Unit("N s/m", minimum=0.0, rotational="Nm s/rad")]


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
