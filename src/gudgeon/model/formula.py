"""`Formula`: a function of time and of the motion that can be written to a file, such as -(5 N s/m)*bob.vx.

    sum       product +- product ...          product   power */ power ...          power   value ** value
    value     number | number unit | t | pi | channel | function(sum, ...) | rate(sum) | (sum) | -value
    channel   NAME.x and so on, as a run reports them; in quotes where the name is no word: 'left-pin.travel'

A text is parsed once, by Python's own parser, after units and numbers have been put together. Nothing but what is
listed here is understood, so that a formula from a stranger's file is harmless.
"""

from __future__ import annotations

import ast
import math
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from gudgeon.compile.graph import functions
from gudgeon.compile.graph.functions import FUNCTIONS
from gudgeon.compile.graph.scalar import Scalar
from gudgeon.compile.native.piecewise import PIECEWISE
from gudgeon.quantity import QUANTITIES, GudgeonError, closest, is_unit, parse_unit

__all__ = ["GRAMMAR", "Formula", "looks_like_formula"]

_LONGEST = 1000
_NAMES = {"pi": math.pi}
RATE = "rate"
CALLED = (*FUNCTIONS, *PIECEWISE, RATE)
_WORDS = ("t", *_NAMES, *CALLED)
# what others call, and why there is none
_JUMPS = "a force that jumps holds up the run where it does; write step(x, from, to), or tanh(x / (1 mm/s)) for a sign"
_REFUSED = {**dict.fromkeys(("sign", "sgn", "where", "heaviside", "if_", "floor", "ceil", "round", "mod"), _JUMPS),
            "ddt": "the rate of x is rate(x)", "diff": "the rate of x is rate(x)"}  # fmt: skip
_NO_UNITS = ("t", *_NAMES, "if", "else", "and", "or", "not", "is")  # words that may follow a number
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: _power(a, b),
}

_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_SYMBOL = re.compile(r"(?:[^\W\d_]|[°%Ω])+\d*(?:(?:\^|\*\*)-?\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)?")
_JOINED = re.compile(r"\s*[/*·⋅]\s*|\s+")
_FORMULA = re.compile(
    r"""[()'"] | \*\* | \bt\b(?!$) | [-+*/]\s*t\b | [-+*/]\s*$ | \*\s*\d | \s[-+/]\s+\d
        | ^\s*[-+]?\s*[A-Za-z] | [^\W\d]\w*\.(?!(?:m|mm|s|rad|A)\b)[^\W\d]""",
    re.VERBOSE,
)

# for people
GRAMMAR = {
    "example": "-(5 N s/m)*bob.vx*abs(bob.vx)/(1 m/s)",
    "numbers": "2.5, or with a unit 40 N, 0.3 m, 5 N s/m; without one SI",
    "time": "t [s]",
    "operators": "+ - * / ** and ( )",
    "functions": f"pi, {', '.join(FUNCTIONS)}",
    "branches": "abs(x), min(a, b), max(a, b); step(x, a, b) is 0 up to a, 1 from b on, smooth between",
    "positions": "BODY.x, .y, .angle, in space .x, .y, .z; JOINT.travel, .turn of its second direction, .ex, .ey, ...",
    "speeds": "BODY.vx, .vy, .spin, in space .vx, .vy, .vz, .wx, .wy, .wz; JOINT.speed where a motor or controller is",
    "rates": "rate(x) of any formula of positions: rate(pin.travel) is the speed of a joint",
    "names": "in quotes where a part's name is no word: 'left-pin.travel'",
    "refused": "accelerations and forces, which follow from loads; sign and other jumps: tanh(x/(1 mm/s)), step",
}

Dimension = tuple[float, ...]  # exponents of m, kg, s and A; angles count as plain numbers
Quantity = tuple[float, Dimension]
_PLAIN: Dimension = (0.0, 0.0, 0.0, 0.0)


def looks_like_formula(text: str) -> bool:
    """Whether a text that is no quantity was meant as a formula."""
    return bool(_FORMULA.search(text))


class Formula:
    """A function of the time t [s] and of the motion, from a text: + - * / **, numbers with or without a unit, t, pi,
    sin cos sqrt exp log tanh atan, abs min max step, positions and speeds as a run reports them, and rate(...) of
    a formula of positions.

    >>> Formula("100*sin(20*t)")(0.0)
    0.0
    >>> Formula("-(5 N s/m)*bob.vx")(0.0, {"bob.vx": 2.0})
    -10.0

    A number without a unit is SI. Two formulas of the same text are equal. `position` of an error counts from 1.
    """

    __slots__ = ("_plain", "_quantities", "_tree", "text")

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise GudgeonError(f'formula {text!r} is no text; write for instance Formula("100*sin(20*t)")')
        self.text = text.strip()
        self._plain, self._quantities = _without_units(self.text)
        self._tree = _parse(self.text, self._plain)
        _Checker(self).check(self._tree)

    def __call__(self, t: Any, s: Any = None) -> Any:
        """The value at the time t, with `s[NAME]` for channels and `s.rate(x)` for rates."""
        return self._value(self._tree, t, s)

    @property
    def reads(self) -> tuple[str, ...]:
        """The channels that it names."""
        named = (_channel(node) for _, node in _walk(self._tree))
        return tuple(dict.fromkeys(name for name in named if name is not None))

    def check(self, unit: str, unit_of: Callable[[str], str | None], missing: Callable[[str], str]) -> None:
        """Refuse channels that have no unit, with what `missing` says of them, and what cannot be of this unit. Speeds
        are channels whose unit is one per second."""
        _Dimensions(self, unit_of, missing).check(self._tree, unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f'Formula("{self.text}")' if '"' not in self.text else f"Formula({self.text!r})"

    def __reduce__(self) -> tuple[type[Formula], tuple[str]]:
        return Formula, (self.text,)

    def _value(self, node: ast.expr, t: Any, s: Any) -> Any:
        channel = _channel(node)
        if channel is not None:
            if s is None:
                raise GudgeonError(f'formula "{self.text}" reads {channel}, which only a run knows')
            return s[channel]
        if isinstance(node, ast.Constant):
            return float(node.value)  # type: ignore[arg-type]
        if isinstance(node, ast.Name):
            if node.col_offset in self._quantities and _is_quantity(node):
                return self._quantities[node.col_offset][0]
            return t if node.id == "t" else _NAMES[node.id]
        if isinstance(node, ast.Call):
            name = node.func.id  # type: ignore[attr-defined]
            arguments = [self._value(x, t, s) for x in node.args]
            if name == RATE:
                return s.rate(*arguments)
            return PIECEWISE[name][0](*arguments) if name in PIECEWISE else _apply(name, *arguments)
        if isinstance(node, ast.UnaryOp):
            operand = self._value(node.operand, t, s)
            return -operand if isinstance(node.op, ast.USub) else operand
        assert isinstance(node, ast.BinOp)
        return _OPERATORS[type(node.op)](self._value(node.left, t, s), self._value(node.right, t, s))


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


# -- from the text to a tree ---------------------------------------------------------------------------------------


def _without_units(text: str) -> tuple[str, dict[int, Quantity]]:
    """The text with a word of underscores, of the same length, in place of each number with a unit; and the numbers in
    SI with their dimensions, by the place of their first byte."""
    plain = text
    quantities: dict[int, Quantity] = {}
    hidden = [match.span() for match in _QUOTED.finditer(text)]
    for match in _NUMBER.finditer(text):
        end = _unit_end(text, match.end())
        if end is None or any(a <= match.start() < b for a, b in hidden):
            continue
        unit = text[match.end() : end].strip()
        try:
            factor, dimension = parse_unit(unit)
        except GudgeonError as error:
            raise _refuse(text, end - len(text[match.end() : end].lstrip()) + 1, str(error)) from None
        first = len(plain[: match.start()].encode())
        quantities[first] = (float(match[0]) * factor, (*dimension[:3], dimension[4]))
        plain = plain[: match.start()] + "_" * (end - match.start()) + plain[end:]
    return plain, quantities


def _unit_end(text: str, start: int) -> int | None:
    """Where a unit behind a number ends; None where there is none. Words that are called or have a dot behind them
    belong to the formula, as do t and pi."""
    place, end = start + len(text[start:]) - len(text[start:].lstrip()), None
    while True:
        match = _SYMBOL.match(text, place)
        if match is None or match[0] in _NO_UNITS or re.match(r"[.\w]|\s*\(", text[match.end() :]):
            return end
        if not _is_unit(match[0]):
            # the first word behind a number can only be a unit: said so by what reads units
            return match.end() if end is None and match[0] not in CALLED else end
        end = match.end()
        joined = _JOINED.match(text, end)
        if joined is None or text[joined.start() : joined.end() + 1].strip().startswith("**"):
            return end
        place = joined.end()


def _is_unit(word: str) -> bool:
    try:
        parse_unit(word)
    except GudgeonError as error:
        return "unknown unit" not in str(error)
    return True


def _is_quantity(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and not node.id.strip("_")


def _channel(node: ast.expr) -> str | None:
    """The channel that a node names: bob.x or 'left-pin.travel'."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value:
        return node.value
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words, node = [node.attr, *words], node.value
    if not words or not isinstance(node, ast.Name) or node.id in _WORDS:
        return None
    return ".".join([node.id, *words])


def _refuse(text: str, position: int, what: str) -> GudgeonError:
    return GudgeonError(f'formula "{text}", position {position}: {what}')


def _parse(text: str, plain: str) -> ast.expr:
    if not text or len(text) > _LONGEST or "\n" in text:
        raise GudgeonError(f'formula "{text[:40]}": write one line of 1 to {_LONGEST} characters')
    for position, c in enumerate(plain, 1):
        if not c.isascii() and not c.isalnum():
            raise _refuse(text, position, "unknown character; use + - * / ** and ( )")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the parser makes its warnings errors of syntax
            return ast.parse(plain, mode="eval").body
    except SyntaxError as error:
        position = min(max(error.offset or 1, 1), len(text) + 1)
        remedy = f"there is no if: {_JUMPS}" if re.search(r"\bif\b", plain) else "check the operators"
        raise _refuse(text, position, f"{error.msg}; {remedy}") from None
    except (ValueError, RecursionError, MemoryError):
        raise GudgeonError(f'formula "{text[:40]}..." is too deeply nested; write it simpler') from None


def _walk(root: ast.expr) -> list[tuple[int, ast.expr]]:
    """Nodes that are values, without recursion; a called name is judged with its call, a channel as a whole."""
    nodes, open_nodes = [], [(0, root)]
    while open_nodes:
        depth, node = open_nodes.pop()
        nodes.append((depth, node))
        if _channel(node) is not None:
            continue
        inner = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        open_nodes += [(depth + 1, child) for child in inner if isinstance(child, ast.expr)]
    return nodes


class _Checker:
    """Refuses everything but what formulas are made of, with its position."""

    def __init__(self, formula: Formula) -> None:
        self.text, self.plain, self.quantities = formula.text, formula._plain, formula._quantities

    def place(self, node: Any) -> int:
        """Where a node begins, in characters; the parser counts bytes."""
        return len(self.plain.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore"))

    def refuse(self, node: Any, what: str) -> GudgeonError:
        return _refuse(self.text, self.place(node) + 1, what)

    def check(self, root: ast.expr) -> None:
        for depth, node in _walk(root):
            if depth > 100:
                raise GudgeonError(f'formula "{self.text[:40]}..." is too deeply nested; write it simpler')
            if _channel(node) is None:
                self.check_one(node)

    def check_one(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, int | float):
                raise self.refuse(node, f"{node.value!r} is no number; write for instance 2.5")
            if not math.isfinite(_number(node.value)):
                raise self.refuse(node, "the number is too large; write a smaller one")
        elif isinstance(node, ast.Name):
            if node.id in CALLED:
                raise self.refuse(node, f"{node.id} needs an argument; write {node.id}(t)")
            if not (_is_quantity(node) and node.col_offset in self.quantities) and node.id not in ("t", *_NAMES):
                raise self.refuse(node, self.unknown(node))
        elif isinstance(node, ast.Call):
            self.check_call(node)
        elif isinstance(node, ast.BinOp):
            if type(node.op) not in _OPERATORS:
                power = " (a power is **, not ^)" if isinstance(node.op, ast.BitXor) else ""
                raise self.refuse(node.right, f"unknown operator before this; use + - * / **{power}")
        elif not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd)):
            jumps = isinstance(node, ast.IfExp | ast.Compare | ast.BoolOp)
            remedy = _JUMPS if jumps else "use numbers, t, channels such as bob.x, + - * / ** and functions"
            raise self.refuse(node, f"this is not understood; {remedy}")

    def check_call(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else "this"
        if name in _REFUSED:
            raise self.refuse(node, f"there is no {name}; {_REFUSED[name]}")
        if name not in CALLED:
            raise self.refuse(node, _unknown(name))
        wanted = PIECEWISE[name][1] if name in PIECEWISE else 1
        if len(node.args) != wanted or node.keywords or any(isinstance(x, ast.Starred) for x in node.args):
            count = {1: "one argument", 2: "two arguments", 3: "three arguments"}[wanted]
            sample = {"step": "step(t, 0.1 s, 0.2 s)", RATE: "rate(pin.travel)"}.get(
                name, f"{name}({', '.join(('t', '2', '3')[:wanted])})")  # fmt: skip
            raise self.refuse(node, f"{name} takes {count}; write {sample}")
        if name == RATE and all(_channel(inner) is None for _, inner in _walk(node.args[0])):
            raise self.refuse(node, "rate takes a formula of positions; write for instance rate(pin.travel)")

    def unknown(self, node: ast.Name) -> str:
        """What to say of a name: it may be the beginning of a channel whose name is no word."""
        match = re.match(r"[\w-]+\.[\w.]+", self.text[self.place(node) :])
        if match is not None and "-" in match[0]:
            return f"unknown name \"{node.id}\"; if a part has this name, write '{match[0]}' in quotes"
        return _unknown(node.id)


def _unknown(name: str) -> str:
    likely = closest(name, _WORDS)
    if is_unit(name):
        return f'"{name}" is a unit without a number; write for instance (3 {name})'
    return f'unknown name "{name}"; ' + (f'did you mean "{likely}"?' if likely else f"known: {', '.join(_WORDS)}")


def _number(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


# -- what can be seen of dimensions --------------------------------------------------------------------------------


class _Dimensions(_Checker):
    """Works out dimensions as far as they are stated: a number without a unit and t may have any (None)."""

    def __init__(self, formula: Formula, unit_of: Callable[[str], str | None], missing: Callable[[str], str]) -> None:
        super().__init__(formula)
        self.unit_of, self.missing = unit_of, missing

    def check(self, root: ast.expr, unit: str = "") -> None:
        given, wanted = self.of(root), _dimension(unit)
        if given is not None and given != wanted:
            raise self.refuse(root, f"this is {_words(given)}, but [{unit}] is wanted; "
                              f"multiply by a number with the unit that is missing")  # fmt: skip

    def of(self, node: ast.expr) -> Dimension | None:
        channel = _channel(node)
        if channel is not None:
            unit = self.unit_of(channel)
            if unit is None:
                raise self.refuse(node, self.missing(channel))
            return _dimension(unit)
        if isinstance(node, ast.Name):
            return self.quantities[node.col_offset][1] if _is_quantity(node) else None
        if isinstance(node, ast.Call):
            return self.called(node)
        if isinstance(node, ast.UnaryOp):
            return self.of(node.operand)
        if isinstance(node, ast.BinOp):
            return self.combined(node)
        return None

    def called(self, node: ast.Call) -> Dimension | None:
        name = node.func.id  # type: ignore[attr-defined]
        given = [self.of(x) for x in node.args]
        if name == RATE:
            self.check_rate(node)
            return None if given[0] is None else _product(given[0], _dimension("s"), -1.0)
        if name == "sqrt":
            return None if given[0] is None else _product(_PLAIN, given[0], 0.5)
        if name in FUNCTIONS:
            if given[0] not in (None, _PLAIN):
                remedy = "divide by a number of the same unit"
                raise self.refuse(node.args[0], f"{name} takes a plain number, not {_words(given[0])}; {remedy}")
            return None
        for x, own in zip(node.args[1:], given[1:], strict=True):
            self.same(x, given[0], own, f"is compared by {name} with")
        return None if name == "step" else next((x for x in given if x is not None), None)

    def check_rate(self, node: ast.Call) -> None:
        """Rates are those of positions."""
        for _, inner in _walk(node.args[0]):
            again = isinstance(inner, ast.Call) and inner.func.id == RATE  # type: ignore[attr-defined]
            channel = _channel(inner)
            if again or (channel is not None and (self.unit_of(channel) or "").endswith("/s")):
                what = "rate(...)" if again else channel
                raise self.refuse(inner, f"the rate of {what} is an acceleration, which follows from the loads; "
                                  "rate takes a formula of positions")  # fmt: skip

    def combined(self, node: ast.BinOp) -> Dimension | None:
        left, right = self.of(node.left), self.of(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            word = "is added to" if isinstance(node.op, ast.Add) else "is taken from"
            self.same(node.right, left, right, word)
            return right if left is None else left
        if isinstance(node.op, ast.Pow):
            power = node.right.value if isinstance(node.right, ast.Constant) else None
            if right not in (None, _PLAIN):
                raise self.refuse(node.right, f"an exponent is a plain number, not {_words(right)}; divide by a unit")
            known = left is not None and isinstance(power, int | float)
            return _product(_PLAIN, left, float(power)) if known else None  # type: ignore[arg-type]
        if left is None or right is None:
            return None
        return _product(left, right, 1.0 if isinstance(node.op, ast.Mult) else -1.0)

    def same(self, node: ast.expr, one: Dimension | None, other: Dimension | None, word: str) -> None:
        if one is not None and other is not None and one != other:
            raise self.refuse(node, f"{_words(other)} {word} {_words(one)}; check the units of both")


def _product(a: Dimension, b: Dimension, power: float) -> Dimension:
    return tuple(x + power * y for x, y in zip(a, b, strict=True))


@cache
def _dimension(unit: str) -> Dimension:
    dimension = parse_unit(unit)[1] if unit else (0.0,) * 5
    return (*dimension[:3], dimension[4])


def _words(dimension: Dimension | None) -> str:
    """A dimension as a unit, as people write it where it is a usual one."""
    for kind in QUANTITIES:
        if kind.unit != "Hz" and dimension == _dimension(kind.unit):
            return f"[{kind.unit}]" if kind.unit and dimension != _PLAIN else "a plain number"
    powers = zip(("m", "kg", "s", "A"), dimension or (), strict=False)
    return "[" + " ".join(u if p == 1 else f"{u}^{p:g}" for u, p in powers if p) + "]"
