"""gudgeon routes."""

import json

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app

CASE = "schwab2002/hertz"
QUICK = ("--revolutions", 0.3, "--windows", 2, "--transient", 1, "--step", "5 us")


def gudgeon_(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_json_has_all_routes_and_the_files_are_written(tmp_path):
    done = gudgeon_("routes", CASE, *QUICK, "--film", "moes 400 cP", "--json", "--out", tmp_path / "new")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found.keys() == {
        "case", "set", "name", "joint", "clearance", "share", "rtol", "span", "period", "windows", "transient", "units",
        "reference", "routes", "agreements", "distances",
    }  # fmt: skip
    assert (found["case"], found["joint"], found["reference"], found["windows"]) == (CASE, "pin", "law", 2)
    assert [route["name"] for route in found["routes"]] == ["law", "impact", "moreau", "film"]
    for route in found["routes"]:
        assert route.keys() == {"name", "words", "method", "rigid", "refused", "step", "horizon", "trust", "first",
                                "statistics", "cost"}  # fmt: skip
        assert not route["refused"] and route["cost"]["evaluations"] > 0
        assert route["statistics"].keys() == found["units"].keys()
    assert {pair["route"] for pair in found["agreements"]} == {"impact", "moreau", "film"}
    assert json.loads((tmp_path / "new/routes.json").read_text(encoding="utf-8")) == found
    assert (tmp_path / "new/routes.svg").read_bytes().startswith(b"<?xml")


def test_text_names_what_is_not_run_and_what_was_written(tmp_path):
    done = gudgeon_("routes", "schwab2002/sphere", "--set", "pin.radial_clearance=0.4mm", "--out", tmp_path)
    assert done.exit_code == 0, done.output
    for words in ("play 0.4 mm", "not run: no film", "windows need a drive", "cost per second", "routes.svg"):
        assert words in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--film", "Moe 400 cP"), 'did you mean "Moes"?'),
        (("--film", "Moes"), 'for instance "Moes 400 cP"'),
        (("--joint", "pim"), 'did you mean "pin"?'),
    ],
)
def test_bad_input_is_told_in_a_line(options, message):
    done = gudgeon_("routes", CASE, *options)
    assert done.exit_code == 2 and message in done.output
