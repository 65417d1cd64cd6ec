"""Numbers, times and counts as text."""

from __future__ import annotations

from collections.abc import Mapping

from gudgeon.quantity import plural

__all__ = ["UNITS", "counted", "grouped", "plural", "time_text"]

UNITS = {"m/s^2": "m/s²", "rad/s^2": "rad/s²", "Nm": "N m"}  # as printed


def grouped(value: float, digits: int = 4) -> str:
    """A number for people: 4 significant digits, thousands apart from five digits on."""
    if value == 0.0 or value != value:
        return "0" if value == 0.0 else "-"
    size = abs(value)
    if size >= 1e7 or size < 1e-3:
        return f"{value:.{digits - 1}e}"
    places = max(0, digits - 1 - int(f"{size:e}".rsplit("e", 1)[1]))
    text = f"{value:,.{places}f}"
    return text.replace(",", " " if size >= 1e4 else "")


def time_text(t: float) -> str:
    """A time [s] for people."""
    if t >= 1.0:
        return f"{t:.5g} s"
    return f"{t * 1e3:.4g} ms" if t >= 1e-3 else f"{t * 1e6:.4g} µs"


def counted(counts: Mapping[str, int]) -> str:
    """312 of 400 runs done, 2 failed, 86 to do"""
    words = {"failed": "failed", "crashed": "crashed", "todo": "to do"}
    rest = [f"{counts[key]} {word}" for key, word in words.items() if counts[key]]
    return ", ".join([f"{counts['done']} of {sum(counts.values())} runs done", *rest])
