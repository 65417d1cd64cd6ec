"""`PaperFigure`: an entry in the table of figures of an article."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gudgeon.draw import Figure

__all__ = ["PaperFigure"]

FORMATS = ("png", "svg")


@dataclass(frozen=True)
class PaperFigure:
    """Number in the article, what its figure shows, which runs ours is made of, their cases, and what draws it.

    Without `draw` it is not available in this version, and `ours` says why.
    """

    number: str
    shows: str
    ours: str
    cases: tuple[str, ...]
    draw: Callable[[], Figure] | None = None

    @property
    def caption(self) -> str:
        """What a reader needs under the figure."""
        return f"Fig {self.number}. The article shows {self.shows}. Ours: {self.ours}."

    def stem(self, key: str) -> str:
        """Name of its files, without the suffix."""
        return f"{key}-fig{int(self.number):02d}"

    def write(self, folder: Path, key: str) -> list[Path]:
        """Draw it and write its files."""
        assert self.draw is not None, "what is not available cannot be drawn"
        figure = self.draw()
        return [figure.save(folder / f"{self.stem(key)}.{kind}") for kind in FORMATS]
