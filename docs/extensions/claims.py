"""The published claims: pages that `gudgeon reproduce` wrote to papers/, one for each article, and their index."""

from __future__ import annotations

from pathlib import Path


def claims_page(folder: Path) -> str:
    """What papers.md includes: the table of the index, and the pages; a sentence where there are none."""
    index = folder / "index.md"
    if not index.exists():
        return "The pages are made by `gudgeon reproduce all`; none have been kept.\n"
    pages = sorted(path.stem for path in folder.glob("*.md") if path != index)
    text = index.read_text(encoding="utf-8").partition("\n")[2].strip()
    for page in pages:
        text = text.replace(f"]({page}.md)", f"](papers/{page}.md)")
    entries = "\n".join(f"papers/{page}" for page in pages)
    return f"{text}\n\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
