"""Values that no machine has earn a note; machines that exist earn none."""

from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon.cli.templates import descriptions
from gudgeon.cli.templates import text as template
from gudgeon.model.files import load, loads
from gudgeon.model.plausible import USUAL, doubts
from gudgeon.papers.case import all_cases

MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
# what is known to be unusual there: a point mass, and a hinge that is worn out
UNUSUAL = {"gonzalez2006-pendulum": "radius of gyration", "door-hinge": "of the radius"}


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.yaml")), ids=lambda path: path.stem)
def test_our_own_models_are_plausible(path):
    notes = list(doubts(load(path).mechanism))
    assert all(UNUSUAL.get(path.stem, "nothing") in note for note in notes), notes


def test_published_cases_and_templates_are_plausible():
    for name, case in all_cases().items():
        assert name == "gonzalez2006/pendulum" or not list(doubts(case.mechanism())), name
    for name in descriptions():
        assert not list(doubts(loads(template(name)).mechanism)), name


@pytest.mark.parametrize("old, new, note", [
    ("mass: 210 g", "mass: 300 kg", 'body "rod" with 300 kg and 0.00025 kg m^2 has a radius of gyration of 0.91'),
    ("inertia: 2.5e-4", "inertia: 2.5", 'body "rod" with 0.21 kg and 2.5 kg m^2 has a radius of gyration of 3.45033 m'),
    ("mass: 140 g", "mass: 1e9", "slider.mass is 1e+09 kg: a steel cube"),
    ("at: [0.05, 0]", "at: [50, 0]", 'joint "big" is 49.8 m from all other places, which lie within 0.17 m'),
    ("0.5 mm", "5 mm", 'joint "pin": radial_clearance 5 mm is 0.5 of the radius 10 mm: usual are 0.001 to 0.01'),
    ("0.5 mm", "0.5 µm", "radial_clearance 0.5 um is 5e-05 of the radius 10 mm"),
    ("5000 rpm", "5000", "5000 rad/s is 4.775e+04 rpm and moves the joints around it at 250 m/s; a number without a "
     'unit is in rad/s, so write "5000 rpm"'),
    ("gravity: [0, 0]", "gravity: [0, -9810]", "gravity is 9810 m/s^2: the Earth has 9.81"),
    ("at: [0.025, 0]}", "at: [0.025, 0], angle: 90}", 'the angle of body "crank" is 90 rad, more than a turn: write '
     '"90 deg"'),
    ("coefficient: 0.03", "coefficient: 30", "pin.friction is 30: dry metals have 0.1 to 0.3"),
    ("radius: 10 mm", "radius: 10", "pin.radius is 10 m: pins have some millimetres"),
    ("        radial_clearance: 0.5 mm", "        iso: 20 H7/k6", "ISO 20 H7/k6 is a transition fit, radial clearance "
     "-7.5 um minimum, 1 um mean, 9.5 um maximum"),
])  # fmt: skip
def test_what_is_hardly_meant_is_said(old, new, note):
    text = template("slider-crank")
    assert old in text
    assert any(note in doubt for doubt in doubts(loads(text.replace(old, new)).mechanism))


def test_an_oil_of_46_pascal_seconds():
    m = gd.Mechanism("m")
    body = m.body("a", mass=1, inertia=1e-3, at=(0, 0))
    m.revolute("j", journal=body, bearing=m.ground, at=(0, 0), radius="10 mm", length="20 mm",
               fit=gd.Lubricated("20 µm", film=gd.Moes("46 Pa s")))  # fmt: skip
    (note,) = doubts(m)
    assert note.startswith("j.viscosity is 46 Pa s: oils have 0.002 Pa s to 2 Pa s") and '"46 mPa s"' in note


def test_limits_are_in_order():
    assert all(usual.low < usual.high and usual.words for usual in USUAL.values())
