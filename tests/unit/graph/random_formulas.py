"""Random formulas that run on floats, on symbols, and on floats that know their rounding error.

A formula is a list of steps; a step applies an operation to three of the values so far and to a constant.
Operations are safe: divisors, roots and logarithms stay away from zero, exponentials are bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from back_ends import Point
from hypothesis import strategies as st

import gudgeon.compile.graph as functions
from gudgeon.compile.graph import Opaque, Scalar
from gudgeon.compile.native.scalar import opaque

ROUNDING = 1e-15  # a few units in the last place for each operation
BLOCK = 1  # where the parameters of `ramp` lie in p


class Rounded:
    """A float and a bound on what rounding, in any order of the operations, can do to it."""

    def __init__(self, value: float, error: float = 0.0) -> None:
        self.value, self.error = value, error + ROUNDING * abs(value)

    @staticmethod
    def of(x: Any) -> Rounded:
        return x if isinstance(x, Rounded) else Rounded(x)

    def __add__(self, other: Any) -> Rounded:
        other = Rounded.of(other)
        return Rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Any) -> Rounded:
        other = Rounded.of(other)
        return Rounded(self.value - other.value, self.error + other.error)

    def __mul__(self, other: Any) -> Rounded:
        other = Rounded.of(other)
        error = abs(self.value) * other.error + abs(other.value) * self.error
        return Rounded(self.value * other.value, error)

    def __truediv__(self, other: Any) -> Rounded:
        other = Rounded.of(other)
        quotient = self.value / other.value
        return Rounded(quotient, (self.error + abs(quotient) * other.error) / abs(other.value))

    def __pow__(self, n: float) -> Rounded:
        power = self.value**n
        return Rounded(power, abs(n * power / self.value) * self.error if self.value else self.error)

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error)

    def __rmul__(self, other: Any) -> Rounded:
        return Rounded.of(other) * self

    __radd__ = __add__

    def apply(self, name: str) -> Rounded:
        image = getattr(math, name)(self.value)
        match name:
            case "sqrt":
                steepness = 0.5 / image
            case "exp":
                steepness = image
            case "log":
                steepness = 1.0 / self.value
            case _:
                steepness = 1.0  # at most
        return Rounded(image, steepness * self.error)


def larger(a, b):
    return a if a > b else b


def ramp(x, p):
    return p[0] * x if x > 0.0 else p[1] * x


LARGER: Opaque = opaque(larger, 2, block=False)
RAMP: Opaque = opaque(ramp, 1)


class OnNumbers:
    """How steps call functions, on floats and on symbols."""

    def __init__(self, p: Sequence[float]) -> None:
        self.p = p

    def apply(self, name: str, x: Any) -> Any:
        return getattr(functions, name)(x)

    def larger(self, a: Any, b: Any, *guards: Any) -> Any:
        return larger(a, b) if all(g > 0.0 for g in guards) else 0.0

    def ramp(self, x: Any) -> Any:
        return ramp(x, self.p[BLOCK:])


class OnSymbols(OnNumbers):
    def larger(self, a: Scalar, b: Scalar, *guards: Scalar) -> Scalar:
        return a.graph.call(LARGER, [a, b], guards=guards)

    def ramp(self, x: Scalar) -> Scalar:
        return x.graph.call(RAMP, [x], block=BLOCK)


class Unclear(Exception):
    """Rounding decides which branch is taken."""


class OnRounded(OnNumbers):
    def apply(self, name: str, x: Rounded) -> Rounded:
        return x.apply(name)

    def larger(self, a: Rounded, b: Rounded, *guards: Rounded) -> Rounded:
        if any(abs(g.value) <= 10.0 * g.error for g in guards):
            raise Unclear
        image = larger(a.value, b.value) if all(g.value > 0.0 for g in guards) else 0.0
        return Rounded(image, max(a.error, b.error))

    def ramp(self, x: Rounded) -> Rounded:
        slope = max(abs(k) for k in self.p[BLOCK : BLOCK + 2])
        return Rounded(ramp(x.value, self.p[BLOCK:]), slope * x.error)


Operation = Callable[[Any, Any, Any, Any, float], Any]  # how to call functions, three values, a constant

SMOOTH: dict[str, Operation] = {
    "add": lambda f, a, b, c, k: a + b,
    "subtract": lambda f, a, b, c, k: a - b,
    "multiply": lambda f, a, b, c, k: a * b,
    "divide": lambda f, a, b, c, k: a / (b * b + 0.5),
    "negate": lambda f, a, b, c, k: -a,
    "scale": lambda f, a, b, c, k: k * a,
    "shift": lambda f, a, b, c, k: a + k,
    "mix": lambda f, a, b, c, k: k * a + b - c,
    "cancel": lambda f, a, b, c, k: (a + b) - (a - c),
    "divide and multiply": lambda f, a, b, c, k: (a / (b * b + 2.0)) * (c * (b * b + 2.0)),
    "sin": lambda f, a, b, c, k: f.apply("sin", a),
    "cos": lambda f, a, b, c, k: f.apply("cos", k * a),
    "tanh": lambda f, a, b, c, k: f.apply("tanh", a),
    "atan": lambda f, a, b, c, k: f.apply("atan", a - b),
    "sqrt": lambda f, a, b, c, k: f.apply("sqrt", a * a + 0.5),
    "exp": lambda f, a, b, c, k: f.apply("exp", f.apply("sin", a) * k),
    "log": lambda f, a, b, c, k: f.apply("log", a * a + 0.5),
    "square": lambda f, a, b, c, k: a**2,
    "cube": lambda f, a, b, c, k: f.apply("tanh", a) ** 3,
    "root": lambda f, a, b, c, k: (a * a + b * b + 0.25) ** 0.5,
    "negative power": lambda f, a, b, c, k: (f.apply("cos", a) + 1.5) ** -3,
}
BRANCHING: dict[str, Operation] = {
    "call": lambda f, a, b, c, k: f.larger(a, b),
    "guarded call": lambda f, a, b, c, k: f.larger(a, b, c),
    "twice guarded call": lambda f, a, b, c, k: f.larger(a, b, b, c + k),
    "call with parameters": lambda f, a, b, c, k: f.ramp(a),
}
ALL = {**SMOOTH, **BRANCHING}

_NUMBERS = st.integers(-16, 16).map(lambda k: k / 8.0)
_CONSTANTS = st.sampled_from([-2.0, -1.0, -0.3, 0.0, 0.1, 0.5, 1.0, 3.0])


def points() -> st.SearchStrategy[Point]:
    three = st.tuples(_NUMBERS, _NUMBERS, _NUMBERS)
    return st.builds(Point, t=_NUMBERS, y=three, p=three)


def formulas(operations: dict[str, Operation] = ALL, longest: int = 25) -> st.SearchStrategy[list[tuple]]:
    index = st.integers(0, 40)
    step = st.tuples(st.sampled_from(sorted(operations)), index, index, index, _CONSTANTS)
    return st.lists(step, min_size=1, max_size=longest)


def run(formula: list[tuple], values: Sequence[Any], calls: OnNumbers) -> list[Any]:
    """All values of a formula, the given ones included."""
    values = list(values)
    for name, i, j, k, constant in formula:
        a, b, c = (values[-1 - n % len(values)] for n in (i, j, k))  # small indices mean recent values
        values.append(ALL[name](calls, a, b, c, constant))
    return values
