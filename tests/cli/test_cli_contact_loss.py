"""Contact loss on the page of gudgeon tolerance, of a weight on a turning arm."""

import json

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app

MODEL = """name: arm
gravity: [0, -9.81]
bodies:
  turning: {mass: 300 g, inertia: 1e-4, at: [0.025, 0]}
  weight: {mass: 400 g, inertia: 1e-4, at: [0.05, 0]}
joints:
  main: {kind: revolute, journal: turning, bearing: ground, at: [0, 0]}
  pin:
    kind: revolute
    journal: weight
    bearing: turning
    at: [0.05, 0]
    radius: 10 mm
    length: 20 mm
    fit: {clearance: {radial_clearance: 0.2 mm, wall: {law: KelvinVoigt, stiffness: 2e6, damping: 300}}}
drives:
  main: {speed: 14.1}
"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.yaml").write_text(MODEL, encoding="utf-8")
    return tmp_path / "arm.yaml"


def tolerance(*arguments):
    done = CliRunner().invoke(app, ["tolerance", *map(str, arguments), "--of", "weight.x"], env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_pin_that_loses_contact_and_one_that_keeps_it(arm):
    page = tolerance(arm)
    assert "contact loss, from the motion with ideal joints" in page
    row = next(line for line in page.splitlines() if line.startswith("pin   lost"))
    assert "° of the cycle" in row and "0.2" in row.split()
    level = tolerance(arm, "--set", "gravity=[0, 0]")
    row = next(line for line in level.splitlines() if line.startswith("pin   kept"))
    assert row.split()[2:5] == ["0.2", "any", "0.004"]


def test_contact_loss_as_json(arm):
    [pin] = json.loads(tolerance(arm, "--json"))["contact_loss"]
    assert pin["joint"] == "pin" and pin["kept"] is False and pin["sure"] is True
    # the load is least with the weight on top, 0.05 m * (14.1 rad/s)² - 9.81 m/s² per mass
    assert pin["reaction"] == pytest.approx(0.4 * (0.05 * 14.1**2 - 9.81), rel=1e-4)
    assert pin["mass"] == pytest.approx(0.4) and pin["clearance"] == pytest.approx(2e-4)
    assert pin["largest_clearance"] < 2e-4


def test_without_a_loose_pin_or_a_drive_the_page_says_so(arm):
    arm.write_text(MODEL.replace("main: {speed: 14.1}", 'main: {motion: "0.3*sin(5*t)"}'), encoding="utf-8")
    assert "contact loss" in tolerance(arm, "--period", "1.2566 s")
