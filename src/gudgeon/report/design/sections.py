"""The answer of the design desk in tables and sentences, for the terminal and for a page, and as an object for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gudgeon.analysis.tolerance import PositionError
from gudgeon.desk.answer import AllowedClearance, DesignAnswer, FitSet, MeasureSpread
from gudgeon.desk.beside import Beside
from gudgeon.desk.fits import JointFit
from gudgeon.draw.scale import scale_for
from gudgeon.report.text import time_text

__all__ = ["PageSection", "answer_dict", "beside_sections", "sections"]

Item = tuple[str, str]
CHAOTIC = 0.5  # share of the variance from which on chaos is said to hide what joints do


@dataclass(frozen=True)
class PageSection:
    """A table with its title, and labelled sentences below it; titles of columns with ">" are numbers."""

    title: str
    columns: tuple[str, ...] = ()
    rows: list[list[str]] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


def sections(answer: DesignAnswer) -> Iterator[PageSection]:
    """What was asked, in the order of the page: joints, positions, measures, the answer."""
    if answer.joints:
        yield _joints(answer)
    if answer.static is not None:
        yield _errors(answer)
        for error in answer.errors:
            yield _contributions(error)
    for spread in answer.spreads:
        yield _spread(spread)
        if spread.influence is not None:
            yield _influence(spread)
    found = _answer(answer) if answer.asks else None
    if found is not None and (found.rows or found.items):  # limits of positions are judged with their contributions
        yield found


def _joints(answer: DesignAnswer) -> PageSection:
    worn = any(joint.wear for joint in answer.joints)
    columns = ("joint", "fit", *((">wear [µm]",) if worn else ()), ">clearance from [µm]", ">to [µm]", ">cost")
    rows = [
        [joint.joint, joint.text, *([f"{1e6 * joint.wear:.4g}"] if worn else []), f"{1e6 * joint.least:.4g}",
         f"{1e6 * joint.largest:.4g}", "-" if joint.cost is None else f"{joint.cost:.4g}"]
        for joint in answer.joints
    ]  # fmt: skip
    return PageSection("joints and their fits", columns, rows)


def _errors(answer: DesignAnswer) -> PageSection:
    rows = []
    for error in answer.errors:
        scale = scale_for(error.unit, error.worst)
        numbers = [error.worst, error.exact, *(error.percentiles[share] for share in (0.99, 0.95, 0.5))]
        worst, exact, *shares = (f"{scale.factor * x:.4g}" for x in numbers)
        rows.append([error.name, f"± {worst}", exact, time_text(error.time), *shares, scale.unit])
    assert answer.static is not None
    where = "always at the wall" if answer.static.place == "wall" else "anywhere in their clearance"
    columns = ("position", ">worst case", ">assembled", ">at", ">99 %", ">95 %", ">50 %", "unit")
    meaning = ("worst case: all journals at the wall where they do most, to first order; assembled: the same, exact; "
               f"99 %: of all combinations at that position, journals {where}; clearances the largest of the fits")
    return PageSection("errors of position by play", columns, rows, [("meaning", meaning)])


def _contributions(error: PositionError) -> PageSection:
    fits = any(part.play.fit for part in error.contributions)
    unit = "" if error.unit == "m" else " [rad/m]"
    columns = ("play", *(("fit",) if fits else ()), ">clearance [mm]", f">influence{unit}", ">worst case", ">variance",
               *((">allowed [mm]",) if error.limit is not None else ()))  # fmt: skip
    rows = []
    for part in error.contributions:
        row = [part.play.name, *([part.play.fit] if fits else []), f"{1e3 * part.play.clearance:.4g}",
               f"{part.influence:.4g}", f"{100 * part.of_worst:.0f} %", f"{100 * part.of_variance:.0f} %"]  # fmt: skip
        if error.limit is not None:
            row.append("any" if part.allowed is None else f"{1e3 * part.allowed:.4g}")
        rows.append(row)
    return PageSection(f"what contributes to {error.name}", columns, rows, list(_verdict(error)))


def _verdict(error: PositionError) -> Iterator[Item]:
    if error.limit is None or error.factor is None or error.within is None:
        return
    scale = scale_for(error.unit, error.limit)
    limit = f"± {scale.factor * error.limit:.4g} {scale.unit}"
    first = error.contributions[0].play.name
    if error.kept:
        yield "limit", (f"{limit} is kept, even in the worst case; all clearances could be {error.factor:.3g} times as "
                        "large")  # fmt: skip
        return
    yield "warning", (f"{limit} is not kept in the worst case, but by {100 * error.within:.3g} % of all combinations "
                      "at the worst position")  # fmt: skip
    yield "remedy", f'tighten "{first}" first; all clearances {error.factor:.3g} times as large keep it'


def _spread(spread: MeasureSpread) -> PageSection:
    """Percentiles over all machines, and how they converged."""
    scale = scale_for(spread.unit, *(part.value for part in spread.percentiles))

    def text(value: float | None) -> str:
        return "-" if value is None else f"{scale.factor * value:.4g}"

    rows = [[f"{100 * part.share:g} % are below", text(part.value), text(part.low), text(part.high), scale.unit]
            for part in spread.percentiles]  # fmt: skip
    items = []
    if spread.limit is not None and spread.kept is not None:
        items.append(("limit", f"{spread.limit}: {spread.kept} of the machines keep it"))
    if len(spread.convergence) > 1:
        share = 100 * spread.convergence[0].percentile.share
        told = "; ".join(f"{2 * part.pairs}: {text(part.percentile.value)} ({text(part.percentile.low)} to "
                         f"{text(part.percentile.high)})" for part in spread.convergence)  # fmt: skip
        items.append(("converged", f"{share:g} % from the first runs only: {told} {scale.unit}".rstrip()))
    columns = (f"{spread.name}, {len(spread.values)} machines", ">value", ">from", ">to", "unit")
    return PageSection(f"{spread.name} over all machines of the drawing", columns, rows, items)


def _influence(spread: MeasureSpread) -> PageSection:
    found = spread.influence
    assert found is not None
    rows = [[part.name, str(part.first), str(part.total)] for part in
            sorted(found.parts, key=lambda part: -(part.total or part.first).value)]  # fmt: skip
    items = []
    if found.noise is not None:
        rows.append(["chaos", str(found.noise), ""])
        if found.noise.value > CHAOTIC:
            items.append(("remedy", "most of the scatter is chaos, the same in machines that nothing tells apart: "
                          "measure more turns (--turns), or a mean (mean peak), before a joint is blamed"))  # fmt: skip
    confidence = f"{100 * found.confidence:g} % confidence"
    columns = ("joint", f">share of the variance ({confidence})", ">with all interactions")
    return PageSection(f"what {spread.name} depends on", columns, rows, items)


def _answer(answer: DesignAnswer) -> PageSection:
    joints = {joint.joint: joint for joint in answer.joints}
    drawn, cheapest = answer.drawn, answer.cheapest
    columns = ("joint", "fit", ">largest [µm]", ">allowed [µm]", "keep it there", "cheapest fit")
    rows = [
        [each.joint, joints[each.joint].text, f"{1e6 * each.drawn:.4g}", _allowed(each), _kept(each),
         "-" if cheapest is None else cheapest.fits[each.joint]]
        for each in answer.allowed
    ]  # fmt: skip
    return PageSection("the answer", columns, rows, list(_sentences(answer, joints, drawn, cheapest)))


def _allowed(each: AllowedClearance) -> str:
    if each.value is None:
        return "none proved" if each.kept is None else "none"
    return f"{'at least ' if each.all else ''}{1e6 * each.value:.4g}"


def _kept(each: AllowedClearance) -> str:
    return "" if each.value is None else "in closed form" if each.kept is None else str(each.kept)


def _sentences(answer: DesignAnswer, joints: dict[str, JointFit], drawn: FitSet | None,
               cheapest: FitSet | None) -> Iterator[Item]:  # fmt: skip
    share = f"{100 * answer.share:g} %"
    if answer.kept is not None:
        enough = answer.kept.low >= answer.share
        what = "the limit" if len(answer.limits) == 1 else "all limits"
        yield ("limit" if enough else "warning"), (f"{answer.kept} of the machines of this drawing keep {what} of the "
                                                   f"motion; required: {share}")  # fmt: skip
    if answer.allowed:
        yield "allowed", ("the largest clearance of a joint with which the limits are kept, the others as drawn, by "
                          f"{share} of all machines with {100 * answer.confidence:g} % confidence")  # fmt: skip
    if any(joint.choices for joint in joints.values()):
        if cheapest is None:
            yield "fits", f"no set of the standard fits was proved to keep the limits; costs: {answer.costs}"
        else:
            before = "" if drawn is None or drawn.cost is None else f" instead of {drawn.cost:.4g}"
            count = "" if cheapest.kept is None else f", kept by {cheapest.kept} of {cheapest.kept.count} runs"
            yield "fits", f"cheapest: cost {cheapest.cost:.4g}{before}{count}; costs: {answer.costs}"
    first = answer.tightening[0] if answer.tightening else None
    if first is not None and first.change > 0.0005:
        yield "tighten", (f'"{first.joint}" first: {first.after} instead of {first.before}, '
                          f"{100 * first.change:+.2g} % of the machines keep the limits")  # fmt: skip
    elif answer.tightening:
        yield "tighten", "no joint: a tighter fit of one of them gains less than 0.05 % of the machines"
    if answer.explained is not None:
        yield "searched", (f"on a surface through the runs, which predicts {100 * answer.explained:.0f} % of the "
                           "variance of others; what is allowed was counted in runs")  # fmt: skip
    if answer.runs:
        lost = f", {answer.failed} without a result, which keep no limit" if answer.failed else ""
        yield "runs", f"{answer.runs}{lost}; " + ", ".join(f"{k} {v}" for k, v in answer.settings.items())


def beside_sections(found: Beside) -> Iterator[PageSection]:
    """Two designs: their fits and costs, worst errors of position, measures over all machines."""
    one, two = found.answers
    names = list(dict.fromkeys(joint.joint for answer in found.answers for joint in answer.joints))
    fits = [{joint.joint: joint.text for joint in answer.joints} for answer in found.answers]
    rows = [[name, *(each.get(name, "-") for each in fits)] for name in names]
    for title, values in (("cost of the fits", [_cost(answer.drawn) for answer in found.answers]),
                          ("machines that keep the limits", [_share(answer) for answer in found.answers])):  # fmt: skip
        if any(values):
            rows.append([title, *(value or "-" for value in values)])
    cheapest = [answer.cheapest for answer in (one, two)]
    if any(each is not None for each in cheapest):
        rows.append(["cost of the cheapest fits", *(_cost(each) or "-" for each in cheapest)])
    for name, (left, right) in found.worst.items():
        unit = next(error.unit for error in one.errors if error.name == name)
        scale = scale_for(unit, left, right)
        rows.append([f"{name}, worst error", *(f"{scale.factor * x:.4g} {scale.unit}" for x in (left, right))])
    items = [item for each in found.measures for item in (("compare", each.measure), *(("", x) for x in each.lines))]
    yield PageSection("two designs beside each other", ("", *found.names), rows, items)


def _cost(fits: FitSet | None) -> str:
    return "" if fits is None or fits.cost is None else f"{fits.cost:.4g}"


def _share(answer: DesignAnswer) -> str:
    return "" if answer.kept is None else str(answer.kept)


def answer_dict(answer: DesignAnswer) -> dict[str, Any]:
    """Everything with all digits, in SI units."""
    return {
        "mechanism": answer.name, "share": answer.share, "confidence": answer.confidence, "runs": answer.runs,
        "failed": answer.failed, "settings": answer.settings, "costs": answer.costs,
        "joints": [
            {"joint": joint.joint, "path": joint.path, "fit": joint.text, "wear": joint.wear, "least": joint.least,
             "largest": joint.largest, "cost": joint.cost, "choices": {c.text: c.cost for c in joint.choices}}
            for joint in answer.joints
        ],
        **_static_dict(answer),
        "measures": [_spread_dict(spread) for spread in answer.spreads],
        "kept": _proportion(answer.kept),
        "allowed": [
            {"joint": each.joint, "drawn": each.drawn, "allowed": each.value, "all": each.all,
             "kept": _proportion(each.kept)}
            for each in answer.allowed
        ],
        "drawn": _set_dict(answer.drawn), "cheapest": _set_dict(answer.cheapest),
        "tightening": [vars(each) for each in answer.tightening], "explained": answer.explained,
    }  # fmt: skip


def _static_dict(answer: DesignAnswer) -> dict[str, Any]:
    if answer.static is None:
        return {"errors": []}
    return {
        "place": answer.static.place, "times": [float(t) for t in answer.static.times],
        "errors": [
            {
                "name": error.name, "unit": error.unit, "worst": error.worst, "time": error.time, "exact": error.exact,
                "deviation": error.deviation, "limit": error.limit, "factor": error.factor, "within": error.within,
                "percentiles": {f"{100 * share:g}": value for share, value in error.percentiles.items()},
                "confidence": {f"{100 * share:g}": list(ends) for share, ends in error.interval.items()},
                "envelope": [float(x) for x in error.envelope],
                "contributions": [
                    {
                        "play": part.play.name, "joint": part.play.joint, "fit": part.play.fit,
                        "clearance": part.play.clearance, "influence": part.influence, "worst": part.worst,
                        "of_worst": part.of_worst, "of_variance": part.of_variance, "allowed": part.allowed,
                    }
                    for part in error.contributions
                ],
            }
            for error in answer.errors
        ],
    }  # fmt: skip


def _spread_dict(spread: MeasureSpread) -> dict[str, Any]:
    found = spread.influence
    return {
        "measure": spread.name, "unit": spread.unit, "machines": len(spread.values),
        "percentiles": [vars(part) for part in spread.percentiles],
        "limit": None if spread.limit is None else {"value": spread.limit.value, "least": spread.limit.least},
        "kept": _proportion(spread.kept),
        "influence": None if found is None else {
            part.name: {"first": vars(part.first), "total": vars(part.total)} for part in found.parts
        },
        "chaos": None if found is None or found.noise is None else vars(found.noise),
        "convergence": [
            {"pairs": part.pairs, "percentile": vars(part.percentile),
             "totals": {name: vars(total) for name, total in part.totals.items()}}
            for part in spread.convergence
        ],
    }  # fmt: skip


def _set_dict(fits: FitSet | None) -> dict[str, Any] | None:
    return None if fits is None else {"fits": fits.fits, "cost": fits.cost, "kept": _proportion(fits.kept)}


def _proportion(kept: Any) -> dict[str, Any] | None:
    return None if kept is None else {"share": kept.value, **vars(kept)}
