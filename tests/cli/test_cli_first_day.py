"""What a newcomer does wrong on the first day, and what is said about it."""

import math

import pytest
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.cli.templates import text as template


def gudgeon_(*arguments):
    return CliRunner().invoke(app, [str(x) for x in arguments])


@pytest.fixture
def model(tmp_path):
    """Writes the slider-crank template with some of its text changed."""

    def write(*changes):
        text = template("slider-crank")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "press.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(("old", "new", "says"), [
    ("{kind: revolute, journal: crank, bearing: ground", "{kind: hinge, journal: crank, bearing: ground",
     'did you mean "revolute"?'),
    ("kind: translational", "kind: slider", 'did you mean "translational"?'),
    ("radial_clearance: 0.5 mm", "radial_clearance: 0,5 mm", 'write "0.5 mm"'),
    ("radial_clearance: 0.5 mm", "diametral_clearance: 0.5 mm", "half of what bore and journal differ in diameter"),
    ("radial_clearance: 0.5 mm", "clearance: 0.5 mm", "half of what bore and journal differ in diameter"),
])  # fmt: skip
def test_usual_mistakes_have_the_right_hint(model, old, new, says):
    done = gudgeon_("check", model((old, new)))
    assert done.exit_code == 2 and says in done.stderr


def test_joint_kinds_of_other_programs_are_understood_in_python():
    m = gd.Mechanism("m")
    body = m.body("a", mass=1, inertia=1, at=(0, 0))
    with pytest.raises(gd.GudgeonError, match='joint kind "hinge" is not known; did you mean "revolute"'):
        m.joint("hinge", "j", journal=body, bearing=m.ground, at=(0, 0))


def test_check_doubts_millimetres_without_a_unit_and_turns_without_a_drive(model):
    text = gudgeon_("check", model(("[0.170, 0]", "[170, 0]"), ("[0.17, 0]", "[170, 0]"))).stdout
    assert 'is 170 m large; a number without a unit is in m, so write "170 mm" for mm' in " ".join(text.split())
    still = gudgeon_("check", model(("main: {speed: 5000 rpm}", "")))
    assert still.exit_code == 0 and "2 revolutions have no length" in " ".join(still.stdout.split())
    usual = gudgeon_("check", model()).stdout
    assert "note" not in usual and "523.599 rad/s (5000 rpm)" in usual


def test_check_takes_mechanisms_with_beams(tmp_path):
    m = gd.Mechanism("strip")
    strip = m.beam("strip", a=(0, 0), b=(0.3, 0), section=gd.Section.rectangle("20 mm", "2 mm", gd.STEEL))
    m.rigid("clamp", journal=strip, bearing=m.ground, at=(0, 0))
    m.to_file(tmp_path / "strip.yaml")
    done = gudgeon_("check", tmp_path / "strip.yaml")
    assert done.exit_code == 0 and "degrees of freedom" in done.stdout and "strip.*" in done.stdout, done.stderr
    assert repr(m) == 'Mechanism("strip": 0 bodies, 1 beam, 1 joint)'


def test_lists_of_joints_and_measures():
    joints, measures = gudgeon_("list", "joints").stdout, gudgeon_("list", "measures").stdout
    assert "revolute" in joints and "mount" in joints and "A ball in a socket" in joints
    assert "mean peak CHANNEL" in measures and "touching JOINT" in measures and "turns" in measures


@pytest.mark.parametrize(("run", "says"), [
    ("{revolutions: 2}", "give turns and transient, in periods, instead of revolutions"),
    ("{transient: 5, turns: 20}", "a regime needs 40 or more periods"),
])  # fmt: skip
def test_a_study_that_no_run_could_answer_is_refused_at_once(tmp_path, run, says):
    study = f"model: flores2007/slider_crank\nvary: {{pin.radial_clearance: [0.1 mm]}}\nmeasure: [regime]\nrun: {run}\n"
    (tmp_path / "s.yaml").write_text(study)
    done = gudgeon_("study", "run", tmp_path / "s.yaml", "--store", tmp_path / "out")
    assert done.exit_code == 2 and says in " ".join(done.stderr.split())
    assert 'measure "regime"' in done.stderr and not (tmp_path / "out").exists()


def test_peaks_of_the_start_are_told_apart(model, tmp_path):
    # a slow crank with play: its journal falls once, then rests on its wall
    slow = model(("gravity: [0, 0]", "gravity: [0, -9.81]"), ("5000 rpm", "60 rpm"), ("  start: settled", "  # start:"))
    done = gudgeon_("run", slow, "--out", tmp_path / "out", "--rtol", "1e-8")
    text = " ".join(done.stdout.split())
    words = "peaks are larger in the first revolution, in which the joints settle: "
    assert done.exit_code == 0 and f"start {words}" in text
    run = gd.Run.from_netcdf(tmp_path / "out")
    assert abs(run.peak("pin.force").value) > 2 * abs(run.after(run.period).peak("pin.force").value)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Peaks are larger in the first revolution, in which the joints settle" in page


def test_a_run_file_knows_where_it_came_from(tmp_path):
    import xarray

    assert gudgeon_("run", "schwab2002/hertz", "-r", "0.1", "--out", tmp_path, "-q").exit_code == 0
    with xarray.open_dataset(tmp_path / "run.nc") as dataset:
        assert dataset.attrs["source"] == "schwab2002/hertz"
    run = gd.Run.from_netcdf(tmp_path)
    assert type(run.contacts[0].joint) is str
    frame, hits = run.to_pandas(), run.contacts.to_pandas()
    assert frame.index.name == "time" and frame["slider.ax"].iloc[-1] == run["slider.ax"][-1]
    assert list(hits["joint"]) == ["pin"] * len(run.contacts) and math.isclose(hits["t_on"][0], run.contacts[0].t_on)


def test_a_step_that_is_far_too_long_is_the_first_suspect():
    from gudgeon.papers import flores2007

    with pytest.raises(gd.RunStopped, match=r"try: a shorter step than 0.05 s, or a method that chooses its own"):
        gd.simulate(flores2007.slider_crank("0.5 mm"), duration="1 s", method="rk4", step="50 ms")


def test_beams_are_cited(tmp_path):
    text = gudgeon_("cite", "bauchau2002/A1").stdout
    assert "@article{reissner1972," in text and "@article{simo1985," in text


def test_a_law_of_ones_own_is_told_how_it_must_be_written():
    with pytest.raises(gd.GudgeonError, match=r"@staticmethod force\(depth, rate, rate0, p\)"):

        class WithSelf(gd.ContactLaw):
            def force(self, depth, rate, rate0):
                return depth

    with pytest.raises(gd.GudgeonError, match=r"@staticmethod force\(slip, normal, state, p\)"):

        class TooFew(gd.FrictionLaw):
            @staticmethod
            def force(slip, normal):
                return -normal

    assert not {"WithSelf", "TooFew"} & {*gd.ContactLaw.registry, *gd.FrictionLaw.registry}


def test_modes_of_what_has_no_rest_can_be_asked_where_it_is(tmp_path):
    m = gd.Mechanism("fan", gravity=(0, -9.81))
    m.revolute("main", journal=m.body("rotor", mass=1, inertia=1e-2, at=(0, 0)), bearing=m.ground, at=(0, 0))
    m.torque("rotor", 1.0)
    m.to_file(tmp_path / "fan.yaml")
    done = gudgeon_("modes", tmp_path / "fan.yaml")
    assert done.exit_code == 2 and "finds no rest" in done.stderr and "--start" in done.stderr
    assert gudgeon_("modes", tmp_path / "fan.yaml", "--start").exit_code == 0


STOPPED = """
name: hammer
gravity: [0, -9.81]
bodies:
  hammer: {mass: 4 kg, inertia: 300 kg cm^2, at: [250 mm, 0]}
joints:
  pivot: {kind: KIND, journal: hammer, bearing: ground, at: [0, 0], axis: [0, 1],
          stop: {lower: LOWER, wall: {law: KelvinVoigt, stiffness: 50 kNm/rad, damping: 20 Nms/rad}}}
run: {duration: 0.1 s}
"""


def test_the_stop_of_a_rotation_has_its_units(tmp_path):
    path = tmp_path / "hammer.yaml"
    turns = STOPPED.replace("KIND", "revolute").replace("LOWER", "-1 deg").replace(" axis: [0, 1],", "")
    path.write_text(turns, encoding="utf-8")
    m = gd.Mechanism.from_file(path)
    assert m.joints["pivot"].stops["rotation"].wall == gd.KelvinVoigt(5e4, 20.0)
    m.to_file(tmp_path / "again.yaml")
    assert gd.Mechanism.from_file(tmp_path / "again.yaml").joints["pivot"].stops == m.joints["pivot"].stops
    # along a guide the same units are a mistake
    path.write_text(STOPPED.replace("KIND", "prismatic").replace("LOWER", "-1 mm"), encoding="utf-8")
    done = gudgeon_("check", path)
    assert done.exit_code == 2 and "stiffness has the unit of a rotation" in " ".join(done.stderr.split())


@pytest.mark.parametrize(("arguments", "says"), [
    (["regime", "schwab2002/sphere"], "give --period TIME of its drive or load"),
    (["regime", "schwab2002/hertz", "--turns", "20"], "--turns 20: a regime needs 40 or more"),
])  # fmt: skip
def test_messages_name_options_of_the_command_line(arguments, says):
    done = gudgeon_(*arguments)
    assert done.exit_code == 2 and says in " ".join(done.stderr.split())


def test_what_is_shorter_than_the_start_that_the_file_leaves_out_is_shown_whole(model):
    path = model(("  revolutions: 2", "  revolutions: 2\n  after: 12 ms"))
    done = gudgeon_("run", path, "-r", "0.1", "--json")
    assert done.exit_code == 0 and "the start is kept" in done.stderr


def test_each_mate_may_have_its_fit_is_said_where_no_radii_meet():
    m = gd.Mechanism("shaft", planar=False)
    shaft = m.body("shaft", mass=1, inertia=(1e-3, 1e-3, 1e-3), at=(0, 0, 0))
    fit = gd.Clearance("0.05 mm", wall=gd.LankaraniNikravesh(gd.STEEL, restitution=0.8))
    with pytest.raises(gd.GudgeonError, match=r'or a dict of fits with "shoulder": Ideal\(\), and one for "sleeve"'):
        m.revolute("b", journal=shaft, bearing=m.ground, at=(0, 0, 0), axis=(1, 0, 0), radius="20 mm", length="40 mm",
                   fit=fit)  # fmt: skip


def test_bodies_that_touch_from_outside_have_two_places(tmp_path):
    path = tmp_path / "hammer.yaml"
    text = template("cam").replace("NAME", "hammer")
    one = text.replace("journal_point: [0, 0] ", "at: [0, 34 mm] ").replace("    bearing_point: [0, -8 mm]\n", "")
    path.write_text(one, encoding="utf-8")
    done = gudgeon_("check", path)
    assert done.exit_code == 2 and "two places, the middles of both bodies" in " ".join(done.stderr.split())
    path.write_text(text.replace("bearing_point: [0, -8 mm]", "bearing_point: [0, -4 mm]"), encoding="utf-8")
    assert "overlap by 4 mm as described" in " ".join(gudgeon_("check", path).stdout.split())
