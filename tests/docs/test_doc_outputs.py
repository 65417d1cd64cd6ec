"""What the programs of a page print and draw stands below them in the built pages."""

import os
import sys
from pathlib import Path

import pytest
from blocks import ROOT, blocks

sys.path.insert(0, str(ROOT / "docs" / "extensions"))

from outputs import LONGEST, SHOWN, with_outputs

PAGE = """# A page

```python
x = 6
print(x * 7)
```

Words.

```python
from pathlib import Path
Path("line.svg").write_text("<svg/>")
```

<!-- slow -->
```python
print("not now")
```

```python
print("\\n".join(str(k) for k in range(1000)))
```

The end.
"""


@pytest.fixture
def shown(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "61")
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(PAGE, encoding="utf-8")
    return with_outputs(page, tmp_path / "docs" / "generated" / "page")


def test_outputs_stand_below_their_blocks(shown):
    first, _, rest = shown.partition("Words.")
    assert first.endswith("print(x * 7)\n```\n\n```{code-block} text\n:class: printed\n\n42\n```\n\n")
    assert rest.rstrip().endswith("The end.")
    assert all(line in shown for line in PAGE.splitlines()), "nothing of the page is lost"


def test_figures_are_copied_and_shown(shown, tmp_path):
    assert "```{image} generated/page/line.svg\n" in shown
    assert (tmp_path / "docs" / "generated" / "page" / "line.svg").read_text() == "<svg/>"


def test_slow_blocks_are_not_run_and_long_outputs_are_cut(shown):
    assert shown.count("not now") == 1
    assert f"\n{LONGEST - 2}\n... and {1000 - LONGEST + 1} more lines\n" in shown


def test_the_place_and_the_width_are_as_before(shown, tmp_path):
    assert Path.cwd() != tmp_path and os.environ["COLUMNS"] == "61"


def test_every_tutorial_shows_a_figure():
    """A page that teaches by pictures saves them."""
    pages = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
    for page in [p for p in pages if p.stem != "index"]:
        quick = "".join(block.text for block in blocks(page) if not block.slow)
        assert ".svg" in quick, page.name
    assert "tutorials/" in SHOWN
