"""Print BibTeX entries for a model, run or analysis.

These are laws, methods, gudgeon itself and, for a built-in case, the article. The field annote states what a work was
used for. A reference that is not in the bibliography of gudgeon becomes an entry @misc with the text as note.

\b
Examples:
  gudgeon cite schwab2002/hertz > references.bib
  gudgeon cite out/press/run.nc
  gudgeon cite regime
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated

import typer

import gudgeon
from gudgeon.analysis.motions.regimes import Regime
from gudgeon.analysis.statistics.mean import Mean
from gudgeon.analysis.statistics.percentiles import Percentile
from gudgeon.analysis.statistics.proportion import Proportion
from gudgeon.analysis.statistics.sobol_indices import SobolIndices
from gudgeon.bibliography import WORKS, entry, latex, uncited
from gudgeon.cli.saved import read
from gudgeon.cli.source import find, is_run
from gudgeon.desk.costs import Costs
from gudgeon.desk.optimise import Optimum
from gudgeon.desk.surface import ResponseSurface
from gudgeon.methods import methods
from gudgeon.model import Beam
from gudgeon.papers.case import find_case
from gudgeon.report.descriptions import families, used
from gudgeon.report.source import method_name

__all__ = ["Use", "command", "entries"]

_NAMED = re.compile(r"^(?:[a-z ]+: )?(?P<who>[^\d;]*?) ?(?P<year>(?:1[789]|20)\d\d)\b")


@dataclass(frozen=True)
class Use:
    """What a model uses: a law, a method or a case, or what an analysis uses, with its reference text and its keys in
    the bibliography."""

    name: str
    reference: str
    works: tuple[str, ...]


def command(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|RUN|ANALYSIS",
            help="A model file, a built-in case, a run.nc, or one of bifurcate, optimise, regime, routes, study, "
            "tolerance.",
        ),
    ],
) -> None:
    if model in ANALYSES:
        uses, run = of_analysis(model), False
    else:
        run = is_run(model)
        uses = of_run(model) if run else of_model(model)
    # a run file does not say which version made it
    software = WORKS["gudgeon"] if run else replace(WORKS["gudgeon"], version=gudgeon.__version__)
    print("\n\n".join([*entries(uses), software.bibtex()]))


ANALYSES = ("bifurcate", "optimise", "regime", "routes", "study", "tolerance")  # commands


def of_analysis(name: str) -> list[Use]:
    """What a command that analyses motions uses."""
    if name == "routes":
        return [Use("standard errors", Mean.reference, Mean.works)]
    if name == "optimise":
        return [Use("the search", Optimum.reference, Optimum.works)]
    chance = [Use("influences", SobolIndices.reference, SobolIndices.works),
              Use("percentiles", Percentile.reference, Percentile.works)]  # fmt: skip
    if name == "tolerance":
        return [*chance, Use("shares", Proportion.reference, Proportion.works),
                Use("proposals", ResponseSurface.reference, ResponseSurface.works),
                Use("costs", Costs.reference, Costs.works)]  # fmt: skip
    uses = [Use("regimes", Regime.reference, Regime.works)]
    if name == "study":
        uses += chance
    return uses


def of_model(model: str) -> list[Use]:
    """What a model file or a built-in case uses."""
    source, case = find(model), find_case(model)
    uses = [Use(f"case {model}", "", (case.work,))] if case is not None else []
    uses += [Use(type(law).__name__, law.reference, law.works) for law in used(source.mechanism)]
    uses += [Use("beams", Beam.reference, Beam.works)] if source.mechanism.beams else []
    method = methods().get(method_name(source.mechanism, source.settings))
    if method is not None:
        uses.append(Use(method.title, method.reference, method.works))
    return uses


def of_run(name: str) -> list[Use]:
    """What a run on disk says that it used; works of laws and methods that still have the same reference."""
    known = [(law.__name__, law.reference, law.works) for registry in families().values() for law in registry.values()]
    known += [(method.title, method.reference, method.works) for method in methods().values()]
    known.append(("beams", Beam.reference, Beam.works))
    works = {(title, reference): keys for title, reference, keys in known}
    uses = []
    for line in read(name).references:
        title, _, reference = line.partition(": ")
        uses.append(Use(title, reference, works.get((title, reference), ())))
    return uses


def entries(uses: list[Use]) -> list[str]:
    """One entry for each work, in the order of use."""
    users: dict[str, list[str]] = {}  # key, or the text of what has none
    for use in uses:
        keys = tuple(key for key in use.works if key in WORKS)
        for source in [*keys, *(text for text in sources(use.reference) if uncited(text, keys))]:
            names = users.setdefault(source, [])
            if use.name not in names:
                names.append(use.name)
    taken, made = {key for key in users if key in WORKS}, []
    for source, names in users.items():
        annote = f"used by gudgeon for: {', '.join(names)}"
        made.append(WORKS[source].bibtex(annote) if source in WORKS else misc(source, names[0], annote, taken))
    return made


def sources(reference: str) -> list[str]:
    """Pieces of a reference text, without remarks: no capital first, no year, and something else beside it."""
    pieces = [piece.strip() for piece in reference.split(";") if piece.strip()]
    return [piece for piece in pieces if piece[0].isupper() or _NAMED.match(piece)] or pieces


def misc(text: str, user: str, annote: str, taken: set[str]) -> str:
    """An entry that says nothing that its text does not say; its key joins those taken."""
    match = _NAMED.match(text)
    who, year = (match["who"], match["year"]) if match else ("", "")
    if who.endswith(","):  # the words before the year are not names alone: there is a title among them
        who = ""
    stem = re.sub(r"\W", "", re.split(r"[ ,]", who)[0] if who else user).lower() + year
    key = next(key for key in (stem, *(f"{stem}{letter}" for letter in letters())) if key not in taken)
    taken.add(key)
    return entry("misc", key, {"author": authors(who), "year": year, "note": latex(text), "annote": latex(annote)})


def letters() -> list[str]:
    """b, c … z, then two letters."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return [*alphabet[1:], *(first + second for first in alphabet for second in alphabet)]


def authors(who: str) -> str:
    """ "Lankarani, Nikravesh" as BibTeX wants it: names joined by "and"."""
    others = who.endswith(" et al.")
    names = [name.strip() for name in re.split(r",| and ", who.removesuffix(" et al.")) if name.strip()]
    return latex(" and ".join([*names, "others"] if others else names))
