"""Code of the pages fits into their column, which is 95 signs wide in a window of 1280 (docs/widths.py measures it)."""

import pytest
from blocks import ROOT, blocks
from test_doc_pages import PAGES, name

COLUMN = 92
WRAPPED = {"", "text", "bibtex"}  # by docs/static/gudgeon.css


@pytest.mark.parametrize("path", [p for p in PAGES if p.is_relative_to(ROOT / "docs")], ids=name)
def test_code_fits_into_its_column(path):
    wide = [f"line {block.line + k}: {line}" for block in blocks(path) if block.word not in WRAPPED
            for k, line in enumerate(block.text.splitlines()) if len(line) > COLUMN]  # fmt: skip
    assert not wide
