"""Docstrings of gudgeon as reStructuredText. They are plain text, for people at a prompt: formulas are set in by four
spaces, a field is a line `name [unit]: words`, options stand in two columns, and a star or a bar is nothing but itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FIELD = re.compile(r"^(\w+(?:, \w+)*) \[([^\]]*)\](?:: ?(.*))?$")
COLUMN = re.compile(r"^(\w+) {2,}(\S.*)$")
PROMPT = ">>> "


def converted(lines: list[str]) -> Iterator[str]:
    """Paragraph by paragraph."""
    for paragraph in paragraphs(lines):
        if paragraph[0].startswith(PROMPT):
            yield from paragraph
        elif all(line.startswith("    ") for line in paragraph):
            yield from ["::", "", *paragraph]
        else:
            yield from items(paragraph)
        yield ""


def paragraphs(lines: list[str]) -> Iterator[list[str]]:
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line.rstrip())
        elif block:
            yield block
            block = []


def items(paragraph: list[str]) -> Iterator[str]:
    """Text and, where lines name fields or options, a list of them."""
    listed = False
    for line in paragraph:
        match, column = FIELD.match(line), COLUMN.match(line)
        if match:
            unit = "" if match[2] in ("-", "") else f" [{escaped(match[2])}]"
            if not listed:
                yield ""
            names = ", ".join(f"``{name}``" for name in match[1].split(", "))
            yield f"* {names}{unit}" + (f": {escaped(match[3])}" if match[3] else "")
            listed = True
        elif column:
            if not listed:
                yield ""
            yield f"* ``{column[1]}``: {escaped(column[2])}"
            listed = True
        elif listed and line.startswith(" "):
            yield f"  {escaped(line.strip())}"
        else:
            if listed:
                yield ""
            listed = False
            yield escaped(line)


def escaped(text: str) -> str:
    """Nothing is markup but names between backquotes."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(f"`{p}`" if p.startswith("`") and len(p) > 1 else re.sub(r"([\\*|`]|_(?!\w))", r"\\\1", p)
                   for p in pieces)  # fmt: skip


def process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = list(converted(lines))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
