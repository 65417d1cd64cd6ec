"""The table of claims as Markdown, one page per article, for the documentation."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gudgeon.papers.article import Article, articles
from gudgeon.papers.claim import VERDICTS
from gudgeon.papers.reproduce import ClaimResult
from gudgeon.quantity import GudgeonError
from gudgeon.written import write_text

__all__ = ["counted", "index", "page", "read", "whole", "write_pages"]

TITLES = ("place", "case", "claim", "published", "ours", "tolerance", "verdict", "note")


def read(path: Path) -> list[ClaimResult]:
    """Claims from a file that `gudgeon reproduce --json` wrote."""
    try:
        return [ClaimResult(**row) for row in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError) as error:
        raise GudgeonError(f'"{path}" is no file of claims, as `gudgeon reproduce --json` writes it: {error}') from None


def counted(results: Iterable[ClaimResult]) -> str:
    """103 claims: 71 reproduced, 22 differ ..."""
    counts = Counter(row.verdict for row in results)
    words = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{counts.total()} claims: {words}"


def page(article: Article, results: Sequence[ClaimResult]) -> str:
    """Title, what the article is, its claims, and the table of its figures."""
    mine = [row for row in results if row.paper == article.number]
    place = " ".join(article.about[1].split())
    head = [f"# {article.words}", "", place, "", f"{counted(mine)}.", ""]
    return "\n".join([*head, "## Claims", "", *_table(mine), "", "## Figures", "", *_figures(article), ""])


def index(results: Sequence[ClaimResult]) -> str:
    """How the claims of each article stand."""
    lines = ["# Published claims, computed anew", "", f"{counted(results)}.", ""]
    lines += [_row(["", *VERDICTS, "all"]), "|---" + "|--:" * (len(VERDICTS) + 1) + "|"]
    for article in articles():
        mine = [row for row in results if row.paper == article.number]
        if mine:
            counts = Counter(row.verdict for row in mine)
            cells = [str(counts[verdict]) for verdict in VERDICTS]
            lines.append(_row([f"[{article.words}]({article.key}.md)", *cells, str(len(mine))]))
    return "\n".join([*lines, ""])


def whole(results: Sequence[ClaimResult]) -> str:
    """All of it in one text: the index without its links, then the articles, one level deeper."""
    head = re.sub(r"\[([^]]+)\]\(\w+\.md\)", r"\1", index(results))
    own = [page(article, results) for article in articles() if any(row.paper == article.number for row in results)]
    return "\n".join([head, *(re.sub("^#", "##", text, flags=re.MULTILINE) for text in own)])


def write_pages(results: Sequence[ClaimResult], folder: Path) -> list[Path]:
    """A page for each article that has claims here, and an index, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {a.key: page(a, results) for a in articles() if any(row.paper == a.number for row in results)}
    texts["index"] = index(results)
    for name, text in texts.items():
        write_text(folder / f"{name}.md", text)
    return [folder / f"{name}.md" for name in texts]


def _table(results: Iterable[ClaimResult]) -> list[str]:
    rows = [_row(TITLES), "|" + "---|" * len(TITLES)]
    for row in results:
        cells = (row.section, f"`{row.case}`", row.claim, row.published, row.ours, row.tolerance, row.verdict, row.note)
        rows.append(_row(cells))
    return rows


def _figures(article: Article) -> list[str]:
    """Number, what the article shows, which runs ours is made of, their cases."""
    rows = [_row(("figure", "the article shows", "ours", "cases")), "|---|---|---|---|"]
    for entry in article.figures:
        ours = entry.ours if entry.draw is not None else f"not available in this version: {entry.ours}"
        rows.append(_row((entry.number, entry.shows, ours, ", ".join(entry.cases))))
    return rows


def _row(cells: Iterable[str]) -> str:
    """A line of a table; what would end a cell or begin emphasis or markup is written out."""
    return "| " + " | ".join(_escaped(cell) if "](" not in cell else cell for cell in cells) + " |"


def _escaped(text: str) -> str:
    if text.startswith("`"):
        return text
    for mark in ("\\", "|", "*", "_", "<", ">", "$", "~"):
        text = text.replace(mark, f"\\{mark}")
    return text
