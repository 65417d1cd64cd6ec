"""Elementary functions, on floats and on symbols alike; their derivatives; what the back ends call them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from gudgeon.compile.graph.scalar import Number, Scalar


@dataclass(frozen=True)
class Elementary:
    """evaluate on floats; derivative from the argument x and the value f(x), as a formula."""

    evaluate: Callable[[float], float]
    derivative: Callable[[Number, Number], Number]


FUNCTIONS: dict[str, Elementary] = {
    "sin": Elementary(math.sin, lambda x, f: cos(x)),
    "cos": Elementary(math.cos, lambda x, f: -sin(x)),
    "sqrt": Elementary(math.sqrt, lambda x, f: 0.5 / f),
    "exp": Elementary(math.exp, lambda x, f: f),
    "log": Elementary(math.log, lambda x, f: 1.0 / x),
    "tanh": Elementary(math.tanh, lambda x, f: 1.0 - f * f),
    "atan": Elementary(math.atan, lambda x, f: 1.0 / (1.0 + x * x)),
}

ODD, EVEN = {"sin", "tanh", "atan"}, {"cos"}


def _apply(name: str, x: Number) -> Number:
    if isinstance(x, Scalar):
        return x.graph.apply(name, x)
    return FUNCTIONS[name].evaluate(x)


def sin(x: Number) -> Number:
    """Sine of an angle [rad], of a number or of a formula."""
    return _apply("sin", x)


def cos(x: Number) -> Number:
    """Cosine of an angle [rad], of a number or of a formula."""
    return _apply("cos", x)


def sqrt(x: Number) -> Number:
    """Square root of a number or of a formula."""
    return _apply("sqrt", x)


def exp(x: Number) -> Number:
    """Exponential of a number or of a formula."""
    return _apply("exp", x)


def log(x: Number) -> Number:
    """Natural logarithm of a number or of a formula."""
    return _apply("log", x)


def tanh(x: Number) -> Number:
    """Hyperbolic tangent of a number or of a formula."""
    return _apply("tanh", x)


def atan(x: Number) -> Number:
    """Arc tangent [rad] of a number or of a formula."""
    return _apply("atan", x)
