"""report.html of `gudgeon run --out`: all on one page, nothing from elsewhere, nothing that acts."""

import csv
import json
import re
from html import escape, unescape
from html.parser import HTMLParser

import pytest
from locked_model import LOCKED
from typer.testing import CliRunner

import gudgeon as gd
from gudgeon.cli import app
from gudgeon.model.files import dump
from gudgeon.papers.case import all_cases
from gudgeon.report.run_page import SHOWN

HOSTILE = "</script><b>x"
LOCKED_HOSTILE = LOCKED.replace("name: locked", "name: locked & <i>stuck</i>")
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Tags and attributes of a page; complains where they do not close in order."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

# cases that stand for all: of the flexible crank-sliders only two
FLEXIBLE = ("bauchau2002/A2", "bauchau2002/A4")
ONE_OF_EACH = [name for name in all_cases() if not name.startswith("bauchau2002") or name in FLEXIBLE]


def gudgeon(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def report(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def hertz(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hertz")
    done = gudgeon("run", "schwab2002/hertz", "-r", 6, "--out", folder, "--set", "pin.restitution=0.8")
    assert done.exit_code == 0
    return folder, done.stdout


def test_the_page_needs_nothing_else(hertz):
    folder, printed = hertz
    assert "report.html" in printed.split("written")[1]
    page = Page(report(folder))
    asking = [value for _, name, value in page.attributes if name in ("src", "href", "srcset", "data", "action")]
    assert asking
    assert all(value.startswith("data:image/svg+xml;base64,") for value in asking)
    assert not {"script", "link", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert "@import" not in report(folder) and "url(" not in report(folder)
    assert page.tags.count("img") == len(list(folder.glob("*.svg"))) == 5


def test_the_page_says_what_matters(hertz):
    folder, _ = hertz
    text = unescape(report(folder))
    assert "<title>slider-crank of Schwab 2002</title>" in text
    for words in ("schwab2002/hertz", "pin.restitution=0.8", "6 revolutions", "DOPRI5", "16.15 x", "ideal joints"):
        assert words in text
    assert "exceeds the elastic limit speed" in text and "unexplained" in text
    assert gd.LankaraniNikravesh.reference in text and all_cases()["schwab2002/hertz"].article in text
    model = (folder / "model.yaml").read_text(encoding="utf-8")
    assert f"<pre>{escape(model)}</pre></details>" in report(folder)
    assert "<details>" in text and "<details open" not in text


def test_the_first_contacts_are_shown_and_the_rest_counted(hertz):
    folder, _ = hertz
    with (folder / "contacts.csv").open(encoding="utf-8") as file:
        total = len(list(csv.DictReader(file)))
    text = report(folder)
    assert total > SHOWN
    assert f"{total} contacts (" in text
    assert f"and {total - SHOWN} more; gudgeon run --out writes all {total} into contacts.csv" in text
    numbers = re.findall(r'<tr><td class="right">(\d+)</td><td>pin</td>', text)
    assert numbers == [str(k) for k in range(1, SHOWN + 1)]


def test_what_the_user_wrote_is_only_text(tmp_path):
    path = tmp_path / "a<b>&'x'.yaml"
    model = dump(all_cases()["schwab2002/hertz"].mechanism())
    model = re.sub("^name:.*$", f"name: {json.dumps(HOSTILE)}  # <img src=x>", model, flags=re.MULTILINE)
    path.write_text(model, encoding="utf-8")
    done = gudgeon("run", path, "--until", "0.3 ms", "--out", tmp_path / "out", "--quiet")
    assert done.exit_code == 0, done.stderr
    text = report(tmp_path / "out")
    assert HOSTILE not in text and f"<h1>{escape(HOSTILE)}</h1>" in text
    assert "<img src=x>" not in text and "# &lt;img src=x&gt;" in text
    page = Page(text)
    assert "b" not in page.tags and "script" not in page.tags


def test_a_run_that_stopped_says_why(tmp_path):
    path = tmp_path / "locked.yaml"
    path.write_text(LOCKED_HOSTILE, encoding="utf-8")
    assert gudgeon("run", path, "--out", tmp_path / "out").exit_code == 1
    text = report(tmp_path / "out")
    assert "<title>locked &amp; &lt;i&gt;stuck&lt;/i&gt; · INCOMPLETE</title>" in text
    assert re.search(r'<p class="stopped">[^<]*stopped at', text)
    Page(text)


def test_every_case_has_a_summary_that_fits_and_a_page(tmp_path, monkeypatch):
    """The summary fits 80 columns, whatever a case is made of."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ONE_OF_EACH:
        case = all_cases()[name]
        length = ("-r", 0.4 * case.revolutions) if case.revolutions else ("--until", f"{0.4 * case.duration} s")
        done = gudgeon("run", name, *length, "--out", tmp_path / name)
        complaints = [line for line in done.stderr.splitlines() if "compiling the time loop" not in line]
        assert done.exit_code == 0 and not complaints, done.stderr
        assert "evidence" in done.stdout and "\033" not in done.stdout
        lines = done.stdout.partition("  written")[0].splitlines()
        assert max(map(len, lines)) <= 80, done.stdout
        Page(report(tmp_path / name))
