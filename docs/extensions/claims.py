"""The published claims: pages that `gudgeon reproduce` wrote to papers/, one for each article, and their index."""

from __future__ import annotations

import json
from pathlib import Path

# what papers.md talks about: article, and words of the claims whose numbers stand there
QUOTED = {
    "stale": (("004", "AP(alpha) of the follower's acceleration"), ("004", "AP(M) of the crank moment, c")),
    "windows": (("002", "peak slider acceleration, two turns after the transient"),),
    "lost": (("002", "error of the dissipated energy"),),
    "bands": (("003", "critical speed out of the plane"),),
}


def quoted(folder: Path, key: str) -> str:
    """The claims of a section of papers.md, as they were computed: no number there is typed."""
    rows = ["| | claim | printed | ours |", "|---|---|---|---|"]
    known = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    for paper, words in QUOTED[key]:
        matches = [row for row in known if row["paper"] == paper and words in row["claim"]]
        if len(matches) != 1:
            raise ValueError(f'claims of {paper}: {len(matches)} say "{words}", papers.md quotes one')
        cells = [str(matches[0][k]).replace("|", "\\|") for k in ("claim", "published", "ours")]
        rows.append("| " + " | ".join([paper, *cells]) + " |")
    return "\n".join(rows) + "\n"


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
