"""What the programs of a page print and draw stands below them: they are run when the page is read.

The same reader and runner as in the tests of the pages (tests/docs/blocks.py); slow blocks are shown and not run.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from blocks import READ_ONLY, Block, Page, blocks

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parents[1]
SHOWN = ("start", "choose", "units", "extending", "tutorials/", "api/")
LONGEST = 46  # lines of an output; of a longer one the beginning
PICTURES = (".svg", ".png")


def with_outputs(page: Path, pictures: Path) -> str:
    """The text of a page with what its blocks print and the figures they save, which are put into a folder."""
    text, result, done = page.read_text(encoding="utf-8"), "", 0
    with _folder() as folder:
        runner = Page(page, folder)
        for block in blocks(page):
            result += text[done : block.end]
            done = block.end
            if block.slow or block.word in READ_ONLY:
                continue
            before = set(_figures(folder))
            result += _output(block, runner.run(block))
            for figure in [path for path in _figures(folder) if path not in before]:
                pictures.mkdir(parents=True, exist_ok=True)
                shutil.copy(figure, pictures / figure.name)
                place = Path(os.path.relpath(pictures / figure.name, page.parent)).as_posix()
                result += f"\n\n```{{image}} {place}\n:alt: the figure that the program saves as {figure.name}\n```"
    return result + text[done:]


def _output(block: Block, printed: str) -> str:
    lines = printed.rstrip().splitlines()
    if not lines or block.word == "yaml":
        return ""
    if len(lines) > LONGEST:
        lines = [*lines[: LONGEST - 1], f"... and {len(lines) - LONGEST + 1} more lines"]
    return "\n\n```{code-block} text\n:class: printed\n\n" + "\n".join(lines) + "\n```"


def _figures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in PICTURES)


@contextmanager
def _folder() -> Iterator[Path]:
    """An empty folder to work in, with pages as wide as a block of code on a screen."""
    home, columns = Path.cwd(), os.environ.get("COLUMNS")
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        os.environ["COLUMNS"] = "96"
        try:
            yield Path(name)
        finally:
            os.chdir(home)
            os.environ.pop("COLUMNS") if columns is None else os.environ.update(COLUMNS=columns)


def read(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname.startswith(SHOWN):
        page = HERE / f"{docname}.md"
        source[0] = with_outputs(page, HERE / "generated" / docname)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", read)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
