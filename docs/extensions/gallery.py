"""The gallery shows the figures that the examples write themselves, below out/examples."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import Any

from livepages import EXAMPLES
from plain import converted


class FilesSaved:
    """A scraper for sphinx-gallery: the files that an example has saved."""

    def __repr__(self) -> str:  # without an address, so that Sphinx finds its configuration unchanged
        return "FilesSaved"

    def __call__(self, block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
        from sphinx_gallery.scrapers import figure_rst  # the rest of this file is tested without it

        folder = Path(block_vars["src_file"]).parent / "out" / "examples"
        files = []
        for path in sorted(folder.glob("*.svg")) + sorted(folder.glob("*.png")):
            target = Path(next(block_vars["image_path_iterator"])).with_suffix(path.suffix)
            shutil.move(path, target)
            files.append(str(target))
        return figure_rst(files, gallery_conf["src_dir"])


def prepared(source: Path, target: Path) -> Path:
    """Copies of the examples for sphinx-gallery: a title from the name of the file, and the docstring as
    reStructuredText. A copy is written only where it changed, so that an example is run again only then."""
    target.mkdir(exist_ok=True)
    wanted = {"GALLERY_HEADER.rst": HEADER}
    for path in sorted(source.glob("[0-9][0-9]_*.py")):
        text = path.read_text(encoding="utf-8")
        docstring = ast.get_docstring(ast.parse(text)) or ""
        end = text.index('"""', text.index('"""') + 3) + 3
        title = path.stem[3:].replace("_", " ").capitalize().replace("Macpherson", "MacPherson")
        lines = "\n".join(converted(docstring.splitlines())).replace("\\", "\\\\")
        if path.stem in EXAMPLES:
            lines += f"\n\nChange it here, without installing anything:\n\n.. live:: {EXAMPLES[path.stem]}\n\n"
        wanted[path.name] = f'"""\n{title}\n{"=" * len(title)}\n\n{lines}"""{text[end:]}'
    for old in {path.name for path in target.glob("*.py")} - set(wanted):
        (target / old).unlink()
    for name, text in wanted.items():
        path = target / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return target


HEADER = """
Gallery
=======

Every program here is a file in ``examples/``. All of them run when this page is built, and a test holds at least one
number of each against the mathematics in its docstring, against an independent calculation, or against its own past.
Most are also model files, in ``examples/models/``.
"""
