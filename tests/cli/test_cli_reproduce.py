"""gudgeon reproduce: the table for people and programs, what is kept, and going on after a kill."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from gudgeon.cli import app
from gudgeon.papers import markdown, stored
from gudgeon.papers.article import Article, articles, select
from gudgeon.papers.claim import VERDICTS, Claim, Finding
from gudgeon.papers.figure import PaperFigure
from gudgeon.papers.reproduce import NO_RESULT, ClaimResult, draw, reproduce
from gudgeon.report.paper_page import write_pages

KEYS = ["paper", "case", "claim", "section", "published", "ours", "tolerance", "verdict", "note"]
DOCUMENTED = Path(__file__).resolve().parents[2] / "docs" / "papers"


def gudgeon(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    stored.keep_in(None)


def test_json_has_the_fields_of_the_table(tmp_path):
    done = gudgeon("reproduce", "schwab2002/sphere", "--json", "--store", tmp_path, "-p", 0, "-q")
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) == len(select(["schwab2002/sphere"])) == 4
    for row in rows:
        assert list(row) == KEYS and all(isinstance(value, str) for value in row.values())
        assert row["verdict"] in VERDICTS and row["paper"] == "002" and row["case"] == "schwab2002/sphere"
    assert rows[0]["ours"].startswith("65.78265e9") and rows[3]["ours"].startswith("25.095 %")


def test_table_for_people(tmp_path):
    done = gudgeon("reproduce", "sphere", "--short", "--store", tmp_path, "-p", 0, "-q")
    assert done.exit_code == 0, done.stderr
    assert "002 §3.1 · schwab2002/sphere  differs" in done.stdout
    assert "published  < 25 % (tolerance: none)" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 100
    assert done.stdout.splitlines()[-1].startswith("4 claims: 3 reproduced, 1 differs")


def test_unknown_names_are_refused():
    done = gudgeon("reproduce", "schwab2020")
    assert done.exit_code == 2 and 'did you mean "schwab2002"?' in done.stderr
    done = gudgeon("reproduce", "002", "-p", -1)
    assert done.exit_code == 2 and "--processes -1" in done.stderr


def test_a_claim_that_cannot_be_computed_is_told(tmp_path, monkeypatch):
    def breaks(full: bool) -> Finding:
        raise ZeroDivisionError("by design")

    claims = (Claim("002 §1", "breaks", "1", breaks, "none", case="sphere"), *select(["sphere"])[0][0].claims[:1])
    article = Article("gudgeon.papers.schwab2002", "for the test", "002")
    monkeypatch.setitem(article.__dict__, "claims", claims)
    monkeypatch.setattr("gudgeon.papers.reproduce.articles", lambda: [article])
    broken, fine = reproduce([(article, claim) for claim in claims], processes=0, folder=tmp_path, progress=False)
    assert (broken.ours, broken.verdict) == (NO_RESULT, "cannot be decided")
    assert broken.note == "the computation failed: ZeroDivisionError: by design"
    assert fine.verdict == "reproduced"


def test_results_are_kept_and_damaged_ones_computed_again(tmp_path):
    calls = []

    def compute() -> int:
        calls.append(1)
        return 7

    def ask(key: str, *files: Path) -> int:
        return stored.kept("number", key, files, compute)

    source = tmp_path / "source.py"
    source.write_text("one")
    assert ask("a") == 7 and ask("a") == 7 and len(calls) == 2  # nowhere to keep them
    stored.keep_in(tmp_path / "kept")
    assert ask("a", source) == 7 and ask("a", source) == 7 and len(calls) == 3
    other = tmp_path / "other.py"
    other.write_text("two")
    assert ask("a", other) == 7 and ask("b", other) == 7 and len(calls) == 5
    for path in (tmp_path / "kept").glob("*.pickle"):
        path.write_bytes(path.read_bytes()[:3])
    assert ask("a", source) == 7 and len(calls) == 6
    stored.tidy(tmp_path / "kept", fresh=True)
    assert ask("a", source) == 7 and len(calls) == 7


def test_a_killed_run_goes_on(tmp_path):
    """Killed with its workers while claims come in; what was kept is not computed again, and nothing is missing."""
    command = [sys.executable, "-m", "gudgeon", "reproduce", "flores2006", "--short", "-p", "1", "--store", tmp_path]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 300.0
    while len(list(tmp_path.glob("claim-*.pickle"))) < 2 and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    os.killpg(running.pid, signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL, "it ended before it could be killed"
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.pickle")}
    claims = select(["flores2006"])
    assert 2 <= len([path for path in before if path.name.startswith("claim-")]) < len(claims)
    done = gudgeon("reproduce", "flores2006", "--short", "--json", "--store", tmp_path, "-p", 0, "-q")
    assert done.exit_code == 0, done.stderr
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert [row["claim"] for row in json.loads(done.stdout)] == [claim.statement for _, claim in claims]
    assert len(list(tmp_path.glob("claim-*.pickle"))) == len(claims)


def test_workers_give_what_one_process_gives(tmp_path):
    claims = select(["sphere"])
    alone = reproduce(claims, full=False, processes=0, folder=None, progress=False)
    assert reproduce(claims, full=False, processes=2, folder=tmp_path, progress=False) == alone
    assert isinstance(pickle.loads(next(iter(tmp_path.glob("claim-*.pickle"))).read_bytes()), Finding)


# -- from stored results ----------------------------------------------------------------------------------------------


def test_documented_claims_are_those_of_the_code():
    """docs/papers has what `gudgeon reproduce all -o docs/papers` wrote: the same claims, in words and in order."""
    fields = [name for name in KEYS if name not in ("ours", "verdict", "note")]
    rows = markdown.read(DOCUMENTED / "claims.json")
    documented = [[getattr(row, name) for name in fields] for row in rows]
    code = [ClaimResult.of(article, claim, Finding("", "")) for article in articles() for claim in article.claims]
    assert documented == [[getattr(row, name) for name in fields] for row in code]
    assert all(row.ours != NO_RESULT and row.verdict in VERDICTS for row in rows)


def test_documented_pages_are_those_of_the_claims(tmp_path):
    for path in markdown.write_pages(markdown.read(DOCUMENTED / "claims.json"), tmp_path):
        assert path.read_text() == (DOCUMENTED / path.name).read_text(), f"{path.name} is not what claims.json makes"


def test_markdown_from_stored_claims_computes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("gudgeon.cli.commands.reproduce.compute", None)
    target = tmp_path / "claims.md"
    done = gudgeon("reproduce", "002", "--from", DOCUMENTED / "claims.json", "--markdown", target)
    assert done.exit_code == 0, done.stderr
    lines = target.read_text().splitlines()
    rows = [line for line in lines if line.startswith("| §")]
    assert len(rows) == len(select(["002"])) and all(line.count(" | ") == 7 for line in rows)
    assert any(line.startswith("## Schwab") for line in lines)
    done = gudgeon("reproduce", "--from", target)
    assert done.exit_code == 2 and "is no file of claims" in done.stderr


# -- figures and pages ------------------------------------------------------------------------------------------------


def test_tables_of_figures_are_complete():
    """The figures that the articles' texts describe, each once; whatever is drawn belongs to a case with claims."""
    wanted = {
        "ambrosio2018": range(8, 19), "flores2006": range(8, 19), "schwab2002": [2, 3, *range(5, 15)],
        "bauchau2002": [*range(7, 17), *range(18, 23), *range(24, 29)], "flores2007": [3, 4, 6, 7, 8, *range(10, 14)],
    }  # fmt: skip
    assert {a.key: [int(entry.number) for entry in a.figures] for a in articles() if a.figures} == {
        k: list(v) for k, v in wanted.items()
    }
    for article in articles():
        known = {claim.case for claim in article.claims}
        for entry in article.figures:
            assert entry.shows and entry.ours and entry.cases
            assert entry.draw is None or known & set(entry.cases), f"{article.key}, figure {entry.number}"


def test_figures_and_pages_of_one_case(tmp_path):
    """Only the figures of that case; a page that needs nothing else; the claims in three forms."""
    out = tmp_path / "out"
    done = gudgeon("reproduce", "schwab2002/sphere", "-o", out, "--store", tmp_path / "kept", "-p", 0, "-q")
    assert done.exit_code == 0, done.stderr
    assert {path.name for path in (out / "figures").iterdir()} == {"schwab2002-fig02.png", "schwab2002-fig02.svg"}
    assert {path.name for path in out.iterdir()} == {
        "claims.json", "figures", "index.html", "index.md", "schwab2002.html", "schwab2002.md",
    }  # fmt: skip
    with Image.open(out / "figures" / "schwab2002-fig02.png") as picture:
        shades = np.asarray(picture.convert("L"))
    assert min(shades.shape) > 300 and (shades < 200).mean() > 0.005  # something is drawn
    page = (out / "schwab2002.html").read_text()
    assert page.count("data:image/svg+xml") == 1 and "Fig 2. The article shows depth, force" in page
    assert page.count('class="verdict') == 4 and "http" not in page.split("</head>")[1]
    index = (out / "index.html").read_text()
    assert '<a href="schwab2002.html">' in index and index.count('class="verdict') == 4
    assert [row.claim for row in markdown.read(out / "claims.json")] == [c.statement for _, c in select(["sphere"])]


def test_what_is_not_available_says_so(tmp_path):
    entries = {a.key: a.figures for a in articles() if a.key == "bauchau2002"}
    found = [row for row in markdown.read(DOCUMENTED / "claims.json") if row.paper == "003"]
    write_pages(entries, found, tmp_path, {("bauchau2002", "7"): "ValueError: by design"})
    page = (tmp_path / "bauchau2002.html").read_text()
    missing = [entry for entry in entries["bauchau2002"] if entry.draw is None]
    assert page.count("Not available in this version: ") == len(missing)
    assert "ValueError: by design" in page and page.count('class="missing"') == len(entries["bauchau2002"])


def test_a_figure_that_cannot_be_drawn_is_told(tmp_path, monkeypatch):
    def breaks() -> None:
        raise ZeroDivisionError("by design")

    article = Article("gudgeon.papers.schwab2002", "for the test", "002")
    monkeypatch.setitem(article.__dict__, "figures", (PaperFigure("2", "a", "b", ("sphere",), breaks),))
    monkeypatch.setattr("gudgeon.papers.reproduce.articles", lambda: [article])
    failed = draw({"schwab2002": article.figures}, tmp_path, processes=0, progress=False)
    assert failed == {("schwab2002", "2"): "ZeroDivisionError: by design"}
