"""The source of a plain Python function as a tree."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["Unreadable", "parse"]


class Unreadable(Exception):
    """Why there is no tree of a function."""


def parse(function: Callable[..., Any]) -> tuple[ast.FunctionDef, int]:
    """The tree of a function, and what to add to its line numbers for those of its file."""
    offset = function.__code__.co_firstlineno - 1
    try:
        source = inspect.getsource(function)
    except (OSError, TypeError):
        raise Unreadable("its source is not to be found, write it in a file") from None
    # a method's source is indented: a line in front makes it a program, whatever its docstring looks like
    indented = source[:1].isspace()
    try:
        body: Any = ast.parse(f"if True:\n{source}" if indented else source).body
    except SyntaxError:
        body = []
    if indented and body:
        offset -= 1
        body = body[0].body
    if not body or not isinstance(body[0], ast.FunctionDef):
        raise Unreadable("it is not written with def")
    return body[0], offset
