"""`python -m benchmarks.opponents` runs the opponents of race P1 against each other and prints a table."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from . import exudyn_race, floor, floor_numba, reference
from .problem import ERROR_HALF, ERROR_REVOLUTION, REVOLUTIONS, SAMPLES
from .result import RaceResult, Unavailable

Runner = Callable[[float, float, int], RaceResult]
OPPONENTS: tuple[Runner, ...] = (floor.run, floor_numba.run, exudyn_race.run)
DECADES = tuple(10.0**-power for power in range(5, 14))
HEADER = ("name", "tolerance", "evaluations", "onsets", "CPU ms", "ns/evaluation", "error rev 1", "half")


def loosest(run: Runner) -> tuple[float, tuple[float, float]]:
    """The loosest tolerance, by decades, that meets the accuracy, and its errors."""
    for tolerance in DECADES:
        found = reference.errors(run(1, tolerance, SAMPLES))
        if found[0] <= ERROR_REVOLUTION and found[1] <= ERROR_HALF:
            return tolerance, found
    raise RuntimeError(f"no tolerance down to {DECADES[-1]:g} meets the accuracy")


def contest(runners: tuple[Runner, ...], rounds: int) -> list[tuple[RaceResult, tuple[float, float]]]:
    """The fastest of the interleaved rounds of each opponent, with its errors in revolution 1."""
    ready = []
    for run in runners:
        try:
            ready.append((run, *loosest(run)))
        except Unavailable as reason:
            print(f"left out: {reason}")
    results: list[list[RaceResult]] = [[] for _ in ready]
    for _ in range(rounds):
        for entry, (run, tolerance, _) in zip(results, ready, strict=True):
            entry.append(run(REVOLUTIONS, tolerance, SAMPLES))
    best = (min(entry, key=lambda result: result.cpu_s) for entry in results)
    return [(result, found) for result, (_, _, found) in zip(best, ready, strict=True)]


def line(result: RaceResult, found: tuple[float, float]) -> tuple[str, ...]:
    """The cells of one opponent."""
    onsets = "-" if result.onsets is None else str(result.onsets)
    return (
        result.name,
        f"{result.tolerance:.0e}",
        f"{result.evaluations:,}",
        onsets,
        f"{1e3 * result.cpu_s:.1f}",
        f"{result.ns_per_evaluation:.0f}",
        *(f"{error:.1e}" for error in found),
    )


def main() -> None:
    """Run the contest and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.opponents", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds, the fastest counts")
    rounds = parser.parse_args().rounds
    revolution, half = reference.cross_check()
    print(f"reference against SciPy DOP853: {revolution:.1e} m in revolution 1, {half:.1e} m in half of it")
    rows = [HEADER, *(line(*entry) for entry in contest(OPPONENTS, rounds))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    for row in rows:
        first, *others = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join((first, *others)))


if __name__ == "__main__":
    main()
