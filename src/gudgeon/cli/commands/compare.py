"""Compare the peaks of runs with those of the first run.

Models are run first. Without --channel, accelerations, torques and forces are compared.

\b
Examples:
  gudgeon compare schwab2002/ideal schwab2002/hertz -r 1
  gudgeon compare out/tight out/loose --channel "slider.*" --out out/compare
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from matplotlib import rc_context
from matplotlib.figure import Figure

from gudgeon.cli import screen
from gudgeon.cli.running import run_settings, simulated
from gudgeon.cli.saved import from_run, read
from gudgeon.cli.source import find, is_run
from gudgeon.draw.heading import finished
from gudgeon.draw.scale import readable, scale_for
from gudgeon.draw.style import HALO, IDEAL, PALETTE, RULES
from gudgeon.quantity import GudgeonError, closest
from gudgeon.report.text import UNITS, grouped
from gudgeon.written import draft

if TYPE_CHECKING:
    from gudgeon.cli.saved import Saved

__all__ = ["command"]

DRAWN = 5  # panels of the figure
SHOWN = (".ax", ".ay", ".az", ".alpha", ".alphax", ".alphay", ".alphaz", ".force", ".torque", ".drive_force",
           ".normal", ".moment")  # fmt: skip


def command(
    sources: Annotated[
        list[str], typer.Argument(metavar="RUN|MODEL RUN|MODEL...", help="Run files, folders, model files or cases.")
    ],
    until: Annotated[
        str | None,
        typer.Option("--until", "--duration", metavar="TIME", help="Run models to this time, for instance 20ms."),
    ] = None,
    revolutions: Annotated[
        float | None, typer.Option("--revolutions", "-r", metavar="N", help="Or for this many revolutions.")
    ] = None,
    channels: Annotated[
        list[str] | None,
        typer.Option("--channel", "-c", metavar="NAME", help="Compare this channel (repeatable); * matches any text."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for compare.svg and compare.csv.")
    ] = None,
) -> None:
    if len(sources) < 2:
        raise GudgeonError("compare needs two or more runs or models")
    if until is not None and revolutions is not None:
        raise GudgeonError("--until and --revolutions both say when to stop; give one of them")
    runs = [gather(name, until, revolutions) for name in sources]
    names = chosen(runs, channels or [])
    screen.show(table(runs, names))
    for run in runs:
        if not run.complete:
            screen.say(f"warning: {run.name} did not reach its end")
    spans = {f"{run.t[-1]:.6g}" for run in runs}
    if len(spans) > 1:
        screen.say(f"warning: the runs end at different times: {', '.join(sorted(spans))} s")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        print(screen.item("written", "  ".join(str(path) for path in write(runs, names, out)), indent=0))


def gather(name: str, until: str | None, revolutions: float | None) -> Saved:
    """A run from disk, or the run of a model."""
    if is_run(name):
        return read(name)
    source = find(name)
    settings = run_settings(source, until, revolutions)
    return from_run(simulated(source.mechanism, settings, None), source.stem)


def chosen(runs: Sequence[Saved], patterns: Sequence[str]) -> list[str]:
    """The channels that all runs have: those named by --channel, or accelerations, torques and forces."""
    common = [name for name in runs[0].data if all(name in run.data for run in runs) and not name.endswith(".mode")]
    common = [name for name in common if patterns or not name.startswith("energy.")]
    if not common:
        raise GudgeonError(f"{' and '.join(run.name for run in runs)} have no channel in common")
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in common):
            likely = closest(pattern, common)
            hint = f'; did you mean "{likely}"?' if likely else ""
            raise GudgeonError(f'--channel "{pattern}": no channel of this name is in all runs{hint}')
    if patterns:
        return [name for name in common if any(fnmatchcase(name, pattern) for pattern in patterns)]
    candidates = [name for name in common if name.endswith(SHOWN)]
    # a channel that is zero to rounding is left out
    scale: dict[str, float] = {}
    for name in candidates:
        unit = runs[0].units[name]
        scale[unit] = max(scale.get(unit, 0.0), *(run.peak(name)[0] for run in runs))
    return [n for n in candidates if max(run.peak(n)[0] for run in runs) > 1e-6 * scale[runs[0].units[n]]]


def table(runs: Sequence[Saved], names: Sequence[str]) -> Any:
    """Peaks of each run, and their ratio to the first; "one sample" where one of them is no prediction."""
    titles = [f">{run.name}" for run in runs[:1]]
    for run in runs[1:]:
        titles += [f">{run.name}", ">x"]
    made = screen.table("peak", *titles, "unit")
    for name in names:
        base = runs[0].peak(name)[0]
        cells = [grouped(base)]
        for run in runs[1:]:
            value = run.peak(name)[0]
            cells += [grouped(value), ratio(value, base)]
        unit, sampled = UNITS.get(runs[0].units[name], runs[0].units[name]), any(run.one_sample(name) for run in runs)
        made.add_row(name, *cells, f"{unit}, one sample" if sampled else unit)
    counts = [len(run.contacts["joint"]) for run in runs]
    cells = [str(counts[0])]
    for count in counts[1:]:
        cells += [str(count), ""]
    made.add_row("contacts", *cells, "")
    return made


def ratio(value: float, base: float) -> str:
    if not base > 0.0:
        return ""
    quotient = value / base
    return f"{quotient:.3f}" if quotient < 100.0 else f"{quotient:.0f}"


def write(runs: Sequence[Saved], names: Sequence[str], folder: Path) -> list[Path]:
    """A table with all digits and a figure."""
    path = folder / "compare.csv"
    with draft(path) as part, part.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["channel", "unit", *(f"{run.name} {what}" for run in runs for what in ("peak", "time [s]"))])
        for name in names:
            rows.writerow([name, runs[0].units[name], *(x for run in runs for x in run.peak(name))])
    return [path, draw(runs, apart(runs, names), folder / "compare.svg")]


def apart(runs: Sequence[Saved], names: Sequence[str]) -> list[str]:
    """The channels whose peaks differ most between the runs, in the order of the table."""

    def spread(name: str) -> float:
        peaks = [run.peak(name)[0] for run in runs]
        return max(peaks) / max(min(peaks), 1e-12 * max(peaks), 1e-300)

    chosen = sorted(names, key=spread, reverse=True)[:DRAWN]
    return [name for name in names if name in chosen]


def draw(runs: Sequence[Saved], names: Sequence[str], path: Path) -> Path:
    """One panel per channel, one line per run, the first in grey underneath."""
    with rc_context(RULES):
        figure = Figure(figsize=(8.0, 0.8 + 1.7 * len(names)), layout="constrained")
        panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
        time = scale_for("s", *(run.t for run in runs))
        for panel, name in zip(panels, names, strict=True):
            scale = scale_for(runs[0].units[name], *(run.data[name] for run in runs))
            for k, run in enumerate(runs):
                colour, width = (IDEAL, HALO) if k == 0 else (PALETTE[(k - 1) % len(PALETTE)], 0.8)
                panel.plot(run.t * time.factor, run.data[name] * scale.factor, label=run.name, color=colour,
                           linewidth=width)  # fmt: skip
            panel.set_ylabel(scale.label(name))
            readable(panel)
        panels[-1].set_xlabel(time.label("time"))
        return finished(figure, "", panels[0].lines).save(path)
