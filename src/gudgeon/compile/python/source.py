"""The source of a plain Python function as a tree, and the objects behind its names."""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn

from gudgeon.compile.native.source import Unreadable, parse
from gudgeon.quantity import GudgeonError

__all__ = ["Source"]

ADVICE = "use float arithmetic, branches, loops, functions of math and helpers written in files"


class Source:
    """A function as it was written: its tree, its parameters, how often each of its names is set."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.file, self.offset = function.__code__.co_filename, function.__code__.co_firstlineno - 1
        self.tree = self._parse()
        arguments = self.tree.args
        if arguments.vararg or arguments.kwarg:
            self.refuse(self.tree, "it takes any number of arguments")
        self.signature = inspect.signature(function)
        self.hints: dict[str, Any] | None = None  # types of annotations, once somebody asked
        self.stores: dict[str, int] = dict.fromkeys(self.signature.parameters, 1)
        loops = [node.target for node in ast.walk(self.tree) if isinstance(node, ast.For)]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in loops:
                self.stores[node.id] = self.stores.get(node.id, 0) + 1
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.stores[node.target.id] = self.stores.get(node.target.id, 0) + 1
        self.returns = [node for node in ast.walk(self.tree) if isinstance(node, ast.Return)]
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._outside = [{name: cell.cell_contents for name, cell in cells}, function.__globals__, vars(builtins)]

    def _parse(self) -> ast.FunctionDef:
        try:
            tree, self.offset = parse(self.function)
        except Unreadable as reason:
            self.refuse(ast.Pass(lineno=1), str(reason))
        return tree

    def outside(self, node: ast.expr, name: str) -> Any:
        """The object behind a name that the function takes from outside."""
        for scope in self._outside:
            if name in scope:
                return scope[name]
        self.refuse(node, f"{name} is not defined")

    def refuse(self, node: Any, what: str) -> NoReturn:
        place = f"{self.file}:{self.offset + getattr(node, 'lineno', 1)}"
        raise GudgeonError(f"{self.function.__qualname__} ({place}) cannot be compiled: {what}; {ADVICE}")


@lru_cache(maxsize=512)
def source_of(function: Callable[..., Any]) -> Source:
    return Source(function)


def plain(function: Any) -> Any:
    """The Python function behind a kernel or a method; anything else as it is."""
    function = getattr(function, "py_func", function)
    return function.__func__ if isinstance(function, types.MethodType) else function
