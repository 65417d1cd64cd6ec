"""Quantities at the border: units, dimensions, ranges, and words for what is wrong."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

from gudgeon.quantity import (
    QUANTITIES,
    Angle,
    GudgeonError,
    Length,
    Part,
    Ratio,
    Unit,
    closest,
    in_words,
    parse_unit,
    quantity,
    vector,
)  # fmt: skip


@pytest.mark.parametrize(
    "text, unit, value",
    [
        ("0.5 mm", "m", 5e-4), ("0.5mm", "m", 5e-4), ("3 um", "m", 3e-6), ("3 µm", "m", 3e-6), ("2 in", "m", 0.0508),
        ("210 g", "kg", 0.21), ("5000 rpm", "rad/s", 5000 * math.pi / 30), ("30 deg", "rad", math.pi / 6),
        ("30°", "rad", math.pi / 6), ("1 rev", "rad", 2 * math.pi), ("2 ms", "s", 2e-3), ("1.5 kN", "N", 1500.0),
        ("206 GPa", "Pa", 206e9), ("1 bar", "Pa", 1e5), ("5 N/mm", "N/m", 5000.0), ("5 N*s/m", "N s/m", 5.0),
        ("1e3 kg/m^3", "kg/m^3", 1e3), ("1 g/cm^3", "kg/m^3", 1000.0), ("2 kg m^2", "kg m^2", 2.0),
        ("6.6e10 N/m^1.5", "N/m^1.5", 6.6e10), ("1 N/mm^1.5", "N/m^1.5", 1000**1.5), ("-1e-4 m", "m", -1e-4),
        ("+.5 m", "m", 0.5), ("9.81 m/s^2", "m/s^2", 9.81), ("9.81 m/s2", "m/s^2", 9.81), ("5 %", "", 0.05),
        ("2 J", "Nm", 2.0), ("3 1/s", "Hz", 3.0), ("7", "m", 7.0), (" 7 ", "m", 7.0),
        ("46 mPa s", "Pa s", 0.046), ("46 mPas", "Pa s", 0.046), ("46 mPa·s", "Pa s", 0.046), ("1 Ns/m²", "Pa s", 1.0),
        ("3000 1/min", "rad/s", 100 * math.pi), ("3000 min⁻¹", "rad/s", 100 * math.pi), ("60 1/min", "Hz", 1.0),
        ("5 Nmm", "Nm", 5e-3), ("5 Ns/mm", "N s/m", 5e3), ("5 kgcm²", "kg m^2", 5e-4), ("5 kg cm2", "kg m^2", 5e-4),
        ("5 \u00b5m", "m", 5e-6), ("5 \u03bcm", "m", 5e-6), ("2 kN/mm", "N/m", 2e6), ("3 N/µm", "N/m", 3e6),
        ("2 t", "kg", 2000.0), ("1 inch", "m", 0.0254), ("9 N/mm²", "Pa", 9e6), ("46 mm²/s", "m^2/s", 46e-6),
        ("1 Nms/rad", "N m s/rad", 1.0), ("1 Nmms/rad", "N m s/rad", 1e-3), ("2 mNm/A", "N m/A", 2e-3),
        ("5 N/(m s)", "kg/s^3", 5.0), ("1 1/m", "1/m", 1.0), ("4 km/h", "m/s", 4 / 3.6), ("7 N m^-1", "N/m", 7.0),
    ],
)  # fmt: skip
def test_strings_with_units(text, unit, value):
    assert quantity(text, unit) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("value", [3, 3.0, np.float64(3.0), np.int64(3), np.array(3.0)])
def test_numbers_are_si(value):
    number = quantity(value, "m")
    assert number == 3.0
    assert type(number) is float


@pytest.mark.parametrize(
    "value, unit, message",
    [
        ("5 kg", "m", r'size "5 kg" has the wrong dimension: expected \[m\]'),
        ("5 Hz", "rad/s", "wrong dimension"),  # a turn is no pure number here
        ("5 mm", "", "expected a plain number"),
        ("5 mmm", "m", 'unknown unit "mmm"; did you mean "mm"'),
        ("5 N/parsec", "N/m", 'unknown unit "parsec"'),
        ("five mm", "m", 'size "five mm" is not a number with a unit; write for instance "10 mm"'),
        ("", "m", "is not a number"),
        ("5 m 3", "m", "unknown unit"),
        (True, "m", "size True is not a number"),
        (None, "m", "size None is not a number"),
        ([1.0], "m", "is not a number"),
        ("0,5 mm", "m", r'has a decimal comma; write "0\.5 mm"$'),
        ("1,500 N", "N", r'write "1\.500 N", or "1500 N" if it divides thousands'),
        ("1 500 N", "N", 'write "1500 N"'),
        ("1/2 mm", "m", 'is a fraction; write "0.5 mm"'),
        ("10 - 20 mm", "m", 'is not a number with a unit; write for instance "10 mm"'),
        ("1 1/2 mm", "m", "is not a number with a unit"),
        ("5 N/m s", "N s/m", r'can be read in two ways; write "N s/m"$'),
        ("5 N/m s", "kg m", r'can be read in two ways; write "N/\(m s\)" or "N s/m"$'),
        ("5 mpa", "Pa", 'did you mean "mPa" or "MPa"'),
        ("5 mpa s", "m", 'unknown unit "mpa"; write for instance "10 mm"'),
        ("5 MM", "m", r'did you mean "mm"\?$'),
        ("5 kgs", "kg", 'unknown unit "kgs"; did you mean "kg"'),
        ("50 U/min", "rad/s", 'unknown unit "U"; write for instance'),
        ("5 cps", "Pa s", r'did you mean "cP"\?$'),
        ("5 Hz", "rad/s", 'write "5 rev/s" for turns per second, "5 rad/s" for radians'),
        ("50 Nm", "N m/rad", 'write "50 Nm/rad", or per degree "50 Nm/deg"'),
        ("5 nm", "N m", r'expected \[N m\], not a length; write for instance "5 Nm"'),
        ("5 Nmm", "N m^2", "wrong dimension"),  # the trade never means N m m
        ("5 km^9999", "m", "power that is too large"),
        (math.nan, "m", "is not finite"),
        (math.inf, "m", "is not finite"),
        ("1e999 m", "m", "is not finite"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(value, unit, message):
    with pytest.raises(GudgeonError, match=message):
        quantity(value, unit, "size")


@pytest.mark.parametrize("kind", QUANTITIES, ids=lambda kind: kind.word)
def test_every_unit_that_is_listed_is_read(kind):
    value, given = quantity(kind.example, kind.unit), kind.example.partition(" ")[2]
    assert value > 0.0 and (not kind.unit or parse_unit(given, parse_unit(kind.unit)[1])[1] == parse_unit(kind.unit)[1])
    for unit in (*kind.others, *filter(None, [kind.unit])):
        assert quantity(f"1 {unit}", kind.unit) > 0.0, unit


def test_units_without_a_field_must_have_one_reading():
    assert parse_unit("Nmm")[0] == pytest.approx(1e-3)
    with pytest.raises(GudgeonError, match="several ways; put a space"):
        parse_unit("Nms")


def test_units_multiply_and_divide():
    assert parse_unit("N s/m") == parse_unit("N*s/m") == parse_unit("N·s/m")
    assert parse_unit("kg m/s^2") == parse_unit("N")
    factor, dimension = parse_unit("mm/s^2")
    assert factor == 1e-3
    assert dimension == (1.0, 0.0, -2.0, 0.0, 0.0)


def test_a_vector_names_its_component():
    assert vector(("1 mm", 2), "m", "at") == (0.001, 2.0)
    assert vector(np.array([1.0, 2.0]), "m", "at") == (1.0, 2.0)
    for bad in (3.0, "12", (1.0,), (1.0, 2.0, 3.0), None):
        with pytest.raises(GudgeonError, match=r"at .* needs 2 components"):
            vector(bad, "m", "at")
    with pytest.raises(GudgeonError, match=r"at\[1\] \"2 kg\" has the wrong dimension"):
        vector((1.0, "2 kg"), "m", "at")


@dataclass(frozen=True)
class Plate(Part):
    width: Length
    tilt: Angle = 0.0
    share: Ratio | None = None
    name: str = "plate"

    def validate(self) -> None:
        if self.share == 0.25:
            raise GudgeonError("Plate: share 0.25 is reserved")


def test_a_part_that_exists_is_valid():
    plate = Plate("5 mm", "90 deg", share="50 %", name="lid")
    assert (plate.width, plate.tilt, plate.share) == pytest.approx((0.005, math.pi / 2, 0.5))
    assert Plate(1.0).share is None
    with pytest.raises(FrozenInstanceError):
        plate.width = 2.0


@pytest.mark.parametrize(
    "values, message",
    [
        ({"width": 0.0}, r"Plate: width 0.0 must be greater than 0 \[m\]"),
        ({"width": "-1 mm"}, 'Plate: width "-1 mm" must be greater than 0'),
        ({"width": 1.0, "share": 1.2}, "Plate: share 1.2 must be at most 1"),
        ({"width": 1.0, "share": "-1 %"}, 'share "-1 %" must be at least 0'),
        ({"width": 1.0, "tilt": "1 mm"}, "tilt .* wrong dimension"),
        ({"width": 1.0, "share": 0.25}, "reserved"),
        ({"width": None}, "width None is not a number"),
    ],
)  # fmt: skip
def test_a_part_refuses_what_cannot_be(values, message):
    with pytest.raises(GudgeonError, match=message):
        Plate(**values)


def test_a_range_may_bring_its_remedy():
    unit = Unit("m", above=0.0, remedy="use Ideal() instead")
    with pytest.raises(GudgeonError, match=r"gap 0 must be greater than 0 \[m\]; use Ideal\(\) instead"):
        unit.read(0, "gap")


def test_words():
    assert closest("slidr", ["slider", "crank"]) == "slider"
    assert closest("zzz", ["slider", "crank"]) is None
    assert closest("rod", ["ground", "crank", "slider"]) is None, "few letters in common are no likeness"
    assert closest("Mose", ["Moes", "Ocvirk"]) == "Moes" and closest("clearance", ["radial_clearance"])
    assert closest("section", ["cast iron"]) is None and closest("hertz", ["Hertz"]) == "Hertz"
    assert in_words(["a"]) == '"a"'
    assert in_words(["a", "b", "c"]) == '"a", "b" and "c"'
    assert in_words([]) == "none"
