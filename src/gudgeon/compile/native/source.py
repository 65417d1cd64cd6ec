"""The source of a plain Python function as a tree."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable
from typing import Any

__all__ = ["Unreadable", "parse"]


class Unreadable(Exception):
    """Why there is no tree of a function."""


def parse(function: Callable[..., Any]) -> tuple[ast.FunctionDef, int]:
    """The tree of a function, and what to add to its line numbers for those of its file."""
    offset = function.__code__.co_firstlineno - 1
    if function.__name__ == "<lambda>":
        return _lambda(function), 0
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


def _lambda(function: Callable[..., Any]) -> ast.FunctionDef:
    """A lambda as a function that returns its expression. Of several in one line it is the one whose expression lies
    where the code says."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    try:
        found = [x for x in ast.walk(ast.parse("".join(lines))) if isinstance(x, ast.Lambda)]
    except SyntaxError:
        found = []
    places = {(line, column) for line, _, column, _ in code.co_positions()}
    found = [x for x in found if x.lineno == code.co_firstlineno]
    if len(found) > 1:
        found = [x for x in found if (x.body.lineno, x.body.col_offset) in places]
    if len(found) != 1:
        raise Unreadable("its source is not to be found, write it with def in a file")
    (node,) = found
    result = ast.Return(node.body, lineno=node.lineno, col_offset=0)
    return ast.FunctionDef("formula", node.args, [result], [], lineno=node.lineno, col_offset=0)
