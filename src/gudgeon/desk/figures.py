"""Pictures of an answer: distributions, influences, the map of two clearances, errors along paths."""

from __future__ import annotations

from collections.abc import Iterator

from gudgeon import draw
from gudgeon.analysis.tolerance import Tolerance
from gudgeon.desk.answer import DesignAnswer, MeasureSpread
from gudgeon.draw.scale import Quantity
from gudgeon.quantity import GudgeonError, in_words

__all__ = ["clearance_map", "distribution", "figures", "paths", "tornado"]


def figures(answer: DesignAnswer) -> Iterator[tuple[str, draw.Figure]]:
    """Everything that there is to draw, with what it shows."""
    if answer.static is not None:
        yield "Errors of position over the cycle, and what each play contributes", draw.position_errors(answer.static)
        for name in paths(answer.static):
            yield f"Where play lets {name} be, magnified", draw.path_errors(answer.static, name)
    for spread in answer.spreads:
        yield f"{spread.name} over all machines of the drawing", distribution(answer, spread)
        if spread.influence is not None:
            yield f"What {spread.name} depends on", tornado(answer, spread)
    if answer.asks and len(answer.joints) > 1 and answer.surface is not None:
        yield "Clearances of two joints, the others as drawn", clearance_map(answer)


def paths(static: Tolerance) -> list[str]:
    """The positions that are points of the plane."""
    known = static.influences.outputs
    return [name for name, place in known.items() if place.stop - place.start == 2]


def distribution(answer: DesignAnswer, spread: MeasureSpread) -> draw.Figure:
    """The values of all machines, with percentiles and the limit."""
    limit = None if spread.limit is None else spread.limit.value
    samples = [(f"{len(spread.values)} machines", spread.values, spread.percentiles)]
    return draw.distribution(spread.name, spread.unit, samples, f"{answer.name} · {spread.name}", limit)


def tornado(answer: DesignAnswer, spread: MeasureSpread) -> draw.Figure:
    """Influences of the joints on a measure."""
    if spread.influence is None:
        raise GudgeonError(f'tornado: "{spread.name}" has no influences; there were too few runs, or it never changes')
    return draw.tornado(spread.influence, f"{answer.name} · what {spread.name} depends on")


def clearance_map(answer: DesignAnswer, first: str | None = None, second: str | None = None) -> draw.Figure:
    """Of two joints; default: those whose tightening does most."""
    names = [joint.joint for joint in answer.joints]
    if answer.surface is None or len(names) < 2:
        raise GudgeonError("map: it needs limits of a measure and two joints with fits")
    ranked = [each.joint for each in answer.tightening if each.joint in names]
    usual = [*ranked, *(name for name in names if name not in ranked)]
    pair = [first or usual[0]]
    pair.append(second or next(name for name in usual if name != pair[0]))
    for name in pair:
        if name not in names:
            raise GudgeonError(f'map: "{name}" has no fit; there are {in_words(names)}')
    a, b = (names.index(name) for name in pair)
    x, y, shares = answer.surface.map(a, b)
    wide, high = ((answer.joints[k].least, answer.joints[k].largest) for k in (a, b))
    boxes = [("as drawn", wide, high)]
    if answer.cheapest is not None:
        ends = []
        for k in (a, b):
            text = answer.cheapest.fits[names[k]]
            joint = answer.joints[k]
            choice = next((each for each in joint.choices if each.text == text), None)
            ends.append((joint.least, joint.largest) if choice is None else choice.axis.limits)
        boxes.append(("cheapest fits", ends[0], ends[1]))
    along, up = (Quantity(f"clearance of {name}", values, "m") for name, values in zip(pair, (x, y), strict=True))
    title = f"{answer.name} · clearances that are allowed"
    return draw.allowed_map(along, up, shares, answer.share, boxes, title)
