"""Trajectories per second on a graphics card, and how its numbers compare with those of the processor.

python -m benchmarks.gpu [--machine gpu|host] [--sizes 10000,100000,1000000] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.batch import driver
from gudgeon.batch.batch import Batch
from gudgeon.batch.inputs import described
from gudgeon.batch.kinds import Trajectories
from gudgeon.batch.machine import Machine, machine
from gudgeon.batch.program import Wanted
from gudgeon.papers import flores2006, flores2007

from . import contender
from .opponents.problem import P1

RTOL = 1e-6
MOST = 20_000  # tries of a trajectory in a turn


@dataclass(frozen=True)
class Case:
    """A mechanism by clearance [m], the period [s] that is one turn, so many turns, what is kept."""

    name: str
    make: Callable[[float], gd.Mechanism]
    clearance: float
    period: float
    turns: int
    wanted: Wanted


def slider_crank(clearance: float) -> gd.Mechanism:
    m = contender.mechanism()
    wall = gd.LankaraniNikravesh(stiffness=P1.stiffness, restitution=P1.restitution, clip=True)
    return m.refit(pin=gd.Clearance(clearance, wall=wall))


def four_bar(clearance: float) -> gd.Mechanism:
    return flores2007.four_bar(clearance, friction=0.1)


def spatial(clearance: float) -> gd.Mechanism:
    return flores2006.four_bar(clearance, socket=True)


CASES = {
    "P1": Case("P1, slider-crank, 20 revolutions", slider_crank, P1.clearance, P1.period, 20,
               Wanted(extremes=("pin.force",), strobe=("pin.ex", "pin.ey"))),
    "friction": Case("four-bar of Flores 2007 with friction 0.1, 20 revolutions", four_bar, 2e-4,
                     2.0 * np.pi / flores2007.FOUR_BAR_SPEED, 20, Wanted(extremes=("pin.force",))),
    "spatial": Case("spatial four-bar of Flores 2006, 0.1 s", spatial, 5e-4, 0.05, 2, Wanted(extremes=("ball.force",))),
}  # fmt: skip


class Many:
    """Trajectories whose clearance differs, from 0.9 to 1 of the base."""

    def __init__(self, case: Case, where: Machine, *, rtol: float = RTOL, parts: int = 1) -> None:
        period, self.case = abs(case.period), case
        systems = [assemble(case.make(c), coordinates="auto") for c in (case.clearance, 0.9 * case.clearance)]
        # one step of the longest kind is a 200th of a turn; of each of its parts something is kept
        ends = [described(system, rtol=rtol, period=period / parts, longest=period / 200) for system in systems]
        (self.inputs, self.state), (self.other, moved) = ends
        self.places = np.flatnonzero(self.inputs != self.other)
        assert np.allclose(self.state, moved, rtol=1e-12, atol=1e-12)
        self.system = systems[0]
        self.batch = Batch(where, Trajectories, self.system, self.inputs, self.places, case.wanted)

    def run(self, count: int, turns: int = 0, most: int = 1 << 30) -> Any:
        # every number that depends on the clearance goes along a straight line
        share = (np.arange(count) + 0.5) / count
        columns = {int(k): self.other[k] + share * (self.inputs[k] - self.other[k]) for k in self.places}
        return self.batch.run(columns, {"state": np.repeat(self.state[:, None], count, axis=1)},
                              turns or self.case.turns, most)  # fmt: skip


def compare(case: Case, count: int = 16) -> dict[str, Any]:
    """The same trajectories by card and processor: where they part."""
    found = []
    for name in ("host", "gpu"):
        found.append(Many(case, machine(name)).run(count))
    a, b = (x["strobe"] if case.wanted.strobe else x["extremes"] for x in found)
    scale = np.abs(a).max()
    apart = np.abs(a - b).max(axis=1) / scale
    return {
        "by turn, median": [float(x) for x in np.median(apart, axis=1)],
        "steps": [float(x.results["steps"].mean()) for x in found],
        "onsets": [float(x.results["onsets 0"].mean()) for x in found],
        "mean peak": [float(x["extremes"][:, 0].mean()) for x in found],
    }


def timed(case: Case, where: Machine, sizes: list[int]) -> list[dict[str, Any]]:
    began = time.perf_counter()
    made = Many(case, where)
    compiled = time.perf_counter() - began
    rows = []
    for count in (min(sizes[0], 64), *sizes):  # the first call is slower
        began = time.perf_counter()
        out = made.run(count, most=MOST * case.turns)
        wall = time.perf_counter() - began
        bad = int((out.results["status"] != 0).sum())
        tries = sum(out.results[k].mean() for k in ("steps", "rejected", "locations"))
        rows.append({
            "case": case.name, "count": count, "seconds": wall, "per second": count / wall,
            "bad": bad, "steps per turn": float(out.results["steps"].mean() / case.turns), "compile": compiled,
            "tries per turn": tries / case.turns, "tries per second": count * tries / wall,
            "states": made.system.controlled, "registers": getattr(made.batch.kernel, "registers", 0),
            "local": getattr(made.batch.kernel, "local", 0), "mean peak": float(out["extremes"][:, 0].mean()),
        })  # fmt: skip
        print(json.dumps(rows[-1]), flush=True)
    return rows


def here() -> dict[str, str]:
    found = {"python": platform.python_version(), "numpy": np.__version__}
    for command in ("nvidia-smi",):
        try:
            found[command] = subprocess.run([command], capture_output=True, text=True, timeout=60).stdout
        except OSError as error:
            found[command] = str(error)
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--machine", default="gpu")
    options.add_argument("--sizes", default="10000,100000,1000000")
    options.add_argument("--cases", default=",".join(CASES))
    options.add_argument("--out", default="out")
    options.add_argument("--compare", action="store_true")
    options.add_argument("--threads", type=int, default=driver.THREADS)
    options.add_argument("--registers", type=int, default=0)
    options.add_argument("--sweep", default="", help="limits of registers to try on the first case, 0: free")
    given = options.parse_args()
    driver.THREADS, driver.REGISTERS = given.threads, given.registers
    report: dict[str, Any] = {"here": here(), "rows": [], "compare": {}}
    print(f"threads {given.threads}, registers {given.registers or 'free'}")
    where = machine(given.machine)
    for limit in given.sweep.split(",") if given.sweep else ():
        driver.REGISTERS = int(limit)
        print(f"at most {limit} registers", flush=True)
        report["rows"] += timed(CASES[given.cases.split(",")[0]], where, [200_000])
    driver.REGISTERS = given.registers
    for name in given.cases.split(","):
        if given.compare:
            report["compare"][name] = compare(CASES[name])
            print(name, json.dumps(report["compare"][name]), flush=True)
        report["rows"] += timed(CASES[name], where, [int(x) for x in given.sizes.split(",")])
    folder = Path(given.out)
    folder.mkdir(parents=True, exist_ok=True)
    name = "_".join([*given.cases.split(","), str(given.threads), str(given.registers)])
    (folder / f"gpu_{name}.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
