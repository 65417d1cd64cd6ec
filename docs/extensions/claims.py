"""The table of published claims, from what `gudgeon reproduce all --json` wrote to papers/claims.json."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

COLUMNS = ("section", "claim", "published", "ours", "verdict")
MARKS = {"reproduced": "✓ reproduced", "differs": "≈ differs", "not reproduced": "✗ not reproduced"}


def claims_page(folder: Path) -> str:
    """One table for each paper; a sentence where there is no file."""
    path = folder / "claims.json"
    if not path.exists():
        return "The table is made by `gudgeon reproduce all --json`; none has been kept.\n"
    claims = json.loads(path.read_text(encoding="utf-8"))
    counts = Counter(claim["verdict"] for claim in claims)
    parts = [f"{len(claims)} claims: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.most_common()) + ".\n"]
    for paper in dict.fromkeys(claim["paper"] for claim in claims):
        parts += [f"### {paper}\n", "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
        for claim in (c for c in claims if c["paper"] == paper):
            ours = " ".join(str(x) for x in (claim["ours"], f"({claim['note']})" if claim.get("note") else "") if x)
            cells = (claim["section"], claim["claim"], claim["published"], ours,
                     MARKS.get(claim["verdict"], claim["verdict"]))  # fmt: skip
            parts.append("| " + " | ".join(plain(str(x)) for x in cells) + " |")
        parts.append("")
    return "\n".join(parts)


def plain(text: str) -> str:
    """A cell of a table in which nothing is markup."""
    for sign in ("\\", "|", "*", "_", "<", "`", "$"):
        text = text.replace(sign, "\\" + sign)
    return text.replace("\n", " ")
