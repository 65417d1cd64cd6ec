"""`Article`: a published work whose cases are in this room, with its claims and figures."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gudgeon.papers.case import all_cases, article_keys
from gudgeon.papers.claim import Claim
from gudgeon.papers.figure import PaperFigure
from gudgeon.quantity import GudgeonError, closest

__all__ = ["Article", "articles", "select"]


@dataclass(frozen=True)
class Article:
    """The package of its folder, authors and year, and the number that its claims carry ("" where it has none)."""

    package: str
    words: str
    number: str = ""

    @property
    def key(self) -> str:
        """Name of its folder, and its key in the bibliography."""
        return self.package.rpartition(".")[2]

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """What it states, from `claims` and every `<case>_claims` in its folder."""
        claims: list[Claim] = []
        for name in self._modules:
            if name.endswith("claims"):
                default = name.removesuffix("claims").strip("_")
                module = self._import(name)
                claims += [claim if claim.case else replace(claim, case=default) for claim in module.CLAIMS]
        return tuple(claims)

    @cached_property
    def figures(self) -> tuple[PaperFigure, ...]:
        """The figures that its text describes, from `figures` in its folder."""
        entries: tuple[PaperFigure, ...] = self._import("figures").FIGURES if "figures" in self._modules else ()
        return entries

    @property
    def about(self) -> list[str]:
        """Paragraphs of its docstring: what the article is, where it is printed, what was ambiguous."""
        return (inspect.getdoc(importlib.import_module(self.package)) or "").split("\n\n")

    @property
    def methods(self) -> tuple[str, ...]:
        """Integration methods of its cases."""
        return tuple(dict.fromkeys(case.method for case in all_cases().values() if case.work == self.key))

    def case(self, claim: Claim) -> str:
        """Full name of the case of a claim."""
        return f"{self.key}/{claim.case}"

    @cached_property
    def _modules(self) -> list[str]:
        path = importlib.import_module(self.package).__path__
        return sorted(module.name for module in pkgutil.iter_modules(path))

    def _import(self, name: str) -> Any:
        return importlib.import_module(f"{self.package}.{name}")


def articles() -> list[Article]:
    """Every article that has a folder here, in the order of their numbers; those without one come last."""
    entries: list[Article] = [importlib.import_module(f"gudgeon.papers.{key}").ARTICLE for key in article_keys()]
    return sorted(entries, key=lambda article: (not article.number, article.number, article.key))


def select(names: list[str]) -> list[tuple[Article, Claim]]:
    """The claims of articles (002, schwab2002), cases (schwab2002/hertz, or hertz where only one has it) or `all`."""
    everything = [(article, claim) for article in articles() for claim in article.claims]
    selected: set[int] = set()
    for name in names:
        matches = [k for k, (article, claim) in enumerate(everything) if _matches(name, article, claim)]
        if not matches:
            known = ["all", *dict.fromkeys(a.key for a, _ in everything),
                     *dict.fromkeys(a.case(c) for a, c in everything)]  # fmt: skip
            likely = closest(name, known)
            hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(known)}"
            raise GudgeonError(f'"{name}" is no article or case with claims; {hint}')
        owners = dict.fromkeys(everything[k][0].case(everything[k][1]) for k in matches)
        if all(everything[k][1].case == name for k in matches) and len(owners) > 1:
            raise GudgeonError(f'"{name}" is a case of several articles: {", ".join(owners)}')
        selected.update(matches)
    return [everything[k] for k in sorted(selected)]


def _matches(name: str, article: Article, claim: Claim) -> bool:
    return name in ("all", article.number, article.key, article.case(claim), claim.case)
