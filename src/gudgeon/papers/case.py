"""`Case`: a function of an article that gives a mechanism, with the length and the method of its run.

A case registers by being decorated with `case`; its name is `<key of the article>/<name of the function>`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["Case", "all_cases", "article_keys", "case", "find_case"]

Maker = TypeVar("Maker", bound=Callable[..., "Mechanism"])

_registry: dict[str, Case] = {}


@dataclass(frozen=True)
class Case:
    """A built-in case, and how it is run unless the user says otherwise."""

    name: str
    words: str
    function: Callable[..., Mechanism]
    duration: float | None = None  # [s]
    revolutions: float | None = None
    method: str = "dopri5"
    rtol: float | None = None  # default of the method
    step: float | None = None  # [s], of methods without error control
    output: float | None = None  # [s], where every step would be too many rows
    results: Callable[[Run], dict[str, str]] | None = None  # what the article prints of a run: labels and texts

    def mechanism(self) -> Mechanism:
        return self.function()

    @property
    def work(self) -> str:
        """Key of its article in the bibliography."""
        return self.name.split("/")[0]

    @property
    def length(self) -> str:
        """How long it runs."""
        if self.revolutions:
            return f"{self.revolutions:g} rev"
        time = self.duration or 0.0
        return f"{time:g} s" if time >= 1.0 else f"{time * 1e3:g} ms"

    @property
    def section(self) -> str:
        """First paragraph of the function's docstring: where the article describes it."""
        return " ".join((inspect.getdoc(self.function) or "").split("\n\n")[0].split())

    @property
    def article(self) -> str:
        """Authors, title and place of the article, from the docstring of its folder."""
        title, place, *_ = (inspect.getdoc(_import(self.work)) or "").split("\n\n")
        return f"{title} {' '.join(place.split())}"


def case(words: str, **run: Any) -> Callable[[Maker], Maker]:
    """Register a function of an article as a built-in case; `run` holds fields of `Case`."""

    def register(function: Maker) -> Maker:
        name = f"{function.__module__.split('.')[-2]}/{function.__name__}"
        _registry[name] = Case(name, words, function, **run)
        return function

    return register


def article_keys() -> list[str]:
    """Keys of the articles: the folders beside this file."""
    room = importlib.import_module("gudgeon.papers")
    return [module.name for module in pkgutil.iter_modules(room.__path__) if module.ispkg]


def find_case(name: str) -> Case | None:
    """The case of this name, if there is one; only its own article is imported."""
    key, slash, _ = name.partition("/")
    if not slash or key not in article_keys():
        return None
    _import(key)
    return _registry.get(name)


def all_cases() -> dict[str, Case]:
    """Every case by its name."""
    for key in article_keys():
        _import(key)
    return dict(_registry)


def _import(key: str) -> Any:
    return importlib.import_module(f"gudgeon.papers.{key}")
