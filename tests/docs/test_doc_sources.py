"""What the documentation is made from: docstrings as reStructuredText, pages of the registries, kept tables."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

from plain import converted, escaped  # noqa: E402

DERIVATIONS = ROOT / "docs" / "theory" / "derivations"


def test_docstrings_are_plain_text():
    """Fields become a list, what is set in becomes a block, and no sign is markup by accident."""
    text = (
        "Force of |e| * 2.\n\nradius [m]: of `pin`_\nlength [-]\n\n    F = K *x\n\nmethod  a name;\n        or a class"
    )
    lines = list(converted(text.splitlines()))
    assert lines[0] == r"Force of \|e\| \* 2."
    assert "* ``radius`` [m]: of ``pin``\\_" in lines
    assert "* ``length``" in lines
    assert lines[lines.index("::") + 2] == "    F = K *x"
    assert lines[-3:-1] == ["* ``method``: a name;", "  or a class"]
    assert escaped("a_b and c_ d") == r"a_b and c\_ d"


def test_derivations_belong_to_something():
    """A page for a law, mate or method that is gone would never be shown."""
    import gudgeon.space.planar
    import gudgeon.space.spatial  # noqa: F401
    from gudgeon.methods import methods
    from gudgeon.report.descriptions import families
    from gudgeon.space.mate import Mate, SpatialMate

    known = {
        "laws": {name for registry in families().values() for name in registry},
        "mates": {
            f"{space}-{name}"
            for space, kind in (("plane", Mate), ("space", SpatialMate))
            for name, one in kind.registry.items()
            if one.__module__.startswith("gudgeon.")
        },
        "methods": set(methods()),
    }
    for folder, names in known.items():
        written = {path.stem for path in (DERIVATIONS / folder).glob("*.md")}
        assert written and written <= names, folder
        if folder != "laws":  # laws of tests may be among those known
            assert written == names, folder


@pytest.mark.parametrize("path", sorted(DERIVATIONS.glob("m*/*.md")), ids=lambda p: p.stem)
def test_mates_and_methods_say_where_they_hold(path):
    """Formula, derivation, validity; a mate also its reference, which the registry of the methods knows."""
    text = path.read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    wanted = ["Validity", "Reference"] if path.parent.name == "mates" else ["How it works", "Validity"]
    assert [word for word in headings if word in wanted] == wanted and "$" in text.partition("## Validity")[0]
    assert all(part.strip() for part in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:])


@pytest.mark.parametrize("path", sorted((DERIVATIONS / "laws").glob("*.md")), ids=lambda p: p.stem)
def test_a_derivation_has_formula_and_origin(path):
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Formula", "Where it comes from"]
    assert "$$" in text.partition("## Where")[0]


def test_what_papers_say_is_quoted_from_the_claims():
    """Every table that papers.md includes exists, and its numbers are those of the claims."""
    from claims import QUOTED, quoted

    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    assert set(re.findall(r"generated/quoted-(\w+)\.md", text)) == set(QUOTED)
    found = json.loads((ROOT / "docs" / "papers" / "claims.json").read_text(encoding="utf-8"))
    for key, picks in QUOTED.items():
        table = quoted(ROOT / "docs" / "papers", key)
        assert len(table.splitlines()) == 2 + len(picks)
        assert all(
            any(row["ours"].replace("|", "\\|") in table for row in found if row["paper"] == p) for p, _ in picks
        )


def test_what_error_norms_cost_is_kept_and_shown(tmp_path):
    """The table and the figure of "How to choose"; what its words say of them."""
    import tolerances

    found = tolerances.kept()
    assert set(found) == {"following", "friction", "stick", "bouncing"}
    told = tolerances.page(tmp_path, lambda header, rows: "\n".join(map(" | ".join, [header, *rows])) + "\n")
    assert all(words in told for words in tolerances.WORDS.values())
    assert "<svg" in (tmp_path / "tolerances.svg").read_text(encoding="utf-8")
    for name, one in found.items():
        work = one["work"]
        assert one["touched"] > 0.8 or name == "bouncing"
        assert work["as it is"] == {"force": 1.0, "orbit": 1.0}
        for norm, ratio in work.items():
            assert min(ratio.values()) > 0.8, (name, norm)  # none would do with much less
    now, before = ({p["rtol"]: p for p in found["stick"]["curves"][norm]}[1e-10] for norm in ("as it is", "as it was"))
    assert before["evaluations"] == pytest.approx(now["evaluations"], rel=0.05)
    assert before["force"] > 50.0 * now["force"]


def test_what_the_first_page_says_of_a_card_is_in_its_log():
    lines = (
        (ROOT / "benchmarks" / "logs" / "h200.txt").read_text(encoding="utf-8").partition("\nbefore")[0].splitlines()
    )
    rows = [json.loads(line) for line in lines if line.startswith('{"case"')]
    (p1, four_bar, spatial) = [row for row in rows if row["count"] == 1_000_000]
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split("On an H200")[1].split())
    assert p1["per second"] > 1e5 and not any(row["bad"] for row in (p1, four_bar, spatial))
    assert f"does {1e-3 * p1['per second']:.0f},000 trajectories" in told
    assert f"in {p1['seconds']:.1f} s with transfers" in told
    assert f"friction {1e-3 * four_bar['per second']:.0f},000" in told
    assert f"spatial four-bar {1e-6 * spatial['per second']:.1f} million" in told


# what MathJax would fetch a file for: one script alone lies beside the pages, and a page that wants more draws nothing
FETCHED = r"\\(boldsymbol|color|cancel|bcancel|bbox|enclose|toggle|unicode|verb|ce|style|href|bra|ket|degree|ohm)\b"


@pytest.mark.parametrize("path", sorted(p for p in (ROOT / "docs").rglob("*.md") if "_build" not in p.parts),
                         ids=lambda p: str(p.relative_to(ROOT / "docs")))  # fmt: skip
def test_formulas_are_drawn_off_line(path):
    assert not re.findall(FETCHED, path.read_text(encoding="utf-8"))


def test_errors_of_beams_fall_with_twice_the_order(tmp_path):
    """The figure of Flexible links, and what its words say."""
    import math

    import beams

    for order, ((n, e), (more, less)) in ((order, points[-2:]) for order, points in beams.errors().items()):
        assert math.log(e / less) / math.log((more - 1) / (n - 1)) == pytest.approx(2 * order, abs=0.2)
    x, y = beams.rolled(1.0)[-1]
    assert math.hypot(x, y) < 1e-9


def test_benchmarks_are_kept():
    found = json.loads((ROOT / "benchmarks" / "logs" / "bench.json").read_text(encoding="utf-8"))
    assert [table["title"] for table in found["tables"]] == [
        "P1", "P2", "P3", "Routes through a contact", "Films", "Waiting times", "Large mechanisms", "Studies",
    ]  # fmt: skip
    for table in found["tables"]:
        assert all(len(row) == len(table["header"]) for row in table["rows"])


def test_races_of_the_first_page_are_those_of_the_log():
    tables = {t["title"]: t for t in json.loads((ROOT / "benchmarks/logs/bench.json").read_text("utf-8"))["tables"]}
    told = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split("Races (`make bench`")[1].split())
    cpu = {(race, row[0]): float(row[tables[race]["header"].index("CPU ms")]) for race in ("P1", "P2", "P3")
           for row in tables[race]["rows"]}  # fmt: skip
    floor, exudyn = cpu["P1", "hand-derived, C"], cpu["P1", "Exudyn 1.13.6"]
    best, usual = cpu["P1", "gudgeon, DOP853, own loop"], cpu["P1", "gudgeon, DOPRI5"]
    assert f"takes {best / floor:.2f} times" in told
    assert float(re.search(r"and 1/(\d+) of Exudyn's \(DOP853", told)[1]) == pytest.approx(exudyn / best, rel=0.01)
    assert f"loop {usual / floor:.2f} times and 1/{exudyn / usual:.0f})" in told
    (spatial,) = [note for note in tables["P2"]["notes"] if "against hand-derived" in note]
    (faster,) = [note for note in tables["P2"]["notes"] if note.startswith("Exudyn")]
    each, in_all = re.search(r"([\d.]+) times per evaluation, ([\d.]+) in all", spatial).groups()
    assert float(each) <= 1.0 and f"{each} times as much per evaluation" in told and f"({in_all} times in all)" in told
    assert f"(P2) 1/{float(re.search(r': ([0-9.]+) times', faster)[1]):.0f} of Exudyn's" in told
    assert f"(P3) 1/{cpu['P3', 'Exudyn 1.13.6'] / cpu['P3', 'gudgeon, generalized-alpha']:.1f} of Exudyn's" in told


def test_examples_are_in_the_gallery():
    """A name that the gallery takes for its title, a figure that it shows, and a test that holds its numbers."""
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "examples").glob("test_*.py"))
    examples = sorted((ROOT / "examples").glob("[0-9][0-9]_*.py"))
    assert len(examples) >= 12
    for path in examples:
        text = path.read_text(encoding="utf-8")
        assert "out/examples/" in text, path.name
        assert f'"{path.name[:2]}"' in tests, path.name


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"])
def test_what_the_first_pages_link_to_exists(page):
    """Links within docs/ are held by the build of the documentation, whose warnings are errors."""
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link and not link.startswith("#")]
    assert links or page == "ARCHITECTURE.md"
    assert not [link for link in links if not (ROOT / link.partition("#")[0]).exists()]


def test_every_public_name_is_in_the_reference():
    """By hand, or in one of the tables that are made."""
    import gudgeon as gd
    from gudgeon.report.descriptions import families

    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    assert "generated/laws.md" in text and "generated/materials.md" in text
    made = {name for registry in families().values() for name in registry}
    made |= {name for name in gd.__all__ if isinstance(getattr(gd, name), gd.Material)}
    assert [
        name for name in gd.__all__ if name not in made and not re.search(rf"gudgeon\.{name}\b|gd\.{name}\b", text)
    ] == []
