"""The summary at the end of a run, in lines that fit the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from gudgeon.cli.screen import item, title
from gudgeon.papers.case import find_case
from gudgeon.report.content import (
    begun,
    contact_counts,
    evidence_items,
    loose_joints,
    peak_rows,
    simulated,
    spread_items,
    start_peaks,
    units,
    untouched,
)
from gudgeon.report.source import ModelSource
from gudgeon.report.text import grouped
from gudgeon.results import Run

__all__ = ["summary"]

SHOWN = 8  # contacts in the summary


def summary(source: ModelSource, run: Run, ideal: Run | None, files: Sequence[Path], nearby: Sequence[Run] = ()
            ) -> str:  # fmt: skip
    """Model, peaks, contacts, evidence and files of a run, with the ranges over nearby ones."""
    lines = [*head(source, run), "", *peaks(run, ideal, nearby)]
    below = (*spread_items(run, nearby), *start_peaks(run, ideal), *article_results(source, run))
    lines += [item(label, text) for label, text in below]
    if run.contacts:
        lines += ["", *contacts(run, nearby)]
    elif touching := [item(joint, text) for joint, text in contact_counts(run)]:
        lines += ["", *touching]
    if never := untouched(run):
        lines += ["", item("untouched", ", ".join(never))]
    lines += ["", *(item(label, text) for label, text in evidence_items(run))]
    lines += [item("references", f"gudgeon cite {source.name}")]
    if files:
        lines += [item("written", f"{files[0].parent}/  " + "  ".join(path.name for path in files))]
    return "\n".join(lines)


def article_results(source: ModelSource, run: Run) -> list[tuple[str, str]]:
    """What the article of a built-in case prints of a run, where it does."""
    case = find_case(source.name)
    return [] if case is None or case.results is None else list(case.results(run).items())


def head(source: ModelSource, run: Run) -> Iterator[str]:
    """Name, fits and length of the run."""
    yield title(run.name if run.complete else f"{run.name} · INCOMPLETE")
    for label, text in loose_joints(source.mechanism):
        yield item(label, text)
    yield item("simulated", simulated(run))


def peaks(run: Run, ideal: Run | None, nearby: Sequence[Run] = ()) -> Iterator[str]:
    """The table of peaks, its columns below each other."""
    rows = peak_rows(run, ideal, nearby)
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        first, *middle = [cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in
                          enumerate(zip(row[:-1], widths[:-1], strict=True))]  # fmt: skip
        yield "  " + "   ".join([first, *middle, row[-1]])


def contacts(run: Run, nearby: Sequence[Run] = ()) -> Iterator[str]:
    """How often and how long the joints touched, and the first contacts."""
    for joint, text in contact_counts(run, nearby):
        yield item(joint, text)
    speed, force = units(run)
    single = len({r.joint for r in run.contacts}) == 1
    names = [r.contact.removeprefix(f"{r.joint}.") if single else r.contact for r in run.contacts[:SHOWN]]
    names = [name.replace(".stop.", ".") for name in names]  # the page is 80 columns wide
    width = max(map(len, names))
    yield (
        f"  {'':>3} {'':<{width}} {'on [ms]':>10} {'v ' + speed:>9} {'off [ms]':>10} {'v ' + speed:>9} "
        f"{'peak ' + force:>10} {'lost [J]':>9}"
    )
    for name, r in zip(names, run.contacts, strict=False):
        off, back = (f"{r.t_off * 1e3:.5f}", f"{r.speed_off:.4f}") if r.ended else ("to the end", "")
        yield (
            f"  {r.number:>3} {name:<{width}} {begun(run, r):>10} {r.speed_on:>9.4f} {off:>10} {back:>9} "
            f"{grouped(r.peak_force):>10} {r.energy_lost:>9.3g}"
        )
    left = len(run.contacts) - SHOWN
    if left > 0:
        yield f"  {'...':>3} and {left} more (--json and --out have all of them)"
