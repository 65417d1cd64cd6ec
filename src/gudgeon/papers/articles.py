"""The articles whose cases are in this room: one entry each; claims and figures are found by its key."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass, replace
from functools import cached_property

import gudgeon.papers
from gudgeon.papers.claim import Claim
from gudgeon.papers.figures.entry import PaperFigure
from gudgeon.quantity import GudgeonError, closest

__all__ = ["ARTICLES", "Article", "select"]


@dataclass(frozen=True)
class Article:
    """Number, key of its modules and in the bibliography, authors and year, the methods that its cases march by."""

    number: str
    key: str
    words: str
    methods: tuple[str, ...] = ("dopri5",)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What it says, from `<key>_claims` and every `<key>_<case>_claims`."""
        found: list[Claim] = []
        for name in sorted(module.name for module in pkgutil.iter_modules(gudgeon.papers.__path__)):
            if name.startswith(f"{self.key}_") and name.endswith("_claims"):
                case = name.removeprefix(f"{self.key}_").removesuffix("claims").strip("_")
                claims = importlib.import_module(f"gudgeon.papers.{name}").CLAIMS
                found += [claim if claim.case else replace(claim, case=case) for claim in claims]
        return tuple(found)

    @cached_property
    def figures(self) -> tuple[PaperFigure, ...]:
        """The figures that its text describes, from `figures/<key>`."""
        found: tuple[PaperFigure, ...] = importlib.import_module(f"gudgeon.papers.figures.{self.key}").FIGURES
        return found

    @property
    def about(self) -> list[str]:
        """Paragraphs of its module: what the article is, where it stands, what was ambiguous."""
        module = importlib.import_module(f"gudgeon.papers.{self.key}")
        return (inspect.getdoc(module) or "").split("\n\n")

    def case(self, claim: Claim) -> str:
        """Full name of the case of a claim."""
        return f"{self.key}/{claim.case}"


ARTICLES = (
    Article("000", "ambrosio2018", "Ambrosio, Pombo 2018"),
    Article("001", "flores2006", "Flores, Ambrosio, Claro, Lankarani 2006"),
    Article("002", "schwab2002", "Schwab, Meijaard, Meijers 2002", ("dopri5", "impact")),
    Article("003", "bauchau2002", "Bauchau, Rodriguez 2002", ("alpha",)),
    Article("004", "flores2007", "Flores, Ambrosio, Claro, Lankarani 2007"),
)


def select(names: list[str]) -> list[tuple[Article, Claim]]:
    """The claims of articles (002, schwab2002), cases (schwab2002/hertz, or hertz where only one has it) or `all`."""
    everything = [(article, claim) for article in ARTICLES for claim in article.claims]
    wanted: set[int] = set()
    for name in names:
        found = [k for k, (article, claim) in enumerate(everything) if _means(name, article, claim)]
        if not found:
            known = ["all", *(a.key for a in ARTICLES), *dict.fromkeys(a.case(c) for a, c in everything)]
            likely = closest(name, known)
            hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(known)}"
            raise GudgeonError(f'"{name}" is no article or case with claims; {hint}')
        owners = dict.fromkeys(everything[k][0].case(everything[k][1]) for k in found)
        if all(everything[k][1].case == name for k in found) and len(owners) > 1:
            raise GudgeonError(f'"{name}" is a case of several articles: {", ".join(owners)}')
        wanted.update(found)
    return [everything[k] for k in sorted(wanted)]


def _means(name: str, article: Article, claim: Claim) -> bool:
    return name in ("all", article.number, article.key, article.case(claim), claim.case)
