"""Methods as they describe themselves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from inspect import getdoc
from typing import Any

from gudgeon.methods import methods

__all__ = ["METHODS", "Described", "described"]

METHODS = tuple(methods())


@dataclass(frozen=True)
class Described:
    """What a method says about itself."""

    name: str
    title: str
    order: str
    words: str
    reference: str
    works: tuple[str, ...]
    adaptive: bool  # else its step must be given
    rtol: float | None  # relative tolerance unless another is given; None without error control


@cache
def described(name: str) -> Described:
    """The method of this name."""
    method = methods()[name]
    words = (getdoc(method) or "").split("\n\n")[0].replace("\n", " ")
    rtol: Any = next(field.default for field in fields(method) if field.name == "rtol")
    return Described(name, method.title, str(method.order), words, method.reference, method.works, method.adaptive,
                     rtol if method.adaptive else None)  # fmt: skip
