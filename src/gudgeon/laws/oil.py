"""Mineral oils by their ISO viscosity grade: "ISO VG 46 at 60 °C" becomes a dynamic viscosity [Pa s].

The number of a grade is the kinematic viscosity [mm²/s] at 40 °C in the middle of its range, which is 10 % to each side
(ISO 3448; the four thinnest grades are 2.2, 3.2, 4.6 and 6.8 mm²/s). How fast an oil thins out when it gets warm is
its viscosity index VI (ISO 2909, ASTM D2270): with Y the viscosity at 100 °C and U that at 40 °C, and L and H those at
40 °C of two reference oils that have Y at 100 °C,

    VI = 100 (L - U) / (L - H)                                up to 100
    VI = 100 + (10^N - 1) / 0.00715,  H / U = Y^N             above

L and H are parabolas of Y in sixteen ranges. Y is solved from VI and U. Between and beyond the two temperatures the
relation of Ubbelohde and Walther is used in the form of ASTM D341, T in kelvin,

    log log Z = A - B log T,   Z = nu + 0.7 + exp(-1.47 - 1.84 nu - 0.51 nu^2)

Paraffinic mineral oils without improvers, of which most hydraulic, circulating and gear oils are made, have a VI of 95
to 100; 97 is taken unless the text gives another ("ISO VG 46 VI 140 at 60 °C"). The density is 880 kg/m³ at 15 °C and
falls by 0.65 kg/m³ per kelvin; that of mineral oils of these grades differs by up to 2 %.

What that is worth: two oils of one grade may differ by 20 % at 40 °C by the standard alone; a VI of 95 or 100 instead
of 97 changes the viscosity at 100 °C by 1 % to 4 %, most for thick oils. Pressure and shear are not considered.
"""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar

from gudgeon.quantity import GudgeonError, Unit, quantity

__all__ = ["GRADES", "ViscosityUnit", "density", "kinematic_viscosity", "oil", "viscosity_index"]

# grade: kinematic viscosity at 40 °C [mm²/s], ISO 3448
GRADES: dict[int, float] = {
    2: 2.2, 3: 3.2, 5: 4.6, 7: 6.8, 10: 10, 15: 15, 22: 22, 32: 32, 46: 46, 68: 68, 100: 100, 150: 150, 220: 220,
    320: 320, 460: 460, 680: 680, 1000: 1000, 1500: 1500, 2200: 2200, 3200: 3200,
}  # fmt: skip

TYPICAL_VI = 97.0
DENSITY, SLOPE = 880.0, 0.65  # at 15 °C [kg/m³], and what it falls by per kelvin [kg/(m³ K)]
COLDEST, HOTTEST = -20.0, 150.0  # [°C]; below, wax keeps mineral oils from flowing as this relation says
ZERO = 273.15  # [K]

# up to which viscosity Y at 100 °C [mm²/s]; L = a Y² + b Y + c, H = d Y² + e Y + f [mm²/s]; ISO 2909, from 2 mm²/s on
_RANGES = (
    (3.8, 1.14673, 1.7576, -0.109, 0.84155, 1.5521, -0.077),
    (4.4, 3.38095, -15.4952, 33.196, 0.78571, 1.7929, -0.183),
    (5.0, 2.5000, -7.2143, 13.812, 0.82143, 1.5679, 0.119),
    (6.4, 0.10100, 16.6350, -45.469, 0.04985, 9.1613, -18.557),
    (7.0, 3.35714, -23.5643, 78.466, 0.22619, 7.7369, -16.656),
    (7.7, 0.01191, 21.4750, -72.870, 0.79762, -0.7321, 14.610),
    (9.0, 0.41858, 16.1558, -56.040, 0.05794, 10.5156, -28.240),
    (12.0, 0.88779, 7.5527, -16.600, 0.26665, 6.7015, -10.810),
    (15.0, 0.76720, 10.7972, -38.180, 0.20073, 8.4658, -22.490),
    (18.0, 0.97305, 5.3135, -2.200, 0.28889, 5.9741, -4.930),
    (22.0, 0.97256, 5.2500, -0.980, 0.24504, 7.4160, -16.730),
    (28.0, 0.91413, 7.4759, -21.820, 0.20323, 9.1267, -34.230),
    (40.0, 0.87031, 9.7157, -50.770, 0.18411, 10.1015, -46.750),
    (55.0, 0.84703, 12.6752, -133.310, 0.17029, 11.4866, -80.620),
    (70.0, 0.85921, 11.1009, -83.190, 0.17130, 11.3680, -76.940),
    (math.inf, 0.83531, 14.6731, -216.246, 0.16841, 11.8493, -96.947),
)
THINNEST = 2.0  # [mm²/s] at 100 °C, below which no index is defined

_NAME = re.compile(r"\s*(?:ISO[\s-]*)?VG[\s-]*(\d+(?:\.\d+)?)(?:[\s,]+VI\s*=?\s*(\d+(?:\.\d+)?))?", re.IGNORECASE)
_AT = re.compile(r"\s*(?:at\b|@|,)?\s*", re.IGNORECASE)
_DEGREES = re.compile(r"\s*([-+]?\d+(?:\.\d+)?)\s*(?:°\s*C|º\s*C|℃|degC|C|deg\s*C|(K))\s*")


def viscosity_index(at_40: float, at_100: float) -> float:
    """Viscosity index of an oil by its kinematic viscosities [mm²/s] at 40 °C and 100 °C."""
    low, high = _reference(at_100)
    if at_40 >= high:
        return 100.0 * (low - at_40) / (low - high)
    power = math.log(high / at_40) / math.log(at_100)
    return 100.0 + (10.0**power - 1.0) / 0.00715


def _reference(at_100: float) -> tuple[float, float]:
    """L and H [mm²/s], viscosities at 40 °C of the reference oils of VI 0 and VI 100."""
    _, a, b, c, d, e, f = next(row for row in _RANGES if at_100 <= row[0])
    return (a * at_100 + b) * at_100 + c, (d * at_100 + e) * at_100 + f


def _at_100(at_40: float, vi: float) -> float:
    """Viscosity at 100 °C [mm²/s] of an oil with this one at 40 °C and this index: halved until nothing changes."""
    low, high = THINNEST, at_40
    if high <= low or viscosity_index(at_40, low) > vi:
        return 0.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if viscosity_index(at_40, middle) < vi else (low, middle)
    return 0.5 * (low + high)


def kinematic_viscosity(celsius: float, known: tuple[tuple[float, float], tuple[float, float]]) -> float:
    """Kinematic viscosity [mm²/s] at a temperature [°C], from two temperatures [°C] with theirs (ASTM D341)."""
    (t1, nu1), (t2, nu2) = known
    x, x1, x2 = (math.log10(t + ZERO) for t in (celsius, t1, t2))
    w1, w2 = (math.log10(math.log10(nu + 0.7 + math.exp(-1.47 - 1.84 * nu - 0.51 * nu**2))) for nu in (nu1, nu2))
    z = 10.0 ** (10.0 ** (w1 + (w2 - w1) * (x - x1) / (x2 - x1))) - 0.7
    return z - math.exp(-0.7487 - 3.295 * z + 0.6119 * z**2 - 0.3193 * z**3) if z < 10.0 else z


def density(celsius: float) -> float:
    """Density [kg/m³] of a mineral oil at a temperature [°C]."""
    return DENSITY - SLOPE * (celsius - 15.0)


def oil(grade: str, temperature: Any = None, vi: float | None = None) -> float:
    """Dynamic viscosity [Pa s] of a mineral oil by its ISO viscosity grade, "ISO VG 46", at a temperature, "60 °C" [K].

    >>> round(oil("ISO VG 46", "60 °C"), 4)
    0.0174
    """
    match = _NAME.match(grade) if isinstance(grade, str) else None
    if match is None:
        remedy = 'write for instance "ISO VG 46 at 60 °C", or the viscosity itself'
        if isinstance(grade, str) and grade.strip().upper().startswith("SAE"):
            remedy = f"grades of SAE are wide ranges; {remedy}"
        raise GudgeonError(f"oil {grade!r} is no viscosity grade; {remedy}")
    rest = grade[match.end() :]
    if rest.strip():
        if temperature is not None:
            raise GudgeonError(f'oil "{grade}" and temperature {temperature!r}: give the temperature once')
        temperature = _AT.sub("", rest, count=1) or None
    title = f"ISO VG {match[1]}"
    at_40 = GRADES.get(round(float(match[1]))) if float(match[1]).is_integer() else None
    if at_40 is None:
        near = min(GRADES, key=lambda known: abs(math.log(known / max(float(match[1]), 0.1))))
        raise GudgeonError(f'oil "{title}" is no grade of ISO 3448; the nearest is "ISO VG {near}"')
    index = _read_index(match[2] if vi is None else vi, title)
    celsius = _read_celsius(temperature, title)
    nu = at_40
    if celsius != 40.0:
        hot = _at_100(at_40, index)
        if not hot:
            raise GudgeonError(
                f'oil "{title}": no viscosity index is defined for oils below {THINNEST:g} mm²/s at 100 °C, so that '
                f'its viscosity is known at 40 °C alone; write "{title} at 40 °C", or the viscosity itself'
            )
        nu = kinematic_viscosity(celsius, ((40.0, at_40), (100.0, hot)))
    return nu * 1e-6 * density(celsius)


def _read_index(value: Any, title: str) -> float:
    index = TYPICAL_VI if value is None else quantity(value, "", "viscosity index")
    if not 0.0 <= index <= 250.0:
        remedy = "mineral oils have 95 to 100"
        raise GudgeonError(f'oil "{title}": viscosity index {index:g} is not between 0 and 250; {remedy}')
    return index


def _read_celsius(value: Any, title: str) -> float:
    """Temperature [°C] from a text, or from a number in kelvin."""
    if value is None:
        raise GudgeonError(f'oil "{title}" has no temperature; write for instance "{title} at 40 °C"')
    match = _DEGREES.fullmatch(value) if isinstance(value, str) else None
    if isinstance(value, str) and match is None:
        raise GudgeonError(f'oil "{title}": "{value.strip()}" is no temperature; write for instance "{title} at 40 °C"')
    if match is not None:
        celsius = float(match[1]) - (ZERO if match[2] else 0.0)
    else:
        celsius = quantity(value, "", "temperature") - ZERO
    if not COLDEST <= celsius <= HOTTEST:
        kelvin = "" if match is not None else f' (a number is in kelvin, write "{value:g} °C")'
        raise GudgeonError(
            f'oil "{title}": {celsius:g} °C is not between {COLDEST:g} °C and {HOTTEST:g} °C, where the relation '
            f"holds{kelvin}; give the viscosity itself"
        )
    return celsius


class ViscosityUnit(Unit):
    """What a field for a dynamic viscosity accepts: Pa s, or an oil by its grade and temperature."""

    other_texts: ClassVar[str] = r"^\s*(ISO[\s-]*)?VG"

    def read(self, value: Any, name: str) -> float:
        if isinstance(value, str) and re.match(r"\s*(ISO\b|VG|SAE)", value, re.IGNORECASE):
            try:
                return oil(value)
            except GudgeonError as error:
                raise GudgeonError(f'{name} "{value}": {error}') from None
        try:
            return super().read(value, name)
        except GudgeonError as error:
            dynamic = _from_kinematic(value)
            if not dynamic:
                raise
            raise GudgeonError(f"{str(error).partition('; ')[0]}; {dynamic}") from None


def _from_kinematic(value: Any) -> str:
    """The remedy for a kinematic viscosity: the dynamic one of an oil of the usual density."""
    try:
        nu = quantity(value, "m^2/s") if isinstance(value, str) else 0.0
    except GudgeonError:
        return ""
    mu = f"{nu * density(40.0) * 1e3:.4g} mPa s"
    return f'multiply by the density: an oil of {density(40.0):.0f} kg/m³ has "{mu}"' if nu else ""
