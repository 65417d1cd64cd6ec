"""report.html: a run on one page that needs nothing else, for the screen and for paper."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.cli.report import contact_counts, evidence_items, parts, peak_rows, settled, simulated, time_text, units
from gudgeon.cli.screen import grouped
from gudgeon.papers.case import find_case

if TYPE_CHECKING:
    from gudgeon.cli.source import Settings, Source
    from gudgeon.results import Run

__all__ = ["Told", "document", "facts", "page", "safe", "table", "write"]

SHOWN = 50  # contacts in the table
CAPTIONS = {
    "overview.svg": "Overview",
    "orbit.svg": "Orbit of the journal in its clearance",
    "contact.svg": "Contact forces",
    "bending.svg": "Bending moments of the beams, each where it is largest",
    "hysteresis.svg": "Force over depth",
    "energy.svg": "Energy",
}
# not even a figure may ask for anything from elsewhere
POLICY = "default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
# what XML and HTML do not allow even when it is escaped
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
STYLE = """
:root { color-scheme: light }
body { font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #222; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .2rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; border-bottom: 1px solid #ccc; padding-bottom: .2rem }
.made { color: #666; margin: 0 0 1rem }
.scroll { overflow-x: auto; margin: .8rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .9rem .15rem 0; text-align: left; vertical-align: top; overflow-wrap: normal }
thead th { border-bottom: 1px solid #999; font-weight: 600; white-space: nowrap }
.numbers tbody tr:nth-child(even) { background: #f5f5f5 }
.numbers td, .numbers th { padding: .15rem .6rem; white-space: nowrap }
.numbers td:not(.right) { white-space: normal }
.right { text-align: right }
.facts th { font-weight: 600; color: #555; white-space: nowrap; padding-right: 1.5rem }
.facts td { overflow-wrap: anywhere }
.warning, .stopped { border-left: 4px solid #e69f00; background: #fff8e6; padding: .4rem .8rem; margin: .5rem 0 }
.stopped { border-color: #d55e00; background: #fdeee6; white-space: pre-wrap }
figure { margin: 1rem 0 1.5rem; break-inside: avoid }
figure img { max-width: 100%; height: auto; display: block }
figcaption { color: #555; margin-bottom: .3rem }
summary { cursor: pointer; margin: .4rem 0 }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem }
iframe { width: 100%; height: 44rem; border: 1px solid #ccc; border-radius: 4px }
pre { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; background: #f5f5f5; padding: .8rem;
  white-space: pre-wrap; overflow-wrap: anywhere }
@page { margin: 16mm 14mm }
@media print {
  body { font-size: 10pt; max-width: none; margin: 0; padding: 0 }
  .scroll { overflow: visible }
  .screen { display: none }
  .numbers { font-size: 8.5pt }
  .numbers td, .numbers th { padding: .1rem .35rem }
  thead { display: table-header-group }
  tr, .warning, .stopped { break-inside: avoid }
  h2 { break-after: avoid }
  figure img { max-height: 235mm; max-width: 100%; width: auto }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""


@dataclass(frozen=True)
class Told:
    """A run and what the command knows about it: its twin with ideal joints, why it stopped, files written so far."""

    source: Source
    settings: Settings
    run: Run
    ideal: Run | None = None
    changes: Sequence[str] = ()
    stopped: str = ""
    files: Sequence[Path] = ()


def write(told: Told, path: Path) -> Path:
    """The page of a run into a file."""
    path.write_text(page(told), encoding="utf-8", errors="replace")
    return path


def page(told: Told, sections: Sequence[Callable[[Told], Iterable[str]]] = ()) -> str:
    """The page of a run, by default with the sections that need nothing but its files."""
    name = safe(told.run.name if told.run.complete else f"{told.run.name} · INCOMPLETE")
    usual = (head, motion, touches, proof, drawings, sources, models)
    body = "\n".join(line for section in sections or usual for line in section(told))
    return document(name, body, escaped=True)


def document(title: str, body: str, *, escaped: bool = False) -> str:
    """A whole page around a body that is markup already."""
    name = title if escaped else safe(title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n{body}\n</body>\n</html>\n"
    )


def safe(text: object) -> str:
    """Text that shows as it is, whatever is in it."""
    return escape(CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)))


def head(told: Told) -> Iterator[str]:
    """What was run, and how."""
    from datetime import datetime

    import gudgeon

    now = datetime.now().astimezone()
    yield f'<p class="made">gudgeon {gudgeon.__version__}, {now:%Y-%m-%d %H:%M %Z}</p>'
    if told.stopped:
        yield f'<p class="stopped">{safe(told.stopped)}</p>'
    yield "<h2>What was run</h2>"
    warned = len(told.run.evidence.warnings)
    yield facts([
        ("model", told.source.name), *parts(told.source), *asked(told), ("simulated", simulated(told.run)),
        ("warnings", f"{warned}, below with the evidence" if warned else "none"),
    ])  # fmt: skip


def asked(told: Told) -> Iterator[tuple[str, str]]:
    """The settings that say something."""
    settings, evidence = told.settings, told.run.evidence
    for change in told.changes:
        yield "changed", change
    end = f"{settings.revolutions:g} revolutions" if settings.duration is None else time_text(settings.duration)
    yield "until", end if settings.after is None else f"{end}, the first {time_text(settings.after)} left out"
    step = f", steps of {time_text(settings.step)} at most" if settings.step is not None else ""
    yield "method", f"{evidence.method}, relative tolerance {evidence.rtol:g}{step}"
    yield "results", "at every step" if settings.output is None else f"every {time_text(settings.output)}"
    if settings.channels is not None:
        yield "channels", ", ".join(settings.channels)


def motion(told: Told) -> Iterator[str]:
    """Peaks of the channels that matter."""
    titles, *rows = peak_rows(told.run, told.ideal)
    if rows:
        yield "<h2>Peaks</h2>"
        # the first column and the last are words
        yield table(["", *titles[1:]], rows, words={0, len(titles) - 1})
        yield from (f"<p>{safe(text[0].upper() + text[1:])}.</p>" for _, text in settled(told.run, told.ideal))


def touches(told: Told) -> Iterator[str]:
    """How often the joints touched, and the first contacts."""
    run = told.run
    if not run.contacts:
        return
    yield "<h2>Contacts</h2>"
    yield facts(contact_counts(run))
    speed, force = units(run)
    titles = ["", "contact", "on [ms]", f"speed {speed}", "angle [°]", "off [ms]", f"speed {speed}", f"peak {force}",
              "lost [J]", "kind"]  # fmt: skip
    rows = []
    for number, r in enumerate(run.contacts[:SHOWN], 1):
        off, back = (f"{r.t_off * 1e3:.5f}", f"{r.speed_off:.4f}") if r.ended else ("to the end", "")
        angle = "" if math.isnan(r.angle) else f"{math.degrees(r.angle):.1f}"
        rows.append([str(number), r.contact, f"{r.t_on * 1e3:.5f}", f"{r.speed_on:.4f}", angle, off, back,
                     grouped(r.peak_force), f"{r.energy_lost:.3g}", r.kind])  # fmt: skip
    # a guide and a stop have no angle of touch
    kept = [k for k in range(len(titles)) if k == 0 or any(row[k] for row in rows)]
    yield table([titles[k] for k in kept], [[row[k] for k in kept] for row in rows], words={1, len(kept) - 1})
    left = len(run.contacts) - SHOWN
    if left > 0:
        yield f"<p>and {left} more; contacts.csv has all {len(run.contacts)} of them</p>"


def proof(told: Told) -> Iterator[str]:
    """Evidence and warnings."""
    yield "<h2>Evidence</h2>"
    yield "<ul>"
    for word, text in evidence_items(told.run):
        if word != "warning":
            yield f"<li>{'trust: ' if word == 'trust' else ''}{safe(text)}</li>"
    yield "</ul>"
    for warning in told.run.evidence.warnings:
        yield f'<p class="warning"><strong>Warning</strong> {safe(warning)}</p>'


def drawings(told: Told) -> Iterator[str]:
    """The figures, each a picture of its own: inline, their styles and ids would meet."""
    figures = [path for path in told.files if path.suffix == ".svg"]
    if figures:
        yield "<h2>Figures</h2>"
    for path in figures:
        caption = safe(CAPTIONS.get(path.name, path.stem))
        data = b64encode(path.read_bytes()).decode("ascii")
        yield f"<figure><figcaption>{caption}</figcaption>"
        yield f'<img alt="{caption}" src="data:image/svg+xml;base64,{data}"></figure>'


def sources(told: Told) -> Iterator[str]:
    """What to cite."""
    texts = list(told.run.evidence.references)
    case = find_case(told.source.name)
    if case is not None:
        texts.insert(0, f"case {case.name}: {case.article}")
    yield "<h2>References</h2>\n<ul>"
    yield from (f"<li>{safe(text)}</li>" for text in texts)
    yield "</ul>"


def models(told: Told) -> Iterator[str]:
    """The model as it was run, and the file that it came from."""
    found = [("as it was run, changes included: model.yaml", path) for path in told.files if path.name == "model.yaml"]
    if told.source.path is not None:
        found.append((f"as it was written: {told.source.path}", told.source.path))
    yield "<h2>Model</h2>"
    for words, path in found:
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            # the user's file may be gone by the end of a long run
            continue
        yield f"<details><summary>{safe(words)}</summary>\n<pre>{safe(text)}</pre></details>"
    if not found:
        yield "<p>It has parts that no model file can hold.</p>"


def facts(pairs: Iterable[tuple[str, str]]) -> str:
    """Labels and their texts; a label is said once."""
    rows, last = [], ""
    for label, text in pairs:
        rows.append(f'<tr><th scope="row">{"" if label == last else safe(label)}</th><td>{safe(text)}</td></tr>')
        last = label
    return '<table class="facts">\n' + "\n".join(rows) + "\n</table>"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], words: set[int]) -> str:
    """Numbers to the right, columns of `words` to the left."""

    def line(tag: str, cells: Sequence[str]) -> str:
        side = ["" if k in words else ' class="right"' for k in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{s}>{safe(c)}</{tag}>" for s, c in zip(side, cells, strict=True)) + "</tr>"

    body = "\n".join(line("td", row) for row in rows)
    return (
        f'<div class="scroll"><table class="numbers">\n<thead>{line("th", titles)}</thead>\n'
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )
