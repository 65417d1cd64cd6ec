"""DOPRI5 against DOP853 on every shipped model that explicit methods can integrate: work, and errors beyond the usual.

python -m benchmarks.explicit

Each model is marched over a time in which two tolerances of 1e-12 agree to 3e-8, against DOP853 at 1e-13, with 25
tolerances from 1e-6 to 1e-10. The error is the largest of all states, relative to its size or to 1e-3. For each method
a line is laid through evaluations and errors, logarithmic: it gives the work at equal error. Another one is laid
through the errors of DOPRI5 and the tolerances, its usual error; a run is an outlier where its error is more than ten
times that.
"""

from __future__ import annotations

import math
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from gudgeon.assemble import System, assemble
from gudgeon.methods.march import driver
from gudgeon.model.files import load
from gudgeon.model.run_settings import period_of
from gudgeon.quantity import GudgeonError
from gudgeon.simulation import choose_method

from .report import Table

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "examples" / "models", ROOT / "src" / "gudgeon" / "cli" / "templates")
METHODS = ("dopri5", "dop853")
TOLERANCES = np.logspace(-6.0, -10.0, 25)
AGREE, OUTLIER, ERROR = 3e-8, 10.0, 1e-7
LONGEST = 2.0  # [s] or revolutions
PATIENCE = 1.0  # seconds of a march at 1e-12
SHORTER, MOST = 1.7, 14


def marched(system: System, method: str, rtol: float, end: float) -> Any:
    return driver.run(system, choose_method(method, rtol), 0.0, end, output=end, on_rows=lambda _: None)


def error(y: np.ndarray, exact: np.ndarray) -> float:
    return float(np.max(np.abs(y - exact) / np.maximum(np.abs(exact), 1e-3)))


def predictable(system: System, period: float | None) -> float | None:
    """How long the motion can be predicted [s]; None where that takes too long to find."""
    end = min(LONGEST * period if period else LONGEST, LONGEST)
    for _ in range(MOST):
        began = time.process_time()
        one = marched(system, "dop853", 1e-12, end)
        slow = time.process_time() - began > PATIENCE
        if not slow and one.complete and error(marched(system, "dopri5", 3e-12, end).y, one.y) < AGREE:
            return end
        end /= 2.0 * SHORTER if slow else SHORTER
    return None


def line(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.polyfit(np.log(x), np.log(y), 1)


def compared(path: Path) -> tuple[dict[str, float], dict[str, int], int] | None:
    """Work at equal error and outliers of each method, and the contacts; None where explicit methods cannot do it."""
    mechanism = load(path).mechanism
    try:
        system = assemble(mechanism, choose_method("dopri5", 1e-9).needs(), coordinates="auto")
    except GudgeonError:
        return None
    end = predictable(system, period_of(mechanism))
    if end is None:
        return None
    exact, contacts = marched(system, "dop853", 1e-13, end), 0
    work, outliers = dict[str, float](), dict[str, int]()
    usual = np.zeros(0)
    for method in METHODS:
        tapes = [marched(system, method, float(rtol), end) for rtol in TOLERANCES]
        errors = np.array([max(error(tape.y, exact.y), 1e-15) for tape in tapes])
        evaluations = np.array([tape.evaluations for tape in tapes])
        contacts = len(tapes[-1].events)
        if not len(usual):
            usual = np.exp(np.polyval(line(TOLERANCES, errors), np.log(TOLERANCES)))
        outliers[method] = int((errors > OUTLIER * usual).sum())
        work[method] = float(np.exp(np.polyval(line(errors, evaluations), math.log(ERROR))))
    return work, outliers, contacts


def table() -> Table:
    rows, ratios, runs = [], [], 0
    outliers = dict.fromkeys(METHODS, 0)
    for path in sorted(path for folder in FOLDERS for path in folder.glob("*.yaml")):
        found = compared(path)
        if found is None:
            continue
        work, own, contacts = found
        ratios.append(work["dop853"] / work["dopri5"])
        if contacts:  # motions without contacts are smooth
            runs += len(TOLERANCES)
            outliers = {method: outliers[method] + own[method] for method in METHODS}
        name = path.stem if path.parent == FOLDERS[0] else f"template {path.stem}"
        rows.append((name, str(contacts), *(f"{work[method]:,.0f}" for method in METHODS), f"{ratios[-1]:.2f}",
                     *(str(own[method]) for method in METHODS)))  # fmt: skip
    mean = math.exp(float(np.mean(np.log(ratios))))
    notes = [
        f"at equal error DOP853 takes {mean:.2f} times the evaluations of DOPRI5, geometric mean of {len(ratios)}",
        f"runs with contacts whose error is more than {OUTLIER:g} times the usual one of DOPRI5: "
        + ", ".join(f"{method} {count} of {runs}" for method, count in outliers.items()),
    ]
    header = ("model", "contact events", "DOPRI5 evaluations", "DOP853", "ratio", "DOPRI5 outliers", "DOP853")
    return Table("Explicit methods", f"work at an error of {ERROR:g}", header, rows, notes)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(table().text())
