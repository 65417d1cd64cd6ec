"""What a stranger tried on the second day, from the README alone, and what was said or should have been."""

import pytest
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.cli.templates import text as template

STUDY = "model: press.yaml\nvary:\n  pin.radial_clearance: [0.1 mm, 0.2 mm]\nmeasure: [peak pin.force]\n"


def gudgeon_(*arguments):
    return CliRunner().invoke(app, [str(x) for x in arguments])


def flat(text):
    return " ".join(text.split())


@pytest.fixture
def press(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "press.yaml"

    def write(*changes):
        text = template("slider-crank")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_word_of_the_model_file_is_an_option_too(press):
    """run: {duration: ...} and simulate(duration=...), so also --duration."""
    done = gudgeon_("run", press(), "--duration", "1 ms", "--json")
    assert done.exit_code == 0, done.stderr
    assert '"t_end": 0.001' in done.stdout
    assert gudgeon_("compare", press(), press(), "--duration", "1 ms").exit_code == 0


@pytest.mark.parametrize("name", ["press.pdf", "press", "press.doc"])
def test_a_report_is_a_page_and_nothing_else(press, name):
    done = gudgeon_("report", press(), "-o", name, "--until", "1 ms", "--no-trust", "--no-viewer")
    assert done.exit_code == 2 and f'"{name}": the name must end in ".html"' in flat(done.stderr)
    assert not (press().parent / name).exists()


def test_the_next_command_can_be_copied_as_it_is(press):
    press()
    assert "gudgeon check 'my press.yaml'" in gudgeon_("new", "my press").stderr


def test_check_knows_the_channels_that_a_file_asks_for(press):
    path = press(("revolutions: 2", "revolutions: 2\n  channels: [pin.forc]"))
    done = gudgeon_("check", path)
    assert 'channel "pin.forc" is not known; did you mean "pin.force"?' in flat(done.stdout + done.stderr)
    assert done.exit_code == 2


def test_a_study_is_no_model_and_a_model_no_study(press, tmp_path):
    (tmp_path / "sweep.yaml").write_text(STUDY, encoding="utf-8")
    for command in ("run", "check"):
        done = gudgeon_(command, "sweep.yaml")
        assert done.exit_code == 2
        assert "this is a study: gudgeon study run FILE --store DIR" in flat(done.stderr)
        assert "unknown key" not in done.stderr
    done = gudgeon_("study", "run", press(), "--store", "out")
    assert done.exit_code == 2
    assert "this is a model; a study names it in model:" in flat(done.stderr)
    assert "unknown key" not in done.stderr


def test_words_of_show_are_folded_to_the_page(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("motor", "beam", "Clearance", "revolute", "stop", "Hertz", "run", "dopri5", "steel"):
        lines = gudgeon_("show", name).stdout.splitlines()
        assert max(map(len, lines)) <= 80, name


def test_show_lists_only_what_a_joint_takes():
    text = flat(gudgeon_("show", "revolute").stdout)
    assert "width" not in text and "journal_radius" not in text
    assert "ideal where left out" in text, "what `fit` means"
    assert "width" in gudgeon_("show", "translational").stdout
    outside = flat(gudgeon_("show", "contact").stdout)
    assert "journal_radius" in outside and " at m none" not in outside, "both bodies have a place of their own"
    assert " at m none" in text


def test_show_says_what_joints_and_parts_demand_in_the_plane_and_in_space():
    contact, universal = flat(gudgeon_("show", "contact").stdout), flat(gudgeon_("show", "universal").stdout)
    assert "fit must be given {touching: ...}" in contact and "clearance" not in contact
    assert "journal_axis must be given" in universal and "bearing_axis must be given" in universal
    assert " arm " not in universal and " axis none" not in universal
    body = flat(gudgeon_("show", "body").stdout)
    assert 'In space (planar: false), vectors with three components; it has no "angle"' in body
    assert "orientation" in body
    study = flat(gudgeon_("show", "study").stdout)
    assert "vary must be given" in study and "transient" in study
    assert "section: {rectangle: {...}}" in gudgeon_("show", "section").stdout
    assert "axis must be given" in flat(gudgeon_("show", "revolute").stdout).partition("In space")[2]


def test_completion_finds_what_is_loaded_later():
    import inspect

    import gudgeon as gd

    assert {"simulate", "Study", "plot", "Dopri5", "oil", "analysis"} <= set(dir(gd))
    assert {"at", "axis", "radius", "fit", "stop"} <= set(inspect.signature(gd.Mechanism.revolute).parameters)


def test_an_iso_fit_under_its_clearance_is_the_iso_fit(press):
    path = press(("radial_clearance: 0.5 mm", "iso: 20 H7/f7"))
    assert "0.0205 mm (ISO 20 H7/f7" in flat(gudgeon_("check", path).stdout)


def test_a_rest_with_one_free_motion_is_told_in_good_english(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(
        "name: arm\ngravity: [0, -9.81]\nbodies:\n  arm: {mass: 1, inertia: 0.1, at: [0, -0.5]}\n"
        "  wheel: {mass: 1, inertia: 0.1, at: [0, -1]}\njoints:\n"
        "  top: {kind: revolute, journal: arm, bearing: ground, at: [0, 0]}\n"
        "  hub: {kind: revolute, journal: wheel, bearing: arm, at: [0, -1]}\n", encoding="utf-8")  # fmt: skip
    text = gudgeon_("equilibrium", path).stdout
    assert "1 of 2 motions is free: no force restores it" in text


def test_units_of_moments_are_written_alike(press):
    assert "torque 0 N m" in gudgeon_("equilibrium", press()).stdout


def test_what_was_never_touched_is_said(press):
    stop = "axis: [1, 0], stop: {upper: 1 mm, lower: -200 mm, wall: {law: KelvinVoigt, stiffness: 1e7, damping: 10}}"
    text = flat(gudgeon_("run", press(("axis: [1, 0]", stop)), "--until", "0.3 ms").stdout)
    assert "untouched guide.stop.upper, guide.stop.lower" in text
    assert "untouched" not in gudgeon_("run", press(), "--until", "0.3 ms").stdout


def test_a_section_name_that_looks_like_the_ground_is_listed_once(press):
    done = gudgeon_("check", press(("  crank:", "  ground:")))
    assert 'choose from "ground", "rod" and "slider"' in done.stderr


def test_a_key_without_its_colon_is_looked_for_on_the_line_before(press):
    done = gudgeon_("check", press(('name: "NAME"', 'name "NAME"')))
    assert "or a colon is missing on the line before" in flat(done.stderr)


def test_gravity_is_shown_as_it_is_mostly_meant(press):
    done = gudgeon_("check", press(("gravity: [0, 0]", "gravity: 9.81")))
    assert "write gravity: [0, -9.81]" in done.stderr
