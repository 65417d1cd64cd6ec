"""Run a model and print the results and their evidence.

Ctrl-C ends the run early and keeps what was computed (exit code 130).

\b
Examples:
  gudgeon run schwab2002/hertz --revolutions 2
  gudgeon run schwab2002/hertz --set pin.radial_clearance="0.2 mm"
  gudgeon run press.yaml --until "20 ms" --out out/press
  gudgeon run schwab2002/hertz -r 0.5 --json | jq .contacts[0]
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gudgeon.cli import screen
from gudgeon.cli.options import Json, Model
from gudgeon.cli.running import FAILED, compute, ideal_twin, run_settings
from gudgeon.cli.source import find
from gudgeon.cli.summary import summary
from gudgeon.ctrl_c import INTERRUPTED
from gudgeon.model.run_settings import RunSettings
from gudgeon.quantity import GudgeonError
from gudgeon.report import run_page
from gudgeon.report.folder import write
from gudgeon.report.json_text import run_json
from gudgeon.report.source import ModelSource
from gudgeon.report.spread import nearby_runs

__all__ = ["command"]

def command(
    model: Model,
    until: Annotated[
        str | None,
        typer.Option("--until", "--duration", metavar="TIME", help='Simulated time, for instance "0.1 s" or "20 ms".'),
    ] = None,
    revolutions: Annotated[
        float | None, typer.Option("--revolutions", "-r", metavar="N",
            help="Or number of revolutions of the driven joint.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change a field (repeatable); see `gudgeon check -p`."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", "-m", metavar="NAME", help="See `gudgeon list methods`; default dopri5, for stiff films radau."
        ),
    ] = None,
    rtol: Annotated[
        float | None, typer.Option("--rtol", metavar="X", help="Relative tolerance; default that of the method: 1e-9.")
    ] = None,
    step: Annotated[
        str | None, typer.Option("--step", metavar="TIME", help="Largest step; for rk4 and moreau the step itself.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="TIME", help='Spacing of the results, or "steps": every step; default: thinned if long.'
        ),
    ] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="TIME", help="Leave the time before this out of the results.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="settled",
            help="Start with journals and bodies that touch where the load presses them."),
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust",
            help="Run again with a tenth of the tolerance and report how long both agree (trust horizon).")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write report.html, run.nc, contacts.csv, figures."),
    ] = None,
    json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing unless the run fails.")] = False,
) -> None:
    source = find(model, changes)
    settings = run_settings(source, until, revolutions, method=method, rtol=rtol, step=step, output=output,
                            after=after, trust=trust, start=start)  # fmt: skip
    finish(source, settings, changes or [], out, json, quiet)


def finish(source: ModelSource, settings: RunSettings, changes: list[str], out: Path | None, json: bool, quiet: bool
           ) -> None:  # fmt: skip
    """Compute, write and print; the exit code says how it went."""
    if out is not None:
        # better to fail now than after an hour
        out.mkdir(parents=True, exist_ok=True)
    result, stopped, code = compute(source, settings, quiet)
    shown = not (json or (quiet and out is None) or code)
    ideal = ideal_twin(source, settings) if shown else None
    nearby = nearby_runs(source, settings, result) if shown else []
    files: list[Path] = []
    unwritten = ""
    if code == INTERRUPTED and out is not None:
        screen.say(f"what was computed is being written to {out}; Ctrl-C again: stop at once")
    if out is not None:
        try:
            files = write(source, settings, result, ideal, out)
            context = run_page.ReportContext(source, settings, result, ideal, changes, stopped, files, nearby)
            files = [*files, run_page.write(context, out / "report.html")]
        except OSError as error:
            unwritten = f"{error.filename or out}: {error.strerror or error}"
        except GudgeonError as error:
            unwritten = str(error)
    if json:
        print(run_json(source.name, settings, changes, result, stopped))
    elif not quiet:
        print(summary(source, result, ideal, files, nearby))
    if stopped:
        where = f"\n   {result.end.t * 1e3:.6g} ms of results are kept in {files[0]}" if files else ""
        screen.complain(f"{stopped}{where}")
    if unwritten:
        # what was computed is shown all the same
        screen.complain(unwritten)
    if code or unwritten:
        raise typer.Exit(code or FAILED)
