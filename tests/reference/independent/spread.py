"""What is left after 5 s of the loose bearing G3, over nearby starts.

`python -m independent.spread`, in the folder above, writes the data of the tests.

The crank starts faster or slower by 1e-9 to 1e-6 of its speed, of either sign in turn, evenly spread in the logarithm.
Kept of each run: most turns [-], energy left [J], largest tilt seen every 0.1 ms [rad].
"""

from __future__ import annotations

import argparse
import json
import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from .loose_bearing import parameters, start
from .march import run

DATA = Path(__file__).parents[1] / "data" / "loose_bearing_spread.json"
SPAN, RUNS, RTOL, FINE = 5.0, 64, 1e-9, 1e-4
SMALLEST, LARGEST = 1e-9, 1e-6
CASES = {
    "1 mm, printed": {"clearance": 1e-3},
    "1 mm, one line": {"clearance": 1e-3, "one_line": True},
    "0 mm, printed": {"clearance": 0.0},
    "0 mm, one line": {"clearance": 0.0, "one_line": True},
}


def one(case: dict[str, float | bool], change: float, rtol: float = RTOL) -> list[float]:
    rows, best, _, _ = run(start(change), parameters(**case), rtol, np.array([SPAN]), FINE, np.zeros((0, 3)))
    return [float(best[0] / (2.0 * math.pi)), float(rows[0, -1]), float(best[1])]


def changes(runs: int) -> list[float]:
    return [float(s) * (-1.0) ** k for k, s in enumerate(np.geomspace(SMALLEST, LARGEST, runs))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--rtol", type=float, default=RTOL)
    parser.add_argument("--only", choices=CASES, action="append")
    parser.add_argument("--to", type=Path, default=DATA)
    asked = parser.parse_args()
    found = {}
    with ProcessPoolExecutor(2) as pool:
        for name in asked.only or CASES:
            many = changes(asked.runs)
            rows = pool.map(one, [CASES[name]] * len(many), many, [asked.rtol] * len(many))
            found[name] = [[round(x, 8) for x in row] for row in rows]
            mean, deviation = np.mean(found[name], axis=0), np.std(found[name], axis=0, ddof=1)
            print(name, "mean", mean, "deviation", deviation, flush=True)
    made_by = f"python -m independent.spread --runs {asked.runs} --rtol {asked.rtol:g}"
    text = {"made_by": made_by, "columns": ["most turns", "energy left [J]", "largest tilt [rad]"], "runs": found}
    asked.to.write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
