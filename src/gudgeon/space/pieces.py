"""Steps of a number cut at places where a formula has kinks: plain functions, called as opaque ones."""

from __future__ import annotations


def clip(x: float, low: float, high: float) -> float:
    """The nearest place from low to high."""
    if x < low:
        return low
    return high if x > high else x


def part(before: float, after: float, low: float, high: float) -> float:
    """Share of a step that lies from low to high."""
    if low <= before < high and low <= after < high:
        return 1.0
    if before == after:
        return 0.0
    return (clip(after, low, high) - clip(before, low, high)) / (after - before)
