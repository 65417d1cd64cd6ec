"""`python -m benchmarks` (make bench): the races and the waiting times, as one table each; writes out/bench/.

Timings are CPU time, the minimum over interleaved rounds in one process: only their ratios travel between machines.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from . import chains, contender, effort, spatial, studies, waiting
from .opponents import exudyn_race, floor, floor_numba, reference
from .opponents.__main__ import HEADER, contest, line
from .precision import work_precision


def table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    first, others = widths[0], widths[1:]
    aligned = [[row[0].ljust(first), *map(str.rjust, row[1:], others)] for row in rows]
    return "\n".join("  ".join(cells) for cells in aligned)


def race(rounds: int) -> None:
    revolution, half = reference.cross_check()
    print("P1: planar slider-crank with a loose pin, 10 revolutions, matched accuracy (opponents/problem.py)")
    print(f"reference against SciPy DOP853: {revolution:.1e} m in revolution 1, {half:.1e} m in half of it")
    own = [contender.runner(method, "own") for method in ("dopri5", "dop853")]
    ours = [*own, *(contender.runner(method) for method in ("dopri5", "dop853", "adams"))]
    results = contest((floor.run, floor_numba.run, *ours, exudyn_race.run), rounds)
    print(table([HEADER, *(line(*entry) for entry in results)]))
    by_name = {result.name: result for result, _ in results}
    base = results[0][0]
    print()
    for best in (by_name[f"gudgeon, {title}{contender.LOOPS['own']}"] for title in ("DOPRI5", "DOP853")):
        each, in_all = best.ns_per_evaluation / base.ns_per_evaluation, best.cpu_s / base.cpu_s
        print(f"{best.name} against {base.name}: {each:.2f} times per evaluation, {in_all:.2f} in all")
        for name, result in by_name.items():
            if name.lower().startswith("exudyn"):
                print(f"{name} against {best.name}: {result.cpu_s / best.cpu_s:.1f} times the CPU time")


def spatial_race(rounds: int) -> None:
    print("P2: spatial four-bar with a loose ball, 0.1 s, matched accuracy (opponents/spatial_problem.py)")
    results = spatial.contest(rounds)
    print(table([spatial.HEADER, *map(spatial.line, results)]))
    print("\n" + "\n".join(spatial.comparison(results)))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="interleaved rounds, the fastest counts")
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="where the figure goes")
    options = parser.parse_args()
    race(options.rounds)
    print()
    spatial_race(options.rounds)
    print("\nroutes through a contact: slider-crank of Schwab 2002, 0.5 mm of play, 10 revolutions")
    print(table([effort.HEADER, *effort.routes(min(options.rounds, 5))]))
    print("\nfilms: the same mechanism, lubricated")
    print(table([effort.HEADER, *effort.films(1)]))
    print("\nwaiting times")
    print(table([("what", "time", "goal"), *waiting.rows()]))
    print("\nlarge mechanisms")
    print(table([chains.HEADER, *chains.rows()]))
    print("\nstudies (a process takes about a CPU second to start)")
    print(table([("what", "runs/s", "runs per CPU second"), *studies.rows()]))
    print(f"\nwork and precision: {work_precision(options.out / 'work-precision.svg')}")


if __name__ == "__main__":
    main()
