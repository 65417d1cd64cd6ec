"""The JSON Schema: every part is in it with its keys and units, and it accepts what the reader accepts."""

import json
from pathlib import Path

import pydantic
import pytest

from gudgeon.laws import ContactLaw, FilmLaw, FrictionLaw, LinerLaw
from gudgeon.model.files import dump, loads, schema
from gudgeon.model.files.json_schema import file_model
from gudgeon.model.files.layout import material_names
from gudgeon.model.files.source import FileLeaf, FileRow, compose

MODELS = sorted((Path(__file__).resolve().parents[3] / "examples" / "models").glob("*.yaml"))
ARM = "name: a\nbodies: {arm: {mass: 1, inertia: 1, at: [0, 0]}}\n"


def data(text):
    def plain(node):
        if isinstance(node, FileLeaf):
            return node.value
        if isinstance(node, FileRow):
            return [plain(item) for item in node.items]
        return {key.text: plain(value) for key, value in node.entries}

    return plain(compose(text, []))


@pytest.fixture(scope="module")
def model():
    return file_model()


def test_the_schema_is_json_and_complete():
    made = schema()
    assert json.loads(json.dumps(made)) == made
    parts = made["$defs"]
    for family in (ContactLaw, FrictionLaw, LinerLaw, FilmLaw):
        for name, law in family.registry.items():
            if law.__module__.startswith("gudgeon."):
                assert parts[name]["properties"]["law"]["const"] == name
    for name in ("Body", "Joint", "Drive", "Spring", "TorsionSpring", "Force", "Torque", "Stop", "Material", "Run"):
        assert name in parts
    for fit in ("Clearance", "Bushing", "Ideal", "Lubricated", "IsoFit", "IsoFilmFit"):
        assert fit in parts
    assert all(part["additionalProperties"] is False for part in parts.values())
    for material in material_names():
        assert material in json.dumps(parts["Hertz"])


def test_units_stand_in_the_descriptions():
    parts = schema()["$defs"]
    assert parts["Body"]["properties"]["mass"]["description"].endswith("[kg]")
    assert parts["Joint"]["properties"]["radius"]["description"].endswith("[m]")
    assert parts["Hertz"]["properties"]["stiffness"]["description"].endswith("[N/m^exponent]")
    assert parts["ContactTable"]["properties"]["depths"]["description"].endswith("[m]")
    assert parts["Drive"]["properties"]["speed"]["description"].endswith("[rad/s or m/s]")
    assert "revolute" in parts["Joint"]["properties"]["kind"]["enum"]
    assert parts["Body"]["required"] == ["mass", "inertia", "at"]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_shipped_models_satisfy_it(path, model):
    model.model_validate(data(path.read_text()))
    found = loads(path.read_text())
    model.model_validate(data(dump(found.mechanism, found.run)))


@pytest.mark.parametrize("text", [
    ARM + "foo: 1", ARM.replace("mass: 1, ", ""), ARM.replace("mass: 1", "mass: -1"), ARM.replace("mass: 1", "mas: 1"),
    ARM.replace("mass: 1", "mass: heavy"), ARM + "run: {method: euler}", ARM.replace("[0, 0]", "[0]"),
])  # fmt: skip
def test_it_refuses_what_the_reader_refuses(text, model):
    with pytest.raises(pydantic.ValidationError):
        model.model_validate(data(text))
    with pytest.raises(ValueError, match="nothing was run"):
        loads(text)
