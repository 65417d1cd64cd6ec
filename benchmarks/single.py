"""What single precision gives and costs: pace on a card, and error against double precision.

python -m benchmarks.single [--machine gpu|host] [--size 200000] [--cases P1,friction,spatial] [--out FOLDER]

The forms, by `gudgeon.batch.precision`: "double"; "single", laws and equations in single precision; "slopes", those
and the slopes that a step adds up; "bare", all but the clock, which is no choice but shows what its digits are for.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.batch.machine import Machine, machine
from gudgeon.batch.precision import BARE, DOUBLE_PRECISION, SINGLE, SLOPES, Precision

from .gpu import CASES, Case, Many, here, timed

FORMS = {form.name: form for form in (DOUBLE_PRECISION, SINGLE, SLOPES, BARE)}
PARTS, SOME = 8, 16
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
REFERENCE = 1e-12
TRIES = 20_000


def peaks(case: Case, where: Machine, form: Precision, rtol: float) -> tuple[np.ndarray, Any]:
    """Largest force in each eighth of the first turn (part, trajectory), and the results."""
    out = Many(case, where, form, rtol=rtol, parts=PARTS).run(SOME, PARTS, TRIES * PARTS)
    return out["extremes"][:, 0], out.results


def errors(case: Case, where: Machine) -> list[dict[str, Any]]:
    """Peaks against double precision with a tight tolerance, for each form and tolerance."""
    exact, _ = peaks(case, where, DOUBLE_PRECISION, REFERENCE)
    scale = exact.max(axis=1).clip(1e-12)
    rows = []
    for form in FORMS.values():
        for rtol in TOLERANCES:
            found, results = peaks(case, where, form, rtol)
            apart = np.median(np.abs(found - exact), axis=1) / scale
            rows.append({
                "case": case.name, "precision": form.name, "rtol": rtol, "stalled": int((results["status"] != 0).sum()),
                "of": SOME, "error by eighth": [float(f"{x:.2g}") for x in apart],
                **{name: float(results[name].mean()) for name in ("steps", "rejected", "locations")},
            })  # fmt: skip
            print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--machine", default="gpu")
    options.add_argument("--size", type=int, default=200_000)
    options.add_argument("--cases", default=",".join(CASES))
    options.add_argument("--out", default="out")
    options.add_argument("--errors", action="store_true", help="errors against tolerance, too")
    given = options.parse_args()
    where = machine(given.machine)
    report: dict[str, Any] = {"here": here(), "pace": [], "errors": []}
    for name in given.cases.split(","):
        for form in FORMS.values():
            # trajectories that stall take their time
            size = given.size // 10 if form is BARE else given.size
            report["pace"] += timed(CASES[name], where, [size], form)
        if given.errors:
            report["errors"] += errors(CASES[name], where)
    folder = Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "single.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
