"""Compute published results again and compare them.

Every finished run is stored: after an interruption, also by kill -9, the same command continues. Results of another
version of the source code are not used. Exit code 1: something could not be computed.

\b
Examples:
  gudgeon reproduce all -o out/papers
  gudgeon reproduce schwab2002/hertz
  gudgeon reproduce --short --json
  gudgeon reproduce --from docs/papers/claims.json --markdown claims.md
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gudgeon.cli import screen
from gudgeon.cli.verdicts import as_json, blocks, standing
from gudgeon.papers import markdown, stored
from gudgeon.papers import markdown as pages
from gudgeon.papers.article import select
from gudgeon.papers.markdown import counted
from gudgeon.papers.reproduce import NO_RESULT, draw, figures_of
from gudgeon.papers.reproduce import reproduce as compute
from gudgeon.quantity import GudgeonError
from gudgeon.report.paper_page import write_pages
from gudgeon.written import write_text

if TYPE_CHECKING:
    from gudgeon.papers.article import Article
    from gudgeon.papers.claim import Claim
    from gudgeon.papers.reproduce import ClaimResult

__all__ = ["command"]


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="PAPER|CASE|all", help="002 or schwab2002; schwab2002/hertz; all (the default)."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Write figures, a page per article, an index and the claims."),
    ] = None,
    json_wanted: Annotated[bool, typer.Option("--json", help="Print the claims as JSON.")] = False,
    short: Annotated[
        bool, typer.Option("--short", help="Only quick claims, with short statistics: below one minute.")
    ] = False,
    processes: Annotated[int, typer.Option("--processes", "-p", metavar="N", help="Worker processes.")] = 2,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what is already stored.")] = False,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Also write the claims as one Markdown file.")
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Compute nothing, read the claims from a file of --json."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option("--store", metavar="DIR", help="Folder for stored runs; default in the cache of gudgeon."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    chosen, folder = select(names or ["all"]), store or stored.place()
    if results is not None:
        cases = {(article.number, article.case(claim)) for article, claim in chosen}
        rows, failed = [row for row in pages.read(results) if (row.paper, row.case) in cases], False
    else:
        stored.tidy(folder, fresh)
        rows, failed = _computed(chosen, short, processes, folder, quiet)
    _print(rows, json_wanted)
    if markdown is not None:
        write_text(markdown, pages.whole(rows))
        screen.say(f"written {markdown}")
    if out is not None:
        failed |= _write(chosen, rows, out, processes, folder, quiet, drawn=results is None and not short)
    if failed:
        raise typer.Exit(1)


def _computed(
    chosen: Sequence[tuple[Article, Claim]], short: bool, processes: int, folder: Path | None, quiet: bool
) -> tuple[list[ClaimResult], bool]:
    """The claims, and whether any of them could not be computed."""
    if processes < 0:
        raise GudgeonError(f"--processes {processes} must be at least 0")
    if short:
        chosen = [(article, claim) for article, claim in chosen if claim.quick]
    rows = compute(chosen, full=not short, processes=processes, folder=folder, progress=not quiet)
    return rows, any(row.ours == NO_RESULT for row in rows)


def _print(rows: Sequence[ClaimResult], json_wanted: bool) -> None:
    if json_wanted:
        print(as_json(rows))
        return
    for line in blocks(rows):
        print(line)
    screen.show(standing(rows))
    print(f"\n{counted(rows)}")


def _write(chosen: Sequence[tuple[Article, Claim]], rows: Sequence[ClaimResult], out: Path, processes: int,
           folder: Path | None, quiet: bool, drawn: bool) -> bool:  # fmt: skip
    """Everything into the folder; whether a figure could not be drawn."""
    failed, figures = {}, figures_of(chosen)
    if drawn:
        failed = draw(figures, out / "figures", processes=processes, folder=folder, progress=not quiet)
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "claims.json", as_json(rows) + "\n")
    markdown.write_pages(rows, out)
    write_pages(figures, rows, out, failed)
    for (key, number), message in failed.items():
        screen.complain(f"{key}, figure {number}: {message}")
    screen.say(f"written {out / 'index.html'}")
    return bool(failed)
