"""Shards of a study, made by a job array, become one store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gudgeon.quantity import GudgeonError
from gudgeon.study.points.design import Point
from gudgeon.study.storage.store import Store

__all__ = ["merge"]


def merge(store: str | Path, parts: Sequence[str | Path] = ()) -> dict[str, int]:
    """Bring what the parts have finished into the store; gives the counts of the whole.

    parts  stores of the same study; default: the shards inside the store. It can be done again at any time, while
           shards are still computed, too; what is missing can also be computed in the merged store.
    """
    folder = Path(store)
    shards = [Path(part) for part in parts] or sorted(folder.glob("shard-*-of-*"))
    if not shards:
        raise GudgeonError(f"{store}: there are no shards in it; name the stores to merge")
    with _whole(folder, shards) as whole:
        for path in shards:
            with Store(path) as part:
                other = [k for k, v in whole.about["identity"].items() if part.about["identity"].get(k) != v]
                if other:
                    raise GudgeonError(f"{path} holds another study: it differs in {', '.join(other)}")
                new, damaged = whole.adopt(part)
                about = f" ({damaged} damaged ones are left out)" if damaged else ""
                if new or damaged:
                    whole.note(f"{new} runs taken from {path}{about}")
        return whole.counts()


def _whole(folder: Path, parts: Sequence[Path]) -> Store:
    """The store of the whole study: there, or made from its parts."""
    if (folder / "study.db").exists():
        return Store(folder, write=True)
    points: dict[int, Point] = {}
    for path in parts:
        with Store(path) as part:
            about = part.about
            points |= {index: point for index, point, *_ in part.rows()}
    missing = about["total"] - len(points)
    if missing:
        raise GudgeonError(f"{folder}: {missing} of {about['total']} runs are in none of the stores; name all shards")
    return Store.create(folder, about, [points[k] for k in range(len(points))])
