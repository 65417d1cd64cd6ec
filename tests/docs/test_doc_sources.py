"""What the documentation is made from: docstrings as reStructuredText, pages of the registries, kept tables."""

import json
import re
import sys
from pathlib import Path

import pytest

import gudgeon as gd

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


def test_the_trial_of_contact_loss_is_kept_and_shown(tmp_path):
    """Every rule judged all designs; what the page of theory says of them holds in the kept numbers."""
    import contact_losses

    def table(header, rows):
        return "\n".join(map(" | ".join, [header, *rows])) + "\n"

    found = json.loads(contact_losses.KEPT.read_text(encoding="utf-8"))
    main = found["main"]
    told = contact_losses.page(tmp_path, table)
    assert f"{main['designs']:,} four-bars" in told and "<svg" in (tmp_path / "contact_loss.svg").read_text("utf-8")
    assert all(contact_losses.errors(rule)[1] == main["designs"] for rule in (*main["rules"], *main["first turn"]))
    assert sum(zone["count"] for zone in main["zones"]) == main["designs"]
    assert sum(contact_losses.errors(joint)[1] for joint in main["joints"]) == main["designs"]
    equal = [number for ratio, _, number in found["borders"] if ratio == 1.0]
    assert equal == pytest.approx([30.901] * len(equal), rel=1e-3)
    assert len(contact_losses.borders(table).splitlines()) > len({ratio for ratio, _, _ in found["borders"]})


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


README = (ROOT / "README.md").read_text(encoding="utf-8")


def table_below(heading):
    """Rows of the first table below a heading (or any text) of the README, without its head."""
    lines = README.partition(heading)[2].splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("|"))
    rows = [line.strip("| ").split(" | ") for line in lines[first:]]
    return rows[2 : next((k for k, row in enumerate(rows) if row == [""]), None)]


def test_the_first_page_is_short():
    before = README.partition("## Beside other programs")[0]
    assert before != README and len(before.split()) <= 900


def test_speeds_of_the_first_page_are_those_of_the_logs():
    tables = {t["title"]: t for t in json.loads((ROOT / "benchmarks/logs/bench.json").read_text("utf-8"))["tables"]}
    cpu = {(race, row[0]): f"{row[tables[race]['header'].index('CPU ms')]} ms" for race in ("P1", "P2", "P3")
           for row in tables[race]["rows"]}  # fmt: skip
    log = (ROOT / "benchmarks" / "logs" / "h200.txt").read_text(encoding="utf-8").partition("\nbefore")[0].splitlines()
    card = [row for row in map(json.loads, (x for x in log if x.startswith('{"case"'))) if row["count"] == 1_000_000]
    assert not any(row["bad"] for row in card) and card[0]["per second"] > 1e5
    p1, usual, p2, p3, h200 = table_below("## How fast")
    floor, exudyn = cpu["P1", "hand-derived, C"], cpu["P1", "Exudyn 1.13.6"]
    assert p1[1:] == [cpu["P1", "gudgeon, DOP853"], floor, exudyn]
    assert usual[1:] == [cpu["P1", "gudgeon, DOPRI5"], floor, exudyn]
    assert p2[1:] == [cpu["P2", f"{who}"] for who in ("gudgeon, DOPRI5", "hand-derived, C", "Exudyn 1.13.6")]
    assert p3[1:] == [cpu["P3", "gudgeon, generalized-alpha"], "-", cpu["P3", "Exudyn 1.13.6"]]
    assert h200[1] == f"{card[0]['seconds']:.1f} s"


def test_what_the_first_page_says_of_play_is_what_its_commands_compute():
    """0.1 mm of play in the template, second revolution: before the trust horizon, so independent of rounding."""
    from gudgeon.cli.templates import text
    from gudgeon.model.files import loads

    m = loads(text("slider-crank").replace("NAME", "press")).mechanism.vary("pin.radial_clearance", "0.1 mm")
    real = gd.simulate(m, revolutions=2, progress=False)
    ideal = gd.simulate(m.refit(pin=gd.Ideal()), revolutions=2, progress=False)
    for (_, one, other, ratio), name in zip(
        table_below("what does that do?"), ("slider.ax", "main.torque", "pin.force"), strict=True
    ):
        was, now = (abs(run.after(run.t[-1] / 2).peak(name).value) for run in (ideal, real))
        printed = [float(re.match(r"[\d ]+(?=\s)", x)[0].replace(" ", "")) for x in (one, other)]
        assert printed == pytest.approx([was, now], rel=5e-3) and float(ratio) == pytest.approx(now / was, abs=6e-3)


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
