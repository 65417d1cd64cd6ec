"""Studies: runs per second and core of a small one, and what the machinery around the runs costs."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

import gudgeon as gd
from gudgeon.study.engines.local import cores

from . import contender

RUNS, MANY, REVOLUTIONS = 400, 10_000, 2.0


def rows() -> list[tuple[str, str, str]]:
    """What was measured, runs per second on the clock, and per second of CPU time."""
    found = [alone()]
    for processes in dict.fromkeys((1, cores())):
        words = f"study, {processes} process{'es' * (processes != 1)}, their start and the store included"
        found.append(studied(words, RUNS, processes=processes))
    for runs in (RUNS, MANY):
        words = f'{runs:,} runs by engine="threads", {cores()} threads, compiling and the store included'
        found.append(studied(words, runs, engine="threads"))
    return found


def study(runs: int = RUNS) -> gd.Study:
    gaps = gd.logspace("0.1 mm", "1 mm", runs)
    measures = ["peak pin.force", "contacts pin"]
    return gd.Study(contender.mechanism(), {"pin.radial_clearance": gaps}, measures, revolutions=REVOLUTIONS)


def alone() -> tuple[str, str, str]:
    """The same runs by `simulate` in a loop, nothing kept."""
    made = study()
    gd.simulate(contender.mechanism(), revolutions=REVOLUTIONS)
    began, used = time.perf_counter(), cpu()
    for point in made.points:
        gd.simulate(made.job.at(point), revolutions=REVOLUTIONS, channels=made.job.channels, progress=False)
    wall, used = time.perf_counter() - began, cpu() - used
    words = f"simulate() in a loop, {RUNS} runs of {REVOLUTIONS:g} revolutions"
    return words, f"{RUNS / wall:.0f}", f"{RUNS / used:.0f}"


def studied(words: str, runs: int, **engine: Any) -> tuple[str, str, str]:
    """A study with its store: runs over the time on the clock, and over the CPU time of driver and workers."""
    with tempfile.TemporaryDirectory() as folder:
        began, used = time.perf_counter(), cpu()
        study(runs).run(Path(folder) / "store", progress=False, **engine)
        wall, used = time.perf_counter() - began, cpu() - used
    return words, f"{runs / wall:.0f}", f"{runs / used:.0f}"


def cpu() -> float:
    """CPU time of this process and of all that it has waited for [s]."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
