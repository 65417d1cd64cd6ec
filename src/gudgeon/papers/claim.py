"""A published claim, and what becomes of it when it is computed anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["DIFFERS", "NOT_REPRODUCED", "REPRODUCED", "UNDECIDED", "VERDICTS", "Claim", "Finding"]

REPRODUCED = "reproduced"
DIFFERS = "differs"  # same trend, another number or label
NOT_REPRODUCED = "not reproduced"  # the opposite was found
UNDECIDED = "cannot be decided"  # the article leaves out what it takes to decide; the note says what
VERDICTS = (REPRODUCED, DIFFERS, NOT_REPRODUCED, UNDECIDED)


@dataclass(frozen=True)
class Finding:
    """Our number or statement, the verdict, and a note, such as why nothing can be decided."""

    ours: str
    verdict: str
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """Where it stands, what it says, the published number or words, and how it is computed.

    source      number of the article, section and, where the sentence is about one, figure: "000 §3.1, Fig 8"
    compute     compute(full) runs what is needed; full=True asks for long statistics
    tolerance   what counts as the same
    assumed     what was put in where the article says nothing
    case        the function of the article that gives the mechanism; default: from the name of its module,
                `<case>_claims`
    quick       whether it takes a second or less, and so is part of the short version
    """

    source: str
    statement: str
    published: str
    compute: Callable[[bool], Finding]
    tolerance: str = ""
    assumed: str = ""
    case: str = ""
    quick: bool = False

    @property
    def paper(self) -> str:
        """Number of the article: "000"."""
        return self.source.split(" ", 1)[0]

    @property
    def section(self) -> str:
        """Where in the article the sentence stands: "§3.1, Fig 8"."""
        return self.source.split(" ", 1)[1]

    def note(self, finding: Finding) -> str:
        """What was assumed, and what the finding adds."""
        return "; ".join(text for text in (f"assumed: {self.assumed}" if self.assumed else "", finding.note) if text)
