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
    slow = model(("gravity: [0, 0]", "gravity: [0, -9.81]"), ("5000 rpm", "60 rpm"))
    done = gudgeon_("run", slow, "--out", tmp_path / "out", "--rtol", "1e-8")
    text = " ".join(done.stdout.split())
    words = "peaks are larger in the first revolution, because journals start in the middle of their play: "
    assert done.exit_code == 0 and f"start {words}" in text
    run = gd.Run.from_netcdf(tmp_path / "out")
    assert abs(run.peak("pin.force").value) > 2 * abs(run.after(run.period).peak("pin.force").value)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Peaks are larger in the first revolution" in page


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
