"""report.html: a run on one page that needs nothing else, for the screen and for paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gudgeon.model.run_settings import RunSettings
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
)
from gudgeon.report.html import document, facts, made, picture, safe, table
from gudgeon.report.source import ModelSource
from gudgeon.report.text import grouped, time_text
from gudgeon.results import Run
from gudgeon.view import View
from gudgeon.written import write_text

__all__ = ["ReportContext", "page", "write"]

SHOWN = 50  # contacts in the table
CAPTIONS = {
    "overview.svg": "Overview",
    "orbit.svg": "Orbit of the journal in its clearance",
    "contact.svg": "Contact forces",
    "bending.svg": "Bending moments of the beams, each where it is largest",
    "hysteresis.svg": "Force over depth",
    "energy.svg": "Energy",
}


@dataclass(frozen=True)
class ReportContext:
    """A run with its model and settings, its twin with ideal joints, why it stopped, the files written so far, nearby
    runs, and its live page where it has one."""

    source: ModelSource
    settings: RunSettings
    run: Run
    ideal: Run | None = None
    changes: Sequence[str] = ()
    stopped: str = ""
    files: Sequence[Path] = ()
    nearby: Sequence[Run] = ()
    live: View | None = None


def write(context: ReportContext, path: Path) -> Path:
    """The page of a run into a file."""
    write_text(path, page(context), errors="replace")
    return path


def page(context: ReportContext, sections: Sequence[Callable[[ReportContext], Iterable[str]]] = ()) -> str:
    """The page of a run, by default with the sections that need nothing but its files."""
    name = safe(context.run.name if context.run.complete else f"{context.run.name} · INCOMPLETE")
    usual = (head, motion, contacts, evidence, figures, references, models)
    body = "\n".join(line for section in sections or usual for line in section(context))
    return document(name, body, escaped=True, computes=context.live is not None)


def head(context: ReportContext) -> Iterator[str]:
    """What was run, and how."""
    yield f'<p class="made">{safe(made())}</p>'
    if context.stopped:
        yield f'<p class="stopped">{safe(context.stopped)}</p>'
    yield "<h2>What was run</h2>"
    warned = len(context.run.evidence.warnings)
    yield facts([
        ("model", context.source.name), *loose_joints(context.source.mechanism), *requested(context),
        ("simulated", simulated(context.run)),
        ("warnings", f"{warned}, below with the evidence" if warned else "none"),
    ])  # fmt: skip


def requested(context: ReportContext) -> Iterator[tuple[str, str]]:
    """The settings that the run differs by from a usual one."""
    settings, evidence = context.settings, context.run.evidence
    for change in context.changes:
        yield "changed", change
    end = f"{settings.revolutions:g} revolutions" if settings.duration is None else time_text(settings.duration)
    yield "until", end if settings.after is None else f"{end}, the first {time_text(settings.after)} left out"
    step = f", steps of {time_text(settings.step)} at most" if settings.step is not None else ""
    yield "method", f"{evidence.method}, relative tolerance {evidence.rtol:g}{step}"
    steps = "at every step, of a long run thinned" if settings.output is None else "at every step"
    yield "results", f"every {time_text(settings.spacing)}" if settings.spacing else steps
    if settings.channels is not None:
        yield "channels", ", ".join(settings.channels)


def motion(context: ReportContext) -> Iterator[str]:
    """Peaks of the channels that matter."""
    titles, *rows = peak_rows(context.run, context.ideal, context.nearby)
    if rows:
        yield "<h2>Peaks</h2>"
        # the first column and the last are words
        yield table(["", *titles[1:]], rows, words={0, len(titles) - 1})
        for label, text in spread_items(context.run, context.nearby):
            yield f"<p>{safe(f'{label.capitalize()}: {text}')}.</p>"
        for _, text in start_peaks(context.run, context.ideal):
            yield f"<p>{safe(text[0].upper() + text[1:])}.</p>"


def contacts(context: ReportContext) -> Iterator[str]:
    """How often the joints touched, and the first contacts."""
    run = context.run
    if not run.contacts:
        return
    yield "<h2>Contacts</h2>"
    yield facts(contact_counts(run, context.nearby))
    speed, force = units(run)
    titles = ["", "contact", "on [ms]", f"speed {speed}", "angle [°]", "off [ms]", f"speed {speed}", f"peak {force}",
              "lost [J]", "kind"]  # fmt: skip
    rows = []
    for r in run.contacts[:SHOWN]:
        off, back = (f"{r.t_off * 1e3:.5f}", f"{r.speed_off:.4f}") if r.ended else ("to the end", "")
        angle = "" if math.isnan(r.angle) else f"{math.degrees(r.angle):.1f}"
        rows.append([str(r.number), r.contact, begun(run, r), f"{r.speed_on:.4f}", angle, off, back,
                     grouped(r.peak_force), f"{r.energy_lost:.3g}", r.kind])  # fmt: skip
    # a guide and a stop have no angle of touch
    kept = [k for k in range(len(titles)) if k == 0 or any(row[k] for row in rows)]
    yield table([titles[k] for k in kept], [[row[k] for k in kept] for row in rows], words={1, len(kept) - 1})
    left = len(run.contacts) - SHOWN
    if left > 0:
        yield f"<p>and {left} more; gudgeon run --out writes all {len(run.contacts)} into contacts.csv</p>"


def evidence(context: ReportContext) -> Iterator[str]:
    """Evidence and warnings."""
    yield "<h2>Evidence</h2>"
    yield "<ul>"
    for word, text in evidence_items(context.run):
        if word != "warning":
            yield f"<li>{'trust: ' if word == 'trust' else ''}{safe(text)}</li>"
    yield "</ul>"
    for warning in context.run.evidence.warnings:
        yield f'<p class="warning"><strong>Warning</strong> {safe(warning)}</p>'


def figures(context: ReportContext) -> Iterator[str]:
    """The figures, each a picture of its own: inline, their styles and ids would collide."""
    paths = [path for path in context.files if path.suffix == ".svg"]
    if paths:
        yield "<h2>Figures</h2>"
    for path in paths:
        caption = CAPTIONS.get(path.name, path.stem)
        yield f"<figure><figcaption>{safe(caption)}</figcaption>"
        yield f"{picture(path, caption)}</figure>"


def references(context: ReportContext) -> Iterator[str]:
    """What to cite."""
    texts = list(context.run.evidence.references)
    case = find_case(context.source.name)
    if case is not None:
        texts.insert(0, f"case {case.name}: {case.article}")
    yield "<h2>References</h2>\n<ul>"
    yield from (f"<li>{safe(text)}</li>" for text in texts)
    yield "</ul>"


def models(context: ReportContext) -> Iterator[str]:
    """The model as it was run, and the file that it came from."""
    written = [path for path in context.files if path.name == "model.yaml"]
    texts = [("as it was run, changes included: model.yaml", path) for path in written]
    if context.source.path is not None:
        texts.append((f"as it was written: {context.source.path}", context.source.path))
    yield "<h2>Model</h2>"
    for words, path in texts:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            # the user's file may be gone by the end of a long run
            continue
        yield f"<details><summary>{safe(words)}</summary>\n<pre>{safe(text)}</pre></details>"
    if not texts:
        yield "<p>It has parts that no model file can hold.</p>"


