"""ISO 286 fits: "20 H7/f7" becomes the limits of hole and shaft and the clearance between them.

A tolerance is looked up in the standard's table, the deviation nearest the nominal line in another; the far
deviation is a tolerance away. Holes from K on are drawn back by the delta of Table 3, so that a hole and a
shaft of one grade finer give in either basis the same fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from gudgeon.model.fits.iso286_tables import (
    DEVIATIONS,
    GRADES,
    HOLES,
    J_LOWER,
    J_UPPER,
    SHAFTS,
    STEPS,
    TOLERANCES,
    WIDE,
)
from gudgeon.model.names import choice, shown
from gudgeon.quantity import GudgeonError, in_words, quantity

__all__ = ["LIMITS", "IsoFit", "Limit", "clearance_of", "iso_fit", "nearest_clearance"]

Limit = Literal["minimum", "mean", "maximum"]
LIMITS: tuple[Limit, ...] = ("minimum", "mean", "maximum")

EXAMPLE = 'write the size in mm, the hole and the shaft, for instance "20 H7/f7"'
LARGEST = STEPS[-1]

_CLASS = r"([A-Za-z]{1,3})([0-9]{1,3})"
_TEXT = re.compile(rf"\s*[Øø⌀]?\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?:mm)?\s*{_CLASS}\s*/\s*{_CLASS}\s*")
_LOOSER = ("h", "g", "f", "e", "d", "c", "b", "a")


@dataclass(frozen=True)
class IsoFit:
    """A hole and a shaft of one nominal diameter [m]; deviations from it [m]; made by `iso_fit`."""

    nominal: float
    hole: str
    shaft: str
    hole_upper: float
    hole_lower: float
    shaft_upper: float
    shaft_lower: float

    @property
    def text(self) -> str:
        """The fit as one writes it: "20 H7/f7"."""
        return f"{_tidy(self.nominal * 1e3)} {self.hole}/{self.shaft}"

    @property
    def minimum(self) -> float:
        """Least radial clearance [m]; negative where the parts interfere."""
        return _radial(self.hole_lower - self.shaft_upper)

    @property
    def mean(self) -> float:
        """Radial clearance [m] between parts in the middle of their tolerances."""
        return _radial((self.hole_lower + self.hole_upper - self.shaft_lower - self.shaft_upper) / 2)

    @property
    def maximum(self) -> float:
        """Greatest radial clearance [m]."""
        return _radial(self.hole_upper - self.shaft_lower)

    @property
    def kind(self) -> Literal["clearance", "transition", "interference"]:
        if self.minimum >= 0.0:
            return "clearance"
        return "transition" if self.maximum > 0.0 else "interference"

    @property
    def clearances(self) -> str:
        """The three radial clearances in words."""
        return ", ".join(f"{_microns(self.at(limit))} um {limit}" for limit in LIMITS)

    @property
    def summary(self) -> str:
        """One line: the limits and the clearances."""
        hole = f"{_microns(self.hole_upper, '+')}/{_microns(self.hole_lower, '+')} um"
        shaft = f"{_microns(self.shaft_upper, '+')}/{_microns(self.shaft_lower, '+')} um"
        return f"{self.text}: hole {hole}, shaft {shaft}, {self.kind} fit, radial clearance {self.clearances}"

    def at(self, limit: Limit) -> float:
        """Radial clearance [m] at "minimum", "mean" or "maximum"."""
        return {"minimum": self.minimum, "mean": self.mean, "maximum": self.maximum}[limit]

    def matches(self, radius: Any) -> bool:
        """Whether a bore of this radius [m] is of the nominal size or within the limits of the hole."""
        play = 2 * quantity(radius, "m", "radius") - self.nominal
        slack = 1e-9 * self.nominal
        return min(self.hole_lower, 0.0) - slack <= play <= max(self.hole_upper, 0.0) + slack


def iso_fit(text: Any) -> IsoFit:
    """The fit that a text such as "20 H7/f7" names: nominal size in mm, hole, shaft.

    >>> iso_fit("20 H7/f7").mean
    2.05e-05
    """
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        comma = isinstance(text, str) and re.search("[0-9],[0-9]", text)
        remedy = "write the decimals after a point, for instance" if comma else EXAMPLE.removesuffix(' "20 H7/f7"')
        raise GudgeonError(f'ISO fit {shown(text)} is no fit; {remedy} "{"20.5" if comma else "20"} H7/f7"')
    size, hole, hole_grade, shaft, shaft_grade = match.groups()
    try:
        nominal = float(size)
        _check_size(nominal)
        _check_case(size, hole, hole_grade, shaft, shaft_grade)
        hole_lower, hole_upper = _hole(nominal, hole, hole_grade)
        shaft_lower, shaft_upper = _shaft(nominal, shaft, shaft_grade)
        _check_thin(nominal, hole_lower, hole_upper, shaft_lower, shaft_upper)
    except GudgeonError as error:
        raise GudgeonError(f"ISO fit {shown(text)}: {error}") from None
    limits = (hole_upper / 1e6, hole_lower / 1e6, shaft_upper / 1e6, shaft_lower / 1e6)
    return IsoFit(nominal / 1e3, hole + hole_grade, shaft + shaft_grade, *limits)


def clearance_of(fit: IsoFit, limit: Limit = "mean") -> float:
    """Radial clearance [m] at the limit, or an error that says why the fit has none and what has."""
    gap = fit.at(choice(limit, LIMITS, "limit"))  # type: ignore[arg-type]
    if gap > 0.0 and fit.kind != "interference":
        return gap
    other = nearest_clearance(fit)
    remedy = f'the nearest fit that always has play is "{other.text}" ({other.clearances})'
    remedy += "; use Ideal() for parts pressed together" if fit.kind == "interference" else ""
    larger = next((word for word in LIMITS if fit.at(word) > 0.0), None)
    remedy += f'; this one has play at limit="{larger}"' if larger else ""
    article = "an" if fit.kind == "interference" else "a"
    raise GudgeonError(
        f'ISO fit "{fit.text}" is {article} {fit.kind} fit and has no play at limit "{limit}": radial clearance '
        f"{fit.clearances}; {remedy}"
    )


def nearest_clearance(fit: IsoFit) -> IsoFit:
    """The tightest fit like this one that always has play: of the same hole, or of the same shaft."""
    return next(other for other in _looser(fit) if other.minimum > 0.0)


def _looser(fit: IsoFit) -> Iterator[IsoFit]:
    (hole, hole_grade), (shaft, shaft_grade) = _split(fit.hole), _split(fit.shaft)
    by_hole = hole.lower() not in _LOOSER and shaft in _LOOSER
    hole = hole if hole.lower() in _LOOSER else "H"
    size = _tidy(fit.nominal * 1e3)
    for letter in _LOOSER:
        pair = (letter.upper(), shaft) if by_hole else (hole, letter)
        yield iso_fit(f"{size} {pair[0]}{hole_grade}/{pair[1]}{shaft_grade}")


# -- limits of one part, lower and upper deviation [um] ---------------------------------------------------------


def _shaft(nominal: float, letter: str, grade: str) -> tuple[float, float]:
    tolerance = _tolerance(nominal, letter, grade, SHAFTS, "shaft")
    if letter == "js":
        return -tolerance / 2, tolerance / 2
    if letter == "j":
        lower = _cell(J_LOWER.get(grade), nominal, "shaft", "j" + grade)
        return lower, lower + tolerance
    value = _cell(DEVIATIONS[letter], nominal, "shaft", letter + grade)
    if letter == "k" and not 4 <= int(grade) <= 7:
        value = 0.0
    return (-value - tolerance, -value) if letter < "i" else (value, value + tolerance)


def _hole(nominal: float, letter: str, grade: str) -> tuple[float, float]:
    tolerance = _tolerance(nominal, letter, grade, HOLES, "hole")
    if letter == "JS":
        return -tolerance / 2, tolerance / 2
    if letter == "J":
        upper = _cell(J_UPPER.get(grade), nominal, "hole", "J" + grade)
        return upper - tolerance, upper
    value = _cell(DEVIATIONS[letter.lower()], nominal, "hole", letter + grade)
    if letter < "I":
        return value, value + tolerance
    upper = _upper(nominal, letter, int(grade), value)
    return upper - tolerance, upper


def _upper(nominal: float, letter: str, grade: int, value: float) -> float:
    """Upper deviation of the holes K to ZC, with the delta of Table 3 and its footnotes."""
    if letter == "K" and grade > 8 and nominal > 3:
        raise GudgeonError(f'hole "K{grade}" is not in the standard above 3 mm; take K8 or finer, or "N{grade}"')
    if letter == "N" and grade > 8 and nominal > 3:
        return 0.0
    if letter == "M" and grade == 6 and 250 < nominal <= 315:
        return -9.0
    if nominal <= 3 or not 3 <= grade <= (8 if letter in "KMN" else 7):
        return -value
    return TOLERANCES[f"{grade}"][_row(nominal, WIDE)] - TOLERANCES[f"{grade - 1}"][_row(nominal, WIDE)] - value


def _tolerance(nominal: float, letter: str, grade: str, letters: tuple[str, ...], part: str) -> float:
    if letter not in letters:
        spelt = next((known for known in letters if known.lower() == letter.lower()), None)
        remedy = f'write "{spelt}{grade}"' if spelt else f"choose from {in_words(letters)}"
        raise GudgeonError(f'unknown {part} class "{letter}{grade}"; {remedy}')
    if grade not in TOLERANCES:
        remedy = f'choose 1 to {GRADES[-1]}, for instance "{letter}7"'
        raise GudgeonError(f'unknown grade {grade} in {part} class "{letter}{grade}"; {remedy}')
    coarse = letter.lower() in ("a", "b") or (letter == "N" and int(grade) > 8) or int(grade) > 13
    if nominal <= 1 and coarse:
        better = f"{'H' if part == 'hole' else 'f'}7"
        raise GudgeonError(
            f'{part} class "{letter}{grade}" is not in the standard up to 1 mm; take for instance "{better}"'
        )
    return TOLERANCES[grade][_row(nominal, WIDE)]


def _cell(row: tuple[float | None, ...] | None, nominal: float, part: str, name: str) -> float:
    value = row[_row(nominal, STEPS)] if row else None
    if value is None:
        better = _substitute(name)
        raise GudgeonError(
            f'{part} class "{name}" is not in the standard for {_tidy(nominal)} mm; take for instance "{better}"'
        )
    return value


def _substitute(name: str) -> str:
    """A class near one that the standard does not have at this size; it has this one at every size."""
    letter, grade = _split(name)
    near = {"cd": "d", "ef": "e", "fg": "f", "j": "js", "t": "s", "v": "u", "y": "x"}[letter.lower()]
    return (near.upper() if letter.isupper() else near) + grade


def _row(nominal: float, steps: tuple[int, ...]) -> int:
    return next(k for k, step in enumerate(steps) if nominal <= step)


def _check_size(nominal: float) -> None:
    if not 0.0 < nominal <= LARGEST:
        raise GudgeonError(
            f"nominal size {nominal:g} mm is out of the tables, which go above 0 to {LARGEST} mm; "
            'give the clearance itself, for instance Clearance("0.1 mm", wall=...)'
        )


def _check_thin(nominal: float, *deviations: float) -> None:
    largest = max(map(abs, deviations))
    if nominal * 1e3 <= largest:
        raise GudgeonError(
            f"nominal size {_tidy(nominal)} mm is not larger than its deviation of {_tidy(largest)} um; "
            'take a larger size, for instance "20 H7/f7"'
        )


def _check_case(size: str, hole: str, hole_grade: str, shaft: str, shaft_grade: str) -> None:
    """Capital letters mean a hole, small ones a shaft, and the hole comes first."""
    first, second = hole + hole_grade, shaft + shaft_grade
    if hole.islower() and shaft.isupper():
        raise GudgeonError(f'the hole comes first; write "{size} {second}/{first}"')
    if hole.islower() or shaft.isupper():
        what = f'"{first}" is a shaft' if hole.islower() else f'"{second}" is a hole'
        raise GudgeonError(
            f"{what}; a hole has capital letters and a shaft small ones, write "
            f'"{size} {first.upper()}/{second.lower()}"'
        )


def _split(name: str) -> tuple[str, str]:
    letter = name.rstrip("0123456789")
    return letter, name.removeprefix(letter)


def _radial(diametral: float) -> float:
    """Half of it, as a number of picometres: the tables are decimal, so the last bits are noise."""
    return round(diametral / 2, 12) + 0.0


def _microns(size: float, sign: str = "") -> str:
    text = _tidy(size * 1e6)
    return sign + text if sign and not text.startswith("-") and text != "0" else text


def _tidy(number: float) -> str:
    """Decimal places as far as there are any, and never an exponent."""
    return f"{Decimal(f'{number:.12g}') + 0:f}"
