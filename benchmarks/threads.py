"""How studies scale over the cores of a processor, in threads and in processes.

python -m benchmarks.threads [--runs 256] [--most 16]
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import gudgeon as gd

from . import contender


def study(runs: int) -> gd.Study:
    """Regimes of the slider-crank of race P1 over clearances: most of the time is spent in marches."""
    return gd.Study(contender.mechanism(), {"pin.radial_clearance": gd.linspace("0.45 mm", "0.5 mm", runs)},
                    "regime", transient=20, turns=40, rtol=1e-8, loop="own")  # fmt: skip


def pace(runs: int, engine: str, workers: int) -> float:
    """Runs per second."""
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        study(runs).run(Path(place) / "store", engine=engine, processes=workers, progress=False)
        return runs / (time.perf_counter() - began)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=64)
    options.add_argument("--most", type=int, default=16)
    given = options.parse_args()
    print(platform.processor() or platform.machine(), f"{given.runs} regimes of P1, 20 + 40 revolutions and twins")
    pace(2, "threads", 1)  # what is compiled once
    workers, first = 1, {}
    while workers <= given.most:
        for engine in ("threads", "local"):
            found = pace(given.runs, engine, workers)
            base = first.setdefault(engine, found)
            print(json.dumps({"engine": engine, "workers": workers, "runs per second": round(found, 1),
                              "times one": round(found / base, 2)}), flush=True)  # fmt: skip
        workers *= 2


if __name__ == "__main__":
    main()
