"""What tripped a new user on a fourth day, with the README alone; each line failed before it was mended."""

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.cli.templates import text as template
from gudgeon.results.recorder import share_text

DOOR = """
name: door closer
bodies:
  door: {mass: 30 kg, inertia: 2.5, at: [0, 0.45]}
joints:
  hinge:
    kind: revolute
    journal: door
    bearing: ground
    at: [0, 0]
    stop: {lower: -90 deg, wall: {law: KelvinVoigt, stiffness: 20 kNm/rad, damping: 60 Nms/rad}}
torsion_springs:
  closer: {joint: hinge, stiffness: 12 Nm/rad, free_angle: -135 deg, damping: 35 Nms/rad}
run: {duration: 4 s}
"""
GENEVA = """
name: geneva wheel
bodies:
  crank: {mass: 1 kg, inertia: 1e-3, at: [0, 0]}
  wheel: {mass: 2 kg, inertia: 4e-3, at: [100 mm, 0]}
joints:
  shaft: {kind: revolute, journal: crank, bearing: ground, at: [0, 0]}
  axle:  {kind: revolute, journal: wheel, bearing: ground, at: [100 mm, 0]}
  slot:  {kind: KIND, journal: crank, bearing: wheel, at: [50 mm, -50 mm]}
drives:
  shaft: {speed: 60 rpm}
"""
STEERING = """
name: steering
bodies:
  left:  {mass: 10 kg, inertia: 0.3, at: [-0.7, 0]}
  right: {mass: 10 kg, inertia: 0.3, at: [0.7, 0]}
  rod:   {mass: 2 kg, inertia: 0.2, at: [0, -0.15]}
joints:
  kingpin_l: {kind: revolute, journal: left, bearing: ground, at: [-0.7, 0]}
  kingpin_r: {kind: revolute, journal: right, bearing: ground, at: [0.7, 0]}
  tie_l:
    {kind: revolute, journal: rod, bearing: left, at: [-0.65, -0.15], radius: 8 mm, length: 20 mm,
     fit: {clearance: {radial_clearance: 0.1 mm, wall: {law: JohnsonCylinder, material: steel}}}}
  tie_r: {kind: revolute, journal: rod, bearing: right, at: [0.65, -0.15]}
drives:
  kingpin_l: {motion: "30 deg*sin(2*pi*t)"}
run: {duration: 1 s}
"""
GOVERNOR = """
name: governor
planar: false
gravity: [0, 0, -9.81]
bodies:
  spindle: {mass: 2, inertia: [0.01, 0.01, 0.002], at: [0, 0, 0]}
  arm:     {mass: 1.5, inertia: [1e-3, 1e-3, 1e-3], at: [0.15, 0, -0.2]}
joints:
  bearing: {kind: revolute, journal: spindle, bearing: ground, at: [0, 0, 0], axis: [0, 0, 1]}
  hinge:   {kind: revolute, journal: arm, bearing: spindle, at: [0, 0, 0], axis: [0, 1, 0]}
drives:
  bearing: {speed: 80 rpm}
run: {duration: 0.1 s}
"""


def said(*words, code=0):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == code, done.stderr
    return " ".join((done.stdout if code == 0 else done.stderr).split())


def write(folder, text):
    path = folder / "model.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_stop_of_a_rotation_is_spoken_of_in_angles_and_moments(tmp_path):
    shown = said("run", write(tmp_path, DOOR))
    assert "KelvinVoigt: damping times the largest rate is 17.8 N m at zero depth" in shown
    assert "rad" in shown.partition("onset located to ")[2].split()[1]


@pytest.mark.parametrize("kind, words", [
    ("geneva", 'a pin in a groove is "sliding"'), ("worm", "there are no teeth"), ("rope", "springs push and pull"),
    ("belt", "couple the shafts"), ("ball", 'in the plane a ball is a "revolute"'), ("ratchet", "there are no teeth"),
])  # fmt: skip
def test_what_is_missing_leads_to_what_comes_nearest(kind, words, tmp_path):
    assert words in said("check", write(tmp_path, GENEVA.replace("KIND", kind)), code=2)


def test_a_size_of_the_joint_that_stands_in_a_law_is_said_to_belong_to_the_joint(tmp_path):
    inside = STEERING.replace("length: 20 mm,", "").replace("material: steel", "material: steel, length: 20 mm")
    shown = said("check", write(tmp_path, inside), code=2)
    assert 'unknown key "length" in JohnsonCylinder' in shown
    assert '"length" is a key of the joint' in shown


def test_states_that_stay_constant_do_not_fill_the_page(tmp_path):
    text = GENEVA.replace("KIND", "sliding").replace("at: [50 mm, -50 mm]", "at: [50 mm, -50 mm], axis: [-1, -1]")
    shown = said("run", write(tmp_path, text), "--until", "10 ms")
    line = shown.partition("9 of 12 states are constant and not integrated: ")[2].partition(" references")[0]
    assert line == "crank.x = 0, crank.y = 0, wheel.x = 0.1, wheel.y = 0 and 5 more"


def test_a_bushing_that_pulls_is_no_cause_to_warn(tmp_path):
    """Rubber is bonded: what is wrong with a wall, to pull, is what a bushing is made for."""
    text = template("slider-crank").replace("NAME", "press")
    fit = text[text.index("      clearance:") : text.index("  guide:")]
    liner = "      bushing: {liner: {law: LinearLiner, stiffness: 1e7 N/m, damping: 5e3 N s/m}}\n"
    path = write(tmp_path, text.replace(fit, liner).replace("  start: settled", "  # start: settled"))
    shown = said("run", path)
    assert "liner" in shown
    assert "tensile" not in shown


def test_a_cycle_that_is_not_known_is_asked_for_by_the_option(tmp_path):
    path = write(tmp_path, STEERING)
    assert "--period" in said("tolerance", path, "--of", "right.angle", code=2)
    assert "1.29" in said("tolerance", path, "--of", "right.angle", "--period", "1 s")


def test_channels_are_listed_with_units_and_meaning(tmp_path):
    path = write(tmp_path, DOOR)
    shown = said("check", path, "--channels")
    assert "hinge.stop.lower.normal" in shown
    assert "hinge.travel rad" in shown
    assert "gudgeon check MODEL --channels" in said("list", "channels", code=2)
    assert "--channels lists them" in said("check", path)


def test_an_orientation_at_rest_is_an_angle_and_an_axis(tmp_path):
    shown = said("equilibrium", write(tmp_path, GOVERNOR))
    assert "e0" not in shown
    assert "turned 36.87° about 0, 1, 0" in shown


def test_rounding_errors_are_no_energy(tmp_path):
    """A wheel that begins and ends at rest took nothing: not 1e-12 J."""
    text = GENEVA.replace("KIND", "sliding").replace("at: [50 mm, -50 mm]", "at: [50 mm, -50 mm], axis: [-1, -1]")
    path = write(tmp_path, text)
    assert "energy in [J]: 0 = 0, unexplained" in said("run", path, "--until", "0.25 s")


def test_a_report_names_only_files_that_are_there(tmp_path):
    text = STEERING.replace("steel}", "steel, restitution: 0.9}")
    page = tmp_path / "page.html"
    said("report", write(tmp_path, text), "-o", page)
    assert "contacts.csv has" not in page.read_text(encoding="utf-8")


def test_percent_are_written_without_powers_of_ten():
    assert [share_text(x) for x in (2e-5, 0.02, 0.16, 0.2)] == ["0.002 %", "2 %", "16 %", "20 %"]


def test_a_settled_start_has_no_speed_of_first_touch(tmp_path):
    """The journal of the template lies on its wall from the start: nothing later is measured by that rate."""
    shown = said("run", write(tmp_path, template("slider-crank").replace("NAME", "press")), "-r", "1")
    assert "settled start" in shown
    assert "times that rate" not in shown
