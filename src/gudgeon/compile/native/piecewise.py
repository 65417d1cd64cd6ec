"""Functions with branches, on floats and on symbols alike: each is a scalar law, so that its derivatives are exact on
either side of a branch.

There is no function that jumps. A jump of a force is no event that a method would locate: error control finds it by
ever shorter steps, and where a force opposes the motion, as the sign of a speed does, it holds the motion at the jump.
`step` goes from 0 to 1 over a width that its user states, with continuous slope and curvature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gudgeon.compile.graph import Opaque, Scalar
from gudgeon.compile.native.scalar import opaque
from gudgeon.quantity import GudgeonError

__all__ = ["PIECEWISE", "absolute", "kinked", "maximum", "minimum", "step"]


def size_of(x: float) -> float:
    """x without its sign."""
    return -x if x < 0.0 else x


def smaller_of(a: float, b: float) -> float:
    """The smaller of two numbers."""
    return a if a < b else b


def larger_of(a: float, b: float) -> float:
    """The larger of two numbers."""
    return b if a < b else a


def smooth_step(x: float, start: float, end: float) -> float:
    """0 up to the start, 1 from the end on, z^3 (10 - 15 z + 6 z^2) between them."""
    z = (x - start) / (end - start)
    if z <= 0.0:
        return 0.0
    if z >= 1.0:
        return 1.0
    return z * z * z * (10.0 - z * (15.0 - 6.0 * z))


def _apply(function: Callable[..., float], *arguments: Any) -> Any:
    for x in arguments:
        if isinstance(x, Scalar):
            return x.graph.call(opaque(function, len(arguments), block=False), arguments)
    return function(*(float(x) for x in arguments))


def absolute(x: Any) -> Any:
    """Absolute value of a number or of a formula."""
    return _apply(size_of, x)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers or formulas."""
    return _apply(smaller_of, a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers or formulas."""
    return _apply(larger_of, a, b)


def step(x: Any, start: Any, end: Any) -> Any:
    """A smooth step of a number or formula: 0 up to `start`, 1 from `end` on; slope and curvature are continuous."""
    if not isinstance(start, Scalar) and not isinstance(end, Scalar) and float(start) == float(end):
        raise GudgeonError(f"step from {start:g} to {end:g} jumps; give it a width, over which it goes from 0 to 1")
    return _apply(smooth_step, x, start, end)


# as formulas of model files call them: the function and the number of its arguments
PIECEWISE: dict[str, tuple[Callable[..., Any], int]] = {
    "abs": (absolute, 1), "min": (minimum, 2), "max": (maximum, 2), "step": (step, 3),
}  # fmt: skip


def kinked() -> list[Opaque]:
    """The laws whose slope jumps."""
    return [opaque(size_of, 1, block=False), opaque(smaller_of, 2, block=False), opaque(larger_of, 2, block=False)]
