"""gudgeon equilibrium and gudgeon modes, and what list and show say about motors."""

import json
import math

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app

MODEL = """name: gate
gravity: [0, -9.81]
bodies:
  arm: {mass: 2 kg, inertia: 0.05, at: [0.4, 0.1]}
joints:
  pivot: {kind: revolute, journal: arm, bearing: ground, at: [0, 0]}
torsion_springs:
  return: {joint: pivot, stiffness: 60, damping: 0.5}
motors:
  pivot: {voltage: "12*exp(-t)", resistance: 2 ohm, back_emf: 0.5}
"""


@pytest.fixture
def gate(tmp_path):
    (tmp_path / "gate.yaml").write_text(MODEL, encoding="utf-8")
    return tmp_path / "gate.yaml"


def gudgeon_(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_equilibrium_in_words_and_as_json(gate):
    done = gudgeon_("equilibrium", gate)
    assert done.exit_code == 0, done.output
    assert "gate · at rest" in done.stdout and "rest       stable" in done.stdout
    assert "force 19.62 N" in done.stdout and "current 6 A" in done.stdout
    found = json.loads(gudgeon_("equilibrium", gate, "--json").stdout)
    turn, reach, lean = found["channels"]["pivot.travel"], math.hypot(0.4, 0.1), math.atan2(0.1, 0.4)
    assert 60 * turn == pytest.approx(3.0 - 2 * 9.81 * reach * math.cos(lean + turn), rel=1e-9)
    assert found["stable"] and found["moved"]["arm"] > 0.02
    later = json.loads(gudgeon_("equilibrium", gate, "--time", "1 s", "--json").stdout)
    assert later["channels"]["pivot.current"] == pytest.approx(6 / math.e)


def test_modes_in_words_and_as_json(gate):
    done = gudgeon_("modes", gate)
    assert done.exit_code == 0, done.output
    assert "small motions in equilibrium" in done.stdout and "arm 100%" in done.stdout
    found = json.loads(gudgeon_("modes", gate, "--json").stdout)
    inertia, reach, lean = 0.05 + 2 * 0.17, math.hypot(0.4, 0.1), math.atan2(0.1, 0.4)
    rest = json.loads(gudgeon_("equilibrium", gate, "--json").stdout)["channels"]["pivot.travel"]
    natural = math.sqrt((60 - 2 * 9.81 * reach * math.sin(lean + rest)) / inertia)
    (mode,) = found["modes"]
    assert mode["frequency"] == pytest.approx(natural / (2 * math.pi), rel=1e-9)
    # the damper and the motor's winding
    assert mode["damping"] == pytest.approx((0.5 + 0.5**2 / 2) / (2 * inertia * natural), rel=1e-9)
    soft = gudgeon_("modes", gate, "--start", "--set", "return.stiffness=0", "--set", "arm.at=[0, 0.4]",
                    "--set", "pivot.voltage=0")  # fmt: skip
    assert "unstable" in soft.stdout and "i " in soft.stdout and "grows in" in soft.stdout


def test_a_formula_can_be_set_by_the_name_of_its_joint(gate):
    done = gudgeon_("check", gate, "--set", "pivot.voltage=3 V")
    assert done.exit_code == 0 and "3 V, 2 ohm" in done.stdout


def test_bad_input_is_told_in_a_line(gate):
    done = gudgeon_("equilibrium", gate, "--time", "3 m")
    assert done.exit_code == 2 and "expected [s]" in done.output
    done = gudgeon_("modes", "gat.yaml")
    assert done.exit_code == 2 and "no model file" in done.output


def test_list_and_show_know_what_moves_a_joint():
    assert "direct-current motor" in gudgeon_("list", "drives").stdout
    shown = gudgeon_("show", "motor").stdout
    assert "back_emf" in shown and "V s/rad" in shown and "must be given" in shown
    assert "anti" not in gudgeon_("show", "controller").stdout and "limit" in gudgeon_("show", "controller").stdout
    assert gudgeon_("show", "drive").exit_code == 0
