"""How long a user waits: for a new mechanism, for another number, for the first step of a process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.compile.graph import llvm
from gudgeon.methods import methods

from . import contender, spatial

FIRST_STEP = """
import time, sys
began = time.perf_counter()
import gudgeon as gd
from benchmarks.contender import mechanism
gd.simulate(mechanism(), duration=1e-7{options})
print(time.perf_counter() - began)
"""
STEPS = ("rk4", "moreau")  # methods with a step of their own choice


def rows() -> list[tuple[str, str, str]]:
    """What was waited for, how long, and the goal."""
    gd.simulate(contender.mechanism(), duration=1e-7)  # loads the march and the law
    planar, space = new_mechanism(slider_crank), new_mechanism(four_bar)
    return [
        ("a new planar mechanism (P1) ready to march, after assemble() begins", f"{1e3 * planar:.0f} ms", "60 ms"),
        ("a new spatial mechanism (P2) ready to march", f"{1e3 * space:.0f} ms", "200 ms"),
        ("the same mechanism with another clearance", another_number(), "compiles nothing"),
        ("a fresh process to its first step, code kept", f"{fresh_process():.2f} s", "0.6 s"),
        *(
            (f"the first run ever by {name}: empty cache, a fresh process, all of it compiled",
             f"{first_run(name):.2f} s", "2 s" if name == "dopri5" else "3 s")
            for name in methods()
        ),
    ]  # fmt: skip


def slider_crank(extra: int) -> gd.Mechanism:
    """P1 with some springs more."""
    m = contender.mechanism()
    for k in range(extra):
        m.spring(f"spring{k}", "slider", m.ground, stiffness=10.0 * (k + 1), at_i=(0.17, 0), at_j=(0.3, 0.01 * k))
    return m


def four_bar(extra: int) -> gd.Mechanism:
    """P2 with some springs more."""
    m = spatial.mechanism()
    for k in range(extra):
        m.spring(f"spring{k}", "rocker", m.ground, stiffness=10.0 * (k + 1), at_i=(0.05, 0.1, 0.0),
                 at_j=(0.3, 0.01 * k, 0.2))  # fmt: skip
    return m


def new_mechanism(mechanism: Callable[[int], gd.Mechanism]) -> float:
    """Median over mechanisms of other structure, in a process with an empty cache: every extra spring is other machine
    code."""
    with tempfile.TemporaryDirectory() as folder:
        code = f"from benchmarks import waiting; waiting.assemble_new(waiting.{mechanism.__name__})"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                             env=os.environ | {"GUDGEON_CACHE": folder})  # fmt: skip
    return float(run.stdout.split()[-1])


def assemble_new(mechanism: Callable[[int], gd.Mechanism]) -> None:
    """Print how long mechanisms take that were never assembled before."""
    gd.simulate(mechanism(0), duration=1e-7)  # loads the march and the law
    times = []
    for extra in range(1, 4):  # with more springs the four-bar is a large mechanism, compiled as loops
        m = mechanism(extra)
        before, began = llvm.compilations, time.perf_counter()
        assemble(m, coordinates="auto", reduce=True)
        times.append(time.perf_counter() - began)
        assert llvm.compilations > before
    print(statistics.median(times))


def another_number() -> str:
    assemble(contender.mechanism())  # as a user has it, who then changes a number
    before, began = llvm.compilations, time.perf_counter()
    assemble(contender.mechanism().vary("pin.radial_clearance", "0.2 mm"))
    elapsed = time.perf_counter() - began
    return f"{1e3 * elapsed:.0f} ms, {llvm.compilations - before} compiled"


def fresh_process() -> float:
    """Best of five processes: a cold file system is not ours to measure."""
    return min(first_step("") for _ in range(5))


def first_run(method: str) -> float:
    """Best of three processes, each with a cache of its own that is empty."""
    step = ', step="1 us"' if method in STEPS else ""
    times = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            times.append(first_step(f', method="{method}"{step}', cache=Path(folder)))
    return min(times)


def first_step(options: str, cache: Path | None = None) -> float:
    """Seconds from the import to the end of a run of one step, in a process of its own."""
    command = [sys.executable, "-c", FIRST_STEP.format(options=options)]
    environment = os.environ | ({} if cache is None else {"GUDGEON_CACHE": str(cache)})
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(run.stdout.split()[-1])
