"""A figure that can be saved and shown, with or without a screen."""

from __future__ import annotations

import tempfile
import webbrowser
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import rc_context

from gudgeon.draw.style import RULES
from gudgeon.quantity import GudgeonError, in_words
from gudgeon.written import draft

if TYPE_CHECKING:
    import matplotlib.figure

__all__ = ["Figure"]

FORMATS = ("svg", "png", "pdf")


class Figure:
    """What `plot` and `compare` return. `figure` is the figure of matplotlib, for changes of your own."""

    def __init__(self, figure: matplotlib.figure.Figure) -> None:
        self.figure = figure

    def save(self, path: str | Path) -> Path:
        """Write the figure as .svg, .png or .pdf, by the suffix; folders are made."""
        target = Path(path)
        kind = target.suffix.lower().lstrip(".")
        if kind not in FORMATS:
            raise GudgeonError(f'figure "{path}": the name must end in {in_words(("." + f for f in FORMATS), "or")}')
        # without a date the same run writes the same file
        stamps: dict[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with rc_context(RULES), draft(target) as part:
                self.figure.savefig(part, format=kind, metadata=stamps.get(kind))
        except OSError as error:
            raise GudgeonError(f'figure "{path}" cannot be written: {error.strerror or error}') from None
        return target

    def show(self) -> Path:
        """Open the figure in the browser; without one, the file that was written is only named."""
        with tempfile.NamedTemporaryFile(prefix="gudgeon-", suffix=".svg", delete=False) as file:
            path = Path(file.name)
        self.save(path)
        try:
            opened = webbrowser.get().open(path.as_uri())
        except webbrowser.Error:
            opened = False
        if not opened:
            print(f"figure written to {path}")
        return path

    def _repr_png_(self) -> bytes:
        """Notebooks show a figure by this."""
        buffer = BytesIO()
        with rc_context(RULES):
            self.figure.savefig(buffer, format="png")
        return buffer.getvalue()

    def __repr__(self) -> str:
        return f"<Figure: {len(self.figure.axes)} axes>"
