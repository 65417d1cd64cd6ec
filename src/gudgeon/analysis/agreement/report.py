"""The agreement report in lines for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from gudgeon.analysis.statistics.mean import Mean
from gudgeon.analysis.statistics.windows import FAINT

if TYPE_CHECKING:
    from gudgeon.analysis.agreement.pointwise import Agreement
    from gudgeon.analysis.agreement.routes import Route, Routes

__all__ = ["report"]

WIDTH = 100
SAME = 3.0  # combined standard errors within which means count as the same


def report(comparison: Routes) -> Iterator[str]:
    """Routes, pointwise agreement, first impacts, statistics, cost."""
    play = "" if math.isnan(comparison.clearance) else f", play {comparison.clearance * 1e3:g} mm"
    yield f'contact models of joint "{comparison.joint}" of {comparison.name}{play}'
    for route in comparison.routes:
        yield from _item(route.name, f"not run: {route.refused}" if route.refused else _how(route, comparison))
    yield ""
    yield from _pointwise(comparison)
    yield from _touches(comparison)
    yield from _statistics(comparison)
    yield ""
    yield from _cost(comparison)


def _how(route: Route, comparison: Routes) -> str:
    setting = f"rtol {comparison.rtol:.0e}" if route.step is None else f"step {_time(route.step)}"
    if route.step is not None and comparison.period:
        setting += f", {comparison.period / route.step:.0f} in a revolution"
    return f"{route.words}; {route.method}, {setting}"


def _pointwise(comparison: Routes) -> Iterator[str]:
    percent = f"{100 * comparison.share:g} % of the clearance"
    yield from wrap(
        f"motions over {_when(comparison.span, comparison)}; equal means a difference below {percent}; "
        "each is trusted until a second run with a smaller tolerance differs",
        WIDTH,
    )
    pairs = {pair.route: pair for pair in comparison.agreements}
    for route in comparison.ran:
        if route.horizon is None:
            text = route.trust or "no trust horizon: the joint has no play"
        else:
            until = "the end" if route.horizon >= comparison.span else _when(route.horizon, comparison)
            text = f"trusted to {until}"
        pair = pairs.get(route.name)
        yield from _item(route.name, text + (f"; {_pair(pair, comparison)}" if pair else ""))


def _pair(pair: Agreement, comparison: Routes) -> str:
    if pair.horizon is None:
        return f"motions of {pair.route} and {pair.reference} cannot be compared"
    same = "to the end" if pair.until is None else f"until {_when(pair.until, comparison)}"
    most = f"they differ by {pair.largest:.3g} clearances at most"
    return f"equal to {pair.reference} {same}; up to {_when(pair.horizon, comparison)}, the shorter trust, {most}"


def _touches(comparison: Routes) -> Iterator[str]:
    count = max((len(route.first) for route in comparison.ran), default=0)
    if not count:
        return
    yield ""
    rows = [["first impacts", "", *(f"{k}" for k in range(1, count + 1))]]
    for route in comparison.ran:
        if not route.first:
            rows.append([f"  {route.name}", "none"])
            continue
        rows.append([f"  {route.name}", "t [ms]", *(f"{touch.t_on * 1e3:.5f}" for touch in route.first)])
        rows.append(["", "speed [m/s]", *(f"{touch.speed:.4f}" for touch in route.first)])
        rows.append(["", "lasts [µs]", *(_lasts(touch.t_off - touch.t_on) for touch in route.first)])
        rows.append(["", "peak [N]", *(f"{touch.peak_force:.0f}" for touch in route.first)])
        after = next((pair.after for pair in comparison.agreements if pair.route == route.name), ())
        if after:
            said = ["-" if math.isnan(x) else f"{100 * x:.3g} %" for x in after]
            rows.append(["", f"different from {comparison.reference.name} after", *said])
    yield from aligned(rows)
    if any(route.rigid for route in comparison.ran) and not comparison.reference.rigid:
        yield from _note("at a rigid wall an impact takes no time, at a compliant one it does: after the first "
                         "impact the motions differ by the distance that the journal moves in that time; peak forces "
                         "at rigid walls are estimates from the stiffness of the wall")  # fmt: skip


def _statistics(comparison: Routes) -> Iterator[str]:
    yield ""
    if comparison.windows:
        yield f"statistics of {comparison.windows} windows of 2 revolutions, after {comparison.transient}"
    elif comparison.period:
        span = _when(comparison.span, comparison)
        yield f"statistics of the whole run of {span}, without errors: no windows were requested"
    else:
        yield "statistics of the whole run, without errors: windows need a drive at constant speed"
    reference, others = comparison.reference, comparison.ran[1:]
    title = ["", "", reference.name]
    for route in others:
        title += [route.name, "apart"] if comparison.windows else [route.name]
    rows = [title]
    for name in reference.statistics:
        unit = {"1": ""}.get(comparison.units[name], comparison.units[name])
        row = [f"  {name}", unit, mean_text(reference.statistics[name])]
        for route in others:
            row.append(mean_text(route.statistics[name]) if name in route.statistics else "-")
            if comparison.windows:
                apart = comparison.distance(route.name, name)
                row.append("-" if apart is None else f"{apart:.1f} σ")
        rows.append(row)
    yield from aligned(rows)
    yield from _note(
        f"σ: combined standard errors between the means, up to {SAME:g} is the same; impacts: faster than {FAINT:g} m/s"
    )
    if any(route.rigid for route in comparison.ran) and not all(route.rigid for route in comparison.ran):
        yield from _note("at rigid walls an impact takes no time: the share of contact counts lasting contacts "
                         "only, and the rms takes an impact as a pulse of its impulse and estimated peak")  # fmt: skip


def _cost(comparison: Routes) -> Iterator[str]:
    per = "revolution" if comparison.period else "second"
    base = comparison.reference.cost
    rows = [[f"cost per {per}", "evaluations", "steps", "time [ms]", f"evaluations / {comparison.reference.name}",
             f"time / {comparison.reference.name}"]]  # fmt: skip
    for route in comparison.ran:
        if route.cost is None or base is None:
            continue
        cost = route.cost
        ratios = [f"{cost.evaluations / base.evaluations:.3f}", f"{cost.wall_time / base.wall_time:.2f}"]
        spent = [f"{cost.evaluations:.0f}", f"{cost.steps:.0f}", f"{cost.wall_time * 1e3:.3g}"]
        rows.append([f"  {route.name}", *spent, *ratios])
    yield from aligned(rows, 1)


def mean_text(mean: Mean) -> str:
    """A mean with its error, or a value that has none."""
    if math.isnan(mean.error):
        return f"{mean.value:.5g}"
    return str(mean)


def aligned(rows: Sequence[Sequence[str]], left: int = 2) -> Iterator[str]:
    """Columns below each other: the first ones to the left, the others to the right."""
    columns = max(map(len, rows))
    full = [[*row, *[""] * (columns - len(row))] for row in rows]
    widths = [max(len(row[k]) for row in full) for k in range(columns)]
    for row in full:
        cells = [
            cell.ljust(w) if k < left else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _item(label: str, text: str) -> Iterator[str]:
    lines = wrap(text, WIDTH - 11, break_on_hyphens=False, break_long_words=False) or [""]
    yield f"  {label:<8} {lines[0]}"
    yield from (f"{'':<11}{line}" for line in lines[1:])


def _note(text: str) -> Iterator[str]:
    yield from (f"  {line}" for line in wrap(text, WIDTH - 2))


def _when(t: float, comparison: Routes) -> str:
    turns = f" ({t / comparison.period:.3g} rev)" if comparison.period else ""
    return f"{_time(t)}{turns}"


def _time(t: float) -> str:
    return f"{t:.4g} s" if t >= 1.0 else f"{t * 1e3:.4g} ms" if t >= 1e-3 else f"{t * 1e6:.4g} µs"


def _lasts(t: float) -> str:
    return "-" if math.isnan(t) else f"{t * 1e6:.1f}"
