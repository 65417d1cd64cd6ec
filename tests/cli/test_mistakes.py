"""Two hundred mistakes and more, and what is said to each, in mistakes.yaml: read by eye, and held as they are.

An answer names the place (file, line and column; or the part and field; or the option), the value, and a remedy. A
mistake is a text of a file with something replaced (`change`), an expression of Python (`python`), or a command line
(`command`). After a change of words: python tests/cli/test_mistakes.py, then read what git shows.
"""

import os
import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.cli.templates import text as template
from gudgeon.model.files import loads
from gudgeon.model.plausible import doubts
from gudgeon.papers.case import find_case
from gudgeon.study.files import loads as loads_study

FILE = Path(__file__).with_name("mistakes.yaml")
TABLE = yaml.safe_load(FILE.read_text(encoding="utf-8"))
TEXTS = {"crank": template("slider-crank").replace("NAME", "press"), **TABLE["texts"]}
MISTAKES = TABLE["mistakes"]
# a sentence that says what to do begins with one of these
REMEDY = re.compile(
    r"did you mean|\b(write|choose|give|remove|put|take|takes|use|wrap|drop|leave|check|describe|add|multiply|move|"
    r"begin|save|usual|must (be|lie|have|not|end)|needs|loosen|swap|keep|close|join|indent|the nearest is|"
    r"Try|a point before)\b|`gudgeon |this is a (study|model)|machines|metals|pins have|oils have|planar: false|"
    r"known: |possible: |parts that it allows|is on line|one of them"
)


def text_of(mistake):
    text = TEXTS[mistake["text"]]
    for old, new in zip(mistake["change"][::2], mistake["change"][1::2], strict=True):
        assert old in text, f"{old!r} is not in the text"
        text = text.replace(old, new)
    return text


def answer(mistake):
    """What gudgeon says: of an error its whole text, of a value that is hardly meant the note."""
    try:
        if "command" in mistake:
            done = CliRunner().invoke(app, mistake["command"])
            return done.stderr.strip() if done.exit_code == 2 else f"exit code {done.exit_code}: {done.stdout[:200]}"
        if "python" in mistake:
            crank = loads(TEXTS["crank"]).mechanism
            made = eval(mistake["python"], {"gd": gd, "m": crank, "space": gd.Mechanism("space", planar=False)})
            return f"accepted: {made!r}"
        if mistake["text"] == "study":
            loads_study(text_of(mistake), "sweep.yaml", cases=lambda name: found(name))
            return "accepted"
        mechanism = loads(text_of(mistake), "press.yaml").mechanism
        return "\n".join(f"note: {note}" for note in doubts(mechanism)) or assembled(mechanism)
    except (gd.GudgeonError, TypeError) as error:
        return str(error)


def found(name):
    case = find_case(name)
    return case.mechanism() if case else None


def assembled(mechanism):
    from gudgeon.assemble import assemble

    assemble(mechanism)
    return "accepted"


def name(mistake):
    words = mistake.get("python") or " ".join(mistake.get("command", ())) or " ".join(mistake["change"][1::2])
    return f"{mistake.get('text', '')} {words}"[:60]


@pytest.fixture(scope="module", autouse=True)
def _empty_folder(tmp_path_factory):
    """Commands find one model and one study, and nothing else."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("mistakes")
    prepare(folder)
    os.chdir(folder)
    yield
    os.chdir(before)


def prepare(folder):
    os.environ["COLUMNS"] = "100"
    (folder / "press.yaml").write_text(TEXTS["crank"], encoding="utf-8")
    (folder / "sweep.yaml").write_text(TEXTS["study"], encoding="utf-8")


def test_there_are_two_hundred():
    assert len(MISTAKES) >= 200
    asked = {str({key: value for key, value in m.items() if key != "answer"}) for m in MISTAKES}
    assert len(asked) == len(MISTAKES), "each once"


@pytest.fixture
def own_laws(monkeypatch):
    """Only laws of the package are known, whatever other tests have defined."""
    for family in (gd.ContactLaw, gd.FrictionLaw, gd.FilmLaw, gd.LinerLaw):
        own = {key: law for key, law in family.registry.items() if law.__module__.startswith("gudgeon.")}
        monkeypatch.setattr(family, "registry", own)


@pytest.mark.parametrize("mistake", MISTAKES, ids=name)
def test_the_answer_is_the_one_that_was_read(mistake, own_laws):
    said = answer(mistake)
    assert said == mistake["answer"].rstrip("\n")
    assert not said.startswith(("accepted", "exit code")) and "Traceback" not in said
    place = mistake.get("place") or r"(press|sweep)\.yaml:\d+:\d+: "
    assert re.search(place, said), "the answer names the place"
    assert REMEDY.search(said), "the answer says what to do"


if __name__ == "__main__":
    import tempfile

    class Block(str):
        """A text over several lines."""

    yaml.SafeDumper.add_representer(Block, lambda d, x: d.represent_scalar("tag:yaml.org,2002:str", x, style="|"))
    prepare(Path(folder := tempfile.mkdtemp()))
    os.chdir(folder)
    head, _, _ = FILE.read_text(encoding="utf-8").partition("mistakes:\n")
    lines = [head, "mistakes:\n"]
    for one in MISTAKES:
        try:
            said = answer(one)
        except Exception as error:
            said = f"Traceback: {error!r}"
        shown = {**one, "answer": Block(said + "\n")}
        lines.append(yaml.safe_dump([shown], sort_keys=False, allow_unicode=True, width=1000))
    FILE.write_text("".join(lines), encoding="utf-8")
