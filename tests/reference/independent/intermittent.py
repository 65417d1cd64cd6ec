"""Slider-crank of Flores et al. 2007 with friction 0.03, where chaos and long regular spells take turns, and with 0.05,
where a chaotic transient of any length ends in one of several regular motions: nearby starts.

`python -m independent.intermittent`, in the folder above, writes the data of the tests.

The clearance is larger or smaller by 1e-9 to 1e-6 of itself, of either sign in turn, evenly spread in the logarithm.
Kept of each run are means over windows of two turns: peak normal force [N], peak acceleration [m/s²], rms of the
acceleration [m/s²], share of the time in contact, contacts begun.
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from .slider_crank import MEAN_SQUARE, PERIOD, SIZE, parameters, run
from .spread import changes

DATA = Path(__file__).parents[1] / "data" / "slider_crank_intermittent.json"
RUNS, TRANSIENT, WINDOWS, RTOL = 32, 20, 100, 1e-9
FRICTIONS = "0.03", "0.05"
COLUMNS = ["peak pin.normal", "peak slider.ax", "rms slider.ax", "contact fraction", "contacts"]


def one(friction: str, change: float, rtol: float = RTOL) -> np.ndarray:
    """The values of all windows of one run."""
    ends = (TRANSIENT + 2.0 * np.arange(WINDOWS + 1)) * PERIOD
    p = parameters(5e-4 * (1.0 + change), float(friction))
    rows = run(p, rtol, ends, np.zeros((len(ends), SIZE)), np.zeros((0, 5)))[1:]
    rows[:, MEAN_SQUARE] = np.sqrt(rows[:, MEAN_SQUARE])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--rtol", type=float, default=RTOL)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=FRICTIONS, action="append", help="the others stay as they are in the file")
    parser.add_argument("--to", type=Path, default=DATA)
    asked = parser.parse_args()
    found = json.loads(asked.to.read_text())["runs"] if asked.only else {}
    many = changes(asked.runs)
    with ProcessPoolExecutor(asked.processes) as pool:
        for friction in asked.only or FRICTIONS:
            rows = []
            for windows in pool.map(one, [friction] * len(many), many, [asked.rtol] * len(many)):
                rows.append(windows.mean(axis=0))
                print(friction, len(rows), rows[-1][0], flush=True)
            for name, column in zip(COLUMNS, np.array(rows).T, strict=True):
                print(name, "mean", column.mean(), "deviation of a run", column.std(ddof=1), flush=True)
            found[friction] = [[float(f"{x:.6g}") for x in row] for row in rows]
    made_by = f"python -m independent.intermittent --runs {asked.runs} --rtol {asked.rtol:g}"
    text = {"made_by": made_by, "columns": COLUMNS, "runs": found}
    asked.to.write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
