"""Find out which fits a machine needs.

What play does to positions and to the motion, and what limits allow.

Positions (slider.x, rod.angle, a point) need no dynamics and take milliseconds: worst case, percentiles, what each
joint contributes. Measures of the motion ("peak pin.force", "touching pin") come from runs with clearances by chance:
percentiles and Sobol indices with confidence intervals. With limits: the largest clearance of each joint that keeps
them, the cheapest set of standard fits, which joint to tighten first.
Beside it, from a run with ideal joints: which loose pins of a planar mechanism must lose contact.

\b
Examples:
  gudgeon tolerance press.yaml --of slider.x --limit slider.x=0.2mm
  gudgeon tolerance press.yaml --point "tool=rod, 170 mm, 20 mm" --plot tool.svg
  gudgeon tolerance feeder.yaml --limit "peak pin.force=250 N" --store out/fits --report fits.html
  gudgeon tolerance feeder.yaml --of "peak pin.force" --wear "20 um" --against feeder-tight.yaml
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gudgeon.cli import contact_loss, screen
from gudgeon.cli.options import Changes, Json, Model, Quiet
from gudgeon.cli.source import find
from gudgeon.desk import tolerance
from gudgeon.desk.beside import beside
from gudgeon.desk.limits import is_measure
from gudgeon.draw import position_errors as drawn
from gudgeon.quantity import GudgeonError, quantity
from gudgeon.report.design.page import design_page
from gudgeon.report.design.sections import PageSection, answer_dict, beside_sections, sections
from gudgeon.report.json_text import json_text
from gudgeon.report.source import ModelSource
from gudgeon.study import uniform
from gudgeon.written import write_text

__all__ = ["assigned_limit", "assigned_scatter", "command", "run_settings", "show_section"]

SETTINGS = ("duration", "revolutions", "method", "rtol", "step")  # of a model file that are those of the runs


def command(
    model: Model,
    changes: Changes = None,
    of: Annotated[
        list[str] | None,
        typer.Option("--of", metavar="NAME",
            help='A position (slider.x, rod.angle, a point) or a measure ("peak pin.force"); may be repeated.'),
    ] = None,
    point: Annotated[
        list[str] | None,
        typer.Option("--point", metavar="NAME=BODY,X,Y", help="A point of a body, at its place in the description."),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="NAME=VALUE",
            help='The largest error or value that is acceptable; "touching pin>=0.9" the least.'),
    ] = None,
    fit: Annotated[
        list[str] | None,
        typer.Option("--fit", metavar="JOINT=FIT", help='Instead of the description: "20 H7/f7", or 10um:40um.'),
    ] = None,
    wear: Annotated[
        list[str] | None,
        typer.Option("--wear", metavar="[JOINT=]SIZE", help="What clearances have grown by at the end of life."),
    ] = None,
    scatter: Annotated[
        list[str] | None,
        typer.Option("--scatter", metavar="PATH=LOW:HIGH", help="Another number that scatters between two values."),
    ] = None,
    share: Annotated[
        str, typer.Option("--share", metavar="SHARE", help="Of all machines that must keep the limits.")
    ] = "95 %",
    confidence: Annotated[
        str, typer.Option("--confidence", metavar="SHARE", help="How certain that must be.")
    ] = "95 %",
    costs: Annotated[
        Path | None, typer.Option("--costs", metavar="FILE", help="Costs of IT grades, and fits to choose from.")
    ] = None,
    samples: Annotated[int, typer.Option("--samples", metavar="N", help="Number of runs, about.")] = 4000,
    store: Annotated[
        Path | None, typer.Option("--store", "-s", metavar="DIR", help="Folder for the runs, to go on after a stop.")
    ] = None,
    revolutions: Annotated[
        float | None, typer.Option("--revolutions", "-r", metavar="N", help="Of each run; default: of the model, or 1.")
    ] = None,
    turns: Annotated[
        int | None, typer.Option("--turns", metavar="N", help="Instead: periods of the settled motion.")
    ] = None,
    transient: Annotated[
        float | None, typer.Option("--transient", metavar="N", help="Periods before these.")
    ] = None,
    against: Annotated[
        str | None, typer.Option("--against", metavar="MODEL", help="A second design, shown beside the first.")
    ] = None,
    wall: Annotated[
        bool, typer.Option("--wall", help="Positions: journals always touch; default: anywhere in their clearance.")
    ] = False,
    instants: Annotated[int, typer.Option("--instants", metavar="N", help="Positions of the cycle.")] = 72,
    period: Annotated[
        str | None, typer.Option("--period", metavar="TIME", help="Of the cycle, where no drive has a constant speed.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the samples.")] = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PATH", help="Write the errors of position as a figure.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write the whole answer as one HTML page.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    source = find(model, changes)
    asked = [" ".join(name.split()) for name in of or []]
    options: dict[str, Any] = {
        "points": dict(_point(text) for text in point or []),
        "limits": dict(assigned_limit(text) for text in limit or []),
        "fits": dict(_fit(text) for text in fit or []), "wear": _wear(wear or []),
        "scatter": dict(assigned_scatter(text) for text in scatter or []), "share": _share(share, "--share"),
        "confidence": _share(confidence, "--confidence"), "costs": costs, "samples": samples,
        "place": "wall" if wall else "within", "instants": instants, "period": period, "seed": seed,
        "progress": False if quiet else None,
    }  # fmt: skip
    if plot is not None and all(is_measure(name) for name in [*asked, *options["limits"], *options["points"]]):
        raise GudgeonError("--plot draws errors of position; ask for one, for instance --of slider.x, or --report")
    ends = {"revolutions": revolutions, "turns": turns, "transient": transient}
    answers = []
    for name, each in (("first", source), *((("second", find(against)),) if against is not None else ())):
        place = None if store is None else store if against is None else store / name
        answers.append(tolerance(each.mechanism, asked, store=place, **options, **run_settings(each, ends)))
    result = answers[0]
    losses = contact_loss.found(source.mechanism, None if period is None else quantity(period, "s", "period"))
    if plot is not None:
        assert result.static is not None
        drawn(result.static).save(plot)
    other = beside(answers[0], answers[1], _names(model, against)) if against is not None else None
    if report is not None:
        write_text(report, design_page(answers, other))
    if json:
        whole = {"case": source.name, "set": changes or [], **answer_dict(result)}
        more = {} if other is None else {"against": answer_dict(answers[1]), "beside": other.as_dict()}
        print(json_text(whole | more | {"contact_loss": contact_loss.as_list(losses)}))
        return
    print(screen.title(f"{result.name} · fits and what they do"))
    for section in sections(result):
        show_section(section)
    for line in contact_loss.described(losses):
        screen.show(line)
    for section in beside_sections(other) if other is not None else ():
        show_section(section)
    for path in (plot, report):
        if path is not None:
            print(f"\nwrote {path}")


def show_section(section: PageSection) -> None:
    print("\n" + screen.title(section.title))
    if section.rows:
        table = screen.table(*section.columns)
        for row in section.rows:
            table.add_row(*row)
        screen.show(table)
    for label, text in section.items:
        print(screen.item(label, text))


def _names(first: str, second: str | None) -> tuple[str, str]:
    return Path(first).stem, Path(second or "").stem


def run_settings(source: ModelSource, ends: dict[str, Any]) -> dict[str, Any]:
    """Of the model file, and of the options before it."""
    given = {name: value for name, value in ends.items() if value is not None}
    own = {name: getattr(source.settings, name) for name in SETTINGS}
    if {"revolutions", "turns"} & given.keys():
        own |= {"duration": None, "revolutions": None}
    return {name: value for name, value in (own | given).items() if value is not None}


def _assignment(text: str, option: str, example: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise GudgeonError(f'{option} "{text}": write NAME=VALUE, for instance {option} {example}')
    return name, value


def assigned_limit(text: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in text.partition(">="))
    if sign and name and value:
        return " ".join(name.split()), f">= {value}"
    name, value = _assignment(text, "--limit", 'slider.x=0.2mm, or "touching pin>=0.9"')
    return " ".join(name.split()), value


def _fit(text: str) -> tuple[str, Any]:
    name, value = _assignment(text, "--fit", 'pin="20 H7/f7"')
    low, colon, high = value.partition(":")
    return name, (low.strip(), high.strip()) if colon else value


def _wear(texts: list[str]) -> Any:
    named = dict(_assignment(text, "--wear", "pin=20um") for text in texts if "=" in text)
    every = [text for text in texts if "=" not in text]
    if len(every) > 1 or (every and named):
        raise GudgeonError(f"--wear {every[-1]}: give one size for all joints, or JOINT=SIZE for each")
    return every[0] if every else named


def assigned_scatter(text: str) -> tuple[str, Any]:
    name, value = _assignment(text, "--scatter", "rod.mass=0.20kg:0.22kg")
    low, colon, high = (part.strip() for part in value.partition(":"))
    if not (low and colon and high):
        raise GudgeonError(f'--scatter "{text}": write PATH=LOW:HIGH, for instance --scatter rod.mass=0.20kg:0.22kg')
    return name, uniform(low, high)


def _share(text: str, option: str) -> float:
    return quantity(text if "%" in text else _number(text, option), "", option)


def _number(text: str, option: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GudgeonError(f'{option} "{text}" is no share; write for instance {option} "95 %"') from None


def _point(text: str) -> tuple[str, tuple[str, tuple[float, ...]]]:
    example = '"tool=rod, 170 mm, 20 mm"'
    name, value = _assignment(text, "--point", example)
    body, *at = (part.strip() for part in value.split(","))
    if not at:
        raise GudgeonError(f'--point "{text}": write a name, a body and its place, for instance --point {example}')
    return name, (body, tuple(quantity(x, "m", f'--point "{name}"') for x in at))
