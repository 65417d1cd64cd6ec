"""Derivatives of the elementary functions that a law may call, as text for the sources that `tangent` writes.

The formulas are those of the graph, traced on it; what the graph does not know is stated here in the same form.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gudgeon.compile.graph import Graph, Scalar, exp, sqrt, tanh
from gudgeon.compile.graph.functions import FUNCTIONS
from gudgeon.compile.graph.python import FORMS

# derivative with respect to each argument, from the arguments and the value f
RULES: dict[str, tuple[Callable[..., Any], ...]] = {
    **{name: (function.derivative,) for name, function in FUNCTIONS.items()},
    "tan": (lambda x, f: 1.0 + f * f,),
    "asin": (lambda x, f: 1.0 / sqrt(1.0 - x * x),),
    "acos": (lambda x, f: -1.0 / sqrt(1.0 - x * x),),
    "sinh": (lambda x, f: sqrt(1.0 + f * f),),
    "cosh": (lambda x, f: f * tanh(x),),
    "asinh": (lambda x, f: 1.0 / sqrt(1.0 + x * x),),
    "acosh": (lambda x, f: 1.0 / sqrt(x * x - 1.0),),
    "atanh": (lambda x, f: 1.0 / (1.0 - x * x),),
    "expm1": (lambda x, f: 1.0 + f,),
    "log1p": (lambda x, f: 1.0 / (1.0 + x),),
    "log2": (lambda x, f: 1.0 / (math.log(2.0) * x),),
    "log10": (lambda x, f: 1.0 / (math.log(10.0) * x),),
    "erf": (lambda x, f: 2.0 / math.sqrt(math.pi) * exp(-x * x),),
    "erfc": (lambda x, f: -2.0 / math.sqrt(math.pi) * exp(-x * x),),
    "degrees": (lambda x, f: 180.0 / math.pi,),
    "radians": (lambda x, f: math.pi / 180.0,),
}

# constant between their steps: nothing behind them carries a derivative
STEPS = {
    "int", "bool", "len", "range", "round", "math.floor", "math.ceil", "math.trunc", "math.isnan", "math.isinf",
    "math.isfinite",
}  # fmt: skip

_BUILTIN = ("abs", "bool", "float", "int", "len", "max", "min", "pow", "range", "round")
_MATH = (*RULES, "atan2", "copysign", "hypot", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite")
_NUMPY = {
    "abs": "abs", "fabs": "abs", "maximum": "max", "minimum": "min", "power": "pow", "arcsin": "math.asin",
    "arccos": "math.acos", "arctan": "math.atan", "arctan2": "math.atan2", "arcsinh": "math.asinh",
    "arccosh": "math.acosh", "arctanh": "math.atanh",
    **{name: f"math.{name}" for name in _MATH if hasattr(np, name)},
}  # fmt: skip

# function object -> how it is written; one spelling for abs, fabs and numpy's
SPELLINGS: dict[Any, str] = {
    **{getattr(np, name): written for name, written in _NUMPY.items()},
    **{getattr(math, name): f"math.{name}" for name in _MATH},
    **{getattr(builtins, name): name for name in _BUILTIN},
    math.fabs: "abs",
    math.pow: "pow",
}


def spelling(function: Any) -> str | None:
    """How an elementary function is written; None for any other object."""
    return SPELLINGS.get(function) if callable(function) and function.__hash__ is not None else None


def slope_texts(name: str, arguments: Sequence[str], value: str) -> list[str] | None:
    """The partial derivatives of a smooth function written as text, or None where no formula is known."""
    rules = RULES.get(name.removeprefix("math."))
    if rules is None or len(rules) != len(arguments):
        return None
    graph = Graph()
    symbols = [graph.input(f"x{k}") for k in range(len(arguments))]
    texts = {**{f"x{k}": x for k, x in enumerate(arguments)}, "f": value}
    return [_text(graph.scalar(rule(*symbols, graph.input("f"))), texts) for rule in rules]


def _text(node: Scalar, names: dict[str, str]) -> str:
    if node.op == "constant":
        return f"({node.data!r})"
    if node.op == "input":
        return names[node.data[0]]
    arguments = [_text(a, names) for a in node.args]
    return f"({FORMS[node.op].format(*arguments)})" if node.op in FORMS else f"math.{node.op}({arguments[0]})"


# what has a kink or an exception is code, rewritten like any helper of a law: from the arguments and the value


def abs_slope(x: float, value: float) -> float:
    """At 0 the slope to the right."""
    return -1.0 if x < 0.0 else 1.0


def copysign_slope(x: float, sign: float, value: float) -> float:
    return math.copysign(1.0, x) * math.copysign(1.0, sign)


def hypot_by_x(x: float, y: float, value: float) -> float:
    """In the origin the slope to the right."""
    return x / value if value > 0.0 else 1.0


def hypot_by_y(x: float, y: float, value: float) -> float:
    return y / value if value > 0.0 else 1.0


def atan2_by_y(y: float, x: float, value: float) -> float:
    """0 in the origin, where there is no angle."""
    square = x * x + y * y
    return x / square if square > 0.0 else 0.0


def atan2_by_x(y: float, x: float, value: float) -> float:
    square = x * x + y * y
    return -y / square if square > 0.0 else 0.0


# one function for each argument; None where the value does not change with it
CODED: dict[str, tuple[Callable[..., float] | None, ...]] = {
    "abs": (abs_slope,),
    "math.copysign": (copysign_slope, None),
    "math.hypot": (hypot_by_x, hypot_by_y),
    "math.atan2": (atan2_by_y, atan2_by_x),
}


def power_slope(x: float, exponent: float) -> float:
    """Of x ** exponent with respect to x."""
    return exponent * x ** (exponent - 1.0) if exponent != 0.0 else 0.0


def exponent_slope(x: float, value: float) -> float:
    """Of value = x ** exponent with respect to the exponent; 0 at x = 0, where it ends."""
    return value * math.log(x) if x > 0.0 else 0.0


def remainder_slope(x: float, divisor: float, remainder: float) -> float:
    """Of x % divisor with respect to the divisor."""
    return (remainder - x) / divisor
