"""What tripped a new user on a third day, with the README alone; each line failed before it was mended."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.cli.templates import text as template

VALVE = """
name: valve
bodies:
  cam: {mass: 0.4 kg, inertia: 0.6 kg cm², at: [0, 4 mm]}
  valve: {mass: 90 g, inertia: 0.1 kg cm², at: [0, 60 mm]}
joints:
  shaft: {kind: revolute, journal: cam, bearing: ground, at: [0, 0]}
  stem: {kind: translational, journal: valve, bearing: ground, at: [0, 60 mm], axis: [0, 1]}
  nose:
    kind: contact
    journal: valve
    bearing: cam
    journal_point: [0, -25 mm]
    bearing_point: [0, 0]
    journal_radius: 8 mm
    radius: 18 mm
    fit: {touching: {wall: {law: KelvinVoigt, stiffness: 1e7 N/m, damping: 100 Ns/m}}}
drives:
  shaft: {speed: 600 rpm}
springs:
  return: {body_i: valve, body_j: ground, at_i: [0, 60 mm], at_j: [0, 120 mm], stiffness: 5 N/mm, preload: -60 N}
run: {duration: 0.1 s, after: 1 s, output: 2 s}
"""


def said(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.stderr
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("name, words", [
    ("gravity", "key of a model file"), ("film", "Journal bearing of finite length"), ("cam", "contact · joint"),
    ("gear", "turns of the rotor for a turn of the joint"), ("ISO VG 46", "60 °C 17.4 mPa s"),
    ("ISO VG 46 at 60 °C", "17.4 mPa s"), ("restitution", "Gonthier"),
    ("start", "loose journals begin where the load presses them"),
    ("drives", "drive · section drives"), ("hinge", "revolute · joint"),
])  # fmt: skip
def test_show_knows_every_key_of_a_file_and_what_people_call_things(name, words):
    assert words in said("show", name)


def test_show_says_of_a_joint_what_a_file_must_give():
    assert "by default" not in said("show", "translational")


def test_check_says_how_far_round_bodies_are_apart_and_what_a_run_would_refuse(tmp_path):
    path = tmp_path / "valve.yaml"
    path.write_text(VALVE, encoding="utf-8")
    text = said("check", path)
    # 60 - 25 mm to the roller, 4 mm to the disk, radii 8 and 18 mm
    assert "nose: wall, KelvinVoigt, 5 mm apart at the start" in text
    assert "preload -60 N" in text
    assert "after 1 s lies beyond the end of the run at 0.1 s" in text and "output 2 s is longer" in text
    assert "touching at the start" in said("check", path, "--set", "nose.radius=23 mm")


def test_a_file_in_a_folder_that_is_not_there():
    with pytest.raises(gd.GudgeonError, match="there is no folder"):
        gd.Mechanism("m").to_file(Path("nowhere") / "m.yaml")


@pytest.mark.parametrize("name", ["slider-crank", "spatial-four-bar"])
def test_templates_start_where_the_load_presses_their_journals(name, tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text(template(name).replace("NAME", "m"), encoding="utf-8")
    text = said("run", path)
    assert "settled start: pressed onto the wall by the load" in text
    assert "peaks are larger in the first revolution" not in text


HOOKE = """
name: hooke
planar: false
bodies:
  input: {mass: 2 kg, inertia: [1e-3, 2e-3, 2e-3], at: [-0.1, 0, 0]}
  output: {mass: 5 kg, inertia: [0.02, 0.02, 0.02], at: [86.6025404 mm, 50 mm, 0]}
joints:
  main: {kind: revolute, journal: input, bearing: ground, at: [-0.1, 0, 0], axis: [1, 0, 0]}
  cross: {kind: universal, journal: output, bearing: input, at: [0, 0, 0], journal_axis: [-1, 1.7320508, 0],
          bearing_axis: [0, 0, 1]}
  seat: {kind: cylindrical, journal: output, bearing: ground, at: [86.6025404 mm, 50 mm, 0], axis: [1.7320508, 1, 0],
         radius: 10 mm, length: 60 mm}
drives:
  main: {speed: 300 rpm}
run: {revolutions: 1}
"""


def test_a_shaft_that_only_turns_leads_with_its_angular_acceleration(tmp_path):
    path = tmp_path / "hooke.yaml"
    path.write_text(HOOKE, encoding="utf-8")
    text = said("run", path)
    # the largest of w² sin²β sin 2θ cos β / (1 - sin²β sin²θ)² along the shaft's axes, at rounding errors of its centre
    assert "output.alpha" in text.partition("main.torque")[0] and "output.az" not in text


def test_contacts_longer_than_free_impacts_are_not_said_to_be_no_impacts(tmp_path):
    path = tmp_path / "guide.yaml"
    path.write_text(template("loose-guide").replace("NAME", "guide"), encoding="utf-8")
    assert "67 contacts (longer than free impacts)" in said("run", path)


def test_a_shaft_in_oil_has_no_rest_and_its_film_is_named(tmp_path):
    path = tmp_path / "pump.yaml"
    path.write_text("""
name: pump
gravity: [0, -9.81]
bodies:
  rotor: {mass: 200 kg, inertia: 2, at: [0, 0], spin: 1500 rpm}
joints:
  bearing:
    {kind: revolute, journal: rotor, bearing: ground, at: [0, 0], radius: 30 mm, length: 30 mm,
     fit: {lubricated: {radial_clearance: 0.06 mm, film: {law: Ocvirk, viscosity: ISO VG 46 at 60 °C}}}}
""", encoding="utf-8")
    done = CliRunner().invoke(app, ["equilibrium", str(path)])
    assert done.exit_code == 2 and 'the film of "bearing" carries nothing at rest' in done.stderr
