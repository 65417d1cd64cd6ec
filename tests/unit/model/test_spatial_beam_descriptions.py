"""Beams and sections of space as people describe them: numbers from shapes, errors with remedies, files and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.model import Section, SpatialBeam, SpatialSection
from gudgeon.model.files import ModelFileError, dump, loads
from gudgeon.model.files.json_schema import file_model
from gudgeon.papers.bauchau2002 import space

STEEL = {"E": "190 GPa", "nu": 0.33, "rho": 7850.0}
FILE = """
name: strip
planar: false
bodies: {}
beams:
  strip: {a: [0, 0, 0], b: [1, 0, 0], section: {rectangle: {width: 9 mm, height: 1 mm, material: steel}}, up: [0, 0, 1]}
joints:
  root: {kind: rigid, journal: strip, bearing: ground, at: [0, 0, 0], axis: [0, 0, 1]}
torques:
  end: {body: strip, value: [1 N m, 0, 0], point: [0.5, 0, 0]}
run: {duration: 0.1}
"""


def test_a_section_follows_from_its_shape():
    section, flat = (sort.rectangle("10 mm", "30 mm", **STEEL) for sort in (SpatialSection, Section))
    found = np.diag(section.stiffness)
    assert found[[0, 1, 5]] == pytest.approx((flat.EA, flat.GA, flat.EI))
    assert found[2] == found[1] and found[4] == pytest.approx(flat.EI / 9)
    assert found[3] == pytest.approx(190e9 / 2.66 * 0.263 * 0.03 * 0.01**3, rel=2e-3)
    assert np.diag(section.inertia)[[0, 1, 2, 5]] == pytest.approx((flat.mass, flat.mass, flat.mass, flat.inertia))
    assert section.inertia[3][3] == pytest.approx(section.inertia[4][4] + section.inertia[5][5])
    bar, tube = SpatialSection.circle(0.02, gd.STEEL), SpatialSection.tube(0.02, 0.01, gd.STEEL)
    polar = 207e9 / 2.6 * math.pi * 0.02**4 / 32
    assert (bar.stiffness[3][3], tube.stiffness[3][3]) == pytest.approx((polar, polar * (1 - 1 / 16)))
    assert tube.mass == pytest.approx(0.75 * bar.mass)
    assert bar.scaled(3.0).stiffness[4][4] == pytest.approx(3.0 * bar.stiffness[4][4])


def test_an_offset_centre_of_mass_is_read_from_the_inertia():
    m, c = 2.0, (0.0, 0.03, -0.01)
    cross = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    inertia = np.block([[m * np.eye(3), -m * cross], [m * cross, np.diag([1e-2, 6e-3, 4e-3])]])
    assert SpatialSection((1.0,) * 6, inertia.tolist()).centre == pytest.approx(c)


@pytest.mark.parametrize("make, words", [
    (lambda: SpatialSection.rectangle(0.01, 0.02), "material is missing"),
    (lambda: SpatialSection.tube(0.01, 0.02, gd.STEEL), "inner"),
    (lambda: SpatialSection((1.0, 1.0, 1.0, 1.0, 1.0, 0.0), (1.0,) * 6), "positive"),
    (lambda: SpatialSection((1.0,) * 5, (1.0,) * 6), "six rows"),
    (lambda: SpatialSection((1.0,) * 6, (1.0, 2.0, 1.0, 1.0, 1.0, 1.0)), "one mass"),
    (lambda: SpatialSection((np.eye(6) + np.eye(6, k=1)).tolist(), (1.0,) * 6), "symmetric"),
    (lambda: SpatialSection((np.eye(6) + 2 * np.eye(6, k=5) + 2 * np.eye(6, k=-5)).tolist(), (1.0,) * 6), "energy"),
])  # fmt: skip
def test_impossible_sections_are_refused(make, words):
    with pytest.raises(gd.GudgeonError, match=words):
        make()


@pytest.mark.parametrize("change, words", [
    ({"b": (0.0, 0.0, 0.0)}, "coincide"), ({"order": 4}, "order"), ({"b": (1.0, 0.0)}, "b"),
    ({"section": Section.circle(0.01, gd.STEEL)}, "SpatialSection"), ({"up": (2.0, 0.0, 0.0)}, "along the beam"),
    ({"damping": -1.0}, "damping"),
])  # fmt: skip
def test_impossible_beams_are_refused(change, words):
    given = {"a": (0.0, 0.0, 0.0), "b": (1.0, 0.0, 0.0), "section": SpatialSection.circle(0.01, gd.STEEL), **change}
    with pytest.raises(gd.GudgeonError, match=words):
        gd.Mechanism("m", planar=False).beam("arm", **given)


def test_a_beam_stands_where_a_body_does():
    m = gd.Mechanism("m", planar=False)
    section = SpatialSection.circle(0.01, gd.STEEL)
    beam = m.beam("arm", a=(0, 1, 0), b=(0, 3, 0), section=section, spin=(0, 0, "60 rpm"), up=(1, 1, 0))
    joint = m.revolute("root", journal=beam, bearing=m.ground, at=(0.1, 1.0, 0.2), axis=(0, 0, 1))
    # along y, then x and -z of the world
    assert joint.journal_point == pytest.approx((-1.0, 0.1, -0.2))
    assert beam.world((-1.0, 0.1, -0.2)) == pytest.approx((0.1, 1.0, 0.2))
    assert (beam.length, beam.nodes, beam.at) == (2.0, 13, (0.0, 2.0, 0.0))
    assert beam.stiff.inertia[1] == pytest.approx(beam.stiff.mass * 4 / 12, rel=1e-4)
    stiff = m.stiffened()
    assert not stiff.beams and stiff.bodies["arm"].spin[2] == pytest.approx(2 * math.pi)
    assert m.vary("arm.damping", 1e-3).beams["arm"].damping == 1e-3
    assert "arm: 2 m" in m.summary()


@pytest.mark.parametrize("name", ["spatial_A1", "spatial_A2", "spatial_A3"])
def test_files_hold_beams_of_space(name):
    m = getattr(space, name)()
    text = dump(m)
    again = loads(text).mechanism
    assert again.beams == m.beams and dump(again) == text


def test_a_file_gives_sections_by_shape():
    found = loads(FILE).mechanism
    section = SpatialSection.rectangle("9 mm", "1 mm", gd.STEEL)
    assert found.beams["strip"] == SpatialBeam("strip", (0, 0, 0), (1, 0, 0), section, up=(0.0, 0.0, 1.0))
    assert found.torques["end"].point == (0.5, 0.0, 0.0)
    file_model().model_validate(pytest.importorskip("yaml").safe_load(FILE))


@pytest.mark.parametrize("old, new, words", [
    ("height", "heigth", 'did you mean "height"'),
    ("b: [1, 0, 0]", "b: [1, 0]", "b"),
    ("up: [0, 0, 1]", "up: [1, 0, 0]", "up"),
])  # fmt: skip
def test_mistakes_in_files_are_placed(old, new, words):
    with pytest.raises(ModelFileError) as caught:
        loads(FILE.replace(old, new))
    assert words in str(caught.value) and ":6:" in str(caught.value)
