"""Monotone tables x -> y as a block of numbers, and their evaluation.

Layout from `first` on: cubic flag, n, x0.., y0.., slope0.. . Piecewise linear: slope k belongs to the
interval right of x_k. Cubic: the slopes are those of PCHIP (Fritsch, Butland 1984: weighted harmonic mean
inside, three-point formula limited to the monotone range at the ends), so the curve is monotone where the
data are. Beyond the last point the table continues straight with its last slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from gudgeon.laws.law import Block
from gudgeon.quantity import GudgeonError, quantity

__all__ = ["MEASURED", "Interpolation", "pack_table", "read_table", "table_value"]

Column = tuple[float, ...]
Interpolation = Literal["linear", "cubic"]

# depths or deflections [m] and forces [N] as they are measured: an example
MEASURED = ((0.0, 1e-5, 3e-5, 6e-5, 1e-4), (0.0, 300.0, 2e3, 5e3, 1.2e4))


def read_table(x: Any, y: Any, law: str, x_name: str, y_name: str) -> tuple[Column, Column]:
    """Lengths [m] and forces [N] of a monotone table through the origin, or a refusal with its remedy."""
    xs = _column(x, "m", f"{law}: {x_name}")
    ys = _column(y, "N", f"{law}: {y_name}")
    if len(xs) != len(ys):
        raise GudgeonError(f"{law}: {x_name} has {len(xs)} values and {y_name} {len(ys)}; give equally many")
    if len(xs) < 2:
        raise GudgeonError(f"{law}: {x_name} {xs!r} is too short; give at least two points")
    if xs[0] != 0.0 or ys[0] != 0.0:
        raise GudgeonError(f"{law}: the first point ({xs[0]:g}, {ys[0]:g}) is not (0, 0); put (0, 0) first")
    for k in range(1, len(xs)):
        if not xs[k] > xs[k - 1]:
            raise GudgeonError(f"{law}: {x_name}[{k}] {xs[k]:g} does not increase; sort the points")
        if ys[k] < ys[k - 1]:
            raise GudgeonError(f"{law}: {y_name}[{k}] {ys[k]:g} is less than the value before; make the data monotone")
    return xs, ys


def _column(values: Any, unit: str, name: str) -> Column:
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise GudgeonError(f"{name} {values!r} is no sequence; give the points of the table in a tuple")
    return tuple(quantity(value, unit, f"{name}[{k}]") for k, value in enumerate(values))


def pack_table(x: Sequence[float], y: Sequence[float], interpolation: Interpolation) -> dict[str, float]:
    """The block of a table, in the layout above."""
    secants = [(y[k + 1] - y[k]) / (x[k + 1] - x[k]) for k in range(len(x) - 1)]
    slopes = pchip_slopes(x, secants) if interpolation == "cubic" else [*secants, secants[-1]]
    block = {"cubic": float(interpolation == "cubic"), "n": float(len(x))}
    for name, column in (("x", x), ("y", y), ("slope", slopes)):
        block.update({f"{name}{k}": value for k, value in enumerate(column)})
    return block


def pchip_slopes(x: Sequence[float], secants: Sequence[float]) -> list[float]:
    """Slopes at the points that keep a cubic Hermite curve monotone."""
    last = len(x) - 1
    if last == 1:
        return [secants[0], secants[0]]
    h = [x[k + 1] - x[k] for k in range(last)]
    slopes = [_end_slope(h[0], h[1], secants[0], secants[1])]
    for k in range(1, last):
        before, after = secants[k - 1], secants[k]
        if before <= 0.0 or after <= 0.0:
            slopes.append(0.0)
        else:
            w1, w2 = 2.0 * h[k] + h[k - 1], h[k] + 2.0 * h[k - 1]
            slopes.append((w1 + w2) / (w1 / before + w2 / after))
    slopes.append(_end_slope(h[-1], h[-2], secants[-1], secants[-2]))
    return slopes


def _end_slope(h0: float, h1: float, d0: float, d1: float) -> float:
    slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    return min(max(slope, 0.0), 3.0 * d0)


def table_value(x: float, p: Block, first: int) -> float:
    """y at x >= 0."""
    n = int(p[first + 1])
    xs = first + 2
    ys = xs + n
    slopes = ys + n
    if x >= p[ys - 1]:
        return p[slopes - 1] + p[slopes + n - 1] * (x - p[ys - 1])
    low = 0
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x >= p[xs + middle]:
            low = middle
        else:
            high = middle
    x0, y0, m0 = p[xs + low], p[ys + low], p[slopes + low]
    if p[first] == 0.0:
        return y0 + m0 * (x - x0)
    h = p[xs + high] - x0
    s = (x - x0) / h
    rise = p[ys + high] - y0
    m1 = p[slopes + high]
    return y0 + s * (h * m0 + s * (3.0 * rise - h * (2.0 * m0 + m1) + s * (h * (m0 + m1) - 2.0 * rise)))
