"""gudgeon regime and gudgeon bifurcate."""

import csv
import json

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app

CASE = "flores2007/slider_crank"
SMALL = ("--set", "pin.radial_clearance=0.01mm")


def gudgeon_(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_regime_says_label_numbers_and_trust():
    done = gudgeon_("regime", CASE, *SMALL, "--transient", 20, "--turns", 40)
    assert done.exit_code == 0
    for words in ("period-1, confidence 1.00", "exponent   -2.2", "of 0.01 mm after 1 period", "K = 0.00", "decay"):
        assert words in done.stdout


def test_regime_as_json():
    found = json.loads(gudgeon_("regime", CASE, "--transient", 10, "--turns", 40, "--rtol", 1e-7, "--json").stdout)
    assert found["label"] == "chaotic" and found["period"] == 0 and found["case"] == CASE
    assert found["exponent"]["value"] > 3 * found["exponent"]["error"] > 0
    assert "beyond that only statistics are" in found["beyond"] and 0 < found["horizon"] < 5


def test_bifurcate_writes_figure_and_table(tmp_path):
    done = gudgeon_("bifurcate", CASE, "--vary", "pin.radial_clearance", "0.01mm:0.03mm:3", "--transient", 5,
                    "--turns", 8, "--out", tmp_path / "new")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert (tmp_path / "new/bifurcation.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.reader((tmp_path / "new/bifurcation.csv").open(encoding="utf-8")))
    assert len(rows) == 1 + 2 * 3 * 8
    assert [float(row[0]) for row in rows[1::8]][:3] == pytest.approx([1e-5, 2e-5, 3e-5], rel=1e-12)
    assert rows[0][4] == "pin.eccentricity [1]"
    assert "3 of 3 values repeat, periods 1" in done.stdout and "hysteresis" in done.stdout


@pytest.mark.parametrize("span", ["0.01mm:0.5mm", "0.01mm:0.5mm:1", "0.01mm:0.5mm:x", "1mm:1mm:5"])
def test_bad_spans_are_refused(span, tmp_path):
    done = gudgeon_("bifurcate", CASE, "--vary", "pin.radial_clearance", span, "--out", tmp_path)
    assert done.exit_code == 2
    assert f'--vary pin.radial_clearance "{span}": ' in done.output


def test_bad_input_is_told_in_a_line(tmp_path):
    done = gudgeon_("bifurcate", CASE, "--vary", "pin.radial_clearanc", "1mm:2mm:3", "--out", tmp_path)
    assert done.exit_code == 2 and 'did you mean "pin.radial_clearance"?' in done.output
    done = gudgeon_("bifurcate", "schwab2002/ideal", "--vary", "rod.mass", "0.1:0.2:3", "--out", tmp_path)
    assert done.exit_code == 2 and "--channel NAME" in done.output
    done = gudgeon_("regime", "schwab2002/sphere")
    assert done.exit_code == 2 and "period" in done.output
