"""Oils by their ISO grade, held against the worked examples of the standards and published tables of oils."""

import pytest
import yaml

import gudgeon as gd
from gudgeon.laws.oil import GRADES, THINNEST, density, kinematic_viscosity, viscosity_index
from gudgeon.model.files import loads
from gudgeon.model.files.edit import put
from gudgeon.model.files.json_schema import file_model


def test_the_worked_examples_of_the_viscosity_index():
    """ASTM D2270, one example below and one above 100, which prints whole numbers."""
    assert round(viscosity_index(73.30, 8.86)) == 92
    assert round(viscosity_index(22.83, 5.05)) == 156


def test_worked_examples_of_the_relation_with_temperature():
    """olezol.com, calculator of ASTM D341: a gear oil SAE 140 and an oil of 68 mm²/s, as printed there."""
    assert kinematic_viscosity(60.0, ((40.0, 404.0), (100.0, 28.0))) == pytest.approx(132.126, abs=1e-3)
    assert kinematic_viscosity(100.0, ((40.0, 68.0), (80.0, 14.85))) == pytest.approx(8.8, abs=0.05)


# Stachowiak, Batchelor: Engineering Tribology, Table 2.3: dynamic viscosities [mPa s] at 30, 60 and 100 °C; the first
# "light machine oil" of the table (38, 12.1, 5.3) has an index of 175, which no plain mineral oil has: left out
@pytest.mark.parametrize("cold, warm, hot", [
    (153, 34, 9.1), (250, 50.5, 12.6), (810, 135, 26.8), (18.6, 6.3, 2.4), (45, 12, 3.9), (107, 23.3, 6.4),
    (122, 26.3, 7.3), (171, 31, 7.5), (30.7, 8.6, 3.1), (165, 30.0, 6.8), (310, 44.2, 9.4), (2000, 180, 24),
])  # fmt: skip
def test_the_relation_between_two_temperatures_of_real_oils(cold, warm, hot):
    known = tuple((t, mu / density(t) * 1e3) for t, mu in ((30.0, cold), (100.0, hot)))
    assert kinematic_viscosity(60.0, known) * density(60.0) * 1e-3 == pytest.approx(warm, rel=0.06)


# typical kinematic viscosities at 100 °C [mm²/s] of ISO grades in a table of the trade (lubesolut.com, rounded to 0.5)
@pytest.mark.parametrize("grade, hot", [(10, 2.5), (15, 3.5), (22, 4.5), (32, 5.5), (46, 6.5), (68, 8.5), (100, 11.4),
                                        (150, 14.5), (220, 19), (320, 24.5), (460, 32), (680, 42)])  # fmt: skip
def test_typical_oils_at_100_degrees(grade, hot):
    nu = gd.oil(f"ISO VG {grade}", "100 °C") / density(100.0) * 1e6
    assert nu == pytest.approx(hot, rel=0.06)
    assert viscosity_index(GRADES[grade], nu) == pytest.approx(97.0, abs=0.1)


def test_grades_are_those_of_the_standard():
    """ISO 3448: each about half as much again as the one before, and exact at 40 °C whatever the index."""
    steps = [b / a for a, b in zip(list(GRADES.values()), list(GRADES.values())[1:], strict=False)]
    assert len(GRADES) == 20 and all(1.4 <= step <= 1.54 for step in steps)
    assert gd.oil("ISO VG 46", "40 °C") == gd.oil("ISO VG 46 VI 140", "40 °C") == pytest.approx(46e-6 * 863.75)
    assert GRADES[5] < 5.0 and THINNEST == 2.0


@pytest.mark.parametrize("text", ["ISO VG 46 at 60 °C", "VG46 @ 60C", "iso-vg 46, 60 degC", "ISO VG 46 at 333.15 K",
                                  "ISO VG 46 VI 97 at 60 °C"])  # fmt: skip
def test_one_oil_in_several_spellings(text):
    assert gd.Moes(text).viscosity == pytest.approx(gd.oil("ISO VG 46", "60 °C"), rel=1e-12)


@pytest.mark.parametrize("text, message", [
    ("ISO VG 46", 'has no temperature; write for instance "ISO VG 46 at 40 °C"'),
    ("ISO VG 45 at 40 °C", 'is no grade of ISO 3448; the nearest is "ISO VG 46"'),
    ("ISO VG 46 at 60", '"60" is no temperature; write for instance "ISO VG 46 at 40 °C"'),
    ("ISO VG 46 at 600 °C", "not between -20 °C and 150 °C"),
    ("ISO VG 46 VI 300 at 60 °C", "viscosity index 300 is not between 0 and 250"),
    ("ISO VG 2 at 60 °C", 'known at 40 °C alone; write "ISO VG 2 at 40 °C"'),
    ("ISO VG at 40 °C", "is no viscosity grade"),
    ("46 cSt", 'not a kinematic viscosity; multiply by the density: an oil of 864 kg/m³ has "39.73 mPa s"'),
])  # fmt: skip
def test_what_is_no_oil_is_refused(text, message):
    with pytest.raises(gd.GudgeonError) as error:
        gd.Moes(text)
    assert str(error.value).startswith("Moes: viscosity ") and message in str(error.value)


def test_a_number_is_a_temperature_in_kelvin():
    assert gd.oil("ISO VG 46", 333.15) == gd.oil("ISO VG 46", "60 °C")
    with pytest.raises(gd.GudgeonError, match='a number is in kelvin, write "60 °C"'):
        gd.oil("ISO VG 46", 60)


MODEL = """name: m
bodies: {a: {mass: 1, inertia: 1e-3, at: [0, 0]}}
joints:
  j: {kind: revolute, journal: a, bearing: ground, at: [0, 0], radius: 10 mm, length: 20 mm,
      fit: {lubricated: {radial_clearance: 20 um, film: {law: Moes, viscosity: ISO VG 46 at 60 °C}}}}
"""


def test_a_file_a_change_and_the_schema_take_an_oil():
    m = loads(MODEL).mechanism
    assert m.parameters["j.viscosity"] == pytest.approx(0.0174, rel=1e-3)
    assert put(m, "j.viscosity", "ISO VG 32 at 60 °C").parameters["j.viscosity"] == pytest.approx(0.0128, rel=1e-2)
    file_model().model_validate({"planar": True, **yaml.safe_load(MODEL)})
