"""The other commands, help, mistakes, pipes."""

import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gudgeon as gd
import gudgeon.laws
from gudgeon.cli import app, commands
from gudgeon.cli.commands.show import parts
from gudgeon.cli.sketch import sketch
from gudgeon.cli.templates import descriptions
from gudgeon.methods import methods
from gudgeon.model.joint_kinds import KINDS, SPATIAL_KINDS
from gudgeon.papers.case import all_cases
from gudgeon.report.descriptions import families, parameters

JOINTS = dict.fromkeys([*KINDS, *SPATIAL_KINDS])

COMMANDS = [module.name for module in pkgutil.iter_modules(commands.__path__)]


def gudgeon_(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def process(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "gudgeon", *arguments], capture_output=True, text=True, check=False,
                          **options)  # fmt: skip


# -- help ---------------------------------------------------------------------------------------------------


def test_help_is_quick():
    """Counted, since seconds depend on what else a computer does: half a second of it goes into some 400 modules."""
    code = (
        "import sys\nfrom gudgeon.cli import app\ntry:\n    app(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(len(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Usage" in done.stdout
    assert int(done.stderr) < 450


def test_help_imports_nothing_heavy():
    heavy = "('llvmlite', 'matplotlib', 'xarray', 'rich')"
    code = f"import sys, gudgeon.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command):
    done = gudgeon_(command, "--help")
    assert done.exit_code == 0
    assert re.search(rf"Examples?:\n +gudgeon {command}", done.stdout)


def test_the_program_lists_its_commands():
    text = gudgeon_("--help").stdout
    assert all(f"  {command} " in text for command in COMMANDS)
    assert "..." not in text.partition("Commands:")[2]
    assert gudgeon_("--version").stdout.startswith("gudgeon ")


def test_a_command_is_found_by_its_file(tmp_path, monkeypatch):
    """Nothing else names it; only its docstring is read until it is run."""
    (tmp_path / "greet.py").write_text(
        '"""Greet a joint.\n\nTwice."""\nfrom gudgeon.quantity import GudgeonError\n'
        'def command(name: str):\n    if name == "nobody":\n        raise GudgeonError("whom?")\n    print(name)\n'
    )
    (tmp_path / "broken.py").write_text('"""Break when imported."""\nraise RuntimeError\n')
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    listed = gudgeon_("--help").stdout
    assert "  greet        Greet a joint.\n" in listed and "Break when imported." in listed
    assert "Twice." in gudgeon_("greet", "--help").stdout
    assert gudgeon_("greet", "pin").stdout == "pin\n"
    refused = gudgeon_("greet", "nobody")
    assert refused.exit_code == 2 and refused.stderr == "gudgeon: whom?\n"


def test_shells_complete_commands_and_options():
    def completed(words, index):
        setup = {"_GUDGEON_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(index)}
        return CliRunner().invoke(app, [], env=setup, prog_name="gudgeon").stdout.split()

    assert completed("gudgeon re", 1) == ["regime", "report", "reproduce"]
    assert "--parameters" in completed("gudgeon check --par", 2)
    assert "status" in completed("gudgeon study st", 2)


# -- check --------------------------------------------------------------------------------------------------


def test_check_says_what_would_be_computed():
    text = gudgeon_("check", "schwab2002/hertz", "--parameters").stdout
    for words in ("2 degrees of freedom", "pin: wall, LankaraniNikravesh", "channels", "2 revolutions", "523.6 rad/s"):
        assert words in text
    assert re.search(r"pin.radial_clearance +0.0005", text)


def test_check_names_redundant_rows(tmp_path):
    path = tmp_path / "double.yaml"
    path.write_text(
        "name: double\nbodies:\n  slider: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
        "  one: {kind: translational, journal: slider, bearing: ground, at: [0, 0], axis: [1, 0]}\n"
        "  two: {kind: translational, journal: slider, bearing: ground, at: [1, 0], axis: [1, 0]}\n",
        encoding="utf-8",
    )
    text = gudgeon_("check", path).stdout
    assert "1 degree of freedom" in text
    text = " ".join(text.split())
    assert '2 redundant constraints: reactions of "one" and "two" are not unique' in text
    assert 'statically determinate with "one" sliding and "two" sliding' in text
    assert "needs --until or --revolutions" in text
    assert gudgeon_("run", path).exit_code == 2


# -- new and schema -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", descriptions())
def test_templates_load_check_and_run(template, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = gudgeon_("new", "press", "--template", template)
    assert done.exit_code == 0 and done.stdout == "press.yaml\n"
    text = (tmp_path / "press.yaml").read_text(encoding="utf-8")
    assert "NAME" not in text and text.startswith("# yaml-language-server: $schema=")
    checked = gudgeon_("check", "press.yaml").stdout
    assert checked.startswith("press · ") and "note" not in checked and "redundant" not in checked
    done = gudgeon_("run", "press.yaml", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["contacts"]


def test_new_lists_templates_with_sketches():
    done = gudgeon_("new", "--list")
    assert done.exit_code == 0 and all(name in done.stdout for name in descriptions())
    # a mark for every joint that is not hidden by another one, lines of dots between them
    assert done.stdout.count("▲") >= len(descriptions()) and "⠤" in done.stdout


def test_a_sketch_shows_links_and_joints_where_they_are():
    m = gd.Mechanism("arm")
    arm = m.body("arm", mass=1, inertia=1, at=(0.5, 0.5))
    tip = m.body("tip", mass=1, inertia=1, at=(1, 0))
    m.revolute("pivot", journal=arm, bearing=m.ground, at=(0, 0))
    m.revolute("elbow", journal=tip, bearing=arm, at=(1, 1))
    lines = sketch(m, width=10, height=5)
    assert len(lines) == 5 and max(map(len, lines)) <= 10
    # the pivot is below on the left, the elbow above on the right, and the tip hangs from it
    assert lines[-1][0] == "▲" and lines[0][-1] == "o" and len(lines[-1]) == len(lines[0])


def test_new_does_not_overwrite(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gudgeon_("new", "a.yaml").exit_code == 0
    done = gudgeon_("new", "a")
    assert done.exit_code == 2 and "exists" in done.stderr
    assert gudgeon_("new", "a", "--force", "-t", "pendulum").exit_code == 0
    assert "arm" in (tmp_path / "a.yaml").read_text(encoding="utf-8")
    assert gudgeon_("new", 'b"c').exit_code == 2
    assert "did you mean" in gudgeon_("new", "b", "-t", "pendlum").stderr


def test_schema_is_json():
    assert json.loads(gudgeon_("schema").stdout)["$schema"].startswith("https://json-schema.org")


# -- list, show, cite ---------------------------------------------------------------------------------------


def test_list_has_everything():
    text = gudgeon_("list").stdout
    for names in (all_cases(), methods(), descriptions(), *families().values()):
        assert all(name in text for name in names)
    assert gudgeon_("list", "materials").stdout.count("GPa") == 8
    support = gudgeon_("list", "support").stdout
    assert re.search(r"^beam +\(1\)", support, re.MULTILINE) and "(1) beams need a method" in support
    assert "Clearance" in gudgeon_("list", "fits").stdout and "Lubricated" in gudgeon_("list", "fits").stdout
    films = gudgeon_("list", "films").stdout
    assert all(name in films for name in families()["film"]) and "Hertz" not in films
    assert "adds energy" in gudgeon_("show", "Lubricated").stdout
    assert 'did you mean "laws"' in gudgeon_("list", "law").stderr


def laws():
    return [law for registry in families().values() for law in registry.values() if "gudgeon." in law.__module__]


@pytest.mark.parametrize("law", laws(), ids=lambda law: law.__name__)
def test_show_a_law(law):
    done = gudgeon_("show", law.__name__.lower())
    text = " ".join(done.stdout.split())
    assert done.exit_code == 0
    assert law.reference in text and law.validity in text
    for parameter in parameters(law):
        assert parameter.name in text


@pytest.mark.parametrize(
    "name", ["dopri5", "steel", "cast iron", "Clearance", "20 H7/f7", *parts(), *JOINTS, *all_cases()]
)
def test_show_other_things(name):
    done = gudgeon_("show", name)
    assert done.exit_code == 0 and done.stdout.startswith(name)


def test_show_a_joint_says_what_a_file_says_of_it():
    shown = gudgeon_("show", "universal").stdout
    assert "joint of space" in shown and "journal_axis" in shown and "pitch" not in shown
    assert "joint of plane and space" in gudgeon_("show", "revolute").stdout
    assert "pitch" in gudgeon_("show", "screw").stdout
    assert "must be given" in gudgeon_("show", "stop").stdout and "after" in gudgeon_("show", "run").stdout


def test_numbers_have_units():
    model = str(Path(__file__).resolve().parents[2] / "examples" / "models" / "macpherson-strut.yaml")
    lines = {line.split()[0]: line for line in gudgeon_("check", "-p", model).stdout.splitlines() if line.split()}
    assert lines["rear.stiffness.x"].endswith("800000 N/m") and lines["rear.stiffness.rz"].endswith("60 N m/rad")
    assert lines["rear.damping.x"].endswith("6000 N s/m") and lines["arm.inertia.xx"].endswith("0.05 kg m^2")
    assert lines["ball.radial_clearance"].endswith("0.0002 m")


def test_required_parameters_come_first_with_units():
    first, *rest = parameters(gudgeon.laws.LankaraniNikravesh)
    assert (first.name, first.default) == ("restitution", "")
    assert {p.name: p.unit for p in rest}["stiffness"] == "N/m^exponent"


def test_cite_gives_each_source_once():
    text = gudgeon_("cite", "schwab2002/hertz").stdout
    assert text.count("@") == text.count("\n}")
    keys = re.findall(r"@\w+\{(\w+),", text)
    assert len(keys) == len(set(keys))
    assert {"schwab2002", "lankarani1990", "dormand1980", "gudgeon"} <= set(keys)
    assert re.search(r"author += \{Lankarani, H. M. and Nikravesh, P. E.\}", text)


# -- compare ------------------------------------------------------------------------------------------------


def test_compare_models_and_runs(tmp_path):
    folder = tmp_path / "loose"
    assert gudgeon_("run", "schwab2002/hertz", "-r", 0.5, "--rtol", 1e-12, "--out", folder, "-q").exit_code == 0
    done = gudgeon_("compare", "schwab2002/ideal", folder, "-r", 0.5, "--out", tmp_path / "both")
    assert done.exit_code == 0, done.stderr
    assert re.search(r"slider.ax +19 419 +329 65\d +16.97\d +m/s²", done.stdout)
    assert (tmp_path / "both" / "compare.svg").exists() and (tmp_path / "both" / "compare.csv").exists()
    one = gudgeon_("compare", folder, folder / "run.nc", "-c", "slider.a*").stdout
    assert "1.000" in one and "crank" not in one
    assert "@article{lankarani1990" in gudgeon_("cite", folder).stdout


# -- mistakes -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "schwab2002/herz"], 'did you mean "schwab2002/hertz"'),
        (["run", "nothing.yaml"], "no model file"),
        (["run", "schwab2002/hertz", "--until", "3 mm"], "wrong dimension"),
        (["run", "schwab2002/hertz", "--until", "0 s"], "must be positive"),
        (["run", "schwab2002/hertz", "-r", "-1"], "must be positive"),
        (["run", "schwab2002/hertz", "-r", "1", "--until", "1 s"], "give one of them"),
        (["run", "schwab2002/hertz", "--output", "1 s"], "output"),
        (["run", "schwab2002/hertz", "--method", "dopri"], 'did you mean "dopri5"'),
        (["run", "schwab2002/hertz", "--method", "rk4"], "--step"),
        (["run", "schwab2002/hertz", "--method", "moreau"], "--step"),
        (["run", "schwab2002/hertz", "--rtol", "7"], "rtol"),
        (["run", "schwab2002/hertz", "--set", "pin"], "path=value"),
        (["run", "schwab2002/hertz", "--set", "pin.clearance=1"], 'did you mean "pin.radial_clearance"'),
        (["run", "schwab2002/hertz", "--set", "pin.radial_clearance=1 kg"], "wrong dimension"),
        (["run", "schwab2002/hertz", "--set", "nobody.mass=1"], "unknown part"),
        (["run", "schwab2002/hertz", "--set", "gravity=down"], "gravity"),
        (["run", "schwab2002/sphere", "-r", "1"], "--until"),
        (["run", "schwab2002/hertz", "--out", "/dev/null/x"], "/dev/null"),
        (["check", "."], "folder"),
        (["show", "Hert"], 'did you mean "Hertz"'),
        (["compare", "schwab2002/hertz"], "two or more"),
        (["compare", "schwab2002/ideal", "nothing.nc"], "no run file"),
        (["compare", "schwab2002/ideal", "schwab2002/hertz", "-r", "0.1", "-c", "slider.axx"], 'mean "slider.ax"'),
        (["cite", "nothing"], "no model file"),
        (["run"], "Missing argument"),
        (["run", "schwab2002/hertz", "--frob"], "No such option"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_a_line(arguments, words):
    done = gudgeon_(*arguments)
    assert done.exit_code == 2
    assert done.stdout == "" and words in done.stderr
    assert "Traceback" not in done.stderr


def test_mistakes_of_a_file_have_their_place(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text("name: bad\nbodies:\n  arm: {mass: 2 kgg, inertia: 1, at: [0, 0]}\nfoo: 1\n", encoding="utf-8")
    for command in ("check", "run", "cite"):
        done = gudgeon_(command, path)
        assert done.exit_code == 2 and done.stdout == ""
        assert f"{path}:3:15" in done.stderr and f"{path}:4:1" in done.stderr
    run = tmp_path / "run.nc"
    run.write_text("nothing", encoding="utf-8")
    assert "is no run file" in gudgeon_("cite", run).stderr
    assert "holds results" in gudgeon_("run", run).stderr


# -- as a process -------------------------------------------------------------------------------------------


def test_pipes_are_clean():
    line = f'{sys.executable} -m gudgeon run schwab2002/hertz --json | head -c 20; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout.endswith("0\n")


def test_process_exit_codes_and_json_alone():
    assert process("run", "nothing").returncode == 2
    done = process("run", "schwab2002/sphere", "--json")
    assert done.returncode == 0 and done.stderr == "" and json.loads(done.stdout)["case"] == "schwab2002/sphere"


def test_ascii_terminal_gets_question_marks():
    done = process("run", "schwab2002/sphere", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 0 and "m/s?" in done.stdout


def test_compiled_code_is_shown_and_thrown_away(tmp_path):
    env = {**os.environ, "GUDGEON_CACHE": str(tmp_path)}
    assert process("run", "schwab2002/sphere", env=env).returncode == 0
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    shown = process("cache", env=env)
    assert files and f"{tmp_path / 'gudgeon'}: {len(files)} files" in shown.stdout
    assert "thrown away" in process("cache", "--clear", env=env).stdout
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
