"""Which kinds of methods integrate mechanisms with which features, as a table."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from string import ascii_lowercase
from typing import Any

from gudgeon.assemble import support
from gudgeon.quantity import GudgeonError

__all__ = ["SupportTable", "support_table"]


@dataclass(frozen=True)
class SupportTable:
    """Kinds of methods by their letters; a row for each feature, whose cells are "yes" or the number of a reason, in
    brackets; the reasons, each with the letter of the nearest kind of method that can; all cells as plain values."""

    kinds: dict[str, str]
    rows: dict[str, list[str]]
    reasons: list[str]
    cells: list[dict[str, Any]]

    @property
    def share(self) -> str:
        """How many combinations are possible."""
        possible = sum(not cell["reason"] for cell in self.cells)
        return f"{possible} of {len(self.cells)} combinations are possible, every feature where no method is named"


def support_table(words: str = "") -> SupportTable:
    """The support table, of the features whose names contain `words`."""
    cells = [cell for cell in support.table() if words.lower() in cell.feature.lower()]
    if not cells:
        features = ", ".join(dict.fromkeys(cell.feature for cell in support.table()))
        raise GudgeonError(f'no feature contains "{words}"; the features are: {features}')
    letters = dict(zip(dict.fromkeys(cell.method for cell in cells), ascii_lowercase, strict=False))
    reasons: list[str] = []
    rows: dict[str, list[str]] = {}
    for cell in cells:
        text = "yes"
        if not cell.supported:
            reason = f"{cell.reason}; the nearest that can is {letters[cell.instead]}"
            if reason not in reasons:
                reasons.append(reason)
            text = f"({reasons.index(reason) + 1})"
        rows.setdefault(cell.feature, []).append(text)
    return SupportTable({letter: kind for kind, letter in letters.items()}, rows, reasons, [asdict(c) for c in cells])
