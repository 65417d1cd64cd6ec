"""Run one model with many values: grids, samples, maps. Interruptions lose nothing, not even kill -9.

\b
Example:
  gudgeon study run gaps.yaml --store out/gaps     compute it on all cores
  gudgeon study status out/gaps                    show the progress, also from another terminal
  gudgeon study resume out/gaps                    continue after an interruption
  gudgeon study plot out/gaps "peak pin.force" -o peaks.svg
  gudgeon study judge out/gaps "peak pin.force=5 kN"  which values keep a limit, percentiles, influences

Exit codes: 0 every run has a result, 1 some runs have none or the disk is full, 2 bad input, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gudgeon.cli import screen
from gudgeon.cli.options import Json
from gudgeon.cli.studies import chance_lines, comparison_lines, described, status_json, summary
from gudgeon.ctrl_c import told
from gudgeon.papers.case import find_case
from gudgeon.quantity import GudgeonError
from gudgeon.report.text import counted
from gudgeon.study import Store as Opened
from gudgeon.study import StoreError, Study, Table, load
from gudgeon.study import merge as bring_together
from gudgeon.study.chance import drawn_by_chance
from gudgeon.study.limits import read_limit

if TYPE_CHECKING:
    from gudgeon.model import Mechanism

__all__ = ["built_in", "command"]

FAILED = 1


Store = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a study.")]
Processes = Annotated[
    int | None, typer.Option("--processes", "-p", metavar="N", help="Number of worker processes.")
]
EngineName = Annotated[
    str, typer.Option("--engine", metavar="NAME", help="auto, local (processes), threads, gpu or cluster (dask).")
]
Address = Annotated[
    str | None, typer.Option("--address", metavar="URL",
        help="Address of the dask scheduler, for instance tcp://node1:8786.")
]
Shard = Annotated[
    str | None, typer.Option("--shard", metavar="I/N", help="Only the I-th of N parts, for job arrays; see merge.")
]
Again = Annotated[bool, typer.Option("--again", help="Compute failed and crashed runs again.")]
Against = Annotated[
    Path | None, typer.Option("--against", metavar="DIR", help="Another study to compare with; both drawn by chance.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no summary.")]


def run(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study file.")],
    store: Annotated[Path, typer.Option("--store", "-s", metavar="DIR", help="Folder for the results.")],
    processes: Processes = None,
    engine: EngineName = "auto",
    address: Address = None,
    shard: Shard = None,
    again: Again = False,
    quiet: Quiet = False,
) -> None:
    """Compute a study. Runs that the store already has are not computed again.

    \b
    Examples:
      gudgeon study run examples/studies/clearance-friction.yaml --store out/gaps
      gudgeon study run gaps.yaml --store out/gaps --shard $SLURM_ARRAY_TASK_ID/16
      gudgeon study run examples/studies/regime-map.yaml --store out/map --engine gpu
      gudgeon study run gaps.yaml --store out/gaps --engine cluster --address tcp://node1:8786
    """
    chosen = load(study, built_in).study
    compute(chosen, store, quiet, processes=processes, engine=engine, address=address, shard=shard, again=again)


def resume(
    store: Store,
    processes: Processes = None,
    engine: EngineName = "auto",
    address: Address = None,
    again: Again = False,
    quiet: Quiet = False,
) -> None:
    """Continue an interrupted study; its file is not needed.

    Also with one of its shards.

    \b
    Examples:
      gudgeon study resume out/gaps
      gudgeon study resume out/gaps/shard-2-of-8
    """
    try:
        chosen = Study.stored(store)
    except StoreError as error:
        raise stopped(error) from None
    compute(chosen, store, quiet, processes=processes, engine=engine, address=address, again=again)


def status(
    store: Store,
    json: Json = False,
) -> None:
    """Show the progress of a study, and which runs failed and why.

    Also while it is computed, from anywhere.

    \b
    Example:
      gudgeon study status out/gaps
    """
    with Opened(store) as opened:
        print(status_json(opened) if json else "\n".join(described(opened)))


def export(
    store: Store,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="A .csv or .nc file; default: CSV to stdout.")
    ] = None,
) -> None:
    """Write the results as a table: CSV, or netCDF with labelled axes.

    \b
    Examples:
      gudgeon study export out/gaps | head
      gudgeon study export out/gaps --out gaps.nc
    """
    table = read(store)
    if out is None:
        table.write_csv(sys.stdout)
    elif out.suffix in (".csv", ".nc"):
        print(table.to_csv(out) if out.suffix == ".csv" else table.to_netcdf(out))
    else:
        raise GudgeonError(f'--out "{out}": the name must end in .csv or .nc')


def plot(
    store: Store,
    measure: Annotated[str, typer.Argument(metavar="MEASURE", help='A column, for instance "peak pin.force".')],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="A .svg, .png or .pdf file.")],
    over: Annotated[
        str | None, typer.Option("--over", metavar="PATH", help="Draw lines over this parameter instead of a map.")
    ] = None,
    marginal: Annotated[
        bool, typer.Option("--marginal", help="Draw it over each parameter separately, and its distribution.")
    ] = False,
    influence: Annotated[
        bool, typer.Option("--influence", help="Draw which parameter has how much influence on it.")
    ] = False,
    spread: Annotated[
        bool, typer.Option("--spread", help="Draw its distribution, with percentiles and their confidence intervals.")
    ] = False,
    against: Against = None,
    limit: Annotated[
        str | None, typer.Option("--limit", metavar="VALUE", help="A limit to show in the distribution.")
    ] = None,
) -> None:
    """Draw a measure: a map over two parameters, lines, distributions, what has influence on it, or two studies.

    \b
    Examples:
      gudgeon study plot out/gaps regime -o regimes.svg
      gudgeon study plot out/gaps "peak pin.force" --over pin.friction -o peaks.svg
      gudgeon study plot out/gaps "peak pin.force" --marginal -o spread.svg
      gudgeon study plot out/fits "peak pin.force" --influence -o tornado.svg
      gudgeon study plot out/fits "peak pin.force" --spread --limit "5 kN" -o spread.svg
      gudgeon study plot out/fits "peak pin.force" --against out/tight -o both.svg
    """
    table = read(store)
    if spread or against is not None or limit is not None:
        other = None if against is None else read(against)
        figure = table.distribution(measure, against=other, limit=limit)
    elif influence:
        figure = table.tornado(measure)
    elif marginal:
        figure = table.marginal(measure)
    elif over is None and len(table.paths) > 1:
        figure = table.map(measure)
    else:
        figure = table.plot(measure, over=over)
    print(figure.save(out))


def judge(
    store: Store,
    limits: Annotated[
        list[str] | None,
        typer.Argument(metavar="LIMIT", help='MEASURE=VALUE, for instance "peak pin.force=5 kN".'),
    ] = None,
    against: Against = None,
) -> None:
    """Show for which parameter values the limits are kept.

    If the values were drawn by chance, also percentiles of the measures and what has how much influence on them, with
    confidence intervals of 95 %; for these no limit is needed. Two studies are compared measure by measure.

    \b
    Examples:
      gudgeon study judge out/gaps "peak pin.force=20 kN"
      gudgeon study judge out/map regime=periodic "mean peak pin.force=5 kN"
      gudgeon study judge out/fits
      gudgeon study judge out/fits "peak pin.force=5 kN" --against out/tight
    """
    table, read_limits = read(store), dict(read_limit(text) for text in limits or [])
    by_chance = drawn_by_chance(table)
    if against is not None:
        print(screen.title(f"{store} against {against}"))
        for label, line in comparison_lines(table, read(against), read_limits, (str(store), str(against))):
            print(screen.item(label, line))
        return
    if read_limits or not by_chance:
        for line in table.judge(read_limits).lines:
            label, _, text = line.partition(": ") if line.startswith("limits: ") else ("", "", line)
            print(screen.item(label, text))
    for measure in read_limits or table.measures:
        if by_chance and table[measure].dtype.kind != "U":
            for label, line in chance_lines(table, measure):
                print(screen.item(label, line))


def merge(
    store: Store,
    parts: Annotated[
        list[Path] | None, typer.Argument(metavar="[PART]...", help="Stores to merge; default: the shards in DIR.")
    ] = None,
) -> None:
    """Merge the shards of a study.

    It can be done again while they are computed.

    \b
    Example:
      gudgeon study merge out/gaps
    """
    try:
        counts = bring_together(store, parts or ())
    except StoreError as error:
        raise stopped(error) from None
    print(f"{store}: {counted(counts)}")


def built_in(name: str) -> Mechanism | None:
    """The mechanism of a built-in case."""
    case = find_case(name)
    return None if case is None else case.mechanism()


def read(store: Path) -> Table:
    return Table.read(store)


def compute(study: Study, store: Path, quiet: bool, **options: Any) -> None:
    """Run it and print its results; the exit code says whether every run has one."""
    try:
        with told(f"what was finished is kept; go on with `gudgeon study resume {store}`"):
            table = study.run(store, progress=not quiet, **options)
    except StoreError as error:
        raise stopped(error) from None
    if not quiet:
        print("\n".join(summary(table)))
    if (table.status != "done").any():
        raise typer.Exit(FAILED)


def stopped(error: Exception) -> typer.Exit:
    screen.complain(f"gudgeon: {error}")
    return typer.Exit(FAILED)


command = typer.Typer(help=__doc__, rich_markup_mode=None, no_args_is_help=True)
for function in (run, status, resume, export, plot, judge, merge):
    command.command()(function)
