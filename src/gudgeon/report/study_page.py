"""A study on one page: how far it is, its measures in numbers, percentiles, influences, maps and marginals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gudgeon.draw.scale import scale_for
from gudgeon.quantity import GudgeonError
from gudgeon.report.html import document, facts, picture, safe, table
from gudgeon.report.text import UNITS, counted, grouped
from gudgeon.study import Store, Table
from gudgeon.study.chance import drawn_by_chance, influence_lines, percentile_lines
from gudgeon.study.comparison import compare
from gudgeon.study.limits import read_limit

__all__ = ["study_page"]

FIGURES = 6
REASONS = 20  # for runs without a result


def study_page(path: Path, limits: Sequence[str] = (), against: Path | None = None) -> str:
    """The page of a store, finished or not; with the verdict of limits such as "peak pin.force=5 kN", and another
    study beside it."""
    with Store(path) as store:
        head = list(_head(store))
        name = str(store.about["name"])
    results = Table.read(path)
    done = int((results.status == "done").sum())
    chance = _chance(results) if done and drawn_by_chance(results) else ()
    other = () if against is None else _beside(results, Table.read(against), limits, (path.name, against.name))
    body = [*head, *_verdict(results, limits), *other, *_varied(results), *(_numbers(results) if done else ()), *chance,
            *_missing(results), *(_figures(results) if done > 1 else ())]  # fmt: skip
    return document(name, "\n".join(body))


def _head(store: Store) -> Iterator[str]:

    about, counts = store.about, store.counts()
    total = sum(counts.values())
    yield f'<p class="made">{safe(counted(counts))}</p>'
    yield f'<progress max="{total}" value="{total - counts["todo"]}" style="width:100%"></progress>'
    yield facts([
        ("vary", f"{', '.join(about['paths'])} ({about['design']})"), ("measure", ", ".join(about["columns"])),
        ("run", ", ".join(f"{k} {v}" for k, v in about["settings"].items())),
        *(("session", f"{when}, {s['engine']}, gudgeon {s['versions']['gudgeon']}")
          for when, s in store.sessions()[-3:]),
    ])  # fmt: skip


def _verdict(results: Table, limits: Sequence[str]) -> Iterator[str]:
    """Which runs keep the limits."""
    if limits:
        verdict = results.judge(dict(read_limit(text) for text in limits))
        yield "<h2>Verdict</h2>\n<ul>"
        yield from (f"<li>{safe(line)}</li>" for line in verdict.lines)
        yield "</ul>"


def _beside(results: Table, other: Table, limits: Sequence[str], names: tuple[str, str]) -> Iterator[str]:
    """What two studies differ by, measure by measure, with the distributions of both."""
    bounds = dict(read_limit(text) for text in limits)
    both = [name for name in results.measures if name in other.measures and results[name].dtype.kind != "U"]
    if not both:
        raise GudgeonError("compare: the studies have no measure in common; give both the same one")
    titles = names if names[0] != names[1] else ("first", "second")
    yield f"<h2>{safe(titles[0])} and {safe(titles[1])}</h2>"
    for name in both:
        found = compare(results, other, name, bounds.get(name), titles)
        items = "".join(f"<li>{safe(line)}</li>" for line in found.lines)
        yield f"<p>{safe(name)}</p>\n<ul>{items}</ul>"
        yield _picture(results.distribution(name, against=other, limit=bounds.get(name), names=titles), name)


def _varied(results: Table) -> Iterator[str]:
    """What was varied, from where to where."""
    rows = []
    for path in results.paths:
        values = results[path]
        kinds = np.unique(values)
        if values.dtype.kind == "U":
            rows.append([path, ", ".join(map(str, kinds[:6])), "", str(len(kinds)), ""])
            continue
        scale = scale_for(results.units.get(path, ""), values)
        ends = [f"{float(x) * scale.factor:.6g}" for x in (kinds[0], kinds[-1])]
        rows.append([path, *ends, str(len(kinds)), scale.unit])
    yield "<h2>What was varied</h2>"
    yield table(["", "from", "to", "values", "unit"], rows, words={0, 4})


def _missing(results: Table) -> Iterator[str]:
    """Why runs have no result, each reason once."""
    reasons = Counter(text for text in results.messages if text)
    if reasons:
        yield "<h2>Without a result</h2>"
        yield table(["runs", "why"], [[str(n), text] for text, n in reasons.most_common(REASONS)], words={1})


def _numbers(results: Table) -> Iterator[str]:

    rows, words, samples = [], [], results.one_sample()
    for name in results.measures:
        values = results[name]
        if values.dtype.kind == "U":
            kinds, counts = np.unique(values[values != ""], return_counts=True)
            words += [[name, str(k), str(n)] for k, n in sorted(zip(kinds, counts, strict=True), key=lambda x: -x[1])]
            continue
        known = values[np.isfinite(values)]
        if len(known):
            cells = [grouped(float(x)) for x in (known.min(), np.median(known), known.mean(), known.max())]
            unit = results.units.get(name, "")
            most = int(np.flatnonzero(values == known.max())[0])
            label = f"{name}, each one sample" if name in samples else name
            rows.append([label, *cells, UNITS.get(unit, unit), f"run {results.index[most]}: {_point(results, most)}"])
    yield "<h2>Measures</h2>"
    if rows:
        yield table(["", "least", "median", "mean", "largest", "unit", "largest in"], rows, words={0, 5, 6})
    if words:
        yield table(["", "word", "runs"], words, words={0, 1})


def _chance(results: Table) -> Iterator[str]:
    """Percentiles, and which varied number has how much influence."""
    numbers = [name for name in results.measures if results[name].dtype.kind != "U"]
    for title, lines in (("Percentiles", percentile_lines), ("Influence", influence_lines)):
        yield f"<h2>{title}, with 95 % confidence intervals</h2>"
        for name in numbers:
            try:
                items = "".join(f"<li>{safe(line)}</li>" for line in lines(results, name))
            except GudgeonError as error:
                items = f"<li>{safe(error)}</li>"
            yield f"<p>{safe(name)}</p>\n<ul>{items}</ul>"


def _point(results: Table, row: int) -> str:
    """The values that a run was computed with."""
    words = []
    for path in results.paths:
        values = results[path]
        if values.dtype.kind == "U":
            words.append(f"{path} {values[row]}")
            continue
        scale = scale_for(results.units.get(path, ""), values)
        words.append(f"{path} {float(values[row]) * scale.factor:.4g} {scale.unit}".rstrip())
    return ", ".join(words)


def _figures(results: Table) -> Iterator[str]:
    yield "<h2>Figures</h2>"
    chance = (results.distribution, results.tornado) if drawn_by_chance(results) else ()
    several = (results.map, results.marginal, *chance)
    for name in results.measures[:FIGURES]:
        for draw in several if len(results.paths) > 1 else (results.plot,):
            try:
                yield _picture(draw(name), name)
            except (GudgeonError, ValueError):
                # words have no distribution, samples no map, few runs no influence
                continue


def _picture(figure: Any, name: str) -> str:
    with TemporaryDirectory() as folder:
        image = picture(figure.save(Path(folder) / "figure.png"), name)
    return f"<figure><figcaption>{safe(name)}</figcaption>{image}</figure>"
