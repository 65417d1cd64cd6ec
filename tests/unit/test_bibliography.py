"""The bibliography is whole, and `gudgeon cite` prints what was used, once."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from typer.testing import CliRunner

from gudgeon.analysis.motions.regimes import Regime
from gudgeon.analysis.statistics.mean import Mean
from gudgeon.analysis.statistics.percentiles import Percentile
from gudgeon.analysis.statistics.proportion import Proportion
from gudgeon.analysis.statistics.sobol_indices import SobolIndices
from gudgeon.bibliography import WORKS, Work, latex, uncited
from gudgeon.cli import app
from gudgeon.cli.commands.cite import Use, entries
from gudgeon.desk.costs import Costs
from gudgeon.desk.optimise import Optimum
from gudgeon.desk.surface import ResponseSurface
from gudgeon.methods import methods
from gudgeon.model import Beam
from gudgeon.papers.case import all_cases
from gudgeon.report.descriptions import families

KINDS = {"article": "journal", "book": "publisher", "incollection": "booktitle", "software": "title",
         "techreport": "institution"}  # fmt: skip
LAWS = [law for known in families().values() for law in known.values() if law.__module__.startswith("gudgeon.")]
USES = [Use(law.__name__, law.reference, law.works) for law in LAWS]
USES += [Use(said.title, said.reference, said.works) for said in methods().values()]
USES += [Use(sort.__name__, sort.reference, sort.works) for sort in (
    Beam, Costs, Mean, Optimum, Percentile, Proportion, Regime, ResponseSurface, SobolIndices)]


def cited(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["cite", *arguments])
    assert done.exit_code == 0, done.stderr
    return done.stdout


def keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{(\w+),$", text, re.M)


def balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("work", WORKS.values(), ids=lambda work: work.key)
def test_every_work_is_a_proper_entry(work):
    text = work.bibtex("used for: a_b")
    assert getattr(work, KINDS[work.kind])
    assert work.key == "gudgeon" or re.fullmatch(rf"[a-z]+{work.year}", work.key)
    assert text.startswith(f"@{work.kind}{{{work.key},\n") and text.endswith("\n}")
    assert balanced(text) and text.isascii() and r"a\_b" in text
    assert "other_year" not in text and "= {}" not in text
    assert not re.search(r"\d-\d", work.pages)  # a range has two


def test_works_are_there_once():
    with pytest.raises(ValueError, match="hertz1882"):
        Work("hertz1882", "article", "Hertz, H.", "Again")
    assert all(key == work.key for key, work in WORKS.items())
    titles = [work.title.lower() for work in WORKS.values()]
    assert len(titles) == len(set(titles))
    used = {key for use in USES for key in use.works} | {case.work for case in all_cases().values()} | {"gudgeon"}
    assert used == set(WORKS)


@pytest.mark.parametrize("use", USES, ids=lambda use: use.name)
def test_laws_and_methods_name_works_or_a_reference(use):
    assert use.works or use.reference not in ("", "not given")
    assert set(use.works) <= set(WORKS) and len(use.works) == len(set(use.works))
    text = "\n\n".join(entries([use]))
    assert balanced(text) and keys(text)
    # every year of the reference text is in some entry
    years = set(re.findall(r"\b(?:1[789]|20)\d\d\b", use.reference))
    assert years - {WORKS[key].other_year for key in use.works} <= set(re.findall(r"\d{4}", text))


def test_what_methods_say_is_read_from_their_sources():
    assert {name: method.works for name, method in methods().items()} == {
        "dopri5": ("dormand1980", "hairer1993"), "dop853": ("prince1981", "hairer1993"),
        "radau": ("hairer1996",), "rk4": (),
        "impact": ("schwab2002", "hairer1993"), "moreau": ("moreau1988", "jean1999"),
        "alpha": ("chung1993", "arnold2007", "bruls2012"), "decay": ("bauchau1996", "bauchau2002"),
        "energy": ("simo1991", "simo1992", "simo1995", "gonzalez1996", "bauchau2002"),
    }  # fmt: skip


@pytest.mark.parametrize("case", all_cases())
def test_a_case_cites_its_article_and_gudgeon(case):
    text = cited(case)
    found = keys(text)
    assert len(found) == len(set(found)) == text.count("@") and balanced(text)
    assert found[0] == case.split("/")[0] and found[-1] == "gudgeon"


def test_cite_schwab():
    text = cited("schwab2002/hertz")
    assert keys(text) == ["schwab2002", "lankarani1990", "flores2006", "dormand1980", "hairer1993", "gudgeon"]
    assert "@article{lankarani1990," in text and "@book{hairer1993," in text and "@misc" not in text
    assert re.search(r"annote += \{used by gudgeon for: LankaraniNikravesh\}", text)
    assert re.search(r"version += \{\d+\.\d+", text)


@pytest.mark.parametrize(
    ("name", "works"),
    [
        *((name, Regime.works) for name in ("regime", "bifurcate")),
        ("study", (*Regime.works, *SobolIndices.works, *Percentile.works)),
        ("routes", Mean.works),
    ],
)
def test_an_analysis_cites_what_it_rests_on(name, works):
    assert keys(cited(name)) == [*works, "gudgeon"]


def test_works_of_several_are_printed_once_with_all_users():
    text = "\n\n".join(entries(USES))
    found = keys(text)
    assert len(found) == len(set(found)) == text.count("@")
    assert "used by gudgeon for: DOPRI5, DOP853, Impact" in text


def test_what_the_bibliography_lacks_becomes_misc():
    uses = [
        Use("Mine", "Lankarani, Smith 1990, thesis; chi = 3", ()),
        Use("Known", "Lankarani, Nikravesh 1990; Doe et al. 2001, 50% of {it}", ("lankarani1990", "nobody1900")),
        Use("Notes", "my own notes", ()),
        Use("Book", "after Doe, A Title, 1999", ()),
    ]
    text = "\n\n".join(entries(uses))
    assert keys(text) == ["lankarani1990b", "lankarani1990", "doe2001", "notes", "book1999"]
    assert "{Lankarani and Smith}" in text and "{Doe and others}" in text and r"50\% of it" in text
    assert "chi" not in text and balanced(text)


def test_uncited_goes_by_name_and_year():
    assert not uncited("Hertz 1881", ("hertz1882",))
    assert not uncited("Hairer, Norsett, Wanner, Solving ODEs I", ("hairer1993",))
    assert uncited("Pereira, Ramalho, Ambrosio 2015", ("ambrosio2018",))
    assert uncited("Coulomb 1785, as in Marques et al. 2016", ("marques2016",))
    assert uncited("Hertz 1881", ())
    assert latex(r"a_{b} & \c") == r"a\_b \& c"


def test_a_users_law_needs_no_works():
    from gudgeon.laws import FrictionLaw

    before = dict(FrictionLaw.registry)
    try:

        @dataclass(frozen=True)
        class Sticky(FrictionLaw):
            reference = "Doe 2020"

        assert Sticky().works == ()
    finally:
        FrictionLaw.registry.clear()
        FrictionLaw.registry.update(before)
