"""Methods as their sources describe them. Importing one would compile it, which takes many seconds the first time."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from gudgeon.methods import METHODS

__all__ = ["METHODS", "Described", "described"]


@dataclass(frozen=True)
class Described:
    """What a method says about itself."""

    name: str
    title: str
    order: str  # "5", or "variable"
    words: str
    reference: str
    works: tuple[str, ...]
    adaptive: bool  # else its step must be given
    rtol: float | None  # relative tolerance unless another is given; None without error control


@cache
def described(name: str) -> Described:
    """The method of this name, from its source."""
    place, title = METHODS[name]
    source = files("gudgeon.methods").joinpath(f"{place.replace('.', '/')}.py").read_text(encoding="utf-8")
    cls = next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == title)
    values = {
        target.id: ast.literal_eval(node.value)
        for node in cls.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    words = (ast.get_docstring(cls) or "").split("\n\n")[0].replace("\n", " ")
    own = [*cls.body, *_contract()]
    rtol = next(ast.literal_eval(node.value) for node in own if isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name) and node.target.id == "rtol" and node.value)  # fmt: skip
    adaptive = values.get("adaptive", True)
    order = str(values.get("order", "variable"))
    return Described(name, values["title"], order, words, values["reference"], values.get("works", ()),
                     adaptive, rtol if adaptive else None)  # fmt: skip


@cache
def _contract() -> list[ast.stmt]:
    """What all methods have."""
    source = files("gudgeon.methods").joinpath("contract.py").read_text(encoding="utf-8")
    return next(
        node.body for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name == "Method"
    )
