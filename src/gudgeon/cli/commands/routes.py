"""Compare the ways to model the contact in a joint.

Routes: a contact force law, rigid surfaces with impacts as events, rigid surfaces with time stepping,
an oil film. Up to the trust horizon the motions are compared, beyond it means with their standard errors.

\b
Examples:
  gudgeon routes schwab2002/hertz
  gudgeon routes schwab2002/hertz --film "Moes 400 cP" --windows 100 --out out/routes
  gudgeon routes press.yaml --joint guide --revolutions 1 --json
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.analysis.agreement import routes as run_all
from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Json, Model, Quiet
from gudgeon.cli.source import find
from gudgeon.draw import routes as drawn
from gudgeon.laws import FilmLaw as Family
from gudgeon.progress import counter
from gudgeon.quantity import GudgeonError, closest
from gudgeon.report.json_text import json_text
from gudgeon.written import write_text

if TYPE_CHECKING:
    from gudgeon.analysis.agreement import Routes
    from gudgeon.laws import FilmLaw
    from gudgeon.report.source import ModelSource

__all__ = ["command"]


def command(
    model: Model,
    changes: Changes = None,
    joint: Annotated[
        str | None, typer.Option("--joint", "-j", metavar="NAME", help="The joint; default: the first with play.")
    ] = None,
    revolutions: Annotated[
        float | None, typer.Option("--revolutions", "-r", "-n", metavar="N",
            help="Revolutions in which the motions are compared; default: 2.")
    ] = None,
    duration: Annotated[
        str | None, typer.Option("--until", "--duration", metavar="TIME",
            help="The same as a time, if no joint turns at constant speed.")
    ] = None,
    windows: Annotated[
        int, typer.Option("--windows", metavar="N", help="Number of windows of two revolutions for statistics.")
    ] = 20,
    transient: Annotated[int, typer.Option("--transient", metavar="N",
        help="Revolutions before the first window (transient).")] = 10,
    film: Annotated[
        str | None, typer.Option("--film", metavar="'LAW VISCOSITY'", help="Also with an oil film in the gap.")
    ] = None,
    step: Annotated[
        str | None, typer.Option("--step", metavar="TIME",
            help="Step of the time stepping; default: 1/20000 of a revolution.")
    ] = None,
    rtol: Annotated[float, typer.Option("--rtol", metavar="X", help="Relative tolerance of the other methods.")] = 1e-9,
    share: Annotated[
        float, typer.Option("--share", metavar="X",
            help="Two motions count as equal if they differ by less than this part of the clearance.")
    ] = 0.01,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for routes.svg and routes.json.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    source = find(model, changes)
    if revolutions is None and duration is None and source.settings.duration:
        duration = f"{source.settings.duration} s"
    result = run_routes(source, quiet, revolutions=revolutions, duration=duration, joint=joint, film=film, step=step,
                 rtol=rtol, share=share, windows=windows, transient=transient)  # fmt: skip
    text = as_json(source.name, changes or [], result)
    print(text if json else result)
    written = write(result, text, out) if out is not None else []
    if written and not json:
        print("\n" + screen.item("written", "  ".join(map(str, written))))


def run_routes(source: ModelSource, quiet: bool, *, film: str | None, **settings: Any) -> Routes:
    """All routes, with progress on stderr."""
    law = None if film is None else film_law(film)
    with counter(False if quiet else None, "routes") as on_route:
        return run_all(source.mechanism, film=law, on_route=on_route, **settings)


def film_law(text: str) -> FilmLaw:
    """The law of "Moes 400 cP": a name and a viscosity."""
    name, _, viscosity = text.strip().partition(" ")
    laws = {law.lower(): cls for law, cls in Family.registry.items()}
    if name.lower() not in laws:
        likely = closest(name, Family.registry)
        hint = f'did you mean "{likely}"?' if likely else f"choose from {', '.join(Family.registry)}"
        raise GudgeonError(f'--film "{text}": film law "{name}" is not known; {hint}')
    if not viscosity.strip():
        raise GudgeonError(f'--film "{text}": give the viscosity too, for instance "{name} 400 cP"')
    make: Any = laws[name.lower()]
    law: FilmLaw = make(viscosity=viscosity.strip())
    return law


def write(result: Routes, text: str, folder: Path) -> list[Path]:
    """The figure of the orbits, and all numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "routes.json"
    write_text(path, text + "\n")
    try:
        return [drawn(result).save(folder / "routes.svg"), path]
    except GudgeonError as error:
        screen.say(f"no figure: {error}")
        return [path]


def as_json(name: str, changes: list[str], result: Routes) -> str:
    """Everything with all digits; what is not a number is null."""
    return json_text({"case": name, "set": changes, **result.numbers()})
