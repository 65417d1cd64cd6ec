"""Work and precision: evaluations and CPU time of each method against the error it reaches in race P1."""

from __future__ import annotations

from pathlib import Path

from . import contender
from .opponents import reference
from .opponents.problem import SAMPLES

TOLERANCES = tuple(10.0**-k for k in range(5, 14))
METHODS = ("dopri5", "dop853")


def work_precision(path: Path) -> Path:
    """One figure: error over the first half revolution, before chaos takes over."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    figure = Figure(figsize=(9, 4), layout="constrained")
    work, clock = figure.subplots(1, 2, sharey=True)
    for method, marker in zip(METHODS, "os^", strict=True):
        run = contender.runner(method)
        points = []
        for rtol in TOLERANCES:
            results = [run(0.5, rtol, SAMPLES) for _ in range(5)]
            _, error = reference.errors(results[0])
            points.append((results[0].evaluations, 1e3 * min(r.cpu_s for r in results), error))
        evaluations, milliseconds, errors = zip(*points, strict=True)
        work.loglog(evaluations, errors, marker=marker, ms=4, lw=1, label=method)
        clock.loglog(milliseconds, errors, marker=marker, ms=4, lw=1, label=method)
    work.set_xlabel("evaluations of the right-hand side")
    work.set_ylabel("error over half a revolution [m]")
    clock.set_xlabel("CPU time [ms]")
    work.legend(frameon=False)
    for axes in (work, clock):
        axes.grid(alpha=0.25)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    figure.savefig(path.with_suffix(".png"), dpi=110)
    return path
