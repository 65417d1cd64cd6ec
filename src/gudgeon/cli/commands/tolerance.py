"""Find the errors of position that play makes.

Worst case, percentiles, and what each joint contributes. The mechanism goes through its cycle with ideal joints;
clearances are the largest that their fits allow. From a run with ideal joints follows which loose pins of a planar
mechanism must lose contact. What play does to forces, see `gudgeon run` and `gudgeon study`.

\b
Examples:
  gudgeon tolerance press.yaml --of slider.x
  gudgeon tolerance press.yaml --of slider.x --limit slider.x=0.2mm
  gudgeon tolerance press.yaml --point "tool=rod, 170 mm, 20 mm" --plot tool.svg
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.analysis.tolerance import tolerance
from gudgeon.cli import contact_loss, screen
from gudgeon.cli.options import Changes, Json, Model
from gudgeon.cli.source import find
from gudgeon.draw import position_errors as drawn
from gudgeon.draw.scale import scale_for
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.report.json_text import json_text
from gudgeon.report.text import time_text

if TYPE_CHECKING:
    from rich.table import Table

    from gudgeon.analysis.tolerance import PositionError, Tolerance

__all__ = ["command"]


def command(
    model: Model,
    changes: Changes = None,
    of: Annotated[
        list[str] | None,
        typer.Option("--of", metavar="NAME", help="A position: slider.x, rod.angle, a body or point; may be repeated."),
    ] = None,
    point: Annotated[
        list[str] | None,
        typer.Option("--point", metavar="NAME=BODY,X,Y", help="A point of a body, at its place in the description."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="NAME=VALUE", help="The largest error that is acceptable, on either side."),
    ] = None,
    wall: Annotated[
        bool, typer.Option("--wall", help="Journals always touch; default: they are anywhere in their clearance.")
    ] = False,
    instants: Annotated[int, typer.Option("--instants", metavar="N", help="Positions of the cycle.")] = 72,
    period: Annotated[
        str | None, typer.Option("--period", metavar="TIME", help="Of the cycle, where no drive has a constant speed.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Write a figure: .svg, .png or .pdf.")
    ] = None,
    json: Json = False,
) -> None:
    source = find(model, changes)
    places = dict(_point(text) for text in point or [])
    limits = dict(_assignment(text, "--limit", "slider.x=0.2mm") for text in limit or [])
    result = tolerance(source.mechanism, of or [], points=places, limits=limits, place="wall" if wall else "within",
                       instants=instants, period=period)  # fmt: skip
    losses = contact_loss.found(source.mechanism, None if period is None else quantity(period, "s", "period"))
    if plot is not None:
        drawn(result).save(plot)
    if json:
        page = as_dict(source.name, changes or [], result)
        print(json_text({**page, "contact_loss": contact_loss.as_list(losses)}))
        return
    print(screen.title(f"{result.name} · errors of position by play"))
    for line in [*described(result), *contact_loss.described(losses)]:
        screen.show(line)
    if plot is not None:
        print(f"\nwrote {plot}")


def _assignment(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise GudgeonError(f'{option} "{text}": write NAME=VALUE, for instance {option} {example}')
    return name, value


def _point(text: str) -> tuple[str, tuple[str, tuple[float, ...]]]:
    example = '"tool=rod, 170 mm, 20 mm"'
    name, value = _assignment(text, "--point", example)
    body, *at = (part.strip() for part in value.split(","))
    if not at:
        raise GudgeonError(f'--point "{text}": write a name, a body and its place, for instance --point {example}')
    return name, (body, tuple(quantity(x, "m", f'--point "{name}"') for x in at))


def described(result: Tolerance) -> list[str | Table]:
    """The errors, what contributes, and the verdict."""
    errors = screen.table("position", ">worst case", ">assembled", ">at", ">99 %", ">95 %", ">50 %", "unit")
    for error in result.errors:
        scale = scale_for(error.unit, error.worst)
        numbers = [error.worst, error.exact, *(error.percentiles[share] for share in (0.99, 0.95, 0.5))]
        worst, exact, *shares = (f"{scale.factor * x:.4g}" for x in numbers)
        errors.add_row(error.name, f"± {worst}", exact, time_text(error.time), *shares, scale.unit)
    where = "always at the wall" if result.place == "wall" else "anywhere in their clearance"
    lines: list[str | Table] = [
        errors, "",
        screen.item("meaning", "worst case: all journals at the wall where they do most, to first order; assembled: "
                               f"the same, exact; 99 %: of all combinations at that position, journals {where}"),
    ]  # fmt: skip
    for error in result.errors:
        lines += ["", *_contributions(error)]
    return lines


def _contributions(error: PositionError) -> list[str | Table]:
    fits = any(part.play.fit for part in error.contributions)
    unit = "" if error.unit == "m" else " [rad/m]"
    columns = [">clearance [mm]", f">influence{unit}", ">worst case", ">variance"]
    parts = screen.table("play", *(["fit"] if fits else []), *columns, *([">allowed [mm]"] if error.limit else []))
    for part in error.contributions:
        row = [part.play.name, *([part.play.fit] if fits else []), f"{1e3 * part.play.clearance:.4g}",
               f"{part.influence:.4g}", f"{100 * part.of_worst:.0f} %", f"{100 * part.of_variance:.0f} %"]  # fmt: skip
        if error.limit is not None:
            row.append("any" if part.allowed is None else f"{1e3 * part.allowed:.4g}")
        parts.add_row(*row)
    return [screen.title(f"what contributes to {error.name}"), parts, *_verdict(error)]


def _verdict(error: PositionError) -> list[str]:
    if error.limit is None or error.factor is None or error.within is None:
        return []
    scale = scale_for(error.unit, error.limit)
    limit = f"± {scale.factor * error.limit:.4g} {scale.unit}"
    first = error.contributions[0].play.name
    if error.kept:
        return [screen.item("limit", f"{limit} is kept, even in the worst case; all clearances could be "
                                     f"{error.factor:.3g} times as large")]  # fmt: skip
    return [
        screen.item("warning", f"{limit} is not kept in the worst case, but by {100 * error.within:.3g} % of all "
                               f"combinations at the worst position"),
        screen.item("remedy", f'tighten "{first}" first; all clearances {error.factor:.3g} times as large keep it'),
    ]  # fmt: skip


def as_dict(name: str, changes: list[str], result: Tolerance) -> dict[str, Any]:
    """Everything with all digits, in SI units."""
    return {
        "case": name, "set": changes, "place": result.place, "times": [float(t) for t in result.times],
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
            for error in result.errors
        ],
    }  # fmt: skip
