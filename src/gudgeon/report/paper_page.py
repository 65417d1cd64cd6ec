"""A page for each article: its claims with our verdicts, and its figures drawn from our runs; an index of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gudgeon.papers.article import articles
from gudgeon.papers.claim import VERDICTS
from gudgeon.papers.markdown import counted
from gudgeon.report.html import document, made, picture, safe, table
from gudgeon.written import write_text

if TYPE_CHECKING:
    from gudgeon.papers.article import Article
    from gudgeon.papers.figure import PaperFigure
    from gudgeon.papers.reproduce import ClaimResult

__all__ = ["SHORT", "write_pages"]

SHORT = {"cannot be decided": "undecided"}  # titles of columns
MARKS = {"reproduced": "good", "differs": "near", "not reproduced": "bad", "cannot be decided": "open"}
STYLE = """<style>
.claims { width: 100%; table-layout: fixed }
.claims td, .claims th { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid #e4e4e4; overflow-wrap: anywhere }
.claims col.place { width: 15% } .claims col.says { width: 26% } .claims col.printed { width: 16% }
.claims .small { color: #666; font-size: .87em; display: block }
.verdict { white-space: nowrap; border-radius: 3px; padding: .05rem .4rem; font-size: .87em }
.good { background: #dcf0e6; color: #00553c } .near { background: #fdf0d3; color: #6b4700 }
.bad { background: #fbe0d3; color: #8a2f00 } .open { background: #ececec; color: #444 }
.missing { color: #666; border: 1px dashed #bbb; border-radius: 4px; padding: .6rem .9rem; margin: 1rem 0 }
figcaption { max-width: 50rem; margin: .4rem 0 0 }
@media print { .claims { font-size: 8.5pt } }
</style>"""


def write_pages(figures: Mapping[str, Sequence[PaperFigure]], results: Sequence[ClaimResult], out: Path,
                failed: dict[tuple[str, str], str]) -> list[Path]:  # fmt: skip
    """index.html and one page per article into the folder, with those of its figures that are in the folder `figures`.

    figures: by the key of the article, all of which get a page.
    """
    chosen = [article for article in articles() if article.key in figures]
    texts = {"index": _index(chosen, figures, results)}
    for article in chosen:
        mine = [row for row in results if row.paper == article.number]
        body = "\n".join(
            [
                STYLE,
                *_head(article, mine),
                *_claims(mine),
                *_figures(article.key, figures[article.key], out / "figures", failed),
            ]
        )
        texts[article.key] = document(f"{article.words}: claims and figures", body)
    for name, text in texts.items():
        write_text(out / f"{name}.html", text, errors="replace")
    return [out / f"{name}.html" for name in texts]


def _head(article: Article, results: Sequence[ClaimResult]) -> Iterator[str]:
    title, place, *rest = article.about
    yield f'<p class="made">{safe(made())}</p>'
    yield f"<p>{safe(' '.join(title.split()))} {safe(' '.join(place.split()))}</p>"
    yield f"<p><strong>{safe(counted(results))}.</strong> <a href='index.html'>All articles</a></p>"
    for text in rest:
        lead, listed, points = text.partition("\n  - ")
        first, _, last = " ".join(lead.split()).rpartition(". ")
        if not listed:
            yield f"<p>{safe(' '.join(text.split()))}</p>"
            continue
        if first:
            yield f"<p>{safe(first)}.</p>"
        items = "".join(f"<li>{safe(' '.join(point.split()))}</li>" for point in points.split("\n  - "))
        yield f"<details><summary>{safe(last)}</summary><ul>{items}</ul></details>"


def _claims(results: Sequence[ClaimResult]) -> Iterator[str]:
    yield "<h2>Claims</h2>"
    yield '<table class="claims"><colgroup><col class="place"><col class="says"><col class="printed"><col></colgroup>'
    yield "<thead><tr><th>place</th><th>claim</th><th>published</th><th>ours</th></tr></thead><tbody>"
    for row in results:
        note = f'<span class="small">{safe(row.note)}</span>' if row.note else ""
        mark = f'<span class="verdict {MARKS.get(row.verdict, "open")}">{safe(row.verdict)}</span>'
        yield (
            f'<tr><td>{safe(row.section)}<span class="small">{safe(row.case.split("/")[1])}</span></td>'
            f"<td>{safe(row.claim)}</td>"
            f'<td>{safe(row.published)}<span class="small">tolerance: {safe(row.tolerance)}</span></td>'
            f"<td>{mark} {safe(row.ours)}{note}</td></tr>"
        )
    yield "</tbody></table>"


def _figures(key: str, entries: Sequence[PaperFigure], folder: Path,
             failed: dict[tuple[str, str], str]) -> Iterator[str]:  # fmt: skip
    if entries:
        yield "<h2>Figures</h2>"
    for entry in entries:
        yield _figure(entry, key, folder, failed.get((key, entry.number), ""))


def _figure(entry: PaperFigure, key: str, folder: Path, trouble: str) -> str:
    path = folder / f"{entry.stem(key)}.svg"
    if entry.draw is None or trouble or not path.is_file():
        why = trouble or ("" if entry.draw is None else "It was not drawn in this run.")
        lead = f"Fig {entry.number}. The article shows {entry.shows}."
        ours = f"Not available in this version: {entry.ours}." if entry.draw is None else why
        return f'<p class="missing">{safe(lead)} <em>{safe(ours)}</em></p>'
    return (
        f"<figure>{picture(path, entry.shows)}"
        f"<figcaption>{safe(entry.caption)} <em>{safe(', '.join(entry.cases))}</em></figcaption></figure>"
    )


def _index(chosen: Sequence[Article], figures: Mapping[str, Sequence[PaperFigure]],
           results: Sequence[ClaimResult]) -> str:  # fmt: skip
    rows = []
    for article in chosen:
        counts = Counter(row.verdict for row in results if row.paper == article.number)
        entries = figures[article.key]
        drawn = sum(entry.draw is not None for entry in entries)
        rows.append([f"{article.number} {article.words}", *(str(counts[v]) for v in VERDICTS), str(counts.total()),
                     f"{drawn} of {len(entries)}"])  # fmt: skip
    titles = [SHORT.get(verdict, verdict) for verdict in VERDICTS]
    listed = table(["article", *titles, "claims", "figures"], rows, words={0})
    for article in chosen:
        name = safe(f"{article.number} {article.words}")
        listed = listed.replace(f"<td>{name}</td>", f'<td><a href="{article.key}.html">{name}</a></td>')
    body = [STYLE, f'<p class="made">{safe(made())}</p>', f"<p><strong>{safe(counted(results))}.</strong></p>", listed]
    for article in chosen:
        own = [row for row in results if row.paper == article.number]
        body += [f"<h2>{safe(article.words)}</h2>", *list(_claims(own))[1:]]
    return document("Published claims, computed anew", "\n".join(body))
