"""A published claim, and what becomes of it when it is computed anew."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["DIFFERS", "NOT_REPRODUCED", "REPRODUCED", "UNDECIDED", "Claim", "Outcome", "header", "row"]

REPRODUCED = "reproduced"
DIFFERS = "differs"  # same trend, another number or label
NOT_REPRODUCED = "not reproduced"  # the opposite was found
UNDECIDED = "undecided"  # the article leaves out what it takes to decide; the text says what


@dataclass(frozen=True)
class Outcome:
    """Our number or statement, and the verdict."""

    ours: str
    verdict: str


@dataclass(frozen=True)
class Claim:
    """Where it stands, what it says, the published number or words, and how it is computed.

    compute(full) runs what is needed; full=True asks for long statistics. `tolerance` says what counts as the same,
    `assumed` what was put in where the article says nothing.
    """

    source: str
    statement: str
    published: str
    compute: Callable[[bool], Outcome]
    tolerance: str = ""
    assumed: str = ""


WIDTHS = (11, 32, 18, 43, 14)


def _lines(*cells: str) -> str:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS, strict=True)]
    lines = []
    for k in range(max(map(len, wrapped))):
        parts = (column[k] if k < len(column) else "" for column in wrapped)
        padded = (part.ljust(width) for part, width in zip(parts, WIDTHS, strict=True))
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def header() -> str:
    """Titles of the columns, underlined."""
    titles = _lines("source", "statement", "published", "ours", "verdict")
    return titles + "\n" + _lines(*("-" * width for width in WIDTHS))


def row(claim: Claim, outcome: Outcome) -> str:
    """One claim as lines of the table."""
    published = f"{claim.published} (within {claim.tolerance})" if claim.tolerance else claim.published
    ours = f"{outcome.ours}. Assumed: {claim.assumed}" if claim.assumed else outcome.ours
    return _lines(claim.source, claim.statement, published, ours, outcome.verdict) + "\n"
