"""Claims on the terminal: one block each, then a table of verdicts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from gudgeon.cli import screen
from gudgeon.papers.article import articles
from gudgeon.papers.claim import VERDICTS
from gudgeon.report.paper_page import SHORT

if TYPE_CHECKING:
    from gudgeon.papers.reproduce import ClaimResult

__all__ = ["as_json", "blocks", "standing"]

COLOURS = {"reproduced": "32", "differs": "33", "not reproduced": "31", "cannot be decided": "35"}


def as_json(results: Sequence[ClaimResult]) -> str:
    """A list of objects, one for each claim."""
    return json.dumps([row.as_dict() for row in results], ensure_ascii=False, indent=1)


def blocks(results: Sequence[ClaimResult]) -> Iterator[str]:
    """Each claim: its place in the article, its statement, the published value and ours."""
    for row in results:
        place = f"{row.paper} {row.section} · {row.case}"
        yield f"{screen.title(place)}  {_coloured(row.verdict)}"
        yield screen.item("says", row.claim)
        yield screen.item("published", f"{row.published} (tolerance: {row.tolerance})")
        yield screen.item("ours", row.ours)
        if row.note:
            yield screen.item("note", row.note)
        yield ""


def standing(results: Sequence[ClaimResult]) -> Any:
    """A table: how many claims of each article have which verdict."""
    made = screen.table("article", *(f">{SHORT.get(verdict, verdict)}" for verdict in VERDICTS), ">claims")
    for article in articles():
        _add(made, f"{article.number} {article.key}", [row for row in results if row.paper == article.number], VERDICTS)
    if len({row.paper for row in results}) > 1:
        _add(made, "all", results, VERDICTS)
    return made


def _add(table: Any, name: str, rows: Sequence[ClaimResult], verdicts: Sequence[str]) -> None:
    counts = Counter(row.verdict for row in rows)
    if rows:
        table.add_row(name, *(str(counts[verdict]) for verdict in verdicts), str(len(rows)))


def _coloured(verdict: str) -> str:
    return f"\033[{COLOURS.get(verdict, '0')}m{verdict}\033[0m" if screen.coloured() else verdict
