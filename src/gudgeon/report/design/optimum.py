"""An optimum in a table and sentences, and as an object for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from gudgeon.desk.optimise import FreeNumber, Optimum
from gudgeon.draw.scale import Scale, scale_for
from gudgeon.report.design.sections import Item, PageSection
from gudgeon.report.text import UNITS

__all__ = ["optimum_dict", "optimum_section"]


def optimum_section(found: Optimum) -> PageSection:
    """Free numbers at the start and at the optimum, then what that is worth."""
    rows = []
    for number in found.free:
        scale = scale_for(number.unit, number.low, number.high)
        good = found.as_good.get(number.path)
        told = "" if good is None else " to ".join(_text(scale, x) for x in good)
        rows.append([number.path, _value(number, scale, found.start_values[number.path]),
                     _value(number, scale, found.values[number.path]), told,
                     "" if number.choices else scale.unit])  # fmt: skip
    columns = ("free", ">start", ">optimum", "as good within the spread", "unit")
    return PageSection(f"{found.target.text} is least" if found.target.sign > 0 else found.target.text, columns, rows,
                   list(_sentences(found)))  # fmt: skip


def _value(number: FreeNumber, scale: Scale, value: Any) -> str:
    return str(value) if number.choices and isinstance(value, str) else _text(scale, value)


def _text(scale: Scale, value: float) -> str:
    return f"{scale.factor * value:.6g}"


def _sentences(found: Optimum) -> Iterator[Item]:
    scale = scale_for(found.unit, found.goal, found.start)

    def text(value: float) -> str:
        return f"{scale.factor * value:.5g}"

    unit = f" {UNITS.get(scale.unit, scale.unit)}".rstrip()
    where = f"on {found.machines} other machines" if found.machines > 1 else "computed again"
    yield "goal", f"{text(found.goal)}{unit} at the optimum, {text(found.start)}{unit} at the start, {where}"
    gain = found.gain
    sure = gain.low > 0.0
    yield "gain" if sure else "warning", (
        f"{text(gain.value)}{unit} ({text(gain.low)} to {text(gain.high)})"
        + ("" if sure else ": not more than what chance and neighbours make")
    )  # fmt: skip
    who = "machines" if found.machines > 1 else "neighbours within 1 % of the ranges"
    before, there = (" to ".join(text(end) for end in ends) for ends in found.spread)
    yield "spread", f"of 90 % of {who}: {there}{unit} there, {before}{unit} at the start"
    for limit in found.limits:
        first, last, kept = found.kept[limit.measure]
        size = scale_for(limit.unit, first, last, limit.value)
        yield "limit" if kept else "warning", (
            f"{limit.measure} {limit}: {size.factor * last:.5g} {size.unit} at the optimum, "
            f"{size.factor * first:.5g} at the start{'' if kept else '; it is not kept'}"
        )  # fmt: skip
    if not found.feasible:
        yield "remedy", "no candidate keeps all limits; free other numbers or wider ranges"
    ended = "nothing got better" if found.settled else "the generations were used up; give more of them"
    yield "search", f"{len(found.history)} generations, {found.runs} runs; {ended}"


def optimum_dict(found: Optimum) -> dict[str, Any]:
    """Everything with all digits, in SI units."""
    whole = asdict(found)
    whole["goal_text"], whole["feasible"] = found.target.text, found.feasible
    return {name: value for name, value in whole.items() if name != "target"}
