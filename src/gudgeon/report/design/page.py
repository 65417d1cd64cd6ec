"""The answer of the design desk on one page; of two designs beside each other, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gudgeon.desk.answer import DesignAnswer
from gudgeon.desk.beside import Beside
from gudgeon.desk.figures import figures
from gudgeon.draw import distribution
from gudgeon.report.design.sections import PageSection, beside_sections, sections
from gudgeon.report.html import document, facts, made, picture, safe, table

__all__ = ["design_page"]


def design_page(answers: Sequence[DesignAnswer], other: Beside | None = None) -> str:
    """The answer first, then what it follows from."""
    body = [f'<p class="made">{safe(made())}</p>']
    if other is not None:
        body += [*_written(beside_sections(other)), *_distributions(other)]
    for k, answer in enumerate(answers):
        if other is not None:
            body.append(f"<h2>{safe(other.names[k])}</h2>")
        parts = list(sections(answer))
        body += _written(reversed(parts[-1:] if answer.asks else []))
        body += _written(parts[:-1] if answer.asks else parts)
        body.append("<h2>Figures</h2>")
        body += [_picture(figure, words) for words, figure in figures(answer)]
    return document(f"{answers[0].name}: fits and what they do", "\n".join(body))


def _written(parts: Any) -> Iterator[str]:
    part: PageSection
    for part in parts:
        yield f"<h2>{safe(part.title[:1].upper() + part.title[1:])}</h2>"
        if part.rows:
            words = {k for k, title in enumerate(part.columns) if not title.startswith(">")}
            yield table([title.lstrip(">*") for title in part.columns], part.rows, words=words)
        if part.items:
            yield facts(part.items)


def _distributions(other: Beside) -> Iterator[str]:
    for one in other.answers[0].spreads:
        two = next((each for each in other.answers[1].spreads if each.name == one.name), None)
        if two is not None:
            pairs = zip(other.names, (one, two), strict=True)
            samples = [(name, each.values, each.percentiles) for name, each in pairs]
            limit = None if one.limit is None else one.limit.value
            yield _picture(distribution(one.name, one.unit, samples, one.name, limit), f"{one.name} of both designs")


def _picture(figure: Any, words: str) -> str:
    with TemporaryDirectory() as folder:
        image = picture(figure.save(Path(folder) / "figure.png"), words)
    return f"<figure><figcaption>{safe(words)}</figcaption>{image}</figure>"
