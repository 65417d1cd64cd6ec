"""gudgeon report: a run as a page that can be sent to anyone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen
from gudgeon.cli.options import Changes, Revolutions, Until

if TYPE_CHECKING:
    from gudgeon.cli.page import Told

__all__ = ["report"]


def report(
    source: Annotated[
        str, typer.Argument(metavar="RUN|MODEL|STUDY", help="A run, a model file or case, or the folder of a study.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The page.")] = Path("report.html"),
    until: Until = None,
    revolutions: Revolutions = None,
    changes: Changes = None,
    trust: Annotated[
        bool, typer.Option("--trust/--no-trust", help="Of a model: say how far it can be trusted.")
    ] = True,
    regime: Annotated[bool, typer.Option("--regime", help="Also label the motion (takes a while).")] = False,
    limits: Annotated[
        list[str] | None,
        typer.Option("--limit", metavar="MEASURE=VALUE", help="Of a study: which runs keep it (repeatable)."),
    ] = None,
    viewer: Annotated[bool, typer.Option("--viewer/--no-viewer", help="With the moving mechanism inside.")] = True,
) -> None:
    """Write a page for others: model, results, evidence.

    One file, without any request to a network. Printed from a browser it becomes a PDF with the same content.

    \b
    Examples:
      gudgeon report out/press
      gudgeon report out/gaps --limit "peak pin.force=5 kN" -o gaps.html
      gudgeon report schwab2002/hertz --revolutions 2 --regime -o hertz.html
    """
    from tempfile import TemporaryDirectory

    from gudgeon.cli import page
    from gudgeon.cli.built import built, moving
    from gudgeon.cli.source import is_study
    from gudgeon.quantity import GudgeonError

    if out.suffix.lower() not in (".html", ".htm"):
        raise GudgeonError(f'"{out}": the name must end in ".html"; a browser prints the page as a PDF')
    out.parent.mkdir(parents=True, exist_ok=True)
    if is_study(source):
        from gudgeon.cli.studypage import study_page

        out.write_text(study_page(Path(source), limits or []), encoding="utf-8")
        print(out)
        return
    sections = [page.head, built, page.motion, *([moving] if viewer else []), page.touches, page.proof,
                *([_regime] if regime else []), page.drawings, page.sources, page.models]  # fmt: skip
    with TemporaryDirectory(prefix="gudgeon-") as folder:
        told = _told(source, until, revolutions, changes or [], trust, Path(folder))
        out.write_text(page.page(told, sections), encoding="utf-8", errors="replace")
    print(out)


def _told(name: str, until: str | None, revolutions: float | None, changes: list[str], trust: bool,
          folder: Path) -> Told:  # fmt: skip
    """The run and its ideal twin, with figures and model in the folder."""
    from gudgeon.cli.commands.run import compute, settle, twin
    from gudgeon.cli.folder import draw, write_model
    from gudgeon.cli.page import Told
    from gudgeon.cli.source import Settings, Source, find, is_run

    if is_run(name):
        from gudgeon.results import Run

        run = Run.from_netcdf(name)
        evidence = run.evidence
        settings = Settings(duration=run.end.t, method=evidence.method.lower(), rtol=evidence.rtol)
        source, ideal, stopped = Source(name, run.mechanism, settings), None, ""
    else:
        source = find(name).changed(changes)
        settings = settle(source, until, revolutions, None, None, None, None, trust)
        run, stopped, _ = compute(source, settings, False)
        ideal = twin(source, settings)
    if stopped:
        screen.complain(stopped)
    files = [*draw(run, ideal, folder), *write_model(source, settings, folder / "model.yaml")]
    return Told(source, settings, run, ideal, changes, stopped, files)


def _regime(told: Told) -> Iterator[str]:
    from gudgeon.analysis.regimes import regime
    from gudgeon.cli.page import safe

    found = regime(told.run)
    yield "<h2>Regime</h2>\n<ul>"
    yield from (f"<li>{safe(line)}</li>" for line in str(found).splitlines())
    yield "</ul>"
