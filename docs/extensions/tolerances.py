"""What error norms cost in contact, as a table and a figure, from the kept file of `python -m benchmarks.tolerance`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import figures

from gudgeon.draw.style import IDEAL, PALETTE

KEPT = Path(__file__).resolve().parents[2] / "benchmarks" / "logs" / "tolerance.json"
USUAL = "as it is"
SHOWN = ("following", "friction", "stick")
WORDS = {
    USUAL: "in use: rtol (\\|state\\| + a tenth of size or speed of the mechanism; bristles: breakaway deflection)",
    "bristles by 1 m": "bristles of friction with an absolute tolerance like other states",
    "bristles that stop": "the same norm, but bristles that stop where a contact ends",
    "as it was": "both, as it was before",
    "positions / 100": "absolute tolerances, positions a hundred times looser",
    "positions x 100": "absolute tolerances, positions a hundred times tighter",
    "clearance": "positions relative to the clearance",
    "tenth of clearance": "positions relative to a tenth of the clearance",
    "contact": "absolute; positions by the clearance, speeds by those of the contact itself",
    "touching / 10": "errors of steps in contact count a tenth",
    "touching x 10": "errors of steps in contact count ten times",
    "per unit time": "errors divided by the length of the step",
    "half per unit time": "errors divided by the root of the length of the step",
}


def kept() -> dict[str, Any]:
    results: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return results


def page(folder: Path, table: Any) -> str:
    """The table, the figure, and what each case is."""
    return "\n".join(_parts(kept(), folder, table))


def _parts(results: dict[str, Any], folder: Path, table: Any) -> Iterator[str]:
    names = list(results)
    rows = []
    for norm in WORDS:
        ratios = [results[name]["work"].get(norm) for name in names]
        cells = [" / ".join(_ratio_text(x[what]) for what in ("force", "orbit")) if x else "" for x in ratios]
        rows.append((WORDS[norm], *cells))
    yield table(("tolerance of a step", *names), rows)
    yield "Evaluations relative to the first row at equal error of peak forces / of the pin's place. The cases:\n"
    for name in names:
        one = results[name]
        ratio = float(f"{one['speeds']:.2g}")
        yield f"- *{name}*: {one['words']}, touching {one['touched']:.0%} of the time, $V/v_c$ = {ratio:g}"
    file = draw(results, folder)
    yield f"\n```{{image}} theory/figures/{file}\n:alt: work and precision of error norms\n```\n"


def _ratio_text(ratio: float) -> str:
    return "-" if math.isnan(ratio) else f"{ratio:.2f}"


def draw(results: dict[str, Any], folder: Path) -> str:
    """Error of peak forces over evaluations: grey all norms, blue the usual one, beside it as it was."""
    path = folder / "tolerances.svg"
    with figures.drawn(path, len(SHOWN)) as axes:
        for ax, name in zip(axes, SHOWN, strict=True):
            for norm, curve in results[name]["curves"].items():
                good = [(p["evaluations"], p["force"]) for p in curve if p["bad"] == 0 and p["force"] > 0.0]
                mine = {USUAL: PALETTE[0], "as it was": PALETTE[1]}
                ax.loglog(*zip(*good, strict=True), "o-", markersize=2.5, linewidth=1.3 if norm in mine else 0.6,
                          color=mine.get(norm, IDEAL), zorder=3 if norm == USUAL else 1)  # fmt: skip
            ax.set(xlabel="evaluations", title=name)
        axes[0].set_ylabel("relative error of peak forces")
    return path.name
