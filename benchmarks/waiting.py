"""How long a user waits: for a new mechanism, for another number, for the first step of a process."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import gudgeon as gd
from gudgeon.assemble import assemble
from gudgeon.compile.graph import llvm

from . import contender

FIRST_STEP = """
import time, sys
began = time.perf_counter()
import gudgeon as gd
from benchmarks.contender import mechanism
gd.simulate(mechanism(), duration=1e-7)
print(time.perf_counter() - began)
"""


def rows() -> list[tuple[str, str, str]]:
    """What was waited for, how long, and the goal."""
    gd.simulate(contender.mechanism(), duration=1e-7)  # loads the march and the law
    return [
        ("a new mechanism ready to march, after assemble() begins", f"{1e3 * new_mechanism():.0f} ms", "200 ms"),
        ("the same mechanism with another clearance", another_number(), "compiles nothing"),
        ("a fresh process to its first step (march cached)", f"{fresh_process():.2f} s", "1.2 s"),
    ]


def new_mechanism() -> float:
    """Median over mechanisms of other structure: every extra spring is other machine code."""
    times = []
    for extra in range(1, 6):
        m = contender.mechanism()
        for k in range(extra):
            m.spring(f"spring{k}", "slider", m.ground, stiffness=10.0 * (k + 1), at_i=(0.17, 0), at_j=(0.3, 0.01 * k))
        before, began = llvm.compilations, time.perf_counter()
        assemble(m)
        times.append(time.perf_counter() - began)
        assert llvm.compilations == before + 1
    return statistics.median(times)


def another_number() -> str:
    assemble(contender.mechanism())  # as a user has it, who then changes a number
    before, began = llvm.compilations, time.perf_counter()
    assemble(contender.mechanism().vary("pin.radial_clearance", "0.2 mm"))
    elapsed = time.perf_counter() - began
    return f"{1e3 * elapsed:.0f} ms, {llvm.compilations - before} compiled"


def fresh_process() -> float:
    """Best of five processes: a cold file system is not ours to measure."""
    command = [sys.executable, "-c", FIRST_STEP]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(5)]
    return min(float(run.stdout.split()[-1]) for run in runs)
