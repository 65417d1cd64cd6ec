"""Choose masses, counterweights or fits so that a measure, or a probability, is least.

Every candidate is tried on the same machines. Start and optimum are then tried on others, so that the gain is not luck;
the ranges in which other candidates are as good say how exact the numbers need to be.

\b
Goals:
  "peak main.force"                   of one machine; of several their mean
  "most lowest main.fy"               as large as can be
  "95 % of peak pin.force"            what 95 % of all machines stay below
  "share of peak pin.force > 5 kN"    of all machines
  "weight.mass"                       one of the free numbers

\b
Examples:
  gudgeon optimise press.yaml --free weight.mass=0.1kg:2kg --goal "peak main.force"
  gudgeon optimise press.yaml --free weight.mass=0.1kg:2kg --goal weight.mass --limit "lowest main.fy>=0 N"
  gudgeon optimise feeder.yaml --free "pin.radial_clearance=20 H7/g6|20 H7/f7|20 H8/e8" --goal "mean peak pin.force" \
--machines 50 --turns 5 --store out/best
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gudgeon.cli import screen
from gudgeon.cli.commands.tolerance import assigned_limit, assigned_scatter, run_settings, show_section
from gudgeon.cli.options import Changes, Json, Model, Quiet
from gudgeon.cli.source import find
from gudgeon.desk import optimise
from gudgeon.quantity import GudgeonError
from gudgeon.report.design.optimum import optimum_dict, optimum_section
from gudgeon.report.json_text import json_text

__all__ = ["command"]


def command(
    model: Model,
    free: Annotated[
        list[str], typer.Option("--free", metavar="PATH=LOW:HIGH", help="What to choose, or PATH=A|B|C; repeatable.")
    ],
    goal: Annotated[str, typer.Option("--goal", metavar="GOAL", help="What is to be least; see above.")],
    changes: Changes = None,
    limit: Annotated[
        list[str] | None, typer.Option("--limit", metavar="MEASURE=VALUE", help="To be kept; MEASURE>=VALUE, too.")
    ] = None,
    scatter: Annotated[
        list[str] | None, typer.Option("--scatter", metavar="PATH=LOW:HIGH", help="A number that scatters.")
    ] = None,
    machines: Annotated[
        int, typer.Option("--machines", metavar="N", help="On so many machines each candidate is tried.")
    ] = 1,
    generations: Annotated[int, typer.Option("--generations", metavar="N", help="At most.")] = 40,
    population: Annotated[
        int | None, typer.Option("--population", metavar="N", help="Candidates of a generation.")
    ] = None,
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
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the search and the machines.")] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    source = find(model, changes)
    settings = run_settings(source, {"revolutions": revolutions, "turns": turns, "transient": transient})
    found = optimise(
        source.mechanism, dict(_free(text) for text in free), goal,
        limits=dict(assigned_limit(text) for text in limit or []),
        scatter=dict(assigned_scatter(text) for text in scatter or []), machines=machines, generations=generations,
        population=population, store=store, seed=seed, progress=False if quiet else None, **settings,
    )  # fmt: skip
    if json:
        print(json_text({"case": source.name, "set": changes or [], **optimum_dict(found)}))
        return
    print(screen.title(found.name))
    show_section(optimum_section(found))


def _free(text: str) -> tuple[str, Any]:
    path, equals, value = (part.strip() for part in text.partition("="))
    if equals and "|" in value:
        return path, [part.strip() for part in value.split("|")]
    low, colon, high = (part.strip() for part in value.partition(":"))
    if not (path and equals and low and colon and high):
        raise GudgeonError(f'--free "{text}": write PATH=LOW:HIGH, for instance --free weight.mass=0.1kg:2kg')
    return path, (low, high)
