"""`python -m benchmarks` (make bench): the races and the waiting times, as one table each; writes out/bench/.

Timings are CPU time, the minimum over interleaved rounds in one process: only their ratios travel between machines.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from . import chains, contender, effort, flexible, spatial, studies, waiting
from .opponents import exudyn_race, floor, floor_numba, reference
from .opponents.__main__ import HEADER, contest, line
from .precision import work_precision
from .report import Table, save


def race(rounds: int) -> Table:
    revolution, half = reference.cross_check()
    checked = f"reference against SciPy DOP853: {revolution:.1e} m in revolution 1, {half:.1e} m in half of it"
    ours = [contender.runner("dopri5"), contender.runner("dop853"), contender.runner("dopri5", "shared")]
    results = contest((floor.run, floor_numba.run, *ours, exudyn_race.run), rounds)
    by_name = {result.name: result for result, _ in results}
    base, notes = results[0][0], [checked]
    for best in (by_name[f"gudgeon, {title}"] for title in ("DOPRI5", "DOP853")):
        each, in_all = best.ns_per_evaluation / base.ns_per_evaluation, best.cpu_s / base.cpu_s
        notes.append(f"{best.name} against {base.name}: {each:.2f} times per evaluation, {in_all:.2f} in all")
        for name, result in by_name.items():
            if name.lower().startswith("exudyn"):
                notes.append(f"{name} against {best.name}: {result.cpu_s / best.cpu_s:.1f} times the CPU time")
    words = "planar slider-crank with a loose pin, 10 revolutions, matched accuracy (opponents/problem.py)"
    return Table("P1", words, HEADER, [line(*entry) for entry in results], notes)


def spatial_race(rounds: int) -> Table:
    results = spatial.contest(rounds)
    words = "spatial four-bar with a loose ball, 0.1 s, matched accuracy (opponents/spatial_problem.py)"
    return Table("P2", words, spatial.HEADER, [*map(spatial.line, results)], spatial.comparison(results))


def flexible_race(rounds: int) -> Table:
    results = flexible.contest(rounds)
    words = "flexible crank-slider with a loose pin, 4 revolutions, matched peaks (opponents/flexible_problem.py)"
    return Table("P3", words, flexible.HEADER, [*map(flexible.line, results)], flexible.comparison(results))


def tables(rounds: int) -> Iterator[Table]:
    """One after the other, as they are measured."""
    yield race(rounds)
    yield spatial_race(rounds)
    yield flexible_race(rounds)
    words = "slider-crank of Schwab 2002, 0.5 mm of play, 10 revolutions"
    yield Table("Routes through a contact", words, effort.HEADER, effort.routes(min(rounds, 5)))
    yield Table("Films", "the same mechanism, lubricated", effort.HEADER, effort.films(1))
    yield Table("Waiting times", "", ("what", "time", "goal"), waiting.rows())
    yield Table("Large mechanisms", "", chains.HEADER, chains.rows())
    words = "a process takes about a CPU second to start"
    yield Table("Studies", words, ("what", "runs/s", "runs per CPU second"), studies.rows())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="interleaved rounds, the fastest counts")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="where the figure and the tables go")
    options = parser.parse_args()
    found = []
    for table in tables(options.rounds):
        found.append(table)
        print(table.text(), flush=True)
        save(found, options.out / "bench.json")
    print(f"work and precision: {work_precision(options.out / 'work-precision.svg')}")


if __name__ == "__main__":
    main()
