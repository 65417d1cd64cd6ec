"""gudgeon run: from a model to results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen

if TYPE_CHECKING:
    from gudgeon.cli.source import Settings, Source
    from gudgeon.model import Mechanism
    from gudgeon.results import Run

__all__ = ["run"]

FAILED, INTERRUPTED = 1, 130
KEPT = re.compile(r"(; |\n *)what was computed is in the error's \.run")
# remedies are written for Python
OPTIONS = {
    "output= [s] or channels=[...] for fewer results, or go on in pieces with resume=":
        "--output TIME or `channels` in the model file for fewer results, or a shorter run",
    'method="dopri5"': "--method dopri5",
    "Lubricated(..., wall=LankaraniNikravesh(...), minimum_film=...)": "`wall` and `minimum_film` in the fit",
}  # fmt: skip


def run(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file or a built-in case.")],
    until: Annotated[
        str | None,
        typer.Option("--until", "--duration", metavar="TIME", help='Simulated time, for instance "0.1 s" or "20 ms".'),
    ] = None,
    revolutions: Annotated[
        float | None, typer.Option("--revolutions", "-r", metavar="N", help="Or revolutions of the driven joint.")
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
        str | None, typer.Option("--output", metavar="TIME", help="Spacing of the results; default every step.")
    ] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="TIME", help="Leave the start out of the results.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust", help="Run again ten times tighter and say how long both agree.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write report.html, run.nc, contacts.csv, figures."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing unless the run fails.")] = False,
) -> None:
    """Run a model and say what came out, with the evidence for it.

    Ctrl-C ends the run early and keeps what was computed (exit code 130).

    \b
    Examples:
      gudgeon run schwab2002/hertz --revolutions 2
      gudgeon run schwab2002/hertz --set pin.radial_clearance="0.2 mm"
      gudgeon run press.yaml --until "20 ms" --out out/press
      gudgeon run schwab2002/hertz -r 0.5 --json | jq .contacts[0]
    """
    from gudgeon.cli.source import find

    source = find(model).changed(changes or [])
    settings = settle(source, until, revolutions, method, rtol, step, output, trust, after)
    finish(source, settings, changes or [], out, json, quiet)


def settle(source: Source, until: str | None, revolutions: float | None, method: str | None, rtol: float | None,
           step: str | None, output: str | None, trust: bool, after: str | None = None) -> Settings:  # fmt: skip
    """The settings of the source with those of the command line over them."""
    from gudgeon.quantity import GudgeonError, quantity

    if until is not None and revolutions is not None:
        raise GudgeonError("--until and --revolutions both say when to stop; give one of them")
    if revolutions is not None and not revolutions > 0.0:
        raise GudgeonError(f"--revolutions {revolutions:g} must be positive")
    times = {"duration": (until, "--until"), "step": (step, "--step"), "output": (output, "--output"),
             "after": (after, "--after")}  # fmt: skip
    given = {name: quantity(text, "s", word) for name, (text, word) in times.items() if text is not None}
    for name, number in given.items():
        if not number > 0.0:
            raise GudgeonError(f'{times[name][1]} "{times[name][0]}" must be positive')
    settings = source.settings.merged(**given, revolutions=revolutions, method=method, rtol=rtol, trust=trust or None)
    if settings.duration is None and settings.revolutions is None:
        raise GudgeonError(f'{source.name} does not say how long to run; give --until "0.1 s" or --revolutions 2')
    if settings.revolutions is not None and not turns(source.mechanism):
        raise GudgeonError(f'{source.name}: nothing is driven at a constant speed; give --until "0.1 s" instead')
    return settings


def turns(mechanism: Mechanism) -> bool:
    """Whether something is driven at a constant speed, so that revolutions can be counted."""
    return any(isinstance(drive.speed, float) and drive.speed for drive in mechanism.drives.values())


def finish(source: Source, settings: Settings, changes: list[str], out: Path | None, json: bool, quiet: bool) -> None:
    """Compute, write and print; the exit code says how it went."""
    from gudgeon.cli import page, report
    from gudgeon.cli.folder import write
    from gudgeon.cli.numbers import as_json

    if out is not None:
        # better to fail now than after an hour
        out.mkdir(parents=True, exist_ok=True)
    result, stopped, code = compute(source, settings, quiet)
    ideal = None if json or (quiet and out is None) or code else twin(source, settings)
    files = [] if out is None else write(source, settings, result, ideal, out)
    if out is not None:
        told = page.Told(source, settings, result, ideal, changes, stopped, files)
        files = [*files, page.write(told, out / "report.html")]
    if json:
        print(as_json(source.name, settings, changes, result, stopped))
    elif not quiet:
        print(report.report(source, result, ideal, files))
    if stopped:
        where = f"\n   {result.end.t * 1e3:.6g} ms of results are kept in {files[0]}" if files else ""
        screen.complain(f"{stopped}{where}")
    if code:
        raise typer.Exit(code)


def compute(source: Source, settings: Settings, quiet: bool) -> tuple[Run, str, int]:
    """The run, why it stopped if it did not reach its end, and the exit code."""
    from gudgeon.simulation import RunStopped

    try:
        result = settings.simulate(source.mechanism, False if quiet else None)
    except RunStopped as error:
        return error.run, in_options(str(error)), FAILED
    if not result.complete:
        return result, f"interrupted at {result.end.t * 1e3:.6g} ms", INTERRUPTED
    return result, "", 0


def in_options(message: str) -> str:
    """Why a run stopped, in words of the command line."""
    message = KEPT.sub("", message)
    for python, option in OPTIONS.items():
        message = message.replace(python, option)
    return message


def twin(source: Source, settings: Settings) -> Run | None:
    """The same run with ideal joints, to judge the real ones by; None where there is nothing to compare."""
    from dataclasses import replace

    from gudgeon.model import Ideal
    from gudgeon.quantity import GudgeonError

    mechanism = source.mechanism
    # a mount is elastic by its nature: ideal, it would weld its bodies together
    loose = [j.name for j in mechanism.joints.values() if any(not f.ideal and not f.reserved for f in j.fit.values())]
    if not loose or not mechanism.driven:
        return None
    tight = mechanism.refit(**dict.fromkeys(loose, Ideal()))
    try:
        ideal = replace(settings, trust=False, channels=None).simulate(tight, False)
    except GudgeonError:
        # not every mechanism can move without its play
        return None
    return ideal if ideal.complete else None
