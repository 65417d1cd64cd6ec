"""A study in words: what came out, how far it is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from gudgeon.cli import screen
from gudgeon.cli.screen import item
from gudgeon.quantity import GudgeonError
from gudgeon.report.text import counted, grouped
from gudgeon.study.chance import influence_lines, percentile_lines
from gudgeon.study.comparison import compare

if TYPE_CHECKING:
    from gudgeon.study import Store, Table

__all__ = ["chance_lines", "comparison_lines", "described", "status_json", "summary"]

MOST = 5  # messages of one kind


def summary(table: Table) -> Iterator[str]:
    """The results of a study: least, median and largest value of each measure, how often each word."""
    counts = {"done": 0, "failed": 0, "crashed": 0, "todo": 0} | dict(Counter(map(str, table.status)))
    yield screen.title(f"{table.name} · {counted(counts)}")
    longest, samples = max(len(name) for name in table.measures), table.one_sample()
    for name in table.measures:
        values, unit = table[name], table.units.get(name, "")
        if values.dtype.kind == "U":
            often = Counter(str(word) for word in values if word)
            yield f"  {name:<{longest}}  " + ", ".join(f"{word} {count}" for word, count in often.most_common(8))
            continue
        known = values[np.isfinite(values)]
        if len(known):
            low, middle, high = (grouped(float(x)) for x in (known.min(), np.median(known), known.max()))
            each = "; each one sample" if name in samples else ""
            yield f"  {name:<{longest}}  least {low}, median {middle}, largest {high}{f' {unit}' * bool(unit)}{each}"
    yield from failures(Counter(text for text in table.messages if text))
    if table.engine:
        yield item("engine", table.engine)
    if table.store is not None:
        yield item("written", f"{table.store}; next: gudgeon study export {table.store}")


def chance_lines(table: Table, measure: str) -> Iterator[tuple[str, str]]:
    """Percentiles of a measure, and what has influence on it; with labels."""
    for title, lines in (("spread", percentile_lines), ("influence", influence_lines)):
        yield title, measure
        try:
            yield from (("", line) for line in lines(table, measure))
        except GudgeonError as error:
            yield "", str(error)


def comparison_lines(first: Table, second: Table, limits: Mapping[str, str],
                     names: tuple[str, str]) -> Iterator[tuple[str, str]]:  # fmt: skip
    """What two studies differ by: the measures with a limit, or all that both have."""
    both = [name for name in first.measures if name in second.measures and first[name].dtype.kind != "U"]
    for measure in limits or both:
        yield "compare", measure
        try:
            yield from (("", line) for line in compare(first, second, measure, limits.get(measure), names).lines)
        except GudgeonError as error:
            yield "", str(error)
    if not limits and not both:
        raise GudgeonError("compare: the studies have no measure in common; give both the same one")


def failures(reasons: Counter[str]) -> Iterator[str]:
    """Why runs have no result, the most frequent first."""
    for text, count in reasons.most_common(MOST):
        yield item("warning", f"{count} run{'s' * (count != 1)}: {text}")
    left = len(reasons) - MOST
    if left > 0:
        yield item("", f"and {left} other reasons; `gudgeon study export` lists all")


def described(store: Store) -> Iterator[str]:
    """How far a study is, on what, and what was noted."""
    about, counts = store.about, store.counts()
    yield screen.title(f"{about['name']} · {counted(counts)}")
    samples = f", {about['samples']} samples, seed {about['seed']}" if about["samples"] else ""
    yield item("vary", f"{', '.join(about['paths'])} ({about['design']}{samples})")
    yield item("measure", ", ".join(about["columns"]))
    yield item("run", ", ".join(f"{name} {value}" for name, value in about["settings"].items()))
    done = sum(counts.values()) - counts["todo"]
    if done:
        spent = store.seconds()
        yield item("computed", f"{spent:.4g} s in all, {spent / done * 1e3:.4g} ms per run")
    for started, session in store.sessions()[-3:]:
        version = session["versions"]["gudgeon"]
        yield item("session", f"{started}, {session['engine']} on {session['host']}, gudgeon {version}")
    yield from failures(Counter(text for _, _, text in store.messages(100_000)))
    for when, text in store.notes()[-MOST:]:
        yield item("note", f"{when}: {text}")
    if counts["todo"]:
        yield item("next", f"gudgeon study resume {store.path}")


def status_json(store: Store) -> str:
    """The same for programs."""
    failed = [{"run": index, "status": status, "message": text} for index, status, text in store.messages(100_000)]
    about = {k: store.about[k] for k in ("name", "design", "samples", "seed", "paths", "columns", "settings", "total")}
    sessions = [{"started": started, **session} for started, session in store.sessions()]
    notes = [{"time": when, "text": text} for when, text in store.notes()]
    whole = {**about, **store.counts(), "without_result": failed, "sessions": sessions, "notes": notes}
    return json.dumps(whole, ensure_ascii=False, indent=1)
