"""`Formula`: a function of time that can be written to a file, such as 100*sin(20*t)."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Any

from gudgeon.compile.graph import functions
from gudgeon.compile.graph.functions import FUNCTIONS
from gudgeon.compile.graph.scalar import Scalar
from gudgeon.quantity import GudgeonError, closest

__all__ = ["Formula"]

_LONGEST = 1000
_NAMES = {"pi": math.pi}
_WORDS = ("t", *_NAMES, *FUNCTIONS)
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: _power(a, b),
}


def _apply(name: str, x: Any) -> Any:
    return getattr(functions, name)(x)


def _power(a: Any, b: Any) -> Any:
    if not isinstance(b, Scalar) and (b == 0.5 or (float(b).is_integer() and abs(b) <= 64)):
        result = a**b
    elif isinstance(a, Scalar) or isinstance(b, Scalar):
        # machine code has no general power; exp and log say the same for a > 0
        result = _apply("exp", b * _apply("log", a))
    else:
        result = a**b
    return math.nan if isinstance(result, complex) else result


class Formula:
    """A function of the time t [s], from a text: + - * / **, numbers, t, pi, sin cos sqrt exp log tanh atan.

    >>> Formula("100*sin(20*t)")(0.0)
    0.0

    Nothing else is understood, so a formula from a stranger's file is harmless. Two formulas of the same text
    are equal. `position` of an error counts from 1.
    """

    __slots__ = ("_tree", "text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise GudgeonError(f'formula {text!r} is no text; write for instance Formula("100*sin(20*t)")')
        self.text = text.strip()
        self._tree = _parse(self.text)
        _check(self._tree, self.text)

    def __call__(self, t: Any) -> Any:
        return _value(self._tree, t)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f'Formula("{self.text}")'

    def __reduce__(self) -> tuple[type[Formula], tuple[str]]:
        return Formula, (self.text,)


def _refuse(text: str, node: Any, what: str) -> GudgeonError:
    position = getattr(node, "col_offset", 0) + 1
    # the parser counts bytes
    position = len(text.encode()[: position - 1].decode(errors="ignore")) + 1
    return GudgeonError(f'formula "{text}", position {position}: {what}')


def _parse(text: str) -> ast.expr:
    if not text or len(text) > _LONGEST or "\n" in text:
        raise GudgeonError(f'formula "{text[:40]}": write one line of 1 to {_LONGEST} characters')
    if not text.isascii():
        position = next(k for k, c in enumerate(text, 1) if not c.isascii())
        raise GudgeonError(f'formula "{text}", position {position}: unknown character; use + - * / ** and ( )')
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        position = min(max(error.offset or 1, 1), len(text) + 1)
        raise GudgeonError(f'formula "{text}", position {position}: {error.msg}; check the operators') from None
    except (ValueError, RecursionError, MemoryError):
        raise GudgeonError(f'formula "{text[:40]}..." is too deeply nested; write it simpler') from None


def _check(node: ast.expr, text: str) -> None:
    """Refuse everything but numbers, t, operators and known functions, with its position."""
    for depth, item in _walk(node):
        if depth > 100:
            raise GudgeonError(f'formula "{text[:40]}..." is too deeply nested; write it simpler')
        _check_one(item, text)


def _walk(root: ast.expr) -> list[tuple[int, ast.expr]]:
    """Nodes that are values, without recursion; a called name is judged with its call."""
    nodes, open_nodes = [], [(0, root)]
    while open_nodes:
        depth, node = open_nodes.pop()
        nodes.append((depth, node))
        inner = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        open_nodes += [(depth + 1, child) for child in inner if isinstance(child, ast.expr)]
    return nodes


def _check_one(node: ast.expr, text: str) -> None:
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise _refuse(text, node, f"{node.value!r} is no number; write for instance 2.5")
        if not isinstance(_number(node.value), float) or not math.isfinite(_number(node.value)):
            raise _refuse(text, node, "the number is too large; write a smaller one")
    elif isinstance(node, ast.Name):
        if node.id in FUNCTIONS:
            raise _refuse(text, node, f"{node.id} needs an argument; write {node.id}(t)")
        if node.id not in ("t", *_NAMES):
            raise _refuse(text, node, _unknown(node.id))
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else "this"
        if name not in FUNCTIONS:
            raise _refuse(text, node, _unknown(name))
        if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
            raise _refuse(text, node, f"{name} takes one argument; write {name}(t)")
    elif isinstance(node, ast.BinOp):
        if type(node.op) not in _OPERATORS:
            raise _refuse(text, node.right, "unknown operator before this; use + - * / **")
    elif not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd)):
        raise _refuse(text, node, "this is not understood; use numbers, t, + - * / ** and functions")


def _unknown(name: str) -> str:
    likely = closest(name, _WORDS)
    return f'unknown name "{name}"; ' + (f'did you mean "{likely}"?' if likely else f"known: {', '.join(_WORDS)}")


def _number(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _value(node: ast.expr, t: Any) -> Any:
    if isinstance(node, ast.Constant):
        return float(node.value)  # type: ignore[arg-type]
    if isinstance(node, ast.Name):
        return t if node.id == "t" else _NAMES[node.id]
    if isinstance(node, ast.Call):
        return _apply(node.func.id, _value(node.args[0], t))  # type: ignore[attr-defined]
    if isinstance(node, ast.UnaryOp):
        operand = _value(node.operand, t)
        return -operand if isinstance(node.op, ast.USub) else operand
    assert isinstance(node, ast.BinOp)
    return _OPERATORS[type(node.op)](_value(node.left, t), _value(node.right, t))
