"""Readable units and numbers on axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Quantity", "Scale", "group_ticks", "grouped", "readable", "scale_for"]

THIN = "\u2009"
MINUS = "\u2212"
SMALLEST = 1e-6  # spacing of ticks that is still written out

# SI unit -> (largest magnitude that still uses it, factor, unit), in rising order
_STEPS: dict[str, list[tuple[float, float, str]]] = {
    "m": [(0.9e-6, 1e9, "nm"), (0.9e-4, 1e6, "µm"), (0.9, 1e3, "mm"), (np.inf, 1.0, "m")],
    "rad": [(0.09, 1e3, "mrad"), (np.inf, 1.0, "rad")],
    "N": [(0.9e-3, 1e6, "µN"), (0.09, 1e3, "mN"), (9e3, 1.0, "N"), (9e6, 1e-3, "kN"), (np.inf, 1e-6, "MN")],
    "Nm": [(0.9e-3, 1e6, "µN m"), (0.09, 1e3, "mN m"), (9e3, 1.0, "N m"), (np.inf, 1e-3, "kN m")],
    "J": [(0.9e-3, 1e6, "µJ"), (0.9, 1e3, "mJ"), (9e3, 1.0, "J"), (np.inf, 1e-3, "kJ")],
    "W": [(9e3, 1.0, "W"), (9e6, 1e-3, "kW"), (np.inf, 1e-6, "MW")],
    "Pa": [(9e2, 1.0, "Pa"), (9e5, 1e-3, "kPa"), (9e9, 1e-6, "MPa"), (np.inf, 1e-9, "GPa")],
    "s": [(0.9e-3, 1e6, "µs"), (2.0, 1e3, "ms"), (np.inf, 1.0, "s")],
}
_PRINTED = {"m/s^2": "m/s²", "rad/s^2": "rad/s²", "1": ""}


class Scale:
    """Factor from SI to what is printed, and the printed unit."""

    def __init__(self, factor: float, unit: str) -> None:
        self.factor, self.unit = factor, unit

    def label(self, text: str) -> str:
        return f"{text} [{self.unit}]" if self.unit else text


def scale_for(unit: str, *values: np.ndarray | float) -> Scale:
    """The unit in which the largest of these SI values reads best."""
    largest = max((float(np.max(np.abs(v))) for v in values if np.size(v)), default=0.0)
    if largest > 0.0:
        for limit, factor, printed in _STEPS.get(unit, []):
            if largest <= limit:
                return Scale(factor, printed)
    return Scale(1.0, _PRINTED.get(unit, unit.replace("Nm", "N m")))


@dataclass(frozen=True)
class Quantity:
    """A named column, numbers in SI or words, and how it is printed."""

    name: str
    values: np.ndarray
    unit: str = ""

    @property
    def worded(self) -> bool:
        return self.values.dtype.kind in "USO"

    @property
    def scale(self) -> Scale:
        return scale_for(self.unit, self.values[np.isfinite(self.values)])

    @property
    def printed(self) -> np.ndarray:
        """The numbers in the unit of the label."""
        return np.asarray(self.values, dtype=float) * self.scale.factor

    @property
    def label(self) -> str:
        return self.name if self.worded else self.scale.label(self.name)

    @property
    def logarithmic(self) -> bool:
        """Whether the values lie evenly on a logarithmic axis rather than on a plain one; of two, whether half a cell
        below them would be negative."""
        known = np.unique(np.asarray(self.values, dtype=float))
        known = known[np.isfinite(known)]
        if len(known) == 2:
            return bool(0.0 < 3.0 * known[0] < known[1])
        if len(known) < 3 or known[0] <= 0.0 or known[-1] < 5.0 * known[0]:
            return False
        steps, ratios = np.diff(known), np.diff(np.log(known))
        return bool(np.std(ratios) / np.mean(ratios) < np.std(steps) / np.mean(steps))


def grouped(value: float, digits: int = 0) -> str:
    """Thousands apart by a thin space, from five digits on: 19 419."""
    text = f"{value:,.{digits}f}"
    whole = text.lstrip("-").split(".")[0]
    return text.replace(",", THIN if len(whole) > 5 else "").replace("-", MINUS)


def group_ticks(axis: Any, suffix: str = "") -> None:
    """Plain numbers with grouped thousands at the ticks of a matplotlib axis."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    locator = MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10], min_n_ticks=3)

    def show(value: float, position: int | None) -> str:
        low, high = axis.get_view_interval()
        ticks = locator.tick_values(low, high)
        step = abs(ticks[1] - ticks[0]) if len(ticks) > 1 else 1.0
        if step < SMALLEST:
            return f"{round(value / step) * step:.3g}".replace("-", MINUS) + suffix
        # as many digits as the spacing of the ticks needs, 2.5 needing one more than 2
        digits = next((d for d in range(9) if abs(step * 10**d - round(step * 10**d)) < 1e-6 * step * 10**d), 9)
        return grouped(value + 0.0, digits) + suffix

    axis.set_major_locator(locator)
    axis.set_major_formatter(FuncFormatter(show))


def readable(axes: Any, *, x: bool = True, y: bool = True) -> None:
    """Grouped numbers at the ticks."""
    if x:
        group_ticks(axes.xaxis)
    if y:
        group_ticks(axes.yaxis)
