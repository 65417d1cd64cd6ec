"""Every code block of the README and of the documentation does what it says."""

from pathlib import Path

import pytest
from blocks import READ_ONLY, ROOT, Page, blocks

GENERATED = {"gallery", "generated", "_examples", "_build"}
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [p for p in PAGES if not GENERATED & set(p.parts) and not (p.parent.name in ("laws", "mates", "methods")
         and p.parent.parent.name == "theory")]  # fmt: skip
RUN = [p for p in PAGES if any(b.word not in READ_ONLY for b in blocks(p))]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_are_pages():
    assert len(PAGES) > 15
    assert ROOT / "README.md" in RUN
    assert len([p for p in RUN if p.parent.name == "tutorials"]) >= 6


@pytest.mark.parametrize("path", RUN, ids=name)
def test_page(path, tmp_path, monkeypatch):
    """All blocks but the slow ones."""
    monkeypatch.chdir(tmp_path)
    page = Page(path, tmp_path)
    for block in blocks(path):
        if not block.slow:
            page.run(block)


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in RUN if any(b.slow for b in blocks(p))], ids=name)
def test_whole_page(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = Page(path, tmp_path)
    for block in blocks(path):
        page.run(block)


def test_a_block_that_fails_is_seen(tmp_path):
    """The collector itself: a wrong program, a wrong file, a wrong command."""
    page = tmp_path / "page.md"
    wrong = {
        "```python\n1 / 0\n```\n": ZeroDivisionError,
        "```sh\nmake nothing-like-this\n```\n": AssertionError,
        "```sh\ngudgeon run no-such-model.yaml\n```\n": AssertionError,
        "```yaml\nname: x\n```\n": AssertionError,
        "```toml\na = 1\n```\n": AssertionError,
    }
    for k, (text, error) in enumerate(wrong.items()):
        page.write_text(text)
        folder = tmp_path / str(k)
        folder.mkdir()
        with pytest.raises(error):
            Page(page, folder).run(blocks(page)[0])
