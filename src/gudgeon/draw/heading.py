"""Title and legend above the panels of a figure, however long they are."""

# Their extents are measured: a title breaks where the page ends, a legend that does not fit beside it has a row of its
# own, and the page becomes as much higher. The panels are laid out below them.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg

from gudgeon.draw.figure import Figure

if TYPE_CHECKING:
    import matplotlib.figure

__all__ = ["finished"]

EDGE = 0.06  # inches around title and legend
ROW = 0.04  # inches between them where they stand one above the other
SEPARATOR = " · "  # between the parts of a title, which breaks there first


def finished(page: matplotlib.figure.Figure, title: str, handles: Sequence[Any] = ()) -> Figure:
    """The figure with its title and a legend of these handles. Its layout is settled: every later drawing would move
    it a little, and files would differ."""
    renderer: Any = FigureCanvasAgg(page).get_renderer()

    def size(artist: Any) -> tuple[float, float]:
        box = artist.get_window_extent(renderer)
        return box.width / page.dpi, box.height / page.dpi

    wide = page.get_figwidth() - 2.0 * EDGE
    text = page.suptitle(title, x=EDGE / page.get_figwidth(), ha="left", va="top", fontsize=9.0)
    text.set_in_layout(False)

    def fits(line: str) -> bool:
        text.set_text(line)
        return size(text)[0] <= wide

    text.set_text("\n".join(broken_lines(title, fits)))
    height, line = size(text)[1] if title else 0.0, _line_height(text, size)
    legend, beside = None, False
    for columns in range(len(handles), 0, -1):
        legend = page.legend(handles=handles, loc="upper right", ncols=columns, columnspacing=1.2, borderaxespad=0.0)
        if size(legend)[0] <= wide or columns == 1:
            break
        legend.remove()
    if legend is not None:
        legend.set_in_layout(False)
        across, tall = size(legend)
        beside = height <= 1.5 * line and size(text)[0] + across + 0.2 <= wide
        height = max(height, tall) if beside else height + tall + ROW * bool(title)
    total = height + 2.0 * EDGE
    # one line is what the sizes of pages allow for
    page.set_figheight(page.get_figheight() + max(0.0, total - line - 2.0 * EDGE))
    up = page.get_figheight()
    text.set_y(1.0 - EDGE / up)
    if legend is not None:
        top = EDGE if beside else total - EDGE - size(legend)[1]
        legend.set_bbox_to_anchor((1.0 - EDGE / page.get_figwidth(), 1.0 - top / up))
    engine: Any = page.get_layout_engine()
    engine.set(rect=(0.0, 0.0, 1.0, 1.0 - (total / up if height else 0.0)))
    engine.execute(page)
    page.set_layout_engine(None)  # with one, even one that does nothing, saving would go through the page twice
    return Figure(page)


def broken_lines(text: str, fits: Callable[[str], bool]) -> list[str]:
    """The text in lines that fit: broken between its parts where that does, else between words."""
    lines = [""]
    parts = text.split(SEPARATOR)
    for k, part in enumerate(parts):
        end = "" if k == len(parts) - 1 else SEPARATOR.rstrip()
        joined = SEPARATOR.join([lines.pop(), part]) if k else lines.pop() + part
        if fits(joined + end):
            lines.append(joined)
            continue
        if k:
            lines.append(joined.removesuffix(part).rstrip())
        line = ""
        for word in part.split():
            wider = f"{line} {word}".strip()
            if line and not fits(wider + end):
                lines.append(line)
                wider = word
            line = wider
        lines.append(line)
    return lines


def _line_height(text: Any, size: Callable[[Any], tuple[float, float]]) -> float:
    shown = text.get_text()
    text.set_text("Ag")
    height = size(text)[1]
    text.set_text(shown)
    return height
