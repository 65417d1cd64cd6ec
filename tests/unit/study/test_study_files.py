"""Study files: what they say is what is run, and every mistake is shown at its place."""

import json
from pathlib import Path

import pytest

import gudgeon as gd
from gudgeon.model.files import ModelFileError, load
from gudgeon.papers import schwab2002
from gudgeon.study import iso, loads, normal, schema, uniform
from gudgeon.study import load as load_study

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MODELS = EXAMPLES / "models"

GOOD = """\
name: gaps
model: slider-crank.yaml
set: {pin.restitution: 0.8}
vary:
  pin.radial_clearance: {logspace: [0.01 mm, 0.5 mm, 5]}
  pin.friction: [0, 1 %, 0.03]
measure: [peak pin.force, contacts pin]
keep: [pin.ex]
run: {revolutions: 2, rtol: 1e-8, method: dop853}
"""


def read(text):
    return loads(text, "s.yaml", MODELS, {"schwab2002/hertz": schwab2002.hertz()}.get)


def refused(text):
    with pytest.raises(ModelFileError) as error:
        read(text)
    return str(error.value)


def test_a_file_is_the_study_of_python():
    study = read(GOOD).study
    model = load(MODELS / "slider-crank.yaml").mechanism.vary("pin.restitution", 0.8)
    vary = {"pin.radial_clearance": gd.logspace("0.01 mm", "0.5 mm", 5), "pin.friction": [0, "1 %", 0.03]}
    twin = gd.Study(model, vary, ["peak pin.force", "contacts pin"], keep=["pin.ex"], name="gaps", revolutions=2,
                    rtol=1e-8, method="dop853")  # fmt: skip
    assert study.points == twin.points and len(study) == 15
    study.check(), twin.check()
    assert study.about() == twin.about()


def test_distributions_designs_and_cases():
    text = """\
model: schwab2002/hertz
vary:
  pin.radial_clearance: 20 H7/f7
  rod.mass: {normal: [145 g, 2 g]}
  main.speed: {uniform: [4900 rpm, 5100 rpm]}
design: sobol
samples: 16
seed: 3
measure: regime
run: {turns: 50, transient: 20}
"""
    study = read(text).study
    vary = {"pin.radial_clearance": iso("20 H7/f7"), "rod.mass": normal("145 g", "2 g"),
            "main.speed": uniform("4900 rpm", "5100 rpm")}  # fmt: skip
    twin = gd.Study(schwab2002.hertz(), vary, "regime", design="sobol", samples=16, seed=3, turns=50, transient=20)
    assert study.points == twin.points and study.settings == twin.settings


@pytest.mark.parametrize("path", sorted((EXAMPLES / "studies").glob("*.yaml")), ids=lambda path: path.stem)
def test_examples_are_sound(path):
    found = load_study(path)
    assert len(found.study) > 10 and found.path == path
    assert path.read_text().startswith("# yaml-language-server: $schema=gudgeon-study.schema.json\n")


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("0.01 mm, 0.5 mm, 5", "0.01 kg, 0.5 mm, 5", ["s.yaml:5:37:", "wrong dimension"]),
        ("0.01 mm, 0.5 mm, 5", "0.01 mm, 0.5 mm", ["s.yaml:5:26:", "logspace takes [low, high, points], not 2 values"]),
        ("0.01 mm, 0.5 mm, 5", "0.01 mm, 0.5 mm, 0", ["s.yaml:5:26:", "whole number from 1"]),
        ("logspace:", "logspce:", ["s.yaml:5:26:", 'did you mean "logspace"?']),
        ("radial_clearance", "radial_clearence", ["s.yaml:5:3:", 'did you mean "pin.radial_clearance"?']),
        ("[0, 1 %, 0.03]", "[0, 1 %, red]", ["s.yaml:6:26:", "red"]),
        ("[0, 1 %, 0.03]", "[0, -1]", ["s.yaml:6:21:", "at least 0"]),
        ("[0, 1 %, 0.03]", "0.03", ["s.yaml:6:17:", "has no values"]),
        ("[0, 1 %, 0.03]", "20 H7/p6", ["s.yaml:6:17:", "interference fit"]),
        ("set: {pin.restitution: 0.8}", "set: {pin.restitution: 8}", ["s.yaml:3:24:", "at most 1"]),
        ("set: {pin.restitution: 0.8}", "set: [1]", ["s.yaml:3:6:", "set must be a mapping"]),
        ("peak pin.force,", "peek pin.force,", ["s.yaml:7:11:", 'did you mean "peak"?']),
        ("peak pin.force,", "peak pin.farce,", ["s.yaml:7:11:", 'channel "pin.farce" is not known']),
        ("peak pin.force,", "peak pin.force, peak pin.force,", ["s.yaml:7:", "given twice"]),
        ("contacts pin]", "contacts pine]", ["s.yaml:7:27:", 'did you mean "pin"?']),
        ("keep: [pin.ex]", "keep: [pin.e]", ["s.yaml:8:8:", 'channel "pin.e" is not known']),
        ("keep: [pin.ex]", "design: grid\nsamples: 5", ["s.yaml:8:9:", "takes no samples"]),
        ("keep: [pin.ex]", "design: list", ["s.yaml:8:9:", "as many values"]),
        ("keep: [pin.ex]", "design: gird", ["s.yaml:8:9:", 'did you mean "grid"?']),
        ("keep: [pin.ex]", "seed: -3", ["s.yaml:8:7:", "whole number"]),
        ("method: dop853", "method: dop85", ["s.yaml:9:43:", 'did you mean "dop853"?']),
        ("{revolutions: 2,", "{revolutions: 2, duration: 1 s,", ["s.yaml:9:23:", "give one of them"]),
        ("{revolutions: 2,", "{turns: 2, step: 1 us,", ["s.yaml:9:", "step does not go with turns"]),
        ("model: slider-crank.yaml", "model: slider-crnk.yaml", ["s.yaml:2:8:", "slider-crank.yaml"]),
        ("model: slider", "modell: slider", ["s.yaml:2:1:", 'did you mean "model"?']),
    ],
)  # fmt: skip
def test_mistakes_are_shown_at_their_place(old, new, words):
    assert old in GOOD
    text = refused(GOOD.replace(old, new))
    for word in words:
        assert word in text
    assert "nothing was run" in text and "^" in text


def test_all_mistakes_at_once():
    text = refused(GOOD.replace("1 %", "1 kg").replace("peak pin", "peek pin").replace("rtol: 1e-8", "rtol: big"))
    assert "3 problems" in text
    assert all(place in text for place in ("s.yaml:6:", "s.yaml:7:", "s.yaml:9:"))


def test_a_broken_model_is_told(tmp_path):
    (tmp_path / "bad.yaml").write_text("name: bad\nbodies: {arm: {mass: 1 kg}}\n")
    (tmp_path / "s.yaml").write_text(GOOD.replace("slider-crank.yaml", "bad.yaml"))
    with pytest.raises(ModelFileError, match=r"s\.yaml:2:8: model .*bad\.yaml has 1 problem, first in line 2") as error:
        load_study(tmp_path / "s.yaml")
    assert "gudgeon check" in str(error.value)


@pytest.mark.parametrize("text, words", [("", "no study in this file"), ("- 1", "is a mapping"), ("a: [1", "closed")])
def test_files_that_are_no_study(text, words):
    assert words in refused(text)


def test_the_schema_knows_the_keys():
    made = schema()
    keys = ["name", "model", "set", "vary", "design", "samples", "seed", "measure", "keep", "run"]
    assert list(made["properties"]) == keys
    assert made["required"] == ["model", "vary", "measure", "run"] and made["additionalProperties"] is False
    assert {"turns", "transient", "revolutions"} <= set(made["$defs"]["Run"]["properties"])
    json.dumps(made)
