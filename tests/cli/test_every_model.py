"""Every shipped model and every template goes through every command; what cannot apply says so in a sentence."""

from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.cli.templates import descriptions, text
from gudgeon.model.files import load
from gudgeon.model.run_settings import period_of

SHIPPED = Path(__file__).resolve().parents[2] / "examples" / "models"
MODELS = [*sorted(path.stem for path in SHIPPED.glob("*.yaml")), *(f"template {name}" for name in descriptions())]
SHARE = 0.02  # of the time that a model asks for
COMMANDS = ["check", "run", "view", "report", "compare", "regime", "routes", "modes", "equilibrium", "study",
            "tolerance"]  # fmt: skip

# part of the sentence by which a command says that it does not apply
NO_PERIOD, NO_PLAY, NO_REST = "no rotation of", "has ideal joints only", "finds no rest"
# an oil film carries nothing at rest; a drawer is pulled all the time; a four-bar is let go
NEVER_AT_REST = ["engine-film", "journal-bearing", "loose-guide", "flores2006-four_bar"]
# the model that failed on the first day through everything, and one command each of those that failed later
QUICK = [*(("cam-follower", command) for command in COMMANDS), ("four-bar", "view"), ("flexible-rod", "regime")]


def written(name, folder):
    """The file of a model, and a shorter length for it: options, and fields of a study."""
    path = folder / "model.yaml"
    content = text(name.removeprefix("template ")).replace("NAME", "model") if name.startswith("template ") else None
    path.write_text(content or (SHIPPED / f"{name}.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    settings = load(path).run
    if settings.revolutions is not None:
        turns = SHARE * settings.revolutions
        return path, ["--revolutions", turns], {"revolutions": turns}
    span = SHARE * settings.duration
    return path, ["--until", f"{span} s"], {"duration": span}


def arguments(command, path, length, span):
    """What a user would type, short."""
    folder = path.parent
    if command == "check":
        return ["check", path, "--parameters"]
    if command == "run":
        return ["run", path, *length, "--out", folder / "run"]
    if command == "view":
        return ["view", path, *length, "--no-open", "-o", folder / "view.html"]
    if command == "report":
        return ["report", path, *length, "--no-trust", "-o", folder / "report.html"]
    if command == "compare":
        return ["compare", path, path, *length, "--out", folder / "compare"]
    if command == "regime":
        return ["regime", path, "--transient", 0, "--turns", 40, "--rtol", 1e-6]
    if command == "routes":
        return ["routes", path, "--rtol", 1e-6, *length, "--windows", 0, "--transient", 1, "-q"]
    if command == "study":
        return ["study", "run", study(path, span), "--store", folder / "study", "-q"]
    if command == "tolerance":
        return ["tolerance", path, "--of", list(load(path).mechanism.bodies)[-1]]
    return [command, path]


def study(path, span):
    """Two runs over the mass of the first body."""
    m = load(path).mechanism
    name, body = next(iter(m.bodies.items()))
    values = [body.mass, 1.1 * body.mass]
    written = path.with_name("study_of_it.yaml")
    written.write_text(yaml.safe_dump({"model": str(path), "vary": {f"{name}.mass": values}, "run": span,
                                       "measure": ["peak energy.kinetic"]}), encoding="utf-8")  # fmt: skip
    return written


def sentence_for(name, command, mechanism):
    """Part of the sentence by which a command has to refuse a model; None where it has to do it."""
    if command == "regime" and period_of(mechanism) is None:
        return NO_PERIOD
    if command == "regime" and name == "journal-bearing":
        return "its step became too small"  # without a wall its film breaks down after more than the two seconds shown
    joints = mechanism.joints.values()
    if command == "tolerance" and period_of(mechanism) is None:
        return "so that its cycle is not known"
    if command == "tolerance" and not any(fit.loose for joint in joints for fit in joint.fit.values()):
        return "has play; give one a clearance"
    if command == "routes" and all(joint.ideal and not joint.stops for joint in joints):
        return NO_PLAY
    return NO_REST if command in ("modes", "equilibrium") and name in NEVER_AT_REST else None


def try_command(name, command, folder):
    path, length, span = written(name, folder)
    done = CliRunner().invoke(app, [str(x) for x in arguments(command, path, length, span)])
    said = " ".join(done.stderr.split())
    assert done.exception is None or isinstance(done.exception, SystemExit), (command, done.exception)
    reason = sentence_for(name, command, load(path).mechanism)
    if reason is None:
        assert done.exit_code == 0, (command, said)
    else:
        assert done.exit_code == 2 and said.startswith("gudgeon: ") and reason in said, (command, said)


@pytest.mark.parametrize(("name", "command"), QUICK)
def test_what_failed_on_the_first_day(name, command, tmp_path):
    try_command(name, command, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_every_command_takes_every_model(name, tmp_path):
    for command in COMMANDS:
        (tmp_path / command).mkdir()
        try_command(name, command, tmp_path / command)
