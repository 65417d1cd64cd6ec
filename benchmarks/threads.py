"""How studies scale over the cores of a processor, in threads and in processes.

python -m benchmarks.threads [--most 16] [--seconds 6] [--engines threads,local] [--out FOLDER]

Every row has work in proportion to its workers, so that each takes about the same time: on 16 cores under two minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import Any

import gudgeon as gd

from . import contender

HEADER = ("engine", "workers", "runs", "seconds", "runs per second", "times one", "efficiency")
FIRST = 8  # runs that tell how long one takes


def study(runs: int) -> gd.Study:
    """Regimes of the slider-crank of race P1 over clearances: most of the time is spent in marches."""
    return gd.Study(contender.mechanism(), {"pin.radial_clearance": gd.linspace("0.45 mm", "0.5 mm", runs)},
                    "regime", transient=5, turns=40, rtol=1e-8)  # fmt: skip


def seconds(runs: int, engine: str, workers: int) -> float:
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        table = study(runs).run(Path(place) / "store", engine=engine, processes=workers, progress=False)
        taken = time.perf_counter() - began
    assert (table.status == "done").all()
    return taken


def rows(engines: list[str], most: int, wanted: float) -> list[dict[str, Any]]:
    """Workers doubled until there are so many; each row with its efficiency against one worker."""
    for engine in dict.fromkeys(["threads", *engines]):
        seconds(2, engine, 1)  # what is compiled once, by each engine its own
    each = seconds(FIRST, "threads", 1) / FIRST
    found: list[dict[str, Any]] = []
    for engine in engines:
        workers, first = 1, 0.0
        while workers <= most:
            runs = workers * max(FIRST, round(wanted / each))
            taken = seconds(runs, engine, workers)
            pace = runs / taken
            first = first or pace
            found.append({"engine": engine, "workers": workers, "runs": runs, "seconds": round(taken, 2),
                          "runs per second": round(pace, 2), "times one": round(pace / first, 2),
                          "efficiency": round(pace / first / workers, 3)})  # fmt: skip
            print("  ".join(f"{found[-1][name]!s:>{max(8, len(name))}}" for name in HEADER), flush=True)
            workers *= 2
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--most", type=int, default=16)
    options.add_argument("--seconds", type=float, default=6.0, help="that a row is to take")
    options.add_argument("--engines", default="threads,local")
    options.add_argument("--out", default="out")
    given = options.parse_args()
    here = f"{platform.processor() or platform.machine()}, {len(os.sched_getaffinity(0))} cores"
    print(f"{here}: regimes of P1, 5 + 40 revolutions and twins, rtol 1e-8")
    print("  ".join(f"{name:>{max(8, len(name))}}" for name in HEADER))
    found = rows(given.engines.split(","), given.most, given.seconds)
    folder = Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    report = {"here": here, "versions": gd.__version__, "rows": found}
    (folder / "threads.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report))


if __name__ == "__main__":
    main()
