"""Write a report as HTML: model, results, evidence.

The page is one file and loads nothing from the network. A browser can print it as a PDF.

\b
Examples:
  gudgeon report out/press
  gudgeon report out/gaps --limit "peak pin.force=5 kN" -o gaps.html
  gudgeon report schwab2002/hertz --revolutions 2 --regime -o hertz.html
  gudgeon report schwab2002/hertz --revolutions 2 --live -o hertz.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from gudgeon.analysis.motions.motion import regime as label_motion
from gudgeon.cli import screen
from gudgeon.cli.options import Knobs, Live, ModelChanges, Revolutions, Until
from gudgeon.cli.running import compute, ideal_twin, run_settings, settings_of
from gudgeon.cli.source import find, is_run, is_study
from gudgeon.export.live import check_live, live_of
from gudgeon.quantity import GudgeonError
from gudgeon.report import model_page, run_page
from gudgeon.report.folder import draw, write_model
from gudgeon.report.html import safe
from gudgeon.report.run_page import ReportContext
from gudgeon.report.source import ModelSource
from gudgeon.report.spread import nearby_runs
from gudgeon.report.study_page import study_page
from gudgeon.results import Run
from gudgeon.written import write_text

__all__ = ["command"]


def command(
    source: Annotated[
        str, typer.Argument(metavar="RUN|MODEL|STUDY", help="A run, a model file or case, or the folder of a study.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The page.")] = Path("report.html"),
    until: Until = None,
    revolutions: Revolutions = None,
    changes: ModelChanges = None,
    trust: Annotated[
        bool, typer.Option("--trust/--no-trust", help="Of a model: also compute the trust horizon.")
    ] = True,
    regime: Annotated[bool, typer.Option("--regime", help="Also classify the motion (takes a while).")] = False,
    limits: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="MEASURE=VALUE",
            help="Of a study: a limit that the runs must keep (repeatable)."),
    ] = None,
    against: Annotated[
        Path | None, typer.Option("--against", metavar="DIR", help="Of a study: another one to compare with.")
    ] = None,
    live: Live = False,
    knobs: Knobs = None,
    viewer: Annotated[bool, typer.Option("--viewer/--no-viewer", help="Include the moving mechanism.")] = True,
) -> None:
    if out.suffix.lower() not in (".html", ".htm"):
        raise GudgeonError(f'"{out}": the name must end in ".html"; a browser prints the page as a PDF')
    if knobs and not live:
        raise GudgeonError(f"--knob {knobs[0]}: only a page that computes has sliders; add --live")
    if live and (is_study(source) or not viewer):
        raise GudgeonError("--live: " + ("a study has many runs; make the report of one" if viewer else
                                         "the page that computes is the viewer; leave --no-viewer out"))  # fmt: skip
    out.parent.mkdir(parents=True, exist_ok=True)
    if is_study(source):
        write_text(out, study_page(Path(source), limits or [], against))
        print(out)
        return
    sections = [run_page.head, model_page.model, run_page.motion, *([model_page.viewer] if viewer else []),
                run_page.contacts, run_page.evidence, *([_regime] if regime else []), run_page.figures,
                run_page.references, run_page.models]  # fmt: skip
    with TemporaryDirectory(prefix="gudgeon-") as folder:
        context = _context(source, until, revolutions, changes or [], trust, Path(folder), live, knobs)
        if live:
            made = live_of(context.source.mechanism, context.settings, knobs, run=context.run, ideal=context.ideal)
            context = replace(context, live=made)
        write_text(out, run_page.page(context, sections), errors="replace")
    print(out)


def _context(name: str, until: str | None, revolutions: float | None, changes: list[str], trust: bool,
             folder: Path, live: bool, knobs: list[str] | None) -> ReportContext:  # fmt: skip
    """The run and its ideal twin, with figures and model in the folder."""
    if is_run(name):
        run = Run.from_netcdf(name)
        settings = settings_of(run)
        source, ideal, stopped = ModelSource(name, run.mechanism, settings), None, ""
        nearby: list[Run] = []
    else:
        source = find(name, changes)
        settings = run_settings(source, until, revolutions, trust=trust)
        if live:
            check_live(source.mechanism, replace(settings, trust=False), knobs)
        run, stopped, _ = compute(source, settings, False)
        ideal, nearby = ideal_twin(source, settings), nearby_runs(source, settings, run)
    if stopped:
        screen.complain(stopped)
    files = [*draw(run, ideal, folder), *write_model(source, settings, folder / "model.yaml")]
    return ReportContext(source, settings, run, ideal, changes, stopped, files, nearby)


def _regime(context: ReportContext) -> Iterator[str]:
    yield "<h2>Regime</h2>\n<ul>"
    yield from (f"<li>{safe(line)}</li>" for line in str(label_motion(context.run)).splitlines())
    yield "</ul>"
