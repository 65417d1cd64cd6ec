"""Beams and sections as people describe them: numbers from shapes, errors with remedies, files and back."""

from __future__ import annotations

import math

import pytest

import gudgeon as gd
from gudgeon.model import Beam, Section
from gudgeon.model.files import ModelFileError, dump, loads
from gudgeon.model.files.json_schema import file_model
from gudgeon.papers import bauchau2002

STEEL = {"E": "190 GPa", "nu": 0.33, "rho": 7850.0}
FILE = """
name: strip
bodies: {}
beams:
  strip: {a: [0, 0], b: [1, 0], section: {rectangle: {width: 10 mm, height: 1 mm, material: steel}}, elements: 6}
joints:
  root: {kind: rigid, journal: strip, bearing: ground, at: [0, 0]}
torques:
  end: {body: strip, value: 1 N m, point: [0.5, 0]}
run: {duration: 0.1}
"""


def test_a_section_follows_from_its_shape():
    section = Section.rectangle("10 mm", "30 mm", **STEEL)
    stiffness = (section.EA, section.GA, section.EI)
    assert stiffness == pytest.approx((190e9 * 3e-4, 5 / 6 * 190e9 / 2.66 * 3e-4, 4275.0))
    assert (section.mass, section.inertia) == pytest.approx((2.355, 7850 * 0.01 * 0.03**3 / 12))
    bar, tube = Section.circle(0.02, gd.STEEL), Section.tube(0.02, 0.01, gd.STEEL)
    bending = 207e9 * math.pi * 0.02**4 / 64
    found = (bar.EI, tube.EI)
    assert found == pytest.approx((bending, bending * (1 - 1 / 16)))
    assert tube.mass == pytest.approx(0.75 * bar.mass)
    shear = Section.circle(0.02, gd.STEEL, G=70e9).GA
    assert shear == pytest.approx(0.9 * 70e9 * math.pi * 1e-4)


@pytest.mark.parametrize("make, words", [
    (lambda: Section.rectangle(0.01, 0.02), "material is missing"),
    (lambda: Section.rectangle(0.01, -0.02, gd.STEEL), "height"),
    (lambda: Section.tube(0.01, 0.02, gd.STEEL), "inner"),
    (lambda: Section.circle(0.01, gd.STEEL, Young=1.0), "Young"),
    (lambda: Section(1.0, 1.0, 0.0, 1.0, 1.0), "EI"),
])  # fmt: skip
def test_impossible_sections_are_refused(make, words):
    with pytest.raises(gd.GudgeonError, match=words):
        make()


@pytest.mark.parametrize("change, words", [
    ({"b": (0.0, 0.0)}, "coincide"), ({"order": 4}, "order"), ({"elements": 0}, "elements"),
    ({"stations": (0.5, 1.5)}, "stations"), ({"section": 3}, "section"), ({"damping": -1.0}, "damping"),
])  # fmt: skip
def test_impossible_beams_are_refused(change, words):
    given = {"a": (0.0, 0.0), "b": (1.0, 0.0), "section": Section.circle(0.01, gd.STEEL), **change}
    with pytest.raises(gd.GudgeonError, match=words):
        gd.Mechanism("m").beam("arm", **given)


def test_a_beam_stands_where_a_body_does():
    m = gd.Mechanism("m")
    beam = m.beam("arm", a=(0.0, 1.0), b=(0.0, 3.0), section=Section.circle(0.01, gd.STEEL), spin="60 rpm")
    joint = m.revolute("root", journal=beam, bearing=m.ground, at=(0.0, 1.0))
    assert joint.journal_point == pytest.approx((-1.0, 0.0))
    assert (beam.length, beam.nodes, beam.at) == (2.0, 13, (0.0, 2.0))
    assert beam.stiff.inertia == pytest.approx(beam.stiff.mass * 4 / 12, rel=1e-4)
    stiff = m.stiffened()
    assert not stiff.beams and stiff.bodies["arm"].spin == pytest.approx(2 * math.pi) and "arm" in m.beams
    assert "arm.damping" in m.parameters and m.vary("arm.damping", 1e-3).beams["arm"].damping == 1e-3
    assert m.vary("arm.EI", 3.0).beams["arm"].section.EI == 3.0
    assert "arm: 2 m" in m.summary()
    with pytest.raises(gd.GudgeonError, match="name is taken"):
        m.body("arm", mass=1.0, inertia=1.0, at=(0.0, 0.0))


def test_a_torque_says_where_it_holds_a_beam():
    m = gd.Mechanism("m")
    beam = m.beam("arm", a=(0.0, 0.0), b=(1.0, 0.0), section=Section.circle(0.01, gd.STEEL))
    wheel = m.body("wheel", mass=1.0, inertia=1.0, at=(0.0, 0.0))
    assert m.torque(beam, 1.0, at=(1.0, 0.0)).point == pytest.approx((0.5, 0.0))
    for body, options in ((beam, {}), (wheel, {"at": (0.0, 0.0)})):
        with pytest.raises(gd.GudgeonError, match="at="):
            m.torque(body, 1.0, **options)


def test_space_asks_for_sections_of_its_own():
    with pytest.raises(gd.GudgeonError, match="SpatialSection"):
        gd.Mechanism("m", planar=False).beam("arm", a=(0, 0, 0), b=(1, 0, 0), section=Section.circle(0.01, gd.STEEL))


@pytest.mark.parametrize("name", ["A2", "A5", "quick_return_3"])
def test_files_hold_beams(name):
    m = getattr(bauchau2002, name)()
    text = dump(m)
    again = loads(text).mechanism
    assert again.beams == m.beams and again.joints == m.joints and dump(again) == text


def test_a_file_gives_sections_by_shape():
    found = loads(FILE).mechanism
    assert found.beams["strip"] == Beam(
        "strip", (0.0, 0.0), (1.0, 0.0), Section.rectangle(0.010, 0.001, gd.STEEL), elements=6
    )
    assert found.torques["end"].point == (0.5, 0.0)


def test_the_schema_knows_beams():
    model, yaml = file_model(), pytest.importorskip("yaml")
    model.model_validate(yaml.safe_load(FILE))
    with pytest.raises(ValueError, match="heigth"):
        model.model_validate(yaml.safe_load(FILE.replace("height", "heigth")))


@pytest.mark.parametrize("old, new, words, place", [
    ("height", "heigth", 'did you mean "height"', ":5:69"),
    ("rectangle", "triangle", 'unknown key "triangle"', ":5:43"),
    ("elements: 6", "elements: 0", "elements", ":5:112"),
    ("{rectangle: {width: 10 mm, height: 1 mm, material: steel}}", "thin", "must be a mapping", ":5:42"),
    ("journal: strip", "journal: stripe", 'did you mean "strip"', ":7:32"),
])  # fmt: skip
def test_mistakes_in_files_are_placed(old, new, words, place):
    with pytest.raises(ModelFileError) as caught:
        loads(FILE.replace(old, new))
    assert words in str(caught.value) and place in str(caught.value)
    assert "torque" not in str(caught.value)
