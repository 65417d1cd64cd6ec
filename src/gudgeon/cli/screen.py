"""What is printed, and where: results on stdout, messages on stderr."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

__all__ = [
    "coloured", "complain", "discard", "item", "prepare", "reflow", "say", "show", "table", "title", "width",
]  # fmt: skip

PIPED, WIDEST = 100, 120
LABEL = 11  # columns of the label left of an item


def prepare() -> None:
    """A terminal without ² should show a question mark, not a traceback, and where a stream is closed its words go
    nowhere: the next file that is opened must not take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def discard() -> None:
    """Nobody reads stdout any more: what is still buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def width() -> int:
    """Columns of the page: those of the terminal, or 100 in a file."""
    if os.environ.get("COLUMNS", "").isdigit():
        return max(60, int(os.environ["COLUMNS"]))
    try:
        return max(60, min(WIDEST, os.get_terminal_size(sys.stdout.fileno()).columns))
    except (OSError, ValueError):
        return PIPED


def show(thing: Any) -> None:
    """Print a line or one of rich's tables, without blanks at the ends of lines."""
    if isinstance(thing, str):
        print(thing)
        return
    from rich.console import Console

    page = Console(highlight=False, emoji=False, markup=False, width=width(), no_color=not coloured())
    with page.capture() as printed:
        page.print(thing)
    print("\n".join(line.rstrip() for line in printed.get().splitlines()))


def coloured() -> bool:
    """Whether stdout is a terminal that may have colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def title(text: str) -> str:
    """A heading."""
    return f"\033[1m{text}\033[0m" if coloured() else text


def reflow(text: str) -> str:
    """Paragraphs folded to the page; lines that are set in stay as they are."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        kept = any(line.startswith(" ") for line in paragraph.splitlines())
        lines += [*(paragraph.splitlines() if kept else wrap(" ".join(paragraph.split()), width() - 2)), ""]
    return "\n".join(lines[:-1])


def say(message: str) -> None:
    """A message that is no result; where it cannot be said, the exit code has to do."""
    with suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def complain(message: str) -> None:
    """What went wrong; a message of several lines already names its places."""
    say(message if "\n" in message or message.startswith("gudgeon") else f"gudgeon: {message}")


def item(label: str, text: str, indent: int = 2) -> str:
    """A label and its text, folded to the page beside it."""
    margin = " " * (indent + LABEL)
    lines = wrap(text, width() - len(margin), break_on_hyphens=False, break_long_words=False) or [""]
    return " " * indent + _label(label) + f"\n{margin}".join(lines)


def _label(word: str) -> str:
    padded = f"{word:<{LABEL - 1}} "
    colour = "33" if word == "warning" else "36"
    return f"\033[{colour}m{padded}\033[0m" if word and coloured() else padded


def table(*columns: str, **options: Any) -> Table:
    """A table without lines; a column whose title starts with ">" is right-aligned, with "*" it may be folded."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 3, 0, 0), **options)
    for title in columns:
        right, fold = title.startswith(">"), title.startswith("*")
        made.add_column(title.lstrip(">*"), justify="right" if right else "left", no_wrap=not fold,
                        overflow="fold" if fold else "ellipsis")  # fmt: skip
    return made
