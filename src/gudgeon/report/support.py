"""Which kinds of methods integrate mechanisms with which features, as a table."""

from __future__ import annotations

from gudgeon.assemble import support

__all__ = ["support_rows"]


def support_rows() -> tuple[list[str], list[list[str]], list[str]]:
    """The support table: its titles, a row for each feature, and the reasons that the numbers in the cells refer to.

    A cell is "yes", or the number of the reason why methods of that kind cannot integrate such a mechanism.
    """
    cells = support.table()
    reasons = list(dict.fromkeys(cell.reason for cell in cells if not cell.supported))
    rows: dict[str, list[str]] = {}
    for cell in cells:
        text = "yes" if cell.supported else f"({reasons.index(cell.reason) + 1})"
        rows.setdefault(cell.feature, [cell.feature]).append(text)
    return ["feature", *dict.fromkeys(cell.method for cell in cells)], list(rows.values()), reasons
