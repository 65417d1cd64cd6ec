"""The trial of rules for contact loss, from the kept file of `python -m benchmarks.contact_loss`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import figures

from gudgeon.draw.style import IDEAL, PALETTE

KEPT = Path(__file__).resolve().parents[2] / "benchmarks" / "logs" / "contact_loss.json"
FOLLOWED = "the journal followed"
HITS = ("lost, predicted", "lost, not predicted", "kept, predicted lost", "kept, predicted kept")
JOINTS = {"crank_pin": "crank and coupler", "pin": "coupler and rocker", "pivot": "rocker and frame"}
VARIANTS = {"stiff": "a wall ten times as stiff: 0.002 clearances deep"}
CURVES = {"N": "N", "gamma": "γ'/R", "own units": "γ'/R in the units of each machine"}
SIGNS = (("N = m c γ'² / R", "$N=mc\\dot\\gamma^2/R$"), ("m c |γ''| / R", "$mc\\lvert\\ddot\\gamma\\rvert/R$"),
         ("γ'/R", "$\\dot\\gamma/R$"))  # fmt: skip


def page(folder: Path, table: Any) -> str:
    """Tables, figure and verdict."""
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return "\n".join(_parts(kept, folder, table))


def borders(table: Any) -> str:
    """N at the border of one passage, by ratio and directions of the masses."""
    log = json.loads(KEPT.read_text(encoding="utf-8"))
    kept, (low, middle, high) = log["borders"], log["mass ratios"]
    angles = list(dict.fromkeys(angle for _, angle, _ in kept))
    rows = []
    for ratio in dict.fromkeys(ratio for ratio, _, _ in kept):
        found = {angle: number for other, angle, number in kept if other == ratio}
        rows.append((f"{ratio:g}", *(f"{found[angle]:.3g}" for angle in angles)))
    head = ("ratio of the masses", *(f"light direction at {angle:g}°" for angle in angles))
    return table(head, rows) + (
        "\n*N beyond which one passage loses contact, from rest. The direction in which the mass is light counts from "
        f"the load at its least, positive as the load turns. In the four-bars below the masses are {middle:.3g} times "
        f"apart (median) where the load is least, in half of them between {low:.3g} and {high:.3g} times.*\n"
    )


def share(part: int, whole: int) -> str:
    """Percent with its binomial error of 95 %."""
    p = part / whole
    return f"{100 * p:.2f} ± {100 * 1.96 * math.sqrt(p * (1 - p) / whole):.2f} %"


def errors(rule: dict[str, Any]) -> tuple[int, int]:
    """Wrong verdicts, and all."""
    hits = [rule[name] for name in HITS]
    return hits[1] + hits[2], sum(hits)


def _words(rule: dict[str, Any]) -> str:
    text: str = rule["rule"]
    for plain, mathematics in SIGNS:
        text = text.replace(plain, mathematics)
    if rule["limit"] is None:
        return text
    return f"{text} $\\ge$ {rule['limit']:.3g}" + (", the best limit" if rule["best"] else "")


def _row(first: str, rule: dict[str, Any]) -> tuple[str, ...]:
    return (first, *(f"{rule[name]:,}" for name in HITS), share(*errors(rule)))


def _first_turn(part: dict[str, Any]) -> list[tuple[str, ...]]:
    return [_row(f"turn 1 alone: {_words(rule)}", rule) for rule in part["first turn"]]


def _parts(kept: dict[str, Any], folder: Path, table: Any) -> Iterator[str]:
    main = kept["main"]
    yield (f"{main['designs']:,} four-bars; contact was lost in {main['lost']:,} of them, "
           f"{share(main['lost'], main['designs'])}. Simulations given up: {main['given up']}.\n")  # fmt: skip
    header = ("lost, and predicted lost", "lost, predicted kept", "kept, predicted lost", "kept, and predicted kept",
              "wrong")  # fmt: skip
    yield table(("rule", *header), [_row(_words(rule), rule) for rule in main["rules"]])
    yield "*± is the binomial error of 95 %. A best limit is the one with the fewest errors in these very designs.*\n"
    file = draw(main, folder)
    yield f"```{{image}} figures/{file}\n:alt: errors of rules over their limits, and losses over N\n```\n"
    yield ("*Left: wrong verdicts over the limit of each number, as a multiple of its best one; dashed: the journal "
           "followed, which has no limit. Right: four-bars that lost contact, by N, and right verdicts of following; "
           "bars are binomial errors of 95 %.*\n")  # fmt: skip
    yield "**Following, by joint and by distance from the border**\n"
    rows = [_row(JOINTS[x["joint"]], x) for x in main["joints"]]
    rows += [_row("verdict the same with half or twice the clearance", main["away"]),
             _row("the others, near the border", main["near"]), *_first_turn(main)]
    yield table(("", *header), rows)
    known = [(name, words) for name, words in VARIANTS.items() if name in kept]
    for name, words in known:
        part = kept[name]
        yield f"**With {words}** ({part['designs']:,} of the four-bars)\n"
        rows = [_row(_words(rule), rule) for rule in part["rules"] if rule["limit"] is None or rule["best"]]
        yield table(("rule", *header), [*rows, *_first_turn(part)])
    yield "### Verdict\n"
    yield from _verdict(main)


def _verdict(main: dict[str, Any]) -> Iterator[str]:
    by_name = {(rule["rule"], rule["limit"] == 1.0): rule for rule in main["rules"]}
    one, designs = by_name["N = m c γ'² / R", True], main["designs"]
    predicted = one[HITS[0]] + one[HITS[2]]
    lost = one[HITS[0]] + one[HITS[1]]
    yield (f"- *A number of at least one means that contact is lost*: with $N$ for the number this was right in "
           f"{share(one[HITS[0]], predicted)} of the {predicted:,} four-bars it was said of. It misses "
           f"{share(one[HITS[1]], lost)} of all losses.")  # fmt: skip
    zones = main["zones"]
    calm = [z for z in zones if z["to"] is not None and z["to"] <= 0.1 * 1.001]
    wild = [z for z in zones if z["from"] >= 3.1]
    few, many = sum(z["lost"] for z in calm), sum(z["lost"] for z in wild)
    total, totals = sum(z["count"] for z in calm), sum(z["count"] for z in wild)
    yield (f"- Below $N=0.1$ contact was lost in {share(few, total)} of {total:,}, above $N=3.2$ in "
           f"{share(many, totals)} of {totals:,}: between them a simulation is worth its time.")  # fmt: skip
    for pair in main["pairs"]:
        only, other = pair["only followed wrong"], pair["only this wrong"]
        difference, error = (other - only) / designs, 1.96 * math.sqrt(only + other) / designs
        better = "fewer" if difference > 0 else "more"
        verdict = "" if abs(difference) > error else ", which is no difference"
        name = _words({"rule": pair["rule"], "limit": None})
        yield (f"- Following has {100 * abs(difference):.2f} ± {100 * error:.2f} percentage points {better} wrong "
               f"verdicts than {name} at its best limit{verdict} ({only:,} against {other:,} where only one of them "
               "is wrong).")  # fmt: skip
    yield ""


def draw(main: dict[str, Any], folder: Path) -> str:
    """Wrong verdicts over limits; losses over N."""
    path = folder / "contact_loss.svg"
    followed = next(rule for rule in main["rules"] if rule["rule"] == FOLLOWED)
    wrong, count = errors(followed)
    with figures.drawn(path, 2) as (left, right):
        for k, (name, words) in enumerate(CURVES.items()):
            points = main["curves"][name]
            left.semilogx([x for x, _ in points], [100 * y for _, y in points], color=PALETTE[k], label=words)
        left.axhline(100 * wrong / count, color=IDEAL, linestyle="--", label="the journal followed")
        left.set(xlabel="limit / best limit", ylabel="wrong verdicts [%]", ylim=(0, None), xlim=(1e-3, 1e3))
        left.legend(fontsize=7)
        for k, (key, words) in enumerate((("lost", "lost contact"), ("followed right", "verdict of following right"))):
            rows = [z for z in main["zones"] if z["from"] > 0.0 and z["to"] is not None and z["count"] >= 20]
            places = [math.sqrt(z["from"] * z["to"]) for z in rows]
            parts = [z[key] / z["count"] for z in rows]
            bars = [1.96 * math.sqrt(p * (1 - p) / z["count"]) for p, z in zip(parts, rows, strict=True)]
            right.errorbar(places, [100 * p for p in parts], [100 * b for b in bars], fmt="o-", markersize=2.5,
                           color=PALETTE[k], label=words)  # fmt: skip
        right.set(xlabel="largest N of the cycle", ylabel="of the four-bars [%]", ylim=(0, 102), xscale="log")
        right.legend(fontsize=7, loc="lower right")
    return path.name
